--- Reading maps of Tiled (mapeditor.org): TMX and TSX, which are XML, and their counterparts in JSON.
local compression = require "libcrux.compression"
local fault = require "crux.base.fault"
local fields = require "crux.format.fields"
local json_reader = require "crux.base.json_reader"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"
local tile_map = require "crux.format.tile_map"
local xml = require "libcrux.xml"

local tiled = {}

local layer_types = { layer = "tilelayer", objectgroup = "objectgroup", group = "group", imagelayer = "imagelayer" }
local lists_of = { tileset = "tilesets", object = "objects", property = "properties", tile = "tiles", chunk = "chunks" }
local numbers = lists.set { "width", "height", "x", "y", "id", "gid", "firstgid", "tilewidth", "tileheight" }

--- The data of a layer or chunk: a text, or the numbers of elements `tile`.
local function data_of(content, element)
  return content.tiles and lists.map(content.tiles, function(tile) return tile.gid or 0 end) or element.text
end

--- An element of TMX or TSX as the same object in Tiled's JSON.
local function as_json(element)
  local object = {}
  for name, value in pairs(element.attributes) do
    if numbers[name] then value = math.tointeger(value) or tonumber(value) end
    object[name] = value
  end
  object.infinite, object.visible = object.infinite == "1", object.visible ~= "0"
  object.value = object.value or element.name == "property" and element.text or nil
  for _, child in ipairs(element) do
    local content, kind = as_json(child), lists_of[child.name] or layer_types[child.name] and "layers"
    if child.name == "data" then
      object.encoding, object.compression, object.chunks = content.encoding, content.compression, content.chunks
      object.data = data_of(content, child)
    elseif child.name == "properties" and element.name ~= "properties" then
      object.properties = content.properties
    elseif child.name == "image" then
      object.image = content.source
    elseif kind then
      content.type = layer_types[child.name] or content.type
      object[kind] = object[kind] or {}
      table.insert(object[kind], content)
    end
  end
  if element.name == "chunk" then object.data = data_of(object, element) end
  return object
end

--- The object of a text of TMX, TSX or JSON.
---@param name string   of the outermost element: "map" or "tileset"
local function decode(text, path, name)
  if text:find "^%s*[{%[]" then
    local object = json_reader.read(text, path)
    local is_one = type(object) == "table" and (object.type or name) == name
    return is_one and object or fault.at(path .. ":1", "another object", "a " .. name)
  end
  local element, problem, line, column = xml.parse(text)
  if not element then fault.raise(("%s:%d: column %d: %s"):format(path, line or 1, column or 1, problem)) end
  if element.name ~= name then fault.at(path .. ":1", fault.show("<" .. element.name .. ">"), ("<%s>"):format(name)) end
  return as_json(element)
end

--- The values of custom properties by name in lower case, as texts.
local function notes_of(object, path)
  local notes = {}
  for _, property in ipairs(fields.items(object, "properties", path)) do
    fields.note(notes, property.name, property.value)
  end
  return notes
end

--- The tilesets of a map, as { firstgid =, name =, tiles = tiles by id }, by firstgid.
local function tilesets_of(map, path)
  local found = {}
  for _, reference in ipairs(fields.items(map, "tilesets", path)) do
    local set, place = reference, path
    if reference.source then
      place = fields.file(reference.source, path, "the file of a tileset")
      set = decode(text_file.read(place, sizes.map_file_bytes, "a tileset"), place, "tileset")
    end
    local tiles = {}
    for _, tile in ipairs(fields.items(set, "tiles", place)) do tiles[fields.integer(tile, "id", place)] = tile end
    local first = fields.integer(reference, "firstgid", path)
    table.insert(found, { first = first, name = fields.text(set.name) or "", tiles = tiles, path = place })
  end
  table.sort(found, function(a, b) return a.first < b.first end)
  return found
end

local flip_letters = { { 1 << 31, "h" }, { 1 << 30, "v" }, { 1 << 29, "d" }, { 1 << 28, "r" } }

