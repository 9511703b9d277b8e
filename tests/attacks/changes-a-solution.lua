-- A solution that is spoiled by a measure.
-- measure: as honest
local game = require "honest"
local function spin() while true do end end
game.measures[2][2] = function(_, solution)
  local length = solution.length
  solution.program, solution.variants, solution.moves = nil, { { status = spin } }, spin
  setmetatable(solution, { __index = spin, __pairs = spin })
  return length
end
return game
