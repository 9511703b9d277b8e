-- Finds the fewest pushes of levels of Sokoban: sokoban_bench.lua SECONDS FILE NUMBER... The file has levels after lines `;LEVEL NUMBER`, as
-- that of Debian's package xsok. Prints pushes, states that were expanded, and seconds of the processor, which end a search.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local pushing = require "libcrux.pushing"

local seconds, path = ...
local file <close> = assert(io.open(path))
local text, self = file:read "a" .. ";", game.load "games/sokoban.lua"

--- The level of that number, read as `crux` does.
local function read(number)
  local rows = assert(text:match(";LEVEL " .. number .. "\n(.-)\n;"), number)
  return self:level(levels.of(rows, "level " .. number, self.files)[1])
end

local solved, total = 0, 0
for _, number in ipairs { select(3, ...) } do
  local level, begun = read(number), os.clock()
  local ending
  local search <close> = pushing.new(level.floor, level.man, level.box, level.goal, false, 4 << 30, 1 << 13)
  repeat ending = search:expand(1000, 100000000) until ending ~= "paused" or os.clock() - begun > tonumber(seconds)
  local statistics, took = search:statistics(), os.clock() - begun
  solved, total = solved + (ending == "won" and 1 or 0), total + took
  print(("level %s: %s, pushes %d, expanded %d, %.1f s"):format(number, ending, statistics.least, statistics.expanded, took))
end
print(("solved %d, %.0f s"):format(solved, total))
