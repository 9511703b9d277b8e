--- Comparisons of rules: standard errors over folds, the set of rules that may be the best, and differences to one of them.
local accuracy = require "crux.stats.accuracy"
local bootstrap = require "libcrux.bootstrap"
local distribution = require "libcrux.distribution"
local grouping = require "crux.stats.grouping"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local comparison = {}

--- The standard error of the mean of one number for each fold. Fits to overlapping rows have correlated errors, so that the
--- variance over the folds is too small: C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52
--- (2003), replace 1 / J, with J folds in all repeats, by 1 / J + n_test / n_train.
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
  return lists.select(evaluation.folds, function(fold) return not fold.failure end)
end

--- The values of a measure in folds; nil if one fold does not define it, or if their mean does not estimate the measure.
local function by_fold(folds, key)
  local numbers, over_folds = {}, accuracy.by_key[key].over_folds
  if over_folds == "never" then return nil end
  for i, fold in ipairs(folds) do
    numbers[i] = fold.errors[key]
    if not numbers[i] or over_folds == "several" and fold.n_test == 1 then return nil end
  end
  return numbers
end

--- The standard error of each measure of an evaluation, over its folds and repeats; absent if a fold does not define it.
---@return table<string, number>
function comparison.errors(evaluation)
  local found, folds = {}, fitted_folds(evaluation)
  for _, measure in ipairs(accuracy.statistics) do
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
---@field to integer              the other evaluation
---@field estimate number         measure of the one minus measure of the other
---@field std_error number
---@field low number              ends of its interval
---@field high number
---@field differs boolean         the interval leaves out 0
---@field is_better boolean       than the other

---@class Comparison               of evaluations on the same rows and folds, all of which have a fit
---@field df integer              degrees of freedom
---@field folds table[]           of the first
---@field draws userdata[]?       of each, the measure in draws of the rows, less its mean over the draws; nil without draws
---@field errors number[]         of each, the measure
---@field by_fold (number[]|false)[]   of each, the measure by fold; false where a fold does not define it
---@field sign integer            -1 if larger is better, else 1
local Comparison = {}
Comparison.__index = Comparison

--- The measures that are means of the sizes of errors, whose draws are quick.
local means_of_sizes = { mae = true, weighted_mae = true }
local max_drawn = 100000 -- rows or groups; more would take minutes

--- The measure of each evaluation in draws of the rows, or of groups of rows, the same draws for all.
local function draws_of(evaluations, options)
  local weights = options.by == "weighted_mae" and options.weights or vector.fill(evaluations[1].n, 1)
  local wholes = over_groups(weights, options.groups)
  if options.draws == 0 or not means_of_sizes[options.by] or #wholes > max_drawn then return nil end
  local list = {}
  for i, one in ipairs(evaluations) do
    local drawn = bootstrap.ratios(over_groups(one.sizes * weights, options.groups), wholes, options.seed, options.draws)
    list[i] = drawn - drawn:sum() / options.draws
  end
  return list
end

