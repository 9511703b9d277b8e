-- Catches in functions in C that call one another.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  while true do pcall(pcall, pcall, xpcall, spin, spin) end
  return { size = #text }
end
return game
