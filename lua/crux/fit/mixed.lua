--- The fit `mixed`: effects of groups, as players and levels, beside those of the terms (Bates et al. 2015).
local components = require "crux.fit.mixed.components"
local design = require "crux.fit.mixed.design"
local effects = require "crux.fit.mixed.effects"
local families = require "crux.fit.mixed.families"
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local satterthwaite = require "crux.fit.mixed.satterthwaite"
local variance_grid = require "crux.fit.mixed.variance_grid"
local vector = require "libcrux.vector"

local mixed = {
  name = "mixed",
  doc = "mixed model, as lmer and glmer of R's lme4 and clmm of its ordinal: grouping terms such as (1 | player) add effects "
    .. "of groups, normal around 0; predicts by the terms alone, for a player and a level in the middle of all; standard "
    .. "errors, t, p, variance components",
  options = {
    { name = "family", default = "linear", choices = { "linear", "logistic", "ordinal", "lognormal" },
      doc = "linear; logistic for outcomes 0 and 1; ordinal for categories; lognormal for times" },
    { name = "reml", default = 1, least = 0, most = 1, integer = true,
      doc = "1 maximises the restricted likelihood of linear models, 0 the likelihood" },
    { name = "quadrature", default = 1, least = 1, most = 100, integer = true,
      doc = "nodes of Gauss-Hermite quadrature for one grouping of one effect; 1 is Laplace's approximation" },
    { name = "censored", is_column = true, doc = "column of lognormal models: not 0 where the time is that of giving up" },
    { name = "completed", is_column = true, doc = "the other way round: 0 where the time is that of giving up" },
    { name = "fixed", is_column = true, doc = "grouping whose effects are fixed, not normal around 0, as fixed = level: for "
      .. "crux levels, which then shrinks no level towards the others" },
  },
  takes_groups = true,
  reports_trouble = true,
  parameters = { "theta" },
  figures = { "residual", "singular", "log_likelihood", "aic", "bic" },
}

---@class Mixed: Fitted
---@field components Component[]
---@field component_keys string[]   the keys of these lines, in order
---@field residual number?     standard deviation of the residuals
---@field sigma number?        of linear models: mean standard deviation of values around predictions
---@field singular boolean     a variance is 0, or a correlation 1
---@field players fun(): table<string, number|number[]>?   effects by name
---@field counts integer[]     of groups
---@field warnings string[]    lines about a fit that is not to be trusted
---@field spread number        mean variance of linear predictors, and of residuals of linear models, around those of the terms
---@field has_intervals boolean   false: an interval of predictions would say nothing, or needs many fits

function mixed.ease(method) return families.of(method.options).ease end

mixed.effects, mixed.errors = effects.of, effects.errors

--- The coefficients, and behind them the thresholds, as linear functions of the estimates of libcrux.mixed: a row each.
---@param terms integer    number of coefficients, with the intercept
---@param dropped integer   1 where thresholds take the place of the intercept, else 0
---@param extras number[]   those that are estimated
local function map_of(inverse, terms, dropped, extras)
  local map, count = {}, terms - dropped
  for i = 1 + dropped, terms do
    local row = {}
    for k = 1, count do row[k] = design.element(inverse, i, k + dropped) end
    for k = 1, #extras do row[count + k] = 0 end
    table.insert(map, row)
  end
  for i = 1, dropped * #extras do
    local row = {}
    for k = 1, count do row[k] = -design.element(inverse, 1, k + 1) end
    for k = 1, #extras do row[count + k] = k == 1 and 1 or k <= i and math.exp(extras[k]) or 0 end
    table.insert(map, row)
  end
  return map
end

--- map * covariance * map', of the first `size` rows and columns of a covariance of `stride` rows
local function covariance_of(map, covariance, size, stride)
  local product, found = {}, {}
  for i, row in ipairs(map) do
    product[i] = {}
    for k = 1, size do
      local sum = 0
      for j = 1, size do sum = sum + row[j] * covariance[j + (k - 1) * stride] end
      product[i][k] = sum
    end
  end
  for i in ipairs(map) do
    found[i] = {}
    for j, row in ipairs(map) do
      local sum = 0
      for k = 1, size do sum = sum + product[i][k] * row[k] end
      found[i][j] = sum
    end
  end
  return found
end

