--- The task sample: levels chosen from a pool, stratified by measures and spread in rating.
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local level_writer = require "crux.game.level_writer"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local range = require "crux.base.range"
local ranges = require "crux.option.ranges"
local rated_levels = require "crux.task.shared.rated_levels"
local sampling = require "crux.order.sampling"

--- Reads 'size=25,36,49' as a measure and ranges.
---@return Layers?
local function layers_of(text, flag)
  local measure, values = text:match "^%s*([%w_]+)%s*=%s*(.+)$"
  local found = lists.map(convert.names(values or ""), function(value) return range.read(value) or false end)
  if #found > 0 and not lists.contains(found, false) then return { measure = measure, ranges = found } end
  return convert.refuse(text, flag, "MEASURE=RANGE,RANGE,..., such as 'size=25,36,49' or 'moves=3..5,6..10'")
end

local function run(args)
  if args.rating and not args.rule then fault.raise("found --rating without --rule, expected both", 2) end
  local game, rule = rated_levels.load(args)
  for _, layers in ipairs(args.by) do ranges.check_measure(game, layers.measure, "--by") end
  local pool, finish = rated_levels.of(game, rule, args, lists.field(args.by, "measure"))
  local chosen, problems = sampling.choose(pool, { count = args.count, by = args.by, rating = args.rating, seed = args.seed })
  for _, line in ipairs(problems) do args.say(line) end
  local levels = lists.map(chosen, function(level) return level_writer.of(level.entry, game.files) end)
  return { levels = levels, level_format = game.files, finish = function()
    finish()
    if #chosen < args.count then
      fault.raise(("%s of %s not found"):format(number.count(args.count - #chosen), number.count(args.count, "level")))
    end
  end }
end

return {
  summary = "Choose levels from a pool.",
  details = "Chooses levels from level files at random: the same number for each value of the measures of --by, and, with "
    .. "--rule, evenly spread over the ratings.",
  arguments = { arguments.levels },
  options = examination.options {
    { flags = "--count", value = "N", convert = convert.integer(1), default = "10", doc = "The number of levels to choose" },
    { flags = "--by", value = "MEASURE=RANGE,...", convert = layers_of, repeated = true,
      doc = "Choose the same number for each of these values or ranges; given again, for each combination." },
    { flags = "--rule", value = "RULE", doc = "Spread the levels evenly over their ratings by this rule." },
    { flags = "--rating", value = "RANGE", convert = ranges.one, doc = "Only levels with such ratings: 2..8, >=8 or <=2." },
    { flags = "--measured", value = "FILE.csv",
      doc = "Take the levels' measures from this dataset, which crux measure wrote." },
    { flags = "--seed", value = "N", convert = convert.integer(0), default = "1", doc = "Seed of the random numbers" },
    "game",
  },
  examples = {
    "crux sample datasets/levels/flow --rule flow --count 8 --by 'size=25,36,49,64' -o chosen.txt",
    "crux sample datasets/levels/move --rule move --rating 2..5 --count 5",
    "crux sample datasets/levels/flow --measured datasets/flow.csv --rule flow --rating 3..4 --count 5",
  },
  writes_levels = function(args) return args.count end,
  run = run,
}
