--- Messages of the view Set: all levels with ratings and twins, levels chosen or made for a wanted curve, and saving an order.
local choice = require "crux.order.choice"
local distance = require "crux.order.distance"
local fault = require "crux.base.fault"
local level_set = require "crux.workbench.level_set"
local lists = require "crux.base.lists"
local pictures = require "crux.workbench.pictures"
local range = require "crux.base.range"
local slots = require "crux.order.slots"
local tasks = require "crux.task.shared.call"

local kinds = {}

--- Seconds for making levels, unless a message says otherwise.
local SECONDS <const> = 20

--- All levels: { levels = { { name, path, place, picture, rating, low, high, missing, problem, twin } }, problems, versions,
--- scale, falls }. `twin` is the number of the first level that is equal when it is turned, mirrored or named otherwise.
function kinds.set(engine, message)
  local rule = engine:rule(message)
  local set, problems, files = level_set.of(engine, message)
  local answer = { levels = {}, problems = problems, versions = {}, scale = rule and rule.scale, falls = rule and rule.falls }
  for path, file in pairs(files) do answer.versions[path] = file.version end
  local first_of = {}
  for i, level in ipairs(set) do
    engine:tell(i)
    local found = level_set.appraised(engine, message, level)
    answer.levels[i] = { name = level.name, path = level.path, place = level.place, picture = found.picture,
      rating = found.rating, low = found.low, high = found.high, missing = found.missing, problem = found.problem,
      twin = found.key and first_of[found.key] }
    if found.key then first_of[found.key] = first_of[found.key] or i end
  end
  return answer
end

--- The wanted ratings of a message, texts such as "2.5..3.5", as slots with empty pools.
---@return Slot[]
local function slots_of(message)
  local list = slots.of_ranges(lists.map(message.wanted, function(text)
    return range.read(text) or fault.at("wanted", fault.show(text), range.expected)
  end))
  for _, slot in ipairs(list) do slot.pool = {} end
  return list
end

--- Levels of the set for a wanted curve, as unlike each other as can be: { places }, for each wanted rating the number of a
--- level of the set, 0 where none is left. Of twins the first one counts.
function kinds.choose(engine, message)
  local wanted, seen, candidates = slots_of(message), {}, {}
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

--- New levels for wanted ratings: { levels = { { slot, name, text, rating, picture } }, remarks }.
---@param message { game: string, rule: string, wanted: string[], like: string?, seed: integer?, seconds: number? }
function kinds.make(engine, message)
  local game, made, next_level = engine:game(message), {}, 0
  local report = tasks.task("generate", { game = message.game, rule = message.rule, seed = message.seed or 1,
    like = message.like ~= "" and message.like or nil, budget = message.seconds or SECONDS,
    [#message.wanted > 1 and "curve" or "rating"] = table.concat(message.wanted, ",") },
    { watch = function(done)
      engine:tell(done)
      return true
    end })
  for slot, chosen in ipairs(report.value.filled.chosen) do
    for _ = 1, #chosen do
      next_level = next_level + 1
      local level = report.value.levels[next_level]
      made[next_level] = { slot = slot, name = level.name, text = level.text, rating = level.rating,
        picture = pictures.of(game, game:painting(game:only_level(level.text))).picture }
    end
  end
  return { levels = made, remarks = report.remarks }
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
