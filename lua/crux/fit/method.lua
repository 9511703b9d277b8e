--- A fit with its options: estimates the coefficients of formulas, and predicts by them.
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local vector = require "libcrux.vector"

---@class Problem
---@field formula Formula
---@field frames Design|StoredFrame   a StoredFrame unless the fit streams: its columns, response and weights are vectors of
---                                all rows. The columns explain the response, from which an offset is subtracted
---@field where string            names the data in messages
---@field options table           of the method: numbers by name, items in order
---@field tolerance number?       of aliased columns
---@field scale number[]?         the ratings of the easiest and of the hardest possible level
---@field unconverged boolean?    accepts a fit that did not converge
---@field advance fun()?          is called whenever the fit tune rates all rows
---@field failures table<integer, Fault>?   receives the faults of folds, which then have no fit; without it they are raised

---@class Fitted
---@field method Method
---@field formula Formula
---@field n integer               rows of weight above 0
---@field terms FittedTerm[]      in formula order, without the aliased
---@field coefficients table<string, number>   by term, aliased ones absent
---@field aliased string[]
---@field mean number?            weighted mean of the targets; of fits to some rows of a formula with poly or factor
---@field parameters table?       numbers, or lists of numbers, by name, that predict needs beside the coefficients
---@field chosen table?           options that the fit chose itself, by name
---@field objective { [1]: string, [2]: number }?   the optimised quantity and its value
---@field converged boolean?      false: `trouble` says why
---@field iterations integer?
---@field trouble string?

---@class FittedTerm
---@field term string
---@field estimate number
---@field std_error number?
---@field df number?              degrees of freedom of its t, if not those of the fit
---@field unit_error number?      the standard error if sigma were 1
---@field t number?
---@field z number?
---@field p number?
---@field low number?             ends of its 95 % interval
---@field high number?

---@class Method
---@field fit Fit
---@field options table
---@field text string             as users write it: "ridge(lambda = 0.5)"
local Method = {}
Method.__index = Method

local function with(problem, changes) return setmetatable(changes, { __index = problem }) end

--- Sets the method of a result, and refuses one that did not converge.
local function finish(method, fitted, problem)
  fitted.method = method
  if fitted.converged == false and not problem.unconverged and not method.fit.reports_trouble then
    fault.at(("%s: fit '%s'"):format(problem.where, method.text), fitted.trouble,
      "convergence; --unconverged takes it as it is")
  end
  return fitted
end

--- Refuses a problem without the case weights or the grouping terms that the fit needs, with grouping terms that it ignores, or
--- of counts that it cannot take.
local function check(method, problem)
  if problem.formula.counts and not method.fit.counts then
    fault.at(problem.where, ("two counts, %s, for the fit '%s'"):format(problem.formula.left, method.fit.name),
      "the fit 'binomial': --fit binomial, or the rule's field 'fit'")
  end
  if method.fit.needs_weights and not problem.frames.weights then
    fault.at(problem.where, "no case weights", ("some for the fit '%s': --weights COLUMN, or the rule's field 'weights'")
      :format(method.fit.name))
  end
  local groupings, name = problem.formula.groupings or {}, method.fit.name
  if #groupings > 0 and not method.fit.takes_groups then
    fault.at(problem.where, ("a grouping term by %s and the fit '%s'"):format(groupings[1].name, name), "the fit 'mixed'")
  elseif #groupings == 0 and method.fit.takes_groups then
    fault.at(problem.where, ("no grouping term for the fit '%s'"):format(name), "one such as (1 | player) in the formula")
  end
end

--- The column that marks rows whose target is a lower bound, or those where it is none; nil without one.
---@return string?
function Method:censored() return self.options.censored or self.options.completed end

--- Fits a formula.
---@param problem Problem   without options
---@return Fitted
function Method:solve(problem)
  problem = with(problem, { options = self.options })
  check(self, problem)
  if not self.fit.streams and problem.frames.keep then problem.frames = problem.frames:keep() end
  return finish(self, self.fit.fit(problem), problem)
end

--- Refuses a fit that rates no other levels than those of the data.
function Method:expect_rule(where)
  if self.fit.knows_levels_alone or self.options.fixed then
    fault.at(where, ("the fit '%s', which knows the levels of the data alone"):format(self.text),
      "one that rates others, as lltm")
  end
end

