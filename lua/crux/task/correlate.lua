--- The task correlate: correlations of measures with targets.
local correlations = require "crux.judge.correlations"
local fault = require "crux.base.fault"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local options = require "crux.option.options"
local study_data = require "crux.task.shared.study_data"

--- The columns of plays that are targets unless --y names others.
local targets = { "rating", "scaled", "enjoyment", "time", "moves_used" }

local function correlate(args)
  if args.plays then
    local data = study_data.solved(args.data, args)
    local y = args.y or lists.select(targets, function(column) return data.has[column] end)
    return data, correlations.of(data, lists.merge(args, { y = y, by_level = true }))
  end
  if args.data[2] then
    fault.raise(("found '%s' behind the dataset, expected nothing, or --plays"):format(args.data[2]), 2)
  end
  local data = inputs.data(args.data[1], args)
  return data, correlations.of(data, args)
end

local function run(args)
  local data, rows = correlate(args)
  inputs.report_unmatched(data, args)
  local shown = { { key = "x" }, { key = "y" }, { key = "n" }, { key = "pearson" },
    { key = "pearson_p", p = true }, { key = "kendall" }, { key = "kendall_p", p = true }, { key = "spearman" },
    { key = "spearman_p", p = true }, { key = "weighted_pearson" } }
  return { value = rows, tables = { { columns = shown, rows = rows } } }
end

return {
  summary = "Correlate measures with ratings.",
  details = "Prints Pearson's, Kendall's (tau-b) and Spearman's correlation of each measure with each target, one row a pair, "
    .. "with the p-values of R's cor.test, and Pearson's weighted. Targets are "
    .. "the columns difficulty, scaled, time, moves_used and enjoyment, measures the other columns of numbers; the weights "
    .. "are the column solved, if there is one. Rows in which one of the two values is missing are left out of that pair.\n\n"
    .. "With --plays DATA are files of plays (see 'crux help aggregate'), to which --with joins the measures of the levels, "
    .. "and the targets ratings, times and moves of single plays that solved a level, without those of a tutorial. The "
    .. "p-values come from 1999 permutations of the measures among the levels, as plays of a level are not independent (the "
    .. "smallest is 0.0005); a measure that differs within a level has none.",
  arguments = { { name = "data", args = "+",
    doc = "The dataset, a CSV file with one row a level, or - for standard input; with --plays, files of plays." } },
  options = {
    "x", options.like("x", { flags = "--y", doc = "The targets, separated by commas." }), "weights",
    { flags = "--plays", doc = "Correlate over single plays." }, "with", "delimiter", "output", "format",
  },
  format = "csv",
  examples = { "crux correlate datasets/move.csv", "crux correlate --x size,corners --y difficulty datasets/flow.csv",
    "crux correlate --plays study.csv --with measures.csv" },
  run = run,
}
