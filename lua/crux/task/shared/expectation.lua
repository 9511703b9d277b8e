--- The expectation of `crux rate --expect`: ranges of ratings and measures, and the levels outside of them.
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local range = require "crux.base.range"
local ranges = require "crux.option.ranges"

local expectation = {}

---@class Expectation
---@field wanted NamedRange[]
---@field measures string[]   the names of `wanted` but 'rating'
---@field count integer       of checked levels
---@field failures integer    checked levels outside of the ranges
---@field broken TestCase[]   levels and files that could not be examined
---@field say fun(line: string)
local Expectation = {}
Expectation.__index = Expectation

--- Reads the texts of --expect.
---@param say fun(line: string)   gets a line about each level that is not as expected
---@return Expectation
function expectation.read(texts, say)
  for _, text in ipairs(texts) do
    if not text:find "%S" then fault.raise("--expect: found an empty text, expected NAME=RANGE,...", 2) end
  end
  local wanted, measures = ranges.named(texts, "--expect"), {}
  for _, item in ipairs(wanted) do
    if item.name ~= "rating" then table.insert(measures, item.name) end
  end
  return setmetatable({ wanted = wanted, measures = measures, count = 0, failures = 0, broken = {}, say = say },
    Expectation)
end

--- A number outside of a range, with enough digits to show that it is outside.
local function outside(value, bounds)
  for digits = 4, 16 do
    local text = ("%%.%dg"):format(digits):format(value)
    if not range.holds(bounds, tonumber(text)) then return text end
  end
  return number.exact(value)
end

--- A line about a level's values outside of the ranges; nil if there are none.
---@param values table<string, number?>
function Expectation:shortfall(values)
  local words = {}
  for _, item in ipairs(self.wanted) do
    local value = values[item.name]
    local found = value ~= value and "no " .. item.name
      or not range.holds(item.range, value) and ("%s %s"):format(item.name, outside(value, item.range))
    if found then table.insert(words, ("found %s, expected %s"):format(found, item.text)) end
  end
  return words[1] and table.concat(words, "; ")
end

--- Checks a level of a block, and prints a line if it is not as expected; examination.run printed why a level is unsolved.
---@return TestCase
function Expectation:check(block, row, rating)
  local values, unsolved = { rating = rating }, block.sources and block.sources[row].unsolved
  for _, name in ipairs(self.measures) do values[name] = block.numbers[name][row] end
  local level, place = block.levels[row], block:place(row)
  local words = unsolved or self:shortfall(values)
  local failure = words and ("%s: level '%s': %s"):format(place, level, words)
  if failure and not unsolved then self.say(failure) end
  self.count, self.failures = self.count + 1, self.failures + (failure and 1 or 0)
  return { name = level, file = place:gsub(":%d+$", ""), failure = failure }
end

--- Notes a level, or a file of levels, that could not be examined.
---@param entry LevelText
function Expectation:lose(entry, message)
  table.insert(self.broken, { name = entry.name or entry.path, file = entry.path, error = message })
end

--- Raises a fault that counts the levels that are not as expected, if there are any.
function Expectation:finish()
  local failures = self.failures + #self.broken
  if #self.wanted > 0 and failures > 0 then
    fault.raise(("%s of %s %s not as expected"):format(number.count(failures),
      number.count(self.count + #self.broken, "level"), failures == 1 and "is" or "are"))
  end
end

return expectation
