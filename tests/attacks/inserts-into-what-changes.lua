-- A table that is short when it is looked at, and long then.
-- measure: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  local asked = 0
  local list = setmetatable({}, { __len = function()
    asked = asked + 1
    return asked > 1 and 1 << 60 or 1
  end })
  table.insert(list, 1, "x")
  return { size = #text }
end
return game
