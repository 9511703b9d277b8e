--- Reading and writing levels of tiles: a board for each kind of thing, from the rows of a text and back.
---
--- `tiles` are the rows of a legend, each a character and the things on such a tile: { "*", "box", "goal" }. Short rows are
--- filled with ' ' if that is a tile. With `files.runs`, "3#" stands for "###", and "|" ends a row.
local legend = require "libcrux.legend"
local sizes = require "libcrux.sizes"

local tiles = {}

---@class Tiles
---@field legend userdata
---@field kinds string[]                  the things, in the order of their first tile
---@field characters table<string, string>   of each thing, in words: "'@' or '+'"
---@field companions table<string, table<string, true>[]>   by thing, the other things of each tile that has it
---@field runs boolean
---@field private pad string?
local Tiles = {}
Tiles.__index = Tiles

--- Adds the thing in a column of a tile's row.
function Tiles:add(row, column)
  local kind, others = row[column], {}
  for other = 2, #row do others[row[other]] = other ~= column or nil end
  local known = self.characters[kind]
  if not known then
    table.insert(self.kinds, kind)
    self.companions[kind] = {}
  end
  table.insert(self.companions[kind], others)
  self.characters[kind] = ("%s'%s'"):format(known and known .. " or " or "", row[1])
end

---@param rows { [integer]: string[], separated: boolean?, expected: string? }
---@param runs boolean?
---@return Tiles
function tiles.new(rows, runs)
  local self = setmetatable({ kinds = {}, characters = {}, companions = {}, runs = runs == true }, Tiles)
  local tokens = { separated = rows.separated, expected = rows.expected }
  for i, row in ipairs(rows) do
    if row[1] == " " then self.pad, tokens.pad = " ", " " end
    tokens[i] = table.move(row, 1, #row, 1, {})
    for column = 2, #row do self:add(row, column) end
  end
  self.legend = legend.new(tokens)
  return self
end

---@class Place   of a tile in a text
---@field [1] integer   column
---@field [2] integer   line

local enough <const> = sizes.board_side + 1 -- columns, and rows: the legend refuses them

--- The rows of a text without runs, and the places of their tiles; `places[row].behind` is where the row ends.
---@return string
---@return table<integer, Place[]>
local function spelled_out(text)
  local rows, places, number = { "" }, { {} }, 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    for column, count, tile in (line .. "|"):gmatch "()(%d*)([^%d\128-\191][\128-\191]*)" do
      local row = places[#rows]
      if tile == "|" and count == "" then
        row.behind = { column, number }
        if #rows > enough then return table.concat(rows, "\n"), places end
        table.insert(rows, "")
        table.insert(places, {})
      else
        local copies = math.min(tonumber(count) or 1, enough - #row)
        rows[#rows] = rows[#rows] .. tile:rep(copies)
        for _ = 1, copies do table.insert(row, { column, number }) end
      end
    end
  end
  return (table.concat(rows, "\n"):gsub("\n+$", "")), places
end

--- The boards of a text by kind, with `width` and `height`; and for texts with runs the places of the tiles. Raises what is
--- wrong with the text.
---@param line integer?   of its first row
---@return table planes
---@return table<integer, Place[]>? places
function Tiles:read(text, line)
  local places
  if self.runs then text, places = spelled_out(text) end
  local planes, width, height = self.legend:parse(text, line)
  if not planes then
    local row, column, problem = tostring(width):match "^line (%d+), column (%d+)(.*)$"
    local place = places and row and (places[tonumber(row)] or {})[tonumber(column)]
    error(place and ("line %d, column %d%s"):format(place[2], place[1], problem) or width, 0)
  end
  planes.width, planes.height = width, height
  return planes, places
end

--- The text of boards.
---@param planes table<string, userdata>
function Tiles:write(planes)
  local text = self.legend:format(planes)
  return self.pad and (text:gsub(" +%f[\n\0]", "")) or text
end

--- The squares on which a thing may be put as far as tiles go: those whose other things, with it, are those of a tile.
---@param planes table<string, userdata>
function Tiles:places_for(planes, kind)
  local nothing, present = planes[kind] - planes[kind], {}
  for _, other in ipairs(self.kinds) do
    if other ~= kind and planes[other]:any() then table.insert(present, other) end
  end
  local found = nothing
  for _, others in ipairs(self.companions[kind]) do
    local squares = ~nothing
    for other in pairs(others) do squares = squares & planes[other] end
    for _, other in ipairs(present) do
      if not others[other] then squares = squares - planes[other] end
    end
    found = found | squares
  end
  return found
end

return tiles
