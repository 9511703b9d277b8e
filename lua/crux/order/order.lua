--- Levels to order: levels with wanted ratings by a rule, as unlike in their measures as can be.
---
--- The search goes in generations of trials (crux.order.trials). The first ones make levels at random; then, if the game has
--- `vary`, most vary levels of an archive, those nearest to the ratings that are still missing. Each trial has random numbers
--- of its own, and results are taken in the order of the trials: a seed gives the same levels for any number of workers.
local archive = require "crux.order.archive"
local choice = require "crux.order.choice"
local distance = require "crux.order.distance"
local lists = require "crux.base.lists"
local process = require "libcrux.process"
local range = require "crux.base.range"
local slots = require "crux.order.slots"
local symmetry = require "crux.order.symmetry"

local order = {}

--- Trials of a generation, and the levels of a trial that varies one.
local TRIALS <const>, VARIED <const> = 64, 12

--- Levels at random from which the scales of measures and ratings are computed.
local SAMPLE <const> = 64

--- Later one trial of four makes a level, as long as less than a quarter of the tried levels were tried to make some: where a
--- level at random has to meet wishes, hundreds are tried for it.
local MAKING <const> = 4

---@class WantedLevels
---@field slots Slot[]
---@field surplus number      levels of the pool of a slot for each wanted one, from which the most unlike are chosen
---@field patience number     how long to search for such pools: to this multiple of the tries that filled the slots
---@field distinct number?    the least distance of any two levels
---@field spread number?      the least distance of the levels of neighbouring slots
---@field tries integer       levels to try
---@field seconds number?     after which no trial begins
---@field is_list boolean?    the slots are a list of ranges, whose order the levels have

---@class Filled
---@field chosen Found[][]    by slot
---@field missing integer     levels
---@field tried integer       levels
---@field refused table<string, integer>   levels by what was wrong with them
---@field lowest number?      of the ratings found
---@field highest number?
---@field misses number[]     the ratings nearest to the slots that are not filled
---@field scales Scales?

---@class OrderRun : Filled
---@field game Game
---@field wanted WantedLevels
---@field measures string[]
---@field archive Archive?    once there are scales
---@field made Found[]        levels at random, until there are scales
---@field origins table<Trial, Origin>   of the levels that trials vary
---@field seen table<string, true>   keys of the levels in pools
---@field stream integer      the next stream of random numbers
---@field trials integer      that were run
---@field enough number?      tries after which larger pools are not searched for
---@field making integer      levels that were tried by trials that make levels
local Run = {}
Run.__index = Run

--- The distance of a rating from the nearest slot that is not filled.
function Run:beyond(rating)
  local least = math.huge
  for _, slot in ipairs(self.open) do least = math.min(least, range.beyond(rating, slot)) end
  return least
end

--- Puts a level into the archive, and into the smallest pool of the slots that want its rating unless an equal level is in one.
function Run:place(level)
  self.archive:add(level, function(rating) return self:beyond(rating) end)
  local slot = slots.of_rating(self.wanted.slots, level.rating)
  if not slot then return end
  local key = symmetry.key(self.game, level.text)
  if self.seen[key] then return end
  self.seen[key], level.point = true, self.scales:point(level)
  table.insert(slot.pool, level)
end

--- Counts the levels of a trial, and places those that count.
---@param result TrialResult
function Run:take(trial, result)
  self.tried, self.trials = self.tried + result.tried, self.trials + 1
  if not trial.text then self.making = self.making + result.tried end
  for reason, count in pairs(result.refused) do self.refused[reason] = (self.refused[reason] or 0) + count end
  for _, level in ipairs(result.found) do
    level.origin = self.origins[trial] or { visits = 0 }
    self.lowest = math.min(self.lowest or level.rating, level.rating)
    self.highest = math.max(self.highest or level.rating, level.rating)
    if self.archive then self:place(level) else table.insert(self.made, level) end
  end
end

local function origins_of(levels)
  local seen, count = {}, 0
  for _, level in ipairs(levels) do
    count = count + (seen[level.origin] and 0 or 1)
    seen[level.origin] = true
  end
  return count
end