--- The upper triangle M, listed as LeastSquares.inverse, of a symmetric matrix M M'.
local function triangle_of(matrix, scale)
  local n, found, list = #matrix, {}, {}
  for i = 1, n do found[i] = {} end
  for j = n, 1, -1 do
    for i = j, 1, -1 do
      local rest = matrix[i][j] / scale
      for k = j + 1, n do rest = rest - found[i][k] * found[j][k] end
      found[i][j] = i == j and math.sqrt(rest) or rest / found[j][j]
    end
  end
  for k = 1, n do
    for i = 1, k do table.insert(list, found[i][k]) end
  end
  return list
end

--- A vector as a list.
local function list_of(values)
  local list = {}
  for i = 1, #values do list[i] = values[i] end
  return list
end

--- The constant that the deviance of libcrux.mixed lacks: of restricted likelihoods for columns that are not orthonormal, and
--- for the integral over fixed effects of groups; of lognormal models for times rather than their logarithms.
local function rest_of_deviance(problem, opened)
  local frames, options, rest = problem.frames, problem.options, 0
  if options.family == "linear" then
    for k = 1, design.is_restricted(options) and #opened.kept or 0 do
      rest = rest - 2 * math.log(design.element(opened.least_squares.inverse, k, k))
    end
    return rest
  end
  rest = -opened.fixed_groups * math.log(2 * math.pi)
  if options.family == "lognormal" then
    local logarithms, marks = 2 * vector.log(frames.target), design.marks(options, frames)
    rest = rest + (marks and vector.choose(marks, vector.fill(frames.rows, 0), logarithms) or logarithms):sum()
  end
  return rest
end

--- Adds the thresholds of an ordinal model to its parameters and terms.
---@param map number[][]     of map_of
---@param estimates number[]   of libcrux.mixed, extras last
local function add_thresholds(fitted, map, estimates, errors)
  local parameters, thresholds = fitted.parameters, {}
  local first = #map - #parameters.categories + 1
  for k = 1, #parameters.categories - 1 do
    local row, count, sum = map[first + k], first, 0
    for i = 1, count do sum = sum + row[i] * estimates[i] end
    for i = 1, k do sum = sum + (i == 1 and estimates[count + 1] or math.exp(estimates[count + i])) end
    thresholds[k] = sum
    table.insert(fitted.terms, { term = ("%d|%d"):format(parameters.categories[k], parameters.categories[k + 1]),
      estimate = sum, std_error = errors[first + k] })
  end
  fitted.coefficients["(intercept)"], parameters.thresholds = 0, thresholds
end

--- Degrees of freedom of the t tests of terms: of terms that are the same in all rows of each group, the number of groups less
--- that of such terms, in the grouping where this is least; of other terms, that of the rows.
---@param fixed string?   all groups of this one count as terms
local function degrees_between(problem, opened)
  local columns, found = lists.pick(problem.frames.columns, opened.kept), {}
  for i in ipairs(columns) do found[i] = problem.frames.rows - #columns end
  for _, one in ipairs(opened.groupings) do
    local constant = {}
    for i, column in ipairs(columns) do constant[i] = not one.fixed and design.is_constant(column, one) or nil end
    local df = one.groups - #lists.keys(constant)
    for i in pairs(constant) do found[i] = math.min(found[i], df) end
  end
  return lists.map(found, function(rest) return rest - opened.fixed_groups end)
end

