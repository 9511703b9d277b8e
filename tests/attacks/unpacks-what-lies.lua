-- A table that says it is long, unpacked.
-- measure: too many results to unpack
local game = require "honest"
function game.parse(text)
  return table.unpack(setmetatable({}, { __len = function() return 1 << 60 end }))
end
return game
