-- Functions that keep one another.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  local last
  while true do
    local before = last
    last = function() return before end
  end
  return { size = #text }
end
return game
