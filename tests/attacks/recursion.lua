-- Recursion without an end, caught and begun again.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  local function deeper() return 1 + deeper() end
  while true do pcall(deeper) end
  return { size = #text }
end
return game
