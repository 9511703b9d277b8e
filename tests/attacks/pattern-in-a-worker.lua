-- A pattern that tries all ways, in a worker.
-- measure --jobs 2: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
local game = require "honest"
function game.parse() return ("a"):rep(40):find((".-"):rep(40) .. "b") end
return game
