--- Predictions against what players said, with the line where both are the same, and the names of the worst.
local figure = require "crux.show.plot.figure"

---@class Predictions
---@field levels string[]
---@field values number[]|userdata        as players rated
---@field predictions number[]|userdata   NaN for none
---@field target string                   what it is: difficulty
---@field how string?                     how predictions were made, in words
---@field worst integer?                  how many levels are named; 5 unless given

---@param self Predictions
---@return Figure
return function(self)
  local rows = figure.complete { self.values, self.predictions }
  local x, y = figure.pick(self.values, rows), figure.pick(self.predictions, rows)
  local levels, titles, sizes, sum = figure.pick(self.levels, rows), {}, {}, 0
  for i, level in ipairs(levels) do
    sizes[i] = math.abs(y[i] - x[i])
    sum = sum + sizes[i]
    titles[i] = ("%s: rated %s, predicted %s"):format(level, figure.show(x[i]), figure.show(y[i]))
  end
  local worst = figure.largest(sizes, self.worst or 5)
  local names = figure.pick(levels, worst)
  local axis = figure.axis(self.target, { x, y })
  local mean = #x > 0 and ("Predictions are off by %s on average."):format(figure.show(sum / #x)) or "There are none."
  return {
    title = ("Predicted against rated %s"):format(self.target), is_square = true,
    description = ("Each of %d points is a level: to the right what players said, upwards what was predicted%s. %s%s")
      :format(#x, self.how and ", " .. self.how or "", mean, figure.listed("Furthest off", names)),
    x = { label = "rated " .. self.target, low = axis.low, high = axis.high },
    y = { label = "predicted " .. self.target, low = axis.low, high = axis.high },
    marks = {
      { kind = "line", x = { axis.low, axis.high }, y = { axis.low, axis.high } },
      { kind = "points", x = x, y = y, series = 1, titles = titles },
      { kind = "names", x = figure.pick(x, worst), y = figure.pick(y, worst), texts = names },
    },
    note = ("%s%s%s"):format(self.how and self.how:gsub("^%l", string.upper) .. ". " or "", mean,
      #worst > 0 and " Named: those furthest off." or ""),
  }
end
