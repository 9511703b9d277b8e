--- Writing a level as a map of Tiled in JSON: one layer, and a tile for each mark, whose class is the mark.
local json = require "crux.base.json"
local lists = require "crux.base.lists"

local tiled_writer = {}

local pixels <const> = 32 -- of a tile

--- The numbers of the marks of a map, from 1 on in the order of the marks; of squares with nothing 0.
local function numbered(map)
  local numbers, marks = { [map.nothing or false] = 0 }, {}
  for _, mark in ipairs(map.marks) do
    if not numbers[mark] then
      table.insert(marks, mark)
      numbers[mark] = #marks
    end
  end
  return lists.map(map.marks, function(mark) return numbers[mark] end), marks
end

local function properties_of(notes)
  return lists.map(lists.keys(notes), function(name)
    return json.object { { "name", name }, { "type", "string" }, { "value", notes[name] } }
  end)
end

--- The text of a map.
---@param map MarkMap
function tiled_writer.text(map)
  local cells, marks = numbered(map)
  local tiles = {}
  for i, mark in ipairs(marks) do tiles[i] = json.object { { "id", i - 1 }, { "type", mark } } end
  local set = json.object { { "firstgid", 1 }, { "name", "crux" }, { "tilewidth", pixels }, { "tileheight", pixels },
    { "tilecount", #marks }, { "columns", 0 }, { "margin", 0 }, { "spacing", 0 }, { "tiles", tiles } }
  local layer = json.object { { "type", "tilelayer" }, { "id", 1 }, { "name", "Level" }, { "x", 0 }, { "y", 0 },
    { "width", map.width }, { "height", map.height }, { "opacity", 1 }, { "visible", true }, { "data", cells } }
  return json.encode(json.object { { "type", "map" }, { "version", "1.10" }, { "orientation", "orthogonal" },
    { "renderorder", "right-down" }, { "infinite", false }, { "width", map.width }, { "height", map.height },
    { "tilewidth", pixels }, { "tileheight", pixels }, { "nextlayerid", 2 }, { "nextobjectid", 1 },
    { "properties", properties_of(lists.merge(map.notes, { name = map.name })) }, { "tilesets", { set } },
    { "layers", { layer } } }) .. "\n"
end

return tiled_writer
