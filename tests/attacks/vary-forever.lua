-- A change without an end.
-- generate --like size=90: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.vary = spin
return game
