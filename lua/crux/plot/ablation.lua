--- How many of the best subsets of an ablation study use each measure (as Biemer and Cooper, table 1).
local figure = require "crux.plot.figure"

---@param self { measures: string[], shares: table<string, number>, count: integer, target: string }   shares are from 0 to 1
---@return Figure
return function(self)
  local sizes, names, boxes, texts, titles = {}, {}, {}, {}, {}
  for i, measure in ipairs(self.measures) do sizes[i] = self.shares[measure] end
  for i, place in ipairs(figure.largest(sizes, #sizes)) do
    local percent = 100 * sizes[place]
    names[i], texts[i], boxes[i] = self.measures[place], ("%.0f %%"):format(percent), { 0, percent, i - 0.32, i + 0.32 }
    titles[i] = ("%s: %s"):format(names[i], texts[i])
  end
  return {
    title = ("Measures that predict %s best"):format(self.target),
    description = ("Percent of the best %d subsets of the measures that use each. %s."):format(self.count,
      table.concat(titles, ", ")),
    x = { label = ("percent of the best %d subsets"):format(self.count), low = 0, high = 100 },
    y = figure.rows(names, { texts = texts }), marks = { { kind = "bars", boxes = boxes, is_flat = true, series = 1,
      titles = titles } },
  }
end
