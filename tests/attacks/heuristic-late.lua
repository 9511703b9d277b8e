-- A heuristic without an end from its 20th call on.
-- check: step ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
local calls = 0
function game.search.heuristic()
  calls = calls + 1
  if calls == 20 then spin() end
  return 0
end
return game
