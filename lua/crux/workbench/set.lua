--- Messages of the view Set: all levels with ratings and twins, levels chosen or made for a wanted curve, and saving an order.
local appraisal = require "crux.workbench.appraisal"
local choice = require "crux.order.choice"
local distance = require "crux.order.distance"
local fault = require "crux.base.fault"
local generator = require "crux.game.generator"
local level_set = require "crux.workbench.level_set"
local lists = require "crux.base.lists"
local orders = require "crux.order.order"
local pictures = require "crux.workbench.pictures"
local process = require "libcrux.process"
local range = require "crux.base.range"
local ranges = require "crux.option.ranges"
local request = require "crux.order.request"
local slots = require "crux.order.slots"
local trials = require "crux.order.trials"

local kinds = {}

--- Seconds for making levels, unless a message says otherwise, and levels to try.
local SECONDS <const>, TRIES <const> = 20, 50000

--- Seconds after which an answer with some of the levels ends: less than carriers go on with what was overtaken.
local SLICE <const> = 0.05

--- All levels: { levels = { { name, path, place, picture, rating, low, high, missing, limit, problem, twin } }, count,
--- problems, versions, scale, falls }. `limit` is the one that the search for a solution met, `twin` is the number of the
--- first level that is equal when it is turned, mirrored or named otherwise. If a message has `first`, the number of a level,
--- some levels from that on are told; `next` is the number of the first one that is left.
---@param message { first: integer? }
function kinds.set(engine, message)
  local rule = engine:rule(message)
  local set, problems, files = level_set.of(engine, message)
  local answer = { levels = {}, count = #set, problems = problems, versions = {}, scale = rule and rule.scale,
    falls = rule and rule.falls }
  for path, file in pairs(files) do answer.versions[path] = file.version end
  local first_of, first, begin = {}, message.first or 1, process.seconds()
  for i, level in ipairs(set) do
    local is_late = message.first and i > first and (engine:tell(i) or process.seconds() - begin > SLICE)
    if is_late then
      answer.next = i
      break
    end
    local key = level_set.key(engine, message, level)
    if i >= first then
      local found = level_set.appraised(engine, message, level)
      table.insert(answer.levels, { name = level.name, path = level.path, place = level.place, picture = found.picture,
        rating = found.rating, low = found.low, high = found.high, missing = found.missing, problem = found.problem,
        limit = found.facts and found.facts.limit, twin = key and first_of[key] })
    end
    if key then first_of[key] = first_of[key] or i end
  end
  return answer
end

--- The wanted ratings of a message, texts such as "2.5..3.5".
---@return Range[]
local function wanted_of(message)
  return lists.map(message.wanted, function(text)
    return range.read(text) or fault.at("wanted", fault.show(text), range.expected)
  end)
end

--- Levels of the set for a wanted curve, as unlike each other as can be: { places }, for each wanted rating the number of a
--- level of the set, 0 where none is left. Of twins the first one counts.
function kinds.choose(engine, message)
  local wanted, seen, candidates = slots.of_ranges(wanted_of(message)), {}, {}
  for _, slot in ipairs(wanted) do slot.pool = {} end
  for i, level in ipairs((level_set.of(engine, message))) do
    local found = level_set.appraised(engine, message, level)
    if found.rating and not seen[found.key] then
      seen[found.key] = true
      table.insert(candidates, { index = i, rating = found.rating, row = found.row, text = level.text })
    end
  end
  local scales = distance.scales(candidates, candidates[1] and lists.keys(candidates[1].row) or {})
  for _, level in ipairs(candidates) do
    local slot = slots.of_rating(wanted, level.rating)
    level.point = scales:point(level)
    if slot then table.insert(slot.pool, level) end
  end
  return { places = lists.map(choice.of(wanted, {}), function(list) return list[1] and list[1].index or 0 end) }
end

--- What is asked of the search for levels.
---@param message { wanted: string[], like: string?, seed: integer?, seconds: number? }   like: ranges of measures
---@return Asked
local function asked_of(game, message)
  local wanted = wanted_of(message)
  return { curve = #wanted > 1 and wanted or nil, rating = #wanted == 1 and wanted[1] or nil, count = #wanted, tries = TRIES,
    budget = message.seconds or SECONDS, seed = message.seed or 1, own = generator.options(game, {}),
    like = ranges.of_measures(game, { message.like }, "measures"), limits = appraisal.limits {} }
end

--- New levels for wanted ratings, as crux generate --rule makes them: { levels = { { slot, name, text, rating, picture } },
--- remarks }.
function kinds.make(engine, message)
  local game = engine:game(message)
  local rule = engine:rule(message) or fault.raise "expected a rule, which rates the levels"
  local asked, made, next_level, filled_slots = asked_of(game, message), {}, 0, 0
  local wanted, setup = request.read(game, rule, asked)
  setup.rule = rule
  local run = trials.new(setup, game)
  local function each(next_trial)
    return function()
      if engine:tell(filled_slots) then wanted.seconds = 0 end
      local trial = next_trial()
      if trial then return trial, run(trial) end
    end
  end
  local filled = orders.fill(game, wanted, setup.production.measures, each, function(done) filled_slots = done end)
  local levels = request.levels(game, rule, filled, asked.seed)
  for slot, chosen in ipairs(filled.chosen) do
    for _ = 1, #chosen do
      next_level = next_level + 1
      local level = levels[next_level]
      made[next_level] = { slot = slot, name = level.name, text = level.text, rating = level.rating,
        picture = pictures.of(game, game:painting(game:only_level(level.text))).picture }
    end
  end
  return { levels = made, remarks = filled.missing > 0 and request.shortfall(filled) or {} }
end

--- Writes levels in an order into a file: { write }.
---@param message { path: string, versions: table<string, string>, levels: table[] }   levels: { number } or { name, text };
---               `number` is that of a level of the set; `versions` those of the files when they were shown
function kinds.arrange(engine, message)
  local game, set, _, files = engine:game(message), level_set.of(engine, message)
  for path, version in pairs(message.versions) do
    if not files[path] or files[path].version ~= version then
      fault.at(path, "a file that changed meanwhile", "it as it was; load it again")
    end
  end
  local wanted = lists.map(message.levels, function(level) return level.number and set[level.number] or level end)
  local target = files[message.path]
  return { write = { path = message.path, text = level_set.arranged(game, target and target.text, message.path, wanted),
    version = target and target.version } }
end

return kinds
