--- One column against another, with a smooth line.
local correlation = require "crux.stats.correlation"
local figure = require "crux.show.plot.figure"

---@param self { x: number[]|userdata, y: number[]|userdata, x_name: string, y_name: string, levels: string[]? }   NaN for none
---@return Figure
return function(self)
  local rows = figure.complete { self.x, self.y }
  local x, y, titles = figure.pick(self.x, rows), figure.pick(self.y, rows), nil
  for i, row in ipairs(self.levels and rows or {}) do
    titles = titles or {}
    titles[i] = ("%s: %s %s, %s %s"):format(self.levels[row], self.x_name, figure.show(x[i]), self.y_name, figure.show(y[i]))
  end
  local r = correlation.pearson(x, y)
  local said = r == r and ("Pearson's correlation is %.2f."):format(r) or "There is no correlation to speak of."
  return {
    title = ("%s against %s"):format(self.y_name:gsub("^%l", string.upper), self.x_name),
    description = ("Each of %d points is a level: to the right %s, upwards %s. %s"):format(#x, self.x_name, self.y_name, said),
    x = figure.axis(self.x_name, { x }), y = figure.axis(self.y_name, { y }),
    marks = {
      { kind = "points", x = x, y = y, series = 1, titles = titles },
      figure.smooth(x, y, 2),
    },
    note = ("The line is smooth (lowess). %s"):format(said),
  }
end
