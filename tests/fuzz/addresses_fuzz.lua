--- Addresses of puzz.link: reads a text as levels of the game of its genre. A level that is written as an address is read again.
local game = require "crux.game.game"
local genres = require "crux.format.puzzlink_genres"
local level_formats = require "crux.format.level_formats"
local went_well = dofile "tests/fuzz/went_well.lua"

local games = {}
for name, genre in pairs(genres) do games[genre.name] = game.load(("games/%s.lua"):format(name)) end

return function(text)
  local own = games[text:match "%?([%w_-]+)/"] or games.nurikabe
  local function read(addresses) return went_well(level_formats.read, addresses, "fuzz", own.files) or {} end
  for _, entry in ipairs(text:find "^%s*http" and read(text) or {}) do
    local level = went_well(own.level, own, entry)
    if level then
      entry.name, entry.text = "", own:text(level)
      local address = level_formats.write("puzzlink", { entry }, own.files)
      assert(own:text(own:level(read(address)[1])) == entry.text, address)
    end
  end
end
