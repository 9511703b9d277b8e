--- From the text of an option to its value; nil and a message when it is wrong.
local convert = {}

--- An integer that is at least so much.
function convert.integer(option, least)
  return function(text)
    local value = math.tointeger(tonumber(text))
    if value and value >= least then return value end
    return nil, ("%s: found '%s', expected an integer of at least %d"):format(option, text, least)
  end
end

--- A number that is 0 or more.
function convert.limit(option)
  return function(text)
    local value = tonumber(text)
    if value and value >= 0 and value < math.huge then return value end
    return nil, ("%s: found '%s', expected a number of at least 0 (0: no limit)"):format(option, text)
  end
end

--- Any number.
function convert.number(option)
  return function(text)
    local value = tonumber(text)
    if value then return value end
    return nil, ("%s: found '%s', expected a number"):format(option, text)
  end
end

--- A number above 0.
function convert.positive(option)
  return function(text)
    local value = tonumber(text)
    if value and value > 0 then return value end
    return nil, ("%s: found '%s', expected a number above 0"):format(option, text)
  end
end

--- The two numbers in `1..7`, the second above the first.
function convert.range(option)
  return function(text)
    local low, high = text:match "^(.-)%.%.(.*)$"
    low, high = tonumber(low), tonumber(high)
    if low and high and low < high then return { low, high } end
    return nil, ("%s: found '%s', expected LOW..HIGH, two numbers"):format(option, text)
  end
end

--- The names in `a,b, c`.
function convert.names(text)
  local list = {}
  for name in (text .. ","):gmatch "%s*(.-)%s*," do
    if name ~= "" then table.insert(list, name) end
  end
  return list
end

--- A part of the whole: from 0 to below 1.
function convert.share(option)
  return function(text)
    local value = tonumber(text)
    if value and value >= 0 and value < 1 then return value end
    return nil, ("%s: found '%s', expected a number from 0 to below 1"):format(option, text)
  end
end

function convert.tolerance(text)
  local value = tonumber(text)
  if value and value > 0 and value < 1 then return value end
  return nil, ("--tolerance: found '%s', expected a number between 0 and 1"):format(text)
end

function convert.delimiter(text)
  if text == "\\t" or text == "tab" then return "\t" end
  if #text == 1 and not text:find '["\r\n]' then return text end
  return nil, ("--delimiter: found '%s', expected one character (or tab)"):format(text)
end

return convert
