--- Writing a level as a map of Tiled in JSON: one layer, and a tile for each mark, whose class is the mark.
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local tile_map = require "crux.format.tile_map"

local tiled_writer = {}

local pixels <const> = 32 -- of a tile

local function properties_of(notes)
  return lists.map(lists.keys(notes), function(name)
    return json.object { { "name", name }, { "type", "string" }, { "value", notes[name] } }
  end)
end

--- The text of a map.
---@param map MarkMap
function tiled_writer.text(map)
  local numbers, marks = tile_map.numbered { map }
  local tiles = {}
  for i, mark in ipairs(marks) do tiles[i] = json.object { { "id", i - 1 }, { "type", mark } } end
  local set = json.object { { "firstgid", 1 }, { "name", "crux" }, { "tilewidth", pixels }, { "tileheight", pixels },
    { "tilecount", #marks }, { "columns", 0 }, { "margin", 0 }, { "spacing", 0 }, { "tiles", tiles } }
  local layer = json.object { { "type", "tilelayer" }, { "id", 1 }, { "name", "Level" }, { "x", 0 }, { "y", 0 },
    { "width", map.width }, { "height", map.height }, { "opacity", 1 }, { "visible", true },
    { "data", lists.pick(numbers, map.marks) } }
  return json.encode(json.object { { "type", "map" }, { "version", "1.10" }, { "orientation", "orthogonal" },
    { "renderorder", "right-down" }, { "infinite", false }, { "width", map.width }, { "height", map.height },
    { "tilewidth", pixels }, { "tileheight", pixels }, { "nextlayerid", 2 }, { "nextobjectid", 1 },
    { "properties", properties_of(lists.merge(map.notes, { name = map.name })) }, { "tilesets", { set } },
    { "layers", { layer } } }) .. "\n"
end

return tiled_writer
