--- Reading and writing addresses of puzz.link, an address a line, whose ends hold a puzzle: GENRE/COLUMNS/ROWS/BODY.
local fault = require "crux.base.fault"
local genres = require "crux.format.puzzlink_genres"
local sizes = require "libcrux.sizes"
local tile_map = require "crux.format.tile_map"

local puzzlink = {}

function puzzlink.is_one(text) return text:find "^%s*https?://%S+%?[%w_-]+/%d+/%d+/" end

--- The puzzles of a text, as levels.
---@param format LevelFormat
---@return LevelText[]
function puzzlink.read(text, path, format)
  local levels, number, squares = {}, 0, 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    local place = path == text and "address" or ("%s:%d"):format(path, number)
    local name, width, height, body = line:match "^%s*https?://%S+%?([%w_-]+)/(%d+)/(%d+)/(%S*)%s*$"
    if not name and line:find "%S" then fault.at(place, fault.show(line, 40), "an address of puzz.link") end
    if name then
      local genre = genres[format.name]
      if not genre or genre.name ~= name then fault.at(place, "the genre " .. fault.show(name), "one of the game's") end
      width, height = math.tointeger(width), math.tointeger(height)
      tile_map.check_size(place, width, height)
      squares = squares + width * height
      if squares > sizes.level_file_bytes then fault.too_large(path, "a file of maps", sizes.level_file_bytes, "square") end
      local rows, lines = genre.read(body, width, height, place), {}
      for y, row in ipairs(rows) do rows[y], lines[y] = table.concat(row, " ") .. "\n", number end
      table.insert(levels, { text = table.concat(rows), lines = lines, path = path, notes = {}, map_number = #levels + 1 })
    end
  end
  return levels
end

--- The address of a puzzle.
---@param map MarkMap
---@param format LevelFormat
function puzzlink.write(map, format)
  local genre = genres[format.name] or fault.raise(("%s: no puzz.link genre is the game's"):format(format.name))
  local rows = {}
  for y = 1, map.height do rows[y] = table.move(map.marks, (y - 1) * map.width + 1, y * map.width, 1, {}) end
  local body, width, height = genre.write(rows)
  return ("https://puzz.link/p?%s/%d/%d/%s\n"):format(genre.name, width or map.width, height or map.height, body)
end

return puzzlink
