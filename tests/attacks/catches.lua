-- Catches whatever is raised, and goes on.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  while true do pcall(spin) end
  return { size = #text }
end
return game
