-- Megabytes of text, character by character, again and again.
-- measure: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local game = require "honest"
function game.parse(text)
  local long = ("\u{10FFFF}"):rep(1 << 20)
  while true do for _ in utf8.codes(long) do utf8.len(long) end end
  return { size = #text }
end
return game
