-- Times the games in plain Lua of tests/newcomers/ beside their twins written for speed, interleaved: whole searches, with the
-- programs made before. Prints their operations, the states of a round, and the median of the ratios; above 1 the plain game is
-- slower.
package.path = "tests/bench/?.lua;tests/support/?.lua;" .. package.path
local newcomers = require "newcomers"
local search = require "crux.search.search"
local timing = require "timing"

local LEAST <const> = 0.2 -- seconds of a round

--- Searches all levels so many times. Returns the seconds, the states, and the operations of the last program.
local function round_of(spec, levels, times)
  local before, states, operations = os.clock(), 0, nil
  for _ = 1, times do
    for _, level in ipairs(levels) do
      local solution = search.solve(spec, level, { engine = "native" })
      states, operations = states + solution.states, solution.program and solution.program.operations
    end
  end
  return os.clock() - before, states, operations
end

--- Prints the ratio of a game and its twin.
local function compare(name, game)
  local function plain(times) return round_of(game.search, game.levels, times) end
  local function twin(times) return round_of(game.twin, game.twin_levels, times) end
  plain(1)
  local times = math.ceil(LEAST / twin(1))
  local ratios, states, operations, of_twin = {}, nil, nil, nil
  for round = 1, timing.rounds do
    local of_plain, of_fast, _
    of_plain, _, operations = plain(times)
    of_fast, states, of_twin = twin(times)
    ratios[round] = of_plain / of_fast
  end
  print(("%-10s %9d states   operations %s, twin %s   ratio %.3f"):format(name, states, operations, of_twin, timing.median(ratios)))
end

for _, name in ipairs(newcomers.names) do
  local game = newcomers.load(name)
  if game.twin then compare(name, game) end
end
