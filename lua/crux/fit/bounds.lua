--- Least squares with coefficients that must stay within bounds: the fits nnls and bounded.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local penalised = require "crux.fit.penalised"
local penalised_type = require "libcrux.penalised"
local vector = require "libcrux.vector"

local bounds = {}

---@class Bounds
---@field low number    -math.huge: none
---@field high number   math.huge: none

local function blankless(name) return (name:gsub("%s", "")) end

--- Reads the bounds of terms from items such as "size >= 0"; raises an error for an item that is no bound.
---@param items string[]
---@return table<string, Bounds>
function bounds.read(problem, items)
  local where, by_term, terms = problem.where .. ": fit 'bounded'", {}, {}
  if #items == 0 then fault.at(where, "no bounds", "some, such as bounded(size >= 0)") end
  for _, term in ipairs(problem.formula.terms) do terms[blankless(term.name)] = term.name end
  for _, item in ipairs(items) do
    local name, sign, text = item:match "^(.-)%s*([<>]=)%s*(%S+)$"
    local value = tonumber(text)
    if not number.is_finite(value) then fault.at(where, fault.show(item), "a bound such as size >= 0") end
    local term = terms[blankless(name)]
    if not term then fault.unknown(where, "term", name, lists.field(problem.formula.terms)) end
    local range = by_term[term] or { low = -math.huge, high = math.huge }
    if sign == ">=" then range.low = math.max(range.low, value) else range.high = math.min(range.high, value) end
    if range.low > range.high then
      fault.at(("%s: term '%s'"):format(where, term), (">= %s and <= %s"):format(number.exact(range.low),
        number.exact(range.high)), "bounds that some number keeps")
    end
    by_term[term] = range
  end
  return by_term
end

---@class Bounded: Held
---@field at_bound string[]   terms whose coefficient equals one of its bounds

--- Returns the lines below the table of terms.
---@param fitted Bounded
local function notes(fitted)
  local lines = penalised.notes(fitted)
  if #fitted.at_bound > 0 then table.insert(lines, "On a bound: " .. table.concat(fitted.at_bound, ", ")) end
  return lines
end

--- Completes a row of the table of fits for a fit with bounds.
---@param row Fit
---@param bounds_of fun(problem: Problem): table<string, Bounds>   by term
function bounds.row(row, bounds_of)
  row.notes = notes
  return penalised.completed(row, function(problem, sums, free_intercept)
    ols.expect_rows(problem.where, problem.frames.rows, problem.formula)
    local by_term, low, high = bounds_of(problem), {}, {}
    for i = free_intercept and 2 or 1, #problem.formula.terms do
      local range = by_term[problem.formula.terms[i].name]
      table.insert(low, range and range.low or -math.huge)
      table.insert(high, range and range.high or math.huge)
    end
    local whole <close> = fault.check(penalised_type.new(sums, free_intercept and "centred" or "norm"))
    local solution, found = whole:bounded(vector.of(low), vector.of(high))
    local fitted = penalised.result(problem, free_intercept, solution, found)
    fitted.objective, fitted.at_bound = { "the sum of squared errors", found.rss }, {}
    for _, row_of in ipairs(fitted.terms) do
      local range = by_term[row_of.term]
      if range and (row_of.estimate == range.low or row_of.estimate == range.high) then
        table.insert(fitted.at_bound, row_of.term)
      end
    end
    return fitted
  end, function(problem) return not bounds_of(problem)["(intercept)"] end)
end

return bounds
