--- Maps of editors: reads a text as levels of Sokoban, and each level that it gives.
local formats = require "crux.format.formats"
local game = require "crux.game.game"
local went_well = dofile "tests/fuzz/went_well.lua"

local sokoban = game.load "games/sokoban.lua"

return function(text)
  for _, entry in ipairs(went_well(formats.read, text, "fuzz", sokoban.files) or {}) do
    assert(#entry.lines == select(2, entry.text:gsub("\n", "")))
    went_well(sokoban.level, sokoban, entry)
  end
end
