--- The canvas of a game's paint hook: shapes on the squares of a board, as SVG.
---
--- Square (x, y) has its centre at (x, y): the first is (1, 1), x goes right and y down, and shapes may lie between squares.
--- Scripts are untrusted: the values and the number of shapes are checked.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local Shapes = require "crux.show.shapes"
local svg = require "crux.show.svg"

local canvas = {}

local square <const> = Shapes.square
local margin = 4 -- around the board
local limits = { side = 200, points = 100000, letters = 12, note = 200 }

--- The colours of scripts, named as for terminals: on light ground, on dark ground. Their contrast to the ground is at least
--- 4.5, and colour-blind people tell those with a bright shade apart (tests/support/colour.lua simulates what they see).
local inks = {
  { "red", "#A7121D", "#FF8B7F" }, { "bright red", "#D53937", "#FF6E67" },
  { "green", "#1B6F33", "#38B36F" }, { "bright green", "#25832F", "#88E291" },
  { "yellow", "#8D6900", "#E1C049" }, { "bright yellow", "#8F4900", "#FFBA70" },
  { "blue", "#0B50AC", "#79AFFF" }, { "bright blue", "#006AC2", "#6DC1FF" },
  { "magenta", "#700C86", "#C37ECB" }, { "bright magenta", "#BE2D82", "#FF93D2" },
  { "cyan", "#114E56", "#46D3DB" }, { "bright cyan", "#206178", "#9FDEF5" },
  { "white", "#57606A", "#A0AAB5" }, { "bright white", "#1F2328", "#E6EDF3" },
  { "ground", "#FFFFFF", "#14181D" }, { "floor", "#EEF1F4", "#262D35" }, { "wall", "#6B747D", "#626B75" },
  { "light", "#FFEFAF", "#4A421C" },
}
canvas.inks = inks

--- The colour of lines between squares: on light ground, on dark ground.
canvas.lines = { "#8B949E", "#626B75" }

local function class_of(name) return "ink-" .. name:gsub(" ", "-") end

local names = {}
for i, ink in ipairs(inks) do names[i], names[ink[1]] = ink[1], class_of(ink[1]) end

local function rules(shade)
  local function rule(ink) return (".%s{color:%s}"):format(class_of(ink[1]), ink[shade]) end
  return (".crux-level .grid{stroke:%s}\n"):format(canvas.lines[shade - 1]) .. table.concat(lists.map(inks, rule), "\n")
end

--- The style sheet of pictures of levels, beside that of crux.show.svg.
canvas.style = table.concat({
  ".crux-level{max-width:26rem}\n.crux-sheet{max-width:none}\n.crux-level .fill{fill:currentColor}\n"
    .. ".crux-level .tint{fill-opacity:.25}\n"
    .. ".crux-level .stroke{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}\n"
    .. ".crux-level .sprite{shape-rendering:crispEdges}\n.crux-level text{text-anchor:middle;dominant-baseline:central}\n"
    .. ".crux-level .drawing{font-family:'DejaVu Sans Mono',ui-monospace,monospace}",
  rules(2), "@media (prefers-color-scheme:dark){", rules(3), "}",
}, "\n")

local this_file = debug.getinfo(1, "S").source

--- Raises an error at the line of the script that calls the canvas.
local function stop(what, message)
  local depth = 2
  while debug.getinfo(depth, "S").source == this_file do depth = depth + 1 end
  error(("canvas:%s: %s"):format(what, message), depth)
end

local function refuse(what, found, expected) stop(what, ("found %s, expected %s"):format(found, expected)) end

--- A number of squares; raises an error unless it is within bounds.
local function squares(what, name, value, low, high)
  if not number.is_finite(value) or value < low or value > high then
    refuse(what, ("%s = %s"):format(name, fault.show(value)), ("a number from %s to %s"):format(low, high))
  end
  return value
end

local function ink_of(what, value)
  if type(value) ~= "string" or not names[value] then stop(what, nearest.unknown("colour", value, names)) end
  return names[value]
end

---@class Painting
---@field width number          units
---@field height number
---@field content string        of the SVG element
---@field squares number[]      where the first square begins, from the left and from the top, and a square's width and height
---@field pixels { width: integer, height: integer, rows: table<integer, table<integer, string>> }?   if it has sprites on
---                             whole squares alone: its size in pixels, and colours by row and column from 0
---@field note string?          a line below the picture

---@class CanvasPicture       while a script paints it
---@field columns number?   nil before the script gives the size
---@field rows number?
---@field edge number       units around the board
---@field spent integer     points
---@field note string?
---@field shapes Shapes
---@field sprite { pixels: string[], colours: string[], dots: table[], side: integer }?   the last one

--- Counts points of a picture.
local function spend(picture, what, points)
  if not picture.columns then refuse(what, "no size", "canvas:size(columns, rows) first") end
  picture.spent = picture.spent + points
  if picture.spent > limits.points then refuse(what, "more points", ("at most %d in a picture"):format(limits.points)) end
end

