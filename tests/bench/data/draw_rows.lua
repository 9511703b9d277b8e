-- Draws the datasets of rows_bench.lua into a folder: levels.csv, of that many levels with four measures and two targets, and
-- plays.csv, of as many plays, a player's 50 of a level's 500. The seed is 1.
local random = require "libcrux.random"

local rows, folder = math.tointeger(tonumber((...))), (select(2, ...))
local stream = random.new(1)

local levels <close> = assert(io.open(folder .. "/levels.csv", "w"))
levels:write "level,size,colours,distance,corners,difficulty,enjoyment\n"
for i = 1, rows do
  local size, colours = stream:integer(9, 225), stream:integer(2, 14)
  local distance, corners = stream:integer(0, 2000) / 100, stream:integer(0, 90)
  local difficulty = 2 + size / 100 - colours / 3 - distance / 5 + corners / 25 + 3 * stream:real()
  levels:write(("level-%d,%d,%d,%.2f,%d,%.4f,%.3f\n"):format(i, size, colours, distance, corners, difficulty,
    5 - difficulty / 4 + 2 * stream:real()))
end

local plays <close> = assert(io.open(folder .. "/plays.csv", "w"))
local able, hard, count = {}, {}, math.max(100, rows // 500)
for level = 1, count do hard[level] = stream:real() end
plays:write "player,level,rating,time,moves_used,skipped\n"
for player = 1, rows // 50 do
  able[player] = stream:real()
  for play = 1, 50 do
    local level = (player * 37 + play * (count // 50) + stream:integer(0, count // 50 - 1)) % count + 1
    local felt = hard[level] - able[player] + stream:real()
    plays:write(("p%d,l%d,%d,%.1f,%d,%d\n"):format(player, level, math.max(1, math.min(7, 4 + 2 * felt // 1 | 0)),
      20 + 30 * math.abs(felt) + 10 * stream:real(), stream:integer(5, 80), stream:real() < 0.05 and 1 or 0))
  end
end
