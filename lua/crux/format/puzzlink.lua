--- Reading and writing addresses of puzz.link, an address a line, whose ends hold a puzzle: GENRE/COLUMNS/ROWS/CELLS.
---
--- Cells are numbers in hexadecimal, "-" in front of two digits, "+" of three; from "g" to "z" 1 to 20 cells without (pzprjs,
--- src/puzzle/Encode.js, decodeNumber16).
local fault = require "crux.base.fault"
local tile_map = require "crux.format.tile_map"

local puzzlink = {}

local genres <const> = { nurikabe = "nurikabe", sudoku = "sudoku" } -- the game of each

function puzzlink.is_one(text) return text:find "^%s*https?://%S+%?[%w_-]+/%d+/%d+/" end

--- The numbers of cells, each in a list, by their places; 0 for those without.
local function cells_of(body, count, place)
  local cells, at, filled = tile_map.new_cells(), 1, 0
  while at <= #body do
    local letter = body:sub(at, at)
    local length = letter == "+" and 3 or letter == "-" and 2 or 1
    local digits = body:match("^%x+", length == 1 and at or at + 1)
    if letter:find "[g-z]" then
      filled, at = filled + tonumber(letter, 36) - 15, at + 1
    elseif digits and #digits >= length then
      filled = filled + 1
      cells[filled] = { tonumber(digits:sub(1, length), 16) }
      at = at + length + (length > 1 and 1 or 0)
    else
      fault.at(place, fault.show(letter), "a number in hexadecimal, or a letter from g to z")
    end
  end
  if filled > count then fault.at(place, ("%d cells"):format(filled), ("at most %d"):format(count)) end
  return cells
end

--- The puzzles of a text.
---@param format LevelFormat
---@return TileMap[]
function puzzlink.read(text, path, format)
  local maps, number = {}, 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    local place = path == text and "address" or ("%s:%d"):format(path, number)
    local genre, width, height, body = line:match "^%s*https?://%S+%?([%w_-]+)/(%d+)/(%d+)/(%S*)%s*$"
    if not genre and line:find "%S" then fault.at(place, fault.show(line, 40), "an address of puzz.link") end
    if genre then
      if genres[genre] ~= format.name then fault.at(place, "the genre " .. fault.show(genre), "one of the game's") end
      width, height = math.tointeger(width), math.tointeger(height)
      tile_map.check_size(place, width, height)
      table.insert(maps, { path = path, place = place, width = width, height = height, notes = {},
        layers = { { name = genre, cells = cells_of(body, width * height, place), names = function(tile)
          return { ("%d"):format(tile[1]), tile[1] }
        end } } })
    end
  end
  return maps
end

--- Writes a run of empty cells, of that length, in the letters of puzz.link.
local function gap(count) return ("z"):rep(count // 20) .. (count % 20 > 0 and ("%c"):format(count % 20 + 102) or "") end

--- The address of a puzzle.
---@param map MarkMap
---@param format LevelFormat
function puzzlink.write(map, format)
  local genre = genres[format.name] or fault.raise(("%s: no puzz.link genre is the game's"):format(format.name))
  local words, empty = {}, 0
  for _, mark in ipairs(map.marks) do
    local number = math.tointeger(mark)
    if number then
      table.insert(words, gap(empty) .. (number < 16 and "%x" or number < 256 and "-%02x" or "+%03x"):format(number))
    end
    empty = number and 0 or empty + 1
  end
  local ending = ("%s/%d/%d/%s"):format(genre, map.width, map.height, table.concat(words) .. gap(empty))
  return "https://puzz.link/p?" .. ending .. "\n"
end

return puzzlink
