--- The front of formulas that were searched: size against nested error, with intervals.
local figure = require "crux.show.plot.figure"
local lists = require "crux.base.lists"

---@class FrontRow
---@field formula string
---@field size integer?      measures and operations; nil for a rule, which is named below the picture
---@field error number       nested
---@field low number?        interval of the difference of the error to that of the mean
---@field high number?
---@field is_linear boolean? lasso, or the terms that select chooses
---@field chosen any         true for the chosen one

---@param data { rows: FrontRow[], target: string, by: string }   the first row, if any, is the mean; `by` names the error
---@return Figure
return function(data)
  local mean, ends, marks, sentences, without_size = data.rows[1] and data.rows[1].error or 0, {}, {}, {}, {}
  local groups = { { x = {}, y = {}, titles = {} }, { x = {}, y = {}, titles = {} } }
  local chosen = { kind = "names", x = {}, y = {}, texts = {} }
  for i, row in ipairs(data.rows) do
    local text = ("%s: %s"):format(row.formula, figure.show(row.error))
    sentences[i] = row.chosen and text .. " (chosen)" or text
    if not row.size then table.insert(without_size, text) end
    local group = groups[row.is_linear and 2 or 1]
    for _, list in ipairs(row.size and { group, row.chosen and chosen } or {}) do
      table.insert(list.x, row.size)
      table.insert(list.y, row.error)
      table.insert(list.titles or list.texts, list.titles and text or row.formula)
    end
    if row.size and row.low and row.high then
      table.insert(marks, { kind = "line", x = { row.size, row.size }, y = { mean + row.low, mean + row.high },
        series = row.is_linear and 2 or 1 })
      table.move({ mean + row.low, mean + row.high }, 1, 2, #ends + 1, ends)
    end
  end
  local sizes = lists.concat({ 0 }, groups[1].x, groups[2].x)
  local axis = figure.axis("size: measures and operations", { sizes }, { is_whole = true })
  table.insert(marks, 1, { kind = "line", x = { axis.low, axis.high }, y = { mean, mean } })
  for s, group in ipairs(groups) do
    table.insert(marks, { kind = "points", x = group.x, y = group.y, series = s, titles = group.titles })
  end
  table.insert(marks, chosen)
  return {
    title = ("Formulas of %s: size and error"):format(data.target), series = { "searched", "lasso and select" },
    description = ("The nested error (%s) of formulas by their size. %s."):format(data.by, table.concat(sentences, "; ")),
    x = axis, y = figure.axis("nested " .. data.by, { groups[1].y, groups[2].y, ends }, {}), marks = marks,
    note = ("Line: the error of the mean. Bars: 95 %% intervals of differences to it, which hold together; one across the line "
      .. "shows no difference.%s"):format(figure.listed("Without a size", without_size)),
  }
end
