--- Cross-validation: predicts each level by a fit that has not seen it.
local accuracy = require "crux.stats.accuracy"
local errors = require "libcrux.errors"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local folds = require "libcrux.folds"
local formula = require "crux.formula.formula"
local grouping = require "crux.stats.grouping"
local number = require "crux.base.number"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local crossval = {}

--- The numbers from 1 to n in a random order.
function crossval.shuffled(n, seed)
  local order = {}
  for i = 1, n do order[i] = i end
  return random.new(seed):shuffle(order)
end

--- Assigns n rows to folds: contiguous as in Mutser (2014), section 6.1 (row i, counted from 0, is in fold
--- 1 + floor(i K / n)), or the same folds of shuffled rows.
---@param seed integer?     shuffles
---@param where string      names the data in messages
---@param stream integer?   each gives another order of the same seed
---@return userdata         list of the fold of each row
function crossval.folds(n, count, seed, where, stream)
  if count > n then
    fault.at(where, number.count(n, "complete row"), ("at least one for each of the %d folds"):format(count))
  end
  return folds.new(n, count, seed, stream)
end

--- The ways to assign rows to folds.
crossval.ways = { "random", "order" }

---@class Partition
---@field folds integer?      their number; nil: every row, or every group, is a fold
---@field repeats integer?    number of assignments: 10 of random folds, else 1
---@field by string?          of crossval.ways; "random" unless given
---@field seed integer?       of random folds; 1 unless given
---@field groups string[]?    the group of each row: rows of a group are in the same fold
---@field group string?       the column of the groups

--- Assigns rows to folds, once for each repeat. An assignment is made when it is asked for: of a million rows it takes 8 MB.
---@param where string   names the data in messages
---@return userdata[]    the fold of each row, for each repeat
function crossval.assignments(n, partition, where)
  local groups, count, is_random = nil, n, partition.folds and partition.by ~= "order"
  if partition.groups then
    local names
    groups, names = grouping.number(partition.groups)
    count = #names
    local least = partition.folds or 2
    if count < least then
      fault.at(("%s: column '%s'"):format(where, partition.group), number.count(count, "group"),
        ("at least %d, as no group is divided between folds"):format(least))
    end
  elseif not partition.folds and n < 2 then
    fault.at(where, number.count(n, "complete row"), "at least 2, to leave one out")
  end
  local times, seed = partition.repeats or is_random and 10 or 1, is_random and (partition.seed or 1) or nil
  local function assignment(_, i)
    if i > times then return nil end
    local assigned = crossval.folds(count, partition.folds or count, seed, where, i - 1)
    return groups and folds.spread(groups, assigned) or assigned
  end
  return setmetatable({ assignment(nil, 1) }, { __index = assignment, __len = function() return times end })
end

--- The folds in words.
---@param group string?   the column of the groups
function crossval.folds_text(assignments, group)
  return ("%d folds%s%s"):format(assignments[1]:count(), #assignments > 1 and (", %d times"):format(#assignments) or "",
    group and (", groups of %s kept whole"):format(group) or "")
end

--- The sums of errors of libcrux.errors for all rows of a frame, to which nothing is added yet.
---@param options { details: boolean?, predictions: boolean? }
local function sums_of(frame, assigned, options)
  return fault.check(errors.new(frame.rows, assigned:count(), options.details, options.predictions))
end

--- Errors over all folds.
---@param sums userdata             of libcrux.errors, for all rows
---@param predictors fun(fold: integer): StoredFrame?, number[], (number|userdata)?   a frame of all rows, nil for a fold that
---                                 is not predicted; the coefficients by which its columns predict the fold; and, if known,
---                                 the standard deviation of values of weight 1 around predictions, or the logarithms of the
---                                 densities of the values
---@param sign number?              of accuracy.of
---@param advance fun()?            is called after each fold
---@return table                    the errors
---@return table<integer, table>    the sums of libcrux.errors for each predicted fold
local function judge(sums, predictors, assigned, sign, advance)
  local is_predicted, parts = {}, {}
  for fold = 1, assigned:count() do
    local frame, numbers, density = predictors(fold)
    for part in frame and frame:blocks() or function() end do
      sums:add(part.columns, numbers, part.target, part.weights, assigned, part.first, fold, density)
    end
    is_predicted[fold] = frame ~= nil
    sums:part()
    if advance then advance() end
  end
  local all, list = fault.check(sums:sums())
  for fold, part in ipairs(list) do parts[fold] = is_predicted[fold] and part or nil end
  return accuracy.of(all, sign), parts
