--- The fit `censored`: a linear model of ratings beyond whose limits nothing is known but the side (Tobin 1958).
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local censored = {
  name = "censored",
  doc = "censored (tobit) regression, as tobit of R's AER: a rating of at least `upper` says only that it is as high, one of "
    .. "at most `lower` that it is as low; normal errors; without limits, both ends of the rule's scale, or 1 and 10; standard "
    .. "errors, z and p",
  options = {
    { name = "lower", doc = "ratings of at most this are censored; none unless given" },
    { name = "upper", doc = "ratings of at least this are censored; none unless given" },
  },
  figures = { "sigma", "below", "above", "log_likelihood", "aic", "bic" },
}

--- The scale of rules that have none.
censored.scale = { 1, 10 }

---@class Censored: Fitted
---@field sigma number    the standard deviation of the errors
---@field below integer   rows of ratings of at most the lower limit
---@field above integer   rows of ratings of at least the upper limit

local function limits_of(problem)
  local lower, upper = problem.options.lower, problem.options.upper
  if not lower and not upper then
    local scale = problem.scale or censored.scale
    lower, upper = math.min(table.unpack(scale)), math.max(table.unpack(scale))
  end
  lower, upper = lower or -math.huge, upper or math.huge
  if lower >= upper then
    fault.at(("%s: fit 'censored'"):format(problem.where), ("lower = %g and upper = %g"):format(lower, upper),
      "a lower limit below the upper one")
  end
  return lower, upper
end

--- The numbers of the rows of ratings between the limits, and of those beyond, with the side of each of these, 1 above and -1
--- below; and how many are on each side.
---@return userdata between, userdata beyond, userdata sides, table<integer, integer> count
local function split(problem, lower, upper)
  local ratings, between, beyond, sides, count = problem.frames.target, {}, {}, {}, { [1] = 0, [-1] = 0 }
  for i = 1, #ratings do
    local side = ratings[i] >= upper and 1 or ratings[i] <= lower and -1
    table.insert(side and beyond or between, i)
    if side then
      table.insert(sides, side)
      count[side] = count[side] + 1
    end
  end
  if #between == 0 then fault.at(problem.where, "no rating between the limits of the fit 'censored'", "some") end
  return vector.of(between), vector.of(beyond), vector.of(sides), count
end

--- The log-likelihood of the coefficients divided by sigma and of 1 / sigma, in which it is concave (Olsen 1978).
---@param near { columns: userdata[], weights: userdata }   rows between the limits; the last column is minus the rating
---@param far { columns: userdata[], weights: userdata }    rows beyond them, with minus the limit
---@param sides userdata   of the rows beyond
---@return fun(estimates: number[]): Point   whose `add` takes a function that changes the columns of both, and of 1 / sigma
local function likelihood_of(near, far, sides)
  local total, one = near.weights:sum(), {}
  for j = 1, #near.columns do one[j] = vector.of { j == #near.columns and 1 or 0 } end
  return function(estimates)
    local precision = estimates[#estimates]
    local miss = likelihood.combine(near.columns, estimates, 0)
    local lead = sides * likelihood.combine(far.columns, estimates, 0)
    local slope = vector.normal_lower_slope(lead)
    local point = { leads = vector.concat { miss, lead, vector.of { precision } } }
    point.value = total * (vector.log(precision) - math.log(2 * math.pi) / 2) - (near.weights * miss ^ 2):sum() / 2
      + (far.weights * vector.normal_log_lower(lead)):sum()
    function point.add(solver, change)
      change = change or function(columns) return columns end
      local bend = vector.max(lead + slope, 1e-100) -- above 0 but for rounding
      solver:add(change(near.columns, miss), -miss, near.weights)
      solver:add(change(far.columns, sides * lead), sides / bend, far.weights * slope * bend)
      solver:add(change(one, vector.of { precision }), vector.of { precision }, vector.of { total / precision ^ 2 })
    end
    return point
  end
end

--- The standard errors of the coefficients and of the logarithm of sigma: the information in these at the greatest likelihood.
local function errors_of(point, count, precision)
  local solver <close>, errors = fault.check(solver_type.new(count)), {}
  point.add(solver, function(columns, leads)
    local changed = lists.map(columns, function(column) return column * precision end)
    changed[count] = -leads
    return changed
  end)
  solver:solve(ols.tolerance)
  for j, row in ipairs(solver:result()) do errors[j] = row.unit_error or 0 / 0 end
  return errors
end

--- The start of the search: least squares.
local function start(columns, response, weights)
  local solver <close>, estimates = fault.check(solver_type.new(#columns)), {}
  solver:add(columns, response, weights)
  solver:solve(ols.tolerance)
  local found = solver:result()
  local precision = (weights:sum() / found.rss) ^ 0.5
  for j, row in ipairs(found) do estimates[j] = (row.estimate or 0) * precision end
  table.insert(estimates, precision)
  return estimates
end

---@return Censored
function censored.fit(problem)
  if problem.formula.is_transformed then
    fault.at(problem.where, "a transformed target", "the target itself, of which the fit 'censored' knows the limits")
  end
  local lower, upper = limits_of(problem)
  local between, beyond, sides, count = split(problem, lower, upper)
  local frames = problem.frames
  local kept, aliased = linear_fit.independent(problem)
  local columns, weights = frames:pick(kept).columns, frames.weights or vector.fill(frames.rows, 1)
  local response = vector.max(lower, vector.min(upper, frames.target)) - (frames.offset or 0) -- the limit beyond a limit
  local function part(rows)
    local chosen = lists.map(columns, function(column) return column:gather(rows) end)
    table.insert(chosen, -response:gather(rows))
    return { columns = chosen, weights = weights:gather(rows) }
  end
  local at = likelihood_of(part(between), part(beyond), sides)
  local greatest = likelihood.greatest(start(columns, response, weights), at)
  local sigma = 1 / greatest.estimates[#columns + 1]
  greatest.errors = errors_of(at(greatest.estimates), #columns + 1, 1 / sigma)
  local fitted = linear_fit.fitted(problem, kept, lists.map(greatest.estimates, function(x) return x * sigma end), aliased,
    { "minus the log-likelihood", -greatest.value })
  likelihood.add_tests(fitted, greatest, weights:sum())
  fitted.sigma, fitted.below, fitted.above, fitted.limits = sigma, count[-1], count[1], { lower, upper }
  fitted.trouble = not greatest.converged and "no greatest likelihood, as where predictions are perfect" or nil
  table.insert(fitted.terms, { term = "(sigma)", estimate = sigma, std_error = sigma * greatest.errors[#columns + 1] })
  return fitted
end

function censored.notes(fitted)
  local told = {}
  for side, words in ipairs { { fitted.below, "at most" }, { fitted.above, "at least" } } do
    if math.abs(fitted.limits[side]) < math.huge then
      table.insert(told, ("%s %s %g"):format(number.count(words[1], "row"), words[2], fitted.limits[side]))
    end
  end
  return { ("Censored: %s; errors are normal, of standard deviation (sigma)"):format(table.concat(told, ", ")),
    likelihood.line(fitted) }
end

return censored
