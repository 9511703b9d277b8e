--- Pictures in PNG as levels.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"

local _, said = require("libcrux.png").read("", 1)
local lacks_png = said:find "libpng" and "this crux was built without libpng" or nil

local Picture = {}

local function crc32(text)
  local crc = 0xFFFFFFFF
  for i = 1, #text do
    crc = crc ~ text:byte(i)
    for _ = 1, 8 do crc = crc & 1 == 1 and crc >> 1 ~ 0xEDB88320 or crc >> 1 end
  end
  return crc ~ 0xFFFFFFFF
end

local function chunk(kind, content) return (">I4"):pack(#content) .. kind .. content .. (">I4"):pack(crc32(kind .. content)) end

--- A PNG of rows of four bytes a pixel, in one block of zlib that is not compressed.
local function png(width, height, pixels)
  local rows, a, b = {}, 1, 0
  for y = 0, height - 1 do rows[y + 1] = "\0" .. pixels:sub(y * width * 4 + 1, (y + 1) * width * 4) end
  local text = table.concat(rows)
  for i = 1, #text do
    a = (a + text:byte(i)) % 65521
    b = (b + a) % 65521
  end
  local packed = "\x78\x01\x01" .. ("<I2I2"):pack(#text, 0xFFFF - #text) .. text .. (">I2I2"):pack(b, a)
  return "\137PNG\r\n\26\n" .. chunk("IHDR", (">I4I4BBBBB"):pack(width, height, 8, 6, 0, 0, 0)) .. chunk("IDAT", packed) .. chunk("IEND", "")
end

local sokoban = game.load("sokoban").files

--- The format of Sokoban with these pixels a tile.
local function format(pixels)
  return lists.merge(sokoban, { tiled = { pixels = pixels, ["#000000"] = "#", ["#ff0000"] = "$", ["#00ff00"] = ".", ["#0000ff"] = "@" } })
end

local colours = { ["#"] = "\0\0\0\255", ["$"] = "\255\0\0\255", ["."] = "\0\255\0\255", ["@"] = "\0\0\255\255", [" "] = "\9\9\9\0" }
local rows = "#####\n#@$.#\n#   #\n#####\n"

--- The pixels of the level, each as a square of so many a side.
local function pixels(side)
  local text = rows:gsub("[^\n]+\n", function(row)
    return (row:sub(1, -2):gsub(".", function(mark) return mark:rep(side) end) .. "\n"):rep(side)
  end)
  return (text:gsub("\n", ""):gsub(".", colours))
end

function Picture.test_pixels()
  luaunit.skipIf(lacks_png, lacks_png)
  luaunit.assertEquals(levels.read(shell.file("level.png", png(5, 4, pixels(1))), format())[1].text, rows)
  luaunit.assertEquals(levels.read(shell.file("level.png", png(15, 12, pixels(3))), format(3))[1].text, rows)
end

function Picture.test_mistakes()
  luaunit.skipIf(lacks_png, lacks_png)
  local whole = png(5, 4, pixels(1))
  local expected = {
    { whole, 3, "found 5 x 4 pixels, expected sides that are multiples of 3, and at most 16777216 pixels" },
    { whole, "3", "pixels of the game's table `tiled`: found '3', expected a whole number from 1" },
    { whole:sub(1, 60), 1, "found no whole picture (read beyond end of data), expected PNG" },
    { "\137PNG", 1, "found no whole picture (read beyond end of data), expected PNG" },
    { whole:sub(1, 8) .. chunk("IHDR", (">I4I4BBBBB"):pack(50000, 50000, 8, 6, 0, 0, 0)) .. whole:sub(34), 1,
      "found 50000 x 50000 pixels, expected sides that are multiples of 1, and at most 16777216 pixels" },
    { png(1, 1, "\1\2\3\255"), 1, "layer 'picture': column 1, row 1: found the tile '#010203', expected one of the game's table " ..
      "`tiled`: '#000000' or '#0000ff' or '#00ff00' or '#ff0000' or 'pixels'" },
  }
  for _, row in ipairs(expected) do
    local ok, problem = pcall(levels.read, shell.file("bad.png", row[1]), format(row[2]))
    luaunit.assertFalse(ok)
    luaunit.assertEquals(problem.message, shell.path "bad.png" .. ": " .. row[3])
  end
end

return Picture