end

--- The coefficients in the order of the terms, 0 for aliased ones.
local function in_order(refitted, coefficients)
  local list = {}
  for i, term in ipairs(refitted.terms) do list[i] = coefficients[term.name] or 0 end
  return list
end

--- The logarithms of the densities of targets, by a fit whose errors are normal on the scale of the left side.
---@param model Fitted   with sigma
---@param part StoredFrame
function crossval.log_densities(model, part)
  local scaled = (part.response - model.formula:combine(part.columns, model.coefficients, part.rows)) / model.sigma
  local weights = part.weights or vector.fill(part.rows, 1)
  return (vector.log(weights / (2 * math.pi)) - weights * scaled ^ 2) / 2 - math.log(model.sigma)
    + model.formula:log_slope(part.target)
end

---@class Predicted
---@field frame StoredFrame   its one column: the predictions of all rows, each by the fit that has not seen it
---@field densities userdata  logarithms of the densities of the targets; NaN without details, and without a distribution
---@field unseen table<integer, integer>   by fold: the number of rows with a value of a factor that its fit has not seen

---@return Predicted
local function predicted(frame, fitted, assigned, where, has_details)
  local list, densities, unseen = {}, {}, {}
  for row = 1, frame.rows do list[row], densities[row] = 0, 0 / 0 end
  for fold, model in pairs(fitted) do
    local rows = assigned:rows(fold)
    local predictions, count, part = model.method:predict_rows(model, frame:select(rows))
    local wrong = predictions:first_nonfinite()
    if wrong then
      fault.at(("%s, fold %d"):format(where, fold), fault.show(predictions[wrong]), "predictions that are numbers")
    end
    local densities_of = model.sigma and crossval.log_densities or model.method.fit.log_densities
    local logs = has_details and densities_of and densities_of(model, part)
    for i = 1, #rows do
      local row = rows[i] // 1 | 0
      list[row], densities[row] = predictions[i], logs and logs[i] or 0 / 0
    end
    unseen[fold] = count
  end
  return { frame = frame:merged { vector.of(list) }, densities = vector.of(densities), unseen = unseen }
end

--- The predictors of folds, as judge takes them, by the fits that have not seen them.
---@return function
---@return table<integer, integer>   by fold: the number of rows that the mean predicts
local function predictors_of(frame, fitted, assigned, where, has_details)
  local _, model = next(fitted)
  if not model then return function() end, {} end
  if model.mean or model.method.fit.predict or model.formula.is_transformed or #model.formula.offsets > 0 then
    local all = predicted(frame, fitted, assigned, where, has_details)
    return function(fold)
      if fitted[fold] then return all.frame, { 1 }, all.densities end
    end, all.unseen
  end
  return function(fold)
    local one = fitted[fold]
    if one then return frame, in_order(one.formula, one.coefficients), one.sigma end
  end, {}
end

---@class Evaluation
---@field n integer
---@field folds table[]            a row a fold: fold, n_train, n_test, coefficients, baseline, errors; with details
---                                `baseline_errors`, those of the baseline; `unseen`, the number of rows with a value of a
---                                factor that its fit has not seen, which the mean of the rows that it has seen predicts;
---                                `failure`, why there is no fit; with repeats, time
---@field errors table             over all levels but those of folds without a fit, empty without any fit; means over repeats
---@field baseline table?          errors of the mean baseline over all levels
---@field times table[]?           errors of each repeat
---@field predictions userdata?   of all levels, each by the fit that has not seen it, 0 without any; of crossval.repeated,
---                                the mean over the repeats with one, NaN without any
---@field classes number[][]?      of a fit with categories, for each repeat: the category of each level by the fit that has
---                                not seen it, NaN without any
---@field sizes userdata?          size of each level's error, 0 for levels without a prediction; of crossval.repeated, the
---                                mean over the repeats with a prediction, NaN without any

