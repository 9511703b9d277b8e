-- Memory that grows from call to call.
-- generate --count 100000 --limit-memory 20: the script took more than 20 MB; --limit-memory MB allows more
local game = require "honest"
kept = {}
function game.generate()
  for _ = 1, 1000 do kept[#kept + 1] = { #kept } end
  return { size = 1 }
end
return game
