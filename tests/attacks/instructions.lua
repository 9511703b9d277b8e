-- More instructions than are allowed, in calls that are caught.
-- measure --limit-instructions 1: the script took more than 1 million instructions; --limit-instructions MILLIONS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse() while true do pcall(spin) end end
return game
