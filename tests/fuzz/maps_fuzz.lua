--- Maps of Tiled and LDtk: reads a text as levels of Sokoban. A number that is set in a map is read again.
local level_formats = require "crux.format.level_formats"
local game = require "crux.game.game"
local property = require "crux.format.property"
local went_well = dofile "tests/fuzz/went_well.lua"

local sokoban = game.load "games/sokoban.lua"

return function(text)
  for _, entry in ipairs(went_well(level_formats.read, text, "fuzz", sokoban.files) or {}) do
    assert(#entry.lines == select(2, entry.text:gsub("\n", "")))
    went_well(sokoban.level, sokoban, entry)
    local changed = property.takes(text) and went_well(property.set, text, "fuzz", "zq", { [entry.map_number] = 2.5 })
    if changed then assert(level_formats.read(changed, "fuzz", sokoban.files)[entry.map_number].notes.zq == "2.5") end
  end
end
