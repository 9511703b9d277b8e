-- A million texts joined.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  local list = {}
  for i = 1, 1000 do list[i] = ("x"):rep(1000) end
  while true do text = text .. table.concat(list) end
  return { size = #text }
end
return game
