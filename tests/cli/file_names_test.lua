--- Files of any name: what `crux generate` writes is read as levels, and a dataset as a dataset, by what the file holds.
local games = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local script = require "crux.script.script"
local shell = require "shell"

local FileNames = {}

--- Scripts of all kinds of games: crux's own, one of PuzzleScript, and those of `crux new`.
local function all_games()
  local list = script.names "game"
  table.insert(list, shell.file("magnet.txt", shell.read "examples/magnet.txt"))
  for _, kind in ipairs(long.choose({ "grid" }, { "grid", "slide", "deduce", "path_cover", "exact_cover" })) do
    table.insert(list, shell.file(kind .. ".lua", shell.read(("templates/games/%s.lua"):format(kind))))
  end
  return list
end

--- The name of a measure of a level as it begins: it needs no solution.
local function first_measure(path)
  for _, measure in ipairs(games.load(path).measures) do
    if measure.kind == "initial" then return measure.name end
  end
end

--- The values of the last column of CSV, without the header.
local function last_cells(text) return (text:gsub("^[^\n]*\n", ""):gsub("[^\n]*,", "")) end

local names = { "X.csv", "X", "X.txt", "X.xsb", "X.CSV" }

--- A rule that gives a measure as the rating reads the levels of each game from a file of any name, as the other commands do: each
--- game has two of the names, in turn.
function FileNames.test_generated_levels()
  long.only()
  for i, game in ipairs(all_games()) do
    local measure = first_measure(game)
    local rule = shell.file("rule.lua", ('return crux.rule { formula = "y ~ %s - 1", coefficients = { %s = 1 } }\n')
      :format(measure, measure))
    shell.printed(("generate %s --count 2 --seed 3 --jobs 1 -o %s"):format(game, shell.path "levels"))
    for k = i, i + 1 do
      local path = shell.file(names[k % #names + 1], shell.read(shell.path "levels"))
      local measured = shell.printed(("measure %s %s --measures %s --jobs 1 --format csv"):format(game, path, measure))
      luaunit.assertEquals(select(2, measured:gsub("\n", "")), 3, game)
      luaunit.assertEquals(last_cells(shell.printed(("rate %s --game %s %s --jobs 1"):format(rule, game, path))), last_cells(measured))
      local is_path = game:find "/"
      local checked = shell.crux(("check %s%s %s --states 50 --jobs 1 --format csv"):format(is_path and "" or "--game ", game, path)).out
      luaunit.assertStrMatches(checked, is_path and ".*\n[^\n]*,levels,0,[^\n]*\n" or "level,status[^\n]*\n[^\n]+\n[^\n]+\n")
    end
  end
end

--- In a folder a game with endings of its own reads the .txt files that hold its levels, too, and no other file; a journal notes
--- them.
function FileNames.test_levels_in_a_folder()
  long.leave_out()
  local folder = shell.folder("mixed", { ["README.txt"] = "GRID of levels\n", ["d.csv"] = "level,size\nA,3\n", ["z.old"] = "" })
  for i, name in ipairs { "a.txt", "b.bff", "c.txt" } do
    shell.printed(("generate lazors --seed %d -o %s/%s"):format(i, folder, name))
  end
  shell.run(("cp %s/a.txt %s/a.bak; cp %s/a.txt %s/.a.txt"):format(folder, folder, folder, folder))
  local line = ("measure lazors %s --measures size --format csv --resume %s"):format(folder, shell.path "mixed.journal")
  luaunit.assertStrMatches(shell.printed(line), "level,size\nlazors%-1%-1,%d+\nlazors%-2%-1,%d+\nlazors%-3%-1,%d+\n")
  shell.printed(("generate lazors --seed 9 -o %s/c.txt"):format(folder))
  luaunit.assertStrContains(shell.crux(line).err, folder .. "/c.txt")
  os.remove(folder .. "/b.bff")
  luaunit.assertStrMatches(shell.printed(("measure lazors %s --measures size --format csv"):format(folder)), "level,size\nlazors%-1%-1,%d+\nlazors%-9%-1,%d+\n")
end

--- Without a game `check` tries crux's own: the name decides only among games that read the levels.
function FileNames.test_the_game_of_levels_is_found()
  long.leave_out()
  for _, case in ipairs(long.some(2, { { "lazors", "a.txt" }, { "flow", "c" }, { "lazors", "b.csv" }, { "sokoban", "d.csv" } })) do
    local game, path = case[1], shell.path(case[2])
    shell.printed(("generate %s --seed 3 -o %s"):format(game, path))
    luaunit.assertStrContains(shell.crux("check --format csv " .. path).out, ("%s,levels,0,0,1 level of '%s'\n"):format(path, game))
  end
  local path = shell.path "e.csv"
  shell.printed("generate sudoku --seed 3 -o " .. path)
  local said = "cannot tell which game's levels these are, of fillomino or nurikabe or sudoku, expected --game GAME or a game script, too\n"
  luaunit.assertStrContains(shell.crux("check " .. path).err, said)
end

--- A dataset of any name is one for `rate` and `check`: its header names a measure, or no game reads it.
function FileNames.test_datasets()
  long.leave_out()
  local rule = shell.file("line.lua", 'return crux.rule { game = "flow", formula = "y ~ size", coefficients = '
    .. '{ ["(intercept)"] = 1, size = 2 } }\n')
  for _, name in ipairs { "d.csv", "d.txt", "d" } do
    local path = shell.file(name, "level,size,y\nA,3,7\n")
    luaunit.assertEquals(shell.printed(("rate %s %s"):format(rule, path)), "level,rating\nA,7\n", name)
    luaunit.assertStrContains(shell.printed(("check %s %s --format csv"):format(rule, path)), path .. ",dataset,0,0,\"1 row, 3 columns\"\n")
    luaunit.assertStrContains(shell.printed(("check %s --format csv"):format(path)), path .. ",dataset,0,0,\"1 row, 3 columns\"\n", false, name)
    shell.file(name, "level;width\nA;3\n")
    luaunit.assertStrContains(shell.crux(("rate %s %s"):format(rule, path)).err, "is --delimiter ';' meant?\n")
  end
  local said = shell.crux(("rate %s %s"):format(rule, shell.file("lines.csv", "x\n1\n"))).err
  luaunit.assertStrContains(said, "line.lua needs the measure 'size', which is not among the columns; there are: x\n")
  said = shell.crux(("rate %s %s"):format(rule, shell.file("lines", "x\n1\n"))).err
  luaunit.assertStrContains(said, "lines:1: column 1: found 'x' once")
end

return { FileNames = FileNames }
