--- Histograms of values and of errors of predictions.
local bars_of_names = require "crux.show.plot.bars"
local frequencies = require "crux.stats.frequencies"
local figure = require "crux.show.plot.figure"
local lists = require "crux.base.lists"
local nice = require "crux.base.nice"
local vector = require "libcrux.vector"

local histogram = {}

--- Bars of the counts of values in bins of equal width; one bin has its centre, or its lower end, at 0. Returns the mark, both
--- axes and the counts in words.
---@param rows string?   the name of the counted things; "levels" unless given
local function bars(values, width, is_centred, rows)
  local shift = is_centred and 0.5 or 0
  local places = vector.floor(values / width + shift)
  local mark, tops, filled = { kind = "bars", boxes = {}, series = 1, titles = {} }, {}, {}
  for i, row in ipairs(#places > 0 and frequencies.rows(places, "bin") or {}) do
    local low = (row.bin - shift) * width
    local name = is_centred and figure.show(row.bin * width) or ("%s to %s"):format(figure.show(low), figure.show(low + width))
    mark.boxes[i], tops[i] = { low, low + width, 0, row.count }, row.count
    mark.titles[i] = ("%s: %d"):format(name, row.count)
    if row.count > 0 then table.insert(filled, mark.titles[i]) end
  end
  local first, last = mark.boxes[1], mark.boxes[#mark.boxes]
  return mark, figure.axis(rows or "levels", { tops }, { from_zero = true, is_whole = true }),
    figure.axis("", { { first and first[1], last and last[2] } }), table.concat(filled, ", ")
end

--- Returns true if all values are whole and their range is small enough for a bar for each value.
local function has_bar_each(values, low, high)
  for _, value in ipairs(values) do
    if value % 1 ~= 0 then return false end
  end
  return low ~= nil and high - low <= 30 and math.max(-low, high) < 1e9
end

--- A bar for each text, the most frequent first.
local function of_texts(data)
  local counts = {}
  for _, text in ipairs(data.texts) do counts[text] = (counts[text] or 0) + 1 end
  local names = lists.sort(lists.keys(counts), function(text) return -counts[text] end)
  local values = lists.pick(counts, names)
  return bars_of_names { title = ("Distribution of %s"):format(data.name), label = data.rows or "levels", names = names,
    values = values, texts = lists.map(values, tostring), is_whole = true }
end

---@param data { values: number[]|userdata|nil, texts: string[]?, name: string, rows: string? }   values, NaN for none, or
---                                 texts, of which none is missing; `rows` is what has them, levels unless given
---@return Figure
function histogram.values(data)
  if data.texts then return of_texts(data) end
  local values = figure.complete { data.values }[1]
  local low, high = figure.range { values }
  local is_whole = has_bar_each(values, low, high)
  local mark, y, x, counts = bars(values, is_whole and 1 or nice.width(low or 0, high or 0), is_whole, data.rows)
  x.label, x.is_whole = data.name, is_whole
  return { title = ("Distribution of %s"):format(data.name), x = x, y = y, marks = { mark },
    description = ("Numbers of %s by %s. %s."):format(data.rows or "levels", data.name, counts) }
end

---@param data { values: number[]|userdata, predictions: number[]|userdata, target: string, how: string? }   see plot.predicted
---@return Figure
function histogram.errors(data)
  local complete = figure.complete { data.values, data.predictions }
  local errors = complete[1] - complete[2]
  local low, high = figure.range { errors }
  local mark, y, x, counts = bars(errors, nice.width(low or 0, high or 0), true)
  x.label = ("error of %s: rated minus predicted"):format(data.target)
  return {
    title = ("Errors in predicting %s"):format(data.target), x = x, y = y,
    marks = { mark, { kind = "line", x = { 0, 0 }, y = { 0, y.high } } },
    description = ("Numbers of levels by the error. %s."):format(counts),
    note = ("%sPredicted too low: %d, too high: %d; off by %s on average."):format(
      figure.sentence(data.how), vector.less(0, errors):sum() // 1, vector.less(errors, 0):sum() // 1,
      figure.show(vector.abs(errors):sum() / math.max(1, #errors))),
  }
end

return histogram
