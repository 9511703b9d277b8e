-- A measure with a name of millions of bytes that are no characters.
-- measure --limit-time 10 --limit-memory 200: found a name of more than 1,000 bytes, expected at most 1,000 bytes
local game = require "honest"
game.measures[1][1] = ("\255"):rep(20000000)
return game
