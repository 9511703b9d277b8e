-- A measure of the solution without an end.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.measure { "x", kind = "solution", doc = "x", spin }
return game
