-- A step that has no end only when it is traced.
-- solve: step ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.search.step(state, _, level)
  if math.type(state.at) == nil then spin() end
  state.at = state.at + 1
  return state.at >= level.size
end
return game
