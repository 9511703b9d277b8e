--- Cross-validation: predicting each level by a fit that has not seen it.
local accuracy = require "crux.accuracy"
local errors = require "libcrux.errors"
local fault = require "crux.fault"
local fits = require "crux.fits"
local folds = require "libcrux.folds"
local formula = require "crux.formula"
local number = require "crux.number"

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
---@param seed integer?   shuffles
---@param where string    names the data in messages
---@return userdata       the fold of each row, a list
function crossval.folds(n, count, seed, where)
  if count > n then
    fault.at(where, number.count(n, "complete row"), ("at least one for each of the %d folds"):format(count))
  end
  return folds.new(n, count, seed)
end

--- Errors over all folds.
---@param predictors fun(fold: integer): Kept, number[]   a frame of all rows whose columns times the numbers predict a fold
---@param parts table[]?            gets the sums of libcrux.errors for each fold
local function judge(predictors, assigned, parts)
  local sums <close> = fault.check(errors.new(#assigned))
  for fold = 1, assigned:count() do
    local frame, numbers = predictors(fold)
    for part in frame:blocks() do
      sums:add(part.columns, numbers, part.target, part.weights, assigned, part.first, fold)
    end
    if parts then parts[fold] = sums:part() end
  end
  return accuracy.of(sums:all())
end

--- The coefficients in the order of the terms, 0 for aliased ones.
local function in_order(refitted, coefficients)
  local list = {}
  for i, term in ipairs(refitted.terms) do list[i] = coefficients[term.name] or 0 end
  return list
end

--- What predicts the rows of a fold by the fit that has not seen them: a frame and numbers as judge wants them.
local function predictors_of(frame, fitted, where)
  return function(fold)
    local model = fitted[fold]
    local is_linear = not (model.method.fit.predict or model.formula.is_transformed or #model.formula.offsets > 0)
    if is_linear then return frame, in_order(model.formula, model.coefficients) end
    return frame:with(function(part)
      local predictions = fits.predict(model, part.columns, part.rows, part.offset)
      local row = predictions:first_nonfinite()
      if row then
        fault.at(("%s, fold %d"):format(where, fold), fault.show(predictions[row]), "predictions that are numbers")
      end
      return { predictions }
    end), { 1 }
  end
end

---@class Evaluation
---@field n integer
---@field folds table[]            a row a fold: fold, n_train, n_test, coefficients, baseline and the errors
---@field errors table             over all levels
---@field baseline table           errors of the mean baseline over all levels
---@field predictions fun(): number[]   of all levels, each by the fit that has not seen it

local mean = formula.parse "~ 1"

--- Cross-validates a formula, or judges the ratings of a frame as they are. What poly and factor have learned is that of all
--- rows (design.lua): polynomials span the same columns whatever rows they were learned of, so that predictions are the same,
--- and a value of a factor that no training row has is aliased in that fold, where R refuses to predict.
---@param refitted Formula?        refitted for every fold; nil: frame.ratings are the predictions
---@param frame Kept               of design:keep()
---@param assigned userdata        of crossval.folds
---@param options { method: Method?, tolerance: number?, where: string, scale: number[]?, unconverged: boolean? }
---@return Evaluation
function crossval.evaluate(refitted, frame, assigned, options)
  local self = { n = frame.rows, folds = {} }
  local function problem(model, frames)
    return setmetatable({ formula = model, frames = frames }, { __index = options })
  end
  local fitted = refitted and (options.method or fits.default()):solve_folds(problem(refitted, frame), assigned)
  local predictors
  if fitted then
    predictors = predictors_of(frame, fitted, options.where)
  else
    local rated = frame:with(function(part) return { part.ratings } end)
    predictors = function() return rated, { 1 } end
  end
  local means = frame:with(function(part) return mean:columns({}, part.rows), part.target end)
  local baselines = fits.default():solve_folds(problem(mean, means), assigned)
  local parts = {}
  self.errors = judge(predictors, assigned, parts)
  for fold, part in ipairs(parts) do
    self.folds[fold] = { fold = fold, n_train = self.n - part.n, n_test = part.n, errors = accuracy.of(part),
      baseline = in_order(mean, baselines[fold].coefficients)[1], coefficients = fitted and fitted[fold].coefficients }
  end
  self.baseline = judge(predictors_of(means, baselines, options.where), assigned)
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

return crossval