local mean = formula.parse "~ 1"

--- The formula and frame of the baseline, which predicts the weighted mean of the training rows.
---@return Formula, StoredFrame
function crossval.baseline(frame)
  return mean, frame:with(function(part) return mean:columns({}, part.rows), part.target end)
end

--- Counts the folds of an evaluation without a fit, and the rows with a value of a factor that their fit has not seen.
---@return integer failed
---@return integer unseen
function crossval.gaps(evaluation)
  local failed, unseen = 0, 0
  for _, fold in ipairs(evaluation.folds) do
    failed, unseen = failed + (fold.failure and 1 or 0), unseen + (fold.unseen or 0)
  end
  return failed, unseen
end

--- The categories of all rows, each by the fit that has not seen it; NaN without a fit.
local function classes_of(frame, fitted, assigned)
  local classes = {}
  for row = 1, frame.rows do classes[row] = 0 / 0 end
  for fold, model in pairs(fitted) do
    local rows = assigned:rows(fold)
    local found = model.method:classes(model, frame:select(rows))
    for i = 1, #rows do classes[rows[i] // 1 | 0] = found[i] end
  end
  return classes
end

--- Cross-validates a formula, or judges the ratings of a frame.
---@param refitted Formula?        refitted for every fold; nil: frame.ratings are the predictions
---@param frame StoredFrame        of design:keep()
---@param assigned userdata        of crossval.folds
---@param options { method: Method?, tolerance: number?, where: string, scale: number[]?, unconverged: boolean?,
--- details: boolean?, predictions: boolean?, alone: boolean?, skips: boolean?, is_opposed: boolean?, sums: userdata? }
---                                `details` adds ranks and the sizes of errors; `predictions` adds these; `alone` leaves out
---                                the baseline; `skips` leaves out folds that cannot be fitted, and keeps their faults;
---                                `is_opposed`: greater ratings of the frame go with smaller targets; `sums`: of sums_of,
---                                kept for several evaluations, so that it sorts the targets once
---@return Evaluation
function crossval.evaluate(refitted, frame, assigned, options)
  local evaluation, method = { n = frame.rows, folds = {} }, options.method or fits.default()
  local function problem(model, frames, failures)
    return setmetatable({ formula = model, frames = frames, failures = failures }, { __index = options })
  end
  local failures, unseen = {}, {}
  local fitted, predictors
  if refitted then
    fitted = method:solve_folds(problem(refitted, frame, options.skips and failures), assigned)
    predictors, unseen = predictors_of(frame, fitted, assigned, options.where, options.details)
    evaluation.classes = method.fit.classes and { classes_of(frame, fitted, assigned) }
  else
    local rated = frame:with(function(part) return { part.ratings } end)
    predictors = function() return rated, { 1 } end
  end
  local own <close> = not options.sums and sums_of(frame, assigned, options) or nil
  local sums = options.sums or own
  local sign = not refitted and options.is_opposed and -1 or 1
  local parts
  evaluation.errors, parts = judge(sums, predictors, assigned, sign, options.advance)
  evaluation.sizes = options.details and sums:sizes() or nil
  evaluation.predictions = options.predictions and sums:predictions() or nil
  if not next(parts) then
    evaluation.errors = {}
  elseif not (number.is_finite(evaluation.errors.mae) and number.is_finite(evaluation.errors.weighted_mae)) then
    fault.at(options.where, "errors too large to add up", "others")
  end
  for fold = 1, assigned:count() do
    local part, count, failure = parts[fold], #assigned:rows(fold), failures[fold]
    evaluation.folds[fold] = { fold = fold, n_train = evaluation.n - count, n_test = count,
      errors = part and accuracy.of(part, sign) or {}, unseen = unseen[fold], failure = failure and failure.message,
      coefficients = fitted and fitted[fold] and fitted[fold].coefficients }
  end
  if not options.alone then
    local _, means = crossval.baseline(frame)
    local baselines = fits.default():solve_folds(problem(mean, means), assigned)
    for fold, row in ipairs(evaluation.folds) do
      row.baseline = baselines[fold].coefficients[mean.terms[1].name]
      if fitted and fitted[fold] and not fitted[fold].sigma and method.fit.log_densities then
        baselines[fold].sigma = nil -- a normal density is no probability of an outcome
      end
    end
    local predictors_of_means = predictors_of(means, baselines, assigned, options.where)
    evaluation.baseline, parts = judge(sums, predictors_of_means, assigned, nil, options.advance)
    for fold, row in ipairs(options.details and evaluation.folds or {}) do row.baseline_errors = accuracy.of(parts[fold]) end
  end
  return evaluation
