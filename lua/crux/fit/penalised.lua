--- Shared part of the fits with a penalty (ridge, lasso, elastic-net) or bounds (nnls, bounded) on their coefficients. All
--- are solved from the triangle R of the rows (libcrux.ols); triangles of folds are merged.
local fault = require "crux.base.fault"
local folds = require "libcrux.folds"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local penalised_type = require "libcrux.penalised"

local penalised = {}

---@class Held: Fitted
---@field r_squared number   explained share of the weighted squares of the response; NaN if these are 0

--- Returns the frames with a column of ones before the penalised or bounded columns, and their number of columns.
local function with_ones(problem, free_intercept)
  if free_intercept then return problem.frames, #problem.formula.terms end
  return problem.frames:with(function(frame)
    return { problem.formula:constant(frame.rows, 1), table.unpack(frame.columns) }, frame.response
  end), #problem.formula.terms + 1
end

--- Returns the fit for a solution of libcrux.penalised; raises an error unless all estimates are finite.
---@param solution userdata   vector: the free intercept, or 0, then the other coefficients
---@param found table         objective, rss, tss and rounds from libcrux.penalised
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

--- Returns the lines below the table of terms.
---@param fitted Held
function penalised.notes(fitted)
  local share = fitted.r_squared
  return { ("R-squared: %s"):format(share == share and number.rounder { share } (share) or "undefined") }
end

--- Completes a row of the table of fits: adds `fit` (to all rows) and `folds` (for each fold, to all rows outside it).
---@param row Fit   gets the figures and notes of this module unless it has its own
---@param solve fun(problem: Problem, solver: userdata, free_intercept: boolean): Held   `solver`: of libcrux.ols
---@param has_free_intercept (fun(problem: Problem): boolean)?   true if the intercept has no penalty or bound; nil: always
function penalised.completed(row, solve, has_free_intercept)
  local function is_free(problem)
    return problem.formula.intercept and (not has_free_intercept or has_free_intercept(problem))
  end
  row.figures, row.notes = row.figures or { "r_squared" }, row.notes or penalised.notes
  function row.fit(problem)
    local solver <close> = ols.solver(with_ones(problem, is_free(problem)))
    return solve(problem, solver, is_free(problem))
  end
  function row.folds(problem, assigned)
    local fitted, frames, columns = {}, with_ones(problem, is_free(problem))
    for fold, solver in ipairs((ols.solvers(frames, columns, assigned))) do
      fitted[fold] = solve(setmetatable({ frames = problem.frames:select(assigned:others(fold)),
        where = ("%s, all but fold %d"):format(problem.where, fold) }, { __index = problem }), solver, is_free(problem))
    end
    return fitted
  end
  return row
end

--- Standardises the rows of a solver for penalties.
local function standardised(solver, formula)
  return fault.check(penalised_type.new(solver, formula.intercept and "centred" or "deviation"))
end

local path_length = 100

--- Returns the lambda of glmnet's path with the least cross-validated squared error; of equal ones the largest. R's cv.glmnet
--- chooses the same lambda if it is given this path; otherwise it interpolates.
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
  local outside, inside = ols.solvers(frames, columns, folds.new(rows, count, options.seed))
  local errors
  for fold, solver in ipairs(outside) do
    local training <close> = standardised(solver, formula)
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

--- Completes a row of the table of fits for a fit with a penalty.
---@param row Fit
---@param alpha number?   share of the absolute values in the penalty; nil: the option `alpha`
function penalised.row(row, alpha)
  row.options = table.move(options, 1, #options, #(row.options or {}) + 1, row.options or {})
  return penalised.completed(row, function(problem, solver, free_intercept)
    local whole <close> = standardised(solver, problem.formula)
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
