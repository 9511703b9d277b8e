-- A step that has no end on one state, and is searched in Lua.
-- solve: step ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.search.step(state, _, level)
  if state.at == 1 then pcall(spin) end
  state.at = state.at + 1
  return state.at >= level.size
end
return game
