--- The task evaluate: the errors of a rule on levels that it has not seen.
local accuracy = require "crux.stats.accuracy"
local arguments = require "crux.option.arguments"
local calibration = require "crux.judge.calibration"
local comparison = require "crux.judge.comparison"
local convert = require "crux.option.convert"
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local validation = require "crux.task.shared.validation"

local max_columns = 20 -- folds with a column of coefficients each, without repeats

--- Coefficients in formula order; aliased ones are null.
local function to_object(formula, coefficients)
  local fields = {}
  for i, term in ipairs(coefficients and formula and formula.terms or {}) do
    fields[i] = { term.name, coefficients[term.name] }
  end
  return json.object(fields)
end

--- Means and standard deviations of the coefficients over the folds, by term; absent for a term that is aliased in all of them.
local function summary_of(evaluation, formula)
  local means, deviations = {}, {}
  for _, term in ipairs(formula and formula.terms or {}) do
    local count, sum, square = 0, 0, 0
    for _, fold in ipairs(evaluation.folds) do
      local value = fold.coefficients and fold.coefficients[term.name]
      if value then
        local step = value - sum / math.max(count, 1)
        count, sum = count + 1, sum + value
        square = square + step * (value - sum / count)
      end
    end
    means[term.name], deviations[term.name] = count > 0 and sum / count or nil, math.sqrt(square / (count - 1))
  end
  return means, deviations
end

---@param matrix table?   of confusion_table
local function to_json(evaluation, rule, formula, chosen, confusion, matrix)
  local folds = {}
  for i, fold in ipairs(evaluation.folds) do
    local fields = { { "fold", fold.fold }, { "n_train", fold.n_train }, { "n_test", fold.n_test },
      { "coefficients", to_object(formula, fold.coefficients) } }
    if fold.time then table.insert(fields, 1, { "repeat", fold.time }) end
    folds[i] = json.object(validation.pairs(fields, fold.errors, chosen))
  end
  local refitted = not evaluation.calibration and formula or nil
  local written = refitted or rule.formula
  local calibrated = evaluation.calibration or not refitted and "none" or nil
  local fields = validation.pairs({ { "rule", rule.name }, { "formula", written and written.text },
    { "refitted", refitted ~= nil }, { "calibration", calibrated }, { "target", rule.predicts }, { "weights", rule.weights },
    { "n", evaluation.n }, { "folds", folds }, { "folds_left_out", (crossval.gaps(evaluation)) },
    { "coefficients", to_object(formula, (summary_of(evaluation, formula))) } }, evaluation.errors, chosen)
  table.insert(fields, { "std_errors", json.object(validation.pairs({}, comparison.errors(evaluation), chosen)) })
  table.insert(fields, { "baseline", json.object(validation.pairs({}, evaluation.baseline, chosen)) })
  if confusion then
    table.insert(fields, { "class_accuracy", confusion.accuracy })
    table.insert(fields, { "most_frequent", confusion.most_frequent })
    table.insert(fields, { "confusion", json.objects(matrix.columns, matrix.rows) })
  end
  return json.object(fields)
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

--- The coefficients of each fold and their mean; of many folds, or of repeats, their means and standard deviations.
local function coefficient_table(evaluation, formula)
  local means, deviations = summary_of(evaluation, formula)
  local is_long = evaluation.times or #evaluation.folds > max_columns
  local columns, rows = { { key = "term" } }, {}
  for _, fold in ipairs(is_long and {} or evaluation.folds) do table.insert(columns, { key = "fold " .. fold.fold }) end
  table.insert(columns, { key = "mean" })
  if is_long then table.insert(columns, { key = "deviation" }) end
  for i, term in ipairs(formula.terms) do
    rows[i] = { term = term.name, mean = means[term.name], deviation = deviations[term.name] }
    for _, fold in ipairs(evaluation.folds) do
      rows[i]["fold " .. fold.fold] = fold.coefficients and fold.coefficients[term.name]
    end
  end
  return { title = is_long and "Coefficients over the folds" or "Coefficients", columns = columns, rows = rows }
end

