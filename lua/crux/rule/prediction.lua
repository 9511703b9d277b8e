--- Prediction intervals: where the rating of a level will lie, by the distribution of a fit, or by how far off fits were on
--- levels that they had not seen.
local fault = require "crux.base.fault"
local intervals = require "crux.stats.intervals"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local prediction = {}

--- What a rule keeps for its intervals, one of two kinds.
---@class Intervals
---@field sigma number?       residual standard error of a row of weight 1,
---@field df number?          its degrees of freedom,
---@field weight number?      the mean case weight of the rows, taken for that of new levels,
---@field inverse number[]?   and the inverse of R, in X'WX = R'R, column after column down to the diagonal, of terms that are
---                           not aliased: as R's predict.lm(interval = "prediction", weights = weight)
---@field errors number[]?    or how far off fits were, the smallest first: sizes, on the scale of the target

--- x'(X'WX)^-1 x for each row x.
---@param inverse number[]    as Intervals has it
---@param columns userdata[]  of the terms that are not aliased
---@return userdata
function prediction.spread(inverse, columns)
  local sum, place = nil, 0
  for k in ipairs(columns) do
    local along
    for i = 1, k do
      place = place + 1
      along = along and along + columns[i] * inverse[place] or columns[i] * inverse[place]
    end
    sum = sum and sum + along * along or along * along
  end
  return sum
end

--- The columns of the terms that have a coefficient.
function prediction.kept(formula, columns, coefficients)
  local kept = {}
  for i, term in ipairs(formula.terms) do
    if coefficients[term.name] then table.insert(kept, columns[i]) end
  end
  return kept
end

--- The intervals of a fit that knows the distribution of its errors; nil for others, and where nothing is left to estimate it,
--- or numbers are too large.
---@param fitted Fitted
---@return Intervals?
function prediction.of_fit(fitted)
  if not fitted.inverse or fitted.df == 0 or not number.is_finite(fitted.sigma) then return nil end
  for _, value in ipairs(fitted.inverse) do
    if not number.is_finite(value) then return nil end
  end
  return { sigma = fitted.sigma, df = fitted.df, weight = fitted.weight, inverse = fitted.inverse }
end

--- Refuses what a rule script has as its intervals unless it can be used.
---@param self Intervals
---@param terms integer   that are not aliased
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

--- How far conformal intervals of a level reach to both sides.
local function reach_of(errors, level, who)
  local rank = math.ceil((#errors + 1) * level - 1e-9)
  if rank > #errors then
    fault.at(who, ("%d errors"):format(#errors),
      ("at least %d for intervals of level %g"):format(math.ceil(level / (1 - level) - 1e-9), level))
  end
  return errors[math.max(rank, 1)]
end

--- The ends of the intervals of ratings.
---@param rule Rule
---@param level number        the share of levels whose rating is to lie inside
---@param columns userdata[]
---@param ratings userdata    what fits.predict makes of them
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
  local spread = prediction.spread(kept.inverse, prediction.kept(formula, columns, rule.coefficients)) + 1 / kept.weight
  local reach = vector.sqrt(spread) * (kept.sigma * intervals.t(level, kept.df))
  return formula:to_target(linear - reach), formula:to_target(linear + reach)
end

return prediction
