--- Conversions from the text of an option to its value, given the option's flag; nil and a message for a wrong text.
local convert = {}

--- nil and the message about a wrong text.
---@param expected string
function convert.refuse(text, flag, expected) return nil, ("%s: found '%s', expected %s"):format(flag, text, expected) end

--- A conversion of numbers.
---@param read fun(value: number): number|false|nil   the number, unless it is wrong
local function number(expected, read)
  return function(text, flag)
    local value = tonumber(text)
    local found = value and read(value)
    if found then return found end
    return convert.refuse(text, flag, expected)
  end
end

convert.number = number("a number", function(value) return value end)

convert.positive = number("a number above 0", function(value) return value > 0 and value end)

--- A limit: a finite number, not negative.
convert.limit = number("a number of at least 0 (0: no limit)",
  function(value) return value >= 0 and value < math.huge and value end)

--- A part of the whole.
convert.share = number("a number from 0 to below 1", function(value) return value >= 0 and value < 1 and value end)

convert.tolerance = number("a number between 0 and 1", function(value) return value > 0 and value < 1 and value end)

--- A conversion of integers of at least a minimum.
---@param minimum integer
function convert.integer(minimum)
  return number(("an integer of at least %d"):format(minimum), function(value)
    local integer = math.tointeger(value)
    return integer and integer >= minimum and integer
  end)
end

--- Reads `1..7` as two numbers, the second above the first.
function convert.range(text, flag)
  local low, high = text:match "^(.-)%.%.(.*)$"
  low, high = tonumber(low), tonumber(high)
  if low and high and low < high then return { low, high } end
  return convert.refuse(text, flag, "LOW..HIGH, two numbers")
end

--- Reads `a,b, c` as a list of names.
function convert.names(text)
  local list = {}
  for name in (text .. ","):gmatch "%s*(.-)%s*," do
    if name ~= "" then table.insert(list, name) end
  end
  return list
end

--- Reads `NEW=OLD`, a new name of a column.
function convert.rename(text, flag)
  local to, from = text:match "^([^=]+)=(.+)$"
  if to then return { to = to, from = from } end
  return convert.refuse(text, flag, "NEW=OLD, two names of a column")
end

function convert.delimiter(text, flag)
  if text == "\\t" or text == "tab" then return "\t" end
  if #text == 1 and not text:find '["\r\n]' then return text end
  return convert.refuse(text, flag, "one character (or tab)")
end

return convert
