--- The ways to estimate the coefficients of a formula: a row each, `ridge` or, with its options, `ridge(lambda = 0.5)`.
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local lpeg = require "lpeg"
local vector = require "libcrux.vector"

local fits = {}

--- The fits in the order of lists; each is a Fit, in a file of crux/fit/.
fits.names = { "ols", "wls", "ridge", "lasso", "elastic-net", "nnls", "bounded", "lad", "quantile", "minimax", "margin",
  "order", "ordinal", "beta", "tune" }

---@class Fit
---@field name string
---@field doc string              what is minimised, and what is told about the estimates
---@field options FitOption[]?    in the order of the docs
---@field items string?           what may stand among the options without a name, if anything may: "bounds such as size >= 0"
---@field streams boolean?        takes frames block after block; else all are kept in memory
---@field needs_weights boolean?  refuses to go without case weights
---@field by_span boolean?        predictions depend on what the columns span alone, not on the columns
---@field parameters string[]?    those that predict needs
---@field figures string[]        the keys of numbers in its result that are about the whole fit
---@field fit fun(problem: Problem): Fitted
---@field folds (fun(problem: Problem, assigned: userdata): Fitted[])?   fits to all but one fold, for each, with shared work
---@field predict (fun(linear: userdata, fitted: Fitted|Rule): userdata)?   from sums of columns times coefficients to
---                                ratings; the sums are the ratings if it is absent
---@field notes (fun(fitted: Fitted): string[])?   lines below the table of terms

---@class FitOption
---@field name string
---@field default number|string|nil
---@field least number?           what it must not be below
---@field most number?            what it must not be above
---@field integer boolean?
---@field choices string[]?       the words that it may be, instead of a number
---@field doc string

---@class Problem
---@field formula Formula
---@field frames Design|Kept      Kept unless the fit streams: its columns, response and weights are vectors of all rows.
---                                The response is what the columns are to explain, an offset being subtracted
---@field where string            names the data in messages
---@field options table           of the method: numbers by name, items in order
---@field tolerance number?       of aliased columns
---@field scale number[]?         the rating of the easiest and of the hardest level that there can be
---@field unconverged boolean?    takes a fit that did not converge as it is
---@field failures table<integer, Fault>?   takes the faults of folds, which then have no fit; without, they are raised

---@class Fitted
---@field method Method
---@field formula Formula
---@field n integer               rows of weight above 0
---@field terms FittedTerm[]      in formula order, without the aliased
---@field coefficients table<string, number>   by term, aliased ones absent
---@field aliased string[]
---@field mean number?            of the targets, by their weights; of fits to some rows of a formula with poly or factor
---@field parameters table?       what predict needs beside the coefficients: numbers, or lists of numbers, by name
---@field chosen table?           options that the fit chose itself, by name
---@field objective { [1]: string, [2]: number }?   what was optimised, and its value
---@field converged boolean?      false: `trouble` says why
---@field iterations integer?
---@field trouble string?

---@class FittedTerm
---@field term string
---@field estimate number
---@field std_error number?
---@field t number?
---@field z number?
---@field p number?
---@field low number?             ends of its 95 % interval
---@field high number?

--- All fits.
---@return Fit[]
function fits.rows()
  local rows = {}
  for i, name in ipairs(fits.names) do rows[i] = require("crux.fit." .. name) end
  return rows
end

---@class Method                  a fit with its options
---@field fit Fit
---@field options table
---@field text string
local Method = {}
Method.__index = Method

local P, R, S, C, Ct, V = lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Ct, lpeg.V
local blank = S " \t" ^ 0
local balanced = P { "(" * (1 - S "()" + V(1)) ^ 0 * ")" }
local item = (balanced + (1 - S "(),")) ^ 1 / function(text) return text:match "^%s*(.-)%s*$" end
local called = Ct(blank * C((R "az" + "-") ^ 1) * blank * (P "(" * (item * ("," * item) ^ 0) ^ -1 * ")") ^ -1 * blank)
local calls = Ct(called * ("," * called) ^ 0) * -1

