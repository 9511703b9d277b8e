--- Cross-validation: predicting each level by a fit that has not seen it.
local accuracy = require "crux.accuracy"
local errors = require "libcrux.errors"
local fault = require "crux.fault"
local fit = require "crux.fit"
local folds = require "libcrux.folds"
local formula = require "crux.formula"
local number = require "crux.number"
local ols = require "libcrux.ols"

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

--- For each fold, an object of libcrux.ols that has taken in the rows of all others: each row is multiplied once, and
--- sums are only added, those of the folds before it to those of the folds behind.
local function training(refitted, frame, assigned)
  local count = assigned:count()
  local function new() return fault.check(ols.new(#refitted.terms)) end
  local inside, outside = {}, {}
  for fold = 1, count do inside[fold], outside[fold] = new(), new() end
  for part in frame:blocks() do
    ols.distribute(inside, part.columns, part.response, part.weights, assigned, part.first)
  end
  for _, order in ipairs { { 1, count, 1 }, { count, 1, -1 } } do
    local passed <close> = new()
    for fold = order[1], order[2], order[3] do
      outside[fold]:merge(passed)
      passed:merge(inside[fold])
    end
  end
  return outside
end

--- Fits a formula to all but one fold, for each fold.
---@return table<string, number>[]   coefficients by term
local function refit(refitted, frame, assigned, options)
  local coefficients = {}
  for fold, solver in ipairs(training(refitted, frame, assigned)) do
    local function pass() return frame:select(assigned:others(fold)):blocks() end
    coefficients[fold] = fit.solve(refitted, solver, pass, { tolerance = options.tolerance,
      where = ("%s, all but fold %d"):format(options.where, fold) }).coefficients
  end
  return coefficients
end

--- Errors of columns times coefficients over all folds.
---@param frame Kept
---@param coefficients number[][]   for each fold
---@param parts table[]?            gets the sums of libcrux.errors for each fold
local function judge(frame, coefficients, assigned, parts)
  local sums <close> = fault.check(errors.new(frame.rows))
  for fold, numbers in ipairs(coefficients) do
    for part in frame:blocks() do
      sums:add(part.columns, numbers, part.response, part.weights, assigned, part.first, fold)
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

---@class Evaluation
---@field n integer
---@field folds table[]            a row a fold: fold, n_train, n_test, coefficients, baseline and the errors
---@field errors table             over all levels
---@field baseline table           errors of the mean baseline over all levels
---@field predictions fun(): number[]   of all levels, each by the fit that has not seen it

local mean = formula.parse "~ 1"

--- Cross-validates a formula, or judges the ratings of a frame as they are.
---@param refitted Formula?        refitted for every fold; nil: frame.ratings are the predictions
---@param frame Kept               of design:keep()
---@param assigned userdata        of crossval.folds
---@param options { tolerance: number?, where: string }
---@return Evaluation
function crossval.evaluate(refitted, frame, assigned, options)
  local self = { n = frame.rows, folds = {} }
  local means = frame:with(function(part) return mean:columns({}, part.rows) end)
  local predictors = refitted and frame or frame:with(function(part) return { part.ratings } end)
  local fits = refitted and refit(refitted, frame, assigned, options)
  local baselines, numbers, averages = refit(mean, means, assigned, options), {}, {}
  for fold, baseline in ipairs(baselines) do
    averages[fold] = in_order(mean, baseline)
    numbers[fold] = fits and in_order(refitted, fits[fold]) or { 1 }
  end
  local parts = {}
  self.errors = judge(predictors, numbers, assigned, parts)
  for fold, part in ipairs(parts) do
    self.folds[fold] = { fold = fold, n_train = self.n - part.n, n_test = part.n, errors = accuracy.of(part),
      baseline = averages[fold][1], coefficients = fits and fits[fold] }
  end
  self.baseline = judge(means, averages, assigned)
  function self.predictions()
    local list = {}
    for row = 1, self.n do
      local sum = 0
      for i, coefficient in ipairs(numbers[assigned[row]]) do sum = sum + coefficient * predictors.columns[i][row] end
      list[row] = sum
    end
    return list
  end
  return self
end

return crossval
