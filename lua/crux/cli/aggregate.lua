--- crux aggregate: from a player study to a dataset.
local arguments = require "crux.cli.arguments"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local output = require "crux.out.output"
local study = require "crux.data.study"

local function run(args)
  local data = inputs.study(args.study, args)
  local result = study.aggregate(data, args.as, args.center)
  if result.unrated > 0 then
    output.say(("%s: %s neither rated nor skipped: counted as solved"):format(data.name, number.count(result.unrated, "row")))
  end
  for _, column in ipairs(result.dropped) do
    output.say(("%s: column '%s' left out: it is text that differs within a level"):format(data.name, column))
  end
  local columns = {}
  for i, column in ipairs(result.columns) do columns[i] = { key = column } end
  output.table(args.output, output.format(args.format, args.output, "csv"), columns, result.rows)
end

return {
  details = "Reads one row a player and level (columns player, level, rating, and if there are time, moves_used, skipped, "
    .. "tutorial) and prints one row a level: how many solved and skipped it, and means (--center median: medians) over those "
    .. "who solved it. 'scaled' is that of ratings after each player's lowest became 1 and highest 10. Further columns are kept"
    .. " where they are the same for all rows of a level, else as means or medians. Rows of a tutorial do not count.",
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
