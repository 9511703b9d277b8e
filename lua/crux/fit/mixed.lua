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
local satterthwaite = require "crux.fit.satterthwaite"
local sizes = require "libcrux.sizes"
local variance_grid = require "crux.fit.variance_grid"
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
---@field kept_extras integer?   the first extras, which are not estimated
---@field has_location boolean?  the first extra is a location, as an intercept is
---@field extremes (fun(frames: StoredFrame, marks: userdata?): userdata)?   of each row 1 or -1 if its likelihood grows with or
---                            against the linear predictor without end, else 0: of a group of equal 1 or -1 there is no maximum
---@field ease number          the sign of a larger linear predictor where a level is easier

--- A table with some fields changed.
local function with(of, changes) return setmetatable(changes, { __index = of }) end

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

--- The thresholds that such numbers stand for.
local function thresholds_of(extras)
  local thresholds = {}
  for k, extra in ipairs(extras) do thresholds[k] = k == 1 and extra or thresholds[k - 1] + math.exp(extra) end
  return thresholds
end

--- Thresholds as the first of them and the logarithms of their distances.
local function distances_of(thresholds)
  local extras = {}
  for k, threshold in ipairs(thresholds) do extras[k] = k == 1 and threshold or math.log(threshold - thresholds[k - 1]) end
  return extras
end

