--- The variances and correlations of groups' effects, from the estimated triangles.
local lists = require "crux.base.lists"

local components = {}

--- lme4's bound of singular fits, for the diagonal of theta.
local least_theta = 1e-4

---@class Component        a line of the table of variances
---@field group string
---@field term string?
---@field variance number
---@field deviation number
---@field correlation number?   with the first effect of its group; correlation_2 with the second, ...

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
function components.add(fitted, frames, theta, variance, fixed)
  local next_theta, total = 1, variance
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
        total = total + found[a][b] * (frames.groupings[i].values[a] * frames.groupings[i].values[b]):sum() / frames.rows
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
  return total
end

return components
