-- Times crux on Move levels against a search in C, interleaved: the searches, by how many states they take, and all of
-- `crux measure`; prints medians and ratios. The argument says how many levels.
package.path = "tests/bench/?.lua;" .. package.path
local levels_of = require "move_levels"
local search = require "crux.search.search"
local timing = require "timing"

local count, crux = tonumber((...)) or 1000, os.getenv "CRUX"

--- A level without a solution, so that all its states are found: it shows where the time of a large search goes.
local hard = [[
a b . . A .
. # . . . .
. . c . B .
. . . # . .
C . . . d .
. . . . . D
]]

local kinds = { { title = "under 100 states" }, { title = "100 to 9,999" }, { title = "10,000 and more" }, { title = "all" },
  { title = "hard" } }

local path, levels = os.tmpname(), {}
local file <close> = assert(io.open(path, "w"))
for _ = 1, count do
  local entry = levels_of.random(5)
  entry.kinds = { kinds[entry.states < 100 and 1 or entry.states < 10000 and 2 or 3], kinds[4] }
  table.insert(levels, entry)
  file:write(entry.text, "\n")
end
file:close()
table.insert(levels, levels_of.read(hard))
levels[#levels].kinds = { kinds[5] }

for _, kind in ipairs(kinds) do kind.in_c, kind.in_crux, kind.states, kind.count = {}, {}, 0, 0 end

local measuring = {}
for round = 1, timing.rounds do
  for _, kind in ipairs(kinds) do kind.in_c[round], kind.in_crux[round] = 0, 0 end
  for _, level in ipairs(levels) do
    local actions, states, in_c = plain_move(table.unpack(level.plain))
    local before = os.clock()
    local solution = search.solve(levels_of.search, level.level, { states = 1 << 30 })
    local in_crux = os.clock() - before
    assert((solution.moves and table.concat(solution.moves)) == actions and not solution.untraced, "another solution")
    for _, kind in ipairs(level.kinds) do
      kind.in_c[round], kind.in_crux[round] = kind.in_c[round] + in_c, kind.in_crux[round] + in_crux
      if round == 1 then kind.states, kind.count = kind.states + states, kind.count + 1 end
    end
  end
  measuring[round] = timing.command(("%s measure move --jobs 1 %s > /dev/null 2>&1; true"):format(crux, path))
end
for _, kind in ipairs(kinds) do
  timing.report(("%s: %d levels, %d states"):format(kind.title, kind.count, kind.states), kind.in_c, kind.in_crux)
end
timing.report("crux measure, against the searches", kinds[4].in_c, measuring)
os.remove(path)
