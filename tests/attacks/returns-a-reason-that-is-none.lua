-- A reason that is a table with methods.
-- generate: the generator made none
local game = require "honest"
local function spin() while true do end end
function game.generate() return nil, setmetatable({}, { __tostring = spin, __index = spin, __concat = spin }) end
return game
