-- A walk without an end.
-- generate: back ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.walk = { moves = 10, back = spin, finish = function(level) return level end }
return game
