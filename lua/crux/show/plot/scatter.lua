--- One column against another, with a smooth line.
local correlation = require "crux.stats.correlation"
local figure = require "crux.show.plot.figure"

---@param data { x: number[]|userdata, y: number[]|userdata, x_name: string, y_name: string, levels: string[]? }   NaN for none
---@return Figure
return function(data)
  local complete, row_of = figure.complete { data.x, data.y }
  local x, y = table.unpack(complete)
  local titles = data.levels and figure.titles(#x, function(i)
    return ("%s: %s %s, %s %s"):format(data.levels[row_of(i)], data.x_name, figure.show(x[i]), data.y_name, figure.show(y[i]))
  end)
  local r = correlation.pearson(x, y)
  local sentence = r == r and ("Pearson's correlation is %.2f."):format(r) or "There is no correlation to speak of."
  return {
    title = ("%s against %s"):format(figure.capital(data.y_name), data.x_name),
    description = ("Each of %d points is a level: to the right %s, upwards %s. %s"):format(#x, data.x_name, data.y_name,
      sentence),
    x = figure.axis(data.x_name, { x }), y = figure.axis(data.y_name, { y }),
    marks = {
      { kind = "points", x = x, y = y, series = 1, titles = titles },
      figure.smooth(x, y, 2),
    },
    note = ("The line is smooth (lowess). %s"):format(sentence),
  }
end
