--- Figures as characters: blocks and Braille, or ASCII.
local ascii = require "crux.show.ascii"
local character_grid = require "crux.show.plot.character_grid"
local figure = require "crux.show.plot.figure"
local labels = require "crux.show.plot.labels"
local lists = require "crux.base.lists"
local nice = require "crux.base.nice"
local plain = require "crux.base.plain"

local characters = {}

local chart_rows, square_rows = 18, 24
local tick_limit = 7 -- of the y axis
local shapes = { "●", "■", "▲", "◆", "✚", "▼" } -- of series
local shape_limit = 300 -- points of a series; more points are drawn as dots
local columns_of_blocks = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } -- eighths from below, and from the left
local rows_of_blocks = { "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" }

--- Escape sequences (ECMA-48) of styles; series are blue, yellow, green, magenta, cyan and red.
local sequences = { bold = "1", muted = "2", s1 = "94", s2 = "33", s3 = "32", s4 = "35", s5 = "36", s6 = "31" }

local function look(series) return (series - 1) % #shapes + 1 end
local function style_of(series) return series and "s" .. look(series) or "muted" end

local function cut(text, room)
  if utf8.len(text) <= room then return text end
  return text:sub(1, utf8.offset(text, room) - 1) .. "~"
end

---@class Sheet                            the area of the data
---@field grid CharacterGrid
---@field x fun(value: number): number   from values to columns
---@field y fun(value: number): number   from values to rows

local drawn = {}

function drawn.points(sheet, mark)
  local grid, style = sheet.grid, style_of(mark.series)
  for i = 1, #mark.x do
    local x, y = sheet.x(mark.x[i]), sheet.y(mark.y[i])
    if #mark.x > shape_limit then
      grid:dot(x, y, style)
    else
      local column, row = grid:cell(x, y)
      grid:put(column, row, shapes[look(mark.series)], style)
    end
  end
end

function drawn.line(sheet, mark)
  local grid, style = sheet.grid, style_of(mark.series)
  for i = 2, #mark.x do
    local x1, y1, x2, y2 = sheet.x(mark.x[i - 1]), sheet.y(mark.y[i - 1]), sheet.x(mark.x[i]), sheet.y(mark.y[i])
    local column, row = grid:cell(math.min(x1, x2), math.min(y1, y2))
    local last_column, last_row = grid:cell(math.max(x1, x2), math.max(y1, y2))
    if x1 == x2 and y1 == y2 then
      grid:dot(x1, y1, style)
    elseif y1 == y2 then
      for at = column, last_column do grid:put(at, row, "─", style) end
    elseif x1 == x2 then
      for at = row, last_row do grid:put(column, at, mark.series and "│" or "┆", style) end
    else
      grid:line(x1, y1, x2, y2, style)
    end
  end
end

--- Draws a bar upwards in whole columns, its top in eighths of a character.
local function column_bar(sheet, box, style)
  local grid, base, top = sheet.grid, sheet.y(box[3]), sheet.y(box[4])
  local first, last = math.floor(sheet.x(box[1]) + 0.5) + 1, math.floor(sheet.x(box[2]) + 0.5)
  if last - first >= 2 then last = last - 1 end
  local eighths = math.floor((base - top) * 8 + 0.5)
  if box[4] > box[3] then eighths = math.max(1, eighths) end
  for column = first, math.max(first, last) do
    for i = 0, math.ceil(eighths / 8) - 1 do
      grid:put(column, math.floor(base + 0.5) - i, columns_of_blocks[math.min(8, eighths - 8 * i)], style)
    end
  end
end

--- Draws a bar to the right in one row.
local function row_bar(sheet, box, style)
  local grid, left = sheet.grid, sheet.x(box[1])
  local column, row = grid:cell(left, sheet.y((box[3] + box[4]) / 2))
  local eighths = math.floor((sheet.x(box[2]) - left) * 8 + 0.5)
  for i = 0, math.ceil(eighths / 8) - 1 do
    grid:put(column + i, row, rows_of_blocks[math.min(8, eighths - 8 * i)], style)
  end
end

function drawn.bars(sheet, mark)
  for _, box in ipairs(mark.boxes) do (mark.is_flat and row_bar or column_bar)(sheet, box, style_of(mark.series)) end
end

function drawn.names(sheet, mark, chart)
  local grid, names, texts = sheet.grid, {}, {}
  local function middle(x, y)
    local column, row = grid:cell(sheet.x(x), sheet.y(y))
    return { column - 0.5, row - 0.5 }
  end
  for i, text in ipairs(mark.texts) do
    names[i], texts[i] = middle(mark.x[i], mark.y[i]), plain.line(text)
    names[i].width = utf8.len(texts[i])
  end
  local boxes = labels.place(names, { height = 1, gap = { 0.5, 0.5 }, points = labels.obstacles(chart.marks, middle),
    bounds = { 0, 0, grid.columns, grid.rows } })
  for i, text in ipairs(texts) do
    local box = boxes[i]
    if box then grid:write(math.floor(box[1] + 0.5) + 1, math.floor(box[2] + 0.5) + 1, text) end
  end
end

local function widest(texts) return lists.widest(texts, utf8.len) end

