--- What a plot shows, before it is drawn: axes and marks in the units of the data. Drawn by crux.plot.picture and
--- crux.plot.characters.
local lowess = require "crux.stats.lowess"
local number = require "crux.base.number"

local figure = {}

---@class Figure
---@field title string
---@field description string    what it shows, in words, for who cannot see it
---@field x Axis
---@field y Axis
---@field marks Mark[]          drawn in this order
---@field series string[]?      names of several series, in the order of their numbers
---@field note string?          stands below
---@field is_square boolean?    as high as wide

---@class Axis
---@field label string?
---@field low number            what is at its left or lower end; greater than `high` where values fall
---@field high number
---@field is_whole boolean?     ticks at whole numbers only
---@field names string[]?       of an axis of rows, from the top: row i is at i
---@field texts string[]?       what stands at the right end of each row
---@field lines integer?        how many lines of its own a row has; 1 unless given

---@alias Mark Points|Line|Bars|Names

---@class Points
---@field kind "points"
---@field x number[]
---@field y number[]
---@field series integer        number of the series
---@field titles string[]?      says what each is, where a picture can

---@class Line
---@field kind "line"
---@field x number[]
---@field y number[]
---@field series integer?       none: a guide for the eye

---@class Bars
---@field kind "bars"
---@field boxes { [1]: number, [2]: number, [3]: number, [4]: number }[]   x from, x to, y from, y to
---@field is_flat boolean?      from left to right rather than upwards
---@field series integer
---@field titles string[]?

---@class Names
---@field kind "names"
---@field x number[]
---@field y number[]            of the points that have names
---@field texts string[]        the first has the first choice of places

--- The least and greatest finite number of some lists; nil where there is none.
---@param lists number[][]
---@return number?
---@return number?
function figure.range(lists)
  local low, high
  for _, list in ipairs(lists) do
    for i = 1, #list do
      local value = list[i]
      if number.is_finite(value) then low, high = math.min(low or value, value), math.max(high or value, value) end
    end
  end
  return low, high
end

local margin = 0.04 -- of an axis that is free at both ends
local largest = 0x1.fffffffffffffp1023 -- of doubles
local smallest = 1e-300 -- ranges that divide as others do

--- An axis that shows all finite numbers of some lists, with a margin around them.
---@param label string
---@param lists number[][]
---@param options { is_whole: boolean?, from_zero: boolean? }?   `from_zero`: it begins at 0, and has no margin there
---@return Axis
function figure.axis(label, lists, options)
  options = options or {}
  local low, high = figure.range(lists)
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
---@param names string[]
---@param options { texts: string[]?, lines: integer?, label: string? }?
---@return Axis
function figure.rows(names, options)
  options = options or {}
  return { label = options.label, low = math.max(#names, 1) + 0.5, high = 0.5, names = names, texts = options.texts,
    lines = options.lines }
end

--- A function from values on an axis to places, of which the axis' ends have `first` and `last`.
---@param axis Axis
function figure.scale(axis, first, last)
  local low, high = axis.low / 2, axis.high / 2 -- lest differences overflow
  return function(value) return first + (value / 2 - low) / (high - low) * (last - first) end
end

--- The numbers of the rows in which all lists have a finite number.
---@param lists number[][]
---@return integer[]
function figure.complete(lists)
  local rows = {}
  for row = 1, lists[1] and #lists[1] or 0 do
    local whole = true
    for _, list in ipairs(lists) do whole = whole and number.is_finite(list[row]) end
    if whole then table.insert(rows, row) end
  end
  return rows
end

--- Some items of a list.
---@param list any[]|userdata
---@param rows integer[]
function figure.pick(list, rows)
  local chosen = {}
  for i, row in ipairs(rows) do chosen[i] = list[row] end
  return chosen
end

--- A number as words have it: three digits.
function figure.show(value)
  return math.abs(value) >= 1000 and math.abs(value) < 1e7 and ("%.0f"):format(value) or ("%.3g"):format(value)
end

local finest = 1 / 400 -- of the range: nearer points of a smooth line are left out

local most_smoothed = 10000 -- points, a second's work

--- The smooth line through points, as a mark. Where there are very many points it is that of every second, third ...
---@param x number[]   finite, like the next
---@param y number[]
---@param series integer
---@return Line
function figure.smooth(x, y, series)
  if #x > most_smoothed then
    local rows = {}
    for row = 1, #x, math.ceil(#x / most_smoothed) do table.insert(rows, row) end
    x, y = figure.pick(x, rows), figure.pick(y, rows)
  end
  local mark, values, line = { kind = "line", x = {}, y = {}, series = series }, lowess(x, y)
  for i, value in ipairs(values) do
    local last = mark.x[#mark.x]
    local is_apart = not last or i == #values or value - last > finest * (values[#values] - values[1])
    if is_apart and value ~= last and number.is_finite(line[i]) then
      table.insert(mark.x, value)
      table.insert(mark.y, line[i])
    end
  end
  return mark
end

--- A sentence that lists names; nothing where there are none.
---@param what string
---@param names string[]
function figure.listed(what, names)
  return #names > 0 and (" %s: %s."):format(what, table.concat(names, ", ")) or ""
end

--- The places of the largest sizes, of equals those before first.
---@param sizes number[]
---@param count integer
---@return integer[]
function figure.largest(sizes, count)
  local order = {}
  for i in ipairs(sizes) do order[i] = i end
  table.sort(order, function(a, b)
    if sizes[a] ~= sizes[b] then return sizes[a] > sizes[b] end
    return a < b
  end)
  return table.move(order, 1, math.min(count, #order), 1, {})
end

return figure
