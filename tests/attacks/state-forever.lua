-- A state without an end.
-- solve: state ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.search.state = spin
return game
