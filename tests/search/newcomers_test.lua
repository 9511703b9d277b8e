-- Tests of games in plain Lua, of tests/newcomers/: C runs their steps as they are written, and finds what Lua and their twins
-- written for speed find.
local engines = require "engines"
local luaunit = require "luaunit"
local newcomers = require "newcomers"

local Newcomers = {}

--- By game: the moves of a shortest solution of each level, false where there is none. Hanoi: 2^n - 1. Jugs of 8, 5 and 3 litres:
--- 6 pours, W. W. R. Ball, Mathematical Recreations (1892). Eight: 31 for the two hardest positions, A. Reinefeld, Complete Solution
--- of the Eight-Puzzle, IJCAI (1993). Crossing: 7, Alcuin. The others are counted by their search in Lua.
local lengths = { hanoi = { 7, 127 }, jugs = { 6, 6, 1 }, eight = { 2, 31 }, crossing = { 7, 6 },
  towers = { 7, 31 }, pieces = { 2, 3 } }

--- States of a search in Lua.
local MOST <const> = 2000

for _, name in ipairs(newcomers.names) do
  Newcomers["test_" .. name] = function()
    local game = newcomers.load(name)
    for i, level in ipairs(game.levels) do
      local options = { count = true, states = MOST }
      local expected = engines.solve(game.search, level, options, "interpreted")
      local found, program, untraced = engines.solve(game.search, level, options, "native")
      luaunit.assertNil(untraced)
      luaunit.assertNotNil(program)
      luaunit.assertEquals(found, expected)
      local whole = engines.solve(game.search, level, {}, "native")
      local of_twin = game.twin and engines.solve(game.twin, game.twin_levels[i], {}, "native") or whole
      luaunit.assertEquals({ whole.moves, whole.frontiers, whole.expanded }, { of_twin.moves, of_twin.frontiers, of_twin.expanded })
      if lengths[name] then luaunit.assertEquals(whole.length or false, lengths[name][i]) end
    end
  end
end

return { Newcomers = Newcomers }
