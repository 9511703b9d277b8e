-- Makes a level, and then none in any worker.
-- generate --count 8 --jobs 2: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local made = 0
function game.generate()
  made = made + 1
  while made > 1 do end
  return { size = 3 }
end
return game
