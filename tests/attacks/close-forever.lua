-- A variable that is closed when the limit is met, for ever.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  local guard <close> = setmetatable({}, { __close = spin })
  spin()
  return { size = #text }
end
return game
