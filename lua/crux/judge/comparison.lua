--- How sure a comparison is: standard errors over folds, and intervals of the difference between two rules on the same levels.
local accuracy = require "crux.stats.accuracy"
local bootstrap = require "libcrux.bootstrap"
local crossval = require "crux.judge.crossval"
local intervals = require "crux.stats.intervals"
local vector = require "libcrux.vector"

local comparison = {}

--- The standard error of the mean of numbers of one fold each. Fits to overlapping rows err alike, so that the variance over
--- the folds is too small: C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003), correct
--- 1 / J, of J folds in all repeats, to 1 / J + n_test / n_train.
---@param numbers number[]
---@param folds table[]     of an Evaluation: n_test and n_train are averaged where they differ
---@return number
function comparison.error(numbers, folds)
  local count, mean, variance, ratio = #numbers, 0, 0, 0
  for i, value in ipairs(numbers) do
    mean, ratio = mean + value / count, ratio + folds[i].n_test / folds[i].n_train / count
  end
  for _, value in ipairs(numbers) do variance = variance + (value - mean) ^ 2 / (count - 1) end
  return math.sqrt((1 / count + ratio) * variance)
end

--- A measure in each fold; nil when one does not define it.
local function by_fold(evaluation, key)
  local numbers = {}
  for i, fold in ipairs(evaluation.folds) do
    numbers[i] = fold.errors[key]
    if not numbers[i] then return nil end
  end
  return numbers
end

--- The standard error of each measure of an evaluation, over its folds and repeats; absent where a fold does not define it.
---@param evaluation Evaluation
---@return table<string, number>
function comparison.errors(evaluation)
  local found = {}
  for _, measure in ipairs(accuracy.measures) do
    local numbers = by_fold(evaluation, measure.key)
    found[measure.key] = numbers and comparison.error(numbers, evaluation.folds)
  end
  return found
end

--- The sums of a vector over groups, or the vector itself without groups.
local function over_groups(values, groups)
  if not groups then return values end
  local numbers, count = crossval.groups(groups)
  local sums = {}
  for group = 1, count do sums[group] = 0 end
  for row = 1, #values do
    local group = numbers[row] // 1 | 0
    sums[group] = sums[group] + values[row]
  end
  return vector.of(sums)
end

---@class Difference
---@field estimate number         error of the one less that of the other
---@field std_error number
---@field low number              ends of its 95 % interval by the corrected resampled t
---@field high number
---@field bootstrap_low number?   ends of its 95 % percentile interval when levels, or groups of them, are drawn anew
---@field bootstrap_high number?

--- By how much an evaluation errs more than another one of the same rows and folds.
---@param one Evaluation
---@param other Evaluation
---@param options { by: string, weights: userdata?, groups: string[]?, draws: integer, seed: integer }   `by`: mae or
---                 weighted_mae, the means of the sizes of errors
---@return Difference
function comparison.difference(one, other, options)
  local key, differences = options.by, {}
  for i, fold in ipairs(one.folds) do differences[i] = fold.errors[key] - other.folds[i].errors[key] end
  local self = { estimate = one.errors[key] - other.errors[key], std_error = comparison.error(differences, one.folds) }
  local reach = intervals.t(0.95, #differences - 1) * self.std_error
  self.low, self.high = self.estimate - reach, self.estimate + reach
  if options.draws == 0 then return self end
  local weights = key == "weighted_mae" and options.weights or vector.fill(one.n, 1)
  local draws = bootstrap.ratios(over_groups((one.sizes - other.sizes) * weights, options.groups),
    over_groups(weights, options.groups), options.seed, options.draws):sorted()
  self.bootstrap_low, self.bootstrap_high = intervals.quantile(draws, 0.025), intervals.quantile(draws, 0.975)
  return self
end

--- Numbers of a difference with as many decimals as the width of its interval, and the end next to 0, are worth.
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

--- Whether the interval says that the two differ.
---@param difference Difference
function comparison.differs(difference) return difference.low > 0 or difference.high < 0 end

--- A sentence that says whether a rule differs from the best.
---@param name string
---@param best string
---@param difference Difference   of the rule and the best
---@param by string
function comparison.sentence(name, best, difference, by)
  local what = by:gsub("_", " ")
  local estimate, low, high = show(difference, difference.estimate, difference.low, difference.high)
  local numbers = ("%s points of %s, 95 %% interval %s to %s"):format(estimate, what, low, high)
  if comparison.differs(difference) then return ("%s predicts better than %s: %s"):format(best, name, numbers) end
  return ("%s does not differ from %s: %s"):format(name, best, numbers)
end

return comparison
