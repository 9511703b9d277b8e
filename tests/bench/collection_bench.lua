-- Times crux's measures of all levels of Rush Hour in a file, on one thread, against a search in C that finds all states of the same
-- levels, interleaved; prints medians, their ratio, and levels and states a second of crux. Its argument is a file of levels of 6 x 6.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local path = ... or "datasets/levels/rushhour/levels.txt"
local levels, rows = {}, {}
for line in io.lines(path) do
  if line:match "^[%a.#]+$" then table.insert(rows, line) end
  if #rows == 6 then levels[#levels + 1], rows = table.concat(rows), {} end
end

local in_c, in_crux, states = {}, {}, 0
for round = 1, timing.rounds do
  in_c[round], states = 0, 0
  for _, level in ipairs(levels) do
    local found, seconds = plain_rushhour(level)
    in_c[round], states = in_c[round] + seconds, states + found
  end
  in_crux[round] = timing.command(("$CRUX measure rushhour %s --jobs 1 >/dev/null"):format(path))
end
timing.report(("%d levels of Rush Hour, %d states"):format(#levels, states), in_c, in_crux)
local seconds = timing.median(in_crux)
print(("%.0f levels a second, %.0f states a second"):format(#levels / seconds, states / seconds))
