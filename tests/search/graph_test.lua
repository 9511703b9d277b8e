-- Tests of lua/crux/search/graph.lua: against a search of plain tables, with steps that C runs and steps that Lua runs.
local games = require "crux.game.game"
local Graph = require "crux.search.graph"
local luaunit = require "luaunit"
local reference = require "search_reference"
local states = require "crux.search.state"

local LIMITS <const> = { states = 100000, bytes = 1 << 28, seconds = math.huge }

--- All states by plain breadth-first search: the numbers of the successors by move, with true for a win and false for a loss.
local function plain(spec, level)
  local start = spec.start(level)
  local list, known = { start }, { [states.text(start)] = 1 }
  local after = {}
  for index, origin in ipairs(list) do
    after[index] = {}
    for i, move in ipairs(type(spec.moves) == "function" and spec.moves(level) or spec.moves) do
      local now = states.copy(origin)
      local won, lost = spec.step(now, move, level)
      local key = states.text(now)
      if not won and not lost and not known[key] then
        table.insert(list, now)
        known[key] = #list
      end
      after[index][i] = won and Graph.WON or lost and Graph.LOST or known[key]
    end
  end
  return after
end

--- The fewest moves to a win from each state, by as many rounds over all states as moves are needed.
local function plain_distances(after)
  local distance, changed = {}, true
  while changed do
    changed = false
    for index, list in ipairs(after) do
      for _, next in ipairs(list) do
        local beyond = next == Graph.WON and 0 or distance[next]
        if beyond and beyond + 1 < (distance[index] or math.huge) then distance[index], changed = beyond + 1, true end
      end
    end
  end
  return distance
end

local function check(spec, level)
  local expected = plain(spec, level)
  local graph <close> = Graph.of(spec, level, LIMITS)
  luaunit.assertTrue(graph:explore(LIMITS.states))
  luaunit.assertEquals(#graph, #expected)
  for index, list in ipairs(expected) do
    luaunit.assertEquals(graph:after(index), list)
    for _, number in ipairs(graph:changing(index)) do luaunit.assertNotEquals(list[number], index) end
  end
  luaunit.assertEquals(graph:distances(), plain_distances(expected))
end

local Tests = {}

function Tests.test_random_graphs()
  math.randomseed(1)
  for _ = 1, 30 do
    local puzzle = reference.graph()
    check(puzzle.spec, puzzle.level)
  end
end

--- Sokoban, whose step C runs, and a level of it with a box in a room of 3 x 4.
local function room()
  local game = games.load "sokoban"
  return game.search, game:level { name = "a", path = "a", text = "######\n#@ . #\n# $  #\n#    #\n######\n", lines = { 1, 2, 3, 4, 5 } }
end

function Tests.test_native() check(room()) end

--- Without room for further states there is no answer.
function Tests.test_limit()
  local search, level = room()
  local graph <close> = Graph.of(search, level, { states = 2, bytes = 1 << 28, seconds = math.huge })
  luaunit.assertFalse(graph:explore(100))
  luaunit.assertIsTrue(#graph <= 2)
end

return { GraphTests = Tests }
