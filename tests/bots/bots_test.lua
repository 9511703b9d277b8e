-- Tests of lua/crux/bots: plays whose length and chances are known.
local bots = require "crux.bots.bots"
local games = require "crux.game.game"
local kinds = require("crux.search.state").kinds
local luaunit = require "luaunit"
local shell = require "shell"

local LIMITS <const> = { states = 100000, bytes = 1 << 28, seconds = math.huge }

--- A corridor from 0 to `length`; the win is at its end.
local function corridor(length)
  return {
    moves = { "left", "right" },
    state = function() return { x = kinds.integer(0, length) } end,
    start = function() return { x = 0 } end,
    step = function(now, move)
      now.x = math.max(0, now.x + (move == "right" and 1 or -1))
      return now.x == length, false
    end,
  }
end

--- One move wins, one loses, one changes nothing.
local lottery = {
  moves = { "win", "lose", "stay" },
  state = function() return { x = kinds.integer(0, 1) } end,
  start = function() return { x = 0 } end,
  step = function(_, move) return move == "win", move == "lose" end,
}

--- A trap: after "down" no win is left, and only moves between two states of the trap.
local trap = {
  moves = { "up", "down" },
  state = function() return { x = kinds.integer(0, 3) } end,
  start = function() return { x = 0 } end,
  step = function(now, move)
    if now.x == 0 then
      if move == "up" then return true, false end
      now.x = 1
    else
      now.x = now.x == 1 and 2 or 1
    end
    return false, false
  end,
}

local function plays(bot, spec, params, runs)
  return bots.plays(bot, spec, {}, LIMITS, { runs = runs or 20, seed = 1, params = { [bot] = params } })
end

local function figure(name, walks, values, is_known)
  for _, row in ipairs(bots.figures) do
    if row[1] == name then return row[3](walks, values, is_known) end
  end
end

local Tests = {}

--- A bot that does not go back at once walks straight through a corridor.
function Tests.test_corridor()
  for _, bot in ipairs { "random", "limited" } do
    for _, walk in ipairs(plays(bot, corridor(9), bot == "limited" and { errors = 0 } or nil)) do
      luaunit.assertTrue(walk.solved)
      luaunit.assertEquals({ walk.moves, walk.states, walk.undos, walk.restarts, walk.dead }, { 9, 9, 0, 0, 0 })
    end
  end
end

--- Moves are equally likely, and those that change nothing are not made: the play begins again with probability 1/2, so the
--- restarts are geometric with mean 1 and variance 2.
function Tests.test_lottery()
  local count <const> = 2000
  local walks = plays("random", lottery, nil, count)
  local mean = figure("restarts", walks)
  luaunit.assertAlmostEquals(mean, 1, 4 * math.sqrt(2 / count))
  luaunit.assertEquals(figure("pass", walks), 1)
  -- Who looks one move ahead does not lose.
  luaunit.assertEquals(figure("restarts", plays("limited", lottery, { errors = 0, depth = 1 })), 0)
  luaunit.assertEquals(figure("restarts", plays("greedy", lottery, { noise = 0 })), 0)
end

--- In the trap, every move is one without a win left; patience ends it. The first time, two moves find new states and five do
--- not; later, five moves do not, the one into the trap among them.
function Tests.test_trap()
  for _, walk in ipairs(plays("random", trap, { patience = 5 }, 50)) do
    local times = walk.restarts
    luaunit.assertEquals(walk.dead, times > 0 and 6 + 4 * (times - 1) or 0)
    luaunit.assertEquals(walk.moves, times > 0 and 7 + 5 * (times - 1) + 1 or 1)
  end
end

--- A bot gives up after `most` acts.
function Tests.test_most()
  for _, name in ipairs(bots.names) do
    for _, walk in ipairs(plays(name, corridor(30), { most = 10 }, 3)) do
      luaunit.assertFalse(walk.solved or false)
      luaunit.assertEquals(walk.moves + walk.undos + walk.restarts, 10)
    end
  end
end

--- The tree search finds the win of a short corridor without a detour in most plays.
function Tests.test_mcts()
  local walks = plays("mcts", corridor(4), { playouts = 200 })
  luaunit.assertEquals(figure("pass", walks), 1)
  luaunit.assertAlmostEquals(figure("moves", walks), 4, 0.5)
