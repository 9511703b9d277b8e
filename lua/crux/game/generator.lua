--- Makes levels by a game's generator: a text for each task, which has a name, a stream of random numbers and wishes.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local maker = require "crux.game.maker"
local random = require "libcrux.random"
local range = require "crux.base.range"
local validation = require "crux.game.validation"
local walk = require "crux.game.walk"

local generator = {}

---@class Production            the wishes that all levels share
---@field game string           path or name of the script
---@field options table         of the generator
---@field seed integer
---@field changes integer       to try per level
---@field steps integer?        of these before the first restart
---@field measures string[]     to measure of each level
---@field vary string[]?        inputs whose levels are varied, in place of the game's generator
---@field limits SolveOptions

---@class MakingTask
---@field name string
---@field stream integer
---@field wanted table<string, Range>?   by measure

---@class Product
---@field name string
---@field text string?          nil when no level was made
---@field reason string?        why none was made
---@field row table<string, number>
---@field walked string?        why the walk was made in Lua
---@field untraced string?      why the search was made in Lua
---@field alone string?         why the program of the search can serve no other level

--- The wishes of a task and the measures that the game requires.
local function wishes_of(game, wanted)
  local wishes = {}
  for measure, value in pairs(game.requires) do
    if not game.measures[measure] then
      fault.unknown(game.path .. ": field 'requires'", "measure", measure, lists.field(game.measures))
    end
    wishes[measure] = range.around(value, 0.25)
  end
  return lists.merge(wishes, wanted)
end

--- A number for each wish with two ends, at random between them.
---@return table<string, number>
---@return boolean is_drawn   an end differs from the other
local function values_of(wishes, rng)
  local values, is_drawn = {}, false
  for _, measure in ipairs(lists.keys(wishes)) do
    local least, greatest = wishes[measure].least, wishes[measure].greatest
    if least == greatest then
      values[measure] = least
    elseif greatest - least < math.huge then
      values[measure], is_drawn = range.draw(least, greatest, rng), true
    end
  end
  return values, is_drawn
end

local draws <const> = 20 -- of numbers for wishes: no options lead to some, as to a size that is no square

--- The generator's options, changed to meet the wishes; or nil and why no level can meet them.
local function options_of(game, given, wishes, rng)
  if not game.options_for then return given end
  local function meets(measure, value) return range.holds(wishes[measure], value) end
  local options, reason
  for _ = 1, draws do
    local values, is_drawn = values_of(wishes, rng)
    options, reason = fault.guard(game.path, game.options_for, values, meets)
    if type(options) == "table" then return lists.merge(given, options) end
    if not is_drawn then break end
  end
  return nil, type(reason) == "string" and reason or "no options lead to them"
end

local change_limit <const> = 8 -- changes of a varied level

--- A generator that changes one of the given levels, chosen at random, in some details.
local function varying(game, inputs)
  local given = lists.map(game:expect_entries(inputs), function(entry) return game:level(entry) end)
  return function(rng, options)
    local level = given[rng:integer(1, #given)]
    for _ = 1, rng:integer(1, change_limit) do level = game.vary(level, rng, options) or level end
    return level
  end
end

---@class Made
---@field level table?      nil when none was made
---@field problem string?   why none was made
---@field walked string?    why the walk was made in Lua
---@field solution Solution?   the last that was found for it
---@field tried integer     levels that were measured for it

--- A function that makes levels for several tasks together.
---@return fun(tasks: MakingTask[]): Made[]
function generator.levels(production, game)
  if production.vary then game.generate, game.walk = varying(game, production.vary), nil end
  local walker = game.walk and walk.new(game)

  local function aim_of(wanted, rng)
    local wishes = wishes_of(game, wanted)
    local options, reason = options_of(game, production.options, wishes, rng)
    if not options then return nil, reason end
    return maker.aim { game = game, options = options, wishes = wishes, limits = production.limits,
      changes = production.changes, steps = production.steps }
  end

  local common, no_common = aim_of {} -- of tasks without wishes of their own

  local function draft(task)
    local aim, reason, rng = common, no_common, random.new(production.seed, task.stream)
    if task.wanted then aim, reason = aim_of(task.wanted, rng) end
    if not aim then return { problem = reason } end
    local drafted = maker.draft(aim, rng)
    drafted.aim = aim
    return drafted
  end

  local function finish(drafted)
    local aim = drafted.aim
    if not aim then return { problem = drafted.problem, tried = 0 } end
    local before = aim.tried
    local level, problem = maker.make(aim, drafted, walker)
    return { level = level, problem = problem, tried = aim.tried - before, walked = drafted.untraced,
      solution = aim.solution }
  end

  return function(tasks)
    local drafts = lists.map(tasks, draft)
    if walker then
      for _, drafted in ipairs(drafts) do walker:enter(drafted) end
      walker:run()
    end
    return lists.map(drafts, finish)
  end
end

--- A function that makes, writes and measures levels for several tasks together.
---@param game Game?   loaded from the production's path unless given
---@return fun(tasks: MakingTask[]): Product[]
function generator.new(production, game)
  game = game or games.load(production.game)
  local make, measures = generator.levels(production, game), game:choose(production.measures)
  return function(tasks)
    local products = {}
    for i, made in ipairs(make(tasks)) do
      products[i] = { name = tasks[i].name, reason = made.problem }
      if made.level then
        local row, solution, other = game:measure(made.level, measures, production.limits)
        solution = solution or other or made.solution
        local facts = solution and validation.facts(game.path, solution) or {}
        products[i] = { name = tasks[i].name, text = game:text(made.level), row = row, walked = made.walked,
          untraced = facts.untraced, alone = facts.alone }
      end
    end
    return products
  end
end

--- The most tasks that are given to the function together.
generator.most_together = 8192

--- The options of a game's generator: the given values, or the defaults.
---@param where string?   in messages about unknown options, which are ignored without it
function generator.options(game, given, where)
  local options, names = {}, lists.map(game.options, function(option) return option[1] end)
  for name in pairs(where and given or {}) do
    if not lists.contains(names, name) then fault.unknown(where, "option", name, names) end
  end
  for _, option in ipairs(game.options) do options[option[1]] = given[option[1]] or option[2] end
  return options
end

--- Iterates over tasks, each with its own stream of random numbers; the names have the game's name, the seed and a number.
---@param count integer?   unlimited unless given
---@param wanted table<string, Range>?
---@return fun(): MakingTask?
function generator.tasks(game, seed, count, wanted)
  local i = 0
  return function()
    i = i + 1
    if not count or i <= count then
      return { name = ("%s-%d-%d"):format(game.name, seed, i), stream = i - 1, wanted = wanted }
    end
  end
end

--- Iterates over lists of at most `count` tasks.
---@param tasks fun(): MakingTask?
---@return fun(): MakingTask[]?
function generator.lists(tasks, count)
  return function()
    local list = {}
    for task in tasks do
      table.insert(list, task)
      if #list == count then break end
    end
    return #list > 0 and list or nil
  end
end

return generator
