-- A text of a gigabyte, again and again.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  while true do pcall(string.rep, "x", 1 << 30) end
  return { size = #text }
end
return game
