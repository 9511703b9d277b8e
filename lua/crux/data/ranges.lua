--- The ranges of the measures that a rule was fitted to, and levels outside of them.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local ranges = {}

--- Widens ranges to the numbers of a block.
---@param known table<string, { [1]: number, [2]: number }>   by measure
---@param measures string[]
function ranges.widen(known, block, measures)
  for _, name in ipairs(measures) do
    local low, high = block.numbers[name]:range()
    local range = known[name]
    if low and range then
      range[1], range[2] = math.min(range[1], low), math.max(range[2], high)
    elseif low then
      known[name] = { low, high }
    end
  end
end

--- Refuses wrong ranges of a rule script.
function ranges.check(known, measures, where)
  local is_measure = lists.set(measures)
  for name, range in pairs(known) do
    local place = ("%s: range '%s'"):format(where, tostring(name))
    if not is_measure[name] then fault.at(place, "no measure of the formula", "one") end
    if type(range) ~= "table" or #range ~= 2 or not (number.is_finite(range[1]) and number.is_finite(range[2])
      and range[1] <= range[2]) then
      fault.at(place, "something else", "two numbers, the lower first")
    end
  end
end

---@class Stray
---@field measure string
---@field value number
---@field low number
---@field high number

--- The rows of a block in which a measure is outside of its range.
---@param known table<string, { [1]: number, [2]: number }>
---@param block Block   with the measures
---@param measures string[]
---@return userdata                          their numbers
---@return fun(row: integer): Stray[]        what is outside in one of them, in the order of the measures
function ranges.outside(known, block, measures)
  local names = lists.select(measures, function(name) return known[name] end)
  local columns = lists.pick(block.numbers, names)
  local lows = lists.map(names, function(name) return known[name][1] end)
  local highs = lists.map(names, function(name) return known[name][2] end)
  return vector.outside(columns, vector.of(lows), vector.of(highs)), function(row)
    local strays = {}
    for i, name in ipairs(names) do
      local value = columns[i][row]
      if value < lows[i] or value > highs[i] then
        table.insert(strays, { measure = name, value = value, low = lows[i], high = highs[i] })
      end
    end
    return strays
  end
end

--- A line about a level that is outside.
function ranges.line(level, strays)
  return ("level %s is outside the training range in %s"):format(level, table.concat(lists.map(strays, function(stray)
    return ("%s (%s, not in %s to %s)"):format(stray.measure, fault.show(stray.value), fault.show(stray.low),
      fault.show(stray.high))
  end), ", "))
end

return ranges