---@type table<string, Family>
local families = {
  linear = { density = "normal", ease = -1,
    response = function(problem) return problem.frames.response end,
    start = function() return {} end,
    extras = function() return {} end,
    predict = function(linear) return linear end },
  logistic = { density = "cumulative", kept_extras = 1, ease = 1,
    extremes = function(frames) return 2 * frames.target - 1 end,
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
  ordinal = { density = "cumulative", has_location = true, ease = -1,
    extremes = function(frames)
      local low, high = frames.target:range()
      return vector.choose(frames.target - high, 0, 1) - vector.choose(frames.target - low, 0, 1)
    end,
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
    extremes = function(frames, marks) return marks and vector.choose(marks, 1, 0) or vector.fill(frames.rows, 0) end,
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
---@param fixed string?   the name of the one whose effects are fixed
---@return table[], string[][]
local function groupings_of(formula, frames, fixed)
  local list, names = {}, {}
  for i, described in ipairs(formula.groupings) do
    local rows = frames.groupings[i]
    local group, found = grouping.number(rows.names)
    list[i] = { group = group, groups = #found, columns = rows.values, fixed = described.name == fixed,
      blocks = vector.of(lists.field(described.effects, "block")) }
    names[i] = found
  end
  return list, names
end

--- True if the likelihood is the restricted one, integrated over fixed effects of groups and coefficients of linear models.
local function is_restricted(options) return options.fixed ~= nil or options.family == "linear" and options.reml == 1 end

--- True if a column is the same in all rows of each group.
local function is_constant(column, group)
  local known = {}
  for row = 1, #column do
    local at = group[row]
    known[at] = known[at] or column[row]
    if known[at] ~= column[row] then return false end
  end
  return true
end

--- The number of such columns.
local function constant_columns(columns, group)
  return #lists.select(columns, function(column) return is_constant(column, group) end)
end

--- The grouping whose effects are fixed; nil without one.
---@return integer?
local function fixed_place(problem)
  local name, groupings = problem.options.fixed, problem.formula.groupings
  if not name then return nil end
  for i, described in ipairs(groupings) do
    if described.name == name then
      if #described.effects > 1 or described.effects[1].term ~= "(intercept)" then
        fault.at(problem.where, ("slopes by %s, whose effects are fixed"):format(name), ("(1 | %s)"):format(name))
      elseif #groupings == 1 then
        fault.at(problem.where, ("fixed effects of %s alone"):format(name), "another grouping, such as (1 | player)")
      end
      return i
    end
  end
  fault.unknown(problem.where .. ": option 'fixed'", "grouping", name, lists.field(groupings, "name"))
end

---@class LeftOut   a group without a finite fixed effect: all its rows have the lowest or the highest outcome
---@field name string
---@field rows integer
---@field mean number     of the target

--- Leaves the rows of such groups out of a problem. They say nothing about other effects.
---@param problem Problem   with options; gets other frames, and `left_out`, a list of LeftOut
local function leave_out(problem)
  local place, frames = fixed_place(problem), problem.frames
  local extremes_of = place and families[problem.options.family].extremes
  if not extremes_of then return end
  local extremes, groups, by_name, kept = extremes_of(frames, marks_of(problem.options, frames)), {}, {}, {}
  for row, name in ipairs(frames.groupings[place].names) do
    local one = by_name[name]
    if not one then
      one = { name = name, rows = 0, mean = 0, side = extremes[row] }
      by_name[name] = one
      table.insert(groups, one)
    end
    one.rows, one.mean = one.rows + 1, one.mean + (frames.target[row] - one.mean) / (one.rows + 1)
    if one.side ~= extremes[row] then one.side = 0 end
  end
  for row, name in ipairs(frames.groupings[place].names) do
    if by_name[name].side == 0 then table.insert(kept, row) end
  end
  if #kept == 0 then
    fault.at(problem.where, ("no %s with different outcomes"):format(problem.options.fixed), "at least two")
  end
  problem.left_out = lists.select(groups, function(one) return one.side ~= 0 end)
  problem.frames = frames:select(vector.of(kept))
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
    if constant >= n and not one.fixed then
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
---@param fixed string?
local function start_thetas(formula, fixed)
  local thetas = {}
  for _, described in ipairs(formula.groupings) do
    for b, effect in ipairs(described.name == fixed and {} or described.effects) do
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
---@param extras number[]   those that are estimated
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

--- The covariance of a grouping's effects, from the triangle that theta describes; and the place behind its thetas.
local function covariance_of_effects(effects, theta, next_theta, variance)
  local triangle, found = {}, {}
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
---@param fixed string?
local function add_components(fitted, frames, theta, variance, fixed)
  local next_theta, total = 1, vector.fill(frames.rows, variance)
  fitted.components, fitted.singular, fitted.component_keys = {}, false, { "group", "term", "variance", "deviation" }
  for i, described in ipairs(fitted.formula.groupings) do
    local found, is_singular
    local effects = described.name == fixed and {} or described.effects
    found, next_theta, is_singular = covariance_of_effects(effects, theta, next_theta, variance)
    fitted.singular = fitted.singular or is_singular
    for a, effect in ipairs(effects) do
      local row = { group = described.name, term = effect.term, variance = found[a][a], deviation = math.sqrt(found[a][a]),
        singular = is_singular or nil }
      for b, other in ipairs(effects) do
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

---@class Opened       a model with its rows
---@field object userdata           of libcrux.mixed
---@field kept integer[]            the numbers of the terms that have a coefficient
---@field dropped integer           1 where thresholds take the place of the intercept, else 0
---@field least_squares LeastSquares   by the terms of `kept`: its predictions are subtracted from the response of linear models
---@field groupings table[]
---@field names string[][]          of the groups
---@field fixed_groups integer      with a fixed effect each

--- Opens a model of the rows of a problem. Terms that fixed effects explain have no coefficient.
---@param parameters table   of the family
---@return Opened
local function open(problem, parameters)
  local options, frames, formula, family = problem.options, problem.frames, problem.formula, families[problem.options.family]
  local list, names = groupings_of(formula, frames, options.fixed)
  local place, terms = fixed_place(problem), {}
  for i, column in ipairs(frames.columns) do
    if not place or not is_constant(column, list[place].group) then table.insert(terms, i) end
  end
  local least_squares = { coefficients = {}, inverse = {}, aliased = {} }
  if #terms > 0 then
    least_squares = ols.fit(with(problem, { frames = place and frames:pick(terms) or frames,
      formula = with(formula, { terms = lists.pick(formula.terms, terms) }) }))
  end
  local kept = lists.select(terms, function(i) return least_squares.coefficients[formula.terms[i].name] ~= nil end)
  local columns = orthonormal(lists.pick(frames.columns, kept), least_squares.inverse)
  local response, offset, dropped = family.response(problem, parameters), frames.offset, 0
  if options.family == "ordinal" and not place then
    table.remove(columns, 1) -- (intercept)
    dropped = 1
  elseif options.family == "linear" then
    response, offset = response - formula:combine(frames.columns, least_squares.coefficients, frames.rows), nil
  end
  local object = expect(problem.where, primitive.new { family = family.density, response = response, columns = columns,
    weights = frames.weights, offset = offset, censored = marks_of(options, frames), groupings = list })
  return { object = object, kept = kept, dropped = dropped, least_squares = least_squares, groupings = list, names = names,
    fixed_groups = place and list[place].groups or 0 }
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
  local family, parameters = family_of(model.method), model.parameters
  problem.options = model.method.options
  leave_out(problem)
  local frames, fixed = problem.frames, problem.options.fixed
  local list, names = groupings_of(model.formula, frames, fixed)
  local is_linear = family.density == "normal"
  local linear = model.formula:combine(frames.columns, model.coefficients, frames.rows, not is_linear and frames.offset or nil)
  local count = #start_thetas(model.formula, fixed)
  if type(parameters.theta) ~= "table" or #parameters.theta ~= count then
    fault.at("parameter 'theta'", "something else", ("a list of %s"):format(number.count(count, "number")))
  end
  local opened <close> = expect(problem.where, primitive.new { family = family.density, columns = {},
    response = family.response(problem, parameters), weights = frames.weights, offset = linear,
    censored = marks_of(problem.options, frames), groupings = list })
  local sums = {}
  for i, one in ipairs(list) do
    for k = 1, #one.columns do
      table.insert(sums, mixed.effect(i, k, one.groups, #one.columns, {}))
    end
  end
  expect(problem.where, opened:modes { theta = vector.of(parameters.theta), extras = vector.of(family.extras(parameters)),
    sums = sums })
  local unit, at, found = is_linear and parameters.sigma or 1, 0, {}
  for i, described in ipairs(model.formula.groupings) do
    found[i] = { name = described.name, names = names[i], effects = {}, errors = {} }
    for group = 1, #names[i] do found[i].effects[group], found[i].errors[group] = {}, {} end
    for k = 1, #described.effects do
      at = at + 1
      for group = 1, #names[i] do
        found[i].effects[group][k] = sums[at].means[group]
        found[i].errors[group][k] = unit * math.sqrt(sums[at].variances[group])
      end
    end
  end
  return found
end

---@class ModelSum     sums of coefficients and of a group's effects, a row each
---@field rows integer
---@field columns userdata[]    what multiplies the coefficients of all terms
---@field grouping integer?     nil: no effects
---@field group userdata?       the number of each row's group
---@field values userdata[]     what multiplies the effects of the group
---@field means userdata        results
---@field variances userdata

--- One of the effects of each group.
---@param place integer     of the grouping
---@param effect integer    its number among the `effects` of a group
---@param columns userdata[]
---@return ModelSum
function mixed.effect(place, effect, groups, effects, columns)
  local values, order = {}, {}
  for k = 1, effects do values[k] = vector.fill(groups, k == effect and 1 or 0) end
  for group = 1, groups do order[group] = group end
  return { rows = groups, columns = columns, grouping = place, group = vector.of(order), values = values }
end

--- A function that gives the point of libcrux.mixed at thetas, and sets the means and variances of sums.
---@param object userdata     of libcrux.mixed
---@param sums ModelSum[]     with the columns of the orthonormal terms
---@param expected boolean    means and variances rather than modes and curvatures there
---@return fun(theta: number[]): number?, number, number   log_effects, log_fixed and value; nil where there is none
local function point_of(object, sums, extras, expected)
  return function(theta)
    local effects, of_effects, of_fixed, value = object:modes { theta = vector.of(theta), extras = extras, sums = sums,
      expected = expected }
    if not effects then return nil end
    return of_effects, of_fixed, value
  end
end

--- The thetas of groupings of one effect, of fewer groups than count as many, those of the fewest groups first.
local function uncertain_thetas(opened, formula, fixed)
  local axes, groups, next_theta = {}, {}, 1
  for i, described in ipairs(formula.groupings) do
    local count = #start_thetas({ groupings = { described } }, fixed)
    if #described.effects == 1 and count == 1 and opened.groupings[i].groups < variance_grid.many_groups then
      table.insert(axes, next_theta)
      groups[next_theta] = opened.groupings[i].groups
    end
    next_theta = next_theta + count
  end
  table.sort(axes, function(a, b) return groups[a] < groups[b] end)
  return axes
end

--- The standard errors of sums of a model that was fitted to these rows. They hold the errors of the coefficients (Henderson
--- 1975) and those of the variances, over which they are integrated. An error is that of the value at the estimated variances.
---@param model Rule           fitted to the rows
---@param problem Problem      of mixed.effects
---@param sums ModelSum[]      with columns of all terms
---@return userdata[]          of each sum
function mixed.errors(model, problem, sums)
  local parameters, options, family = model.parameters, problem.options, families[problem.options.family]
  local opened = open(problem, parameters)
  local object <close> = opened.object
  local columns_of = function(sum)
    local columns = orthonormal(lists.pick(sum.columns, opened.kept), opened.least_squares.inverse)
    if opened.dropped == 1 then table.remove(columns, 1) end
    return lists.merge(sum, { columns = columns })
  end
  local own = lists.map(sums, columns_of)
  local extras = vector.of(family.extras(parameters))
  local theta, axes = lists.copy(parameters.theta), uncertain_thetas(opened, model.formula, options.fixed)
  local is_linear = options.family == "linear"
  local free = problem.frames.rows - #opened.kept - #axes - opened.fixed_groups
  if not point_of(object, own, extras, false)(theta) then
    fault.at(problem.where, "numbers too large or too small to fit", "others")
  end
  local estimates, point = lists.field(own, "means"), point_of(object, own, extras, true)
  local integrated = variance_grid.integrate(theta, axes, function(at)
    local of_effects, of_fixed, value = point(at)
    if not of_effects then return nil end
    -- In linear models sigma is integrated, too; the deviations theta * sigma and sigma itself have flat priors.
    local log_density = is_linear and -(free - 1) / 2 * math.log(value) or value
    return { log_density = log_density - (of_effects + of_fixed) / 2, sums = own,
      scale = is_linear and value / math.max(free - 3, 1) or 1 }
  end)
  local errors = {}
  for i, found in ipairs(integrated) do errors[i] = vector.sqrt(found.variance + (found.mean - estimates[i]) ^ 2) end
  return errors
end

--- A vector as a list.
local function list_of(values)
  local list = {}
  for i = 1, #values do list[i] = values[i] end
  return list
end

--- The constant that the deviance of libcrux.mixed lacks: of restricted likelihoods for columns that are not orthonormal, and
--- for the integral over fixed effects of groups; of lognormal models for times rather than their logarithms.
---@param opened Opened
local function rest_of_deviance(problem, opened)
  local frames, options, rest = problem.frames, problem.options, 0
  if options.family == "linear" then
    for k = 1, is_restricted(options) and #opened.kept or 0 do
      rest = rest - 2 * math.log(element(opened.least_squares.inverse, k, k))
    end
    return rest
  end
  rest = -opened.fixed_groups * math.log(2 * math.pi)
  if options.family == "lognormal" then
    local logarithms, marks = 2 * vector.log(frames.target), marks_of(options, frames)
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
---@param opened Opened
---@param fixed string?   all groups of this one count as terms
---@return number[]
local function degrees_between(problem, opened)
  local columns, found = lists.pick(problem.frames.columns, opened.kept), {}
  for i in ipairs(columns) do found[i] = problem.frames.rows - #columns end
  for _, one in ipairs(opened.groupings) do
    local constant = {}
    for i, column in ipairs(columns) do constant[i] = not one.fixed and is_constant(column, one.group) or nil end
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
  local point = point_of(opened.object, sums, vector.of {}, false)
  return satterthwaite.degrees(list_of(found.theta), math.sqrt(found.variance), found.df, function(theta)
    local of_effects, of_fixed, value = point(theta)
    local units = list_of(sums[1].variances)
    return { log_determinant = of_effects + (is_restricted(problem.options) and of_fixed or 0), squares = value, units = units }
  end)
end

--- The fit from the results of libcrux.mixed.
---@param opened Opened
---@param parameters table
---@param held integer   the number of extras that were not estimated
---@return Mixed
local function result(problem, found, opened, parameters, held)
  local frames, formula, options, family = problem.frames, problem.formula, problem.options, families[problem.options.family]
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
  fitted.objective = { is_restricted(options) and "REML criterion" or "-2 log-likelihood", deviance }
  fitted.warnings = {}
  if not fitted.converged then
    table.insert(fitted.warnings, "Did not converge: " .. (is_found and "no optimum after the most steps"
      or "no greatest likelihood, as where a term tells all outcomes"))
  end
  parameters.theta, fitted.parameters, fitted.counts = theta, parameters, lists.field(opened.groupings, "groups")
  local spread = add_components(fitted, frames, theta, found.variance, options.fixed)
  fitted.spread = spread
  if fitted.singular then
    table.insert(fitted.warnings, "Singular: a variance is 0, or a correlation 1 or -1; the plays cannot tell these effects")
  end
  if is_linear or options.family == "lognormal" then
    fitted.residual = is_linear and math.sqrt(found.variance) or math.exp(extras[1])
    parameters.sigma = fitted.residual
    table.insert(fitted.components, { group = "(residual)", variance = fitted.residual ^ 2, deviation = fitted.residual })
  end
  if is_ordinal and options.fixed then
    parameters.thresholds = thresholds_of(extras)
  elseif is_ordinal then
    add_thresholds(fitted, map, raw, errors)
  end
  if is_linear and not options.fixed
    and (not frames.weights or #frames.weights == frames.weights:sum() and lists.all_equal(frames.weights)) then
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
  local options, formula, parameters = problem.options, problem.formula, {}
  local family = families[options.family]
  check_censored(problem)
  problem = with(problem, {})
  leave_out(problem)
  local extras = family.start(problem, parameters)
  local held = options.fixed and family.has_location and 1 or family.kept_extras or 0
  if options.fixed and family.has_location then extras[1] = 0 end
  local opened = open(problem, parameters)
  local object <close> = opened.object
  check_groups(problem, opened.groupings, opened.names)
  check_quadrature(problem, opened.groupings)
  local thetas = start_thetas(formula, options.fixed)
  local found = expect(problem.where, object:estimate { theta = vector.of(thetas), extras = vector.of(extras),
    restricted = is_restricted(options), nodes = options.quadrature, kept_extras = held > 0 and held or nil })
  found.df = problem.frames.rows - (is_restricted(options) and #opened.kept or 0) - opened.fixed_groups
  local fitted = result(problem, found, opened, parameters, held)
  fitted.left_out = lists.field(problem.left_out or {}, "name")
  return fitted
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
  local tests = "; standard errors and p of the normal distribution"
  if fitted.terms[1] and fitted.terms[1].df then
    tests = fitted.method.options.family == "linear" and "; df by Satterthwaite" or "; df: groups less terms"
  end
  local lines = { ("Groups: %s%s"):format(table.concat(counts, ", "), tests), likelihood.line(fitted) }
  if #fitted.left_out > 0 then
    table.insert(lines, ("Left out, as all their rows have the lowest or the highest outcome: %s"):format(
      table.concat(fitted.left_out, ", ")))
  end
  return table.move(fitted.warnings, 1, #fitted.warnings, #lines + 1, lines)
end

return mixed
