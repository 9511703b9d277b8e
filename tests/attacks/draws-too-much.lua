-- A picture of many characters.
-- solve --format svg: draw: found a text of more than 1,000,000 bytes
local game = require "honest"
function game.draw() return ("x y\n"):rep(1000000) end
return game
