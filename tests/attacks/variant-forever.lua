-- A variant without an end.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
game.variants = { x = spin }
game.measure { "x", kind = "dynamic", doc = "x", function(_, solution) return solution.variants.x.length end }
return game
