-- A pattern that tries all ways, in gsub.
-- measure: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  return ("a"):rep(40):gsub((".-"):rep(40) .. "b", "")
end
return game
