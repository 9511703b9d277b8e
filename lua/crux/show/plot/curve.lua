--- The ratings of levels in the order of a file, such as a campaign of rising difficulty, with intervals if there are any.
local figure = require "crux.show.plot.figure"
local lists = require "crux.base.lists"

---@param data { values: number[]|userdata, name: string, levels: string[], lows: userdata?, highs: userdata? }   NaN for none;
---  the ends of intervals
---@return Figure
return function(data)
  local complete, row_of = figure.complete { data.values }
  local values, rows = complete[1], {}
  for i = 1, #values do rows[i] = row_of(i) end
  local titles = figure.titles(#rows, function(i)
    return ("%d. %s: %s %s"):format(rows[i], data.levels[rows[i]], data.name, figure.show(values[i]))
  end)
  local marks, falls = {}, 0
  for i = 2, #values do falls = falls + (values[i] < values[i - 1] and 1 or 0) end
  local sentence = #values == 0 and "There is none." or ("It begins at %s and ends at %s; %d of %d steps lead down.")
    :format(figure.show(values[1]), figure.show(values[#values]), falls, #values - 1)
  for _, row in ipairs(data.lows and rows or {}) do
    table.insert(marks, { kind = "line", x = { row, row }, y = { data.lows[row], data.highs[row] }, series = 1 })
  end
  return {
    title = ("%s level by level"):format(figure.capital(data.name)),
    description = ("Each of %d points is a level: to the right its place, upwards %s. %s"):format(#values, data.name, sentence),
    x = figure.axis("place", { rows }, { is_whole = true }), y = figure.axis(data.name, { values, data.lows, data.highs }),
    marks = lists.concat(marks, {
      { kind = "line", x = rows, y = values, series = 1 },
      { kind = "points", x = rows, y = values, series = 1, titles = titles },
    }),
    note = data.lows and sentence .. " Bars: 95 % intervals." or sentence,
  }
end
