--- Statistics of predictions: errors and correlations.
local errors = require "libcrux.errors"
local fault = require "crux.base.fault"
local folds = require "libcrux.folds"
local lists = require "crux.base.lists"

local accuracy = {}

--- In the order of reports. Those with `details` need libcrux.errors with details. `better` says
--- which of two values is better; `unit` is that of the target. The mean over folds estimates the statistic, but for those with
--- `over_folds`: "never", or "several", not where each fold is one row.
accuracy.statistics = {
  { key = "mae", doc = "mean absolute error", better = "less", unit = "points" },
  { key = "weighted_mae", doc = "mean absolute error, each level by its weight", better = "less",
    unit = "points" },
  { key = "relative_percent", doc = "mean of absolute error over value, in percent", better = "less" },
  { key = "weighted_relative_percent", doc = "the same, each level by its weight", better = "less" },
  { key = "rmse", doc = "root of the mean squared error", better = "less", unit = "points", over_folds = "several" },
  { key = "median_squared_error", doc = "median of the squared errors", better = "less", over_folds = "several" },
  { key = "max_squared_error", doc = "largest squared error", better = "less", over_folds = "never" },
  { key = "overestimates", doc = "levels predicted too high", over_folds = "never" },
  { key = "underestimates", doc = "levels predicted too low", over_folds = "never" },
  { key = "weighted_rmse", doc = "root of the mean squared error, each level by its weight", better = "less",
    unit = "points", over_folds = "several" },
  { key = "medae", doc = "median absolute error", better = "less", unit = "points", over_folds = "several" },
  { key = "r_squared", doc = "1 less the squared errors over those of the mean of the same levels", better = "more" },
  { key = "slope", doc = "of the values over the predictions: 1 when these are neither too bold nor too timid" },
  { key = "log_score", doc = "mean logarithm of the density of the values, where the fit has a distribution", better = "more",
    details = true },
  { key = "tau", doc = "Kendall's tau-b of predictions and values", better = "more", details = true },
  { key = "spearman", doc = "Spearman's correlation of the same", better = "more", details = true },
}

--- The statistics by key, and the keys of those by which rules can be compared.
accuracy.by_key, accuracy.comparable = {}, {}
for _, statistic in ipairs(accuracy.statistics) do
  accuracy.by_key[statistic.key] = statistic
  if statistic.better then table.insert(accuracy.comparable, statistic.key) end
end

--- A number that is smaller for better predictions; the largest where the statistic is not defined.
---@param found table<string, number>   values by key
---@param key string   of a statistic with `better`
function accuracy.loss(found, key)
  local value = found[key]
  if not value then return math.huge end
  return accuracy.by_key[key].better == "more" and -value or value
end

--- The statistics from the sums of libcrux.errors (definitions of Mutser 2014, section 6, and the usual ones). One that is not
--- defined is absent, such as relative errors if a value is 0 and correlations of a single level.
---@param sign number?   -1 if greater predictions are about smaller values: correlations then have the other sign
---@return table<string, number>     by the keys of accuracy.statistics
function accuracy.of(sums, sign)
  local n = sums.n
  sign = sign or 1
  local function defined(x) return x - x == 0 and x or nil end
  local function percent(x) return math.abs(x) < math.huge and 100 * x or nil end
  local function variation(sum, square) -- 0 for equal values, despite rounding
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
    tau = defined(sign * sums.tau),
    spearman = defined(sign * sums.rho),
  }
end

---@class Confusion
---@field categories number[]   ascending
---@field counts table<number, table<number, number>>   sum of weights by the category of the value and the predicted one
---@field accuracy number       share of the values whose category was predicted
---@field most_frequent number  share of the most frequent category of the values

--- Counts how often each category was predicted for the values of each category.
---@param values userdata         rounded to categories, halves up
---@param weights userdata?       1 unless given
---@param predicted number[][]    lists of the category of each value; NaN is left out
---@return Confusion
function accuracy.confusion(values, weights, predicted)
  local counts, totals, known, sum, right = {}, {}, {}, 0, 0
  for _, list in ipairs(predicted) do
    for row, class in ipairs(list) do
      local value, weight = math.floor(values[row] + 0.5), weights and weights[row] or 1
      if class == class then
        counts[value] = counts[value] or {}
        counts[value][class] = (counts[value][class] or 0) + weight
        totals[value] = (totals[value] or 0) + weight
        known[value], known[class] = true, true
        sum, right = sum + weight, right + (class == value and weight or 0)
      end
    end
  end
  local most = 0
  for _, total in pairs(totals) do most = math.max(most, total) end
  return { categories = lists.keys(known), counts = counts, accuracy = right / sum, most_frequent = most / sum }
end

--- The errors of predictions of values, all vectors.
---@param weights userdata?     case weights, 1 unless given
---@param densities userdata?   logarithms of the densities of the values, if the fit has a distribution
function accuracy.of_predictions(predictions, values, weights, densities)
  local n = #values
  local sums <close> = fault.check(errors.new(n, 1, true))
  sums:add({ predictions }, { 1 }, values, weights, folds.new(n, 1), 0, 1, densities)
  sums:part()
  return accuracy.of((fault.check(sums:sums())))
end

return accuracy