--- A function from the number of a tile, with its flips, to its names: the class, the property "name", the image, the place in
--- its tileset, its number, and that of its layer; each first with the letters of its flips, as "arrow h".
local function names_by_tile(sets)
  return function(tile, layer, place)
    if math.type(tile) ~= "integer" or tile < 0 or tile > 0xFFFFFFFF then
      fault.at(place, fault.show(tile), "the number of a tile")
    end
    local flips, number, set = "", tile & 0x0FFFFFFF, nil
    for _, flip in ipairs(flip_letters) do flips = tile & flip[1] ~= 0 and flips .. flip[2] or flips end
    for _, other in ipairs(sets) do set = number >= other.first and other or set end
    local names = {}
    if set then
      local own = set.tiles[number - set.first] or {}
      table.insert(names, fields.text(own.class) or fields.text(own.type))
      table.insert(names, notes_of(own, set.path).name)
      table.insert(names, fields.text(own.image) and own.image:match "([^/]*)$":gsub("%.%w+$", ""))
      table.insert(names, ("%s:%d"):format(set.name, number - set.first))
    end
    table.insert(names, number)
    table.insert(names, layer)
    return tile_map.flipped(names, flips)
  end
end

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local base64 = {}
for at, digit in digits:gmatch "()(.)" do base64[digit] = at - 1 end

