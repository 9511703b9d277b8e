-- A finalizer without an end, when the state is closed.
-- measure: found a metatable with __gc, expected none in a script
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  setmetatable({}, { __gc = spin })
  return { size = #text }
end
return game