--- The place of a point, in units.
local function place(picture, what, x, y)
  return picture.edge + (squares(what, "x", x, 0, picture.columns + 1) - 0.5) * square,
    picture.edge + (squares(what, "y", y, 0, picture.rows + 1) - 0.5) * square
end

local function length(what, size, default) return squares(what, "size", size or default, 0.01, 4) * square end

local function points_of(picture, what, list)
  if type(list) ~= "table" or rawlen(list) < 1 then refuse(what, fault.show(list), "a list of points { x, y }") end
  spend(picture, what, rawlen(list))
  local points = {}
  for i = 1, rawlen(list) do
    local point = rawget(list, i)
    if type(point) ~= "table" then refuse(what, fault.show(point), "a point { x, y }") end
    points[i] = { place(picture, what, rawget(point, 1), rawget(point, 2)) }
  end
  return points
end

--- The methods of a script's canvas; each gets the picture in place of the canvas.
local methods = {}

--- The size of the board in squares, and how many are left free around it, 0 unless given. Must be called first.
function methods.size(picture, width, height, border)
  picture.columns = squares("size", "columns", width, 1, limits.side)
  picture.rows = squares("size", "rows", height, 1, limits.side)
  picture.edge, picture.spent = margin + squares("size", "border", border or 0, 0, 1) * square, 0
end

