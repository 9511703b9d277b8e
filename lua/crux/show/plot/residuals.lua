--- Residuals of a fit, against predictions and against normal quantiles.
local figure = require "crux.show.plot.figure"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local vector = require "libcrux.vector"

local residuals = {}

---@class Residuals
---@field levels string[]
---@field predictions number[]|userdata
---@field residuals number[]|userdata      standardized, that is divided by their standard deviations; NaN for none
---@field target string
---@field worst integer?                   number of named levels; 5 unless given

--- The levels that have a residual.
local function complete(data)
  local columns, row_of = figure.complete { data.predictions, data.residuals }
  local x, y = table.unpack(columns)
  local function level(i) return data.levels[row_of(i)] end
  local function title(i) return ("%s: %s standard deviations"):format(level(i), figure.show(y[i])) end
  local worst = figure.largest(vector.abs(y), data.worst or 5)
  return { x = x, y = y, title = title, worst = worst, names = lists.map(worst, level) }
end

local label = "residual, in standard deviations"

--- Residuals against predictions; they scatter around 0 if the formula has the right shape.
---@param data Residuals
---@return Figure
function residuals.fitted(data)
  local found = complete(data)
  local x, y = figure.axis("fitted " .. data.target, { found.x }), figure.axis(label, { found.y, { -1, 1 } })
  return {
    title = ("Residuals of %s"):format(data.target), x = x, y = y,
    description = ("Each of %d points is a level: to the right what the fit says, upwards how far players rated it above. The "
      .. "line follows their middle.%s"):format(#found.x, figure.listed("Largest", found.names)),
    marks = {
      { kind = "line", x = { x.low, x.high }, y = { 0, 0 } },
      { kind = "points", x = found.x, y = found.y, series = 1, titles = figure.titles(#found.x, found.title) },
      figure.smooth(found.x, found.y, 2),
      { kind = "names", x = lists.pick(found.x, found.worst), y = lists.pick(found.y, found.worst), texts = found.names },
    },
    note = "The line is smooth (lowess); where it leaves 0, the formula misses a bend.",
  }
end

--- The quantile of the normal distribution.
local function normal(share)
  local size = intervals.normal(math.abs(2 * share - 1))
  return share < 0.5 and -size or size
end

local end_limit = 5000 -- points at each end of the order; of more points between them only every second, third ... is drawn

--- Places in an order of n points that a plot shows: all at the ends, as many between them.
local function shown_places(n)
  local places, step = {}, math.max(1, (n - 2 * end_limit) // (2 * end_limit))
  for i = 1, n do
    if i <= end_limit or i > n - end_limit or i % step == 0 then table.insert(places, i) end
  end
  return places
end

--- Residuals in order against the quantiles of the normal distribution, at the places of R's ppoints.
---@param data Residuals
---@return Figure
function residuals.quantiles(data)
  local found = complete(data)
  local n = #found.y
  local order, shift = (-found.y):largest(n), n <= 10 and 3 / 8 or 1 / 2
  local function quantile(place) return normal((place - shift) / (n + 1 - 2 * shift)) end
  local places, quantiles, is_named = shown_places(n), {}, lists.set(found.worst)
  for place = 1, n do
    if is_named[order[place]] then quantiles[order[place]] = quantile(place) end
  end
  local rows, x = order:gather(vector.of(places)), lists.map(places, quantile)
  local axis = figure.axis("", { x, found.y, { -1, 1 } })
  return {
    title = ("Residuals of %s against normal ones"):format(data.target), is_square = true,
    description = ("The residuals of %d levels in order, upwards, against those that normally distributed errors would "
      .. "leave.%s"):format(n, figure.listed("Largest", found.names)),
    x = { label = "normal quantile", low = axis.low, high = axis.high },
    y = { label = "residual, in standard deviations", low = axis.low, high = axis.high },
    marks = {
      { kind = "line", x = { axis.low, axis.high }, y = { axis.low, axis.high } },
      { kind = "points", x = x, y = found.y:gather(rows), series = 1,
        titles = figure.titles(n, function(i) return found.title(rows[i] // 1 | 0) end) },
      { kind = "names", x = lists.pick(quantiles, found.worst), y = lists.pick(found.y, found.worst), texts = found.names },
    },
    note = "On the line where errors are normal; above it at the right: some values are far greater than predicted.",
  }
end

return residuals
