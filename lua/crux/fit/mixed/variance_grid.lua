--- Integrates what a mixed model says over standard deviations of groupings that the data tell only roughly: on a grid, with a
--- flat prior of these deviations (Rue, Martino and Chopin 2009), by Laplace's approximation at each point.
local vector = require "libcrux.vector"

local variance_grid = {}

--- From so many groups on, a grouping's deviation counts as known: its own error, about 1 / sqrt(2 * 500) or 3 %, changes
--- errors of effects by less than 1 %.
variance_grid.many_groups = 500

--- Points of an axis. The density is smooth, and falls by `depth` (a factor of exp(-5)) at the ends, about 3.2 deviations away.
local points <const>, depth <const> = 9, 5

--- The most groupings that are integrated over: each makes the grid 9 times larger.
local most_axes <const> = 3

---@class GridPoint
---@field log_density number
---@field scale number           of the variances: the mean variance of residuals in linear models, else 1
---@field sums ModelSum[]        with means and variances

--- The end of an axis on one side: a deviation at which the density has fallen far enough, or 0, or 20 times where it started.
local function reach(theta, axis, side, density)
  local start, top = theta[axis], density()
  local step = math.max(start / 4, 0.05)
  repeat
    theta[axis] = math.max(start + side * step, 0)
    step = step * 1.4
  until theta[axis] == 0 or step > 20 * math.max(start, 1) or density() < top - depth
  local found = theta[axis]
  theta[axis] = start
  return found
end

--- The mean and the variance of sums of effects, integrated over the deviations of some groupings.
---@param theta number[]    the estimates; unchanged when this returns
---@param axes integer[]    the numbers of the thetas to integrate over, those of the fewest groups first
---@param at fun(theta: number[]): GridPoint?   nil where there is no likelihood
---@return { mean: userdata, variance: userdata }[]   of each of the sums
function variance_grid.integrate(theta, axes, at)
  local count = math.min(#axes, most_axes)
  local function density()
    local point = at(theta)
    return point and point.log_density or -math.huge
  end
  local grid, totals, weight_sum, top = {}, {}, 0, density()
  for k = 1, count do
    local low, high = reach(theta, axes[k], -1, density), reach(theta, axes[k], 1, density)
    grid[k] = {}
    for i = 1, points do grid[k][i] = low + (high - low) * (i - 0.5) / points end
  end
  local function visit(k)
    if k > count then
      local point = at(theta)
      local weight = point and math.exp(point.log_density - top) or 0
      weight_sum = weight_sum + weight
      for i, sum in ipairs(weight > 0 and point.sums or {}) do
        local total = totals[i] or { first = 0, second = 0 }
        total.first = total.first + weight * sum.means
        total.second = total.second + weight * (point.scale * sum.variances + sum.means ^ 2)
        totals[i] = total
      end
      return
    end
    local start = theta[axes[k]]
    for _, value in ipairs(grid[k]) do
      theta[axes[k]] = value
      visit(k + 1)
    end
    theta[axes[k]] = start
  end
  visit(1)
  local found = {}
  for i, total in ipairs(totals) do
    local mean = total.first / weight_sum
    found[i] = { mean = mean, variance = vector.max(total.second / weight_sum - mean ^ 2, 0) }
  end
  return found
end

return variance_grid
