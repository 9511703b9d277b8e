-- An order that empties the list.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  while true do
    local list = {}
    for i = 1, 200 do list[i] = i % 7 end
    pcall(table.sort, list, function(a, b) list[1 + #list // 2] = nil return (a or 0) < (b or 0) end)
  end
  return { size = #text }
end
return game
