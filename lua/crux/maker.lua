--- Levels made to measure: local search from what a game's generator gives to a level with the measures that are wanted.
---
--- Simulated annealing over the game's `vary`: a change is kept when it brings the measures nearer to the wanted ones, or
--- takes them away by no more than the temperature allows; measures that need no solution are looked at first, so that
--- most changes are refused without solving. Without wishes (and nothing that the game requires) the generator's first
--- level is taken as it is.
local fault = require "crux.fault"
local random = require "libcrux.random"

local maker = {}

--- Changes tried before the search starts again from a new level, and the temperatures between which it cools down, in
--- units of `distance`.
local steps, hot, cold = 1500, 1.5, 0.08

---@class Wish             a measure that a level is to have
---@field value number
---@field tolerance number half a unit of the last digit that was given

---@class Order            what is to be made
---@field game Game
---@field options table<string, number|integer[]>   of the generator; a list of two is the least and the greatest
---@field wishes table<string, Wish>
---@field limits SolveOptions
---@field attempts integer changes to try in all, over all starts

--- A wish from a number as it was written: '3.6' is met by all that rounds to it.
---@param text string
---@return Wish?
function maker.wish(text)
  local value = tonumber(text)
  if not value then return nil end
  local digits = text:match "%.(%d+)$"
  return { value = value, tolerance = 0.5 * 10 ^ -(digits and #digits or 0) * (1 + 1e-9) }
end

--- How far a measure is from a wish: 0 when it meets it; small differences count in full, large ones by their logarithm.
local function distance(value, wish)
  if not value then return 20 end -- what a level without a solution lacks
  local off = math.abs(value - wish.value)
  return off <= wish.tolerance and 0 or math.log(1 + off, 2) + 0.1
end

--- The measures that are wished for, those without a solution first.
local function measures_of(order)
  local before, after = {}, {}
  for _, measure in ipairs(order.game.measures) do
    if order.wishes[measure.name] then table.insert(measure.kind == "initial" and before or after, measure) end
  end
  return before, after
end

--- The sum of distances of a level, or nil when it is beyond a bound.
local function judge(order, level, bound)
  local sum = 0
  for _, measures in ipairs { order.before, order.after } do
    local row = #measures > 0 and order.game:measure(level, measures, order.limits) or {}
    for _, measure in ipairs(measures) do sum = sum + distance(row[measure.name], order.wishes[measure.name]) end
    if sum > bound then return nil end
  end
  return sum
end

--- Changes a level until it meets the wishes or the steps are used up.
---@return table? level
---@return number distance   of the best level
---@return integer used      steps
local function anneal(order, level, rng, options)
  local game = order.game
  local now = judge(order, level, math.huge)
  local best, used = now, 0
  while now > 0 and used < order.steps do
    local temperature = hot * (cold / hot) ^ (used / order.steps)
    used = used + 1
    local changed = fault.guard(game.path, game.vary, level, rng, options)
    local found = changed and judge(order, changed, now - temperature * math.log(1 - rng:real()))
    if found then
      level, now = changed, found
      best = math.min(best, now)
    end
  end
  return now == 0 and level or nil, best, used
end

--- The options with a number drawn from each range.
local function draw(order, rng)
  local drawn = {}
  for _, option in ipairs(order.game.options) do
    local value = order.options[option[1]]
    drawn[option[1]] = type(value) == "table" and rng:integer(value[1], value[2]) or value
  end
  return drawn
end

--- Makes one level.
---@param order Order
---@param seed integer
---@param stream integer   differs from level to level
---@return table? level    nil when the attempts are used up
---@return number distance of the nearest level
function maker.make(order, seed, stream)
  local game, rng = order.game, random.new(seed, stream)
  order.before, order.after = measures_of(order)
  order.steps = steps
  local nearest, left = math.huge, order.attempts
  while left > 0 do
    left = left - 1
    local options = draw(order, rng)
    local level = fault.guard(game.path, game.generate, rng, options)
    if level then
      local made, best, used = anneal(order, level, rng, options)
      if made then return made, 0 end
      nearest, left = math.min(nearest, best), left - used
    end
  end
  return nil, nearest
end

return maker
