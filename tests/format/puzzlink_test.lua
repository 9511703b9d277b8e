--- Addresses of puzz.link as levels.
local game = require "crux.game.game"
local level_formats = require "crux.format.level_formats"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local Puzzlink = {}

local nurikabe = game.load "nurikabe"
local address = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g" -- of the tests of puzz.link's program
local rows = ". 5 . . .\n. . 2 . .\n. . . . .\n. . 1 . .\n. . . 3 .\n"

function Puzzlink.test_addresses()
  luaunit.assertEquals(levels.read(address, nurikabe.files)[1].text, rows)
  local list = levels.read(shell.file("all.txt", address .. "\n\nhttp://pzv.jp/p.html?nurikabe/3/2/1g-02\n"), nurikabe.files)
  luaunit.assertEquals({ #list, list[1].name, list[2].text }, { 2, "all:1", "1 . 2\n. . .\n" })
  luaunit.assertEquals(shell.printed("measure nurikabe '" .. address .. "' --measures size,unique"), "level,size,unique\ng5k2o1k3g,25,1\n")
  luaunit.assertStrContains(shell.printed("check '" .. address .. "'"), "1 level of 'nurikabe'")
end

function Puzzlink.test_hostile_addresses()
  local expected = {
    ["p?nurikabe/5/5/g5K"] = "found 'K', expected a number in hexadecimal, or a letter from g to z",
    ["p?nurikabe/5/5/-"] = "found '-', expected a number in hexadecimal, or a letter from g to z",
    ["p?nurikabe/5/5/zz"] = "found 40 cells, expected at most 25",
    ["p?heyawake/5/5/g"] = "found the genre 'heyawake', expected one of the game's",
    ["p?nurikabe/0/5/g"] = "found a map of 0 x 5, expected 1 to 1000000 tiles",
    ["p?nurikabe/99999999999999999999/5/g"] = "found a map of nil x 5, expected 1 to 1000000 tiles",
  }
  for ending, message in pairs(expected) do
    local ok, problem = pcall(levels.read, "https://puzz.link/" .. ending, nurikabe.files)
    luaunit.assertFalse(ok)
    luaunit.assertEquals(problem.message, "address: " .. message:gsub("^: ", ""))
  end
  local ok, problem = pcall(levels.read, shell.file("two.txt", address .. "\nx\n"), nurikabe.files)
  luaunit.assertFalse(ok)
  luaunit.assertStrContains(problem.message, "two.txt:2: found 'x', expected an address of puzz.link")
end

--- An address of each genre is the same after reading and writing. All but the last are of the tests of puzz.link's program; there
--- the Slitherlink ends in "d", which counts two cells beyond the board. In the last ones numbers have several digits.
function Puzzlink.test_there_and_back()
  for name, ending in pairs { slitherlink = "slither/5/5/cbcbcddad", starbattle = "starbattle/6/6/1/4ilbhgdnmhou",
    heyawake = "heyawake/6/6/lll155007rs12222j", hitori = "hitori/4/4/1114142333214213", akari = "lightup/6/6/nekcakbl",
    kakuro = "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3", fillomino = "fillomino/6/6/h4j53g2k5233k2g14j3h",
    nonogram = "nonogram/6/6/12g1111h11112j12g11g21j11g3h", masyu = "mashu/6/6/1063000i3000",
    nurikabe = "nurikabe/7/7/g-14+123zp5u" } do
    local self = game.load(name)
    local entry = levels.read("https://puzz.link/p?" .. ending, self.files)[1]
    local text = self:text(self:level(entry))
    luaunit.assertEquals(level_formats.write("puzzlink", { { name = "x", notes = {}, text = text, path = "x" } }, self.files),
      "https://puzz.link/p?" .. ending .. "\n")
  end
end

return Puzzlink
