--- A task of one's own: which columns of a dataset do some measures predict?
---
---     crux examples/targets.lua datasets/flow.csv --measures size,corners
---
--- `run` gets the values of its arguments and options, and the answers to its calls so far. It returns either calls of other
--- tasks, whose answers it needs, or its tables.
local function calls(args)
  local list = {}
  for i, target in ipairs(args.targets) do
    local formula = ("%s ~ %s"):format(target, table.concat(args.measures, " + "))
    list[i] = { "evaluate", { formula = formula, data = args.data, folds = args.folds } }
  end
  return list
end

return crux.task {
  summary = "Tell which targets some measures predict.",
  details = "Fits a formula of the measures to each target and prints how far it is off on levels that it has not seen (mae), "
    .. "and the share of the error of the mean, the baseline, that it takes away.",
  arguments = { { name = "data", doc = "The dataset, a CSV file with one row a level." } },
  options = {
    { name = "measures", type = "names", default = "size", doc = "The measures, separated by commas" },
    { name = "targets", type = "names", default = "difficulty,time", doc = "The targets, separated by commas" },
    { name = "folds", type = "integer", least = 2, default = 5, doc = "Number of folds" },
  },
  examples = { "crux examples/targets.lua datasets/flow.csv --measures size,corners" },
  run = function(args, answers)
    if #answers == 0 then return { calls = calls(args) } end
    local rows = {}
    for i, target in ipairs(args.targets) do
      local mae, baseline = answers[i].result.mae, answers[i].result.baseline.mae
      rows[i] = { target = target, mae = mae, baseline = baseline, share = 1 - mae / baseline }
    end
    return { tables = { { columns = { "target", "mae", "baseline", "share" }, rows = rows } } }
  end,
}
