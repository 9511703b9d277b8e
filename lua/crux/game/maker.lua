--- Levels made to measure: local search from what a game's generator gives to a level with the measures that are wanted.
---
--- Simulated annealing over the game's `vary`: a change is kept when it brings the measures nearer to the wanted ones, or
--- takes them away by no more than the temperature allows; measures that need no solution are looked at first, so that
--- most changes are refused without solving. Without wishes (and nothing that the game requires) the generator's first
--- level is taken as it is.
local fault = require "crux.base.fault"

local maker = {}

--- Changes tried before the search starts again from a new level, twice as many each time; and the temperatures between
--- which it cools down, in units of `distance`.
local steps, hot, cold = 2000, 1, 0.1

---@class Wish             a measure that a level is to have
---@field value number
---@field tolerance number half a unit of the last digit that was given

---@class Order            what is to be made
---@field game Game
---@field options table<string, number|integer[]>   of the generator; a list of two is the least and the greatest
---@field wishes table<string, Wish>
---@field limits SolveOptions
---@field attempts integer changes to try in all, over all starts
---@field before Measure[]  that are wished for: those without a solution,
---@field after Measure[]   and with one

--- The number of decimals of a number as it was written.
function maker.decimals(text) return #(text:match "%.(%d+)$" or "") end

--- A wish from a number as it was written: '3.6' is met by all that rounds to it.
---@param text string
---@param decimals integer?  more than were written, when zeros at the end were left out
---@return Wish?
function maker.wish(text, decimals)
  local value = tonumber(text)
  return value and { value = value, tolerance = 0.5 * 10 ^ -(decimals or maker.decimals(text)) * (1 + 1e-9) }
end

--- Whether a measure's value is what is wished for.
---@param wish Wish?
function maker.meets(value, wish) return not wish or math.abs(value - wish.value) <= wish.tolerance end

--- How far a measure is from a wish: 0 when it meets it; small differences count in full, large ones by their logarithm.
local function distance(value, wish)
  if not value then return 20 end -- what a level without a solution lacks
  return maker.meets(value, wish) and 0 or math.log(1 + math.abs(value - wish.value), 2) + 0.1
end

--- Sorts the measures that an order, all else of which is given, wishes for.
---@return Order
function maker.order(order)
  order.before, order.after = {}, {}
  for _, measure in ipairs(order.game.measures) do
    if order.wishes[measure.name] then
      table.insert(measure.kind == "initial" and order.before or order.after, measure)
    end
  end
  return order
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
---@return table level        the nearest
---@return number distance    of it; 0 when it meets them
---@return integer used       steps
local function anneal(order, level, rng, options, most)
  local game = order.game
  local now = judge(order, level, math.huge)
  local best, nearest, used = level, now, 0
  while nearest > 0 and used < most do
    local temperature = hot * (cold / hot) ^ (used / most)
    used = used + 1
    local changed = fault.guard(game.path, game.vary, level, rng, options)
    local found = changed and judge(order, changed, now - temperature * math.log(1 - rng:real()))
    if found then level, now = changed, found end
    if now < nearest then best, nearest = level, now end
  end
  return best, nearest, used
end

--- The options with a number drawn from each range: an integer between integers.
local function draw(order, rng)
  local drawn = {}
  for _, option in ipairs(order.game.options) do
    local value = order.options[option[1]]
    if type(value) == "table" then
      local least, greatest = value[1], value[2]
      value = math.type(least) == "integer" and rng:integer(least, greatest) or least + rng:real() * (greatest - least)
    end
    drawn[option[1]] = value
  end
  return drawn
end

--- What the nearest level has instead of what was wished for.
local function shortfall(order, level)
  local missed = {}
  for _, measures in ipairs { order.before, order.after } do
    local row = order.game:measure(level, measures, order.limits)
    for _, measure in ipairs(measures) do
      local value = row[measure.name]
      if distance(value, order.wishes[measure.name]) > 0 then
        table.insert(missed, ("%s = %s"):format(measure.name, value and ("%.5g"):format(value) or "none"))
      end
    end
  end
  return ("none of %d attempts met the wishes; the nearest has %s"):format(order.attempts, table.concat(missed, ", "))
end

--- What the game's generator gives; levels of a game with a walk are yet to be walked.
---@param order Order
---@param rng userdata
---@return Draft
function maker.draft(order, rng)
  local draft = { random = rng, options = draw(order, rng) }
  local level, problem = fault.guard(order.game.path, order.game.generate, rng, draft.options)
  draft.level, draft.problem = level, type(problem) == "string" and fault.line(problem) or nil
  return draft
end

--- Makes one level.
---@param order Order
---@param draft Draft        to begin with
---@param walker Walker?     of the game
---@return table? level      nil when the attempts are used up
---@return string? problem   then
function maker.make(order, draft, walker)
  local best, nearest, problem = nil, math.huge, "the generator made none"
  local left, most = order.attempts, steps
  while left > 0 do
    left = left - 1
    problem = draft.problem or problem
    if draft.level then
      local found, off, used = anneal(order, draft.level, draft.random, draft.options, math.min(most, left))
      if off == 0 then return found end
      if off < nearest then best, nearest = found, off end
      left, most = left - used, 2 * most
    end
    if left > 0 then
      draft = maker.draft(order, draft.random)
      if walker then
        walker:enter(draft)
        walker:run()
      end
    end
  end
  return nil, best and shortfall(order, best) or problem
end

return maker
