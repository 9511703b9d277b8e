--- Errors of predictions: how far they are from what players said.
local errors = require "libcrux.errors"
local fault = require "crux.base.fault"
local folds = require "libcrux.folds"

local accuracy = {}

--- The measures of predictions, in the order of reports. Those with `details` need an object of libcrux.errors that has them.
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
  { key = "weighted_rmse", doc = "root of the mean squared error, each level by its weight" },
  { key = "medae", doc = "median absolute error" },
  { key = "r_squared", doc = "1 less the squared errors over those of the mean of the same levels" },
  { key = "slope", doc = "of the values over the predictions: 1 when these are neither too bold nor too timid" },
  { key = "log_score", doc = "mean logarithm of the density of the values, where the fit has a distribution" },
  { key = "tau", doc = "Kendall's tau-b of predictions and values", details = true },
  { key = "spearman", doc = "Spearman's correlation of the same", details = true },
}

--- Means from the sums of libcrux.errors (definitions of Mutser 2014, section 6, and the usual ones). What is not defined is
--- absent: relative errors when a value is 0, for example, or correlations of a single level.
---@return table<string, number>     by the keys of accuracy.measures
function accuracy.of(sums)
  local n = sums.n
  local function defined(x) return x - x == 0 and x or nil end
  local function percent(x) return math.abs(x) < math.huge and 100 * x or nil end
  local function variation(sum, square) -- of what is equal, not the rounding of its sums
    local rest = square - sum ^ 2 / n
    return rest > 1e-13 * square and rest or 0
  end
  local spread, predicted = variation(sums.values, sums.values_square), variation(sums.predictions, sums.predictions_square)
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
    weighted_rmse = math.sqrt(sums.weighted_square / sums.weight),
    medae = sums.median,
    r_squared = defined(1 - sums.square / spread),
    slope = defined((sums.product - sums.values * sums.predictions / n) / predicted),
    log_score = defined(sums.log_density / n),
    tau = defined(sums.tau),
    spearman = defined(sums.rho),
  }
end

--- The errors of predictions of values, all vectors.
---@param weights userdata?   case weights; without, every level counts the same
function accuracy.of_predictions(predictions, values, weights)
  local n = #values
  local sums <close> = fault.check(errors.new(n, true))
  sums:add({ predictions }, { 1 }, values, weights, folds.new(n, 1), 0, 1)
  return accuracy.of(fault.check(sums:part()))
end

return accuracy
