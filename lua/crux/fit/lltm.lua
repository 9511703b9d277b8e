--- The fit `lltm`: Rasch's model whose difficulties are measures and a residual (Fischer 1973; Janssen et al. 2004).
local effects = require "crux.fit.mixed.effects"
local fault = require "crux.base.fault"
local item_response = require "crux.fit.item_response"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local quadrature = require "libcrux.quadrature"
local sizes = require "libcrux.sizes"
local vector = require "libcrux.vector"

local lltm = {
  name = "lltm",
  doc = "linear logistic test model with residuals: Rasch's model whose difficulties are the terms, measures of levels, plus a "
    .. "normal residual; solved ~ size + (1 | player) + (1 | level); standard errors, z, p, and the share of the variance of "
    .. "difficulties that the terms explain; predicts the probability that a player in the middle solves the level",
  takes_groups = true,
  parameters = { "theta" },
  figures = { "explained", "level_variance", "log_likelihood", "aic", "bic" },
}

--- The greatest standard deviation of residuals that is searched, in logits.
lltm.most = 30

--- Steps of the search for the greatest likelihood; each divides the distance by about 10.
lltm.max_steps = 20

--- The columns of the terms by level. Refuses terms that differ among the plays of a level.
---@param kept integer[]   numbers of the terms
local function columns_of(problem, plays, kept)
  return lists.map(kept, function(term)
    local column, values = problem.frames.columns[term], {}
    for row = 1, #column do
      local level = plays.level[row] // 1 | 0
      values[level] = values[level] or column[row]
      if values[level] ~= column[row] then
        fault.at(("%s: level %s"):format(problem.where, fault.show(plays.levels[level].level)), ("the term '%s' with %s and %s")
          :format(problem.formula.terms[term].name, number.exact(values[level]), number.exact(column[row])),
          "one value for all plays of a level")
      end
    end
    return vector.of(values)
  end)
end

--- The point of an interval where a function with a single maximum is largest, by golden sections.
local function maximum(low, high, at)
  local golden = (math.sqrt(5) - 1) / 2
  local a, b = high - golden * (high - low), low + golden * (high - low)
  local value_a, value_b = at(a), at(b)
  while high - low > 1e-5 do
    if value_a > value_b then
      high, b, value_b = b, a, value_a
      a = high - golden * (high - low)
      value_a = at(a)
    else
      low, a, value_a = a, b, value_b
      b = low + golden * (high - low)
      value_b = at(b)
    end
  end
  return (low + high) / 2
end