--- Degrees of freedom of linear models by Satterthwaite (1946); nil where all groupings have so many groups that t is normal.
---@param map number[][]     of map_of
---@return number[]?
local function degrees_of_linear(problem, opened, map, found)
  local groups = lists.field(opened.groupings, "groups")
  if #map == 0 or math.min(table.unpack(groups)) >= variance_grid.many_groups or found.variance == 0 then return nil end
  local sums = { { rows = #map, columns = {}, values = {} } }
  for k = 1, #map do
    sums[1].columns[k] = vector.of(lists.map(map, function(row) return row[k] end))
  end
  local point = effects.point(opened.object, sums, vector.of {}, false)
  return satterthwaite.degrees(list_of(found.theta), math.sqrt(found.variance), found.df, function(theta)
    local of_effects, of_fixed, value = point(theta)
    if not of_effects then return { log_determinant = 0 / 0, squares = 0 / 0, units = {} } end -- no degrees are found with it
    return { log_determinant = of_effects + (design.is_restricted(problem.options) and of_fixed or 0), squares = value,
      units = list_of(sums[1].variances) }
  end)
end

local least_exact = 1e4 -- deviation of effects over that of residuals, which are then rounding errors

--- The warnings about a fit, as sentences.
---@param is_exact boolean   the effects of groups leave no residuals
---@param is_found boolean   the likelihood has an optimum
local function warnings_of(fitted, is_exact, is_found)
  local list = {}
  if not fitted.converged then
    table.insert(list, "Did not converge: " .. (is_exact and "the effects of groups tell all values, and leave no residuals"
      or is_found and "no optimum after the most steps" or "no greatest likelihood, as where a term tells all outcomes"))
  end
  if fitted.singular and not is_exact then
    table.insert(list, "Singular: a variance is 0, or a correlation 1 or -1; the plays cannot tell these effects")
  end
  return list
end

--- The fit from the results of libcrux.mixed.
---@param parameters table
---@param held integer   the number of extras that were not estimated
local function result(problem, found, opened, parameters, held)
  local frames, formula, options, family = problem.frames, problem.formula, problem.options, families.of(problem.options)
  local is_linear, is_ordinal = options.family == "linear", options.family == "ordinal"
  local least_squares, kept, dropped = opened.least_squares, opened.kept, opened.dropped
  local extras, raw = list_of(found.extras), list_of(found.beta)
  local stride = math.sqrt(#found.covariance) // 1 | 0
  local free = (options.fixed or options.family == "logistic") and {} or extras
  local map = map_of(least_squares.inverse, #kept, dropped, free)
  table.move(free, 1, #free, #raw + 1, raw)
  local covariance = covariance_of(map, found.covariance, #raw, stride)
  local aliased = {}
  for i, term in ipairs(formula.terms) do
    if not lists.contains(kept, i) then table.insert(aliased, term.name) end
  end
  local fitted = linear_fit.fitted(problem, {}, {}, aliased)
  for i = 1 + dropped, #kept do
    local term, sum = formula.terms[kept[i]].name, 0
    for k = 1, #raw do sum = sum + map[i - dropped][k] * raw[k] end
    fitted.coefficients[term] = sum + (is_linear and least_squares.coefficients[term] or 0)
    table.insert(fitted.terms, { term = term, estimate = fitted.coefficients[term] })
  end
  local deviance = found.deviance + rest_of_deviance(problem, opened)
  local errors = {}
  for i in ipairs(map) do errors[i] = math.sqrt(covariance[i][i]) end
  local theta = list_of(found.theta)
  local estimated = #kept - dropped + opened.fixed_groups + #theta + #extras - held + (is_linear and 1 or 0)
  local is_perfect = family.density == "cumulative" and found.deviance < 1e-6 * frames.rows
  local is_found = not is_perfect and (#errors == 0 or number.is_finite(errors[1]))
  local degrees = table.move(degrees_between(problem, opened), 1 + dropped, #kept, 1, {})
  degrees = is_linear and degrees_of_linear(problem, opened, map, found) or degrees
  likelihood.add_tests(fitted, { estimates = raw, errors = errors, value = -deviance / 2,
    converged = found.converged and is_found, iterations = found.evaluations }, frames.rows, degrees)
  likelihood.criteria(fitted, -deviance / 2, estimated, frames.rows)
  fitted.objective = { design.is_restricted(options) and "REML criterion" or "-2 log-likelihood", deviance }
  local is_exact = is_linear and math.max(0, table.unpack(theta)) > least_exact
  parameters.theta, fitted.parameters, fitted.counts = theta, parameters, lists.field(opened.groupings, "groups")
  local spread = components.add(fitted, frames, theta, found.variance, options.fixed)
  fitted.spread = spread
  fitted.warnings = warnings_of(fitted, is_exact, is_found)
  if is_linear or options.family == "lognormal" then
    fitted.residual = is_linear and math.sqrt(found.variance) or math.exp(extras[1])
    parameters.sigma = fitted.residual
    table.insert(fitted.components, { group = "(residual)", variance = fitted.residual ^ 2, deviation = fitted.residual })
  end
  if is_ordinal and options.fixed then
    parameters.thresholds = families.thresholds(extras)
  elseif is_ordinal then
    add_thresholds(fitted, map, raw, errors)
  end
  if is_linear and not options.fixed
    and (not frames.weights or #frames.weights == frames.weights:sum() and lists.all_equal(frames.weights)) then
    fitted.sigma, fitted.df, fitted.weight = math.sqrt(spread), frames.rows - #kept, 1
    fitted.inverse = triangle_of(covariance, spread)
  end
  fitted.has_intervals = fitted.inverse ~= nil
  function fitted.players() return effects.players(effects.of(fitted, problem)) end
  return fitted
end

--- Refuses options about censored rows that do not fit the family, each other or the command.
local function check_censored(problem)
  local options = problem.options
  if not options.censored and not options.completed then return end
  if options.family ~= "lognormal" then
    fault.at(problem.where, ("censored rows and the family '%s'"):format(options.family), "lognormal")
  elseif options.censored and options.completed then
    fault.at(problem.where, "both options 'censored' and 'completed'", "one of them")
  elseif not problem.frames.censored then
    fault.at(problem.where, ("a command that does not read the column '%s'"):format(options.censored or options.completed),
      "crux fit, evaluate or compare")
  end
end

--- Refuses quadrature where the likelihood is no product of integrals over one effect.
local function check_quadrature(problem, list)
  local is_linear = problem.options.family == "linear"
  if problem.options.quadrature > 1 and (is_linear or #list > 1 or #list[1].columns > 1) then
    fault.at(problem.where, "quadrature for " .. (is_linear and "a linear model" or "several effects"),
      "quadrature = 1, or one grouping of one effect")
  end
end

---@return Mixed
function mixed.fit(problem)
  local options, parameters = problem.options, {}
  local family = families.of(options)
  check_censored(problem)
  problem = setmetatable({}, { __index = problem })
  design.leave_out(problem)
  local extras = family.start(problem, parameters)
  local held = options.fixed and family.has_location and 1 or family.kept_extras or 0
  if options.fixed and family.has_location then extras[1] = 0 end
  local opened = design.open(problem, parameters)
  local object <close> = opened.object
  design.check_groups(problem, opened.groupings, opened.names)
  check_quadrature(problem, opened.groupings)
  local thetas = design.start(problem, opened)
  opened.response = nil
  collectgarbage() -- the object has a copy of the rows
  local found = design.expect(problem.where, object:estimate { theta = vector.of(thetas), extras = vector.of(extras),
    restricted = design.is_restricted(options), nodes = options.quadrature, kept_extras = held > 0 and held or nil })
  found.df = problem.frames.rows - (design.is_restricted(options) and #opened.kept or 0) - opened.fixed_groups
  local fitted = result(problem, found, opened, parameters, held)
  fitted.left_out = lists.field(problem.left_out or {}, "name")
  return fitted
end

--- Probabilities of solving, expected ratings or times of a player and a level in the middle of all.
function mixed.predict(linear, model) return families.of(model.method.options).predict(linear, model) end

--- The logarithms of the probabilities of outcomes, effects of groups being unknown (Zeger, Liang and Albert 1988); nil for
--- other families.
---@param fitted Mixed
---@param part StoredFrame
---@return userdata?
function mixed.log_densities(fitted, part)
  if fitted.method.options.family ~= "logistic" then return nil end
  local constant = 16 * math.sqrt(3) / (15 * math.pi)
  local linear = fitted.formula:combine(part.columns, fitted.coefficients, part.rows, part.offset)
    / math.sqrt(1 + constant ^ 2 * (fitted.spread - 1))
  return -vector.log1p(vector.exp(vector.choose(part.target, -linear, linear)))
end

--- The lines below the table of terms.
---@param fitted Mixed
function mixed.notes(fitted)
  local counts = {}
  for i, described in ipairs(fitted.formula.groupings) do
    counts[i] = ("%d of %s"):format(fitted.counts[i], described.name)
  end
  local tests = "; standard errors and p of the normal distribution"
  if fitted.terms[1] and fitted.terms[1].df then
    tests = fitted.method.options.family == "linear" and "; df by Satterthwaite" or "; df: groups less terms"
  end
  local lines = { ("Groups: %s%s"):format(table.concat(counts, ", "), tests), likelihood.line(fitted) }
  if #fitted.left_out > 0 then
    table.insert(lines, ("Left out, as all their rows have the lowest or the highest outcome: %s"):format(
      lists.ten(fitted.left_out)))
  end
  return table.move(fitted.warnings, 1, #fitted.warnings, #lines + 1, lines)
end

return mixed
