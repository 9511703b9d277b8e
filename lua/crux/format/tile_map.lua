--- Maps of editors as texts of levels: the one place where a game's table `tiled` turns tiles and objects into squares.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"

local tile_map = {}

---@class TileMap
---@field path string
---@field place string?        in messages: the path unless given
---@field number integer?      of the map in its file
---@field name string?
---@field width integer
---@field height integer
---@field notes table<string, string>
---@field layers TileLayer[]   bottom to top

---@class TileLayer
---@field name string
---@field cells integer[]?       a tile for each square in reading order, 0 for none
---@field squares integer[]?     in place of cells: the squares of an object
---@field names fun(tile: integer?): (integer|string)[]   what a tile, or the object, is called: the best first

local without_tile = { __index = function() return 0 end }

--- Makes the cells of a layer: no square has a tile until one is set.
function tile_map.new_cells() return setmetatable({}, without_tile) end

--- Raises the fault of a map whose size is no level's.
function tile_map.check_size(path, width, height)
  if math.type(width) == "integer" and math.type(height) == "integer" and width > 0 and height > 0
    and width <= sizes.level_bytes and height <= sizes.level_bytes // width then return end
  fault.at(path, ("a map of %s x %s"):format(fault.show(width), fault.show(height)),
    ("1 to %d tiles"):format(sizes.level_bytes))
end

--- The names of a tile that is mirrored or turned: first each with the letters of its flips, as "arrow h".
function tile_map.flipped(names, flips)
  if flips == "" then return names end
  return lists.concat(lists.map(names, function(name) return ("%s %s"):format(name, flips) end), names)
end

--- The squares of a map whose middles a rectangle covers, in squares from the upper left; at least that of its own upper left.
---@param map { width: integer, height: integer }
---@return integer[]
function tile_map.squares(map, x, y, width, height)
  local left, top, squares = math.floor(x + 0.5), math.floor(y + 0.5), {}
  local right, bottom = math.ceil(x + width - 0.5) - 1, math.ceil(y + height - 0.5) - 1
  if right < left or bottom < top then left, top, right, bottom = math.floor(x), math.floor(y), math.floor(x), math.floor(y) end
  for row = math.max(top, 0), math.min(bottom, map.height - 1) do
    for column = math.max(left, 0), math.min(right, map.width - 1) do table.insert(squares, row * map.width + column + 1) end
  end
  return squares
end

