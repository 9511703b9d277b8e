--- Estimates of the greatest likelihood, by steps that are each a weighted least squares: Newton's, or Fisher's scoring.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local likelihood = {}

--- Newton's method takes about ten steps or, where no likelihood is the greatest, does not end.
likelihood.most_steps = 50

--- Of a column's norm, what must be left after projection on those before it for a step to be told.
local tolerance = 1e-10

---@class Point             a place in the search
---@field value number      the log-likelihood; NaN where there is none
---@field leads userdata    all linear predictors: the search is over when they stand still
---@field add fun(solver: userdata)   takes in the rows of the least squares whose solution is the step from here: their
---                         sums of products are the information, those with the response the gradient

---@class Greatest
---@field estimates number[]
---@field errors number[]   standard errors, by the information
---@field value number      the log-likelihood
---@field iterations integer
---@field converged boolean

--- The sum of columns times coefficients; there may be more coefficients than columns.
---@param columns userdata[]
---@param coefficients number[]
---@param start userdata|number   what is added to
function likelihood.combine(columns, coefficients, start)
  local sum = start
  for j, column in ipairs(columns) do sum = sum + coefficients[j] * column end
  return sum
end

--- The likelihood of independent events of probabilities 1 / (1 + exp(-lead)), each of which has happened.
---@param columns userdata[]   what the leads are combined of
---@param leads userdata
---@param weights userdata     how often
---@return Point
function likelihood.logistic(columns, leads, weights)
  local inverse = 1 + vector.exp(-leads) -- of the probability
  return { leads = leads, value = -(weights * vector.log(inverse)):sum(), add = function(solver)
    inverse = vector.min(inverse, 1e100) -- rather than infinite
    solver:add(columns, inverse, weights / inverse / (1 + vector.exp(leads)))
  end }
end

--- The step from a point and the standard errors there; nil where the information is singular.
---@return number[]? step, number[]? errors
local function step_from(point, count)
  local solver <close> = fault.check(solver_type.new(count))
  point.add(solver)
  solver:solve(tolerance)
  local result, step, errors = solver:result(), {}, {}
  for j, row in ipairs(result) do step[j], errors[j] = row.estimate, row.unit_error end
  if #step == count and number.is_finite(result.rss) then return step, errors end
end

--- The first of a step, its half, its quarter ... that is not downhill; nil if none is.
---@return number[]? estimates, Point there, number share
local function climb(from, step, point, at)
  local share = 1
  repeat
    local estimates = {}
    for j, length in ipairs(step) do estimates[j] = from[j] + share * length end
    local there = at(estimates)
    if there.value >= point.value - 1e-10 * math.abs(point.value) then return estimates, there, share end
    share = share / 2
  until share < 1e-6
end

--- Whether leads have moved by no more than rounding does: then the distance that is left is far less (after Newton's
--- steps its square). A greatest likelihood that is not there, but nearer and nearer, moves them by about 1 each step.
local function stand_still(before, after)
  return ((after - before) ^ 2):sum() <= 1e-18 * (#after + (after ^ 2):sum())
end

--- The estimates of the greatest likelihood.
---@param from number[]   where the search starts
---@param at fun(estimates: number[]): Point
---@param most_steps integer?   likelihood.most_steps unless given
---@return Greatest
function likelihood.greatest(from, at, most_steps)
  local self = { estimates = from, errors = {}, iterations = 0, converged = #from == 0 }
  local point = at(from)
  while not self.converged and self.iterations < (most_steps or likelihood.most_steps) do
    local step, errors = step_from(point, #from)
    if not step then break end
    local estimates, there, share = climb(self.estimates, step, point, at)
    if not estimates then break end
    self.converged = share == 1 and stand_still(point.leads, there.leads)
    self.estimates, self.errors, self.iterations, point = estimates, errors, self.iterations + 1, there
  end
  self.value = point.value
  return self
end

--- Refuses a rating that is not on the scale.
---@param scale number[]?   the rating of the easiest and of the hardest level, or the other way round
function likelihood.check_scale(problem, rating, scale)
  if scale and (rating < math.min(scale[1], scale[2]) or rating > math.max(scale[1], scale[2])) then
    local expected = "ratings on the scale from %g to %g (the rule's field 'scale')"
    fault.at(problem.where, "the rating " .. number.exact(rating), expected:format(scale[1], scale[2]))
  end
end

--- Gives a fit what is told of its likelihood, and its terms their tests: estimates over standard errors are normal.
---@param fitted Fitted        its terms are the first estimates
---@param greatest Greatest
---@param n number             how many observations there are in the BIC
function likelihood.tell(fitted, greatest, n)
  for i, row in ipairs(fitted.terms) do
    row.std_error = greatest.errors[i] or 0 / 0
    row.z = row.estimate / row.std_error
    row.p = distribution.normal(row.z)
  end
  fitted.converged, fitted.iterations = greatest.converged, greatest.iterations
  likelihood.criteria(fitted, greatest.value, #greatest.estimates, n)
end

--- Adds the log-likelihood and Akaike's and the Bayesian criterion.
---@param parameters integer   how many were estimated
function likelihood.criteria(fitted, value, parameters, n)
  fitted.log_likelihood = value
  fitted.aic = -2 * value + 2 * parameters
  fitted.bic = -2 * value + math.log(n) * parameters
end

--- The line about them below the table of terms.
function likelihood.line(fitted)
  local function show(x) return x == x and number.rounder { x } (x) or "undefined" end
  return ("AIC: %s, BIC: %s, log-likelihood: %s"):format(show(fitted.aic), show(fitted.bic), show(fitted.log_likelihood))
end

return likelihood
