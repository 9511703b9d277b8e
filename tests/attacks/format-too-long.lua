-- A level of many rows that are empty.
-- generate: format: found a text of more than 1,000,000 bytes
local game = require "honest"
function game.format() return ("\n"):rep(2000000) .. "x\n" end
return game
