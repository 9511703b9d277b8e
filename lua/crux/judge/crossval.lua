--- Cross-validation: predicting each level by a fit that has not seen it.
local accuracy = require "crux.stats.accuracy"
local errors = require "libcrux.errors"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local folds = require "libcrux.folds"
local formula = require "crux.formula.formula"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local crossval = {}

--- The numbers from 1 to n in an order that the seed decides.
---@return integer[]
function crossval.shuffled(n, seed)
  local order = {}
  for i = 1, n do order[i] = i end
  math.randomseed(seed, 0)
  for i = n, 2, -1 do
    local j = math.random(i)
    order[i], order[j] = order[j], order[i]
  end
  return order
end

--- Assigns n rows to folds: contiguous as in Mutser (2014), section 6.1 (row i from 0 is in fold 1 + floor(i K / n)), or
--- the same in random order.
---@param n integer
---@param count integer
---@param seed integer?     shuffles
---@param where string      names the data in messages
---@param stream integer?   another order of the same seed for each
---@return userdata         the fold of each row, a list
function crossval.folds(n, count, seed, where, stream)
  if count > n then
    fault.at(where, number.count(n, "complete row"), ("at least one for each of the %d folds"):format(count))
  end
  return folds.new(n, count, seed, stream)
end

--- Numbers the groups of rows in the order of their first rows.
---@param names string[]   the group of each row
---@return userdata        the number of each row's group
---@return integer         how many groups there are
function crossval.groups(names)
  local numbers, count, rows = {}, 0, {}
  for row, name in ipairs(names) do
    if not numbers[name] then
      count = count + 1
      numbers[name] = count
    end
    rows[row] = numbers[name]
  end
  return vector.of(rows), count
end

---@class Partition
---@field folds integer?      how many; nil: every row, or every group, is a fold
---@field repeats integer     how many times the rows are assigned anew
---@field seed integer?       shuffles
---@field groups string[]?    the group of each row: rows of a group are in the same fold
---@field group string?       what the groups are called

--- Assigns rows to folds as often as asked.
---@param n integer
---@param partition Partition
---@param where string   names the data in messages
---@return userdata[]    the fold of each row, for each time
function crossval.assignments(n, partition, where)
  local list, groups, count = {}, nil, n
  if partition.groups then
    groups, count = crossval.groups(partition.groups)
    local least = partition.folds or 2
    if count < least then
      fault.at(("%s: column '%s'"):format(where, partition.group), number.count(count, "group"),
        ("at least %d, as no group is divided between folds"):format(least))
    end
  elseif not partition.folds and n < 2 then
    fault.at(where, number.count(n, "complete row"), "at least 2, to leave one out")
  end
  for i = 1, partition.repeats do
    local assigned = crossval.folds(count, partition.folds or count, partition.seed, where, i - 1)
    list[i] = groups and folds.spread(groups, assigned) or assigned
  end
  return list
end

