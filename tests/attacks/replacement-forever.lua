-- A replacement that is never told.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  return text:gsub(".", spin)
end
return game