--- The standard deviation of residuals that maximises the restricted likelihood, in which Laplace's approximation integrates
--- out all other parameters; and the estimates of these.
---@return table found      as item_response.solve returns it
---@return number deviation
local function explain(plays, columns, where)
  local start = vector.of(item_response.start(plays, 1, #columns))
  local function at(log_deviation)
    local found = item_response.solve(plays, { slopes = "common", columns = columns, precision = math.exp(-2 * log_deviation),
      start = start }, where)
    if found.converged then start = found.parameters end
    return found
  end
  local best = maximum(math.log(item_response.least), math.log(lltm.most), function(log_deviation)
    local found = at(log_deviation)
    return found.converged and found.objective - found.log_determinant / 2 or -math.huge
  end)
  return at(best), math.exp(best)
end

--- The abilities' standard deviation and the coefficients that maximise the likelihood at a standard deviation of residuals.
--- The parameters of `explain` maximise it jointly with the easiness of levels, which draws coefficients towards 0; here
--- Laplace's approximation integrates the easiness out, as in glmer of R's lme4. Newton's method, with the gradient by
--- differences and the covariances of `explain`.
---@param found table   of `explain`
---@return number[]     the standard deviation, then the coefficients
---@return table        estimates of libcrux.item_response at these
local function marginal(plays, columns, found, deviation, where)
  local count, size, held = #plays.levels, #columns + 1, nil
  local function at(estimates)
    local start = {}
    for i = 1, count do start[i] = (held or found).parameters[i] end
    held = item_response.solve(plays, { slopes = "common", columns = columns, precision = deviation ^ -2, holds = true,
      start = vector.of(table.move(estimates, 1, size, count + 1, start)) }, where)
    return held.objective - held.level_determinant / 2
  end
  local estimates, errors = {}, {}
  for i = 1, size do
    estimates[i], errors[i] = found.parameters[count + i], math.sqrt(found.covariance(count + i, count + i))
  end
  for _ = 1, found.converged and lltm.max_steps or 0 do
    local gradient, longest = {}, 0
    for i = 1, size do
      local known, reach = estimates[i], errors[i] / 100
      estimates[i] = known + reach
      local above = at(estimates)
      estimates[i] = known - reach
      gradient[i], estimates[i] = (above - at(estimates)) / (2 * reach), known
    end
    for i = 1, size do
      local step = 0
      for k = 1, size do step = step + found.covariance(count + i, count + k) * gradient[k] end
      estimates[i], longest = estimates[i] + step, math.max(longest, math.abs(step) / errors[i])
    end
    if longest < 1e-5 then break end
  end
  at(estimates)
  return estimates, held
end

---@class Lltm: ItemResponse
---@field explained number?        share of the variance of difficulties that the terms explain; nil without terms
---@field level_variance number    of difficulties, without terms

---@return Lltm
function lltm.fit(problem)
  item_response.check(problem)
  if lists.all_equal(problem.frames.target) then
    fault.at(problem.where, ("%s in all rows"):format(fault.show(problem.frames.target[1])), "both outcomes, 0 and 1")
  end
  local plays, where = item_response.plays(problem, problem.frames), problem.where
  local kept, aliased = linear_fit.independent(problem)
  local count, columns = #plays.levels, columns_of(problem, plays, kept)
  if count <= #kept then
    fault.at(where, number.count(count, "level"), ("more than the formula has terms, %d"):format(#kept))
  end
  local found, deviation = explain(plays, columns, where)
  local estimates, levels = marginal(plays, columns, found, deviation, where)
  local spread, easiness = table.remove(estimates, 1), vector.fill(count, 0)
  for k, column in ipairs(columns) do easiness = easiness + estimates[k] * column end
  for k, row in ipairs(plays.levels) do
    row.difficulty, row.predicted, row.std_error = -levels.parameters[k], -easiness[k], math.sqrt(levels.covariance(k, k))
  end
  local fitted = linear_fit.fitted(problem, kept, estimates, aliased)
  local greatest = { estimates = { spread, deviation, table.unpack(estimates) }, errors = {}, converged = levels.converged,
    iterations = found.iterations, value = levels.objective - levels.level_determinant / 2 }
  for k in ipairs(columns) do greatest.errors[k] = math.sqrt(levels.covariance(count + 1 + k, count + 1 + k)) end
  likelihood.add_tests(fitted, greatest, problem.frames.rows, lists.map(kept, function() return count - #kept end))
  fitted.trouble = not levels.converged and "no greatest likelihood" or nil
  fitted.left_out, fitted.has_intervals = {}, false
  fitted.tables = item_response.tables(plays, levels, spread, { "difficulty", "std_error", "predicted" })
  fitted.component_keys = item_response.component_keys
  fitted.components = { item_response.component("player", spread, math.sqrt(levels.covariance(count + 1, count + 1))),
    item_response.component("level", deviation) }
  local _, without = explain(plays, { vector.fill(count, 1) }, where)
  fitted.level_variance = without ^ 2
  fitted.explained = #kept > 1 and 1 - (deviation / without) ^ 2 or nil
  local deviations = { player = spread, level = deviation }
  fitted.parameters = { theta = lists.map(problem.formula.groupings, function(one) return deviations[one.name] end) }
  function fitted.players()
    local abilities = {}
    for _, row in ipairs(plays.players) do abilities[row.player] = row.ability end
    return abilities
  end
  return fitted
end

function lltm.predict(linear) return 1 / (1 + vector.exp(-linear)) end

function lltm.ease() return 1 end

--- The same model of the fit mixed.
local function as_mixed(model) return setmetatable({ method = { options = { family = "logistic" } } }, { __index = model }) end

--- The most probable effects of groups, as in that model.
function lltm.effects(model, problem, needs_errors) return effects.of(as_mixed(model), problem, needs_errors) end

--- Their standard errors, as in that model.
function lltm.errors(model, problem, sums) return effects.errors(as_mixed(model), problem, sums) end

--- The logarithms of the probabilities of outcomes of new players on new levels.
function lltm.log_densities(model, part)
  local nodes, weights = quadrature.normal(sizes.quadrature_nodes)
  local linear = model.formula:combine(part.columns, model.coefficients, part.rows, part.offset)
  local theta, share = model.parameters.theta, 0
  local spread = math.sqrt(theta[1] ^ 2 + theta[2] ^ 2)
  for i = 1, #nodes do share = share + weights[i] * lltm.predict(linear + spread * nodes[i]) end
  return part.target * vector.log(share) + (1 - part.target) * vector.log(1 - share)
end

--- The lines below the table of terms.
---@param fitted Lltm
function lltm.notes(fitted)
  local lines = item_response.notes(fitted)
  if fitted.explained then
    table.insert(lines, ("The terms explain %.1f %% of the variance of difficulties, %s without terms"):format(
      100 * fitted.explained, likelihood.show(fitted.level_variance)))
  end
  return lines
end

return lltm
