--- The effects of groups in a mixed model, and their standard errors.
local design = require "crux.fit.mixed.design"
local families = require "crux.fit.mixed.families"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local primitive = require "libcrux.mixed"
local variance_grid = require "crux.fit.mixed.variance_grid"
local vector = require "libcrux.vector"

local effects = {}

---@class GroupEffects
---@field name string          of the grouping
---@field names string[]       of the groups
---@field effects number[][]   of each group
---@field errors number[][]?   standard errors, given all parameters

--- The most probable effects of groups at the parameters of a fitted model (empirical Bayes).
---@param model Fitted|Rule
---@param problem Problem       with the frames of the rows, which need not be those of the fit
---@param needs_errors boolean?
---@return GroupEffects[]
function effects.of(model, problem, needs_errors)
  local family, parameters = families.of(model.method.options), model.parameters
  problem.options = model.method.options
  design.leave_out(problem)
  local frames, fixed = problem.frames, problem.options.fixed
  local list, names = design.groupings(model.formula, frames, fixed)
  local is_linear = family.density == "normal"
  local linear = model.formula:combine(frames.columns, model.coefficients, frames.rows, not is_linear and frames.offset or nil)
  local count = #design.start_thetas(model.formula, fixed)
  if type(parameters.theta) ~= "table" or #parameters.theta ~= count then
    fault.at("parameter 'theta'", "something else", ("a list of %s"):format(number.count(count, "number")))
  end
  local opened <close> = design.expect(problem.where, primitive.new { family = family.density, columns = {},
    response = family.response(problem, parameters), weights = frames.weights, offset = linear,
    censored = design.marks(problem.options, frames), groupings = list })
  local sums = {}
  for i, one in ipairs(needs_errors and list or {}) do
    sums[i] = {}
    for k = 1, #one.columns do sums[i][k] = effects.each(i, k, one.groups, #one.columns, {}) end
  end
  local modes = design.expect(problem.where, opened:modes { theta = vector.of(parameters.theta),
    extras = vector.of(family.extras(parameters)), sums = needs_errors and lists.concat(table.unpack(sums)) })
  local unit, at, found = is_linear and parameters.sigma or 1, 0, {}
  for i, described in ipairs(model.formula.groupings) do
    local one = { name = described.name, names = names[i], effects = {}, errors = needs_errors and {} }
    for group = 1, #names[i] do
      one.effects[group] = {}
      for k = 1, #described.effects do one.effects[group][k] = modes[at + k] end
      at = at + #described.effects
      if needs_errors then
        one.errors[group] = lists.map(sums[i], function(sum) return unit * math.sqrt(sum.variances[group]) end)
      end
    end
    found[i] = one
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
function effects.each(place, effect, groups, count, columns)
  local values, order = {}, {}
  for k = 1, count do values[k] = vector.fill(groups, k == effect and 1 or 0) end
  for group = 1, groups do order[group] = group end
  return { rows = groups, columns = columns, grouping = place, group = vector.of(order), values = values }
end

--- A function that gives the point of libcrux.mixed at thetas, and sets the means and variances of sums.
---@param object userdata     of libcrux.mixed
---@param sums ModelSum[]     with the columns of the orthonormal terms
---@param expected boolean    means and variances rather than modes and curvatures there
---@return fun(theta: number[]): number?, number, number   log_effects, log_fixed and value; nil where there is none
function effects.point(object, sums, extras, expected)
  return function(theta)
    local found, of_effects, of_fixed, value = object:modes { theta = vector.of(theta), extras = extras, sums = sums,
      expected = expected }
    if not found then return nil end
    return of_effects, of_fixed, value
  end
end

--- The thetas of groupings of one effect, of fewer groups than count as many, those of the fewest groups first.
local function uncertain_thetas(opened, formula, fixed)
  local axes, groups, next_theta = {}, {}, 1
  for i, described in ipairs(formula.groupings) do
    local count = #design.start_thetas({ groupings = { described } }, fixed)
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
---@param problem Problem      of effects.of
---@param sums ModelSum[]      with columns of all terms
---@return userdata[]          of each sum
function effects.errors(model, problem, sums)
  local parameters, options, family = model.parameters, problem.options, families.of(problem.options)
  local opened = design.open(problem, parameters)
  local object <close> = opened.object
  local columns_of = function(sum)
    local columns = design.orthonormal(lists.pick(sum.columns, opened.kept), opened.least_squares.inverse)
    if opened.dropped == 1 then table.remove(columns, 1) end
    return lists.merge(sum, { columns = columns })
  end
  local own = lists.map(sums, columns_of)
  local extras = vector.of(family.extras(parameters))
  local theta, axes = lists.copy(parameters.theta), uncertain_thetas(opened, model.formula, options.fixed)
  local is_linear = options.family == "linear"
  local free = problem.frames.rows - #opened.kept - #axes - opened.fixed_groups
  local is_found, _, squares = effects.point(object, own, extras, false)(theta)
  if not is_found then fault.at(problem.where, "numbers too large or too small to fit", "others") end
  if is_linear and #axes == 0 then -- all variances count as known but that of the residuals
    return lists.map(own, function(sum) return vector.sqrt(squares / math.max(free - 3, 1) * sum.variances) end)
  end
  local estimates, point = lists.field(own, "means"), effects.point(object, own, extras, true)
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

--- The effects of players, by their names: numbers, or with several effects lists of numbers; nil without a grouping by player.
---@param groups GroupEffects[]
---@return table<string, number|number[]>?
function effects.players(groups)
  for _, one in ipairs(groups) do
    if one.name == "player" then
      local players = {}
      for i, name in ipairs(one.names) do players[name] = #one.effects[i] > 1 and one.effects[i] or one.effects[i][1] end
      return players
    end
  end
end

return effects
