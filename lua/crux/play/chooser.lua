--- Which level a player plays next by the outcomes of all plays so far, which libcrux.rating_filter follows.
local rating_filter = require "libcrux.rating_filter"
local vector = require "libcrux.vector"

local chooser = {}

--- Deviations of new players and levels, in logits.
local deviations = { player = 1, level = 1.5 }

--- The chances of success and failure of an even play, multiplied: a play tells no more.
local even = 1 / 4

---@class Chooser
---@field private levels table<string, integer>    numbers by name
---@field private players table<string, integer>
---@field private count integer                    of levels
---@field private players_count integer
---@field private known table<string, boolean>     plays that were added
---@field private filter userdata
local Chooser = {}
Chooser.__index = Chooser

---@param names string[]   of the levels to choose from
---@return Chooser
function chooser.new(names)
  local self = setmetatable({ levels = {}, players = {}, count = #names, players_count = 0, known = {} }, Chooser)
  for number, name in ipairs(names) do self.levels[name] = number end
  self.filter = rating_filter.new { model = "kalman", player = deviations.player, level = deviations.level, drift = 0,
    period = 1 }
  return self
end

--- Adds a play, unless it was added before or is of another level.
---@param player string|integer
function Chooser:add(player, level, is_solved)
  local key, number = ("%s\0%s"):format(player, level), self.levels[level]
  if self.known[key] or not number then return end
  self.known[key] = true
  if not self.players[player] then
    self.players_count = self.players_count + 1
    self.players[player] = self.players_count
  end
  self.filter:play(vector.of { self.players[player] }, vector.of { number }, vector.of { is_solved and 1 or 0 })
end

--- The orders: the value of a level, of which the least is chosen, by the logit of success at the most probable ratings, the
--- variances of player and level, and the success that is wanted.
---@type table<string, fun(logit: number, player: number, level: number, success: number): number>
chooser.values = {
  --- Less by how much the variance of the level's difficulty falls (Fisher's information).
  variance = function(logit, _, level)
    local chance = 1 / (1 + math.exp(-logit))
    local information = chance * (1 - chance)
    return -level * level * information / (1 + level * information)
  end,
  --- How far the chance of success is from the wanted one; uncertain ratings draw it to one half, as in Glicko.
  ability = function(logit, player, level, success)
    local chance = 1 / (1 + math.exp(-logit / math.sqrt(1 + 3 * (player + level) / math.pi ^ 2)))
    return math.abs(chance - success)
  end,
}

--- The values of all levels for a player, for plan.least.
---@param name string                of the order
---@param success number
---@param going table<string, integer>   how many play a level just now: each counts as an even play
---@return number[]
function Chooser:order(name, player, success, going)
  local players, player_variances = self.filter:ratings(1)
  local means, variances = self.filter:ratings(2)
  local at, values = self.players[player] or 0, {}
  local ability, ability_variance = players[at] or 0, player_variances[at] or deviations.player ^ 2
  for level, number in pairs(self.levels) do
    local variance = variances[number] or deviations.level ^ 2
    values[number] = chooser.values[name](ability + (means[number] or 0), ability_variance,
      1 / (1 / variance + even * (going[level] or 0)), success)
  end
  return values
end

return chooser
