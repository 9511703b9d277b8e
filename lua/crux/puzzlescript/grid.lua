--- The cells of a level: as sets of objects, as fields of a state, as characters.
local listing = require "crux.puzzlescript.listing"
local lists = require "crux.base.lists"
local program = require "crux.puzzlescript.program"

local grid = {}

--- Packs the words of all cells into a string.
---@param cells integer[][]
function grid.pack(cells)
  local parts, known = {}, {} -- equal cells share a table
  for i, cell in ipairs(cells) do
    known[cell] = known[cell] or string.pack(("i8"):rep(#cell), table.unpack(cell))
    parts[i] = known[cell]
  end
  return table.concat(parts)
end

--- Unpacks the cells from a string of grid.pack.
---@param words integer   words a cell
---@return integer[][]
function grid.unpack(text, words)
  local cells, form, at = {}, ("i8"):rep(words), 1
  for i = 1, #text // (8 * words) do
    local cell = { form:unpack(text, at) }
    at, cell[words + 1] = cell[words + 1], nil
    cells[i] = cell
  end
  return cells
end

--- Returns true if a cell has an object, given by its number.
function grid.has(cell, number) return cell[number // 64 + 1] >> number % 64 & 1 == 1 end

--- Returns the layers with objects that may change: { objects =, of = value by object, number =, name = of the field }.
function grid.layers_of(puzzle)
  local layers = {}
  for layer, names in ipairs(puzzle.source.layers) do
    local objects, values = {}, {}
    for _, name in ipairs(names) do
      local number = puzzle.objects[name].number
      if grid.has(puzzle.changing, number) and not values[number] then
        table.insert(objects, number)
        values[number] = #objects
      end
    end
    if #objects > 0 then table.insert(layers, { objects = objects, of = values, number = layer,
        name = ("layer%04d"):format(layer) }) end
  end
  return layers
end

function grid.state_of(layers, cells)
  local fields = {}
  for _, layer in ipairs(layers) do
    local values = {}
    for i, cell in ipairs(cells) do
      values[i] = 0
      for value, number in ipairs(layer.objects) do
        if grid.has(cell, number) then values[i] = value end
      end
    end
    fields[layer.name] = values
  end
  return fields
end

--- Returns the cells of a state: the objects of the level that never change, and the objects of the state.
function grid.cells_of(layers, level, fields)
  local cells = {}
  for i, still in ipairs(level.still) do
    local cell = table.move(still, 1, #still, 1, {})
    for _, layer in ipairs(layers) do
      local number = layer.objects[fields[layer.name][i]]
      if number then cell[number // 64 + 1] = cell[number // 64 + 1] | 1 << number % 64 end
    end
    cells[i] = cell
  end
  return cells
end

--- Returns the cells as rows of text. A cell is the character of the legend that stands for all its objects, or "?".
function grid.rows_of(puzzle, level, cells)
  local rows = {}
  for y = 1, level.height do
    local row = {}
    for x = 1, level.width do
      local cell = cells[(x - 1) * level.height + y]
      row[x] = puzzle.glyphs[table.concat(cell, " ")] or "?"
    end
    rows[y] = table.concat(row)
  end
  return rows
end

--- The names of the objects of which each cell has one.
local function backgrounds_of(puzzle)
  return puzzle.properties.background or { puzzle.synonyms.background or "background" }
end

--- The characters of the glyphs, each with the names of the objects that it stands for, as rows of `tiles` of crux.game.
function grid.tiles_of(puzzle)
  local backgrounds, rows = lists.set(backgrounds_of(puzzle)), {}
  for key, glyph in pairs(puzzle.glyphs) do
    local cell = {}
    for word in key:gmatch "%S+" do table.insert(cell, math.tointeger(word)) end
    local names = lists.select(listing.names(puzzle, cell), function(name) return not backgrounds[name] end)
    table.insert(rows, { glyph, table.unpack(names) })
  end
  table.sort(rows, function(a, b) return a[1] < b[1] end)
  return rows
end

--- Maps sets of objects to characters of the legend; a set without a background is mapped with each background added.
function grid.glyphs_of(puzzle)
  local glyphs, names = {}, {}
  for name, declared in pairs(puzzle.source.names) do
    if utf8.len(name) == 1 and not puzzle.properties[name] then table.insert(names, { name, declared.line }) end
  end
  table.sort(names, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  local backgrounds = backgrounds_of(puzzle)
  for _, row in ipairs(names) do
    local set = program.set_of(puzzle, row[1])
    for _, background in ipairs(backgrounds) do
      local number, cell, has_one = puzzle.objects[background].number, table.move(set, 1, #set, 1, {}), false
      for _, other in ipairs(backgrounds) do has_one = has_one or grid.has(set, puzzle.objects[other].number) end
      if not has_one then cell[number // 64 + 1] = cell[number // 64 + 1] | 1 << number % 64 end
      local key = table.concat(cell, " ")
      glyphs[key] = glyphs[key] or row[1]
    end
  end
  return glyphs
end

return grid
