--- Distances between levels: of their measures, each divided by its standard deviation among levels made at random; the root of
--- the mean square over the measures.
local lists = require "crux.base.lists"

local distance = {}

---@class Scales
---@field names string[]              measures that vary
---@field deviations table<string, number>   by measure
---@field rating number               the standard deviation of the ratings
local Scales = {}
Scales.__index = Scales

--- The mean and the standard deviation of a number of each level that has it.
local function spread(levels, of)
  local count, mean, squares = 0, 0, 0
  for _, level in ipairs(levels) do
    local value = of(level)
    if value then
      count = count + 1
      local off = value - mean
      mean = mean + off / count
      squares = squares + off * (value - mean)
    end
  end
  return mean, count > 1 and math.sqrt(squares / (count - 1)) or 0
end

--- The scales of some levels.
---@param levels Found[]
---@param measures string[]
function distance.scales(levels, measures)
  local deviations = {}
  for _, name in ipairs(measures) do
    local _, deviation = spread(levels, function(level) return level.row[name] end)
    if deviation > 0 and deviation < math.huge then deviations[name] = deviation end
  end
  local _, rating = spread(levels, function(level) return level.rating end)
  return setmetatable({ names = lists.keys(deviations), deviations = deviations, rating = rating > 0 and rating or 1 }, Scales)
end

--- The standardised measures of a level; 0 for a missing one.
---@param level Found
function Scales:point(level)
  return lists.map(self.names, function(name) return (level.row[name] or 0) / self.deviations[name] end)
end

function distance.between(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + (a[i] - b[i]) ^ 2 end
  return #a > 0 and math.sqrt(sum / #a) or 0
end

--- The mean and the least distance between points; nil of fewer than two.
---@param points number[][]
---@return number? mean
---@return number? least
function distance.summary(points)
  local sum, count, least = 0, 0, math.huge
  for i = 2, #points do
    for j = 1, i - 1 do
      local apart = distance.between(points[i], points[j])
      sum, count, least = sum + apart, count + 1, math.min(least, apart)
    end
  end
  if count == 0 then return nil end
  return sum / count, least
end

return distance
