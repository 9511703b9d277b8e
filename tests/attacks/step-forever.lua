-- A step without an end.
-- solve: step ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.search.step = spin
return game
