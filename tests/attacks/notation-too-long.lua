-- A solution in millions of bytes that are no characters.
-- solve --limit-time 10 --limit-memory 200: notation: found a text of more than 1,000,000 bytes
local game = require "honest"
function game.notation() return ("\255"):rep(20000000) end
return game
