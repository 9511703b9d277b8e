-- An error whose text is never made.
-- measure: raised a table
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  error(setmetatable({}, { __tostring = spin, __name = ("x"):rep(1 << 20), __index = spin }))
  return { size = #text }
end
return game
