--- Addresses of puzz.link as levels.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local Puzzlink = {}

local nurikabe = game.load "nurikabe"
local address = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g" -- of the tests of puzz.link's program
local rows = ".5...\n..2..\n.....\n..1..\n...3.\n"

function Puzzlink.test_addresses()
  luaunit.assertEquals(levels.read(address, nurikabe.files)[1].text, rows)
  local list = levels.read(shell.file("all.txt", address .. "\n\nhttp://pzv.jp/p.html?nurikabe/3/2/1g-02\n"), nurikabe.files)
  luaunit.assertEquals({ #list, list[1].name, list[2].text }, { 2, "all:1", "1.2\n...\n" })
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
    ["p?nurikabe/2/1/a1"] = ": layer 'nurikabe': column 1, row 1: found the tile '10' or 10, expected a thing of the game's",
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

return Puzzlink
