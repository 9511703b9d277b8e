-- An error whose metatable is compared for ever.
-- measure: raised a table
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  error(setmetatable({}, setmetatable({}, { __eq = spin, __index = spin })))
  return { size = #text }
end
return game
