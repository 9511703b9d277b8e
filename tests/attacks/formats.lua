-- The widest numbers, over and over again.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  while true do string.format("%99.99f", -1e308) end
  return { size = #text }
end
return game
