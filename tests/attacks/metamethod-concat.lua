-- A metamethod without an end.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  return setmetatable({}, { __concat = spin }) .. "x"
end
return game