--- The value of an option, checked.
local function value_of(option, text, where)
  for _, choice in ipairs(option.choices or {}) do
    if text == choice then return choice end
  end
  if option.choices then
    fault.at(("%s: option '%s'"):format(where, option.name), fault.show(text), table.concat(option.choices, " or "))
  end
  local value = tonumber(text)
  local kind = option.integer and "an integer" or "a number"
  local right = value and value == value and (not option.integer or math.tointeger(value))
    and value >= (option.least or -math.huge) and value <= (option.most or math.huge)
  if not right then
    fault.at(("%s: option '%s'"):format(where, option.name), fault.show(text), kind
      .. (option.least and (" of at least %g"):format(option.least) or "")
      .. (option.most and (option.least and " and at most %g" or " of at most %g"):format(option.most) or ""))
  end
  return option.integer and math.tointeger(value) or value
end

local function method_of(parts, where)
  if not lists.contains(fits.names, parts[1]) then fault.unknown(where, "fit", parts[1], fits.names) end
  local fit = require("crux.fit." .. parts[1])
  local self = setmetatable({ fit = fit, options = {}, text = parts[1] }, Method)
  local rows, names, given = {}, {}, {}
  for i, option in ipairs(fit.options or {}) do
    rows[option.name], names[i] = option, option.name
    self.options[option.name] = option.default
  end
  for i = 2, #parts do
    local name, text = parts[i]:match "^([%a_]+)%s*=%s*(.-)$"
    if name and given[name] then
      fault.at(("%s: fit '%s'"):format(where, fit.name), ("the option '%s' twice"):format(name), "it once")
    elseif name and rows[name] then
      given[name] = true
      self.options[name] = value_of(rows[name], text, where)
    elseif not name and fit.items then
      table.insert(self.options, parts[i])
    else
      fault.at(("%s: fit '%s'"):format(where, fit.name), ("'%s'"):format(parts[i]), #names == 0 and not fit.items
        and "no options" or ("its options, %s"):format(table.concat(names, ", ") .. (fit.items or "")))
    end
  end
  if #parts > 1 then self.text = ("%s(%s)"):format(parts[1], table.concat(parts, ", ", 2)) end
  return self
end

--- The methods in a list such as "ols, ridge(lambda = 0.5)".
---@param text string
---@param where string   names the place of the text in messages
---@return Method[]
function fits.parse(text, where)
  local parsed = calls:match(text)
  if not parsed then fault.at(where, fault.show(text), "a fit such as ols, or with options ridge(lambda = 0.5)") end
  local methods = {}
  for i, parts in ipairs(parsed) do methods[i] = method_of(parts, where) end
  return methods
end

--- The method that fits where none is named.
---@return Method
function fits.default() return fits.parse("ols", "fit")[1] end

--- What a fit gave as a result of this method; refuses what did not converge.
local function finished(self, fitted, problem)
  fitted.method = self
  if fitted.converged == false and not problem.unconverged then
    fault.at(("%s: fit '%s'"):format(problem.where, self.text), fitted.trouble, "convergence; --unconverged takes it as it is")
  end
  return fitted
end

--- Refuses a problem without what the fit needs.
local function check_needs(self, problem)
  if self.fit.needs_weights and not problem.frames.weights then
    fault.at(problem.where, "no case weights", ("some for the fit '%s': --weights COLUMN, or the rule's field 'weights'")
      :format(self.fit.name))
  end
end

--- Fits a formula.
---@param problem Problem   `options` are those of the method unless it has some
---@return Fitted
function Method:solve(problem)
  problem = setmetatable({ options = self.options }, { __index = problem })
  check_needs(self, problem)
  if not self.fit.streams and problem.frames.keep then problem.frames = problem.frames:keep() end
  return finished(self, self.fit.fit(problem), problem)
end