--- Begins a thing, which a page may move or hide: what is drawn up to the next thing belongs to it. Without a name it ends one.
function methods.thing(picture, name)
  spend(picture, "thing", 1)
  if name and (type(name) ~= "string" or not name:find "^[%w,_]+$" or #name > limits.letters) then
    refuse("thing", fault.show(name), ("a name of at most %d letters and digits"):format(limits.letters))
  end
  picture.shapes:group(name)
end

function methods.note(picture, text)
  spend(picture, "note", 1)
  if type(text) ~= "string" or #text > limits.note then
    refuse("note", fault.show(text), ("a text of at most %d bytes"):format(limits.note))
  end
  picture.note = svg.clean(text)
end

--- Lines between the squares of the first columns and rows, of the whole board unless given.
function methods.grid(picture, width, height)
  spend(picture, "grid", 1)
  width = squares("grid", "columns", width or picture.columns, 1, picture.columns)
  height = squares("grid", "rows", height or picture.rows, 1, picture.rows)
  local words = {}
  local function at(squares_before) return svg.number(picture.edge + squares_before * square) end
  for x = 0, width // 1 do table.insert(words, ("M%s %sV%s"):format(at(x), at(0), at(height))) end
  for y = 0, height // 1 do table.insert(words, ("M%s %sH%s"):format(at(0), at(y), at(width))) end
  picture.shapes:add("path", "grid", { d = table.concat(words) })
end

--- A filled square; its size in squares is 1 unless given.
function methods.cell(picture, x, y, colour, size)
  spend(picture, "cell", 1)
  local side, class = length("cell", size, 1), "fill " .. ink_of("cell", colour)
  local middle, centre = place(picture, "cell", x, y)
  local left, top = middle - side / 2, centre - side / 2
  if side == square then return picture.shapes:add_square(class, left, top) end
  picture.shapes:add("rect", class, { x = left, y = top, width = side, height = side, rx = math.min(3, side / 5) })
end

--- A square that shows a quarter of a colour, on the ground or what was drawn there.
function methods.tint(picture, x, y, colour)
  spend(picture, "tint", 1)
  local class, middle, centre = "fill tint " .. ink_of("tint", colour), place(picture, "tint", x, y)
  picture.shapes:add_square(class, middle - square / 2, centre - square / 2)
end

--- The pixels of a sprite, from row and column 0 on.
local function dots_of(picture, pixels, colours)
  if type(pixels) ~= "table" or rawlen(pixels) < 1 or type(colours) ~= "table" then
    refuse("sprite", fault.show(pixels), "rows of digits, and colours")
  end
  local dots, side = {}, rawlen(pixels)
  for row = 1, side do
    local text = rawget(pixels, row)
    if type(text) ~= "string" or #text > side then
      refuse("sprite", fault.show(text), ("a row of at most %d digits"):format(side))
    end
    spend(picture, "sprite", #text)
    for column, digit in text:gmatch "()(%d)" do
      local colour = rawget(colours, tonumber(digit) + 1)
      if type(colour) == "string" and (colour:find "^#%x%x%x$" or colour:find "^#%x%x%x%x%x%x$") then
        table.insert(dots, { row = row - 1, column = column - 1, colour = colour })
      end
    end
  end
  return dots
end

--- A square of pixels in colours of their own: rows of digits, which count the colours ("#RGB" or "#RRGGBB") from 0; a pixel
--- that has none of them is left out.
function methods.sprite(picture, x, y, pixels, colours)
  local sprite = picture.sprite
  if not sprite or sprite.pixels ~= pixels or sprite.colours ~= colours then
    sprite = { pixels = pixels, colours = colours, dots = dots_of(picture, pixels, colours), side = rawlen(pixels) }
    picture.sprite = sprite
  end
  spend(picture, "sprite", 1 + #sprite.dots)
  place(picture, "sprite", x, y)
  picture.shapes:add_dots(sprite.dots, sprite.side, picture.edge + x % 1 * square, picture.edge + y % 1 * square,
    (x // 1 | 0) - 1, (y // 1 | 0) - 1)
end

--- A circle of a class; its size is the default unless given.
local function circle(picture, what, class, x, y, colour, size, default, width)
  spend(picture, what, 1)
  class = class .. ink_of(what, colour)
  local middle, centre = place(picture, what, x, y)
  picture.shapes:add("circle", class, { cx = middle, cy = centre, r = length(what, size, default) / 2,
    ["stroke-width"] = width })
end

--- A filled circle; its size is 0.7 unless given.
function methods.disc(picture, x, y, colour, size) circle(picture, "disc", "fill ", x, y, colour, size, 0.7) end

--- An empty circle; its size is 0.8 unless given.
function methods.ring(picture, x, y, colour, size) circle(picture, "ring", "stroke ", x, y, colour, size, 0.8, 3) end

--- A line through points; its width is 0.1 unless given.
function methods.line(picture, points, colour, width)
  picture.shapes:add("path", "stroke " .. ink_of("line", colour), { d = svg.path(points_of(picture, "line", points)),
    ["stroke-width"] = length("line", width, 0.1) })
end

--- A line with an arrowhead at its end.
function methods.arrow(picture, points, colour, width)
  local drawn, thick = points_of(picture, "arrow", points), length("arrow", width, 0.1)
  local last, before = drawn[#drawn], drawn[#drawn - 1] or drawn[#drawn]
  local angle, reach = math.atan(last[2] - before[2], last[1] - before[1]), 6 + 1.5 * thick
  local function barb(turn) return { last[1] - reach * math.cos(angle + turn), last[2] - reach * math.sin(angle + turn) } end
  picture.shapes:add("path", "stroke " .. ink_of("arrow", colour), { ["stroke-width"] = thick,
    d = svg.path(drawn) .. (#drawn > 1 and svg.path { barb(0.6), last, barb(-0.6) } or "") })
end

--- A short text around a point; letters are 0.5 high unless given.
function methods.label(picture, x, y, text, colour, size)
  spend(picture, "label", 1)
  if type(text) ~= "string" or (utf8.len(text) or #text) > limits.letters then
    refuse("label", fault.show(text), ("a text of at most %d letters"):format(limits.letters))
  end
  local class = "fill " .. ink_of("label", colour)
  local middle, centre = place(picture, "label", x, y)
  picture.shapes:add("text", class, { x = middle, y = centre, ["font-weight"] = "bold",
    ["font-size"] = length("label", size, 0.5) }, svg.escape(text))
end

--- Ends a picture.
---@return Painting?
local function finish(picture)
  local edge, columns, rows = picture.edge, picture.columns, picture.rows
  if not columns then return nil end
  local content, pixels = picture.shapes:finish()
  local is_whole = pixels and pixels.left == edge and pixels.top == edge
  return { width = 2 * edge + columns * square, height = 2 * edge + rows * square, content = content,
    squares = { edge, edge, square, square }, note = picture.note,
    pixels = is_whole and { width = columns * pixels.side, height = rows * pixels.side, rows = pixels.rows } or nil }
end

--- A canvas, and a function that returns what was drawn; nil if it has no size.
---@return table
---@return fun(): Painting?
function canvas.new()
  local picture, pen = { shapes = Shapes.new(), edge = margin }, {}
  for name, draw in pairs(methods) do
    pen[name] = function(_, ...) return draw(picture, ...) end
  end
  return pen, function() return finish(picture) end
end

local letter = { width = 11, height = 20, size = 17 } -- units of a character of a drawing

--- A drawing in characters as a picture, whose squares are the characters.
---@param colours table<string, string>   names of inks by character
---@return Painting
function canvas.drawing(text, colours)
  local shapes, widest, y = {}, 1, 0
  for row in text:gmatch "([^\n]*)\n" do
    local places, letters, order = {}, {}, {}
    local x = 0
    for character in svg.clean(row):gmatch(utf8.charpattern) do
      if character ~= " " then
        local class = names[colours[character]] or "ink-bright-white"
        if not places[class] then
          places[class], letters[class] = {}, {}
          table.insert(order, class)
        end
        table.insert(places[class], svg.number(margin + (x + 0.5) * letter.width))
        table.insert(letters[class], character)
      end
      x = x + 1
    end
    for _, class in ipairs(order) do
      table.insert(shapes, svg.text(table.concat(letters[class]), { class = "drawing fill " .. class,
        ["font-size"] = letter.size, x = table.concat(places[class], " "),
        y = margin + (y + 0.5) * letter.height }))
    end
    widest, y = math.max(widest, x), y + 1
  end
  return { width = 2 * margin + widest * letter.width, height = 2 * margin + y * letter.height,
    content = table.concat(shapes, "\n"), squares = { margin, margin, letter.width, letter.height } }
end

return canvas
