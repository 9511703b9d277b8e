-- A script that is never loaded, by a command that asks it for options first.
-- generate: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
spin()
return game
