-- Nothing, repeated for ever.
-- measure: came back
local game = require "honest"
function game.parse(text)
  error("came back" .. string.rep("", 1 << 60) .. (""):rep(1 << 60, ""))
  return { size = #text }
end
return game