--- Fits a formula to some of the rows; poly and factor learn from these alone.
---@param problem Problem   its frames are a StoredFrame
---@param rows userdata     their numbers
---@return Fitted
function Method:solve_rows(problem, rows)
  self:expect_rule(problem.where)
  local formula, frames = problem.formula, problem.frames:select(rows)
  if #formula.based == 0 then return self:solve(with(problem, { frames = frames })) end
  frames = frames:learned(formula, problem.where)
  local fitted = self:solve(with(problem, { frames = frames, formula = frames.formula }))
  fitted.mean = frames:mean()
  return fitted
end

--- Ratings by a fit: one for each row of the columns of its formula.
---@param model Fitted|Rule   with formula, coefficients and parameters
---@param offset userdata?   of the formula, if it has one
---@return userdata          on the scale of the target
function Method:predict(model, columns, rows, offset)
  local linear = model.formula:combine(columns, model.coefficients, rows, offset)
  return model.formula:to_target(self.fit.predict and self.fit.predict(linear, model) or linear)
end

--- The categories of rows by a fit that has categories; NaN where the fit lacks a value of a factor.
---@param frame StoredFrame   of the rows
function Method:classes(fitted, frame)
  if fitted.mean then frame = frame:coded(fitted.formula) end
  return self.fit.classes(fitted.formula:combine(frame.columns, fitted.coefficients, frame.rows, frame.offset), fitted)
end

--- Predictions of rows by a fit of Method:solve_rows or Method:solve_folds. A row with a value of a factor that the fit has not
--- seen is predicted by the mean of the targets that the fit has seen.
---@param frame StoredFrame   of the rows
---@return userdata
---@return integer            how many rows the mean predicts
---@return StoredFrame        the rows in the coding of the fit
function Method:predict_rows(fitted, frame)
  if fitted.mean then frame = frame:coded(fitted.formula) end
  local known = vector.complete(frame.columns)
  local found = self:predict(fitted, frame.columns, frame.rows, frame.offset)
  if not known then return found, 0, frame end
  local list = {}
  for row = 1, frame.rows do list[row] = fitted.mean end
  for i = 1, #known do
    local row = known[i] // 1 | 0
    list[row] = found[row]
  end
  return vector.of(list), frame.rows - #known, frame
end

--- The problem of all rows but those of a fold.
local function without_fold(problem, fold)
  return with(problem, { where = ("%s, all but fold %d"):format(problem.where, fold) })
end

--- Fits to folds that share their work, with poly and factor learned from all rows. Returns nil where that would change
--- predictions: where a column is a combination of others in a fold, as when a fold lacks a value of a factor.
local function solve_together(method, problem, assigned)
  local fitted = method.fit.folds(with(problem, { options = method.options }), assigned)
  local is_full = true
  for fold, one in ipairs(fitted) do
    finish(method, one, without_fold(problem, fold))
    is_full = is_full and #one.aliased == 0
  end
  return (is_full or #problem.formula.based == 0) and fitted or nil
end

--- Fits a formula to all but one fold, for each fold. Poly and factor learn from the rows that are fitted to, unless learning
--- from all rows gives the same predictions.
---@param problem Problem    its frames are a StoredFrame
---@param assigned userdata  of libcrux.folds
---@return table<integer, Fitted>   by fold
function Method:solve_folds(problem, assigned)
  self:expect_rule(problem.where)
  check(self, problem)
  local fitted, failures, formula = {}, problem.failures, problem.formula
  if self.fit.folds and (#formula.based == 0 or self.fit.by_span and formula:has_fixed_span()) then
    local ok, together = fault.catch(solve_together, self, problem, assigned)
    if ok and together then return together end
    if not ok and not failures and #formula.based == 0 then error(together, 0) end -- in one fold there may be fewer terms
  end
  for fold = 1, assigned:count() do
    local ok, found = fault.catch(self.solve_rows, self, without_fold(problem, fold), assigned:others(fold))
    if not ok and not failures then error(found, 0) end
    (ok and fitted or failures)[fold] = found
  end
  return fitted
end

--- Adds 95 % intervals of the bootstrap to the terms of a fit unless the fit has standard errors; fitted.bootstrap then has
--- the number of draws and the seed.
---@param draws integer     how many times the rows are drawn, with replacement; no intervals with 0
function Method:complete_intervals(fitted, problem, draws, seed)
  for _, row in ipairs(fitted.terms) do
    if row.std_error then return end
  end
  if draws == 0 or #fitted.terms == 0 then return end
  local options = {}
  for _, some in ipairs { self.options, fitted.chosen or {} } do
    for key, value in pairs(some) do options[key] = value end
  end
  fitted.bootstrap = { draws = draws, seed = seed }
  intervals.bootstrap(fitted, problem.frames:keep(), draws, seed, function(frames)
    return self.fit.fit(with(problem, { frames = frames, options = options }))
  end)
end

return Method
