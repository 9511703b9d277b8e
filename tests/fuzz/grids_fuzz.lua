--- Grids of spreadsheets: reads a text as a CSV file with a level of Sokoban.
local game = require "crux.game.game"
local level_formats = require "crux.format.level_formats"
local went_well = dofile "tests/fuzz/went_well.lua"

local sokoban = game.load "games/sokoban.lua"

return function(text)
  for _, entry in ipairs(went_well(level_formats.read, text, "fuzz.csv", sokoban.files) or {}) do
    assert(#entry.lines == select(2, entry.text:gsub("\n", "")))
    went_well(sokoban.level, sokoban, entry)
  end
end
