--- Comparisons of rules: standard errors over folds, and intervals of the difference between two rules on the same levels.
local accuracy = require "crux.stats.accuracy"
local bootstrap = require "libcrux.bootstrap"
local grouping = require "crux.stats.grouping"
local intervals = require "crux.stats.intervals"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local comparison = {}

--- The standard error of the mean of one number for each fold. Fits to overlapping rows have correlated errors, so that the
--- variance over the folds is too small: C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52
--- (2003), replace 1 / J, with J folds in all repeats, by 1 / J + n_test / n_train.
---@param numbers number[]
---@param folds table[]     of an Evaluation; n_test / n_train is averaged over them
---@return number?          nil for too few or too large numbers
function comparison.error(numbers, folds)
  local count, mean, variance, ratio = #numbers, 0, 0, 0
  for i, value in ipairs(numbers) do
    mean, ratio = mean + value / count, ratio + folds[i].n_test / folds[i].n_train / count
  end
  for _, value in ipairs(numbers) do variance = variance + (value - mean) ^ 2 / (count - 1) end
  local found = math.sqrt((1 / count + ratio) * variance)
  return number.is_finite(found) and found or nil
end

--- The folds of an evaluation that have a fit.
local function fitted_folds(evaluation)
  local folds = {}
  for _, fold in ipairs(evaluation.folds) do
    if not fold.failure then table.insert(folds, fold) end
  end
  return folds
end

--- The values of a measure in folds; nil if one fold does not define it.
local function by_fold(folds, key)
  local numbers = {}
  for i, fold in ipairs(folds) do
    numbers[i] = fold.errors[key]
    if not numbers[i] then return nil end
  end
  return numbers
end

--- The standard error of each measure of an evaluation, over its folds and repeats; absent if a fold does not define it.
---@param evaluation Evaluation
---@return table<string, number>
function comparison.errors(evaluation)
  local found, folds = {}, fitted_folds(evaluation)
  for _, measure in ipairs(accuracy.measures) do
    local numbers = by_fold(folds, measure.key)
    found[measure.key] = numbers and comparison.error(numbers, folds)
  end
  return found
end

--- The sums of a vector over groups; the vector itself without groups.
local function over_groups(values, groups)
  if not groups then return values end
  local numbers, names = grouping.number(groups)
  local sums = {}
  for group = 1, #names do sums[group] = 0 end
  for row = 1, #values do
    local group = numbers[row] // 1 | 0
    sums[group] = sums[group] + values[row]
  end
  return vector.of(sums)
end

---@class Difference
---@field estimate number         measure of the one minus measure of the other
---@field std_error number
---@field low number              ends of its 95 % interval by the corrected resampled t
---@field high number
---@field bootstrap_low number?   ends of its 95 % interval by the bootstrap over levels, or groups of levels, for measures
---                               that are means of the sizes of errors
---@field bootstrap_high number?
---@field bootstrap string?       kind of that interval: "percentile" or "normal"

comparison.max_drawn = 100000 -- rows or groups; more would take minutes

--- The 95 % interval of a ratio of sums by the bootstrap over rows; for too many rows its normal limit, by the infinitesimal
--- jackknife (Efron and Tibshirani 1993, chapter 22).
---@return number low
---@return number high
---@return string kind
local function bootstrap_interval(numerators, denominators, draws, seed)
  if #numerators <= comparison.max_drawn then
    local ratios = bootstrap.ratios(numerators, denominators, seed, draws):sorted()
    return intervals.quantile(ratios, 0.025), intervals.quantile(ratios, 0.975), "percentile"
  end
  local whole = denominators:sum()
  local ratio = numerators:sum() / whole
  local rest = numerators - denominators * ratio
  local reach = intervals.normal(0.95) * math.sqrt((rest * rest):sum()) / whole
  return ratio - reach, ratio + reach, "normal"
end

