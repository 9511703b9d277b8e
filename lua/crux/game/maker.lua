--- Makes levels with given measures by simulated annealing, from a level of the game's generator, with changes by its `vary`.
---
--- A change is kept if it brings the measures nearer to the wishes, or takes them away by no more than the temperature allows.
--- Measures that need no solution are computed first, so that most changes are refused without solving. Without wishes and
--- required measures the generator's first level is taken; without `vary` the first that meets them.
local fault = require "crux.base.fault"
local range = require "crux.base.range"

local maker = {}

--- The number of changes before the search restarts from a new level, doubled at each restart; the first and the last
--- temperature, in units of `distance`.
local steps, hot, cold = 2000, 1, 0.1

---@class Aim              the wishes for a level, and how to meet them
---@field game Game
---@field options table<string, number|integer[]>   of the generator; a list of two is the least and the greatest
---@field wishes table<string, Range>   by measure
---@field limits SolveOptions
---@field changes integer  to try, over all starts
---@field steps integer?   changes before the first restart, 2,000 unless given
---@field before Measure[] with a wish, that need no solution
---@field after Measure[]  with a wish, that need one
---@field tried integer    levels that were measured
---@field solution Solution?   of the last level that was solved

--- The distance of a value from a wish: 0 if it meets the wish, else about logarithmic in what it lies beyond.
local function distance(value, wish)
  if not value then return 20 end -- the level has no solution
  return range.holds(wish, value) and 0 or math.log(1 + range.beyond(value, wish), 2) + 0.1
end

--- Sets the fields `before`, `after` and `tried` of an aim.
function maker.aim(aim)
  aim.before, aim.after, aim.tried = {}, {}, 0
  for _, measure in ipairs(aim.game.measures) do
    if aim.wishes[measure.name] then
      table.insert(measure.kind == "initial" and aim.before or aim.after, measure)
    end
  end
  return aim
end

--- The sum of the distances of a level; nil if it is above a bound.
local function judge(aim, level, bound)
  local sum = 0
  aim.tried = aim.tried + 1
  for _, measures in ipairs { aim.before, aim.after } do
    local row, solution, other = {}, nil, nil
    if #measures > 0 then row, solution, other = aim.game:measure(level, measures, aim.limits) end
    aim.solution = solution or other or aim.solution
    for _, measure in ipairs(measures) do sum = sum + distance(row[measure.name], aim.wishes[measure.name]) end
    if sum > bound then return nil end
  end
  return sum
end

--- Changes a level until it meets the wishes or the steps are used up.
---@return table level       the nearest
---@return number distance   of that level
---@return integer used      steps
local function anneal(aim, level, rng, options, limit)
  local game = aim.game
  local now = judge(aim, level, math.huge)
  local best, nearest, used = level, now, 0
  while nearest > 0 and used < limit do
    local temperature = hot * (cold / hot) ^ (used / limit)
    used = used + 1
    local changed = fault.guard(game.path, game.vary, level, rng, options)
    local found = changed and judge(aim, changed, now - temperature * math.log(1 - rng:real()))
    if found then level, now = changed, found end
    if now < nearest then best, nearest = level, now end
  end
  return best, nearest, used
end

--- The options, with a random number from each range: an integer if both ends are integers.
---@param options table<string, number|number[]>
function maker.draw(game, options, rng)
  local drawn = {}
  for _, option in ipairs(game.options) do
    local value = options[option[1]]
    drawn[option[1]] = type(value) == "table" and range.draw(value[1], value[2], rng) or value
  end
  return drawn
end

--- A message with the measures of the nearest level that do not meet their wishes.
local function shortfall(aim, level)
  local missed = {}
  for _, measures in ipairs { aim.before, aim.after } do
    local row = aim.game:measure(level, measures, aim.limits)
    for _, measure in ipairs(measures) do
      local value = row[measure.name]
      if distance(value, aim.wishes[measure.name]) > 0 then
        table.insert(missed, ("%s = %s"):format(measure.name, value and ("%.5g"):format(value) or "none"))
      end
    end
  end
  return ("none of %d changes met the wishes; the nearest has %s"):format(aim.changes, table.concat(missed, ", "))
end

--- A level of the game's generator, before the walk if the game has one.
---@return Draft
function maker.draft(aim, rng)
  local draft = { random = rng, options = maker.draw(aim.game, aim.options, rng) }
  local level, problem = fault.guard(aim.game.path, aim.game.generate, rng, draft.options)
  draft.level, draft.problem = level, type(problem) == "string" and fault.line(problem) or nil
  return draft
end

--- Makes one level.
---@param draft Draft        the first
---@param walker Walker?     of the game
---@return table? level      nil when the changes are used up
---@return string? problem   why there is no level
function maker.make(aim, draft, walker)
  local best, nearest, problem = nil, math.huge, "the generator made none"
  local left, limit = aim.changes, aim.steps or steps
  while left > 0 do
    left = left - 1
    problem = draft.problem or problem
    if draft.level then
      local changes = aim.game.vary and math.min(limit, left) or 0
      local found, off, used = anneal(aim, draft.level, draft.random, draft.options, changes)
      if off == 0 then return found end
      if off < nearest then best, nearest = found, off end
      left, limit = left - used, 2 * limit
    end
    if left > 0 then
      draft = maker.draft(aim, draft.random)
      if walker then
        walker:enter(draft)
        walker:run()
      end
    end
  end
  return nil, best and shortfall(aim, best) or problem
end

return maker
