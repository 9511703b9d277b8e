--- Pictures: a line has the kind of a chunk of PNG, and its content in hexadecimal; the first one may begin with "@" and the pixels of
--- a tile's side. Lengths and checksums are added, without which libpng reads no chunk.
local game = require "crux.game.game"
local level_formats = require "crux.format.level_formats"
local lists = require "crux.base.lists"
local went_well = dofile "tests/fuzz/went_well.lua"

local sokoban, codes = game.load "games/sokoban.lua", {}

for byte = 0, 255 do
  local code = byte
  for _ = 1, 8 do code = code & 1 == 1 and code >> 1 ~ 0xEDB88320 or code >> 1 end
  codes[byte] = code
end

local function checksum(text)
  local sum = 0xFFFFFFFF
  for i = 1, #text do sum = codes[(sum ~ text:byte(i)) & 255] ~ sum >> 8 end
  return sum ~ 0xFFFFFFFF
end

return function(text)
  local side, chunks = math.tointeger(tonumber(text:match "^@(%d+)")) or 1, { "\137PNG\r\n\26\n" }
  for kind, hexadecimal in text:gmatch "(%u%u%u%u)([^\n]*)" do
    local content = hexadecimal:gsub("%X", ""):gsub("%x%x?", function(digits) return string.char(tonumber(digits, 16)) end)
    table.insert(chunks, (">I4"):pack(#content) .. kind .. content .. (">I4"):pack(checksum(kind .. content)))
  end
  local tiled = { pixels = side, ["#000000"] = "#", ["#ff0000"] = "$", ["#00ff00"] = ".", ["#0000ff"] = "@" }
  local format = lists.merge(sokoban.files, { tiled = tiled })
  for _, entry in ipairs(went_well(level_formats.read, table.concat(chunks), "fuzz", format) or {}) do
    went_well(sokoban.level, sokoban, entry)
  end
end
