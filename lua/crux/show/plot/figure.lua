--- Figures: axes and marks of plots in the units of the data, which crux.show.plot.picture and crux.show.plot.characters draw.
local lists = require "crux.base.lists"
local lowess = require "crux.stats.lowess"
local nice = require "crux.base.nice"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local figure = {}

---@class Figure
---@field title string
---@field description string    for screen readers
---@field x Axis
---@field y Axis
---@field marks Mark[]          drawn in this order
---@field series string[]?      names of several series, in the order of their numbers
---@field note string?          below the figure
---@field is_square boolean?    as high as wide

---@class Axis
---@field label string?
---@field low number            at its left or lower end; greater than `high` if values fall
---@field high number
---@field is_whole boolean?     ticks at whole numbers only
---@field names string[]?       of an axis of rows, from the top: row i is at i
---@field texts string[]?       at the right end of each row
---@field lines integer?        lines of text per row; 1 unless given

---@alias Mark Points|PlotLine|Bars|Names

---@class Points
---@field kind "points"
---@field x number[]|userdata
---@field y number[]|userdata
---@field series integer        number of the series
---@field titles string[]?      tooltips, in pictures

---@class PlotLine
---@field kind "line"
---@field x number[]
---@field y number[]
---@field series integer?       nil for a guide line

---@class Bars
---@field kind "bars"
---@field boxes { [1]: number, [2]: number, [3]: number, [4]: number }[]   x from, x to, y from, y to
---@field is_flat boolean?      from left to right instead of upwards
---@field series integer
---@field titles string[]?

---@class Names
---@field kind "names"
---@field x number[]
---@field y number[]            of the named points
---@field texts string[]        the names; the first ones are placed first

local function as_vector(values) return type(values) == "table" and vector.of(values) or values end

--- The columns as vectors without the rows in which one is not finite, and a function that tells the row of the i-th one left.
---@param columns (number[]|userdata)[]   of one length
---@return userdata[]
---@return fun(i: integer): integer
function figure.complete(columns)
  local vectors, sum = lists.map(columns, as_vector), 0
  for _, values in ipairs(vectors) do sum = sum + values * 0 end -- NaN where a number is not finite
  local rows = vector.complete { sum }
  if not rows then return vectors, function(i) return i end end
  return lists.map(vectors, function(values) return values:gather(rows) end), function(i) return rows[i] // 1 | 0 end
end

--- The least and the greatest finite number of some columns; nil if there is none.
---@param columns (number[]|userdata)[]
---@return number?
---@return number?
function figure.range(columns)
  local low, high
  for _, values in ipairs(columns) do
    local least, most = figure.complete { values }[1]:range()
    if least then low, high = math.min(low or least, least), math.max(high or most, most) end
  end
  return low, high
end

local margin = 0.04 -- at each end of an axis, as a share of its range
local largest = 0x1.fffffffffffffp1023 -- double
local smallest = 1e-300 -- range that can be divided without loss of precision

--- An axis that shows all finite numbers of some lists, with a margin around them.
---@param columns number[][]
---@param options { is_whole: boolean?, from_zero: boolean? }?   `from_zero`: begins at 0 without a margin
function figure.axis(label, columns, options)
  options = options or {}
  local low, high = figure.range(columns)
  low, high = (low or 0) + 0.0, (high or 1) + 0.0
  if options.from_zero then low = 0.0 end
  if high / 2 - low / 2 < smallest then
    local reach = math.max(math.abs(low), math.abs(high)) < smallest and 1 or math.abs(low) / 2
    low, high = options.from_zero and low or low - reach, high + reach
  end
  local gap = margin * (high / 2 - low / 2) * 2
  return { label = label, low = options.from_zero and low or math.max(low - gap, -largest),
    high = math.min(high + gap, largest), is_whole = options.is_whole }
end

--- An axis with a row for each name, from the top.
---@param options { texts: string[]?, lines: integer? }?
function figure.rows(names, options)
  options = options or {}
  return { low = math.max(#names, 1) + 0.5, high = 0.5, names = names, texts = options.texts, lines = options.lines }
end

--- A function from values on an axis to places; the ends of the axis are at `first` and `last`.
function figure.scale(axis, first, last)
  local low, high = axis.low / 2, axis.high / 2 -- so that differences do not overflow
  return function(value) return first + (value / 2 - low) / (high - low) * (last - first) end
end

--- The greatest number of ticks, up to a limit, whose texts have room on an axis.
---@param width fun(text: string): number   of a text with the gap between texts
function figure.ticks(axis, limit, room, width)
  local ticks = nice.ticks(axis.low, axis.high, limit, axis.is_whole)
  local is_crowded = lists.widest(lists.field(ticks, "text"), width) * #ticks > room
  return limit > 2 and is_crowded and figure.ticks(axis, limit - 1, room, width) or ticks
end

--- A number in a sentence, with three digits.
function figure.show(value)
  return math.abs(value) >= 1000 and math.abs(value) < 1e7 and ("%.0f"):format(value) or ("%.3g"):format(value)
end

local finest = 1 / 400 -- of the range; nearer points of a smooth line are left out
local smoothing_limit = 10000 -- points, which take about a second

--- The smooth line through points, as a mark; beyond the limit it is that of every second, third ... point.
---@param x number[]|userdata   finite
---@param y number[]|userdata   finite
function figure.smooth(x, y, series)
  local rows = {}
  for row = 1, #x, math.max(1, math.ceil(#x / smoothing_limit)) do table.insert(rows, row) end
  x, y = lists.pick(x, rows), lists.pick(y, rows)
  local mark, values, line = { kind = "line", x = {}, y = {}, series = series }, lowess(x, y)
  for i = 1, #values do
    local value = values[i]
    local last = mark.x[#mark.x]
    local is_apart = not last or i == #values or value - last > finest * (values[#values] - values[1])
    if is_apart and value ~= last and number.is_finite(line[i]) then
      table.insert(mark.x, value)
      table.insert(mark.y, line[i])
    end
  end
  return mark
end

figure.title_limit = 500 -- points of a series; more points have no titles and share one path

--- Titles of points; nil if there are too many points.
---@param title fun(i: integer): string
---@return string[]?
function figure.titles(count, title)
  if count > figure.title_limit then return nil end
  local titles = {}
  for i = 1, count do titles[i] = title(i) end
  return titles
end

--- A sentence that lists names, with a space in front; "" if there are none.
function figure.listed(heading, names)
  return #names > 0 and (" %s: %s."):format(heading, table.concat(names, ", ")) or ""
end

--- A text with a capital letter in front.
function figure.capital(text) return (text:gsub("^%l", string.upper)) end

--- A text as a sentence of a note, with a space behind; "" for nil.
---@param text string?
function figure.sentence(text) return text and figure.capital(text) .. ". " or "" end

--- The places of the largest sizes, in descending order; of equal ones the first come first, NaN last.
---@param sizes number[]|userdata
function figure.largest(sizes, count)
  return lists.map(as_vector(sizes):largest(count), function(row) return row // 1 | 0 end)
end

return figure
