--- Least squares with the numbers that R's summary(lm) prints.
local distribution = require "libcrux.distribution"
local fault = require "crux.fault"
local number = require "crux.number"
local ols = require "libcrux.ols"

local fit = {}

--- R's lm: a column is aliased when less than this share of its norm is left after projection on those before it.
fit.tolerance = 1e-7

---@class Fitted
---@field formula Formula
---@field terms FittedTerm[]   in formula order, without the aliased
---@field aliased string[]
---@field n integer            rows of weight above 0
---@field df integer           residual degrees of freedom
---@field sigma number         residual standard error; like the next ones NaN when df is 0
---@field coefficients table<string, number>   by term, aliased ones absent
---@field perfect boolean      nothing is left over: standard errors and p-values mean nothing

---@class FittedTerm
---@field term string
---@field estimate number
---@field std_error number
---@field t number
---@field p number

local nan = 0 / 0

--- The estimates and their tests.
local function terms(self, result)
  for i, term in ipairs(self.formula.terms) do
    if result[i].aliased then
      table.insert(self.aliased, term.name)
    else
      local row = { term = term.name, estimate = result[i].estimate }
      row.std_error = self.sigma * result[i].unit_error
      row.t = row.estimate / row.std_error
      row.p = distribution.t(row.t, self.df)
      self.coefficients[term.name] = row.estimate
      table.insert(self.terms, row)
    end
  end
end

--- R squared, F and the likelihood. Weighted as in R's summary.lm and logLik.lm.
local function summary(self, result)
  local n, intercept = self.n, self.formula.intercept and 1 or 0
  local explained = 0
  for i = 1 + intercept, #result do explained = explained + (result[i].explained or 0) end
  local df_model = result.rank - intercept
  self.r_squared = df_model > 0 and explained / (explained + result.rss) or 0
  self.adj_r_squared = self.df > 0 and 1 - (1 - self.r_squared) * ((n - intercept) / self.df) or nan
  if df_model > 0 then
    self.f = explained / df_model / (self.sigma * self.sigma)
    self.f_df = { df_model, self.df }
    self.f_p = distribution.f(self.f, df_model, self.df)
  end
  self.log_likelihood = 0.5 * (result.log_weights - n * (math.log(2 * math.pi) + 1 - math.log(n) + math.log(result.rss)))
  -- R's warning in summary.lm: nothing but rounding is left to judge the estimates by
  local whole = result.rss + explained + (intercept == 1 and result[1].explained or 0)
  self.perfect = self.df > 0 and self.sigma * self.sigma < 1e-30 * whole / n
  local parameters = result.rank + 1
  self.aic = -2 * self.log_likelihood + 2 * parameters
  self.bic = -2 * self.log_likelihood + math.log(n) * parameters
end

--- Fits a formula by (weighted) least squares to rows that a solver has taken in; where their sums are not exact enough, in
--- further passes over the frames.
---@param formula Formula
---@param solver userdata        of libcrux.ols
---@param pass fun(): fun(): Frame?   starts an iteration over frames of the same rows
---@param options { tolerance: number?, where: string }  `where` names the data in messages
---@return Fitted
function fit.solve(formula, solver, pass, options)
  local inexact = solver:solve(options.tolerance or fit.tolerance)
  local n = solver:result().rows
  if n < #formula.terms then
    fault.at(options.where, number.count(n, "complete row"), ("at least as many as the formula has terms, %d")
      :format(#formula.terms))
  end
  while inexact do
    for frame in pass() do solver:residuals(frame.columns, frame.response, frame.weights) end
    inexact = solver:refine()
  end
  local result = solver:result()
  for i, term in ipairs(formula.terms) do
    local estimate = result[i].estimate
    if estimate and not number.is_finite(estimate) then
      fault.at(("%s: term '%s'"):format(options.where, term.name), "numbers too large or too small to fit", "others")
    end
  end
  local self = { formula = formula, terms = {}, aliased = {}, coefficients = {}, n = n, df = n - result.rank }
  self.sigma = self.df > 0 and math.sqrt(result.rss / self.df) or nan
  terms(self, result)
  summary(self, result)
  return self
end

--- Fits a formula by (weighted) least squares: one pass over the frames, or more where that makes the estimates as exact
--- as they get.
---@param formula Formula
---@param frames table           anything with a method blocks that iterates over frames, the same ones in every pass
---@param options { tolerance: number?, where: string }  `where` names the data in messages
---@return Fitted
function fit.least_squares(formula, frames, options)
  local solver <close> = fault.check(ols.new(#formula.terms))
  for frame in frames:blocks() do solver:add(frame.columns, frame.response, frame.weights) end
  return fit.solve(formula, solver, function() return frames:blocks() end, options)
end

return fit
