--- How often values occur: ratings, numbers of moves, errors of predictions.
local figure = require "crux.show.plot.figure"
local bins = require "crux.stats.frequencies"
local nice = require "crux.base.nice"

local histogram = {}

--- Bars of the counts of values in bins of a width; a bin has its middle, or else its lower end, at 0.
local function bars(values, width, is_centred)
  local shift = is_centred and 0.5 or 0
  local places = {}
  for i, value in ipairs(values) do places[i] = math.floor(value / width + shift) end
  local mark, tops, said = { kind = "bars", boxes = {}, series = 1, titles = {} }, {}, {}
  for i, row in ipairs(#places > 0 and bins.rows(places, "bin") or {}) do
    local low = (row.bin - shift) * width
    local name = is_centred and figure.show(row.bin * width) or ("%s to %s"):format(figure.show(low), figure.show(low + width))
    mark.boxes[i], tops[i] = { low, low + width, 0, row.count }, row.count
    mark.titles[i] = ("%s: %d"):format(name, row.count)
    if row.count > 0 then table.insert(said, mark.titles[i]) end
  end
  local first, last = mark.boxes[1], mark.boxes[#mark.boxes]
  return mark, figure.axis("levels", { tops }, { from_zero = true, is_whole = true }),
    figure.axis("", { { first and first[1], last and last[2] } }), table.concat(said, ", ")
end

--- The finite ones of a list.
local function finite(values) return figure.pick(values, figure.complete { values }) end

--- Whether all values are whole and lie near enough together for a bar each.
local function has_bar_each(values, low, high)
  for _, value in ipairs(values) do
    if value % 1 ~= 0 then return false end
  end
  return low ~= nil and high - low <= 30 and math.max(-low, high) < 1e9
end

---@param self { values: number[]|userdata, name: string }   of levels; NaN for none
---@return Figure
function histogram.values(self)
  local values = finite(self.values)
  local low, high = figure.range { values }
  local is_whole = has_bar_each(values, low, high)
  local mark, y, x, said = bars(values, is_whole and 1 or nice.width(low or 0, high or 0), is_whole)
  x.label, x.is_whole = self.name, is_whole
  return { title = ("Distribution of %s"):format(self.name), x = x, y = y, marks = { mark },
    description = ("Numbers of levels by %s. %s."):format(self.name, said) }
end

---@param self { values: number[]|userdata, predictions: number[]|userdata, target: string, how: string? }   as those of
---  plot.predicted
---@return Figure
function histogram.errors(self)
  local errors, over, under, sum = {}, 0, 0, 0
  for i, row in ipairs(figure.complete { self.values, self.predictions }) do
    errors[i] = self.values[row] - self.predictions[row]
    over, under = over + (errors[i] < 0 and 1 or 0), under + (errors[i] > 0 and 1 or 0)
    sum = sum + math.abs(errors[i])
  end
  local low, high = figure.range { errors }
  local mark, y, x, said = bars(errors, nice.width(low or 0, high or 0), true)
  x.label = ("error of %s: rated minus predicted"):format(self.target)
  return {
    title = ("Errors in predicting %s"):format(self.target), x = x, y = y,
    marks = { mark, { kind = "line", x = { 0, 0 }, y = { 0, y.high } } },
    description = ("Numbers of levels by the error. %s."):format(said),
    note = ("%sPredicted too low: %d, too high: %d; off by %s on average."):format(
      self.how and self.how:gsub("^%l", string.upper) .. ". " or "", under, over, figure.show(sum / math.max(1, #errors))),
  }
end

return histogram
