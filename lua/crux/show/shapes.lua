--- The shapes of a picture of squares as SVG elements, in the order of drawing. Whole squares of one colour that follow each
--- other are one path, and so are the pixels of one colour of sprites that follow each other.
local lists = require "crux.base.lists"
local svg = require "crux.show.svg"

---@class Pixels      of sprites with the same number of pixels along a side, at distances of whole squares
---@field side integer   pixels along a side of a square
---@field left number    units, of the first square
---@field top number
---@field rows table<integer, table<integer, string>>   colours by row and column, from 0 in the first square

---@class Shapes
---@field private list string[]
---@field private run { class: string, outlines: string[] }?   squares that are collected
---@field private pixels Pixels?                                pixels that are collected
---@field private in_group boolean?
local Shapes = {
  square = 32, -- units
}
Shapes.__index = Shapes

---@return Shapes
function Shapes.new() return setmetatable({ list = {} }, Shapes) end

--- The outlines of rectangles of one colour that make up pixels, by colour.
---@return table<string, string[]>
local function outlines_of(pixels)
  local boxes, outlines, above = {}, {}, {} -- `above`: the boxes that reach the row above, by colour, column and width
  for _, y in ipairs(lists.keys(pixels.rows)) do
    local row, here, from = pixels.rows[y], {}, nil
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

--- Adds what is collected to the list.
---@private
function Shapes:end_path()
  local run, pixels = self.run, self.pixels
  if run then table.insert(self.list, svg.element("path", { class = run.class, d = table.concat(run.outlines) })) end
  local outlines = pixels and outlines_of(pixels) or {}
  for _, colour in ipairs(lists.keys(outlines)) do
    table.insert(self.list, svg.element("path", { class = "sprite", fill = colour, d = table.concat(outlines[colour]),
      transform = ("translate(%s %s)scale(%s)"):format(svg.number(pixels.left), svg.number(pixels.top),
        svg.number(Shapes.square / pixels.side)) }))
  end
  self.run, self.pixels = nil, nil
end

--- Begins a group of a name, with the shapes up to the next one; without a name it ends one.
---@param name string?
function Shapes:group(name)
  self:end_path()
  if self.in_group then table.insert(self.list, "</g>") end
  if name then table.insert(self.list, ('<g data-thing="%s">'):format(name)) end
  self.in_group = name ~= nil
end

--- Adds an element of a class.
---@param attributes table<string, string|number>
---@param content string?
function Shapes:add(name, class, attributes, content)
  self:end_path()
  attributes.class = class
  table.insert(self.list, svg.element(name, attributes, content or ""))
end

--- Adds a whole square.
---@param left number   units
function Shapes:add_square(class, left, top)
  if not self.run or self.run.class ~= class then
    self:end_path()
    self.run = { class = class, outlines = {} }
  end
  local side = Shapes.square
  table.insert(self.run.outlines, ("M%s %sh%dv%dh-%dz"):format(svg.number(left), svg.number(top), side, side, side))
end

--- Adds the pixels of a sprite to a square.
---@param dots { row: integer, column: integer, colour: string }[]   from row and column 0 on
---@param side integer    pixels along a side of the square
---@param left number     units, of the first square of the board, moved by the part of a square that the sprite is moved by
---@param column integer  of the square, from 0
function Shapes:add_dots(dots, side, left, top, column, row)
  local pixels = self.pixels
  if not pixels or pixels.side ~= side or pixels.left ~= left or pixels.top ~= top then
    self:end_path()
    pixels = { side = side, left = left, top = top, rows = {} }
    self.pixels = pixels
  end
  for _, dot in ipairs(dots) do
    local y = row * side + dot.row
    pixels.rows[y] = pixels.rows[y] or {}
    pixels.rows[y][column * side + dot.column] = dot.colour
  end
end

--- Ends the picture. Returns its elements, a line each, and its pixels if it has no other shapes.
---@return string
---@return Pixels?
function Shapes:finish()
  local pixels = not (self.list[1] or self.run) and self.pixels or nil
  self:end_path()
  if self.in_group then self:group() end
  return table.concat(self.list, "\n"), pixels
end

return Shapes
