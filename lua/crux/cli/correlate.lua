--- crux correlate: correlations of measures with targets.
local tables = require "crux.out.tables"
local formats = require "crux.out.formats"
local arguments = require "crux.cli.arguments"
local correlations = require "crux.judge.correlations"
local inputs = require "crux.cli.inputs"
local options = require "crux.cli.options"

local function run(args)
  local data = inputs.data(args.data, args)
  local rows = correlations.of(data, args)
  inputs.report_unmatched(data, args)
  local shown = { { key = "x" }, { key = "y" }, { key = "n" }, { key = "pearson" },
    { key = "pearson_p", p = true }, { key = "kendall" }, { key = "kendall_p", p = true }, { key = "spearman" },
    { key = "spearman_p", p = true }, { key = "weighted_pearson" } }
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), shown, rows)
end

return {
  details = "Prints Pearson's, Kendall's (tau-b) and Spearman's correlation of each measure with each target, one row a pair, "
    .. "with the p-values of R's cor.test, and Pearson's weighted. Targets are "
    .. "the columns difficulty, scaled, time, moves_used and enjoyment, measures the other columns of numbers; the weights "
    .. "are the column solved, if there is one. Rows in which one of the two values is missing are left out of that pair.",
  arguments = { arguments.data },
  options = {
    "x", options.like("x", { flags = "--y", doc = "The targets, separated by commas." }), "weights",
    "with", "delimiter", "output", "format",
  },
  examples = { "crux correlate datasets/move.csv", "crux correlate --x size,corners --y difficulty datasets/flow.csv" },
  run = run,
}
