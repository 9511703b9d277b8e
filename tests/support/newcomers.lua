--- The games of tests/newcomers/, written in plain Lua by somebody who knows no more than Lua and docs/writing-a-game.md, with
--- the levels beside them; and the twins of some, which are written for speed.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local sandbox = require "crux.script.sandbox"
local words = require "crux.script.words"

local newcomers = {}

newcomers.names = { "hanoi", "jugs", "crates", "ice", "eight", "lights", "boxes", "pegs", "crossing", "rings", "towers", "fill", "skate",
  "gravity", "pieces" }

local folder <const> = "tests/newcomers/"

---@class Newcomer
---@field search SearchSpec
---@field twin SearchSpec
---@field levels table[]
---@field twin_levels table[]   the same, with what the twin computes of each

--- A game and its twin.
---@return Newcomer
function newcomers.load(name)
  local self, twin = game.load(folder .. name .. ".lua"), sandbox.run(folder .. "twins.lua", words.shared())[name]
  local function read(prepare)
    return lists.map(levels.read(folder .. name .. ".txt", self.files), function(entry)
      local level = self:level(entry)
      if prepare then prepare(level) end
      return level
    end)
  end
  local search = self.search
  if not twin then return { search = search, levels = read() } end
  return { search = search, levels = read(), twin_levels = read(twin.prepare),
    twin = { moves = search.moves, state = twin.state or search.state, start = twin.start or search.start, step = twin.step } }
end

return newcomers
