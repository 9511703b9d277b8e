-- Tests of lua/crux/task/imitate.lua: data that a bot made itself give its parameters back.
local luaunit = require "luaunit"
local long = require "long"
local shell = require "shell"

local Imitate = {}

--- Plays with noise of 0.35 are the data; other plays of the same bot find about that noise, and predict better than its default.
function Imitate.test_recovers()
  long.only()
  local levels = shell.path "generated.txt"
  shell.printed("generate move --side 4 --balls 3 --count 30 --seed 3 -o " .. levels)
  local data = shell.file("made.csv",
    shell.printed("measure move --bots greedy:noise=0.35 --runs 30 --format csv --measures balls " .. levels))
  local result = shell.printed(("imitate move %s %s --bot greedy --figure moves --target greedy_moves --runs 30 --seed 2 "
    .. "--folds 3 --evaluations 20 --format csv"):format(data, levels))
  local noise = tonumber(result:match "noise,([%d.]+)")
  luaunit.assertAlmostEquals(noise, 0.35, 0.1)
end

function Imitate.test_mistakes()
  local data = shell.file("few.csv", "level,difficulty\none:1,2\none:2,3\n")
  local levels = shell.file("one.txt", "#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n")
  luaunit.assertEquals(shell.crux(("imitate sokoban %s %s"):format(data, levels)).err,
    data .. ": found 2 levels with a number in column 'difficulty', expected at least 10 of the levels\n")
  luaunit.assertStrContains(shell.crux(("imitate flow %s %s"):format(data, levels)).err,
    "bots make the moves of the game's 'search', and it has none")
  luaunit.assertStrContains(shell.crux(("imitate sokoban %s %s --bot random"):format(data, levels)).err,
    "--bot: 'random' has no parameters")
end

return { ImitateTests = Imitate }
