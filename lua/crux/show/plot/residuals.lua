--- What a fit leaves over: residuals against predictions, and against what normal errors would be.
local figure = require "crux.show.plot.figure"
local intervals = require "crux.stats.intervals"

local residuals = {}

---@class Residuals
---@field levels string[]
---@field predictions number[]|userdata
---@field residuals number[]|userdata      standardized: over their standard deviations; NaN for none
---@field target string                    what was fitted
---@field worst integer?                   how many levels are named; 5 unless given

--- What both plots need of the levels that have a residual.
local function of(self)
  local rows, sizes, titles = figure.complete { self.predictions, self.residuals }, {}, {}
  local levels, y = figure.pick(self.levels, rows), figure.pick(self.residuals, rows)
  for i, value in ipairs(y) do
    sizes[i] = math.abs(value)
    titles[i] = ("%s: %s standard deviations"):format(levels[i], figure.show(value))
  end
  local worst = figure.largest(sizes, self.worst or 5)
  return { levels = levels, x = figure.pick(self.predictions, rows), y = y, titles = titles, worst = worst,
    names = figure.pick(levels, worst) }
end

local label = "residual, in standard deviations"

--- Residuals against predictions: a cloud around 0 where the formula has the right shape.
---@param self Residuals
---@return Figure
function residuals.fitted(self)
  local found = of(self)
  local x, y = figure.axis("fitted " .. self.target, { found.x }), figure.axis(label, { found.y, { -1, 1 } })
  return {
    title = ("Residuals of %s"):format(self.target), x = x, y = y,
    description = ("Each of %d points is a level: to the right what the fit says, upwards how far players rated it above. The "
      .. "line follows their middle.%s"):format(#found.x, figure.listed("Largest", found.names)),
    marks = {
      { kind = "line", x = { x.low, x.high }, y = { 0, 0 } },
      { kind = "points", x = found.x, y = found.y, series = 1, titles = found.titles },
      figure.smooth(found.x, found.y, 2),
      { kind = "names", x = figure.pick(found.x, found.worst), y = figure.pick(found.y, found.worst), texts = found.names },
    },
    note = "The line is smooth (lowess); where it leaves 0, the formula misses a bend.",
  }
end

--- The quantile of the normal distribution.
local function normal(share)
  local size = intervals.normal(math.abs(2 * share - 1))
  return share < 0.5 and -size or size
end

--- Residuals in order against the quantiles of the normal distribution, at the places of R's ppoints.
---@param self Residuals
---@return Figure
function residuals.quantiles(self)
  local found = of(self)
  local order, n, x, place = {}, #found.y, {}, {}
  for i = 1, n do order[i] = i end
  table.sort(order, function(a, b)
    if found.y[a] ~= found.y[b] then return found.y[a] < found.y[b] end
    return a < b
  end)
  local shift = n <= 10 and 3 / 8 or 1 / 2
  for i, row in ipairs(order) do
    x[i] = normal((i - shift) / (n + 1 - 2 * shift))
    place[row] = x[i]
  end
  local axis = figure.axis("", { x, found.y, { -1, 1 } })
  return {
    title = ("Residuals of %s against normal ones"):format(self.target), is_square = true,
    description = ("The residuals of %d levels in order, upwards, against those that normally distributed errors would "
      .. "leave.%s"):format(n, figure.listed("Largest", found.names)),
    x = { label = "normal quantile", low = axis.low, high = axis.high },
    y = { label = "residual, in standard deviations", low = axis.low, high = axis.high },
    marks = {
      { kind = "line", x = { axis.low, axis.high }, y = { axis.low, axis.high } },
      { kind = "points", x = x, y = figure.pick(found.y, order), series = 1, titles = figure.pick(found.titles, order) },
      { kind = "names", x = figure.pick(place, found.worst), y = figure.pick(found.y, found.worst), texts = found.names },
    },
    note = "On the line where errors are normal; above it at the right: some levels are far harder than predicted.",
  }
end

return residuals
