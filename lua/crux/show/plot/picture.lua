--- Figures as SVG, 420 units wide, so that letters are legible on a phone of 360 pixels.
local figure = require "crux.show.plot.figure"
local labels = require "crux.show.plot.labels"
local lists = require "crux.base.lists"
local nice = require "crux.base.nice"
local svg = require "crux.show.svg"

local picture = {}

local width = 420 -- units
local edge = 10
local letters = { title = 15, text = 13 }
local line = 18 -- from line to line
local chart_height, row_height, series_height = 250, 22, 11
local opaque_limit = 20 -- points of a series; more points are translucent

local name_limit = 0.45 * width -- for the names of rows
local tick_limit = 8 -- per axis

local function cut(text, size, room)
  text = svg.clean(text)
  local length = utf8.len(text)
  if svg.width(text, size) <= room then return text end
  repeat
    length = length - 1
    text = text:sub(1, utf8.offset(text, length + 1) - 1)
  until length <= 1 or svg.width(text .. "…", size) <= room
  return text .. "…"
end

local function add_lines(parts, text, size, top, class)
  local room = width - 2 * edge
  local function fits(words) return svg.width(words, size) <= room end
  for _, words in ipairs(lists.wrap(svg.clean(text), fits, function(word) return cut(word, size, room) end)) do
    top = top + line
    local attributes = { x = edge, y = top - 5, class = class }
    if size ~= letters.text then attributes["font-size"], attributes["font-weight"] = size, "bold" end
    table.insert(parts, svg.text(words, attributes))
  end
  return top
end

--- The outline around 0 of the points of each series, so that series differ without colours, too.
local shapes = {
  "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "m-3.6-3.6h7.2v7.2h-7.2z", "m0-4.6l4.6 8h-9.2z", "m0-5l5 5l-5 5l-5-5z",
  "m-4.5-1.5h3v-3h3v3h3v3h-3v3h-3v-3h-3z", "m0 4.6l4.6-8h-9.2z",
}

--- The number of a series' colour and shape.
local function look(series) return (series - 1) % svg.colours + 1 end

--- A point of a series, with its title if there is one.
local function point_at(x, y, series, title, opacity)
  return svg.element("path", { class = "fill-" .. look(series), ["fill-opacity"] = opacity or 1,
    d = ("M%s %s%s"):format(svg.number(x), svg.number(y), shapes[look(series)]) },
    title and svg.element("title", {}, svg.escape(title)) or "")
end

--- Adds the lines that name the colour and shape of each series.
local function add_legend(parts, series, top)
  local x, y = edge + 6, top + line
  for i, full in ipairs(series) do
    local name = cut(full, letters.text, width - 2 * edge - 16)
    local room = svg.width(name, letters.text) + 16
    if x > edge + 6 and x + room > width - edge then x, y = edge + 6, y + line end
    table.insert(parts, point_at(x, y - 9.5, i))
    table.insert(parts, svg.text(name, { x = x + 10, y = y - 5, class = "text" }))
    x = x + room + 12
  end
  return y
end

---@class Plane         the area of the data
---@field left number
---@field top number
---@field right number
---@field bottom number
---@field x fun(value: number): number   from values to units
---@field y fun(value: number): number

--- The width of the widest of some texts.
local function widest(texts)
  return lists.widest(texts, function(text) return svg.width(svg.clean(text), letters.text) end)
end

---@param ticks Tick[]   of the y axis
---@return Plane
local function plane_of(chart, ticks, top)
  local rows = chart.y.names
  local plane = { left = edge + math.min(widest(rows or lists.field(ticks, "text")), name_limit) + 6,
    right = width - edge - (chart.y.texts and widest(chart.y.texts) + 8 or 8), top = top + 8 }
  local height = chart.is_square and plane.right - plane.left or chart_height
  if rows then height = #rows * math.max(row_height, 8 + series_height * (chart.y.lines or 1)) end
  plane.bottom = plane.top + height
  plane.x, plane.y = figure.scale(chart.x, plane.left, plane.right), figure.scale(chart.y, plane.bottom, plane.top)
  return plane
end

local function straight(class, x1, y1, x2, y2)
  return svg.element("path", { class = class, d = svg.path { { x1, y1 }, { x2, y2 } } })
end

--- Adds the names of rows on the left and their texts on the right, or ticks.
local function add_y_axis(parts, chart, plane, ticks)
  for i, name in ipairs(chart.y.names or {}) do
    local middle = plane.y(i) + 4.5
    table.insert(parts, svg.text(cut(name, letters.text, name_limit), { x = plane.left - 6, y = middle, class = "text",
      ["text-anchor"] = "end" }))
    if chart.y.texts then
      table.insert(parts, svg.text(chart.y.texts[i], { x = width - edge, y = middle, class = "text", ["text-anchor"] = "end" }))
    end
  end
  for _, tick in ipairs(ticks) do
    local y = plane.y(tick.at)
    table.insert(parts, straight("grid", plane.left, y, plane.right, y))
    table.insert(parts, svg.text(tick.text, { x = plane.left - 6, y = y + 4.5, class = "muted", ["text-anchor"] = "end" }))
  end
end

