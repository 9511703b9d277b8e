--- The fits by name, and methods from texts: `ridge` or, with options, `ridge(lambda = 0.5)`.
local fault = require "crux.base.fault"
local lpeg = require "lpeg"
local Method = require "crux.fit.method"
local lists = require "crux.base.lists"

local fits = {}

--- The fits in the order of lists; each is a Fit, in a file of crux/fit/.
fits.names = { "ols", "wls", "ridge", "lasso", "elastic-net", "nnls", "bounded", "lad", "quantile", "minimax", "margin",
  "order", "ordinal", "beta", "censored", "binomial", "mixed", "rasch", "2pl", "lltm", "tune" }

---@class Fit
---@field name string
---@field doc string              the minimised quantity, and the statistics of the estimates
---@field options FitOption[]?    in the order of the docs
---@field items string?           describes options without a name, if the fit takes any: "bounds such as size >= 0"
---@field streams boolean?        reads frames block after block; else all are kept in memory
---@field needs_weights boolean?  refuses data without case weights
---@field counts boolean?         takes two counts as the left side
---@field by_span boolean?        predictions depend on the span of the columns alone, not on the columns
---@field parameters string[]?    the names of parameters that predict needs
---@field figures string[]        the keys of numbers in its result that are about the whole fit
---@field fit fun(problem: Problem): Fitted
---@field folds (fun(problem: Problem, assigned: userdata): Fitted[])?   fits to all but one fold, for each, with shared work
---@field takes_groups boolean?   fits formulas with grouping terms, and no others
---@field knows_levels_alone boolean?   estimates nothing that rates other levels than those of the data
---@field reports_trouble boolean?   a fit that did not converge is no fault
---@field predict (fun(linear: userdata, fitted: Fitted|Rule): userdata)?   from sums of columns times coefficients to
---                                ratings; without it the sums are the ratings
---@field classes (fun(linear: userdata, fitted: Fitted|Rule): userdata)?   likewise to categories, of a fit that has these
---@field log_densities (fun(fitted: Fitted, part: StoredFrame): userdata?)?   the logarithms of the densities of targets, of a
---                                fit without a field `sigma`
---@field effects (fun(model: Fitted|Rule, problem: Problem, needs_errors: boolean): GroupEffects[])?   the most probable
---                                effects of groups
---@field ease (fun(method: Method): number)?   of fits with effects: 1 if levels of larger predictions are easier, else -1
---@field notes (fun(fitted: Fitted): string[])?   lines below the table of terms

---@class FitOption
---@field name string
---@field default number|string|nil
---@field least number?           minimum
---@field most number?            maximum
---@field integer boolean?
---@field choices string[]?       the allowed words, of an option that is no number
---@field is_column boolean?       its value is the name of a column
---@field doc string

function fits.rows()
  return lists.map(fits.names, function(name) return require("crux.fit." .. name) end)
end

local P, R, S, C, Ct, V = lpeg.P, lpeg.R, lpeg.S, lpeg.C, lpeg.Ct, lpeg.V
local blank = S " \t" ^ 0
local balanced = P { "(" * (1 - S "()" + V(1)) ^ 0 * ")" }
local item = (balanced + (1 - S "(),")) ^ 1 / function(text) return text:match "^%s*(.-)%s*$" end
local called = Ct(blank * C((R("az", "09") + "-") ^ 1) * blank * (P "(" * (item * ("," * item) ^ 0) ^ -1 * ")") ^ -1 * blank)
local calls = Ct(called * ("," * called) ^ 0) * -1

local function value_of(option, text, where)
  if option.is_column then return text end
  for _, choice in ipairs(option.choices or {}) do
    if text == choice then return choice end
  end
  if option.choices then
    fault.at(("%s: option '%s'"):format(where, option.name), fault.show(text), table.concat(option.choices, " or "))
  end
  local value = tonumber(text)
  local kind = option.integer and "an integer" or "a number"
  if option.integer then value = math.tointeger(value) end
  if not (value and value >= (option.least or -math.huge) and value <= (option.most or math.huge)) then
    fault.at(("%s: option '%s'"):format(where, option.name), fault.show(text), kind
      .. (option.least and (" of at least %g"):format(option.least) or "")
      .. (option.most and (option.least and " and at most %g" or " of at most %g"):format(option.most) or ""))
  end
  return value
end

--- The method of a fit's name followed by texts of options.
local function method_of(parts, where)
  if not lists.contains(fits.names, parts[1]) then fault.unknown(where, "fit", parts[1], fits.names) end
  local fit = require("crux.fit." .. parts[1])
  local method = setmetatable({ fit = fit, options = {}, text = parts[1] }, Method)
  local rows, names, given = {}, {}, {}
  for i, option in ipairs(fit.options or {}) do
    rows[option.name], names[i] = option, option.name
    method.options[option.name] = option.default
  end
  for i = 2, #parts do
    local name, text = parts[i]:match "^([%a_]+)%s*=%s*(.-)$"
    if name and given[name] then
      fault.at(("%s: fit '%s'"):format(where, fit.name), ("the option '%s' twice"):format(name), "it once")
    elseif name and rows[name] then
      given[name] = true
      method.options[name] = value_of(rows[name], text, where)
    elseif not name and fit.items then
      table.insert(method.options, parts[i])
    else
      fault.at(("%s: fit '%s'"):format(where, fit.name), ("'%s'"):format(parts[i]), #names == 0 and not fit.items
        and "no options" or ("its options, %s"):format(table.concat(names, ", ") .. (fit.items or "")))
    end
  end
  if #parts > 1 then method.text = ("%s(%s)"):format(parts[1], table.concat(parts, ", ", 2)) end
  return method
end

--- Reads a list of methods such as "ols, ridge(lambda = 0.5)".
---@param where string   names the place of the text in messages
function fits.parse(text, where)
  local parsed = calls:match(text)
  if not parsed then fault.at(where, fault.show(text), "a fit such as ols, or with options ridge(lambda = 0.5)") end
  return lists.map(parsed, function(parts) return method_of(parts, where) end)
end

--- The method of rules that name none: least squares, or that of formulas with grouping terms or of counts.
---@param formula Formula?
function fits.default(formula)
  local name = formula and (#formula.groupings > 0 and "mixed" or formula.counts and "binomial") or "ols"
  return fits.parse(name, "fit")[1]
end

return fits
