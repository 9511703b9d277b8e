-- A text that is a table with methods.
-- generate: expected text
local game = require "honest"
local function spin() while true do end end
function game.format() return setmetatable({}, { __index = spin, __tostring = spin }) end
return game
