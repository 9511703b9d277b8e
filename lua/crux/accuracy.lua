--- Errors of predictions: how far they are from what players said.
local center = require "crux.center"

local accuracy = {}

--- The measures of error, in the order of reports. `points` are in the target's unit.
accuracy.measures = {
  { key = "mae", doc = "mean absolute error" },
  { key = "weighted_mae", doc = "mean absolute error, each level by its weight" },
  { key = "relative_percent", doc = "mean of absolute error over value, in percent" },
  { key = "weighted_relative_percent", doc = "the same, each level by its weight" },
  { key = "rmse", doc = "root of the mean squared error" },
  { key = "median_squared_error", doc = "median of the squared errors" },
  { key = "max_squared_error", doc = "largest squared error" },
  { key = "overestimates", doc = "levels predicted too high" },
  { key = "underestimates", doc = "levels predicted too low" },
}

--- Means of errors over `rows` of the levels (DESIGN: definitions of Mutser 2014, section 6, and the usual ones).
--- Relative errors are absent when a value is 0.
---@param predictions table|userdata
---@param values table|userdata      what the players said
---@param weights table|userdata|nil case weights; without, every level counts the same
---@param rows integer[]             places in the above
---@return table<string, number>     by the keys of accuracy.measures
function accuracy.of(predictions, values, weights, rows)
  local sums = { absolute = 0, weighted = 0, relative = 0, weighted_relative = 0, square = 0, weight = 0 }
  local squares, most, over, under = center.median(), 0, 0, 0
  for _, row in ipairs(rows) do
    local weight, value = weights and weights[row] or 1, values[row]
    local difference = predictions[row] - value
    local size = math.abs(difference)
    sums.absolute = sums.absolute + size
    sums.weighted = sums.weighted + weight * size
    sums.relative = sums.relative + size / math.abs(value)
    sums.weighted_relative = sums.weighted_relative + weight * size / math.abs(value)
    sums.square = sums.square + size * size
    sums.weight = sums.weight + weight
    squares:add(size * size)
    most = math.max(most, size * size)
    if difference > 0 then over = over + 1 end
    if difference < 0 then under = under + 1 end
  end
  local n = #rows
  local function percent(x) return math.abs(x) < math.huge and 100 * x or nil end
  return {
    mae = sums.absolute / n,
    weighted_mae = sums.weighted / sums.weight,
    relative_percent = percent(sums.relative / n),
    weighted_relative_percent = percent(sums.weighted_relative / sums.weight),
    rmse = math.sqrt(sums.square / n),
    median_squared_error = squares:value(),
    max_squared_error = most,
    overestimates = over,
    underestimates = under,
  }
end

return accuracy