local function confusion_table(confusion)
  local columns, rows = { { key = "rated" } }, {}
  for i, category in ipairs(confusion.categories) do
    local counts = confusion.counts[category] or {}
    columns[i + 1], rows[i] = { key = number.exact(category) }, { rated = category }
    for _, class in ipairs(confusion.categories) do rows[i][number.exact(class)] = counts[class] or 0 end
  end
  return { title = "Ratings of each category (rows) by the category that was predicted (columns)", columns = columns,
    rows = rows }
end

local function run(args)
  if args.fit and args.as_is then fault.raise("found --fit and --as-is, expected one of them", 2) end
  local rule, path = inputs.rule_and_path(args)
  if args.fit then rule:fittable() end
  local data = inputs.data(path, args)
  local chosen, has_details = validation.chosen(args.measures)
  if not chosen then has_details = args.details end
  local evaluations, frame, assigned = validation.evaluate({ rule }, data, args, rule.weights,
    { details = has_details, predictions = args.predictions, levels = args.predictions })
  local evaluation = evaluations[1]
  evaluation.levels = frame.levels
  local kind = evaluation.calibration
  local formula = kind ~= "monotone" and evaluation.formula or nil -- a monotone function has no coefficients
  local confusion = evaluation.classes and accuracy.confusion(frame.target, frame.weights, evaluation.classes)
  local matrix = confusion and confusion_table(confusion)
  local report = { value = evaluation, json = to_json(evaluation, rule, formula, chosen, confusion, matrix),
    tables = { validation.error_table(evaluation, rule, chosen) } }
  local many = (#assigned > 1 or args.group) and (" in %s"):format(crossval.folds_text(assigned, args.group)) or ""
  report.notes = { ("%s: errors of predicting %s%s%s%s; baseline: the mean of the other folds"):format(rule.name,
    rule.predicts, many, formula and not kind and ", refitted in every fold"
    or kind and ", as the rule stands" or ", as the rule stands, not calibrated",
    rule.weights and (", weighted by %s"):format(rule.weights) or "") }
  if kind then table.insert(report.notes, calibration.sentence(kind, rule, evaluation)) end
  table.insert(report.notes, standard_errors(evaluation, formats.shown(report.tables[1].columns)))
  if formula then table.insert(report.tables, coefficient_table(evaluation, formula)) end
  if confusion then
    table.insert(report.notes, ("Class accuracy: %.4f; share of the most frequent category: %.4f"):format(confusion.accuracy,
      confusion.most_frequent))
    table.insert(report.tables, matrix)
  end
  return report
end

return {
  summary = "Cross-validate a rule.",
  details = "Refits the formula of a rule in every fold and prints how far the predictions of the levels that were left out "
    .. "are from the target: per fold, over all levels, and for the baseline that predicts the mean of the other folds. A rule "
    .. "whose formula is a Lua function is judged as it stands, or tuned in every fold if it has params. The values for poly "
    .. "and factor are computed from the other folds, too; a level with a value of a factor that these lack is predicted by "
    .. "their mean, and that is said. A fold for which the rule cannot be fitted to the others is left out, and that is said. "
    .. "Ratings of a rule made for another target or scale are calibrated (--calibrate). Of the fit ordinal, also the share of "
    .. "levels whose category is predicted (the one of the greatest probability), and how often each was predicted for each. "
    .. "Standard errors are over the folds of all repeats, as 'crux help compare' says; CSV and JSON have more statistics.",
  arguments = arguments.rule_and_data,
  options = { "folds", "repeats", "folds_by", "seed", "loo", "group",
    { flags = "--statistics", alias = "--measures", value = "NAME,...", convert = convert.names,
      doc = "Compute and print these only, such as mae,rmse,tau." },
    "as_is", "calibrate", "formula", "fit", "weights", "target", "target_falls", "tolerance", "unconverged", "with",
    "delimiter", "output", "format" },
  examples = {
    "crux evaluate rules/flow.lua datasets/flow.csv",
    "crux evaluate flow datasets/flow.csv --folds 10 --repeats 20",
    "crux evaluate --formula 'difficulty ~ size' --folds-by order levels.csv",
  },
  run = run,
}
