--- The ranges of the measures that a rule was fitted to, and levels outside of them.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"

local ranges = {}

--- Widens ranges to the numbers of a block.
---@param known table<string, { [1]: number, [2]: number }>   by measure
---@param block Block
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
---@field row integer
---@field measure string
---@field value number
---@field low number
---@field high number

--- The numbers of a block outside of the ranges, in the order of rows, then of measures.
---@param known table<string, { [1]: number, [2]: number }>
---@param block Block   with the measures
---@param measures string[]
---@return Stray[]
function ranges.strays(known, block, measures)
  local strays = {}
  for _, name in ipairs(measures) do
    local range, values = known[name], block.numbers[name]
    local low, high
    if range then low, high = values:range() end -- of the numbers among them
    if low and (low < range[1] or high > range[2]) then
      for row = 1, block.rows do
        local value = values[row]
        if value < range[1] or value > range[2] then
          table.insert(strays, { row = row, measure = name, value = value, low = range[1], high = range[2] })
        end
      end
    end
  end
  return lists.sort(strays, function(stray) return stray.row end)
end

--- Lines about the levels of a block that are outside, one for each level.
---@param strays Stray[]
---@param levels string[]
---@return string[]
function ranges.lines(strays, levels)
  local lines, words, row = {}, {}, nil
  for i = 1, #strays + 1 do
    local stray = strays[i]
    if row and (not stray or stray.row ~= row) then
      table.insert(lines, ("level %s is outside the training range in %s"):format(levels[row], table.concat(words, ", ")))
      words = {}
    end
    if stray then
      row = stray.row
      table.insert(words, ("%s (%s, not in %s to %s)"):format(stray.measure, fault.show(stray.value), fault.show(stray.low),
        fault.show(stray.high)))
    end
  end
  return lines
end

return ranges
