-- A loop without an end in a worker.
-- measure --jobs 2: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse() while true do pcall(spin) end end
return game