--- Chooses levels, and notes the slots that need more: those that are not filled, else for a while those with little choice.
function Run:choose()
  local wanted, surplus = self.wanted.slots, self.wanted.surplus
  self.chosen, self.missing = choice.of(wanted, self.wanted), 0
  local short, spare = {}, {}
  for i, slot in ipairs(wanted) do
    local lacking = slot.count - #self.chosen[i]
    self.missing = self.missing + lacking
    if lacking > 0 then table.insert(short, slot) end
    if #slot.pool < surplus * slot.count or origins_of(slot.pool) < slot.count then table.insert(spare, slot) end
  end
  if self.missing == 0 then self.enough = self.enough or self.wanted.patience * self.tried end
  self.open = #short > 0 and short or self.tried < self.enough and spare or {}
end

--- Computes the scales when there are enough levels at random, or making them has taken its share of the tries.
function Run:begin_archive()
  local is_late = self.tried * MAKING >= self.wanted.tries
  if #self.made < (is_late and 1 or SAMPLE) then return end
  self.scales = distance.scales(self.made, self.measures)
  self.archive = archive.new(self.scales)
  for _, level in ipairs(self.made) do self:place(level) end
end

local function bounds_of(slot) return { least = slot.least, greatest = slot.greatest, tolerance = slot.tolerance } end

--- The next trials: at most as many as levels may still be tried.
function Run:next_trials()
  local list, per_trial = {}, self.archive and VARIED or self.trials > 0 and self.tried / self.trials or 1
  local makes = not (self.archive and self.game.vary) and 1 or self.making * MAKING < self.tried and MAKING or math.huge
  for i = 1, math.min(TRIALS, math.ceil((self.wanted.tries - self.tried) / per_trial)) do
    local trial = { stream = self.stream, count = 1 }
    if i % makes ~= 0 then
      local slot = self.open[(i - 1) % #self.open + 1]
      local level = self.archive:pick(slot)
      trial.text, trial.count, trial.slot = level.text, VARIED, bounds_of(slot)
      trial.beyond, self.origins[trial] = range.beyond(level.rating, slot), level.origin
    end
    self.stream = self.stream + trial.count
    list[i] = trial
  end
  return list
end

--- The ratings nearest to the slots that are not filled, at most three.
function Run:nearest_misses()
  local ratings = {}
  for _, cell in ipairs(self.archive and self.missing > 0 and self.archive.cells or {}) do
    if self:beyond(cell.level.rating) > 0 then ratings[cell.level.rating] = true end
  end
  local function beyond(rating) return self:beyond(rating) end
  return lists.copy(lists.sort(lists.keys(ratings), beyond), 3)
end

--- Begins an order.
---@param measures string[]   that distances are of
---@return OrderRun
function order.begin(game, wanted, measures)
  for _, slot in ipairs(wanted.slots) do slot.pool = {} end
  return setmetatable({ game = game, wanted = wanted, measures = measures, made = {}, seen = {}, stream = 0, trials = 0,
    tried = 0, making = 0, origins = {}, refused = {}, misses = {} }, Run)
end

--- Searches until nothing is missing, no more levels may be tried, or it is over.
---@param map fun(trials: fun(): Trial?): fun(): Trial?, TrialResult?, string?   runs trials, in order
---@param is_over fun(): boolean
---@param watch nil|fun(filled: integer, miss: number?, lost: string?, result: TrialResult?)   called after each trial with the
---                           number of wanted levels that are there, the nearest miss before this generation, and the trial's
---                           result or why it was lost
function Run:search(map, is_over, watch)
  self:choose()
  while #self.open > 0 and self.tried < self.wanted.tries and not is_over() do
    local trials, i = self:next_trials(), 0
    local function next_trial()
      i = i + 1
      return not is_over() and trials[i] or nil
    end
    for trial, result, lost in map(next_trial) do
      if result then self:take(trial, result) end
      local filled = 0
      for _, slot in ipairs(self.wanted.slots) do filled = filled + math.min(#slot.pool, slot.count) end
      if watch then watch(filled, self.misses[1], lost, result) end
    end
    if not self.archive then self:begin_archive() end
    self:choose()
    self.misses = self:nearest_misses()
  end
end

--- Fills an order.
---@return Filled
function order.fill(game, wanted, measures, map, watch)
  local run, start = order.begin(game, wanted, measures), process.seconds()
  run:search(map, function() return wanted.seconds ~= nil and process.seconds() - start >= wanted.seconds end, watch)
  return run
end

return order
