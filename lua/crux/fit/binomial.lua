--- The fit `binomial`: logistic regression of counts, cbind(solved, skipped), or of outcomes 0 and 1, as R's glm.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local binomial = {
  name = "binomial",
  doc = "logistic regression, as R's glm: the logit of the share that the first of two counts, cbind(solved, skipped), has in "
    .. "their sum is the sum of the terms; also for outcomes 0 and 1, or shares with case weights; standard errors, z and p",
  options = { { name = "dispersion", default = "one", choices = { "one", "estimated" },
    doc = "estimated: as R's quasibinomial, for counts that vary more than those of independent players" } },
  counts = true,
  figures = { "deviance", "df", "null_deviance", "null_df", "dispersion", "log_likelihood", "aic", "bic" },
}

--- Refuses targets that are no shares.
local function check(problem)
  if problem.formula.is_transformed then
    fault.at(problem.where, "a transformed target", "the target itself, whose logit the fit 'binomial' takes")
  end
  local target = problem.frames.target
  for i = 1, #target do
    if target[i] < 0 or target[i] > 1 then
      fault.at(problem.frames:place(i) or problem.where, "the outcome " .. number.exact(target[i]),
        "0, 1 or a share between; or counts, as in cbind(solved, skipped) ~ ...")
    end
  end
end

---@class Sides             the first counts of all rows, behind them the second ones, without counts of 0
---@field kept userdata?    indices of the others; nil if none is 0
---@field weights userdata  these counts

---@return userdata
local function keep(sides, values) return sides.kept and values:gather(sides.kept) or values end

---@return Sides
local function sides_of(target, trials)
  local counts = vector.concat { trials * target, trials * (1 - target) }
  local sides = { kept = counts:positive() }
  sides.weights = keep(sides, counts)
  return sides
end

--- The greatest likelihood, without the number of orders of the counts.
local function greatest(sides, columns, offset)
  local function facing(column) return keep(sides, vector.concat { column, -column }) end
  local faced, start, from = {}, facing(offset), {}
  for j, column in ipairs(columns) do faced[j], from[j] = facing(column), 0 end
  return likelihood.greatest(from, function(estimates)
    return likelihood.logistic(faced, likelihood.combine(faced, estimates, start), sides.weights)
  end)
end

local function share(linear) return 1 / (1 + vector.exp(-linear)) end

--- The logarithm of the number of orders of two counts.
local function log_orders(target, trials)
  return vector.log_gamma(trials + 1) - vector.log_gamma(trials * target + 1) - vector.log_gamma(trials * (1 - target) + 1)
end

---@class Binomial: Fitted
---@field deviance number
---@field df integer          residual degrees of freedom
---@field null_deviance number
---@field null_df integer
---@field dispersion number   Pearson's chi-squared by df; NaN without degrees of freedom

--- Scales standard errors by an estimated dispersion: t tests, and no likelihood.
local function rescale(fitted)
  for _, row in ipairs(fitted.terms) do
    row.std_error = row.std_error * math.sqrt(fitted.dispersion)
    row.z, row.t = nil, row.estimate / row.std_error
    row.p = distribution.t(row.t, fitted.df)
  end
  fitted.log_likelihood, fitted.aic, fitted.bic = nil, nil, nil
end

---@return Binomial
function binomial.fit(problem)
  check(problem)
  local frames, formula = problem.frames, problem.formula
  local target, trials = frames.target, frames.weights or vector.fill(frames.rows, 1)
  local offset = frames.offset or vector.fill(frames.rows, 0)
  local kept, aliased = linear_fit.independent(problem)
  local columns, sides = frames:pick(kept).columns, sides_of(target, trials)
  local found = greatest(sides, columns, offset)
  local null = greatest(sides, formula.intercept and { columns[1] } or {}, offset)
  local saturated = (sides.weights * vector.log(keep(sides, vector.concat { target, 1 - target }))):sum()
  local fitted = linear_fit.fitted(problem, kept, found.estimates, aliased)
  likelihood.add_tests(fitted, found, frames.rows)
  likelihood.criteria(fitted, found.value + log_orders(target, trials):sum(), #kept, frames.rows)
  if not found.converged then
    fitted.trouble = "no greatest likelihood, as where a term tells all solved levels from the others"
  end
  fitted.deviance, fitted.df = math.max(0, 2 * (saturated - found.value)), frames.rows - #kept
  fitted.null_deviance, fitted.null_df = 2 * (saturated - null.value), frames.rows - (formula.intercept and 1 or 0)
  local mean = share(likelihood.combine(columns, found.estimates, offset))
  fitted.dispersion = (trials * (target - mean) ^ 2 / (mean * (1 - mean))):sum() / fitted.df
  if problem.options.dispersion == "estimated" then rescale(fitted) end
  return fitted
end

function binomial.predict(linear) return share(linear) end

--- The logarithms of the probabilities of counts.
---@param model Fitted
---@param part StoredFrame
function binomial.log_densities(model, part)
  local linear = model.formula:combine(part.columns, model.coefficients, part.rows, part.offset)
  local trials = part.weights or vector.fill(part.rows, 1)
  return log_orders(part.target, trials) - trials * (part.target * vector.log1p(vector.exp(-linear))
    + (1 - part.target) * vector.log1p(vector.exp(linear)))
end

function binomial.notes(fitted)
  local show = likelihood.show
  return { ("Deviance: %s on %d degrees of freedom, without terms: %s on %d; dispersion: %s"):format(show(fitted.deviance),
    fitted.df, show(fitted.null_deviance), fitted.null_df, show(fitted.dispersion)),
    fitted.log_likelihood and likelihood.line(fitted) }
end

return binomial
