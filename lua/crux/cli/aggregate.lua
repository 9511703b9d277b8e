--- crux aggregate: makes a dataset of a player study.
local arguments = require "crux.cli.arguments"
local formats = require "crux.out.formats"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local plays = require "crux.rule.plays"
local sinks = require "crux.out.sinks"
local study = require "crux.data.study"
local tables = require "crux.out.tables"

--- Replaces the means of ratings by what the player in the middle would rate.
local function adjust(result, data, args)
  local adjusted = {}
  for _, row in ipairs(plays.levels(inputs.study_rule {}, data, inputs.plays_options(data, args))) do
    adjusted[row.level] = row.adjusted
  end
  for _, row in ipairs(result.rows) do row[args.as] = adjusted[row.level] end
end

local function run(args)
  local data = inputs.study(args.study, args)
  local result = study.aggregate(data, args.as, args.center)
  if args.adjust then adjust(result, data, args) end
  if result.unrated > 0 then
    sinks.say(("%s: %s neither rated nor skipped: counted as solved"):format(data.name, number.count(result.unrated, "row")))
  end
  for _, column in ipairs(result.dropped) do
    sinks.say(("%s: column '%s' left out: it is text that differs within a level"):format(data.name, column))
  end
  local columns = {}
  for i, column in ipairs(result.columns) do columns[i] = { key = column } end
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), columns, result.rows)
end

return {
  details = "Reads one row a player and level (columns player, level, rating, and if there are time, moves_used, skipped, "
    .. "tutorial) and prints one row a level: how many solved and skipped it, and means (--center median: medians) over those "
    .. "who solved it. 'scaled' is that of ratings after each player's lowest became 1 and highest 10. Further columns are kept"
    .. " where they are the same for all rows of a level, else as means or medians. Rows of a tutorial do not count.",
  arguments = { arguments.study },
  options = {
    { flags = "--as", value = "TARGET", default = "difficulty", doc = "What to call the mean rating" },
    { flags = "--adjust", doc = "Instead of the mean rating, what the player in the middle would rate: 'crux help levels'." },
    { flags = "--center", value = "CENTER", choices = { "mean", "median" }, default = "mean",
      doc = "What stands for the players of a level: mean or median" },
    "with", "delimiter", "output", "format",
  },
  examples = { "crux aggregate study.csv -o levels.csv", "crux aggregate study.csv --as enjoyment --center median" },
  run = run,
}
