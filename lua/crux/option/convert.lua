--- Conversions from the text of an option to its value, given the option's flag; nil and a message for a wrong text.
local convert = {}

--- nil and the message about a wrong text.
function convert.refuse(text, flag, expected) return nil, ("%s: found '%s', expected %s"):format(flag, text, expected) end

---@class Conversion    a conversion that tells what it takes
---@field type "number"|"integer"|"names"
---@field takes string   as messages say it, with the range of numbers
---@field read fun(text: string): any   nil or false for a wrong text
local Conversion = {}

function Conversion:__call(text, flag)
  local found = self.read(text)
  if found then return found end
  return convert.refuse(text, flag, self.takes)
end

---@param holds fun(value: number): boolean
local function number(takes, holds)
  return setmetatable({ type = "number", takes = takes, read = function(text)
    local value = tonumber(text)
    return value and holds(value) and value
  end }, Conversion)
end

convert.number = number("a number", function() return true end)

convert.positive = number("a number above 0", function(value) return value > 0 end)

--- A limit: a finite number, not negative.
convert.limit = number("a number of at least 0 (0: no limit)", function(value) return value >= 0 and value < math.huge end)

--- A part of the whole.
convert.share = number("a number from 0 to below 1", function(value) return value >= 0 and value < 1 end)

convert.tolerance = number("a number between 0 and 1", function(value) return value > 0 and value < 1 end)

--- A conversion of integers of at least a minimum.
---@param maximum integer?
function convert.integer(minimum, maximum)
  local takes = (maximum and "an integer from %d to %d" or "an integer of at least %d"):format(minimum, maximum)
  return setmetatable({ type = "integer", takes = takes, read = function(text)
    local integer = math.tointeger(tonumber(text))
    return integer and integer >= minimum and integer <= (maximum or integer) and integer
  end }, Conversion)
end

--- Reads `1..7` as two numbers, the second above the first.
function convert.range(text, flag)
  local low, high = text:match "^(.-)%.%.(.*)$"
  low, high = tonumber(low), tonumber(high)
  if low and high and low < high then return { low, high } end
  return convert.refuse(text, flag, "LOW..HIGH, two numbers")
end

--- Reads `a,b, c` as a list of names.
convert.names = setmetatable({ type = "names", takes = "names, separated by commas", read = function(text)
  local list = {}
  for name in (text .. ","):gmatch "%s*(.-)%s*," do
    if name ~= "" then table.insert(list, name) end
  end
  return list
end }, Conversion)

--- Reads `NEW=OLD`, a new name of a column.
function convert.rename(text, flag)
  local to, from = text:match "^([^=]+)=(.+)$"
  if to then return { to = to, from = from } end
  return convert.refuse(text, flag, "NEW=OLD, two names of a column")
end

--- Refuses the names of compressed files, as no command reads a script from one.
function convert.script(text, flag)
  if not text:find "%.gz$" and not text:find "%.zst$" then return text end
  return convert.refuse(text, flag, "a name of a script, which is not compressed")
end

function convert.delimiter(text, flag)
  if text == "\\t" or text == "tab" then return "\t" end
  if #text == 1 and not text:find '["\r\n]' then return text end
  return convert.refuse(text, flag, "one character (or tab)")
end

return convert
