--- The ranges of measures that a rule was fitted to, and levels outside of them.
local fault = require "crux.base.fault"
local number = require "crux.base.number"

local ranges = {}

--- Widens ranges by what stands in a block.
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

--- Refuses what a rule script has as its ranges unless it can be used.
function ranges.check(known, measures, where)
  local is_measure = {}
  for _, name in ipairs(measures) do is_measure[name] = true end
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

--- Where levels of a block are outside, in the order of rows and of measures.
---@param known table<string, { [1]: number, [2]: number }>
---@param block Block   with the measures
---@param measures string[]
---@return Stray[]
function ranges.strays(known, block, measures)
  local strays = {}
  for place, name in ipairs(measures) do
    local range, values = known[name], block.numbers[name]
    local low, high
    if range then low, high = values:range() end -- of the numbers among them
    if low and (low < range[1] or high > range[2]) then
      for row = 1, block.rows do
        local value = values[row]
        if value < range[1] or value > range[2] then
          table.insert(strays, { row = row, place = place, measure = name, value = value, low = range[1], high = range[2] })
        end
      end
    end
  end
  table.sort(strays, function(a, b)
    if a.row ~= b.row then return a.row < b.row end
    return a.place < b.place
  end)
  return strays
end

--- What is said of the levels of a block that are outside: a line a level.
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
