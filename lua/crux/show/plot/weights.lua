--- The weights of a formula's terms, with intervals, made comparable: what one standard deviation of the term changes.
local figure = require "crux.show.plot.figure"
local number = require "crux.base.number"

---@class Weight
---@field term string
---@field estimate number
---@field low number?       ends of its interval, for a change of 1, as the estimate
---@field high number?
---@field spread number     the standard deviation of the term in the data; finite, as its product with the estimate

---@param self { weights: Weight[], target: string, left_out: string[]? }   `left_out`: terms that are not shown
---@return Figure
return function(self)
  local names, texts, values, titles, rows, marks, ends = {}, {}, {}, {}, {}, {}, { 0 }
  for i, row in ipairs(self.weights) do
    names[i], texts[i] = row.term, figure.show(row.estimate)
    values[i], rows[i] = row.estimate * row.spread, i
    titles[i] = ("%s: %s"):format(row.term, figure.show(row.estimate))
    local low, high = row.low and row.low * row.spread, row.high and row.high * row.spread
    if number.is_finite(low) and number.is_finite(high) then
      titles[i] = ("%s, 95 %% interval %s to %s"):format(titles[i], figure.show(row.low), figure.show(row.high))
      table.insert(marks, { kind = "line", x = { low, high }, y = { i, i }, series = 1 })
      table.move({ low, high }, 1, 2, #ends + 1, ends)
    end
  end
  table.insert(marks, { kind = "points", x = values, y = rows, series = 1, titles = titles })
  table.insert(marks, 1, { kind = "line", x = { 0, 0 }, y = { #names + 0.5, 0.5 } })
  return {
    title = ("What moves %s"):format(self.target),
    description = ("The weight of each term with its 95 %% interval: %s."):format(table.concat(titles, "; ")),
    x = figure.axis(("%s per standard deviation of the term"):format(self.target), { values, ends }),
    y = figure.rows(names, { texts = texts }), marks = marks,
    note = ("Bars: 95 %% intervals; one across 0 tells nothing for sure. On the right: the weight of a change of 1.%s")
      :format(figure.listed("Not shown", self.left_out or {})),
  }
end