--- Tells how things that lie on one square become one character, by the game's tiles: `characters` has the first character of
--- each set of things, whose sorted names are one text, and `things` the sorted names by character.
local function union_of(format)
  local union = { characters = {}, things = {} }
  for _, row in ipairs(format.tiles or {}) do
    local things = table.move(row, 2, #row, 1, {})
    table.sort(things)
    local key = table.concat(things, "\0")
    union.characters[key] = union.characters[key] or row[1]
    union.things[row[1]] = things
  end
  return union
end

--- The mark of both; nil if no tile of the game holds the things of both. Without a legend the upper one covers the lower.
local function united(union, lower, upper)
  local below, above = union.things[lower], union.things[upper]
  if lower == upper or not below or not above then return upper end
  local things = lists.union(below, above)
  table.sort(things)
  return union.characters[table.concat(things, "\0")]
end

local function shown_names(names) return table.concat(lists.map(names, fault.show), " or ") end

--- The names of all things, sorted.
local function things_of(union)
  local names = {}
  for _, things in pairs(union.things) do names = lists.union(names, things) end
  return lists.sort(names, function(name) return name end)
end

--- The names of a table `tiled`, numbers first.
local function keys_of(names)
  local keys = {}
  for name in pairs(names) do table.insert(keys, name) end
  return lists.sort(keys, function(name) return math.type(name) and 0 or 1 end, function(name) return name end)
end

--- The mark of a tile by the first of its names that the table has; a name that is a character of the game's is its own mark.
local function mark_of(format, union, names)
  for _, name in ipairs(names) do
    local mark = (format.tiled or {})[name]
    if mark ~= nil then return mark or "" end
    if format.words then return name end
    if union.things[name] or not format.tiles and type(name) == "string" and utf8.len(name) == 1 then return name end
    if union.characters[name] then return union.characters[name] end
  end
end

--- The end of a message: which character is an empty square; "" in a game in which each tile has a thing.
local function empty_of(format)
  for _, tile in ipairs(format.tiles or {}) do
    if #tile == 1 then return (", or '%s' for an empty square"):format(tile[1]) end
  end
  return ""
end

--- Raises the fault of a tile or object on a square.
local function refuse(map, layer, square, found, expected)
  local x, y = (square - 1) % map.width + 1, (square - 1) // map.width + 1
  fault.at(("%s: layer %s: column %d, row %d"):format(map.place or map.path, fault.show(layer.name), x, y), found, expected)
end

--- Puts the marks of a layer on the grid.
local function add_layer(map, layer, format, union, grid)
  local squares, cells = layer.squares, layer.cells
  local marks = setmetatable({ [0] = "" }, { __index = function(marks, tile)
    local names = layer.names(tile)
    marks[tile] = mark_of(format, union, names) or false
    return marks[tile]
  end })
  local function put(square, tile)
    local mark, lower = marks[tile], grid[square]
    if not mark then
      local expected = format.tiled and "one of the game's table `tiled`: " .. shown_names(keys_of(format.tiled))
      refuse(map, layer, square, (squares and "the object " or "the tile ") .. shown_names(layer.names(tile)),
        expected or "a thing of the game's: " .. shown_names(things_of(union)) .. empty_of(format))
    end
    if mark == "" then return end
    grid[square] = not lower and mark or united(union, lower, mark)
      or refuse(map, layer, square, ("'%s' on '%s'"):format(mark, lower), "what a square holds together")
  end
  if squares then
    for _, square in ipairs(squares) do put(square, 1) end
    return
  end
  for square = 1, map.width * map.height do
    local tile = cells[square]
    if tile ~= 0 then put(square, tile) end
  end
end

--- The level of a map: what the layers and objects hold on each square; `tiled[0]`, else the tile without things, is on others.
---@param map TileMap
---@param format LevelFormat
---@return LevelText
function tile_map.level(map, format)
  local union, grid, rows = union_of(format), {}, {}
  for square = 1, map.width * map.height do grid[square] = false end
  for _, layer in ipairs(map.layers) do add_layer(map, layer, format, union, grid) end
  local nothing = (format.tiled or {})[0] or union.characters[""]
  for square = 1, map.width * map.height do
    grid[square] = grid[square] or nothing or fault.at(("%s: column %d, row %d"):format(map.place or map.path,
      (square - 1) % map.width + 1, (square - 1) // map.width + 1), "no tile", "one, or [0] in the game's table `tiled`")
  end
  local separator = (format.words or format.tiles and format.tiles.separated) and " " or ""
  local lines = {}
  for y = 1, map.height do
    rows[y], lines[y] = table.concat(grid, separator, (y - 1) * map.width + 1, y * map.width), y
  end
  return { name = map.notes.name or map.notes.title or map.name, text = table.concat(rows, "\n") .. "\n", lines = lines,
    path = map.path, notes = map.notes, map_number = map.number }
end

---@class MarkMap
---@field path string            in messages
---@field name string
---@field notes table<string, string>
---@field width integer
---@field height integer
---@field marks string[]         what the squares hold, in reading order
---@field nothing string?        the mark of squares without things

--- A level's text as marks of squares; short rows are filled.
---@return MarkMap
function tile_map.of(level, format, path)
  local nothing = union_of(format).characters[""]
  local map = { path = path, name = level.name, notes = level.notes, width = 0, height = 0, marks = {}, nothing = nothing }
  local rows, separated = {}, format.tiles and format.tiles.separated
  for line in level.text:gmatch "[^\n]+" do
    local row, pattern = {}, (separated or format.words and line:find "%S%s+%S") and "%S+" or utf8.charpattern
    for mark in line:gmatch(pattern) do table.insert(row, mark) end
    map.width, map.height, rows[#rows + 1] = math.max(map.width, #row), map.height + 1, row
  end
  for y, row in ipairs(rows) do
    for x = 1, map.width do
      local mark = row[x] or nothing or fault.at(("%s: level %s: row %d"):format(path, fault.show(level.name), y),
        ("%d squares"):format(#row), ("%d, as in other rows: only levels of a grid are maps"):format(map.width))
      table.insert(map.marks, mark)
    end
  end
  return map
end

--- The numbers of the marks of maps of a game, from 1 on in the order of the marks; of squares with nothing 0.
---@param maps MarkMap[]
---@return table<string, integer> numbers
---@return string[] marks   by their numbers
function tile_map.numbered(maps)
  local numbers, marks = { [maps[1].nothing or false] = 0 }, {}
  for _, map in ipairs(maps) do
    for _, mark in ipairs(map.marks) do
      if not numbers[mark] then
        table.insert(marks, mark)
        numbers[mark] = #marks
      end
    end
  end
  return numbers, marks
end

return tile_map
