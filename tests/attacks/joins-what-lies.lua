-- A table that says it is long, and has an element everywhere.
-- measure: expected at most 16777216
local game = require "honest"
function game.parse(text)
  return table.concat(setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return "" end }))
end
return game
