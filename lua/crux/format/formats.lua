--- Level files of other programs, told by what they hold: maps as levels of a game.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"
local tile_map = require "crux.format.tile_map"

local formats = {}

--- Endings of files that a folder of levels may hold, for games that read maps.
formats.extensions = { "tmx", "tmj", "ldtk" }

local modules = { "crux.format.tiled", "crux.format.ldtk" }

--- The levels of a text if it is a file of another program, else nil.
---@param path string   in messages
---@param format LevelFormat
---@return LevelText[]?
function formats.read(text, path, format)
  for _, name in ipairs(text:find "^%s*[<{]" and modules or {}) do
    local reader = require(name)
    if reader.is_one(text) then
      if not format.tiled and not format.tiles then
        fault.at(path .. ":1", "a map of an editor", "levels as text: the game has no table `tiled`")
      end
      if #text > sizes.map_file_bytes then fault.too_large(path, "a map", sizes.map_file_bytes, "byte") end
      return lists.map(reader.read(text, path), function(map) return tile_map.level(map, format) end)
    end
  end
end

return formats
