--- Reading maps of Tiled (mapeditor.org): TMX and TSX, which are XML, and their counterparts in JSON.
local compression = require "libcrux.compression"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
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
    elseif child.name == "properties" then
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

--- A field that is to be a list of objects, or missing.
local function items(object, name, path)
  local list = object[name] or {}
  for _, item in ipairs(type(list) == "table" and list or { false }) do
    if type(item) ~= "table" then fault.at(path .. ": " .. name, fault.show(item), "a list of objects") end
  end
  return list
end

local function integer(object, name, path, default)
  local value = math.tointeger(object[name] == nil and default or object[name])
  return value or fault.at(("%s: %s"):format(path, name), fault.show(object[name]), "a whole number")
end

local function number_of(object, name, path)
  local value = object[name] or 0
  return type(value) == "number" and math.abs(value) < 1e9 and value
    or fault.at(("%s: %s"):format(path, name), fault.show(value), "a number")
end

local function text_of(value) return type(value) == "string" and value ~= "" and value or nil end

--- The values of custom properties by name in lower case, as texts.
local function notes_of(object, path)
  local notes = {}
  for _, property in ipairs(items(object, "properties", path)) do
    local name, value = text_of(property.name), property.value
    if math.tointeger(value) then value = ("%d"):format(value) end
    if name and type(value) ~= "table" then notes[name:lower()] = tostring(value) end
  end
  return notes
end

--- The file that a map names, beside it.
local function beside(path, name) return name:find "^/" and name or (path:match "^.*/" or "") .. name end

--- The tilesets of a map, as { firstgid =, name =, tiles = tiles by id }, by firstgid.
local function tilesets_of(map, path)
  local found = {}
  for _, reference in ipairs(items(map, "tilesets", path)) do
    local set, place = reference, path
    if reference.source then
      place = beside(path, text_of(reference.source) or fault.at(path .. ": source", fault.show(reference.source), "a file"))
      if not file_system.is_regular(place) then
        fault.at(path, fault.show(reference.source), "the file of a tileset")
      end
      set = decode(text_file.read(place, sizes.map_file_bytes, "a tileset"), place, "tileset")
    end
    local tiles = {}
    for _, tile in ipairs(items(set, "tiles", place)) do tiles[integer(tile, "id", place)] = tile end
    local first = integer(reference, "firstgid", path)
    table.insert(found, { first = first, name = text_of(set.name) or "", tiles = tiles, path = place })
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
      table.insert(names, text_of(own.class) or text_of(own.type))
      table.insert(names, notes_of(own, set.path).name)
      table.insert(names, text_of(own.image) and own.image:match "([^/]*)$":gsub("%.%w+$", ""))
      table.insert(names, ("%s:%d"):format(set.name, number - set.first))
    end
    table.insert(names, number)
    table.insert(names, layer)
    if flips == "" then return names end
    local flipped = lists.map(names, function(name) return ("%s %s"):format(name, flips) end)
    return table.move(names, 1, #names, #flipped + 1, flipped)
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
    if text_of(layer.compression) then
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
  for _, part in ipairs(layer.chunks and items(layer, "chunks", place) or { layer }) do
    local width, height = integer(part, "width", place), integer(part, "height", place)
    tile_map.check_size(place, width, height)
    table.insert(self.chunks, { layer = own, x = integer(part, "x", place, 0), y = integer(part, "y", place, 0), width = width,
      height = height, cells = tiles_of(part.data, width * height, layer, place) })
  end
  table.insert(self.layers, own)
end

function Reader:add_objects(group, name)
  local place = ("%s: layer %s"):format(self.path, fault.show(name))
  local across, down = self.across, self.down
  for _, object in ipairs(items(group, "objects", place)) do
    if object.template then fault.at(place, "the template " .. fault.show(object.template), "objects without a template") end
    if object.visible ~= false then
      local width, height = number_of(object, "width", place) / across, number_of(object, "height", place) / down
      local x, y = number_of(object, "x", place) / across, number_of(object, "y", place) / down
      local names = { text_of(object.name), nil }
      table.insert(names, text_of(object.class) or text_of(object.type))
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
    local name = text_of(layer.name) or ("layer %s"):format(fault.show(layer.id))
    local is_seen = layer.visible ~= false and layer.type ~= "imagelayer"
    if is_seen and layer.type == "group" then
      self:add_layers(items(layer, "layers", self.path))
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
    return 0, 0, integer(self.map, "width", self.path), integer(self.map, "height", self.path)
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

--- The squares that an object covers the middles of; at least that of its origin.
local function squares_of(object, left, top, width, height)
  local squares = {}
  local first_x, first_y = math.floor(object.x - left + 0.5), math.floor(object.y - top + 0.5)
  local last_x = math.ceil(object.x + object.width - left - 0.5) - 1
  local last_y = math.ceil(object.y + object.height - top - 0.5) - 1
  if last_x < first_x or last_y < first_y then
    first_x, first_y = math.floor(object.x - left), math.floor(object.y - top)
    last_x, last_y = first_x, first_y
  end
  for y = math.max(first_y, 0), math.min(last_y, height - 1) do
    for x = math.max(first_x, 0), math.min(last_x, width - 1) do table.insert(squares, y * width + x + 1) end
  end
  return squares
end

local nothing = { __index = function() return 0 end } -- squares without a tile

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

--- True if a text is a map of Tiled.
function tiled.is_one(text)
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
  self.down = math.max(number_of(map, "tileheight", path), 1)
  self.across = map.orientation == "isometric" and self.down or math.max(number_of(map, "tilewidth", path), 1)
  self.names = names_by_tile(tilesets_of(map, path))
  self:add_layers(items(map, "layers", path))
  local left, top, width, height = self:bounds()
  tile_map.check_size(path, width, height)
  for _, layer in ipairs(self.layers) do
    if layer.object then
      layer.squares = squares_of(layer.object, left, top, width, height)
    else
      layer.cells = setmetatable({}, nothing)
    end
  end
  for _, chunk in ipairs(self.chunks) do put(chunk, left, top, width, height) end
  return { { path = path, width = width, height = height, notes = notes_of(map, path), layers = self.layers } }
end

return tiled
