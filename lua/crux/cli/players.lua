--- crux players: how able the players of a study are.
local arguments = require "crux.option.arguments"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local plays = require "crux.rule.plays"
local tables = require "crux.out.tables"

local function run(args)
  local rule = inputs.study_rule(args)
  local data = inputs.plays(args.data, rule, args)
  local rows, columns = plays.players(rule, data, inputs.plays_options(data, args))
  for i, key in ipairs(columns) do columns[i] = { key = key } end
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), columns, rows)
end

return {
  details = "Prints for each player of a study how much easier than for the player in the middle levels are, on the scale of "
    .. "the rule's formula (of logistic rules the logit of solving), and its standard error; few plays leave it near 0. A rule "
    .. "without coefficients is fitted to the study; a fitted one takes its numbers as they are, so that new players are "
    .. "estimated from their plays alone (empirical Bayes). Effects of slopes have columns of their own. Rows of "
    .. "levels that the player left count as in 'crux help levels'.",
  arguments = { arguments.plays, arguments.study_rule },
  options = { "formula", "fit", "errors", "weights", "target", "target_falls", "with", "delimiter", "rename", "output",
    "format" },
  examples = {
    "crux players study.csv",
    "crux players study.csv --formula 'log(time) ~ 1 + (1 | player) + (1 | level)' -o players.csv",
  },
  run = run,
}
