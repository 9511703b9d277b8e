-- Times `crux measure` on the levels of datasets/levels beside another crux: its arguments are the folder of the other one, which is
-- built, and further games with a file or folder of levels each. Prints seconds of the processor, medians, interleaved, and whether
-- both wrote the same.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local other, further = ..., { select(2, ...) }
assert(other, "expected the folder of another crux")

local sets = { { "one level of move", "move", "datasets/levels/move/1.txt" } }
for _, game in ipairs { "move", "rushhour", "sokoban", "sudoku", "flow", "lazors" } do
  table.insert(sets, { game, game, "datasets/levels/" .. game })
end
for i = 1, #further, 2 do table.insert(sets, { further[i + 1], further[i], further[i + 1] }) end

--- The seconds of a run of the crux in a folder, which writes to a file. Levels that fail are left out.
local function seconds(home, set, file)
  return timing.command(("CRUX_HOME=%s %s/crux measure %s %s >%s 2>/dev/null || true"):format(home, home, set[2], set[3], file))
end

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local files = { os.tmpname(), os.tmpname() }
for _, set in ipairs(sets) do
  local before, now = {}, {}
  for round = 1, timing.rounds do
    before[round], now[round] = seconds(other, set, files[1]), seconds(os.getenv "CRUX_HOME", set, files[2])
  end
  local a, b = timing.median(before), timing.median(now)
  print(("%-44s other %8.3f s   crux %8.3f s   ratio %.2f   %s"):format(set[1], a, b, b / a,
    read(files[1]) == read(files[2]) and "same" or "different"))
end
for _, file in ipairs(files) do os.remove(file) end
