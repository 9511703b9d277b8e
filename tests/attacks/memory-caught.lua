-- Memory that is kept, whenever the limit is caught.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  local list = {}
  local function grow() while true do list[#list + 1] = ("x"):rep(10000) .. #list end end
  while true do pcall(grow) end
  return { size = #text }
end
return game
