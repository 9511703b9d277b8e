--- The look of levels of tiles, in terminals and in pictures, from one list of what is drawn, bottom to top:
---
---     look = { { "wall", "wall" }, { "box", "yellow square" }, { "exit", "blue square", sign = "O" }, path = "man" }
---
--- A row names a thing, its colour, and its shape: square, dot, disc or ring; without a shape the whole square is filled.
--- `sign` is written on it. `path` names the thing whose way is drawn as an arrow, or is a function (now, level) that returns
--- its column and row; with `lines` there are lines between the squares.
local look = {}

--- By shape: the method of a canvas, and the size of the shape in squares.
local shapes = { square = { "cell", 0.8 }, dot = { "disc", 0.3 }, disc = { "disc", 0.6 }, ring = { "ring", 0.8 } }

--- Colours of pictures that no terminal has.
local in_terminals = { wall = "blue", floor = "white", ground = "black" }

---@class Style
---@field kind string
---@field colour string
---@field shape string
---@field size number?
---@field sign string?

---@param row string[]
---@return Style
local function style_of(row)
  local colour, shape = row[2]:match "^(.+) (%a+)$"
  local known = shapes[shape]
  return { kind = row[1], colour = known and colour or row[2], shape = known and known[1] or "cell", size = known and known[2],
    sign = row.sign }
end

--- The colours of characters in terminals: a tile has the colour of its first thing, unless its row has a `colour`.
---@param rows string[][]   of look
---@param tiles string[][]
---@return table<string, string>
function look.colours(rows, tiles)
  local by_kind, colours = {}, {}
  for _, row in ipairs(rows) do
    local colour = style_of(row).colour
    by_kind[row[1]] = in_terminals[colour] or colour
  end
  for _, tile in ipairs(tiles) do
    if utf8.len(tile[1]) == 1 then colours[tile[1]] = tile.colour or by_kind[tile[2]] end
  end
  return colours
end

--- Draws boards on a canvas.
---@param rows table        of look
---@param planes table<string, userdata>   with width and height
---@param ways integer[][]? the way of the thing that `path` names: points { x, y }
---@param canvas Canvas
function look.paint(rows, planes, ways, canvas)
  canvas:size(planes.width, planes.height)
  if rows.lines then canvas:grid() end
  for _, row in ipairs(rows) do
    local style = style_of(row)
    for x, y in planes[style.kind]:cells() do
      canvas[style.shape](canvas, x, y, style.colour, style.size)
      if style.sign then canvas:label(x, y, style.sign, "ground", 0.6) end
    end
  end
  if ways and #ways > 1 then canvas:arrow(ways, "bright blue", 0.08) end
end

return look
