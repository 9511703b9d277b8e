-- Times crux on a batch of Move levels of less than 100 states against a search in C: all levels by one, then all by the other,
-- each from the tables of a level to its moves; prints medians and their ratio. The argument says how many levels.
package.path = "tests/bench/?.lua;" .. package.path
local levels = require "move_levels"
local search = require "crux.search.search"
local timing = require "timing"

local count, batch, states = tonumber((...)) or 10000, {}, 0
while #batch < count do
  local entry = levels.random(4)
  if entry.states < 100 then
    table.insert(batch, entry)
    states = states + entry.states
  end
end

local in_c, in_crux = {}, {}
for round = 1, timing.rounds do
  local actions, found = {}, {}
  collectgarbage()
  local before = os.clock()
  for i, entry in ipairs(batch) do actions[i] = plain_move(table.unpack(entry.plain)) end
  in_c[round] = os.clock() - before
  collectgarbage()
  before = os.clock()
  for i, entry in ipairs(batch) do found[i] = search.solve(levels.search, entry.level).moves or false end
  in_crux[round] = os.clock() - before
  for i, moves in ipairs(found) do assert((moves and table.concat(moves) or nil) == actions[i], "another solution") end
end
timing.report(("%d levels under 100 states, %d states"):format(count, states), in_c, in_crux)
