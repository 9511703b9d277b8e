--- The levels of a command line with their measures and, by --rule, their ratings.
local dataset = require "crux.data.dataset"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local vector = require "libcrux.vector"

local rated_levels = {}

---@class RatedLevel
---@field name string
---@field entry LevelText
---@field row table<string, number>   measures
---@field rating number?

--- Adds the ratings; leaves out levels without one.
local function rate(rule, list, measures, say)
  local vectors = {}
  for _, name in ipairs(measures) do
    vectors[name] = vector.of(lists.map(list, function(level) return level.row[name] or 0 / 0 end))
  end
  local names = lists.field(list)
  local data = dataset.of_vectors("levels", lists.concat({ "level" }, measures), vectors, #list, names)
  local wanted = rule:measures(data)
  local block = data:blocks { numbers = wanted, measures = wanted, texts = rule:texts(data), levels = true }()
  local ratings = rule:rate(block)
  for i, level in ipairs(list) do
    if ratings[i] == ratings[i] then
      level.rating = ratings[i]
    else
      say(levels.at(level.entry, rule:unrated(block, i)))
    end
  end
  return lists.select(list, function(level) return level.rating end)
end

--- Loads the game and the rule of a command line.
---@return Game
---@return Rule?
function rated_levels.load(args)
  local rule = args.rule and inputs.rule(args.rule, args)
  local name = args.game or rule and rule.game
  if not name then fault.raise("expected --game GAME, or --rule with a rule that names its game", 2) end
  return games.load(name), rule
end

--- Reads, measures and rates levels.
---@param game Game
---@param rule Rule?
---@param args table          with `levels`, and examination.options
---@param further string[]?   measures besides those of the rule
---@return RatedLevel[]
---@return fun()              to call when all output is written, as examination.run returns it
function rated_levels.of(game, rule, args, further)
  local list, measures = {}, lists.union(rule and game:needed_by(rule) or {}, further or {})
  local finish = examination.run(game, args, { measures = measures }, function(finding, entry)
    table.insert(list, { name = finding.level, entry = entry, row = finding.row })
  end)
  if rule and #list > 0 then list = rate(rule, list, measures, args.say) end
  return list, finish
end

return rated_levels
