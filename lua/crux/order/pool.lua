--- Levels with ratings, made ahead for a game that gives its player one of a wanted rating: an order that never ends.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local order = require "crux.order.order"
local process = require "libcrux.process"
local range = require "crux.base.range"
local request = require "crux.order.request"
local symmetry = require "crux.order.symmetry"
local trials = require "crux.order.trials"

local pool = {}

--- How far the rating of a level may be from the wanted one, as `--rating 4.5` has it; the seconds to look for a nearer level.
local OFF <const>, SECONDS <const> = 0.05, 0.2

---@class LevelPool
---@field game Game
---@field private run OrderRun
---@field private try fun(trial: Trial): TrialResult
---@field private tries integer                levels to try for what is missing
---@field private taken table<string, true>    keys of levels that were taken
local Pool = {}
Pool.__index = Pool

---@param asked Asked   for a curve
---@return LevelPool
function pool.new(game, rule, asked)
  local wanted, setup = request.read(game, rule, asked)
  setup.rule, wanted.surplus, wanted.patience = rule, 1, 1
  return setmetatable({ game = game, run = order.begin(game, wanted, setup.production.measures), try = trials.new(setup, game),
    tries = wanted.tries, taken = {} }, Pool)
end

--- Searches until it is over, or what is missing in the slots was found.
---@private
function Pool:search(is_over)
  self.run:search(function(next_trial)
    return function()
      local trial = next_trial()
      if trial then return trial, self.try(trial) end
    end
  end, is_over)
end

local function check(where, value, least)
  if type(value) ~= "number" or value ~= value or value < least then
    fault.at(where, fault.show(value), least == 0 and "seconds, 0 or more" or "a number")
  end
end

--- Makes levels for some time, until every rating has one.
---@param seconds number
---@return integer   how many levels are missing
function Pool:fill(seconds)
  check("fill: argument 1", seconds, 0)
  local stop = process.seconds() + seconds
  self:search(function() return process.seconds() >= stop end)
  return self.run.missing
end

--- The level nearest to a rating that was not taken, and its key.
---@private
---@param more Found[]   levels besides those of the pool
---@return Found?
---@return string? key
function Pool:nearest(rating, more)
  local run, best, key, least = self.run, nil, nil, math.huge
  local function look(levels)
    for _, level in ipairs(levels) do
      local beyond = math.abs(level.rating - rating)
      local its_key = beyond < least and symmetry.key(self.game, level.text)
      if its_key and not self.taken[its_key] then best, key, least = level, its_key, beyond end
    end
  end
  look(more)
  look(run.made)
  for _, slot in ipairs(run.wanted.slots) do look(slot.pool) end
  look(lists.field(run.archive and run.archive.cells or {}, "level"))
  return best, key
end

--- Searches for a level of a rating alone.
---@private
---@return Found[]
function Pool:look_for(rating, seconds)
  local run, stop = self.run, process.seconds() + seconds
  local slots, slot = run.wanted.slots, lists.merge(range.around(rating, OFF), { count = 1, pool = {} })
  run.wanted.slots = { slot }
  self:search(function() return slot.pool[1] ~= nil or process.seconds() >= stop end)
  run.wanted.slots = slots
  return slot.pool
end

--- Takes the level nearest to a rating out of the pool. If none is within 0.05, looks for one first.
---@param rating number
---@param seconds number?   for looking; 0.2 unless given
---@return Found?           nil if there is none
function Pool:take(rating, seconds)
  check("take: argument 1", rating, -math.huge)
  check("take: argument 2", seconds or SECONDS, 0)
  local level, key = self:nearest(rating, {})
  if not level or math.abs(level.rating - rating) > OFF then
    level, key = self:nearest(rating, self:look_for(rating, seconds or SECONDS))
  end
  if not level then return nil end
  self.taken[key], self.run.seen[key] = true, true
  for _, slot in ipairs(self.run.wanted.slots) do
    slot.pool = lists.select(slot.pool, function(other) return other ~= level end)
  end
  self.run.wanted.tries = self.run.tried + self.tries
  return level
end

return pool