local function from_base64(text, place)
  text = text:gsub("%s", "")
  local padding = #text:match "=*$"
  if #text % 4 ~= 0 or padding > 2 or (text:find "[^%w+/]" or math.huge) <= #text - padding then
    fault.at(place, "another text", "base64")
  end
  local bytes = text:gsub("=", "A"):gsub("(.)(.)(.)(.)", function(a, b, c, d)
    return (">I3"):pack(base64[a] << 18 | base64[b] << 12 | base64[c] << 6 | base64[d])
  end)
  return bytes:sub(1, #bytes - padding)
end

--- The tiles of a layer's or chunk's data, of which there are to be `count`.
local function tiles_of(data, count, layer, place)
  local cells = data
  if type(data) == "string" and layer.encoding == "base64" then
    local bytes = from_base64(data, place)
    if fields.text(layer.compression) then
      local kind = layer.compression
      if kind ~= "zlib" and kind ~= "gzip" and kind ~= "zstd" then fault.at(place, fault.show(kind), "zlib, gzip or zstd") end
      local problem
      bytes, problem = compression.decompress(kind, bytes, 4 * count)
      if not bytes then fault.raise(place .. ": " .. problem) end
    end
    cells = {}
    for i = 1, #bytes // 4 do cells[i] = ("<I4"):unpack(bytes, 4 * i - 3) end
  elseif type(data) == "string" and (layer.encoding == "csv" or not layer.encoding) then
    cells = {}
    for word in data:gmatch "[^%s,]+" do
      table.insert(cells, tonumber(word) or fault.at(place, fault.show(word, 40), "the number of a tile"))
    end
  elseif type(data) ~= "table" then
    fault.at(place, "data in " .. fault.show(layer.encoding or data), "a list, csv or base64")
  end
  if #cells ~= count then fault.at(place, ("%d tiles"):format(#cells), ("%d"):format(count)) end
  return cells
end

---@class TiledReader
---@field path string
---@field map table
---@field across number   pixels of a square
---@field down number
---@field names fun(tile: integer, layer: string?, place: string): (integer|string)[]
---@field layers TileLayer[]
---@field chunks { layer: table, x: integer, y: integer, width: integer, height: integer, cells: integer[] }[]
local Reader = {}
Reader.__index = Reader

function Reader:add_tiles(layer, name)
  local place = ("%s: layer %s"):format(self.path, fault.show(name))
  local own = { name = name, names = function(tile) return self.names(tile, name, place) end }
  for _, part in ipairs(layer.chunks and fields.items(layer, "chunks", place) or { layer }) do
    local width, height = fields.integer(part, "width", place), fields.integer(part, "height", place)
    tile_map.check_size(place, width, height)
    local x, y = fields.integer(part, "x", place, 0), fields.integer(part, "y", place, 0)
    table.insert(self.chunks, { layer = own, x = x, y = y, width = width, height = height,
      cells = tiles_of(part.data, width * height, layer, place) })
  end
  table.insert(self.layers, own)
end

function Reader:add_objects(group, name)
  local place = ("%s: layer %s"):format(self.path, fault.show(name))
  local across, down = self.across, self.down
  for _, object in ipairs(fields.items(group, "objects", place)) do
    if object.template then fault.at(place, "the template " .. fault.show(object.template), "objects without a template") end
    if object.visible ~= false then
      local width, height = fields.pixels(object, "width", place) / across, fields.pixels(object, "height", place) / down
      local x, y = fields.pixels(object, "x", place) / across, fields.pixels(object, "y", place) / down
      local names = { fields.text(object.name), nil }
      table.insert(names, fields.text(object.class) or fields.text(object.type))
      if object.gid then
        table.move(self.names(object.gid, nil, place), 1, 20, #names + 1, names)
        y = y - height -- the origin of a tile is its lower left
      end
      table.insert(names, name)
      table.insert(self.layers, { name = name, object = { x = x, y = y, width = width, height = height },
        names = function() return names end })
    end
  end
end

--- Adds the layers that are seen, bottom to top.
function Reader:add_layers(list)
  for _, layer in ipairs(list) do
    local name = fields.text(layer.name) or ("layer %s"):format(fault.show(layer.id))
    local is_seen = layer.visible ~= false and layer.type ~= "imagelayer"
    if is_seen and layer.type == "group" then
      self:add_layers(fields.items(layer, "layers", self.path))
    elseif is_seen and layer.type == "objectgroup" then
      self:add_objects(layer, name)
    elseif is_seen and layer.type == "tilelayer" then
      self:add_tiles(layer, name)
    elseif is_seen then
      fault.at(("%s: layer %s"):format(self.path, fault.show(name)), "the type " .. fault.show(layer.type),
        "tilelayer, objectgroup, group or imagelayer")
    end
  end
end

--- The rectangle of a map's squares: its size, or of an infinite map that of its tiles.
function Reader:bounds()
  if not self.map.infinite then
    return 0, 0, fields.integer(self.map, "width", self.path), fields.integer(self.map, "height", self.path)
  end
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, chunk in ipairs(self.chunks) do
    for i, cell in ipairs(chunk.cells) do
      if cell ~= 0 then
        local x, y = chunk.x + (i - 1) % chunk.width, chunk.y + (i - 1) // chunk.width
        left, right, top, bottom = math.min(left, x), math.max(right, x + 1), math.min(top, y), math.max(bottom, y + 1)
      end
    end
  end
  if left == math.huge then fault.at(self.path, "an infinite map without tiles", "tiles") end
  return left, top, right - left, bottom - top
end

--- Puts the tiles of a chunk, or of a whole layer, on the squares of its layer.
local function put(chunk, left, top, width, height)
  local cells = chunk.layer.cells
  if chunk.x == left and chunk.y == top and chunk.width == width and chunk.height == height then
    chunk.layer.cells = chunk.cells
    return
  end
  for i, tile in ipairs(chunk.cells) do
    local x, y = chunk.x - left + (i - 1) % chunk.width, chunk.y - top + (i - 1) // chunk.width
    if tile ~= 0 and x >= 0 and y >= 0 and x < width and y < height then cells[y * width + x + 1] = tile end
  end
end

--- True if a text is a map of Tiled, or its file has the name of one: tiled.read then says what is wrong with it.
---@param path string?
function tiled.is_one(text, path)
  if (path or ""):find "%.tm[xj]$" then return true end
  local start = text:match "^%s*<%?xml[^>]*>()" or 1
  return text:find("^%s*<map[%s>]", start) or text:find("^%s*<!DOCTYPE map[%s>]", start)
    or text:find "^%s*{" and text:find '"tilewidth"' and text:find '"layers"'
end

--- The maps of a file: one.
---@return TileMap[]
function tiled.read(text, path)
  local map = decode(text, path, "map")
  if map.orientation ~= "orthogonal" and map.orientation ~= "isometric" then
    fault.at(path .. ": orientation", fault.show(map.orientation), "orthogonal or isometric")
  end
  local self = setmetatable({ path = path, map = map, chunks = {}, layers = {} }, Reader)
  self.down = math.max(fields.pixels(map, "tileheight", path), 1)
  self.across = map.orientation == "isometric" and self.down or math.max(fields.pixels(map, "tilewidth", path), 1)
  self.names = names_by_tile(tilesets_of(map, path))
  self:add_layers(fields.items(map, "layers", path))
  local left, top, width, height = self:bounds()
  tile_map.check_size(path, width, height)
  local size = { width = width, height = height }
  for _, layer in ipairs(self.layers) do
    if layer.object then
      local object = layer.object
      layer.squares = tile_map.squares(size, object.x - left, object.y - top, object.width, object.height)
    else
      layer.cells = tile_map.new_cells()
    end
  end
  for _, chunk in ipairs(self.chunks) do put(chunk, left, top, width, height) end
  return { { path = path, width = width, height = height, notes = notes_of(map, path), layers = self.layers } }
end

return tiled
