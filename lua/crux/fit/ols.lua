--- The fit `ols`: (weighted) least squares, with the numbers that R's summary(lm) prints.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local number = require "crux.base.number"
local solver_type = require "libcrux.ols"

local ols = {
  name = "ols",
  doc = "least squares, weighted by the case weights where the rule names them; standard errors, t and p as R's lm",
  streams = true,
  by_span = true,
  figures = { "sigma", "df", "r_squared", "adj_r_squared", "f", "f_p", "log_likelihood", "aic", "bic" },
}

--- R's lm: a column is aliased when less than this share of its norm is left after projection on those before it.
ols.tolerance = 1e-7

---@class LeastSquares: Fitted
---@field df integer           residual degrees of freedom
---@field sigma number         residual standard error; NaN when df is 0
---@field weight number         mean case weight; nil in fits to folds
---@field inverse number[]      the inverse of R, as libcrux.ols lists it; nil in fits to folds
---@field perfect boolean       the residuals are only rounding: standard errors and p-values mean nothing

local nan = 0 / 0

--- Adds the estimates, their standard errors, t and p; lists the aliased terms.
local function terms(self, result)
  for i, term in ipairs(self.formula.terms) do
    if result[i].aliased then
      table.insert(self.aliased, term.name)
    else
      local row = { term = term.name, estimate = result[i].estimate }
      row.unit_error = result[i].unit_error
      row.std_error = self.sigma * row.unit_error
      row.t = row.estimate / row.std_error
      row.p = distribution.t(row.t, self.df)
      self.coefficients[term.name] = row.estimate
      table.insert(self.terms, row)
    end
  end
end

--- Returns the sum of squares of the fitted values, around their mean if there is an intercept. With an offset, which R counts
--- among the fitted values, this takes one pass for the mean and one for the squares.
local function sum_of_squares(self, result, pass)
  local center = 0
  if #self.formula.offsets == 0 then
    local sum = 0
    for i = self.formula.intercept and 2 or 1, #result do sum = sum + (result[i].explained or 0) end
    return sum
  end
  local function total(of)
    local whole, weight = 0, 0
    for frame in pass() do
      local values = of(self.formula:combine(frame.columns, self.coefficients, frame.rows, frame.offset))
      whole = whole + (frame.weights and values * frame.weights or values):sum()
      weight = weight + (frame.weights and frame.weights:sum() or frame.rows)
    end
    return whole, weight
  end
  if self.formula.intercept then
    local whole, weight = total(function(values) return values end)
    center = whole / weight
  end
  return (total(function(values) return (values - center) ^ 2 end))
end

--- Adds log-likelihood, AIC and BIC for normal errors of variance proportional to 1 / weight, as R's logLik.lm and logLik.nls.
---@param rss number           weighted residual sum of squares
---@param log_weights number   sum of the logarithms of the weights
---@param estimates integer    number of estimated parameters, without the variance
function ols.add_likelihood(self, rss, log_weights, estimates)
  local n = self.n
  likelihood.criteria(self, 0.5 * (log_weights - n * (math.log(2 * math.pi) + 1 - math.log(n) + math.log(rss))),
    estimates + 1, n)
end

--- Adds R squared, F and the likelihood, weighted as in R's summary.lm and logLik.lm.
---@param explained number   sum of squares of the fitted values, around their mean when there is an intercept
local function summary(self, result, explained)
  local n, intercept = self.n, self.formula.intercept and 1 or 0
  local df_model = result.rank - intercept
  self.r_squared = df_model > 0 and explained / (explained + result.rss) or 0
  self.adj_r_squared = self.df > 0 and 1 - (1 - self.r_squared) * ((n - intercept) / self.df) or nan
  if df_model > 0 then
    self.f = explained / df_model / (self.sigma * self.sigma)
    self.f_df = { df_model, self.df }
    self.f_p = distribution.f(self.f, df_model, self.df)
  end
  ols.add_likelihood(self, result.rss, result.log_weights, result.rank)
  -- R's summary.lm warns at this bound: the residuals are only rounding
  local whole = result.rss + explained + (intercept == 1 and result[1].explained or 0)
  self.perfect = self.df > 0 and self.sigma * self.sigma < 1e-30 * whole / n
end

