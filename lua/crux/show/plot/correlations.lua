--- Correlations of measures with targets: a row for each measure, a point for each target (as in Mutser 2014, figures 8 to 10).
local figure = require "crux.show.plot.figure"
local number = require "crux.base.number"

---@param data { measures: string[], targets: string[], values: table<string, table<string, number>>, coefficient: string }
---  `values` are correlations by target and measure, NaN for none; `coefficient` is "Pearson" or another name
---@return Figure
return function(data)
  local series, sentences = #data.targets, {}
  local marks, texts = { { kind = "line", x = { 0, 0 }, y = { #data.measures + 0.5, 0.5 } } }, {}
  for s, target in ipairs(data.targets) do
    local points, offset = { kind = "points", x = {}, y = {}, series = s, titles = {} }, (s - (series + 1) / 2) / (series + 0.5)
    for i, measure in ipairs(data.measures) do
      local value = data.values[target][measure]
      local text = number.is_finite(value) and ("%.2f"):format(value) or "none"
      table.insert(sentences, ("%s with %s: %s"):format(measure, target, text))
      texts[i] = text
      if number.is_finite(value) then
        table.insert(marks, { kind = "line", x = { 0, value }, y = { i + offset, i + offset }, series = s })
        table.insert(points.x, value)
        table.insert(points.y, i + offset)
        table.insert(points.titles, sentences[#sentences])
      end
    end
    table.insert(marks, points)
  end
  return {
    title = ("Correlation of measures with %s"):format(series == 1 and data.targets[1] or "targets"),
    description = ("%s's correlation of each measure. %s."):format(data.coefficient, table.concat(sentences, "; ")),
    x = { label = data.coefficient .. "'s correlation", low = -1.04, high = 1.04 },
    y = figure.rows(data.measures, { lines = series, texts = series == 1 and texts or nil }),
    series = series > 1 and data.targets or nil, marks = marks,
  }
end
