--- The ways to estimate the coefficients of a formula: a row each, `ridge` or, with its options, `ridge(lambda = 0.5)`.
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local lpeg = require "lpeg"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"

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
---@field wide boolean?           works with more terms than rows
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

---@class Fitted
---@field method Method
---@field formula Formula
---@field n integer               rows of weight above 0
---@field terms FittedTerm[]      in formula order, without the aliased
---@field coefficients table<string, number>   by term, aliased ones absent
---@field aliased string[]
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

--- Refuses fewer rows than terms; names the fits that would do with them.
---@param where string
---@param n integer
---@param formula Formula
function fits.expect_rows(where, n, formula)
  if n >= #formula.terms then return end
  local wide = {}
  for _, fit in ipairs(fits.rows()) do
    if fit.wide then table.insert(wide, fit.name) end
  end
  fault.at(where, number.count(n, "complete row"),
    ("at least as many as the formula has terms, %d; fits that do with fewer: %s"):format(#formula.terms,
      table.concat(wide, ", ")))
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
  local known = false
  for _, name in ipairs(fits.names) do known = known or name == parts[1] end
  if not known then fault.raise(("%s: found no fit '%s'; %s"):format(where, parts[1], nearest.hint(parts[1], fits.names))) end
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

--- Fits a formula to all but one fold, for each fold.
---@param problem Problem    its frames are Kept
---@param assigned userdata  of libcrux.folds
---@return Fitted[]
function Method:solve_folds(problem, assigned)
  check_needs(self, problem)
  local fitted = {}
  if self.fit.folds then
    fitted = self.fit.folds(setmetatable({ options = self.options }, { __index = problem }), assigned)
    for _, one in ipairs(fitted) do finished(self, one, problem) end
    return fitted
  end
  for fold = 1, assigned:count() do
    fitted[fold] = self:solve(setmetatable({ frames = problem.frames:select(assigned:others(fold)),
      where = ("%s, all but fold %d"):format(problem.where, fold) }, { __index = problem }))
  end
  return fitted
end

--- Adds 95 % intervals of the bootstrap to the terms of a fit that tells no standard errors.
---@param problem Problem
---@param draws integer     how many times the rows are drawn, with replacement
---@param seed integer
function Method:add_intervals(fitted, problem, draws, seed)
  local options = {}
  for _, some in ipairs { self.options, fitted.chosen or {} } do
    for key, value in pairs(some) do options[key] = value end
  end
  intervals.bootstrap(fitted, problem.frames, draws, seed, function(frames)
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
