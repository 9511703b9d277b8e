--- crux compare: several rules side by side, on the same folds.
local fault = require "crux.fault"
local inputs = require "crux.cli.inputs"
local json = require "crux.json"
local output = require "crux.output"
local scores = require "crux.cli.scores"

--- The rules of the command line, and the path of the data, which comes last.
local function rules_of(args)
  local path = table.remove(args.inputs)
  local rules = {}
  for _, rule in ipairs(args.inputs) do table.insert(rules, inputs.rule(rule, args)) end
  for _, text in ipairs(args.formula) do table.insert(rules, inputs.formula(text, args)) end
  if #rules == 0 then fault.raise("expected at least one rule (RULE or --formula) and DATA, the dataset, last", 2) end
  return rules, path
end

--- What all rules agree on in a field; a fault when they do not. Rules that leave the field out agree with any.
local function common(rules, field, called, option)
  local value
  for _, rule in ipairs(rules) do
    if rule[field] and value and rule[field] ~= value then
      fault.raise(("found rules with different %s ('%s' and '%s'), expected the same; choose with %s"):format(called, value,
        rule[field], option))
    end
    value = value or rule[field]
  end
  return value
end

local function run(args)
  local rules, path = rules_of(args)
  local target = common(rules, "predicts", "targets", "--target")
  local weights = common(rules, "weights", "weights", "--weights")
  local data = inputs.data(path, args)
  local evaluations = scores.evaluate(rules, data, args, weights)
  local rows = {}
  for i, rule in ipairs(rules) do
    local formula = evaluations[i].formula
    rows[i] = scores.row({ rule = rule.name, terms = formula and #formula.terms }, evaluations[i].errors)
  end
  rows[#rows + 1] = scores.row({ rule = "baseline", terms = 1, baseline = true }, evaluations[1].baseline)
  local by = weights and "weighted_mae" or "mae"
  table.sort(rows, function(a, b)
    if a[by] ~= b[by] then return a[by] < b[by] end
    return a.rule < b.rule
  end)
  local listed, baseline = {}, nil
  for _, row in ipairs(rows) do
    if row.baseline then
      baseline = json.object(scores.pairs({}, row))
    else
      table.insert(listed, json.object(scores.pairs({ { "rule", row.rule }, { "terms", row.terms } }, row)))
    end
  end
  local format = output.format(args.format, args.output, "table")
  output.report(args.output, format, {
    json = json.object { { "target", target }, { "weights", weights }, { "n", evaluations[1].n }, { "folds", args.folds },
      { "rules", listed }, { "baseline", baseline } },
    tables = { { columns = scores.columns({ { key = "rule" }, { key = "terms" } }, format, weights ~= nil),
      rows = rows } },
    notes = { ("Errors of predicting %s for %d levels in %d folds, best first by %s%s."):format(target, evaluations[1].n,
      args.folds, by, weights and ("; weights: %s"):format(weights) or "") },
  })
end

return {
  details = "Cross-validates several rules on the same levels and folds and prints their errors side by side, best first, "
    .. "with the mean baseline. Levels that one of the rules cannot rate are left out for all. The case weights are those "
    .. "that the rules name, for every rule.",
  arguments = {
    { name = "inputs", args = "+", doc = "Rule scripts or names of crux's own rules, and, last, the dataset." },
  },
  options = {
    { flags = "--formula", value = "FORMULA", repeated = true, doc = "A formula to compare, too; may be given again." },
    "folds", "shuffle", "seed",
    { flags = "--as-is", doc = "Judge stored coefficients instead of refitting." },
    "weights", "target", "tolerance", "with", "delimiter", "output", "format",
  },
  examples = {
    "crux compare rules/lazors.lua rules/lazors-original.lua datasets/lazors.csv",
    "crux compare --formula 'difficulty ~ size' --formula 'difficulty ~ log(size)' datasets/flow.csv",
  },
  run = run,
}
