--- Levels: splits a text into levels of a game, by its first byte one of those that come with crux, and reads, writes and draws
--- each: what was written reads back and is written the same.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local system = require "libcrux.system"
local went_well = dofile "tests/fuzz/went_well.lua"

local games = {}
for _, name in ipairs(system.list "games") do
  if name:find "%.lua$" then table.insert(games, game.load("games/" .. name)) end
end
table.sort(games, function(a, b) return a.name < b.name end)

--- The level of an entry, if it is one: else what is wrong is in a line of it, and is not an error in the script.
local function level_of(self, entry)
  local level, problem = went_well(self.level, self, entry)
  if problem and not problem.message:find "^fuzz:%d+: " or problem and problem.message:gsub("found .*", ""):find "%.lua:%d" then
    error(self.name .. ": " .. problem.message, 0)
  end
  return level
end

return function(text)
  local self = games[(text:byte() or 0) % #games + 1]
  for _, entry in ipairs(went_well(levels.split, text:sub(2), "fuzz", self.files) or {}) do
    assert(#entry.lines == select(2, entry.text:gsub("\n", "")))
    local level = level_of(self, entry)
    if level then
      local written = self:text(level)
      local list = levels.split(written, "fuzz", self.files)
      local again = #list == 1 and level_of(self, list[1])
      assert(again and self:text(again) == written, self.name .. ": what was written does not read back:\n" .. written)
      self:drawing(level)
    end
  end
end
