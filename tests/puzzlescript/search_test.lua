--- Searches levels of PuzzleScript in C and in Lua: solutions, numbers of solutions, and statistics are the same.
local games = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local puzzlescript_games = require "puzzlescript_games"
local search = require "crux.search.search"
local shell = require "shell"

local Search = {}

--- Searches with both engines; returns the result of that in C.
local function both(game, level, options)
  local results = {}
  for _, engine in ipairs { "native", "interpreted" } do
    local found = search.solve(game.search, level, { engine = engine, count = options.count, states = options.states })
    results[engine] = { moves = table.concat(found.moves or {}), solutions = found.solutions, status = found.status,
      limit = found.limit, states = found.states, frontiers = found.frontiers }
    if not found.limit then -- C adds states in batches and notices a limit later
      results[engine].statistics = { found.expanded, found.generated, found.duplicates }
    end
  end
  luaunit.assertEquals(results.native, results.interpreted)
  return results.native
end

--- An empty room has (2 + 2)! / (2! 2!) = 6 shortest ways from a corner to the opposite one.
function Search.test_ways_through_a_room_are_counted()
  local path = shell.file("room.txt", puzzlescript_games.pushing { levels = "p..\n...\n..o", win = "all Player on Target" })
  local game = games.load(path)
  luaunit.assertEquals(both(game, game:level(game.own.levels[1]), { count = true }).solutions, 6)
end

function Search.test_both_engines_agree()
  local game = games.load "examples/magnet.txt"
  for i, entry in ipairs(long.some(2, game.own.levels)) do
    for _, options in ipairs { {}, { count = true }, { states = 20 }, { count = true, states = 20 } } do
      local found = both(game, game:level(entry), options)
      if i > 1 and options.states then luaunit.assertEquals(found.limit, "states") end
    end
  end
end

function Search.test_a_state_that_is_too_large_is_told()
  local rows = { "p*o" .. ("."):rep(77) }
  for i = 2, 80 do rows[i] = ("."):rep(80) end
  local game = games.load(shell.file("large.txt", puzzlescript_games.pushing { levels = table.concat(rows, "\n") }))
  luaunit.assertErrorMsgContains("not solved: a state of the level has 12800 bits, more than 10000", function()
    search.solve(game.search, game:level(game.own.levels[1]))
  end)
end

return { Search = Search }
