-- A search whose fields are asked for ever.
-- measure: found a table with a metatable, expected a plain one
local game = require "honest"
local function spin() while true do end end
game.search = setmetatable({}, { __index = spin, __pairs = spin })
return game
