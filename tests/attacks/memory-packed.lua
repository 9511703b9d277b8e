-- A packed text of two gigabytes.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  while true do pcall(string.pack, "c2147483647", "") end
  return { size = #text }
end
return game
