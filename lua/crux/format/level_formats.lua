--- Level files of other programs, told by what they hold, as levels of a game.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local sizes = require "libcrux.sizes"
local tile_map = require "crux.format.tile_map"

local level_formats = {}

--- Endings of files that a folder of levels may hold, for games that read maps.
level_formats.extensions = { "tmx", "tmj", "ldtk", "png" }

--- How the text of each kind of file begins, and its reader; a spreadsheet is told by its name.
local readers = { { "^%s*[<{]", "crux.format.tiled" }, { "^%s*{", "crux.format.ldtk" },
  { "^%s*https?://", "crux.format.puzzlink" },
  { "^\137PNG", "crux.format.picture" }, { "", "crux.format.csv_grid" } }

--- True if a word of a command line is an address, which is a level itself.
function level_formats.is_address(word) return word:find "^https?://" ~= nil end

--- The levels of a text if it is a file of another program, else nil.
---@param path string   in messages
---@param format LevelFormat
---@return LevelText[]?
function level_formats.read(text, path, format)
  for _, row in ipairs(readers) do
    local reader = text:find(row[1]) and require(row[2])
    if reader and reader.is_one(text, path) then
      if #text > sizes.map_file_bytes then fault.too_large(path, "a map", sizes.map_file_bytes, "byte") end
      local maps, squares = reader.read(text, path, format), 0
      if maps[1] and maps[1].text then return maps end
      for i, map in ipairs(maps) do squares, map.number = squares + map.width * map.height, i end
      if squares > sizes.level_file_bytes then fault.too_large(path, "a file of maps", sizes.level_file_bytes, "square") end
      return lists.map(maps, function(map) return tile_map.level(map, format) end)
    end
  end
end

--- Endings of the files of formats that are written.
level_formats.endings = { tiled = "tmj", ldtk = "ldtk", puzzlink = "txt" }

--- The text of levels in a format: of LDtk all of them, of others the first one.
---@param to string                                                            a name of level_formats.endings
---@param list { name: string, notes: table<string, string>, text: string, path: string }[]   as the game writes them
function level_formats.write(to, list, format)
  local maps = lists.map(list, function(level) return tile_map.of(level, format, level.path) end)
  if to == "ldtk" then return require("crux.format.ldtk_writer").text(maps) end
  if to == "puzzlink" then return require("crux.format.puzzlink").write(maps[1], format) end
  return require("crux.format.tiled_writer").text(maps[1])
end

return level_formats
