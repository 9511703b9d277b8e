-- An __index that leads back to where it came from.
-- measure: '__index' chain too long; possible loop
local game = require "honest"
function game.parse(text)
  local a, b = {}, {}
  setmetatable(a, { __index = b })
  setmetatable(b, { __index = a })
  return a.x
end
return game
