--- Errors of predictions: how far they are from what players said.
local errors = require "libcrux.errors"
local fault = require "crux.fault"
local folds = require "libcrux.folds"

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

--- Means from the sums of libcrux.errors (DESIGN: definitions of Mutser 2014, section 6, and the usual ones). Relative
--- errors are absent when a value is 0.
---@return table<string, number>     by the keys of accuracy.measures
function accuracy.of(sums)
  local n = sums.n
  local function percent(x) return math.abs(x) < math.huge and 100 * x or nil end
  return {
    mae = sums.absolute / n,
    weighted_mae = sums.weighted / sums.weight,
    relative_percent = percent(sums.relative / n),
    weighted_relative_percent = percent(sums.weighted_relative / sums.weight),
    rmse = math.sqrt(sums.square / n),
    median_squared_error = sums.median_square,
    max_squared_error = sums.largest_square,
    overestimates = sums.over,
    underestimates = sums.under,
  }
end

--- The errors of predictions of values, all vectors.
---@param weights userdata?   case weights; without, every level counts the same
function accuracy.of_predictions(predictions, values, weights)
  local n = #values
  local sums <close> = fault.check(errors.new(n))
  sums:add({ predictions }, { 1 }, values, weights, folds.new(n, 1), 0, 1)
  return accuracy.of(sums:part())
end

return accuracy
