--- A bar for each of some names: errors of several rules, shares.
local figure = require "crux.show.plot.figure"

---@param self { title: string, label: string, names: string[], values: number[], texts: string[]?, high: number? }   values
---  are not below 0; what stands beside each bar, three digits of its value unless given; the end of the axis, unless it is
---  to be that of the longest bar
---@return Figure
return function(self)
  local boxes, texts, titles = {}, {}, {}
  for i, name in ipairs(self.names) do
    texts[i] = self.texts and self.texts[i] or figure.show(self.values[i])
    boxes[i], titles[i] = { 0, self.values[i], i - 0.32, i + 0.32 }, ("%s: %s"):format(name, texts[i])
  end
  local x = figure.axis(self.label, { self.values }, { from_zero = true })
  x.high = self.high or x.high
  return { title = self.title, description = ("%s, %s. %s."):format(self.title, self.label, table.concat(titles, ", ")),
    x = x, y = figure.rows(self.names, { texts = texts }),
    marks = { { kind = "bars", boxes = boxes, is_flat = true, series = 1, titles = titles } } }
end