--- Errors over all folds.
---@param predictors fun(fold: integer): Kept, number[], number?   a frame of all rows whose columns times the numbers predict
---                                 a fold; and the deviation of values of weight 1 around predictions, if it is known
---@param has_details boolean?      ranks, too, and the third result
---@return table                    the errors
---@return table[]                  the sums of libcrux.errors for each fold
---@return userdata?                the size of the error of each row
local function judge(predictors, assigned, has_details)
  local sums <close> = fault.check(errors.new(#assigned, has_details))
  local parts = {}
  for fold = 1, assigned:count() do
    local frame, numbers, sigma = predictors(fold)
    for part in frame:blocks() do
      sums:add(part.columns, numbers, part.target, part.weights, assigned, part.first, fold, sigma)
    end
    parts[fold] = fault.check(sums:part())
  end
  return accuracy.of(fault.check(sums:all())), parts, has_details and sums:sizes() or nil
end

--- The coefficients in the order of the terms, 0 for aliased ones.
local function in_order(refitted, coefficients)
  local list = {}
  for i, term in ipairs(refitted.terms) do list[i] = coefficients[term.name] or 0 end
  return list
end

--- The predictions of all rows, each by the fit that has not seen it, as a frame with one column.
local function predicted(frame, fitted, assigned, where)
  local list = {}
  for fold, model in ipairs(fitted) do
    local rows = assigned:rows(fold)
    local part = frame:select(rows)
    local predictions = fits.predict(model, part.columns, part.rows, part.offset)
    local row = predictions:first_nonfinite()
    if row then
      fault.at(("%s, fold %d"):format(where, fold), fault.show(predictions[row]), "predictions that are numbers")
    end
    for i = 1, #rows do list[rows[i] // 1 | 0] = predictions[i] end
  end
  return frame:merged { vector.of(list) }
end

--- What predicts the rows of a fold by the fit that has not seen them: a frame and numbers as judge wants them.
local function predictors_of(frame, fitted, assigned, where)
  local model = fitted[1]
  if model.method.fit.predict or model.formula.is_transformed or #model.formula.offsets > 0 then
    local all = predicted(frame, fitted, assigned, where)
    return function() return all, { 1 } end
  end
  return function(fold) return frame, in_order(fitted[fold].formula, fitted[fold].coefficients), fitted[fold].sigma end
end

---@class Evaluation
---@field n integer
---@field folds table[]            a row a fold: fold, n_train, n_test, coefficients, baseline and the errors; of repeats, time
---@field errors table             over all levels; of repeats, the mean over the times
---@field baseline table?          errors of the mean baseline over all levels
---@field times table[]?           errors of each time, of repeats
---@field predictions fun(): number[]   of all levels, each by the fit that has not seen it
---@field sizes userdata?          of each level's error; of repeats, the mean over the times

--- Refuses values of factors of which a fold has all rows: its fit has learned nothing of them, as where R's predict refuses.
local function check_factors(refitted, frame, assigned, where)
  for _, places in pairs(refitted:lone_factors()) do
    local fold_of = {} -- by the place of its column, 0 for the value without one; false for several
    for row = 1, frame.rows do
      local value, fold = 0, assigned[row]
      for _, i in ipairs(places) do value = frame.columns[i][row] ~= 0 and i or value end
      fold_of[value] = (fold_of[value] == nil or fold_of[value] == fold) and fold
    end
    for value, fold in pairs(fold_of) do
      if fold then
        local name = ("'%s'"):format(refitted.terms[value > 0 and value or places[1]].name)
        fault.at(("%s, all but fold %d"):format(where, fold), "no row of " .. (value > 0 and "" or "the value before ") .. name,
          "one to learn from: other folds (--seed N), or no rows of rare values")
      end
    end
  end
end

local mean = formula.parse "~ 1"

--- The frame and formula of the baseline that predicts the weighted mean of the training rows.
---@return Formula, Kept
function crossval.baseline(frame)
  return mean, frame:with(function(part) return mean:columns({}, part.rows), part.target end)
end

--- Cross-validates a formula, or judges the ratings of a frame as they are. What poly and factor have learned is that of all
--- rows (design.lua): polynomials span the same columns whatever rows they were learned of, so that predictions are the same.
---@param refitted Formula?        refitted for every fold; nil: frame.ratings are the predictions
---@param frame Kept               of design:keep()
---@param assigned userdata        of crossval.folds
---@param options { method: Method?, tolerance: number?, where: string, scale: number[]?, unconverged: boolean?,
--- details: boolean?, alone: boolean? }   with `details` come ranks and the sizes of errors; `alone`: without the baseline
---@return Evaluation
function crossval.evaluate(refitted, frame, assigned, options)
  local self = { n = frame.rows, folds = {} }
  local function problem(model, frames)
    return setmetatable({ formula = model, frames = frames }, { __index = options })
  end
  if refitted and #refitted.based > 0 then check_factors(refitted, frame, assigned, options.where) end
  local fitted = refitted and (options.method or fits.default()):solve_folds(problem(refitted, frame), assigned)
  local predictors
  if fitted then
    predictors = predictors_of(frame, fitted, assigned, options.where)
  else
    local rated = frame:with(function(part) return { part.ratings } end)
    predictors = function() return rated, { 1 } end
  end
  local parts
  self.errors, parts, self.sizes = judge(predictors, assigned, options.details)
  for fold, part in ipairs(parts) do
    self.folds[fold] = { fold = fold, n_train = self.n - part.n, n_test = part.n, errors = accuracy.of(part),
      coefficients = fitted and fitted[fold].coefficients }
  end
  if not options.alone then
    local _, means = crossval.baseline(frame)
    local baselines = fits.default():solve_folds(problem(mean, means), assigned)
    for fold, row in ipairs(self.folds) do row.baseline = baselines[fold].coefficients[mean.terms[1].name] end
    self.baseline = judge(predictors_of(means, baselines, assigned, options.where), assigned, options.details)
  end
  function self.predictions()
    local list = {}
    for fold = 1, assigned:count() do
      local all, numbers = predictors(fold)
      for row = 1, self.n do
        if assigned[row] == fold then
          list[row] = 0
          for i, coefficient in ipairs(numbers) do list[row] = list[row] + coefficient * all.columns[i][row] end
        end
      end
    end
    return list
  end
  return self
end

--- The mean of each measure, absent where one lacks it.
local function mean_errors(list)
  local means = {}
  for _, measure in ipairs(accuracy.measures) do
    local sum = 0
    for _, row in ipairs(list) do sum = sum and row[measure.key] and sum + row[measure.key] end
    means[measure.key] = sum and sum / #list
  end
  return means
end

--- Cross-validates as often as rows are assigned to folds: one evaluation of them all, whose folds are those of each time.
---@param assignments userdata[]   of crossval.assignments
---@param evaluate function?       does each time what crossval.evaluate does
---@return Evaluation
function crossval.repeated(refitted, frame, assignments, options, evaluate)
  evaluate = evaluate or crossval.evaluate
  if #assignments == 1 then return evaluate(refitted, frame, assignments[1], options) end
  local self, errors_of, baselines = { n = frame.rows, folds = {} }, {}, {}
  for time, assigned in ipairs(assignments) do
    local one = evaluate(refitted, frame, assigned, options)
    errors_of[time], baselines[time] = one.errors, one.baseline
    self.sizes = self.sizes and self.sizes + one.sizes or one.sizes
    for _, fold in ipairs(one.folds) do
      fold.time = time
      table.insert(self.folds, fold)
    end
  end
  self.times = errors_of
  self.errors, self.baseline = mean_errors(errors_of), baselines[1] and mean_errors(baselines)
  self.sizes = self.sizes and self.sizes / #assignments
  return self
end

return crossval