end

--- Wilson's interval: R's prop.test(8, 10, correct = FALSE).
function Tests.test_interval()
  local walks = {}
  for i = 1, 10 do walks[i] = { solved = i <= 8, moves = i } end
  luaunit.assertAlmostEquals(figure("low", walks), 0.4901625, 1e-7)
  luaunit.assertAlmostEquals(figure("high", walks), 0.9433178, 1e-7)
  luaunit.assertEquals(figure("moves", walks), 4.5)
  luaunit.assertEquals(figure("best", walks, { most = 500 }), 1)
end

--- Play i does not depend on the plays before it.
function Tests.test_seeds()
  local spec = games.load("sokoban").search
  local level = games.load("sokoban"):level { name = "a", path = "a", text = "######\n#@ . #\n# $  #\n#    #\n######\n",
    lines = { 1, 2, 3, 4, 5 } }
  local function moves(count, seed)
    local list = {}
    for i, walk in ipairs(bots.plays("random", spec, level, LIMITS, { runs = count, seed = seed })) do list[i] = walk.moves end
    return list
  end
  local ten = moves(10, 1)
  luaunit.assertEquals(table.move(ten, 1, 4, 1, {}), moves(4, 1))
  luaunit.assertNotEquals(ten, moves(10, 2))
end

function Tests.test_read()
  local names, params = bots.read "random, limited:depth=4:errors=0.25"
  luaunit.assertEquals({ names, params }, { { "random", "limited" }, { random = {}, limited = { depth = 4, errors = 0.25 } } })
  for text, message in pairs {
    ["rando"] = "found 'rando', expected one of random, greedy, limited, mcts",
    ["limited:deep=3"] = "found 'limited:deep', expected one of depth, errors, patience, most",
    ["limited:depth=3.5"] = "found 'depth=3.5', expected an integer from 1 to 8",
    ["greedy:noise=2"] = "found 'noise=2', expected a number from 0 to 1",
    [","] = "found nothing, expected names of bots",
  } do
    luaunit.assertEquals({ bots.read(text) }, { nil, message })
  end
end

--- The best of some plays bounds the shortest solution from above: in a corridor of 8 no play is shorter, and none is lost.
function Tests.test_shortest_of_plays()
  luaunit.assertEquals(bots.shortest(corridor(8), {}, {}), 8)
  local closed = corridor(8)
  closed.step = function(now)
    now.x = 1 - now.x
    return false, false
  end
  luaunit.assertNil(bots.shortest(closed, {}, {}))
end

--- A search that meets its limit says how long a solution is at least and at most: the shortest of this level has 11 moves.
function Tests.test_bounds_of_a_solution()
  local levels = shell.file("levels.txt", "#######\n#@ $ .#\n#     #\n# $  .#\n#     #\n#######\n")
  luaunit.assertEquals(shell.printed("measure sokoban --measures moves --format csv " .. levels), "level,moves\nlevels,11\n")
  luaunit.assertStrContains(shell.crux("solve sokoban --states 100 " .. levels).err,
    "the limit on states was met; a solution has at least 7 moves; a bot found one of 11\n")
end

--- The command prints the same for any number of workers, and rules name the measures of bots as others.
function Tests.test_command()
  local levels = shell.file("levels.txt", "#####\n#@$.#\n#####\n\n######\n#@ . #\n# $  #\n#    #\n######\n")
  local line = "measure sokoban --bots random,limited --runs 10 --measures moves " .. levels
  luaunit.assertEquals(shell.printed(line .. " --jobs 1"), shell.printed(line .. " --jobs 2"))
  luaunit.assertStrMatches(shell.printed("measure sokoban --bots greedy --runs 1 --measures greedy_best --format csv " .. levels),
    "level,greedy_best,greedy_pass,greedy_low,greedy_high,greedy_moves,greedy_states,.*") -- no column twice
  local rule = shell.file("rule.lua", 'return crux.rule { game = "sokoban", formula = "difficulty ~ random_moves", '
    .. 'coefficients = { ["(intercept)"] = 1, random_moves = 1 } }\n')
  luaunit.assertStrContains(shell.printed(("rate %s %s --format csv"):format(rule, levels)), "1,2")
end

return { BotsTests = Tests }
