-- Each character replaced by a thousand.
-- measure --limit-memory 40: the script took more than 40 MB; --limit-memory MB allows more
local game = require "honest"
function game.parse(text)
  local long = ("x"):rep(1000)
  while true do text = text:gsub(".", long) end
  return { size = #text }
end
return game
