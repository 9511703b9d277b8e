--- The fit `mixed`: effects of groups, as players and levels, beside those of the terms (Bates et al. 2015).
local fault = require "crux.base.fault"
local grouping = require "crux.stats.grouping"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ols = require "crux.fit.ols"
local ordinal = require "crux.fit.ordinal"
local primitive = require "libcrux.mixed"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local mixed = {
  name = "mixed",
  doc = "mixed model, as lmer and glmer of R's lme4 and clmm of its ordinal: grouping terms such as (1 | player) add effects "
    .. "of groups, normal around 0; predicts by the terms alone, for a player and a level in the middle of all; standard "
    .. "errors, z, p, variance components",
  options = {
    { name = "family", default = "linear", choices = { "linear", "logistic", "ordinal", "lognormal" },
      doc = "linear; logistic for outcomes 0 and 1; ordinal for categories; lognormal for times" },
    { name = "reml", default = 1, least = 0, most = 1, integer = true,
      doc = "1 maximises the restricted likelihood of linear models, 0 the likelihood" },
    { name = "quadrature", default = 1, least = 1, most = 100, integer = true,
      doc = "nodes of Gauss-Hermite quadrature for one grouping of one effect; 1 is Laplace's approximation" },
    { name = "censored", is_column = true, doc = "column of lognormal models: not 0 where the time is that of giving up" },
    { name = "completed", is_column = true, doc = "the other way round: 0 where the time is that of giving up" },
  },
  takes_groups = true,
  reports_trouble = true,
  parameters = { "theta" },
  figures = { "residual", "singular", "log_likelihood", "aic", "bic" },
}

--- lme4's bound of singular fits, for the diagonal of theta.
local least_theta = 1e-4

---@class Component        a line of the table of variances
---@field group string
---@field term string?
---@field variance number
---@field deviation number
---@field correlation number?   with the first effect of its group; correlation_2 with the second, ...

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

---@class Family
---@field density string       of libcrux.mixed
---@field response fun(problem: Problem, parameters: table): userdata   for libcrux.mixed
---@field start fun(problem: Problem, parameters: table): number[]   the extras of libcrux.mixed to start from; sets parameters
---                            that the rows give; refuses rows that give no fit
---@field extras fun(parameters: table): number[]   of a fitted model
---@field predict fun(linear: userdata, model: Fitted|Rule): userdata
---@field fixed_extras boolean?   they are not estimated
---@field ease number          the sign of a larger linear predictor where a level is easier

--- Refuses a transformed target.
local function check_plain(problem, expected)
  if problem.formula.is_transformed then fault.at(problem.where, "a transformed target", "the target itself, " .. expected) end
end

--- Refuses the target of a row.
local function refuse_target(problem, row, expected)
  fault.at(problem.where, ("the %s %s"):format(problem.formula.response, number.exact(problem.frames.target[row])), expected)
end

--- The numbers of categories, as libcrux.mixed takes them.
local function places_of(problem, categories, expected)
  local target, place, places = problem.frames.target, {}, {}
  for k, category in ipairs(categories) do place[category] = k - 1 end
  for row = 1, #target do
    places[row] = place[target[row]] or refuse_target(problem, row, expected)
  end
  return vector.of(places)
end

--- Thresholds as the first of them and the logarithms of their distances.
local function distances_of(thresholds)
  local extras = {}
  for k, threshold in ipairs(thresholds) do extras[k] = k == 1 and threshold or math.log(threshold - thresholds[k - 1]) end
  return extras
end

local none = vector.of {}

