-- An empty table, moved for ever.
-- measure: expected at most 16777216 elements
local game = require "honest"
function game.parse(text)
  table.move({}, 1, 1 << 60, 2)
  return { size = #text }
end
return game
