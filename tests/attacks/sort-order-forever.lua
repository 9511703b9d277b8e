-- An order that is never told.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  table.sort({ 1, 2, 3 }, spin)
  return { size = #text }
end
return game
