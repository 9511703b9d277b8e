--- What the fits share whose coefficients are held back, by a penalty (ridge, lasso, elastic-net) or by bounds (nnls,
--- bounded): all are solved from sums of products of the rows, those of folds from sums of sums.
local fault = require "crux.base.fault"
local folds = require "libcrux.folds"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local penalised_type = require "libcrux.penalised"

local penalised = {}

---@class Held: Fitted
---@field r_squared number   share of the weighted squares of the response that is explained; NaN when there are none

--- The frames with a column of ones before those that have coefficients to hold back, and how many columns that makes.
local function with_ones(problem, free_intercept)
  if free_intercept then return problem.frames, #problem.formula.terms end
  return problem.frames:with(function(frame)
    return { problem.formula:constant(frame.rows, 1), table.unpack(frame.columns) }, frame.response
  end), #problem.formula.terms + 1
end

--- The result of a solution.
---@param problem Problem
---@param free_intercept boolean
---@param solution userdata   vector of the intercept, 0 if none is free, and the other coefficients
---@param found table         objective, rss, tss, rounds: of libcrux.penalised
---@return Held
function penalised.result(problem, free_intercept, solution, found)
  local self = { formula = problem.formula, terms = {}, coefficients = {}, aliased = {}, n = problem.frames.rows,
    converged = found.rounds ~= nil, iterations = found.rounds,
    trouble = not found.rounds and "coefficients that still change" or nil,
    r_squared = found.tss > 0 and 1 - found.rss / found.tss or 0 / 0 }
  for i, term in ipairs(problem.formula.terms) do
    local estimate = solution[free_intercept and i or i + 1]
    if not number.is_finite(estimate) then
      fault.at(("%s: term '%s'"):format(problem.where, term.name), "numbers too large or too small to fit", "others")
    end
    self.terms[i] = { term = term.name, estimate = estimate }
    self.coefficients[term.name] = estimate
  end
  return self
end

--- The lines below the table of terms.
---@param fitted Held
---@return string[]
function penalised.notes(fitted)
  local share = fitted.r_squared
  return { ("R-squared: %s"):format(share == share and number.rounder { share } (share) or "undefined") }
end

--- A row of the table of fits, completed: with what fits all rows and what fits all but each fold.
---@param row Fit   its figures and notes are those here unless it has some
---@param solve fun(problem: Problem, sums: userdata, free_intercept: boolean): Held   `sums`: of libcrux.ols
---@param has_free_intercept (fun(problem: Problem): boolean)?   whether the intercept is held back by nothing
---@return Fit
function penalised.completed(row, solve, has_free_intercept)
  local function is_free(problem)
    return problem.formula.intercept and (not has_free_intercept or has_free_intercept(problem))
  end
  row.figures, row.notes = row.figures or { "r_squared" }, row.notes or penalised.notes
  function row.fit(problem)
    local sums <close> = ols.sums(with_ones(problem, is_free(problem)))
    return solve(problem, sums, is_free(problem))
  end
  function row.folds(problem, assigned)
    local fitted, frames, columns = {}, with_ones(problem, is_free(problem))
    for fold, sums in ipairs((ols.sums_of_folds(frames, columns, assigned))) do
      fitted[fold] = solve(setmetatable({ frames = problem.frames:select(assigned:others(fold)),
        where = ("%s, all but fold %d"):format(problem.where, fold) }, { __index = problem }), sums, is_free(problem))
    end
    return fitted
  end
  return row
end

--- Sums, standardised as penalties want them.
local function standardised(sums, formula)
  return fault.check(penalised_type.new(sums, formula.intercept and "centred" or "deviation"))
end

local path_length = 100

--- The penalty of glmnet's path for which predictions of the folds, each by a fit to the others, are the least wrong; of
--- several such penalties the largest. It is that of R's cv.glmnet when that is told the path; else it interpolates.
local function choose_lambda(problem, whole, alpha)
  local rows, options, formula = problem.frames.rows, problem.options, problem.formula
  local count = math.min(options.folds, rows)
  if count < 2 then
    fault.at(problem.where, number.count(rows, "complete row"), "at least 2 to choose a penalty by, or lambda")
  end
  if whole:is_flat() then
    fault.at(problem.where, "ratings that are all the same", "some that differ to choose a penalty by, or lambda")
  end
  local slopes = #formula.terms - (formula.intercept and 1 or 0)
  local path = whole:path(alpha, rows < slopes and 0.01 or 0.0001, path_length)
  local frames, columns = with_ones(problem, formula.intercept)
  local outside, inside = ols.sums_of_folds(frames, columns, folds.new(rows, count, options.seed))
  local errors
  for fold, sums in ipairs(outside) do
    local training <close> = standardised(sums, formula)
    local more = training:errors(inside[fold], alpha, path)
    errors = errors and errors + more or more
  end
  local best = 1
  for i = 2, #path do
    if errors[i] < errors[best] then best = i end
  end
  return path[best]
end

local options = {
  { name = "lambda", least = 0, doc = "weight of the penalty, as glmnet's; chosen by cross-validation unless it is given" },
  { name = "folds", least = 2, integer = true, default = 10,
    doc = "of that cross-validation; contiguous as those of crux evaluate" },
  { name = "seed", least = 0, integer = true, doc = "shuffles these folds" },
}

--- A row of the table of fits with a penalty.
---@param row Fit
---@param alpha number?   share of the absolute values in the penalty; nil: an option
---@return Fit
function penalised.row(row, alpha)
  row.wide = true
  row.options = table.move(options, 1, #options, #(row.options or {}) + 1, row.options or {})
  return penalised.completed(row, function(problem, sums, free_intercept)
    local whole <close> = standardised(sums, problem.formula)
    local share = alpha or problem.options.alpha
    local lambda = problem.options.lambda or choose_lambda(problem, whole, share)
    local solution, found = whole:solve(share, lambda)
    local fitted = penalised.result(problem, free_intercept, solution, found)
    fitted.objective = { "half the mean squared error plus the penalty", found.objective }
    fitted.chosen = not problem.options.lambda and { lambda = lambda } or nil
    return fitted
  end)
end

return penalised
