-- Options that are spoiled for the next level.
-- measure: as honest
local game = require "honest"
local function spin() while true do end end
game.measures[1][2] = function(level, _, options)
  options.states, options.seconds, options.searches = "x", spin, 5
  return level.size
end
return game
