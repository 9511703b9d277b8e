-- The same, whatever is raised.
-- measure: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  while true do pcall(string.find, ("a"):rep(40), (".-"):rep(40) .. "b") end
  return { size = #text }
end
return game