end

--- The mean of each measure over lists of errors; absent if one list lacks it.
---@param list table[]   errors
---@return table<string, number>
function crossval.mean_errors(list)
  local means = {}
  for _, statistic in ipairs(accuracy.statistics) do
    local sum = 0
    for _, row in ipairs(list) do sum = sum and row[statistic.key] and sum + row[statistic.key] end
    means[statistic.key] = #list > 0 and sum and sum / #list or nil
  end
  return means
end

--- Adds, by row, how often a row was in a fold without a fit.
---@param missing table<integer, integer>
local function count_missing(missing, evaluation, assigned)
  for _, fold in ipairs(evaluation.folds) do
    local rows = fold.failure and assigned:rows(fold.fold) or {}
    for i = 1, #rows do
      local row = rows[i] // 1 | 0
      missing[row] = (missing[row] or 0) + 1
    end
  end
end

--- The means of numbers of rows, from their sum over the repeats in which a row was not missing.
local function mean_of_repeats(sum, times, missing)
  if not sum or not next(missing) then return sum and sum / times end
  local means = {}
  for row = 1, #sum do means[row] = sum[row] / (times - (missing[row] or 0)) end
  return vector.of(means)
end

--- A sum of vectors, either of which may be absent.
local function plus(sum, values) return sum and values and sum + values or sum or values end

--- Cross-validates once for each assignment of rows to folds. Returns one evaluation, with the folds of all.
---@param assignments userdata[]   of crossval.assignments
---@param evaluate function?       crossval.evaluate unless given
function crossval.repeated(refitted, frame, assignments, options, evaluate)
  local evaluation, times, baselines, classes, missing = { n = frame.rows, folds = {} }, {}, {}, {}, {}
  local one, sizes, predictions
  local sums <close> = not evaluate and sums_of(frame, assignments[1], options) or nil
  options = setmetatable({ sums = sums }, { __index = options })
  for time, assigned in ipairs(assignments) do
    one = (evaluate or crossval.evaluate)(refitted, frame, assigned, options)
    if one.errors.mae then table.insert(times, one.errors) end
    baselines[time] = one.baseline
    sizes, predictions = plus(sizes, one.sizes), plus(predictions, one.predictions)
    count_missing(missing, one, assigned)
    if frame.rows > 100000 then collectgarbage() end -- the folds, 8 bytes a row, would pile up
    if one.classes then table.insert(classes, one.classes[1]) end
    for _, fold in ipairs(one.folds) do
      fold.time = #assignments > 1 and time or nil
      table.insert(evaluation.folds, fold)
    end
  end
  if #assignments == 1 then
    evaluation = one
  else
    evaluation.times, evaluation.classes = times, classes[1] and classes or nil
    evaluation.errors, evaluation.baseline = crossval.mean_errors(times), baselines[1] and crossval.mean_errors(baselines)
  end
  evaluation.sizes = mean_of_repeats(sizes, #assignments, missing)
  evaluation.predictions = mean_of_repeats(predictions, #assignments, missing)
  return evaluation
end

return crossval
