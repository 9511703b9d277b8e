--- The look of levels of tiles, in terminals and in pictures, from one list of what is drawn, bottom to top:
---
---     look = { { "wall", "wall" }, { "box", "yellow square" }, { "exit", "blue square", sign = "O" }, path = "man" }
---
--- A row names a thing, its colour, and its shape: square, dot, disc or ring; without a shape the whole square is filled.
--- `size` is the shape's in squares, if it is not the usual one; `border` of the planes is the width around them.
--- `sign` is written on it, in a corner of a ring on which something is. `path` names the thing whose way is drawn as an arrow;
--- with `lines` there are lines between the squares, with `moves` the moves of a solution are arrows below the board.
local directions = require "crux.base.directions"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"

local look = {}

--- By shape: the method of a canvas, the size of the shape in squares, and that of the sign on it.
local shapes = { square = { "cell", 0.8, 0.6 }, dot = { "disc", 0.3, 0.2 }, disc = { "disc", 0.6, 0.45 },
  ring = { "ring", 0.8, 0.4 } }

--- Colours of pictures that no terminal has.
local in_terminals = { wall = "blue", floor = "white", ground = "black" }

---@class Style
---@field kind string
---@field colour string
---@field shape string
---@field size number?
---@field sign string?
---@field sign_size number

---@param row string[]
---@return Style
local function style_of(row)
  local colour, shape = row[2]:match "^(.+) (%a+)$"
  local known = shapes[shape]
  return { kind = row[1], colour = known and colour or row[2], shape = known and known[1] or "cell",
    size = row.size or known and known[2], sign = row.sign, sign_size = known and known[3] or 0.6 }
end

--- The colours of things, which pictures and terminals have.
look.inks = { "wall", "floor", "ground" }
local shaded = { "red", "green", "yellow", "blue", "magenta", "cyan", "white" }
for _, colour in ipairs(shaded) do
  table.move({ colour, "bright " .. colour }, 1, 2, #look.inks + 1, look.inks)
end

--- The fields of `look`, and of its rows.
local known, known_of_row = { "lines", "moves", "path" }, { "sign", "size" }

--- Raises an error unless a row names a thing and a colour, and its fields are known.
local function check(row)
  if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2]) ~= "string" then
    error(("look: found %s, expected a row { \"THING\", \"COLOUR SHAPE\" }"):format(fault.show(row)), 0)
  end
  if not lists.contains(look.inks, style_of(row).colour) then
    error(("look: '%s': found '%s', expected a colour (%s or bright and one of them; wall, floor, ground), or one and a shape "
      .. "(square, dot, disc, ring)"):format(row[1], row[2], table.concat(shaded, ", ")), 0)
  end
  local stranger = lists.stranger(row, known_of_row)
  if stranger then error(("look: '%s': %s"):format(row[1], nearest.unknown("field", stranger, known_of_row)), 0) end
end

local styles = setmetatable({}, { __mode = "k" }) -- of rows that were drawn

--- The colours of characters in terminals: a tile has the colour of its first thing, unless its row has a `colour`.
---@param rows string[][]   of look
---@param tiles string[][]
---@return table<string, string>
function look.colours(rows, tiles)
  local by_kind, colours, stranger = {}, {}, lists.stranger(rows, known)
  if stranger then error("look: " .. nearest.unknown("field", stranger, known), 0) end
  for _, row in ipairs(rows) do
    check(row)
    local colour = style_of(row).colour
    by_kind[row[1]] = in_terminals[colour] or colour
  end
  for _, tile in ipairs(tiles) do
    if utf8.len(tile[1]) == 1 then colours[tile[1]] = tile.colour or by_kind[tile[2]] end
  end
  return colours
end

--- Writes the sign of the i-th row on a square.
local function write_sign(rows, i, style, x, y, planes, canvas)
  if style.shape ~= "ring" then return canvas:label(x, y, style.sign, "ground", style.sign_size) end
  for above = i + 1, #rows do
    if planes[rows[above][1]]:has(x, y) then return canvas:label(x + 0.38, y - 0.38, style.sign, style.colour, 0.3) end
  end
  canvas:label(x, y, style.sign, style.colour, style.sign_size)
end

--- Draws moves as arrows below a board, in lines as wide as it.
local function paint_moves(moves, planes, canvas)
  local in_line = math.max(6, planes.width)
  local pitch = planes.width / in_line
  canvas:size(planes.width, planes.height + 0.3 + (#moves + in_line - 1) // in_line * pitch)
  for i, move in ipairs(moves) do
    local x, y = 0.5 + pitch * ((i - 1) % in_line + 0.5), planes.height + 0.8 + pitch * ((i - 1) // in_line + 0.5)
    local right, down = 0.3 * pitch * directions.steps[move][1], 0.3 * pitch * directions.steps[move][2]
    canvas:arrow({ { x - right, y - down }, { x + right, y + down } }, "bright white", 0.08 * pitch)
  end
end

--- Draws boards on a canvas.
---@param rows table        of look
---@param planes table<string, userdata>   with width and height
---@param way integer[][]?  of the thing that `path` names: points { x, y }
---@param moves string[]?   of the solution
function look.paint(rows, planes, canvas, way, moves)
  if rows.moves and moves and #moves > 0 then
    paint_moves(moves, planes, canvas)
  else
    canvas:size(planes.width, planes.height, planes.border)
  end
  if rows.lines then canvas:grid(planes.width, planes.height) end
  for i, row in ipairs(rows) do
    styles[row] = styles[row] or style_of(row)
    local style = styles[row]
    for x, y in planes[style.kind]:cells() do
      canvas[style.shape](canvas, x, y, style.colour, style.size)
      if style.sign then write_sign(rows, i, style, x, y, planes, canvas) end
    end
  end
  if way and #way > 1 then canvas:arrow(way, "bright blue", 0.08) end
end

return look
