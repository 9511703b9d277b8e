-- A drawing without an end.
-- solve: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.draw = spin
return game
