--- Prediction intervals for ratings, from the error distribution of a fit or from errors of fits on levels outside their
--- training data (conformal).
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local number = require "crux.base.number"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local prediction = {}

--- The data that a rule needs for its intervals: either errors, or all other fields, which give the intervals of R's
--- predict.lm(interval = "prediction", weights = weight).
---@class Intervals
---@field sigma number?       residual standard error of a row of weight 1
---@field df number?          residual degrees of freedom
---@field weight number?      mean case weight of the rows, also used for new levels
---@field inverse number[]?   inverse of R, where X'WX = R'R, for the terms that are not aliased: columns one after the other,
---                           each down to the diagonal
---@field errors number[]?    absolute errors of fits on the scale of the target, the smallest first

--- Computes x'(X'WX)^-1 x for each row x.
---@param inverse number[]    as in Intervals
---@param columns userdata[]  of the terms that are not aliased
function prediction.spread(inverse, columns, rows) return solver_type.spread(vector.of(inverse), columns, rows) end

--- Returns the columns of the terms that have a coefficient.
function prediction.kept(formula, columns, coefficients)
  local kept = {}
  for i, term in ipairs(formula.terms) do
    if coefficients[term.name] then table.insert(kept, columns[i]) end
  end
  return kept
end

--- Returns the interval data of a fit with a known error distribution; nil for other fits, without residual degrees of freedom,
--- or if a number is not finite.
---@return Intervals?
function prediction.of_fit(fitted)
  if not fitted.inverse or fitted.df == 0 or not number.is_finite(fitted.sigma) then return nil end
  for _, value in ipairs(fitted.inverse) do
    if not number.is_finite(value) then return nil end
  end
  return { sigma = fitted.sigma, df = fitted.df, weight = fitted.weight, inverse = fitted.inverse }
end

--- Raises an error unless the field `intervals` of a rule script is valid.
---@param self Intervals
---@param terms integer   number of terms that are not aliased
---@param where string    names the script in messages
function prediction.check(self, terms, where)
  local function expect(right, found, expected)
    if not right then fault.at(where .. ": field 'intervals'", found, expected) end
  end
  if self.errors then
    expect(type(self.errors) == "table" and #self.errors > 0, "no errors", "a list of numbers, the smallest first")
    for i, size in ipairs(self.errors) do
      expect(number.is_finite(size) and size >= (self.errors[i - 1] or 0), fault.show(size), "errors, the smallest first")
    end
    return
  end
  for _, name in ipairs { "sigma", "df", "weight" } do
    local value = self[name]
    expect(number.is_finite(value) and (value > 0 or name == "sigma" and value == 0),
      ("%s = %s"):format(name, fault.show(value)), "a number above 0")
  end
  local inverse, count = self.inverse, terms * (terms + 1) // 2
  expect(type(inverse) == "table" and #inverse == count, "another 'inverse'", ("a list of %d numbers"):format(count))
  for _, value in ipairs(inverse) do expect(number.is_finite(value), fault.show(value), "numbers") end
end

--- Returns half the width of conformal intervals whose coverage is `level`.
local function reach_of(errors, level, who)
  local rank = math.ceil((#errors + 1) * level - 1e-9)
  if rank > #errors then
    fault.at(who, ("%d errors"):format(#errors),
      ("at least %d for intervals of level %g"):format(math.ceil(level / (1 - level) - 1e-9), level))
  end
  return errors[math.max(rank, 1)]
end

--- The last quantile of Student's t: each block of a dataset asks for the same, which takes half a millisecond.
local quantile = {}

--- Returns the ends of the intervals of ratings.
---@param level number        coverage: the share of ratings to lie inside
---@param ratings userdata    predictions of Method:predict for the columns
---@param offset userdata?
---@return userdata low
---@return userdata high
function prediction.ends(rule, level, columns, ratings, offset)
  local kept, formula = rule.intervals, rule.formula
  if not kept then
    fault.at(rule:who(), "no intervals", "a field 'intervals', as crux fit RULE DATA -o FITTED.lua writes it")
  end
  if kept.errors then
    local reach = reach_of(kept.errors, level, rule:who())
    return ratings - reach, ratings + reach
  end
  local linear = formula:combine(columns, rule.coefficients, #ratings, offset)
  local spread = prediction.spread(kept.inverse, prediction.kept(formula, columns, rule.coefficients), #ratings)
    + 1 / kept.weight
  if quantile.level ~= level or quantile.df ~= kept.df then
    quantile = { level = level, df = kept.df, value = intervals.t(level, kept.df) }
  end
  local reach = vector.sqrt(spread) * (kept.sigma * quantile.value)
  return formula:to_target(linear - reach), formula:to_target(linear + reach)
end

return prediction
