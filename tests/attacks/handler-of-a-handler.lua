-- A message handler that fails, and its handler, and so on.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  local function handler() xpcall(error, handler) error {} end
  while true do xpcall(error, handler) end
  return { size = #text }
end
return game
