--- Reading worlds of LDtk (ldtk.io), version 1: a project with all its levels, also in files of their own, or one such file.
local fault = require "crux.base.fault"
local fields = require "crux.format.fields"
local json_reader = require "crux.base.json_reader"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"
local tile_map = require "crux.format.tile_map"

local ldtk = {}

--- True if a text is a project of LDtk, or one of its levels in a file of its own, or if its file has the name of one:
--- ldtk.read then says what is wrong with it.
---@param path string?
function ldtk.is_one(text, path)
  if (path or ""):find "%.ldtkl?$" then return true end
  return text:find "^%s*{" and text:find('"__header__"', 1, true) and text:find('"layerInstances"', 1, true)
end

--- The names of the values of IntGrid layers: `names[uid of the layer][value]`.
local function values_of(project, path)
  local names = {}
  for _, layer in ipairs(fields.items(project.defs or {}, "layers", path)) do
    local own = {}
    for _, value in ipairs(fields.items(layer, "intGridValues", path)) do
      if value.value then own[value.value] = fields.text(value.identifier) end
    end
    names[layer.uid or 0] = own
  end
  return names
end

--- The layer of an IntGrid: a name, a number and the layer's name for each value.
local function grid_layer(layer, name, place, map, values)
  local cells = layer.intGridCsv or {}
  local width, height = fields.integer(layer, "__cWid", place), fields.integer(layer, "__cHei", place)
  if width ~= map.width or height ~= map.height then
    fault.at(place, ("a grid of %d x %d"):format(width, height), ("%d x %d, as others"):format(map.width, map.height))
  end
  if #cells ~= width * height then fault.at(place, ("%d values"):format(#cells), ("%d"):format(width * height)) end
  return { name = name, cells = cells, names = function(value)
    if math.type(value) ~= "integer" then fault.at(place, fault.show(value), "a whole number") end
    local names = { (values[layer.layerDefUid] or {})[value] }
    return lists.concat(names, { value, name })
  end }
end

--- Adds an object, in pixels, to the layers of a map, as one that is on the squares that it covers.
local function add_object(map, name, names, x, y, width, height)
  local squares = tile_map.squares(map, x / map.grid, y / map.grid, width / map.grid, height / map.grid)
  table.insert(map.layers, { name = name, squares = squares, names = function() return names end })
end

--- A pair of numbers of pixels.
local function pair(object, name, place)
  local both = object[name]
  if type(both) ~= "table" then fault.at(("%s: %s"):format(place, name), fault.show(both), "two numbers of pixels") end
  return fields.pixels(both, 1, place), fields.pixels(both, 2, place)
end

local function add_tiles(map, layer, name, place)
  local size = fields.integer(layer, "__gridSize", place)
  local set = (fields.text(layer.__tilesetRelPath) or ""):match "([^/]*)$":gsub("%.%w+$", "")
  for _, tile in ipairs(fields.items(layer, "gridTiles", place)) do
    local x, y = pair(tile, "px", place)
    local number, flips = fields.integer(tile, "t", place), fields.integer(tile, "f", place, 0)
    local letters = (flips & 1 ~= 0 and "h" or "") .. (flips & 2 ~= 0 and "v" or "")
    add_object(map, name, tile_map.flipped({ ("%s:%d"):format(set, number), number, name }, letters), x, y, size, size)
  end
end

local function add_entities(map, layer, name, place)
  for _, entity in ipairs(fields.items(layer, "entityInstances", place)) do
    local names = { fields.text(entity.__identifier) }
    for _, tag in ipairs(type(entity.__tags) == "table" and entity.__tags or {}) do table.insert(names, fields.text(tag)) end
    table.insert(names, name)
    local width, height = fields.pixels(entity, "width", place), fields.pixels(entity, "height", place)
    local x, y = pair(entity, "px", place)
    local right, down = pair({ pivot = entity.__pivot or { 0, 0 } }, "pivot", place)
    add_object(map, name, names, x - right * width, y - down * height, width, height)
  end
end

--- A level as a map; its layers are listed top to bottom.
local function map_of(level, path, values)
  local place = ("%s: level %s"):format(path, fault.show(level.identifier))
  local map = { path = path, place = place, name = fields.text(level.identifier), notes = {}, layers = {} }
  for _, field in ipairs(fields.items(level, "fieldInstances", place)) do
    fields.note(map.notes, field.__identifier, field.__value)
  end
  local layers = lists.select(fields.items(level, "layerInstances", place), function(layer)
    return layer.visible ~= false and layer.__type ~= "AutoLayer"
  end)
  local sized = lists.select(layers, function(layer) return layer.__type == "IntGrid" end)[1] or layers[1]
    or fault.at(place, "no layer that is seen", "one")
  map.grid = fields.integer(sized, "__gridSize", place)
  if map.grid < 1 then fault.at(place, ("a grid of %d pixels"):format(map.grid), "at least 1") end
  map.width, map.height = sized.__cWid, sized.__cHei
  tile_map.check_size(place, map.width, map.height)
  for i = #layers, 1, -1 do
    local layer, name = layers[i], fields.text(layers[i].__identifier) or "?"
    local where = ("%s: layer %s"):format(place, fault.show(name))
    if layer.__type == "IntGrid" then
      table.insert(map.layers, grid_layer(layer, name, where, map, values))
    elseif layer.__type == "Tiles" then
      add_tiles(map, layer, name, where)
    elseif layer.__type == "Entities" then
      add_entities(map, layer, name, where)
    else
      fault.at(where, "the type " .. fault.show(layer.__type), "IntGrid, Tiles, Entities or AutoLayer")
    end
  end
  return map
end

--- A level, read from its file if it has one of its own.
local function whole(level, path)
  local name = not level.layerInstances and fields.text(level.externalRelPath)
  if not name then return level end
  local own = fields.file(name, path, "the file of a level")
  local read = json_reader.read(text_file.read(own, sizes.map_file_bytes, "a level of LDtk"), own)
  return type(read) == "table" and read or fault.at(own .. ":1", "another value", "a level of LDtk")
end

--- The levels of a project in the order of the file, or the one of a level's own file.
function ldtk.levels(project, path)
  local list = {}
  if project.layerInstances then return { project } end
  for _, world in ipairs(lists.concat({ project }, fields.items(project, "worlds", path))) do
    list = lists.concat(list, fields.items(world, "levels", path))
  end
  return #list > 0 and list or fault.at(path .. ":1", "no level", "at least one level")
end

--- The maps of a file: one for each level.
---@return TileMap[]
function ldtk.read(text, path)
  local project = json_reader.read(text, path)
  local values = values_of(project, path)
  return lists.map(ldtk.levels(project, path), function(level) return map_of(whole(level, path), path, values) end)
end

return ldtk
