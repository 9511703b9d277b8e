-- A table that changes while it is gone through.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  while true do
    local list = { a = 1, b = 2 }
    pcall(function() for key in next, list do list[key], list[key .. "x"] = nil, 1 end end)
  end
  return { size = #text }
end
return game
