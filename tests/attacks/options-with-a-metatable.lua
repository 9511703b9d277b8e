-- Options that are asked for ever.
-- generate: found a table with a metatable, expected a plain one
local game = require "honest"
local function spin() while true do end end
game.options = setmetatable({}, { __index = spin, __len = spin })
return game
