--- crux aggregate: makes a dataset of a player study.
local arguments = require "crux.cli.arguments"
local formats = require "crux.out.formats"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local sinks = require "crux.out.sinks"
local study = require "crux.data.study"
local tables = require "crux.out.tables"

local function run(args)
  local data = inputs.study(args.study, args)
  local result = study.aggregate(data, args.as, args.center)
  if result.unrated > 0 then
    sinks.say(("%s: %s neither rated nor skipped: counted as solved"):format(data.name, number.count(result.unrated, "row")))
  end
  for _, column in ipairs(result.dropped) do
    sinks.say(("%s: column '%s' left out: it is text that differs within a level"):format(data.name, column))
  end
  local means, ranges = study.ratios(result.rows, args.as)
  if means then
    sinks.say(("%s: scaled ratings of levels have %.2f times the mean and %.2f times the range of the others"):format(data.name,
      means, ranges))
  end
  local columns = {}
  for i, column in ipairs(result.columns) do columns[i] = { key = column } end
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), columns, result.rows)
end

return {
  details = "Reads one row a player and level (columns player, level, rating, and if there are time, moves_used, skipped, "
    .. "tutorial) and prints one row a level: how many solved and skipped it, and means (--center median: medians) over those "
    .. "who solved it. 'scaled' is that of ratings after each player's lowest became 1 and highest 10. Further columns are kept"
    .. " where they are the same for all rows of a level, else as means or medians. Rows of a tutorial do not count. "
    .. "How many times the mean and the range of scaled ratings are those of the others is said on standard error.",
  arguments = { arguments.study },
  options = {
    { flags = "--as", value = "TARGET", default = "difficulty", doc = "What to call the mean rating" },
    { flags = "--center", value = "CENTER", choices = { "mean", "median" }, default = "mean",
      doc = "What stands for the players of a level: mean or median" },
    "with", "delimiter", "output", "format",
  },
  examples = { "crux aggregate study.csv -o levels.csv", "crux aggregate study.csv --as enjoyment --center median" },
  run = run,
}
