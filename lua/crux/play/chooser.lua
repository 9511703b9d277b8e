--- Which level a player plays next by the outcomes of all plays so far, which libcrux.rating_filter follows.
local fault = require "crux.base.fault"
local rating_filter = require "libcrux.rating_filter"
local vector = require "libcrux.vector"

local chooser = {}

--- Deviations of new players and levels, in logits.
local deviations = { player = 1, level = 1.5 }

--- The chances of success and failure of an even play, multiplied: a play tells no more.
local even = 1 / 4

---@class Chooser
---@field private levels table<any, integer>       numbers by name
---@field private difficulties number[]            that are known
---@field private deviations { player: number, level: number }
---@field private players table<string, integer>
---@field private players_count integer
---@field private known table<string, boolean>     plays that were added
---@field private filter userdata
local Chooser = {}
Chooser.__index = Chooser

---@param names any[]              of the levels to choose from
---@param difficulties number[]?   of the levels, in logits; learned from the plays unless given
---@param spread number?           deviation of players
---@return Chooser
function chooser.new(names, difficulties, spread)
  local self = setmetatable({ levels = {}, players = {}, players_count = 0, known = {}, difficulties = difficulties or {},
    deviations = { player = spread or deviations.player, level = difficulties and 0 or deviations.level } }, Chooser)
  for number, name in ipairs(names) do self.levels[name] = number end
  self.filter = rating_filter.new { model = "kalman", player = self.deviations.player, level = self.deviations.level,
    drift = 0, period = 1 }
  return self
end

--- Adds a play, unless it was added before or is of another level.
---@param player string|integer
function Chooser:add(player, level, is_solved)
  local number = self.levels[level]
  local key = number and ("%s\0%d"):format(player, number)
  if not number or self.known[key] then return end
  self.known[key] = true
  if not self.players[player] then
    self.players_count = self.players_count + 1
    self.players[player] = self.players_count
  end
  self.filter:play(vector.of { self.players[player] }, vector.of { number }, vector.of { is_solved and 1 or 0 },
    vector.of { -(self.difficulties[number] or 0) })
end

--- The mean and the variance of a player's ability.
---@return number, number
function Chooser:ability(player)
  local means, variances = self.filter:ratings(1)
  local at = self.players[player] or 0
  return means[at] or 0, variances[at] or self.deviations.player ^ 2
end

--- How much nearer to one half an uncertain logit draws the chance of success, as in Glicko: its logit is divided by this.
local function caution(variance) return math.sqrt(1 + 3 * variance / math.pi ^ 2) end

local function chance_of(logit, variance) return 1 / (1 + math.exp(-logit / caution(variance))) end

--- The orders: the value of a level, of which the least is chosen, by the logit of success at the most probable ratings, the
--- variances of player and level, and the success that is wanted.
---@type table<string, fun(logit: number, player: number, level: number, success: number): number>
chooser.values = {
  --- Less by how much the variance of the level's difficulty falls (Fisher's information).
  variance = function(logit, _, level)
    local chance = chance_of(logit, 0)
    local information = chance * (1 - chance)
    return -level * level * information / (1 + level * information)
  end,
  --- How far the chance of success is from the wanted one.
  ability = function(logit, player, level, success) return math.abs(chance_of(logit, player + level) - success) end,
}

--- The values of all levels for a player, for chooser.least.
---@param name string                of the order
---@param success number
---@param going table<string, integer>   how many play a level just now: each counts as an even play
---@return number[]
function Chooser:order(name, player, success, going)
  local means, variances = self.filter:ratings(2)
  local ability, ability_variance = self:ability(player)
  local values = {}
  for level, number in pairs(self.levels) do
    local variance = variances[number] or self.deviations.level ^ 2
    local logit = ability + (means[number] or 0) - (self.difficulties[number] or 0)
    values[number] = chooser.values[name](logit, ability_variance, 1 / (1 / variance + even * (going[level] or 0)), success)
  end
  return values
end

--- The number of a level that a player has not played and that has the least value.
---@param values number[]        of each level, such as its number of ratings
---@param played table<integer, boolean>   by number of the level
---@param random userdata?       picks one where several have the least value; the first of them unless given
---@return integer?   nil if the player has played all levels
function chooser.least(values, played, random)
  local least, choice = math.huge, {}
  for level, value in ipairs(values) do
    if not played[level] and value <= least then
      if value < least then least, choice = value, {} end
      table.insert(choice, level)
    end
  end
  return choice[1] and (random and random:pick(choice) or choice[1])
end

--- Refuses what is no number between two others.
local function expect(where, value, low, high, expected)
  if type(value) ~= "number" or not (value > low and value < high) then fault.at(where, fault.show(value), expected) end
end

---@class NextLevel
---@field level integer?      number in the list; nil if all were played
---@field chance number?      of solving it
---@field difficulty number   that of a level which the player would solve with the wanted chance

--- The level that a player plays next, of levels whose difficulties are known.
---@param where string              begins messages
---@param difficulties number[]
---@param plays { level: integer, solved: boolean }[]   of the player; of several plays of a level the first counts
---@param success number?           wanted chance, 0.7 unless given
---@param spread number?            deviation of players, 1 unless given
---@return NextLevel
function chooser.next(where, difficulties, plays, success, spread)
  success = success or 0.7
  expect(where .. ": success", success, 0, 1, "a number between 0 and 1")
  expect(where .. ": spread", spread or 1, 0, 1e6, "a number between 0 and 1e6")
  local numbers, played = {}, {}
  for i = 1, #difficulties do
    expect(("%s: difficulty %d"):format(where, i), difficulties[i], -math.huge, math.huge, "a finite number")
    numbers[i] = i
  end
  local self = chooser.new(numbers, difficulties, spread)
  for i, play in ipairs(plays) do
    local place = ("%s: play %d"):format(where, i)
    local is_table = type(play) == "table"
    if not is_table or type(play.solved) ~= "boolean" then
      fault.at(place, is_table and "solved = " .. fault.show(play.solved) or fault.show(play),
        "{ level = 3, solved = true } or { level = 3, solved = false }")
    end
    if not numbers[play.level] then fault.at(place, "level " .. fault.show(play.level), ("one of 1 to %d"):format(#numbers)) end
    self:add(1, play.level, play.solved)
    played[play.level] = true
  end
  local ability, variance = self:ability(1)
  local level = chooser.least(self:order("ability", 1, success, {}), played)
  return { level = level, chance = level and chance_of(ability - difficulties[level], variance),
    difficulty = ability - caution(variance) * math.log(success / (1 - success)) }
end

return chooser
