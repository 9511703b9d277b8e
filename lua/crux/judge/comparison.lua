--- How sure a comparison is: standard errors over folds, and intervals of the difference between two rules on the same levels.
local accuracy = require "crux.stats.accuracy"
local bootstrap = require "libcrux.bootstrap"
local crossval = require "crux.judge.crossval"
local intervals = require "crux.stats.intervals"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local comparison = {}

--- The standard error of the mean of numbers of one fold each. Fits to overlapping rows err alike, so that the variance over
--- the folds is too small: C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003), correct
--- 1 / J, of J folds in all repeats, to 1 / J + n_test / n_train.
---@param numbers number[]
---@param folds table[]     of an Evaluation: n_test and n_train are averaged where they differ
---@return number?          nil where there are too few numbers, or too large ones
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

--- A measure in each of some folds; nil when one does not define it.
local function by_fold(folds, key)
  local numbers = {}
  for i, fold in ipairs(folds) do
    numbers[i] = fold.errors[key]
    if not numbers[i] then return nil end
  end
  return numbers
end

--- The standard error of each measure of an evaluation, over its folds and repeats; absent where a fold does not define it.
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
---@field bootstrap_low number?   ends of its 95 % interval when levels, or groups of them, are drawn anew
---@field bootstrap_high number?
---@field bootstrap string?       which interval that is: "percentile" or "normal"

comparison.most_drawn = 100000 -- rows or groups; of more, the draws would take minutes

--- The 95 % interval of a ratio of sums when rows are drawn anew; of too many rows the normal interval that it tends to, by
--- the infinitesimal jackknife (Efron and Tibshirani 1993, chapter 22).
---@return number low
---@return number high
---@return string kind
local function drawn_anew(numerators, denominators, draws, seed)
  if #numerators <= comparison.most_drawn then
    local ratios = bootstrap.ratios(numerators, denominators, seed, draws):sorted()
    return intervals.quantile(ratios, 0.025), intervals.quantile(ratios, 0.975), "percentile"
  end
  local whole = denominators:sum()
  local ratio = numerators:sum() / whole
  local rest = numerators - denominators * ratio
  local reach = intervals.normal(0.95) * math.sqrt((rest * rest):sum()) / whole
  return ratio - reach, ratio + reach, "normal"
end

--- What both evaluations predict: in which folds how much larger the errors of one are, and for which rows.
---@return number[] differences
---@return table[] folds
---@return userdata gaps      how much larger the sizes of errors are
---@return userdata weights   of these rows
---@return string[]? groups   theirs
local function compared(one, other, options)
  local key, differences, folds = options.by, {}, {}
  for i, fold in ipairs(one.folds) do
    if not fold.failure and not other.folds[i].failure then
      table.insert(differences, fold.errors[key] - other.folds[i].errors[key])
      table.insert(folds, fold)
    end
  end
  local gaps, weights, groups = one.sizes - other.sizes, vector.fill(one.n, 1), options.groups
  if key == "weighted_mae" then weights = options.weights or weights end
  local rows = vector.complete { gaps }
  if not rows then return differences, folds, gaps, weights, groups end
  local chosen = groups and {}
  for i = 1, groups and #rows or 0 do chosen[i] = groups[rows[i] // 1 | 0] end
  return differences, folds, gaps:gather(rows), weights:gather(rows), chosen
end

--- By how much an evaluation errs more than another one of the same rows and folds, in the folds in which both have a fit; nil
--- where these are fewer than two, or errors are too large.
---@param one Evaluation
---@param other Evaluation
---@param options { by: string, weights: userdata?, groups: string[]?, draws: integer, seed: integer }   `by`: mae or
---                 weighted_mae, the means of the sizes of errors
---@return Difference?
function comparison.difference(one, other, options)
  local key, differences, folds, gaps, weights, groups = options.by, compared(one, other, options)
  local self = { estimate = one.errors[key] - other.errors[key], std_error = comparison.error(differences, folds) }
  if not self.std_error then return nil end
  if #gaps < one.n then self.estimate = (gaps * weights):sum() / weights:sum() end
  local reach = intervals.t(0.95, #differences - 1) * self.std_error
  self.low, self.high = self.estimate - reach, self.estimate + reach
  if options.draws == 0 then return self end
  self.bootstrap_low, self.bootstrap_high, self.bootstrap = drawn_anew(over_groups(gaps * weights, groups),
    over_groups(weights, groups), options.draws, options.seed)
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
