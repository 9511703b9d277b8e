--- crux correlate: how measures and targets go together.
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local correlation = require "crux.stats.correlation"
local fault = require "crux.base.fault"
local inputs = require "crux.cli.inputs"
local output = require "crux.out.output"
local column_kinds = require "crux.data.column_kinds"

--- The columns in memory: name -> list.
local function read(data, numbers, weights)
  local columns = {}
  for _, name in ipairs(numbers) do columns[name] = {} end
  for block in data:blocks { numbers = numbers } do
    if weights then block:check_weights(weights) end
    for name, values in pairs(columns) do
      local vector = block.numbers[name]
      for row = 1, block.rows do table.insert(values, vector[row]) end
    end
  end
  return columns
end

--- The rows in which all the lists have a number.
local function complete(...)
  local lists, chosen = { ... }, {}
  for i in ipairs(lists) do chosen[i] = {} end
  for row = 1, #lists[1] do
    local whole = true
    for _, list in ipairs(lists) do whole = whole and list[row] == list[row] end
    for i, list in ipairs(whole and lists or {}) do table.insert(chosen[i], list[row]) end
  end
  return table.unpack(chosen)
end

local function pair(columns, x, y, weights)
  local chosen_x, chosen_y = complete(columns[x], columns[y])
  local row = { x = x, y = y, n = #chosen_x, pearson = correlation.pearson(chosen_x, chosen_y) }
  row.pearson_p = correlation.pearson_p(row.pearson, row.n)
  row.kendall, row.kendall_p = correlation.kendall(chosen_x, chosen_y)
  row.spearman, row.spearman_p = correlation.spearman(chosen_x, chosen_y)
  if weights then row.weighted_pearson = correlation.pearson(complete(columns[x], columns[y], columns[weights])) end
  return row
end

--- A row for each pair of a measure and a target, those of a target together.
---@return table[] rows
---@return string[] measures
---@return string[] targets
local function pairs_of(args)
  local data = inputs.data(args.data, args)
  local weights = args.weights or data.has.solved and "solved" or nil
  local numbers, guesses = { weights }, {}
  for _, list in ipairs { args.x or {}, args.y or {} } do table.move(list, 1, #list, #numbers + 1, numbers) end
  data:expect(numbers, "correlate needs the column")
  local asked = {}
  for _, name in ipairs(numbers) do asked[name] = true end
  for _, name in ipairs(data.columns) do
    local wanted = column_kinds.is_target(name) and not args.y or column_kinds.may_be_measure(name) and not args.x
    if wanted and not asked[name] then table.insert(guesses, name) end
  end
  local xs, ys = args.x or {}, args.y or {}
  for _, name in ipairs(data:numeric(guesses)) do
    table.insert(column_kinds.is_target(name) and ys or xs, name)
    table.insert(numbers, name)
  end
  local columns = read(data, numbers, weights)
  inputs.tell_unmatched(data, args)
  if #xs == 0 or #ys == 0 then
    local hint = data:delimiter_hint()
    fault.raise(("%s: found no column that is a %s, expected --%s COLUMN,...%s"):format(data.name,
      #xs == 0 and "measure" or "target", #xs == 0 and "x" or "y", hint and "; " .. hint or ""))
  end
  local rows = {}
  for _, y in ipairs(ys) do
    for _, x in ipairs(xs) do table.insert(rows, pair(columns, x, y, weights)) end
  end
  return rows, xs, ys
end

local function run(args)
  local shown = { { key = "x" }, { key = "y" }, { key = "n" }, { key = "pearson" },
    { key = "pearson_p", p = true }, { key = "kendall" }, { key = "kendall_p", p = true }, { key = "spearman" },
    { key = "spearman_p", p = true }, { key = "weighted_pearson" } }
  output.table(args.output, output.format(args.format, args.output, "csv"), shown, (pairs_of(args)))
end

return {
  details = "Prints Pearson's, Kendall's (tau-b) and Spearman's correlation of each measure with each target, one row a pair, "
    .. "with the p-values of R's cor.test, and Pearson's weighted. Targets are "
    .. "the columns difficulty, scaled, time, moves_used and enjoyment, measures the other columns of numbers; the weights "
    .. "are the column solved, if there is one. Rows in which one of the two values is missing are left out of that pair.",
  arguments = { arguments.data },
  options = {
    { flags = "--x", value = "COLUMNS", convert = convert.names, doc = "The measures, separated by commas." },
    { flags = "--y", value = "COLUMNS", convert = convert.names, doc = "The targets, separated by commas." },
    "weights", "with", "delimiter", "output", "format",
  },
  examples = { "crux correlate datasets/move.csv", "crux correlate --x size,corners --y difficulty datasets/flow.csv" },
  pairs_of = pairs_of,
  run = run,
}
