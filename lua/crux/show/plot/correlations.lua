--- How measures go together with targets: a row for each measure, a point for each target (as Mutser 2014, figures 8 to 10).
local figure = require "crux.show.plot.figure"
local number = require "crux.base.number"

---@param self { measures: string[], targets: string[], values: table<string, table<string, number>>, coefficient: string }
---  correlations by target and measure, NaN for none; `coefficient` is whose they are: "Pearson"
---@return Figure
return function(self)
  local series, said = #self.targets, {}
  local marks, texts = { { kind = "line", x = { 0, 0 }, y = { #self.measures + 0.5, 0.5 } } }, {}
  for s, target in ipairs(self.targets) do
    local points, offset = { kind = "points", x = {}, y = {}, series = s, titles = {} }, (s - (series + 1) / 2) / (series + 0.5)
    for i, measure in ipairs(self.measures) do
      local value = self.values[target][measure]
      local text = number.is_finite(value) and ("%.2f"):format(value) or "none"
      table.insert(said, ("%s with %s: %s"):format(measure, target, text))
      texts[i] = text
      if number.is_finite(value) then
        table.insert(marks, { kind = "line", x = { 0, value }, y = { i + offset, i + offset }, series = s })
        table.insert(points.x, value)
        table.insert(points.y, i + offset)
        table.insert(points.titles, said[#said])
      end
    end
    table.insert(marks, points)
  end
  return {
    title = ("Correlation of measures with %s"):format(series == 1 and self.targets[1] or "targets"),
    description = ("%s's correlation of each measure. %s."):format(self.coefficient, table.concat(said, "; ")),
    x = { label = self.coefficient .. "'s correlation", low = -1.04, high = 1.04 },
    y = figure.rows(self.measures, { lines = series, texts = series == 1 and texts or nil }),
    series = series > 1 and self.targets or nil, marks = marks,
  }
end