--- The axis below the data: a line with ticks, and their texts if they have room.
local function x_axis(chart, sheet)
  local grid = sheet.grid
  local ticks = figure.ticks(chart.x, 10, grid.columns, function(text) return utf8.len(text) + 2 end)
  local rule, below, free = character_grid.new(grid.columns, 1), character_grid.new(grid.columns, 1), 1
  for column = 1, grid.columns do rule:put(column, 1, "─", "muted") end
  for _, tick in ipairs(ticks) do
    local column = grid:cell(sheet.x(tick.at), 0)
    rule:put(column, 1, "┬", "muted")
    local start = math.max(1, math.min(column - #tick.text // 2, grid.columns - #tick.text + 1))
    if start >= free then
      below:write(start, 1, tick.text, "muted")
      free = start + #tick.text + 1
    end
  end
  return rule:runs(1), below:runs(1)
end

--- The lines that name the shape of each series.
local function legend_of(series, width)
  local lines, used = {}, width
  for i, full in ipairs(series) do
    local name = cut(plain.line(full), width - 2)
    local room = utf8.len(name) + 2
    if used + 2 + room > width then
      table.insert(lines, {})
      used = -2
    end
    table.insert(lines[#lines], { text = shapes[look(i)], style = style_of(i) })
    table.insert(lines[#lines], { text = " " .. name .. "  " })
    used = used + 2 + room
  end
  return lines
end

--- The texts of the y axis, which are names of rows or ticks, and their places.
local function y_labels(axis)
  local texts, places = {}, {}
  for i, name in ipairs(axis.names or {}) do texts[i], places[i] = plain.line(name), i end
  for i, tick in ipairs(axis.names and {} or nice.ticks(axis.low, axis.high, tick_limit, axis.is_whole)) do
    texts[i], places[i] = tick.text, tick.at
  end
  return texts, places
end

---@param columns integer   free ones
---@return Sheet
local function sheet_of(chart, columns)
  local rows = chart.is_square and square_rows or chart_rows
  if chart.y.names then rows = math.max(1, #chart.y.names) * (chart.y.lines or 1) end
  if chart.is_square then columns = math.min(columns, 2 * rows) end -- characters are twice as high as wide
  local grid = character_grid.new(columns, rows)
  local sheet = { grid = grid, x = figure.scale(chart.x, 0, columns), y = figure.scale(chart.y, rows, 0) }
  for _, mark in ipairs(chart.marks) do drawn[mark.kind](sheet, mark, chart) end
  return sheet
end

--- Adds the data with the texts on their left and right, and the axis below.
local function add_data(lines, chart, width)
  local texts, places = y_labels(chart.y)
  local left, right = math.min(widest(texts), width // 3), chart.y.texts and widest(chart.y.texts) + 1 or 0
  local sheet = sheet_of(chart, math.max(8, width - left - 2 - right))
  local grid, before, behind = sheet.grid, {}, {}
  for i, text in ipairs(texts) do
    local _, row = grid:cell(0, sheet.y(places[i]))
    before[row], behind[row] = before[row] or cut(text, left), chart.y.texts and chart.y.texts[i]
  end
  for row = 1, grid.rows do
    local text = before[row] or ""
    local runs = { { text = (" "):rep(left - utf8.len(text)) .. text .. " " },
      { text = before[row] and "┤" or "│", style = "muted" }, table.unpack(grid:runs(row)) }
    if behind[row] then
      local used = utf8.len(behind[row])
      for _, run in ipairs(runs) do used = used + utf8.len(run.text) end
      table.insert(runs, { text = (" "):rep(width - used) .. behind[row] })
    end
    table.insert(lines, runs)
  end
  local rule, below = x_axis(chart, sheet)
  table.insert(lines, { { text = (" "):rep(left + 1) }, { text = "└", style = "muted" }, table.unpack(rule) })
  table.insert(lines, { { text = (" "):rep(left + 2) }, table.unpack(below) })
  if chart.x.label then
    local label = cut(plain.line(chart.x.label), width)
    local start = math.max(0, math.min(left + 2 + (grid.columns - utf8.len(label)) // 2, width - utf8.len(label)))
    table.insert(lines, { { text = (" "):rep(start) .. label, style = "muted" } })
  end
end

---@return { text: string, style: string? }[][]   lines of runs
local function compose(chart, width)
  local lines = {}
  local function fits(text) return utf8.len(text) <= width end
  local function cut_word(word) return cut(word, width) end
  local function add(text, style)
    for _, words in ipairs(lists.wrap(plain.line(text or ""), fits, cut_word)) do
      table.insert(lines, { { text = words, style = style } })
    end
  end
  add(chart.title, "bold")
  for _, runs in ipairs(legend_of(chart.series or {}, width)) do table.insert(lines, runs) end
  add(chart.y.label, "muted")
  add_data(lines, chart, width)
  add(chart.note)
  return lines
end

--- A figure as lines of text.
---@param options { width: integer?, ascii: boolean?, colours: boolean? }?   `width` is 80 characters unless given; `colours`
---  uses escape sequences
function characters.draw(chart, options)
  options = options or {}
  local lines = compose(chart, math.max(30, options.width or 80))
  for i, runs in ipairs(lines) do
    local words = {}
    for j, run in ipairs(runs) do
      local text = options.ascii and ascii.of(run.text) or run.text
      if j == #runs then text = text:gsub(" +$", "") end
      words[j] = options.colours and run.style and ("\27[%sm%s\27[m"):format(sequences[run.style], text) or text
    end
    lines[i] = table.concat(words):gsub(" +$", "")
  end
  return table.concat(lines, "\n") .. "\n"
end

return characters
