--- Cross-validation: predicting each level by a fit that has not seen it.
local accuracy = require "crux.accuracy"
local fault = require "crux.fault"
local fit = require "crux.fit"
local number = require "crux.number"
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
--- the same after a shuffle of the rows.
---@param n integer
---@param count integer
---@param seed integer?   shuffles
---@param where string    names the data in messages
---@return integer[]      the fold of each row
function crossval.folds(n, count, seed, where)
  if count > n then fault.at(where, number.count(n, "complete row"), ("at least one for each of the %d folds"):format(count)) end
  local order, folds = seed and crossval.shuffled(n, seed), {}
  for i = 1, n do folds[order and order[i] or i] = 1 + (i - 1) * count // n end
  return folds
end

--- The weighted mean of the response: the baseline that a rule must beat.
local function mean(frame, rows)
  local sum, weight = 0, 0
  for _, row in ipairs(rows) do
    local w = frame.weights and frame.weights[row] or 1
    sum, weight = sum + w * frame.response[row], weight + w
  end
  return sum / weight
end

--- Sets predictions[row] for the rows of a frame by the coefficients.
function crossval.predict(formula, coefficients, frame, rows, predictions)
  for _, row in ipairs(rows) do
    local sum = 0
    for i, term in ipairs(formula.terms) do sum = sum + (coefficients[term.name] or 0) * frame.columns[i][row] end
    predictions[row] = sum
  end
end

---@class Evaluation
---@field n integer
---@field folds table[]            a row a fold: fold, n_train, n_test, coefficients, baseline and the errors
---@field errors table             over all levels
---@field baseline table           errors of the mean baseline over all levels
---@field predictions number[]
---@field baselines number[]

--- Cross-validates a formula, or judges the ratings of a frame as they are.
---@param formula Formula?         refitted for every fold; nil: frame.ratings are the predictions
---@param frame table              of design:keep()
---@param folds integer[]          of crossval.folds
---@param options { tolerance: number?, where: string }
---@return Evaluation
function crossval.evaluate(formula, frame, folds, options)
  local count, all = 0, {}
  for row, fold in ipairs(folds) do
    count = math.max(count, fold)
    all[row] = row
  end
  local self = { n = frame.rows, folds = {}, predictions = {}, baselines = {} }
  for fold = 1, count do
    local train, test = {}, {}
    for row, other in ipairs(folds) do table.insert(other == fold and test or train, row) end
    local report = { fold = fold, n_train = #train, n_test = #test }
    local baseline = mean(frame, train)
    for _, row in ipairs(test) do self.baselines[row] = baseline end
    if formula then
      local fitted = fit.least_squares(formula, frame:select(vector.of(train)), { tolerance = options.tolerance,
        where = ("%s, all but fold %d"):format(options.where, fold) })
      crossval.predict(formula, fitted.coefficients, frame, test, self.predictions)
      report.coefficients = fitted.coefficients
    else
      for _, row in ipairs(test) do self.predictions[row] = frame.ratings[row] end
    end
    report.errors = accuracy.of(self.predictions, frame.response, frame.weights, test)
    self.folds[fold] = report
  end
  self.errors = accuracy.of(self.predictions, frame.response, frame.weights, all)
  self.baseline = accuracy.of(self.baselines, frame.response, frame.weights, all)
  return self
end

return crossval