--- Raises an error for fewer rows than terms; it names the fits that accept them.
function ols.expect_rows(where, n, formula)
  if n >= #formula.terms then return end
  fault.at(where, number.count(n, "complete row"), ("at least as many as the formula has terms, %d; fits that do with fewer: "
    .. "ridge, lasso, elastic-net"):format(#formula.terms))
end

--- Fits a formula by (weighted) least squares to the rows of a solver; refines inexact estimates by further passes over the
--- frames.
---@param solver userdata        of libcrux.ols
---@param pass fun(): fun(): Frame?   starts an iteration over frames of the same rows
---@param options { tolerance: number?, where: string }  `where` names the data in messages
function ols.solve(formula, solver, pass, options)
  local inexact = solver:solve(options.tolerance or ols.tolerance)
  local n = solver:result().rows
  ols.expect_rows(options.where, n, formula)
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
  summary(self, result, sum_of_squares(self, result, pass))
  return self
end

--- Returns a solver that holds all rows of the frames.
---@param columns integer   number of columns of the frames
---@return userdata         of libcrux.ols
---@return number           the sum of the weights
function ols.solver(frames, columns)
  local solver, weight = fault.check(solver_type.new(columns)), 0
  for frame in frames:blocks() do
    solver:add(frame.columns, frame.response, frame.weights)
    weight = weight + (frame.weights and frame.weights:sum() or frame.rows)
  end
  return solver, weight
end

--- Fits in one pass over the frames, or more if refinement makes the estimates more exact.
---@return LeastSquares
function ols.fit(problem)
  local solver <close>, weight = ols.solver(problem.frames, #problem.formula.terms)
  local self = ols.solve(problem.formula, solver, function() return problem.frames:blocks() end, problem)
  self.weight, self.inverse = weight / self.n, solver:inverse()
  return self
end

--- Returns two solvers for each fold: one of the rows outside, one of the rows inside. Each row is factored once; a solver
--- outside a fold merges the factors of the folds before and after it. Without folds both lists hold one solver of all rows.
---@param frames Kept
---@param columns integer   number of columns of the frames
---@param assigned userdata?   of libcrux.folds; nil: no folds
---@return userdata[] outside
---@return userdata[] inside
function ols.solvers(frames, columns, assigned)
  if not assigned then
    local whole = ols.solver(frames, columns)
    return { whole }, { whole }
  end
  local count = assigned:count()
  local function new() return fault.check(solver_type.new(columns)) end
  local inside, outside = {}, {}
  for fold = 1, count do inside[fold], outside[fold] = new(), new() end
  for part in frames:blocks() do
    solver_type.distribute(inside, part.columns, part.response, part.weights, assigned, part.first)
  end
  for _, order in ipairs { { 1, count, 1 }, { count, 1, -1 } } do
    local passed <close> = new()
    for fold = order[1], order[2], order[3] do
      outside[fold]:merge(passed)
      passed:merge(inside[fold])
    end
  end
  return outside, inside
end

--- For each fold, fits all rows outside it.
---@param problem Problem   its frames are Kept
---@return LeastSquares[]
function ols.folds(problem, assigned)
  local fitted = {}
  for fold, solver in ipairs((ols.solvers(problem.frames, #problem.formula.terms, assigned))) do
    local function pass() return problem.frames:select(assigned:others(fold)):blocks() end
    fitted[fold] = ols.solve(problem.formula, solver, pass, { tolerance = problem.tolerance,
      where = ("%s, all but fold %d"):format(problem.where, fold) })
  end
  return fitted
end

--- Returns the lines below the table of terms.
---@param fitted LeastSquares
function ols.notes(fitted)
  local round = number.rounder
  local function show(x) return x and x == x and round { x } (x) or "undefined" end
  local lines = {
    ("Residual standard error: %s on %d degrees of freedom"):format(show(fitted.sigma), fitted.df),
  }
  if fitted.r_squared then
    table.insert(lines, ("R-squared: %s, adjusted: %s"):format(show(fitted.r_squared), show(fitted.adj_r_squared)))
  end
  if fitted.f then
    table.insert(lines, ("F-statistic: %s on %d and %d degrees of freedom, p-value: %s"):format(show(fitted.f),
      fitted.f_df[1], fitted.f_df[2], fitted.f_p == fitted.f_p and number.p(fitted.f_p) or "undefined"))
  end
  table.insert(lines, likelihood.line(fitted))
  if fitted.perfect then
    table.insert(lines, "The fit is essentially perfect: standard errors, t and p mean nothing")
  end
  return lines
end

return ols
