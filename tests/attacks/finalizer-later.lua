-- A finalizer that gets into its metatable later.
-- measure: came back
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  local meta = {}
  for _ = 1, 1000 do setmetatable({}, meta) end
  meta.__gc = spin
  local list = {}
  for i = 1, 10000 do list[i] = {} end
  error "came back"
  return { size = #text }
end
return game
