--- Maximum likelihood by steps of weighted least squares: Newton's method, or Fisher's scoring.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local likelihood = {}

--- Newton's method takes about 10 steps, or does not end if there is no greatest likelihood.
likelihood.max_steps = 50

--- The share of a column's norm that projection on those before it must leave for a step to be determined.
local tolerance = 1e-10

---@class Point             values at some estimates
---@field value number      the log-likelihood; NaN where there is none
---@field leads userdata    all linear predictors: the search ends when they do not change
---@field add fun(solver: userdata)   adds the rows of the least squares whose solution is the next step: their sums of
---                         products are the information, those with the response the gradient

---@class Greatest
---@field estimates number[]
---@field errors number[]   standard errors, by the information
---@field value number      the log-likelihood
---@field iterations integer
---@field converged boolean

--- The sum of columns times coefficients; there may be more coefficients than columns.
---@param coefficients number[]
---@param start userdata|number   added to the sum
function likelihood.combine(columns, coefficients, start)
  local sum = start
  for j, column in ipairs(columns) do sum = sum + coefficients[j] * column end
  return sum
end

--- The likelihood of independent events that have happened, of probabilities 1 / (1 + exp(-lead)).
---@param columns userdata[]   whose combinations are the leads
---@param weights userdata     number of each event
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
  if result.rank < count or not number.is_finite(result.rss) then return nil end
  for j, row in ipairs(result) do step[j], errors[j] = row.estimate, row.unit_error end
  return step, errors
end

--- The first of a step, its half, its quarter ... that does not decrease the likelihood; nil if none does.
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

--- Tells whether leads have changed by rounding alone; then the rest of the way is far less (after Newton's steps its square).
--- Without a greatest likelihood each step changes leads by about 1.
local function stand_still(before, after)
  return ((after - before) ^ 2):sum() <= 1e-18 * (#after + (after ^ 2):sum())
end

--- The estimates of the greatest likelihood.
---@param from number[]   start of the search
---@param at fun(estimates: number[]): Point
---@param max_steps integer?   likelihood.max_steps unless given
function likelihood.greatest(from, at, max_steps)
  local found = { estimates = from, errors = {}, iterations = 0, converged = #from == 0 }
  local point = at(from)
  while not found.converged and found.iterations < (max_steps or likelihood.max_steps) do
    local step, errors = step_from(point, #from)
    if not step then break end
    local estimates, there, share = climb(found.estimates, step, point, at)
    if not estimates then break end
    found.converged = share == 1 and stand_still(point.leads, there.leads)
    found.estimates, found.errors, found.iterations, point = estimates, errors, found.iterations + 1, there
  end
  found.value = point.value
  return found
end

--- Refuses the rating of a row that is not on the scale.
---@param scale number[]?   its ends, in any order
function likelihood.check_scale(problem, row, rating, scale)
  if scale and (rating < math.min(scale[1], scale[2]) or rating > math.max(scale[1], scale[2])) then
    local expected = "ratings on the scale from %g to %g (the rule's field 'scale')"
    fault.at(problem.frames:place(row) or problem.where, "the rating " .. number.exact(rating),
      expected:format(scale[1], scale[2]))
  end
end

--- Adds the statistics of the likelihood to a fit, and z tests to its terms, or t tests.
---@param fitted Fitted        its terms belong to the first estimates
---@param n number             number of observations in the BIC
---@param degrees number[]?    degrees of freedom of the terms' t tests
function likelihood.add_tests(fitted, greatest, n, degrees)
  for i, row in ipairs(fitted.terms) do
    row.std_error = greatest.errors[i] or 0 / 0
    local ratio = row.estimate / row.std_error
    if degrees then
      row.t, row.df, row.p = ratio, degrees[i], distribution.t(ratio, degrees[i])
    else
      row.z, row.p = ratio, distribution.normal(ratio)
    end
  end
  fitted.converged, fitted.iterations = greatest.converged, greatest.iterations
  likelihood.criteria(fitted, greatest.value, #greatest.estimates, n)
end

--- Adds the log-likelihood and Akaike's and the Bayesian criterion.
---@param parameters integer   number of estimated parameters
function likelihood.criteria(fitted, value, parameters, n)
  fitted.log_likelihood = value
  fitted.aic = -2 * value + 2 * parameters
  fitted.bic = -2 * value + math.log(n) * parameters
end

--- A number rounded for a line of text.
function likelihood.show(x) return x == x and number.rounder { x } (x) or "undefined" end

--- The line of these criteria below the table of terms.
function likelihood.line(fitted)
  local show = likelihood.show
  return ("AIC: %s, BIC: %s, log-likelihood: %s"):format(show(fitted.aic), show(fitted.bic), show(fitted.log_likelihood))
end

return likelihood