---@type table<string, Family>
local families = {
  linear = { density = "normal", ease = -1,
    response = function(problem) return problem.frames.response end,
    start = function() return {} end,
    extras = function() return {} end,
    predict = function(linear) return linear end },
  logistic = { density = "cumulative", fixed_extras = true, ease = 1,
    response = function(problem)
      check_plain(problem, "an outcome of 0 or 1")
      return places_of(problem, { 0, 1 }, "the outcome 0 or 1")
    end,
    start = function(problem)
      if lists.all_equal(problem.frames.target) then refuse_target(problem, 1, "both outcomes, 0 and 1") end
      return { 0 }
    end,
    extras = function() return { 0 } end,
    predict = function(linear) return 1 / (1 + vector.exp(-linear)) end },
  ordinal = { density = "cumulative", ease = -1,
    response = function(problem, parameters)
      return places_of(problem, parameters.categories, "one of the categories that the rule was fitted to")
    end,
    start = function(problem, parameters)
      ordinal.check(problem)
      local counts, _
      parameters.categories, _, counts = ordinal.categories(problem, problem.frames.weights
        or vector.fill(problem.frames.rows, 1))
      return distances_of(ordinal.logits(counts))
    end,
    extras = function(parameters) return distances_of(parameters.thresholds) end,
    predict = ordinal.predict },
  lognormal = { density = "censored", ease = -1,
    response = function(problem)
      check_plain(problem, "whose logarithm is normal")
      local response = vector.log(problem.frames.target)
      local row = response:first_nonfinite()
      if row then refuse_target(problem, row, "times above 0") end
      return response
    end,
    start = function(problem)
      local logarithms = vector.log(problem.frames.target)
      local rest = logarithms - logarithms:sum() / #logarithms
      return { math.log(math.max(1e-100, (rest * rest):sum() / #rest)) / 2 }
    end,
    extras = function(parameters) return { math.log(parameters.sigma) } end,
    predict = vector.exp },
}

---@param method Method
---@return Family
local function family_of(method) return families[method.options.family] end

---@param method Method
function mixed.ease(method) return family_of(method).ease end

--- The marks of rows whose target is a lower bound: not 0; nil without any.
---@param options table
---@param frames StoredFrame
local function marks_of(options, frames)
  return frames.censored and options.completed and frames.censored:equal(0) or frames.censored
end

--- The groupings of frames, as libcrux.mixed takes them, and the names of the groups.
---@return table[], string[][]
local function groupings_of(formula, frames)
  local list, names = {}, {}
  for i, described in ipairs(formula.groupings) do
    local rows = frames.groupings[i]
    local group, found = grouping.number(rows.names)
    list[i] = { group = group, groups = #found, columns = rows.values,
      blocks = vector.of(lists.field(described.effects, "block")) }
    names[i] = found
  end
  return list, names
end

--- The number of columns that are the same in all rows of each group.
local function constant_columns(columns, group)
  local count = 0
  for _, column in ipairs(columns) do
    local known, is_constant = {}, true
    for row = 1, #column do
      local at = group[row]
      known[at] = known[at] or column[row]
      is_constant = known[at] == column[row]
      if not is_constant then break end
    end
    count = count + (is_constant and 1 or 0)
  end
  return count
end

--- Refuses groups of which no variance can be told.
local function check_groups(problem, list, names)
  for i, one in ipairs(list) do
    local name, n = problem.formula.groupings[i].name, #names[i]
    local where = ("%s: column '%s'"):format(problem.where, name)
    if n == 1 then fault.at(where, ("%s in all rows"):format(fault.show(names[i][1])), "groups that differ") end
    if n * #one.columns >= problem.frames.rows then
      fault.at(where, ("%s of %s in %s"):format(number.count(n * #one.columns, "effect"), number.count(n, "group"),
        number.count(problem.frames.rows, "row")), "fewer effects than rows, to tell their variance from that of the residuals")
    end
    local constant = constant_columns(problem.frames.columns, one.group)
    if constant >= n then
      fault.at(where, ("%s and %s that are the same in all rows of a group"):format(number.count(n, "group"),
        number.count(constant, "term")), "more groups than such terms")
    end
  end
end

--- Returns the results of libcrux.mixed; refuses a model that is too large, and numbers without a likelihood.
local function expect(where, found, problem, ...)
  if problem == "too large" and not found then fault.too_large(where, "a mixed model", sizes.mixed_effects, "effect") end
  if problem == "not finite" and not found then fault.at(where, "numbers too large or too small to fit", "others") end
  return fault.check(found, problem, ...)
end

--- The start of theta for a formula: no correlations, and the variances of effects those of the residuals.
local function start_thetas(formula)
  local thetas = {}
  for _, described in ipairs(formula.groupings) do
    for b, effect in ipairs(described.effects) do
      for a = b, #described.effects do
        if described.effects[a].block == effect.block then table.insert(thetas, a == b and 1 or 0) end
      end
    end
  end
  return thetas
end

--- The number in row i and column k of a triangle that LeastSquares.inverse lists.
local function element(inverse, i, k) return k >= i and inverse[k * (k - 1) // 2 + i] or 0 end

--- The columns times the inverse of their triangle: orthonormal, so that no unit of a measure harms the search.
---@param inverse number[]   as of LeastSquares
local function orthonormal(columns, inverse)
  local found = {}
  for k in ipairs(columns) do
    for i = 1, k do
      local part = columns[i] * element(inverse, i, k)
      found[k] = found[k] and found[k] + part or part
    end
  end
  return found
end

--- The coefficients, and behind them the thresholds, as linear functions of the estimates of libcrux.mixed: a row each.
---@param terms integer    number of coefficients, with the intercept
---@param dropped integer   1 where thresholds take the place of the intercept, else 0
---@param extras number[]
local function map_of(inverse, terms, dropped, extras)
  local map, count = {}, terms - dropped
  for i = 1 + dropped, terms do
    local row = {}
    for k = 1, count do row[k] = element(inverse, i, k + dropped) end
    for k = 1, #extras do row[count + k] = 0 end
    table.insert(map, row)
  end
  for i = 1, dropped * #extras do
    local row = {}
    for k = 1, count do row[k] = -element(inverse, 1, k + 1) end
    for k = 1, #extras do row[count + k] = k == 1 and 1 or k <= i and math.exp(extras[k]) or 0 end
    table.insert(map, row)
  end
  return map
end

--- map * covariance * map'
local function covariance_of(map, covariance, size)
  local product, found = {}, {}
  for i, row in ipairs(map) do
    product[i] = {}
    for k = 1, size do
      local sum = 0
      for j = 1, size do sum = sum + row[j] * covariance[j + (k - 1) * size] end
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

--- The covariance of a grouping's effects, from the triangle that theta describes; and the place behind its thetas.
local function covariance_of_effects(described, theta, next_theta, variance)
  local effects, triangle, found = described.effects, {}, {}
  for a in ipairs(effects) do triangle[a], found[a] = {}, {} end
  for b = 1, #effects do
    for a = b, #effects do
      local is_set = effects[a].block == effects[b].block
      triangle[a][b] = is_set and theta[next_theta] or 0
      next_theta = next_theta + (is_set and 1 or 0)
    end
  end
  local is_singular = false
  for a in ipairs(effects) do
    is_singular = is_singular or triangle[a][a] < least_theta
    for b = 1, a do
      local sum = 0
      for k = 1, b do sum = sum + triangle[a][k] * triangle[b][k] end
      found[a][b], found[b][a] = variance * sum, variance * sum
    end
  end
  return found, next_theta, is_singular
end

--- Adds the table of variances, and whether the fit is singular; and the mean variance of values around predictions.
local function add_components(fitted, frames, theta, variance)
  local next_theta, total = 1, vector.fill(frames.rows, variance)
  fitted.components, fitted.singular, fitted.component_keys = {}, false, { "group", "term", "variance", "deviation" }
  for i, described in ipairs(fitted.formula.groupings) do
    local found, is_singular
    found, next_theta, is_singular = covariance_of_effects(described, theta, next_theta, variance)
    fitted.singular = fitted.singular or is_singular
    for a, effect in ipairs(described.effects) do
      local row = { group = described.name, term = effect.term, variance = found[a][a], deviation = math.sqrt(found[a][a]),
        singular = is_singular or nil }
      for b, other in ipairs(described.effects) do
        local product = frames.groupings[i].values[a] * frames.groupings[i].values[b]
        total = total + found[a][b] * product
        if b < a and other.block == effect.block then
          local key = b == 1 and "correlation" or "correlation_" .. b
          row[key] = found[a][b] / math.sqrt(found[a][a] * found[b][b])
          if not lists.contains(fitted.component_keys, key) then table.insert(fitted.component_keys, key) end
        end
      end
      table.insert(fitted.components, row)
    end
  end
  table.insert(fitted.component_keys, "singular")
  return total:sum() / frames.rows
end

---@class GroupEffects
---@field name string          of the grouping
---@field names string[]       of the groups
---@field effects number[][]   of each group
---@field errors number[][]    standard errors, given all parameters

--- The most probable effects of groups at the parameters of a fitted model (empirical Bayes).
---@param model Fitted|Rule
---@param problem Problem       with the frames of the rows, which need not be those of the fit
---@return GroupEffects[]
function mixed.effects(model, problem)
  local family, frames, parameters = family_of(model.method), problem.frames, model.parameters
  local list, names = groupings_of(model.formula, frames)
  local is_linear = family.density == "normal"
  local linear = model.formula:combine(frames.columns, model.coefficients, frames.rows, not is_linear and frames.offset or nil)
  local count = #start_thetas(model.formula)
  if type(parameters.theta) ~= "table" or #parameters.theta ~= count then
    fault.at("parameter 'theta'", "something else", ("a list of %s"):format(number.count(count, "number")))
  end
  local opened <close> = expect(problem.where, primitive.new { family = family.density, columns = {},
    response = family.response(problem, parameters), weights = frames.weights, offset = linear,
    censored = marks_of(model.method.options, frames), groupings = list })
  local effects, variances = expect(problem.where, opened:modes { theta = vector.of(parameters.theta), beta = none,
    extras = vector.of(family.extras(parameters)) })
  local unit, at, found = is_linear and parameters.sigma or 1, 0, {}
  for i, described in ipairs(model.formula.groupings) do
    found[i] = { name = described.name, names = names[i], effects = {}, errors = {} }
    for group = 1, #names[i] do
      local values, errors = {}, {}
      for k = 1, #described.effects do
        at = at + 1
        values[k], errors[k] = effects[at], unit * math.sqrt(variances[at])
      end
      found[i].effects[group], found[i].errors[group] = values, errors
    end
  end
  return found
end

--- A vector as a list.
local function list_of(values)
  local list = {}
  for i = 1, #values do list[i] = values[i] end
  return list
end

--- The constant that the deviance of libcrux.mixed lacks: of restricted likelihoods for columns that are not orthonormal, of
--- lognormal models for times rather than their logarithms.
local function rest_of_deviance(problem, inverse, terms)
  local frames, options, rest = problem.frames, problem.options, 0
  if options.family == "linear" and options.reml == 1 then
    for k = 1, terms do rest = rest - 2 * math.log(element(inverse, k, k)) end
  elseif options.family == "lognormal" then
    local logarithms, marks = 2 * vector.log(frames.target), marks_of(options, frames)
    rest = (marks and vector.choose(marks, vector.fill(frames.rows, 0), logarithms) or logarithms):sum()
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

--- The fit from the results of libcrux.mixed.
---@param least_squares LeastSquares   whose coefficients the response of linear models lacks
---@param kept integer[]               the numbers of the terms that have a coefficient
---@param parameters table
---@param names string[][]             of the groups
---@return Mixed
local function result(problem, found, least_squares, kept, parameters, names)
  local frames, formula, options = problem.frames, problem.formula, problem.options
  local is_linear, is_ordinal = options.family == "linear", options.family == "ordinal"
  local extras, raw = list_of(found.extras), list_of(found.beta)
  local dropped, free = is_ordinal and 1 or 0, options.family == "logistic" and {} or extras
  local map = map_of(least_squares.inverse, #kept, dropped, free)
  table.move(free, 1, #free, #raw + 1, raw)
  local covariance = covariance_of(map, found.covariance, #raw)
  local fitted = linear_fit.fitted(problem, {}, {}, least_squares.aliased)
  for i = 1 + dropped, #kept do
    local term, sum = formula.terms[kept[i]].name, 0
    for k = 1, #raw do sum = sum + map[i - dropped][k] * raw[k] end
    fitted.coefficients[term] = sum + (is_linear and least_squares.coefficients[term] or 0)
    table.insert(fitted.terms, { term = term, estimate = fitted.coefficients[term] })
  end
  local deviance = found.deviance + rest_of_deviance(problem, least_squares.inverse, #kept)
  local errors = {}
  for i in ipairs(map) do errors[i] = math.sqrt(covariance[i][i]) end
  local theta, all = list_of(found.theta), lists.copy(raw)
  table.move(theta, 1, #theta, #all + 1, all)
  if is_linear then table.insert(all, found.variance) end
  local is_perfect = families[options.family].density == "cumulative" and deviance < 1e-6 * frames.rows
  local is_found = not is_perfect and (#errors == 0 or number.is_finite(errors[1]))
  likelihood.add_tests(fitted, { estimates = all, errors = errors, value = -deviance / 2,
    converged = found.converged and is_found, iterations = found.evaluations }, frames.rows)
  fitted.objective = { is_linear and options.reml == 1 and "REML criterion" or "-2 log-likelihood", deviance }
  fitted.warnings = {}
  if not fitted.converged then
    table.insert(fitted.warnings, "Did not converge: " .. (is_found and "no optimum after the most steps"
      or "no greatest likelihood, as where a term tells all outcomes"))
  end
  parameters.theta, fitted.parameters, fitted.counts = theta, parameters, lists.map(names, function(list) return #list end)
  local spread = add_components(fitted, frames, theta, found.variance)
  fitted.spread = spread
  if fitted.singular then
    table.insert(fitted.warnings, "Singular: a variance is 0, or a correlation 1 or -1; the plays cannot tell these effects")
  end
  if is_linear or options.family == "lognormal" then
    fitted.residual = is_linear and math.sqrt(found.variance) or math.exp(extras[1])
    parameters.sigma = fitted.residual
    table.insert(fitted.components, { group = "(residual)", variance = fitted.residual ^ 2, deviation = fitted.residual })
  end
  if is_ordinal then add_thresholds(fitted, map, raw, errors) end
  if is_linear and (not frames.weights or #frames.weights == frames.weights:sum() and lists.all_equal(frames.weights)) then
    fitted.sigma, fitted.df, fitted.weight = math.sqrt(spread), frames.rows - #kept, 1
    fitted.inverse = triangle_of(covariance, spread)
  end
  fitted.has_intervals = fitted.inverse ~= nil
  function fitted.players() return mixed.players(mixed.effects(fitted, problem)) end
  return fitted
end

--- The effects of players, by their names: numbers, or with several effects lists of numbers; nil without a grouping by player.
---@param groups GroupEffects[]
---@return table<string, number|number[]>?
function mixed.players(groups)
  for _, one in ipairs(groups) do
    if one.name == "player" then
      local players = {}
      for i, name in ipairs(one.names) do players[name] = #one.effects[i] > 1 and one.effects[i] or one.effects[i][1] end
      return players
    end
  end
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
  local options, frames, formula = problem.options, problem.frames, problem.formula
  local family, parameters, kept = families[options.family], {}, {}
  check_censored(problem)
  local extras = family.start(problem, parameters)
  local response, offset = family.response(problem, parameters), frames.offset
  local least_squares = ols.fit(problem)
  for i, term in ipairs(formula.terms) do
    if least_squares.coefficients[term.name] then table.insert(kept, i) end
  end
  local list, names = groupings_of(formula, frames)
  check_groups(problem, list, names)
  check_quadrature(problem, list)
  local columns = orthonormal(lists.pick(frames.columns, kept), least_squares.inverse)
  if options.family == "ordinal" then
    table.remove(columns, 1) -- (intercept)
  elseif options.family == "linear" then
    response, offset = response - formula:combine(frames.columns, least_squares.coefficients, frames.rows), nil
  end
  local opened <close> = expect(problem.where, primitive.new { family = family.density, response = response, columns = columns,
    weights = frames.weights, offset = offset, censored = marks_of(options, frames), groupings = list })
  local found = expect(problem.where, opened:estimate { theta = vector.of(start_thetas(formula)), extras = vector.of(extras),
    restricted = options.reml == 1, nodes = options.quadrature, fixed_extras = family.fixed_extras })
  return result(problem, found, least_squares, kept, parameters, names)
end

--- Probabilities of solving, expected ratings or times of a player and a level in the middle of all.
function mixed.predict(linear, model) return family_of(model.method).predict(linear, model) end

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
  local lines = { ("Groups: %s; standard errors and p of the normal distribution"):format(table.concat(counts, ", ")),
    likelihood.line(fitted) }
  return table.move(fitted.warnings, 1, #fitted.warnings, #lines + 1, lines)
end

return mixed
