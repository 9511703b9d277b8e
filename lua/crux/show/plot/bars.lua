--- A bar for each name, such as errors of several rules.
local figure = require "crux.show.plot.figure"

---@param data { title: string, label: string, names: string[], values: number[], texts: string[]?, high: number?,
---  is_whole: boolean? }   `values` are at least 0, whole with `is_whole`; `texts` stand beside the bars, three digits of the
---  values unless given; `high` is the end of the axis, the greatest value unless given
---@return Figure
return function(data)
  local boxes, texts, titles = {}, {}, {}
  for i, name in ipairs(data.names) do
    texts[i] = data.texts and data.texts[i] or figure.show(data.values[i])
    boxes[i], titles[i] = { 0, data.values[i], i - 0.32, i + 0.32 }, ("%s: %s"):format(name, texts[i])
  end
  local x = figure.axis(data.label, { data.values }, { from_zero = true, is_whole = data.is_whole })
  x.high = data.high or x.high
  return { title = data.title, description = ("%s, %s. %s."):format(data.title, data.label, table.concat(titles, ", ")),
    x = x, y = figure.rows(data.names, { texts = texts }),
    marks = { { kind = "bars", boxes = boxes, is_flat = true, series = 1, titles = titles } } }
end