---@param evaluations Evaluation[]   with details
---@param options { by: string, weights: userdata?, groups: string[]?, draws: integer, seed: integer }   `by`: a measure
---@return Comparison
function comparison.new(evaluations, options)
  local folds, errors, numbers = evaluations[1].folds, {}, {}
  for i, one in ipairs(evaluations) do
    errors[i], numbers[i] = one.errors[options.by], by_fold(one.folds, options.by) or false
  end
  local rows = options.groups and #select(2, grouping.number(options.groups)) or evaluations[1].n
  return setmetatable({ df = math.min(rows, #folds) - 1, folds = folds, draws = draws_of(evaluations, options), known = {},
    errors = errors, by_fold = numbers, sign = accuracy.by_key[options.by].better == "more" and -1 or 1 }, Comparison)
end

local rounding = 1e-9 -- the relative difference below which errors are the same

--- The difference between two evaluations, in standard errors of Nadeau and Bengio, and how far from 0 it is in draws of the
--- rows, in standard deviations of the draws.
---@return { estimate: number, std_error: number, size: number, drawn: userdata? }?   nil where a fold lacks the measure
function Comparison:pair(i, j)
  local key = i .. " " .. j
  if self.known[key] ~= nil then return self.known[key] or nil end
  local found, one, other = false, self.by_fold[i], self.by_fold[j]
  local differences = one and other and {}
  for fold = 1, differences and #one or 0 do differences[fold] = one[fold] - other[fold] end
  local std_error = differences and comparison.error(differences, self.folds)
  if std_error then
    local estimate = self.errors[i] - self.errors[j]
    local is_same = math.abs(estimate) <= rounding * math.max(math.abs(self.errors[i]), math.abs(self.errors[j]))
    found = { estimate = estimate, std_error = std_error, size = is_same and 0 or math.abs(estimate) / std_error }
    local drawn = self.draws and self.draws[i] - self.draws[j]
    local spread = drawn and not is_same and math.sqrt((drawn * drawn):sum() / #drawn) or 0
    found.drawn = spread > 0 and vector.abs(drawn / spread) or nil
  end
  self.known[key] = found
  return found or nil
end

--- How many standard errors the differences of all pairs stay within, with a probability of 95 %, if no two rules differ: the
--- quantile of the largest of them over draws of the rows, as a quantile of Student's t. Without draws Bonferroni's bound.
---@param pairs table[]   of Comparison:pair
local function reach(self, pairs)
  local largest
  for _, pair in ipairs(pairs) do
    largest = largest and pair.drawn and vector.max(largest, pair.drawn) or largest or pair.drawn
  end
  if not largest then return intervals.t(1 - 0.05 / #pairs, self.df) end
  return intervals.t(1 - distribution.normal(intervals.quantile(largest:sorted(), 0.95)), self.df)
end

--- The set of rules that may be the best: one that is worse than another is left out, the most obvious first, until no
--- difference is left (model confidence set, by the range test: P. R. Hansen, A. Lunde, J. M. Nason, Econometrica 79, 2011).
--- With a probability of 95 % no rule of the set is left out if all are equal, nor the best.
---@param places integer[]   of evaluations
---@return table<integer, boolean>?   by place; nil where a fold does not define the measure
function Comparison:may_be_best(places)
  local left = lists.copy(places)
  while #left > 1 do
    local pairs, furthest = {}, nil
    for a, i in ipairs(left) do
      for b = a + 1, #left do
        local pair = self:pair(i, left[b])
        if not pair then return nil end
        table.insert(pairs, pair)
        if not furthest or pair.size > furthest.size then
          furthest = { size = pair.size, worse = pair.estimate * self.sign > 0 and a or b }
        end
      end
    end
    if furthest.size <= reach(self, pairs) then break end
    table.remove(left, furthest.worse)
  end
  return lists.set(left)
end

--- The differences of other evaluations to one, with 95 % intervals that hold together (C. W. Dunnett, Journal of the American
--- Statistical Association 50, 1955, by draws of the rows).
---@param place integer   of the one
---@return table<integer, Difference>   by place; absent where a fold does not define the measure
function Comparison:differences_to(place)
  local pairs, differences = {}, {}
  for i in ipairs(self.errors) do
    pairs[#pairs + 1] = i ~= place and self:pair(i, place) or nil
  end
  local most = #pairs > 0 and reach(self, pairs)
  for i in ipairs(self.errors) do
    local pair = i ~= place and self:pair(i, place)
    if pair then
      differences[i] = { to = place, estimate = pair.estimate, std_error = pair.std_error,
        low = pair.estimate - most * pair.std_error, high = pair.estimate + most * pair.std_error, differs = pair.size > most,
        is_better = pair.estimate * self.sign < 0 }
    end
  end
  return differences
end

--- Names in a sentence; those of fits have commas.
local function named(names)
  local comma = table.concat(names):find ", " and "; " or ", "
  return #names == 1 and names[1] or table.concat(names, comma, 1, #names - 1) .. " and " .. names[#names]
end

--- A sentence about the rules that may be the best.
---@param names string[]   best first
---@param others integer   how many rules are worse
function comparison.best_sentence(names, others)
  if #names == 1 then return ("%s is the best: the others predict worse (at 95 %% confidence)."):format(names[1]) end
  return ("Any of %s may be the best: no difference shown%s."):format(named(names), others == 0 and ""
    or others == 1 and "; the other rule is worse" or ("; the %d other rules are worse"):format(others))
end

--- Sentences about differences to a rule, or to the baseline.
---@param names string[]   of the evaluations with a difference
function comparison.sentences(to, names, differences)
  local groups = { {}, {}, {} }
  for i, name in ipairs(names) do
    local one = differences[i]
    table.insert(groups[not one.differs and 2 or one.is_better and 1 or 3], name)
  end
  local texts = {}
  for i, words in ipairs { "Better than %s: %s.", "No difference to %s shown: %s.", "Worse than %s: %s." } do
    if #groups[i] > 0 then table.insert(texts, words:format(to, named(groups[i]))) end
  end
  return texts
end

--- A difference to a rule, or to the baseline, with its interval and a sentence.
---@param name string   of the evaluation with the difference
---@param difference Difference
function comparison.difference_text(to, name, difference)
  local round = number.rounder { difference.estimate, difference.low, difference.high }
  return ("%s, 95 %% interval %s to %s. %s"):format(round(difference.estimate), round(difference.low), round(difference.high),
    comparison.sentences(to, { name }, { difference })[1])
end

return comparison
