-- A measure that is a table with methods.
-- measure: found a table, expected a number or nil
local game = require "honest"
local function spin() while true do end end
local number = setmetatable({}, { __eq = spin, __lt = spin, __tostring = spin })
game.measure { "x", kind = "initial", doc = "x", function() return number end }
return game
