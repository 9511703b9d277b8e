--- crux evaluate: how well a rule predicts levels that it has not seen.
local arguments = require "crux.cli.arguments"
local inputs = require "crux.cli.inputs"
local json = require "crux.json"
local output = require "crux.output"
local scores = require "crux.cli.scores"

--- Coefficients in formula order; aliased ones are null.
local function coefficients(formula, report)
  local fields = {}
  for i, term in ipairs(formula and formula.terms or {}) do fields[i] = { term.name, report.coefficients[term.name] } end
  return json.object(fields)
end

local function to_json(evaluation, rule, formula)
  local folds = {}
  for i, fold in ipairs(evaluation.folds) do
    folds[i] = json.object(scores.pairs({ { "fold", fold.fold }, { "n_train", fold.n_train }, { "n_test", fold.n_test },
      { "coefficients", coefficients(formula, fold) } }, fold.errors))
  end
  local written = formula or rule.formula
  local fields = scores.pairs({ { "rule", rule.name }, { "formula", written and written.text },
    { "refitted", formula ~= nil }, { "target", rule.predicts }, { "weights", rule.weights }, { "n", evaluation.n },
    { "folds", folds } }, evaluation.errors)
  table.insert(fields, { "baseline", json.object(scores.pairs({}, evaluation.baseline)) })
  return json.object(fields)
end

local function error_table(evaluation, rule, format)
  local columns = scores.columns({ { key = "fold" }, { key = "n_train" }, { key = "n_test" } }, format,
    rule.weights ~= nil)
  local rows = {}
  for i, fold in ipairs(evaluation.folds) do
    rows[i] = scores.row({ fold = tostring(fold.fold), n_train = fold.n_train, n_test = fold.n_test }, fold.errors)
  end
  table.insert(rows, scores.row({ fold = "all", n_test = evaluation.n }, evaluation.errors))
  table.insert(rows, scores.row({ fold = "baseline", n_test = evaluation.n }, evaluation.baseline))
  return { columns = columns, rows = rows }
end

local function coefficient_table(evaluation, formula)
  local columns, rows = { { key = "term" } }, {}
  for i, term in ipairs(formula.terms) do
    rows[i] = { term = term.name }
    for _, fold in ipairs(evaluation.folds) do rows[i]["fold " .. fold.fold] = fold.coefficients[term.name] end
  end
  for _, fold in ipairs(evaluation.folds) do table.insert(columns, { key = "fold " .. fold.fold }) end
  return { title = "Coefficients", columns = columns, rows = rows }
end

local function run(args)
  local rule, path = inputs.rule_and_path(args)
  local data = inputs.data(path, args)
  local evaluation = scores.evaluate({ rule }, data, args, rule.weights)[1]
  local formula = evaluation.formula
  local format = output.format(args.format, args.output, "table")
  local report = { json = to_json(evaluation, rule, formula), tables = { error_table(evaluation, rule, format) } }
  report.notes = { ("%s: errors of predicting %s%s%s; baseline: the mean of the other folds"):format(rule.name, rule.predicts,
    formula and ", refitted in every fold" or ", as the rule stands",
    rule.weights and (", weighted by %s"):format(rule.weights) or "") }
  if formula then table.insert(report.tables, coefficient_table(evaluation, formula)) end
  output.report(args.output, format, report)
end

return {
  details = "Refits the formula of a rule in every fold and prints how far the predictions of the levels that were left out "
    .. "are from the target: per fold, over all levels, and for the baseline that predicts the mean of the other folds. "
    .. "A rule whose formula is a Lua function is judged as it stands.",
  arguments = arguments.rule_and_data,
  options = { "folds", "shuffle", "seed",
    { flags = "--as-is", doc = "Judge the stored coefficients instead of refitting." },
    "formula", "fit", "weights", "target", "tolerance", "unconverged", "with", "delimiter", "output", "format" },
  examples = {
    "crux evaluate rules/flow.lua datasets/flow.csv",
    "crux evaluate --formula 'difficulty ~ size' --folds 10 --shuffle --seed 7 levels.csv",
  },
  run = run,
}