--- Fits a formula to some rows alone, of which poly and factor learn, too.
---@param problem Problem   its frames are Kept
---@param rows userdata     their numbers
---@return Fitted
function Method:solve_rows(problem, rows)
  local formula, frames = problem.formula, problem.frames:select(rows)
  if #formula.based == 0 then return self:solve(setmetatable({ frames = frames }, { __index = problem })) end
  frames = frames:learned(formula, problem.where)
  local fitted = self:solve(setmetatable({ frames = frames, formula = frames.formula }, { __index = problem }))
  fitted.mean = frames:mean()
  return fitted
end

--- Predictions of rows by a fit of Method:solve_rows or Method:solve_folds. Where a factor has a value that the fit has not
--- seen it is the mean of the targets that the fit has seen.
---@param fitted Fitted
---@param frame Kept    of the rows
---@return userdata
---@return integer      how many of them are that mean
---@return Kept         the rows as the fit takes them
function fits.predict_rows(fitted, frame)
  if fitted.mean then frame = frame:coded(fitted.formula) end
  local known = vector.complete(frame.columns)
  local found = fits.predict(fitted, frame.columns, frame.rows, frame.offset)
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
  return setmetatable({ where = ("%s, all but fold %d"):format(problem.where, fold) }, { __index = problem })
end

--- Fits of folds that share their work, for which poly and factor have learned of all rows; nil where that changes
--- predictions, as where a fold lacks a value of a factor: then a column is no more than a combination of others.
local function solve_together(self, problem, assigned)
  local fitted = self.fit.folds(setmetatable({ options = self.options }, { __index = problem }), assigned)
  local is_full = true
  for fold, one in ipairs(fitted) do
    finished(self, one, without_fold(problem, fold))
    is_full = is_full and #one.aliased == 0
  end
  return (is_full or #problem.formula.based == 0) and fitted or nil
end

--- Calls a function; a fault that it raises is the second result.
local function try(f, ...)
  local ok, found = pcall(f, ...)
  if ok then return found end
  if not fault.is(found) then error(found, 0) end
  return nil, found
end

--- Fits a formula to all but one fold, for each fold. Poly and factor learn of the rows that are fitted to, unless
--- predictions are the same with what they have learned of all rows.
---@param problem Problem    its frames are Kept
---@param assigned userdata  of libcrux.folds
---@return table<integer, Fitted>   by fold
function Method:solve_folds(problem, assigned)
  check_needs(self, problem)
  local fitted, failures, formula = {}, problem.failures, problem.formula
  if self.fit.folds and (#formula.based == 0 or self.fit.by_span and formula:has_fixed_span()) then
    local together, failure = try(solve_together, self, problem, assigned)
    if together then return together end
    if failure and not failures and #formula.based == 0 then error(failure, 0) end -- in one fold there may be fewer terms
  end
  for fold = 1, assigned:count() do
    local one, failure = try(self.solve_rows, self, without_fold(problem, fold), assigned:others(fold))
    if failure and not failures then error(failure, 0) end
    if failure then failures[fold] = failure else fitted[fold] = one end
  end
  return fitted
end

--- Adds 95 % intervals of the bootstrap to the terms of a fit unless it knows standard errors.
---@param problem Problem
---@param draws integer     how many times the rows are drawn, with replacement; no intervals with 0
---@param seed integer
function Method:complete_intervals(fitted, problem, draws, seed)
  for _, row in ipairs(fitted.terms) do
    if row.std_error then return end
  end
  if draws == 0 then return end
  local options = lists.merge(self.options, fitted.chosen or {})
  intervals.bootstrap(fitted, problem.frames:keep(), draws, seed, function(frames)
    return self.fit.fit(setmetatable({ frames = frames, options = options }, { __index = problem }))
  end)
end

--- Ratings by a fit: one for each row of the columns of its formula.
---@param model Fitted|Rule   with formula, coefficients, method and parameters
---@param columns userdata[]
---@param rows integer
---@param offset userdata?   of the formula, if it has one
---@return userdata          on the scale of the target
function fits.predict(model, columns, rows, offset)
  local linear = model.formula:combine(columns, model.coefficients, rows, offset)
  return model.formula:to_target(model.method.fit.predict and model.method.fit.predict(linear, model) or linear)
end

return fits
