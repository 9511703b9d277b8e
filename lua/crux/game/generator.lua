--- Makes levels by a game's generator: a text for each task, which has a name, a stream of random numbers and wishes.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local maker = require "crux.game.maker"
local random = require "libcrux.random"
local walk = require "crux.game.walk"

local generator = {}

---@class Production            the orders that all levels share
---@field game string           path or name of the script
---@field options table         of the generator
---@field seed integer
---@field attempts integer      changes to try per level
---@field measures string[]     to measure of each level
---@field vary string[]?        inputs whose levels are varied, in place of the game's generator
---@field limits SolveOptions

---@class Task
---@field name string
---@field stream integer
---@field wanted table<string, Wish>?   by measure

---@class Product
---@field name string
---@field text string?          nil when no level was made
---@field reason string?        why none was made
---@field row table<string, number>
---@field untraced string?      why the walk was made in Lua

--- The wishes of a task and the measures that the game requires.
local function wishes_of(game, wanted)
  local wishes = {}
  for measure, value in pairs(game.requires) do wishes[measure] = { value = value, tolerance = 0.25 } end
  return lists.merge(wishes, wanted)
end

--- The generator's options, changed to meet the wishes; or nil and why no level can meet them.
local function options_of(game, given, wishes)
  local values = {}
  if not game.options_for then return given end
  for measure, wish in pairs(wishes) do values[measure] = wish.value end
  local function meets(measure, value) return maker.meets(value, wishes[measure]) end
  local called_for, reason = fault.guard(game.path, game.options_for, values, meets)
  if type(called_for) ~= "table" then return nil, type(reason) == "string" and reason or "no options lead to them" end
  return lists.merge(given, called_for)
end

local change_limit <const> = 8 -- changes of a varied level

--- A generator that changes one of the given levels, chosen at random, in some details.
---@param game Game
---@param inputs string[]
local function varying(game, inputs)
  local given = {}
  for i, entry in ipairs(game:expect_entries(inputs)) do given[i] = game:level(entry) end
  return function(rng, options)
    local level = given[rng:integer(1, #given)]
    for _ = 1, rng:integer(1, change_limit) do level = game.vary(level, rng, options) or level end
    return level
  end
end

--- A function that makes levels for several tasks together.
---@param production Production
---@param game Game?   loaded from the production's path unless given
---@return fun(tasks: Task[]): Product[]
function generator.new(production, game)
  game = game or games.load(production.game)
  if production.vary then game.generate, game.walk = varying(game, production.vary), nil end
  local measures, walker = game:choose(production.measures), game.walk and walk.new(game)

  local function order_of(wanted)
    local wishes = wishes_of(game, wanted)
    local options, reason = options_of(game, production.options, wishes)
    if not options then return nil, reason end
    return maker.order { game = game, options = options, wishes = wishes, limits = production.limits,
      attempts = production.attempts }
  end

  local common, no_common = order_of {} -- of tasks without wishes of their own

  local function draft(task)
    local order, reason = common, no_common
    if task.wanted then order, reason = order_of(task.wanted) end
    if not order then return { problem = reason } end
    local drafted = maker.draft(order, random.new(production.seed, task.stream))
    drafted.order = order
    return drafted
  end

  local function product_of(task, drafted)
    if not drafted.order then return { name = task.name, reason = drafted.problem } end
    local level, problem = maker.make(drafted.order, drafted, walker)
    if not level then return { name = task.name, reason = problem } end
    return { name = task.name, text = game:text(level), row = (game:measure(level, measures, production.limits)),
      untraced = drafted.untraced }
  end

  return function(tasks)
    local drafts, products = {}, {}
    for i, task in ipairs(tasks) do
      drafts[i] = draft(task)
      if walker then walker:enter(drafts[i]) end
    end
    if walker then walker:run() end
    for i, task in ipairs(tasks) do products[i] = product_of(task, drafts[i]) end
    return products
  end
end

--- The most tasks that are given to the function together.
generator.most_together = 8192

--- The options of a game's generator: the given values, or the defaults.
---@param game Game
---@param given table
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
---@param game Game
---@param seed integer
---@param count integer?   unlimited unless given
---@param wanted table<string, Wish>?
---@return fun(): Task?
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
---@param tasks fun(): Task?
---@param count integer
---@return fun(): Task[]?
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
