--- The levels of a command line with their measures and, by --rule, their ratings.
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"

local rated_levels = {}

---@class RatedLevel
---@field name string
---@field entry LevelText
---@field row table<string, number>   measures
---@field rating number?

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
---@param rule Rule?
---@param args table          with `levels`, and examination.options
---@param further string[]?   measures besides those of the rule
---@return RatedLevel[]
---@return fun()              to call when all output is written, as examination.run returns it
function rated_levels.of(game, rule, args, further)
  local measures = lists.union(rule and game:needed_by(rule) or {}, further or {})
  local data, finish = examination.dataset(game, args, args.levels, measures)
  local list = lists.map(data.sources, function(source)
    return { name = source.entry.name, entry = source.entry, row = source.row }
  end)
  if not rule or not list[1] then return list, finish end
  local block = rule:blocks(data, true)()
  local ratings = rule:rate(block)
  for i, level in ipairs(list) do
    level.rating = ratings[i] == ratings[i] and ratings[i] or nil
    if not level.rating then args.say(levels.at(level.entry, rule:unrated(block, i))) end
  end
  return lists.select(list, function(level) return level.rating end), finish
end

return rated_levels
