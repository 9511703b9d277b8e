--- What a worker does to make levels: from the name, stream and wishes of each task to its text.
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local maker = require "crux.game.maker"
local random = require "libcrux.random"
local walk = require "crux.game.walk"

---@class Production            what all levels have in common
---@field game string           path or name of the script
---@field options table         of the generator
---@field seed integer
---@field attempts integer      changes to try for a level
---@field vary string[]?         inputs: variations of the levels in them, in place of what the generator gives
---@field measures string[]     what to measure of each level
---@field limits SolveOptions

---@class Task
---@field name string
---@field stream integer
---@field wanted table<string, Wish>?   by measure

---@class Product
---@field name string
---@field text string?          nil when no level was found
---@field reason string?        then
---@field row table<string, number>
---@field untraced string?      why it was walked in Lua

--- Levels that are made together live long: to look for garbage among them as often as usual takes a tenth of the time.
collectgarbage("setpause", 1000)

--- Everything that a task asks of the level: what it wants and what the game requires.
local function wishes_of(self, wanted)
  local wishes = {}
  for measure, value in pairs(self.requires) do wishes[measure] = { value = value, tolerance = 0.25 } end
  for measure, wish in pairs(wanted) do wishes[measure] = wish end
  return wishes
end

--- The generator's options with those that the wishes call for; or nil and why no level has such measures.
local function options_of(self, given, wishes)
  local options, values = {}, {}
  for name, value in pairs(given) do options[name] = value end
  if not self.options_for then return options end
  for measure, wish in pairs(wishes) do values[measure] = wish.value end
  local function meets(measure, value) return maker.meets(value, wishes[measure]) end
  local called_for, reason = fault.guard(self.path, self.options_for, values, meets)
  if type(called_for) ~= "table" then return nil, type(reason) == "string" and reason or "no options lead to them" end
  for name, value in next, called_for do options[name] = value end
  return options
end

--- Changes of a level that is varied.
local most_changes <const> = 8

--- A generator that varies given levels: one of them at random, changed in some details.
---@param self Game
---@param inputs string[]
local function generator_of(self, inputs)
  local given = {}
  for i, entry in ipairs(self:expect_entries(inputs)) do given[i] = self:level(entry) end
  return function(rng, options)
    local level = given[rng:integer(1, #given)]
    for _ = 1, rng:integer(1, most_changes) do level = self.vary(level, rng, options) or level end
    return level
  end
end

---@param production Production
---@return fun(tasks: Task[]): Product[]   of tasks that are worked on together
return function(production)
  local self = game.load(production.game)
  if production.vary then self.generate, self.walk = generator_of(self, production.vary), nil end
  local measures, walker = self:choose(production.measures), self.walk and walk.new(self)

  local function order_of(wanted)
    local wishes = wishes_of(self, wanted)
    local options, reason = options_of(self, production.options, wishes)
    if not options then return nil, reason end
    return maker.order { game = self, options = options, wishes = wishes, limits = production.limits,
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
    return { name = task.name, text = self:text(level), row = (self:measure(level, measures, production.limits)),
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