local function add_x_axis(parts, chart, plane)
  local function text_room(text) return svg.width(text, letters.text) + 10 end
  for _, tick in ipairs(figure.ticks(chart.x, tick_limit, plane.right - plane.left, text_room)) do
    local x, text = plane.x(tick.at), tick.text
    table.insert(parts, straight("grid", x, plane.top, x, plane.bottom))
    local half = svg.width(text, letters.text) / 2
    table.insert(parts, svg.text(text, { x = math.min(x, width - edge / 2 - half), y = plane.bottom + 16, class = "muted",
      ["text-anchor"] = "middle" }))
  end
  table.insert(parts, straight("axis", plane.left, plane.bottom, plane.right, plane.bottom))
  if chart.x.label then
    local label = cut(chart.x.label, letters.text, width - 2 * edge)
    local half = svg.width(label, letters.text) / 2
    table.insert(parts, svg.text(label, { y = plane.bottom + 35, class = "text", ["text-anchor"] = "middle",
      x = math.max(edge + half, math.min((plane.left + plane.right) / 2, width - edge - half)) }))
  end
  return plane.bottom + 22 + (chart.x.label and line or 0)
end

local round <const> = 0x1.8p52 -- a number of half units plus this is whole
local row_length <const> = 65536 -- half units, more than a picture is wide

--- Points as dots of one path: of places side by side a stroke from the first to the last, which covers the same.
local function dots(plane, mark)
  local x, y = figure.complete { mark.x }[1], figure.complete { mark.y }[1]
  local places = (plane.x(x) * 2 + round - round + (plane.y(y) * 2 + round - round) * row_length):sorted()
  local words, from = {}, places[1]
  local place = from
  for i = 2, #places + 1 do
    local following = places[i]
    if not following or following > place + 1 then
      table.insert(words, ("M%.0f %.0fh%.0f"):format(from % row_length, from // row_length, place - from))
      from = following
    end
    place = following
  end
  return svg.element("path", { class = "stroke-" .. look(mark.series), d = table.concat(words), transform = "scale(0.5)",
    ["stroke-linecap"] = "round", ["stroke-opacity"] = 0.5, ["stroke-width"] = 8 })
end

--- Functions that draw each kind of mark.
local drawn = {}

function drawn.points(plane, mark)
  if #mark.x > figure.title_limit then return dots(plane, mark) end
  local parts, opacity = {}, #mark.x > opaque_limit and 0.75 or 1
  for i = 1, #mark.x do
    parts[i] = point_at(plane.x(mark.x[i]), plane.y(mark.y[i]), mark.series, mark.titles and mark.titles[i], opacity)
  end
  return table.concat(parts, "\n")
end

function drawn.line(plane, mark)
  local points = {}
  for i = 1, #mark.x do points[i] = { plane.x(mark.x[i]), plane.y(mark.y[i]) } end
  local attributes = { class = mark.series and "stroke-" .. look(mark.series) or "axis", d = svg.path(points), fill = "none",
    ["stroke-width"] = mark.series and 2.5 or 1 }
  if not mark.series then attributes["stroke-dasharray"] = "4 3" end
  return svg.element("path", attributes)
end

function drawn.bars(plane, mark)
  local parts = {}
  for i, box in ipairs(mark.boxes) do
    local left, right = plane.x(box[1]), plane.x(box[2])
    local top, bottom = plane.y(box[4]), plane.y(box[3])
    if top > bottom then top, bottom = bottom, top end
    local gap = mark.is_flat and 0 or math.min(1, (right - left) / 8)
    parts[i] = svg.element("rect", { class = "fill-" .. look(mark.series), x = left + gap, y = top,
      width = right - left - 2 * gap, height = bottom - top },
      mark.titles and svg.element("title", {}, svg.escape(mark.titles[i])) or "")
  end
  return table.concat(parts, "\n")
end

function drawn.names(plane, mark, chart)
  local names, texts, parts = {}, {}, {}
  local function place(x, y) return { plane.x(x), plane.y(y) } end
  for i, text in ipairs(mark.texts) do
    names[i] = place(mark.x[i], mark.y[i])
    texts[i] = svg.clean(text)
    names[i].width = svg.width(texts[i], letters.text)
  end
  local boxes = labels.place(names, { height = 14, gap = { 6, 5 }, points = labels.obstacles(chart.marks, place),
    bounds = { plane.left, plane.top, plane.right + 8, plane.bottom } })
  for i, text in ipairs(texts) do
    local box = boxes[i]
    if box then
      table.insert(parts, svg.text(text, { x = (box[1] + box[3]) / 2, y = box[4] - 2.5, class = "text",
        ["text-anchor"] = "middle" }))
    end
  end
  return table.concat(parts, "\n")
end

--- A figure as an SVG element.
---@param options { id: string?, bare: boolean? }?   see Picture of crux.show.svg
function picture.draw(chart, options)
  local parts = {}
  local top = add_lines(parts, chart.title, letters.title, edge - 4, "text")
  if chart.series then top = add_legend(parts, chart.series, top) end
  if chart.y.label then top = add_lines(parts, chart.y.label, letters.text, top, "muted") end
  local ticks = chart.y.names and {} or nice.ticks(chart.y.low, chart.y.high, tick_limit, chart.y.is_whole)
  local plane = plane_of(chart, ticks, top)
  add_y_axis(parts, chart, plane, ticks)
  local bottom = add_x_axis(parts, chart, plane)
  for _, mark in ipairs(chart.marks) do table.insert(parts, drawn[mark.kind](plane, mark, chart)) end
  if chart.note then bottom = add_lines(parts, chart.note, letters.text, bottom + 4, "muted") end
  return svg.picture({ width = width, height = bottom + edge, title = chart.title, description = chart.description,
    id = options and options.id, bare = options and options.bare }, table.concat(parts, "\n"), "\n")
end

return picture
