--- The canvas of a game's paint hook: shapes on the squares of a board, as SVG.
---
--- Square (x, y) has its centre at (x, y): the first is (1, 1), x goes right and y down, and shapes may lie between squares.
--- Scripts are untrusted: the values and the number of shapes are checked.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local svg = require "crux.show.svg"

local canvas = {}

local square = 32 -- units
local margin = 4 -- around the board
local limits = { side = 200, points = 100000, letters = 12, note = 200 }

--- The colours of scripts, named as for terminals: on light ground, on dark ground. Their contrast to the ground is at least
--- 4.5.
local inks = {
  { "red", "#B3261E", "#FF8A80" }, { "bright red", "#D0342C", "#FF6E66" },
  { "green", "#1B6E34", "#5BC97A" }, { "bright green", "#25822F", "#86E08F" },
  { "yellow", "#806000", "#E3C14A" }, { "bright yellow", "#A15000", "#FFB870" },
  { "blue", "#1B4FA8", "#7FB0FF" }, { "bright blue", "#0B6BC4", "#58C0FF" },
  { "magenta", "#7A2C9E", "#D29BF0" }, { "bright magenta", "#B52678", "#FF8CC6" },
  { "cyan", "#00666E", "#4CC7D1" }, { "bright cyan", "#35607A", "#A5D8EE" },
  { "white", "#57606A", "#A0AAB5" }, { "bright white", "#1F2328", "#E6EDF3" },
  { "ground", "#FFFFFF", "#14181D" }, { "floor", "#EEF1F4", "#262D35" }, { "wall", "#6B747D", "#626B75" },
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
---@field note string?          a line below the picture

---@class Raster      of the pixels of sprites that have as many along a side, and whose places differ by whole squares
---@field side integer
---@field x number      part of a square by which the places are to the right
---@field y number
---@field rows table<integer, table<integer, string>>   colours, by row and column

--- The outlines of rectangles of one colour that make up a raster, by colour.
---@param raster Raster
---@return table<string, string[]>
local function outlines_of(raster)
  local boxes, outlines, above = {}, {}, {} -- `above`: the boxes that reach the row above, by colour, column and width
  for _, y in ipairs(lists.keys(raster.rows)) do
    local row, here, from = raster.rows[y], {}, nil
    for _, x in ipairs(lists.keys(row)) do
      from = row[x - 1] == row[x] and from or x
      if row[x + 1] ~= row[x] then
        local key = ("%s %d %d"):format(row[x], from, x)
        local box = above[key]
        if not box or box.y + box.height < y then
          box = { colour = row[x], x = from, y = y, width = x - from + 1, height = 0 }
          table.insert(boxes, box)
        end
        box.height, here[key] = box.height + 1, box
      end
    end
    above = here
  end
  for _, box in ipairs(boxes) do
    outlines[box.colour] = outlines[box.colour] or {}
    table.insert(outlines[box.colour], ("M%d %dh%dv%dh-%dz"):format(box.x, box.y, box.width, box.height, box.width))
  end
  return outlines
end

--- A canvas, and a function that returns what was drawn; nil if it has no size.
---@return table
---@return fun(): Painting?
function canvas.new()
  local columns, rows, spent, note
  local edge = margin -- units around the board
  local shapes, run = {}, nil ---@type string[], { class: string, outlines: string[] }? whole squares of one colour
  local raster ---@type Raster?
  local stamp ---@type { pixels: string[], colours: string[], dots: table[], side: integer }? the last sprite

  local function spend(what, points)
    if not columns then refuse(what, "no size", "canvas:size(columns, rows) first") end
    spent = spent + points
    if spent > limits.points then refuse(what, "more points", ("at most %d in a picture"):format(limits.points)) end
  end

  local function across(what, x) return edge + (squares(what, "x", x, 0, columns + 1) - 0.5) * square end
  local function down(what, y) return edge + (squares(what, "y", y, 0, rows + 1) - 0.5) * square end
  local function length(what, size, default) return squares(what, "size", size or default, 0.01, 4) * square end

  local function points_of(what, list)
    if type(list) ~= "table" or rawlen(list) < 1 then refuse(what, fault.show(list), "a list of points { x, y }") end
    spend(what, rawlen(list))
    local points = {}
    for i = 1, rawlen(list) do
      local point = rawget(list, i)
      if type(point) ~= "table" then refuse(what, fault.show(point), "a point { x, y }") end
      points[i] = { across(what, rawget(point, 1)), down(what, rawget(point, 2)) }
    end
    return points
  end

  --- Ends the shapes that are collected: squares of a colour, or the pixels of sprites.
  local function end_run()
    if run then table.insert(shapes, svg.element("path", { class = run.class, d = table.concat(run.outlines) })) end
    if raster then
      local outlines = outlines_of(raster)
      for _, colour in ipairs(lists.keys(outlines)) do
        table.insert(shapes, svg.element("path", { class = "sprite", fill = colour, d = table.concat(outlines[colour]),
          transform = ("translate(%s %s)scale(%s)"):format(svg.number(edge + raster.x * square),
            svg.number(edge + raster.y * square), svg.number(square / raster.side)) }))
      end
    end
    run, raster = nil, nil
  end

  local function add(name, class, attributes, content)
    end_run()
    attributes.class = class
    table.insert(shapes, svg.element(name, attributes, content or ""))
  end

  --- A whole square, in one path with the squares of the same colour before it.
  local function add_square(class, left, top)
    if not run or run.class ~= class then
      end_run()
      run = { class = class, outlines = {} }
    end
    table.insert(run.outlines, ("M%s %sh%dv%dh-%dz"):format(svg.number(left), svg.number(top), square, square, square))
  end

  local pen = {}

  --- The size of the board in squares, and how many are left free around it, 0 unless given. Must be called first.
  function pen.size(_, width, height, border)
    columns, rows, spent = squares("size", "columns", width, 1, limits.side), squares("size", "rows", height, 1, limits.side), 0
    edge = margin + squares("size", "border", border or 0, 0, 1) * square
  end

  --- A line below the picture.
  function pen.note(_, text)
    spend("note", 1)
    if type(text) ~= "string" or #text > limits.note then
      refuse("note", fault.show(text), ("a text of at most %d bytes"):format(limits.note))
    end
    note = svg.clean(text)
  end

  --- Lines between the squares of the first columns and rows, of the whole board unless given.
  function pen.grid(_, width, height)
    spend("grid", 1)
    width, height = squares("grid", "columns", width or columns, 1, columns), squares("grid", "rows", height or rows, 1, rows)
    local words = {}
    local function at(squares_before) return svg.number(edge + squares_before * square) end
    for x = 0, width // 1 do table.insert(words, ("M%s %sV%s"):format(at(x), at(0), at(height))) end
    for y = 0, height // 1 do table.insert(words, ("M%s %sH%s"):format(at(0), at(y), at(width))) end
    add("path", "grid", { d = table.concat(words) })
  end

  --- A filled square; its size in squares is 1 unless given.
  function pen.cell(_, x, y, colour, size)
    spend("cell", 1)
    local side, class = length("cell", size, 1), "fill " .. ink_of("cell", colour)
    local left, top = across("cell", x) - side / 2, down("cell", y) - side / 2
    if side == square then return add_square(class, left, top) end
    add("rect", class, { x = left, y = top, width = side, height = side, rx = 3 })
  end

  --- The pixels of a sprite, from row and column 0 on.
  local function dots_of(pixels, colours)
    if type(pixels) ~= "table" or rawlen(pixels) < 1 or type(colours) ~= "table" then
      refuse("sprite", fault.show(pixels), "rows of digits, and colours")
    end
    local dots, side = {}, rawlen(pixels)
    for row = 1, side do
      local text = rawget(pixels, row)
      if type(text) ~= "string" or #text > side then
        refuse("sprite", fault.show(text), ("a row of at most %d digits"):format(side))
      end
      spend("sprite", #text)
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
  function pen.sprite(_, x, y, pixels, colours)
    if not stamp or stamp.pixels ~= pixels or stamp.colours ~= colours then
      stamp = { pixels = pixels, colours = colours, dots = dots_of(pixels, colours), side = rawlen(pixels) }
    end
    spend("sprite", 1 + #stamp.dots)
    across("sprite", x)
    down("sprite", y)
    local side = stamp.side
    if not raster or raster.side ~= side or raster.x ~= x % 1 or raster.y ~= y % 1 then
      end_run()
      raster = { side = side, x = x % 1, y = y % 1, rows = {} }
    end
    local painted, left, top = raster.rows, (x // 1 | 0) * side - side, (y // 1 | 0) * side - side
    for _, dot in ipairs(stamp.dots) do
      local row = top + dot.row
      painted[row] = painted[row] or {}
      painted[row][left + dot.column] = dot.colour
    end
  end

  --- A filled circle; its size is 0.7 unless given.
  function pen.disc(_, x, y, colour, size)
    spend("disc", 1)
    add("circle", "fill " .. ink_of("disc", colour), { cx = across("disc", x), cy = down("disc", y),
      r = length("disc", size, 0.7) / 2 })
  end

  --- An empty circle; its size is 0.8 unless given.
  function pen.ring(_, x, y, colour, size)
    spend("ring", 1)
    add("circle", "stroke " .. ink_of("ring", colour), { cx = across("ring", x), cy = down("ring", y),
      r = length("ring", size, 0.8) / 2, ["stroke-width"] = 3 })
  end

  --- A line through points; its width is 0.1 unless given.
  function pen.line(_, points, colour, width)
    add("path", "stroke " .. ink_of("line", colour), { d = svg.path(points_of("line", points)),
      ["stroke-width"] = length("line", width, 0.1) })
  end

  --- A line with an arrowhead at its end.
  function pen.arrow(_, points, colour, width)
    local drawn, thick = points_of("arrow", points), length("arrow", width, 0.1)
    local last, before = drawn[#drawn], drawn[#drawn - 1] or drawn[#drawn]
    local angle, reach = math.atan(last[2] - before[2], last[1] - before[1]), 6 + 1.5 * thick
    local function barb(turn) return { last[1] - reach * math.cos(angle + turn), last[2] - reach * math.sin(angle + turn) } end
    add("path", "stroke " .. ink_of("arrow", colour), { ["stroke-width"] = thick,
      d = svg.path(drawn) .. (#drawn > 1 and svg.path { barb(0.6), last, barb(-0.6) } or "") })
  end

  --- A short text around a point; letters are 0.5 high unless given.
  function pen.label(_, x, y, text, colour, size)
    spend("label", 1)
    if type(text) ~= "string" or (utf8.len(text) or #text) > limits.letters then
      refuse("label", fault.show(text), ("a text of at most %d letters"):format(limits.letters))
    end
    add("text", "fill " .. ink_of("label", colour), { x = across("label", x), y = down("label", y), ["font-weight"] = "bold",
      ["font-size"] = length("label", size, 0.5) }, svg.escape(text))
  end

  return pen, function()
    if not columns then return nil end
    end_run()
    return { width = 2 * edge + columns * square, height = 2 * edge + rows * square, content = table.concat(shapes, "\n"),
      squares = { edge, edge, square, square }, note = note }
  end
end

local letter = { width = 11, height = 20, size = 17 } -- units of a character of a drawing

--- A drawing in characters as a picture, whose squares are the characters.
---@param text string
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
