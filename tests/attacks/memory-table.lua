-- A table that grows.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  local list = {}
  while true do list[#list + 1] = { {} } end
  return { size = #text }
end
return game
