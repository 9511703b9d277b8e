-- crux convert: levels in formats of other programs, there and back.
local file_system = require "libcrux.files"
local formats = require "crux.format.formats"
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Convert = {}

local address = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g"

--- The levels of a game that come with crux.
local function bundled(name)
  local list = {}
  for entry in game.load(name):entries { "datasets/levels/" .. name } do table.insert(list, entry) end
  return list
end

local function there_and_back(name, to)
  local own, ending = game.load(name), formats.endings[to]
  for _, entry in ipairs(long.first(10, bundled(name))) do
    local text = own:text(own:level(entry))
    local written = formats.write(to, { name = entry.name, notes = entry.notes, text = text }, own.files, entry.path)
    local back = levels.read(shell.file("back." .. ending, written), own.files)
    luaunit.assertEquals({ #back, own:text(own:level(back[1])) }, { 1, text })
    if to == "tiled" then
      luaunit.assertEquals(back[1].name, entry.name)
      for key, note in pairs(entry.notes) do luaunit.assertEquals(back[1].notes[key], note) end
    end
  end
end

function Convert.test_bundled_levels_as_maps()
  for _, name in ipairs { "flow", "move", "rushhour", "sokoban", "sudoku" } do there_and_back(name, "tiled") end
end

function Convert.test_bundled_levels_as_addresses() there_and_back("sudoku", "puzzlink") end

function Convert.test_command()
  luaunit.assertEquals(shell.printed("convert '" .. address .. "'"), "; g5k2o1k3g\n.5...\n..2..\n.....\n..1..\n...3.\n")
  shell.crux("convert '" .. address .. "' --to tiled -o " .. shell.path "one.tmj")
  local result = shell.crux("convert --game nurikabe " .. shell.path "one.tmj" .. " --to puzzlink")
  luaunit.assertEquals({ result.status, result.out, result.err },
    { 0, address .. "\n", "puzz.link's addresses hold no names and notes; these are left out\n" })
  luaunit.assertEquals(shell.crux("convert datasets/levels/sokoban --to tiled -o " .. shell.path "maps/").status, 0)
  local from, to = "measure sokoban datasets/levels/sokoban --measures moves", "measure sokoban " .. shell.path "maps" .. " --measures moves"
  local rows = {}
  for i, text in ipairs { shell.printed(from), shell.printed(to) } do
    rows[i] = {}
    for line in text:gmatch "[^\n]+" do table.insert(rows[i], line) end
    table.sort(rows[i])
  end
  luaunit.assertEquals(rows[2], rows[1])
end

function Convert.test_mistakes()
  local expected = {
    ["datasets/levels/sokoban --to tiled"] = "levels for one map of Tiled, expected one, or -o FOLDER/",
    ["datasets/levels/sokoban --to puzzlink"] = "no puzz.link genre is the game's",
    ["datasets/levels/lazors --to tiled -o " .. shell.path "no/"] = "only levels of a grid are maps",
    ["datasets/levels/move --count 2"] = "expected --count",
    [""] = "expected LEVELS",
  }
  for words, message in pairs(expected) do
    local result = shell.crux("convert " .. words)
    luaunit.assertTrue(result.status > 0, words)
    luaunit.assertStrContains(result.err, message)
  end
  luaunit.assertNil(file_system.list(shell.path "no"))
end

return { Convert = Convert }
