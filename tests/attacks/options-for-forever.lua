-- Options that are never told.
-- generate --like size=4: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.options_for = spin
return game
