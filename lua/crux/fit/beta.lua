--- The fit `beta`: ratings as shares of a bounded scale (Ferrari and Cribari-Neto 2004).
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local ols = require "crux.fit.ols"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local beta = {
  name = "beta",
  doc = "beta regression, as R's betareg: ratings, as shares of the rule's scale (1 to 10 unless it has one), are of a beta "
    .. "distribution, the logit of whose mean is the sum of the terms; predictions stay on the scale; standard errors, z and p",
  parameters = { "low", "high" },
  figures = { "phi", "log_likelihood", "aic", "bic" },
}

--- The scale of rules that have none.
beta.scale = { 1, 10 }

--- Steps of Fisher's scoring: about 10 are usual, up to 60 were seen with most ratings near the bounds.
beta.max_steps = 200

--- The largest precision, of errors of 1e-5 of the scale: above it the likelihood has too few digits.
beta.max_precision = 1e10

--- Ratings as shares of the scale. If one is on a bound, where the likelihood is 0 or infinite, all are moved towards the
--- middle as Smithson and Verkuilen (2006) advise.
local function shares_of(problem, low, high)
  local ratings, on_bound = problem.frames.target, false
  local n = #ratings
  for i = 1, n do
    likelihood.check_scale(problem, i, ratings[i], { low, high })
    on_bound = on_bound or ratings[i] == low or ratings[i] == high
  end
  if lists.all_equal(ratings) then fault.at(problem.where, "ratings that are all equal", "at least 2 different ones") end
  local shares = (ratings - low) / (high - low)
  return on_bound and (shares * (n - 1) + 0.5) / n or shares
end

--- The start of the search: least squares of the shares' logits, and the precision of their residuals.
local function start(columns, shares, offset, weights)
  local solver <close>, estimates = fault.check(solver_type.new(#columns)), {}
  solver:add(columns, vector.log(shares / (1 - shares)) - offset, weights)
  solver:solve(ols.tolerance)
  for j, row in ipairs(solver:result()) do estimates[j] = row.estimate or 0 end
  local mean = 1 / (1 + vector.exp(-likelihood.combine(columns, estimates, offset)))
  local phi = (weights * mean * (1 - mean)):sum() / (weights * (shares - mean) ^ 2):sum() - 1
  table.insert(estimates, math.log(math.min(math.max(phi, 0.1), 1e8)))
  return estimates
end

--- The log-likelihood of shares of means 1 / (1 + exp(-lead)) and precision phi, with its Fisher information.
---@return fun(estimates: number[]): Point   of the coefficients and then the logarithm of phi
local function likelihood_of(columns, shares, offset, weights)
  local log_share, log_rest, none = vector.log(shares), vector.log(1 - shares), {}
  for j in ipairs(columns) do none[j] = vector.of { 0 } end
  table.insert(none, vector.of { 1 })
  return function(estimates)
    local log_phi = estimates[#estimates]
    local leads, phi = likelihood.combine(columns, estimates, offset), math.exp(log_phi)
    local mean, rest = 1 / (1 + vector.exp(-leads)), 1 / (1 + vector.exp(leads))
    local a, b = phi * mean, phi * rest
    local logarithms = vector.log_gamma(phi) - vector.log_gamma(a) - vector.log_gamma(b) + (a - 1) * log_share
      + (b - 1) * log_rest
    local point = { leads = vector.concat { leads, vector.of { log_phi } }, value = (weights * logarithms):sum() }
    function point.add(solver)
      local digamma_b, spread_a, spread_b = vector.digamma(b), vector.trigamma(a), vector.trigamma(b)
      local spread = spread_a + spread_b
      local miss = log_share - log_rest - vector.digamma(a) + digamma_b -- of the logit, whose variance is `spread`
      local rate = phi * mean * rest -- of the derivative by the lead
      -- the information of lead and log phi as that of the lead and, the lead being given, the rest of log phi
      local slope = (mean * spread_a - rest * spread_b) / (mean * rest * spread)
      local by_phi = phi * (mean * miss + log_rest - digamma_b + vector.digamma(phi)) - slope * rate * miss
      local of_all = (weights * (spread_a * spread_b / spread - vector.trigamma(phi))):sum() * phi ^ 2
      local all = lists.copy(columns)
      table.insert(all, slope)
      solver:add(all, miss / (rate * spread), weights * rate ^ 2 * spread)
      solver:add(none, vector.of { (weights * by_phi):sum() / of_all }, vector.of { of_all })
    end
    return point
  end
end

---@class Beta: Fitted
---@field phi number   precision: the variance of a share is mean (1 - mean) / (1 + phi)

---@return Beta
function beta.fit(problem)
  if problem.formula.is_transformed then
    fault.at(problem.where, "a transformed target", "the target itself, of which the fit 'beta' knows the scale")
  end
  local low, high = table.unpack(problem.scale or beta.scale)
  local frames = problem.frames
  local shares, kept, aliased = shares_of(problem, low, high), linear_fit.independent(problem)
  local columns, weights = frames:pick(kept).columns, frames.weights or vector.fill(frames.rows, 1)
  local offset = frames.offset or vector.fill(frames.rows, 0)
  local greatest = likelihood.greatest(start(columns, shares, offset, weights),
    likelihood_of(columns, shares, offset, weights), beta.max_steps)
  local fitted = linear_fit.fitted(problem, kept, greatest.estimates, aliased, { "minus the log-likelihood", -greatest.value })
  likelihood.add_tests(fitted, greatest, frames.rows)
  fitted.phi = math.exp(greatest.estimates[#columns + 1])
  fitted.converged = greatest.converged and fitted.phi <= beta.max_precision
  if not fitted.converged then
    fitted.trouble = "no greatest likelihood" .. (fitted.phi > beta.max_precision and ", as predictions are perfect" or "")
  end
  fitted.parameters = { phi = fitted.phi, low = low, high = high }
  table.insert(fitted.terms, { term = "(phi)", estimate = fitted.phi,
    std_error = fitted.phi * (greatest.errors[#columns + 1] or 0 / 0) })
  return fitted
end

function beta.predict(linear, model)
  local low, high = model.parameters.low, model.parameters.high
  return low + (high - low) / (1 + vector.exp(-linear))
end

function beta.notes(fitted)
  return { ("Shares of the scale from %g to %g, of precision (phi)"):format(fitted.parameters.low, fitted.parameters.high),
    likelihood.line(fitted) }
end

return beta
