-- A field with a name of millions of bytes that are no characters.
-- measure --limit-time 10 --limit-memory 200: found the unknown field '\xff\xff
local game = require "honest"
game[("\255"):rep(20000000)] = 1
return game
