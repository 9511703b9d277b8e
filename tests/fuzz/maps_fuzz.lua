--- Maps of Tiled and LDtk, and addresses of puzz.link: reads a text as levels of Sokoban or, for an address, Nurikabe. A number
--- that is set in a map is read again.
local level_formats = require "crux.format.level_formats"
local game = require "crux.game.game"
local property = require "crux.format.property"
local went_well = dofile "tests/fuzz/went_well.lua"

local sokoban, nurikabe = game.load "games/sokoban.lua", game.load "games/nurikabe.lua"

return function(text)
  local own = text:find "^%s*http" and nurikabe or sokoban
  for _, entry in ipairs(went_well(level_formats.read, text, "fuzz", own.files) or {}) do
    assert(#entry.lines == select(2, entry.text:gsub("\n", "")))
    went_well(own.level, own, entry)
    local changed = property.takes(text) and went_well(property.set, text, "fuzz", "zq", { [entry.map_number] = 2.5 })
    if changed then assert(level_formats.read(changed, "fuzz", own.files)[entry.map_number].notes.zq == "2.5") end
  end
end
