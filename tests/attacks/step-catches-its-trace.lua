-- A step that catches what tracing raises.
-- solve --limit-time 0.2 --seconds 2: step ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.search.step(state)
  while true do pcall(function() return state.at < 1 end) end
end
return game
