-- A variant whose name is asked for its text.
-- measure: found a table as a key, expected texts and numbers
local game = require "honest"
local function spin() while true do end end
game.variants = { [setmetatable({}, { __tostring = spin })] = 1 }
return game
