-- A command that goes on, though each call of the script is short.
-- generate --count 1000000000 --limit-run 0.3: stopped after 0.3 s of the command; --limit-run SECONDS allows more
local game = require "honest"
function game.generate() return { size = 1 } end
return game
