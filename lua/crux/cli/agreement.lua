--- crux agreement: how far the players of a study agree on each level.
local agreement = require "crux.data.agreement"
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local fault = require "crux.base.fault"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"

local columns = { { key = "level" }, { key = "disagree" }, { key = "neutral" }, { key = "agree" }, { key = "agreement" } }

local function run(args)
  local scale = args.scale or { 1, 2 * args.threshold - 1 }
  if args.threshold <= scale[1] or args.threshold >= scale[2] then
    fault.raise(("--threshold: found %s, expected a number inside the scale, which is %s..%s"):format(
      number.exact(args.threshold), number.exact(scale[1]), number.exact(scale[2])), 2)
  end
  local data = inputs.study(args.study, args)
  local found = agreement.of(data, args.column, args.threshold, scale)
  local levels, left_out = {}, #found.levels - found.n
  for i, row in ipairs(found.levels) do
    local fields = {}
    for j, column in ipairs(columns) do fields[j] = { column.key, row[column.key] } end
    levels[i] = json.object(fields)
  end
  output.report(args.output, output.format(args.format, args.output, "table"), {
    json = json.object { { "column", args.column }, { "threshold", args.threshold }, { "n", found.n },
      { "agreement", found.agreement }, { "left_out", left_out }, { "levels", levels } },
    tables = { { columns = columns, rows = found.levels } },
    notes = { ("Agreement on %s: %.1f%%, the mean of %s%s"):format(args.column, 100 * found.agreement,
      number.count(found.n, "level"), left_out > 0 and ("; %s left out: neutral ratings alone"):format(
        number.count(left_out, "level")) or "") },
  })
end

return {
  details = "Counts the ratings of each level that lie below, at and above a neutral one. A level's agreement is the larger of "
    .. "those below and above over their sum; a level with neutral ratings alone has none. The mean of all levels is the "
    .. "agreement of the study.",
  arguments = { arguments.study },
  options = {
    { flags = "--column", value = "COLUMN", default = "rating", doc = "The ratings" },
    { flags = "--threshold", value = "RATING", convert = convert.number "--threshold", default = "4",
      doc = "The neutral rating" },
    { flags = "--scale", value = "LOW..HIGH", convert = convert.range "--scale",
      doc = "The lowest and highest rating, others are refused; unless given, 1 and as far above the neutral one." },
    "delimiter", "output", "format",
  },
  examples = { "crux agreement study.csv", "crux agreement study.csv --column rating --threshold 5.5 --scale 1..10" },
  run = run,
}
