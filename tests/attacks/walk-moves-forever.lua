-- A walk of as many moves as there are numbers.
-- generate: walk.moves: found 9223372036854775807, expected an integer from 1 to 1000000
local game = require "honest"
game.walk = { moves = math.maxinteger, back = function() return false end, finish = function(level) return level end }
return game
