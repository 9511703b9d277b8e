-- A state whose fields are asked for ever.
-- solve: cannot change a protected metatable
local game = require "honest"
local function spin() while true do end end
function game.search.step(state)
  state.at = nil
  setmetatable(state, { __index = spin, __pairs = spin, __len = spin })
  return false
end
return game
