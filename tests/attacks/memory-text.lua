-- A text that doubles.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  while true do text = text .. text end
  return { size = #text }
end
return game
