-- A solution of its own in millions of bytes that are no characters.
-- solve --limit-time 10 --limit-memory 200: field 'text': found a text of more than 1,000,000 bytes
local game = require "honest"
game.search = nil
function game.solve() return { status = "solved", text = ("\255"):rep(20000000) } end
return game
