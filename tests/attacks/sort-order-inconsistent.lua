-- An order that says yes to all, over and over again.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  while true do
    local list = {}
    for i = 1, 1000 do list[i] = i end
    pcall(table.sort, list, function() return true end)
  end
  return { size = #text }
end
return game
