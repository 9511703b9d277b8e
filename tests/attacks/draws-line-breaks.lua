-- A drawing of line breaks, which are counted from each of them.
-- solve --limit-time 10: draw: found a text of more than 1,000,000 bytes
local game = require "honest"
function game.draw() return ("\n"):rep(2000000) .. "x\n" end
return game
