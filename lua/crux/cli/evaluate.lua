--- crux evaluate: how well a rule predicts levels that it has not seen.
local arguments = require "crux.cli.arguments"
local comparison = require "crux.judge.comparison"
local fault = require "crux.base.fault"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"
local scores = require "crux.cli.scores"

local most_shown = 20 -- folds whose coefficients stand side by side, unless there are repeats

--- Coefficients in formula order; aliased ones are null.
local function coefficients(formula, report)
  local fields = {}
  for i, term in ipairs(formula and formula.terms or {}) do fields[i] = { term.name, report.coefficients[term.name] } end
  return json.object(fields)
end

local function to_json(evaluation, rule, formula)
  local folds = {}
  for i, fold in ipairs(evaluation.folds) do
    local fields = { { "fold", fold.fold }, { "n_train", fold.n_train }, { "n_test", fold.n_test },
      { "coefficients", coefficients(formula, fold) } }
    if fold.time then table.insert(fields, 1, { "repeat", fold.time }) end
    folds[i] = json.object(scores.pairs(fields, fold.errors))
  end
  local written = formula or rule.formula
  local fields = scores.pairs({ { "rule", rule.name }, { "formula", written and written.text },
    { "refitted", formula ~= nil }, { "target", rule.predicts }, { "weights", rule.weights }, { "n", evaluation.n },
    { "folds", folds } }, evaluation.errors)
  table.insert(fields, { "std_errors", json.object(scores.pairs({}, comparison.errors(evaluation))) })
  table.insert(fields, { "baseline", json.object(scores.pairs({}, evaluation.baseline)) })
  return json.object(fields)
end

--- A row for each fold, or of repeats for each time; for all; and for the baseline.
local function error_table(evaluation, rule, format)
  local columns = scores.columns({ { key = "fold" }, { key = "n_train" }, { key = "n_test" } }, format,
    rule.weights ~= nil)
  local rows = {}
  for i, errors in ipairs(evaluation.times or {}) do
    rows[i] = scores.row({ fold = "repeat " .. i, n_test = evaluation.n }, errors)
  end
  for i, fold in ipairs(evaluation.times and {} or evaluation.folds) do
    rows[i] = scores.row({ fold = tostring(fold.fold), n_train = fold.n_train, n_test = fold.n_test }, fold.errors)
  end
  table.insert(rows, scores.row({ fold = "all", n_test = evaluation.n }, evaluation.errors))
  table.insert(rows, scores.row({ fold = "baseline", n_test = evaluation.n }, evaluation.baseline))
  return { columns = columns, rows = rows }
end

--- The standard errors of the measures in a table, as a line.
local function standard_errors(evaluation, columns)
  local found, words = comparison.errors(evaluation), {}
  for _, column in ipairs(columns) do
    local value = found[column.key]
    if value then table.insert(words, ("%s %s"):format(column.key, number.rounder { value } (value))) end
  end
  return "Standard errors over the folds: " .. table.concat(words, ", ")
end

--- The coefficients of many folds, or of repeats: their means and standard deviations.
local function coefficient_summary(evaluation, formula)
  local rows = {}
  for i, term in ipairs(formula.terms) do
    local count, sum, square = 0, 0, 0
    for _, fold in ipairs(evaluation.folds) do
      local value = fold.coefficients[term.name]
      if value then
        local step = value - sum / math.max(count, 1)
        count, sum = count + 1, sum + value
        square = square + step * (value - sum / count)
      end
    end
    rows[i] = { term = term.name, mean = sum / count, deviation = math.sqrt(square / (count - 1)) }
  end
  return { title = "Coefficients over the folds", columns = { { key = "term" }, { key = "mean" }, { key = "deviation" } },
    rows = rows }
end

local function coefficient_table(evaluation, formula)
  if evaluation.times or #evaluation.folds > most_shown then return coefficient_summary(evaluation, formula) end
  local columns, rows = { { key = "term" } }, {}
  for i, term in ipairs(formula.terms) do
    rows[i] = { term = term.name }
    for _, fold in ipairs(evaluation.folds) do rows[i]["fold " .. fold.fold] = fold.coefficients[term.name] end
  end
  for _, fold in ipairs(evaluation.folds) do table.insert(columns, { key = "fold " .. fold.fold }) end
  return { title = "Coefficients", columns = columns, rows = rows }
end

local function run(args)
  if args.fit and args.as_is then fault.raise("found --fit and --as-is, expected one of them", 2) end
  local rule, path = inputs.rule_and_path(args)
  if args.fit then rule:fittable() end
  local data = inputs.data(path, args)
  local format = output.format(args.format, args.output, "table")
  local evaluations, _, assigned = scores.evaluate({ rule }, data, args, rule.weights, { details = format == "json"
    or output.is_data(format) }) -- ranks take longer than the rest where there are millions of rows
  local evaluation = evaluations[1]
  local formula = evaluation.formula
  local report = { json = to_json(evaluation, rule, formula), tables = { error_table(evaluation, rule, format) } }
  local many = (#assigned > 1 or args.group) and (" in %s"):format(scores.folds_text(assigned, args)) or ""
  report.notes = { ("%s: errors of predicting %s%s%s%s; baseline: the mean of the other folds"):format(rule.name,
    rule.predicts, many, formula and ", refitted in every fold" or ", as the rule stands",
    rule.weights and (", weighted by %s"):format(rule.weights) or "") }
  table.insert(report.notes, standard_errors(evaluation, report.tables[1].columns))
  if formula then table.insert(report.tables, coefficient_table(evaluation, formula)) end
  output.report(args.output, format, report)
end

return {
  details = "Refits the formula of a rule in every fold and prints how far the predictions of the levels that were left out "
    .. "are from the target: per fold, over all levels, and for the baseline that predicts the mean of the other folds. "
    .. "A rule whose formula is a Lua function is judged as it stands, or tuned in every fold if it has params. Standard "
    .. "errors are over the folds of all repeats, as 'crux help compare' says; CSV and JSON have more measures.",
  arguments = arguments.rule_and_data,
  options = { "folds", "repeats", "shuffle", "seed", "loo", "group",
    { flags = "--as-is", doc = "Judge the stored coefficients instead of refitting." },
    "formula", "fit", "weights", "target", "tolerance", "unconverged", "with", "delimiter", "output", "format" },
  examples = {
    "crux evaluate rules/flow.lua datasets/flow.csv",
    "crux evaluate flow datasets/flow.csv --folds 10 --repeats 20 --seed 1",
    "crux evaluate --formula 'difficulty ~ size' --folds 10 --shuffle --seed 7 levels.csv",
  },
  error_table = error_table,
  run = run,
}