--- The differences between two evaluations in the folds and rows that both predict.
---@return number[]? differences   of the measure, by fold; nil where a fold does not define it
---@return table[] folds
---@return userdata gaps      differences of the sizes of errors, by row
---@return userdata weights   of these rows
---@return string[]? groups   of these rows
local function compared(one, other, options)
  local key, folds, of_other = options.by, {}, {}
  for i, fold in ipairs(one.folds) do
    if not fold.failure and not other.folds[i].failure then
      table.insert(folds, fold)
      table.insert(of_other, other.folds[i])
    end
  end
  local differences, subtracted = by_fold(folds, key), by_fold(of_other, key)
  for i in ipairs(subtracted and differences or {}) do differences[i] = differences[i] - subtracted[i] end
  differences = subtracted and differences
  local gaps, weights, groups = one.sizes - other.sizes, vector.fill(one.n, 1), options.groups
  if key == "weighted_mae" then weights = options.weights or weights end
  local rows = vector.complete { gaps }
  if not rows then return differences, folds, gaps, weights, groups end
  local chosen = groups and {}
  for i = 1, groups and #rows or 0 do chosen[i] = groups[rows[i] // 1 | 0] end
  return differences, folds, gaps:gather(rows), weights:gather(rows), chosen
end

--- The measures that are means of the sizes of errors.
local means_of_sizes = { mae = true, weighted_mae = true }

--- The difference of a measure between two evaluations on the same rows and folds, over the folds in which both have a fit; nil
--- for fewer than two such folds, where a fold does not define the measure, or for too large errors.
---@param one Evaluation
---@param other Evaluation
---@param options { by: string, weights: userdata?, groups: string[]?, draws: integer, seed: integer }   `by`: a measure
---@return Difference?
function comparison.difference(one, other, options)
  local key, differences, folds, gaps, weights, groups = options.by, compared(one, other, options)
  local std_error = differences and comparison.error(differences, folds)
  if not std_error then return nil end
  local difference, is_mean = { std_error = std_error, estimate = one.errors[key] - other.errors[key] }, means_of_sizes[key]
  if #gaps < one.n then
    difference.estimate = is_mean and (gaps * weights):sum() / weights:sum() or vector.of(differences):sum() / #differences
  end
  local reach = intervals.t(0.95, #differences - 1) * std_error
  difference.low, difference.high = difference.estimate - reach, difference.estimate + reach
  if options.draws == 0 or not is_mean then return difference end
  difference.bootstrap_low, difference.bootstrap_high, difference.bootstrap = bootstrap_interval(
    over_groups(gaps * weights, groups), over_groups(weights, groups), options.draws, options.seed)
  return difference
end

--- Formats numbers of a difference with as many decimals as the width of its interval, and its end next to 0, support.
local function show(difference, ...)
  local size, nearest = difference.high - difference.low, math.max(difference.low, -difference.high)
  if nearest > 0 then size = math.min(size, 10 * nearest) end
  local places = size > 0 and math.min(9, math.max(0, 1 - math.floor(math.log(size, 10)))) or 4
  local words = {}
  for i, value in ipairs { ... } do
    words[i] = ("%%.%df"):format(places):format(value):gsub("^%-(0%.?0*)$", "%1") -- no -0.00
  end
  return table.unpack(words)
end

--- Tells whether the interval leaves out 0.
---@param difference Difference
function comparison.differs(difference) return difference.low > 0 or difference.high < 0 end

--- A sentence about the difference between a rule and the best.
---@param name string
---@param best string
---@param difference Difference   of the rule and the best
---@param by string
function comparison.sentence(name, best, difference, by)
  local measure, estimate, low, high = accuracy.by_key[by], difference.estimate, difference.low, difference.high
  if measure.better == "more" then estimate, low, high = -estimate, -high, -low end
  estimate, low, high = show(difference, estimate, low, high)
  local numbers = ("%s %sof %s, 95 %% interval %s to %s"):format(estimate, measure.unit and measure.unit .. " " or "",
    by:gsub("_", " "), low, high)
  if comparison.differs(difference) then return ("%s predicts better than %s: %s"):format(best, name, numbers) end
  return ("%s does not differ from %s: %s"):format(name, best, numbers)
end

return comparison
