-- A pattern that tries all ways, in gmatch.
-- measure: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  for _ in ("a"):rep(40):gmatch((".-"):rep(40) .. "b") do spin() end
  return { size = #text }
end
return game
