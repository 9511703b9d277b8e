--- Predictions against ratings, with the line of equal values and the names of the largest errors.
local figure = require "crux.show.plot.figure"
local lists = require "crux.base.lists"
local vector = require "libcrux.vector"

---@class Predictions
---@field levels string[]
---@field values number[]|userdata        ratings of players
---@field predictions number[]|userdata   NaN for none
---@field target string                   such as "difficulty"
---@field how string?                     how predictions were made, in words
---@field worst integer?                  number of named levels; 5 unless given

---@param data Predictions
---@return Figure
return function(data)
  local complete, row_of = figure.complete { data.values, data.predictions }
  local x, y = table.unpack(complete)
  local function level(i) return data.levels[row_of(i)] end
  local titles = figure.titles(#x, function(i)
    return ("%s: rated %s, predicted %s"):format(level(i), figure.show(x[i]), figure.show(y[i]))
  end)
  local sizes = vector.abs(y - x)
  local worst = figure.largest(sizes, data.worst or 5)
  local names = lists.map(worst, level)
  local axis = figure.axis(data.target, { x, y })
  local mean = #x > 0 and ("Predictions are off by %s on average."):format(figure.show(sizes:sum() / #x)) or "There are none."
  return {
    title = ("Predicted against rated %s"):format(data.target), is_square = true,
    description = ("Each of %d points is a level: to the right what players said, upwards what was predicted%s. %s%s")
      :format(#x, data.how and ", " .. data.how or "", mean, figure.listed("Furthest off", names)),
    x = { label = "rated " .. data.target, low = axis.low, high = axis.high },
    y = { label = "predicted " .. data.target, low = axis.low, high = axis.high },
    marks = {
      { kind = "line", x = { axis.low, axis.high }, y = { axis.low, axis.high } },
      { kind = "points", x = x, y = y, series = 1, titles = titles },
      { kind = "names", x = lists.pick(x, worst), y = lists.pick(y, worst), texts = names },
    },
    note = ("%s%s%s"):format(figure.sentence(data.how), mean,
      #worst > 0 and " Named: those furthest off." or ""),
  }
end
