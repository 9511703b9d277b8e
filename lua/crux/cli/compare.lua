--- crux compare: the errors of several rules on the same folds.
local lists = require "crux.base.lists"
local tables = require "crux.out.tables"
local formats = require "crux.out.formats"
local accuracy = require "crux.stats.accuracy"
local calibration = require "crux.judge.calibration"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local fits = require "crux.fit.fits"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local options = require "crux.cli.options"
local script = require "crux.script.script"
local validation = require "crux.cli.validation"

--- A rule for each fit that --fit names; one rule if the formula is a Lua function.
local function with_methods(rule, methods)
  if #methods == 0 or not rule.formula then return { rule } end
  local list = {}
  for i, method in ipairs(methods) do
    list[i] = rule:fitted_by(method)
    if list[i].fit then list[i].name = ("%s, %s"):format(rule.name, list[i].fit) end
  end
  return list
end

--- Returns true if a word names a rule, so that it is no dataset.
local function is_rule(word)
  return word:find "%.lua$" or lists.contains(script.names "rule", word) and not file_system.is_regular(word)
end

--- The rules of the command line, and the path of the data, which comes last unless --data names it.
local function rules_of(args)
  local methods = args.fit and fits.parse(args.fit, "--fit") or {}
  if args.fit and args.as_is then fault.raise("found --fit and --as-is, expected one of them", 2) end
  local path, rules = args.data or table.remove(args.inputs), {} -- nil without inputs
  local plain = setmetatable({ fit = false }, { __index = args })
  local function add(rule)
    for _, one in ipairs(with_methods(rule, methods)) do table.insert(rules, one) end
  end
  for _, text in ipairs(args.inputs) do
    add(inputs.is_formula(text) and inputs.formula(text, plain) or inputs.rule(text, plain))
  end
  for _, text in ipairs(args.formula) do add(inputs.formula(text, plain)) end
  if #rules == 0 or not path or not args.data and is_rule(path) then
    fault.raise("expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)", 2)
  end
  return rules, path
end

--- The value of a field that all rules have, or leave out. Raises a fault if two rules differ.
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

--- The rules and the baseline, best first: rule, terms, fit, calibration and the sentence about it, evaluation, and the
--- difference to the best.
local function ranking(rules, data, args, weights)
  local evaluations, frame, assigned = validation.evaluate(rules, data, args, weights,
    { details = true, alone = true })
  local mean, means = crossval.baseline(frame)
  local entries = { { rule = "baseline", terms = 1, is_baseline = true,
    evaluation = crossval.repeated(mean, means, assigned, { details = true, alone = true, where = data.name }) } }
  for i, rule in ipairs(rules) do
    local evaluation = evaluations[i]
    local kind = evaluation.calibration
    local refitted = not kind and evaluation.formula
    table.insert(entries, { rule = rule.name, terms = refitted and #refitted.terms or nil, fit = refitted and rule.fit or nil,
      calibration = kind, sentence = kind and calibration.sentence(kind, rule, evaluation), evaluation = evaluation })
  end
  local by = args.by or weights and "weighted_mae" or "mae"
  lists.sort(entries, function(entry) return accuracy.loss(entry.evaluation.errors, by) end,
    function(entry) return entry.rule end)
  for i, entry in ipairs(entries) do
    entry.std_errors = comparison.errors(entry.evaluation)
    entry.difference = i > 1 and comparison.difference(entry.evaluation, entries[1].evaluation,
      { by = by, weights = frame.weights, groups = frame.groups, draws = args.draws, seed = args.seed or 1 }) or nil
  end
  return entries, by, frame.rows, assigned
end

local of_difference = { "estimate", "std_error", "low", "high", "bootstrap_low", "bootstrap_high", "bootstrap" }

local function to_json(entry, best)
  local errors_of, difference = {}, nil
  for _, measure in ipairs(accuracy.measures) do table.insert(errors_of, { measure.key, entry.std_errors[measure.key] }) end
  if entry.difference then
    difference = { { "to", best } }
    for _, key in ipairs(of_difference) do table.insert(difference, { key, entry.difference[key] }) end
    table.insert(difference, { "differs", comparison.differs(entry.difference) })
    difference = json.object(difference)
  end
  local fields = entry.is_baseline and {} or { { "rule", entry.rule }, { "terms", entry.terms }, { "fit", entry.fit },
    { "calibration", entry.calibration } }
  validation.pairs(fields, entry.evaluation.errors)
  table.insert(fields, { "std_errors", json.object(errors_of) })
  table.insert(fields, { "difference", difference })
  if not entry.is_baseline then
    local failed, unseen = crossval.gaps(entry.evaluation)
    table.insert(fields, { "folds_left_out", failed })
    table.insert(fields, { "rows_by_mean", unseen })
  end
  return json.object(fields)
end

--- The rows of both tables: a row has all values of a rule.
local function rows_of(entries, by)
  local rows = {}
  for i, entry in ipairs(entries) do
    local row = validation.row({ rule = entry.rule, terms = entry.terms, fit = entry.fit, calibration = entry.calibration },
      entry.evaluation.errors)
    for key, value in pairs(entry.std_errors) do row[key .. "_se"] = value end
    row.se, row.difference = row[by .. "_se"], entry.difference and entry.difference.estimate
    for _, key in ipairs(of_difference) do row[key] = entry.difference and entry.difference[key] end
    rows[i] = row
  end
  return rows
end

local intervals = { { key = "difference" }, { key = "low" }, { key = "high" }, { key = "bootstrap_low" },
  { key = "bootstrap_high" } }

local function tables_of(entries, rows, by, format, weighted)
  local first = { { key = "rule" }, { key = "terms" } }
  for _, key in ipairs { "fit", "calibration" } do
    if next(lists.field(entries, key)) then table.insert(first, { key = key }) end
  end
  local columns = validation.columns(first, format, weighted, { tau = true, [by] = true })
  if formats.is_data(format) then
    for _, measure in ipairs(accuracy.measures) do table.insert(columns, { key = measure.key .. "_se" }) end
    table.move(intervals, 1, #intervals, #columns + 1, columns)
    table.insert(columns, { key = "bootstrap" })
  end
  local compared = { { key = "rule" }, { key = by }, { key = "se" } }
  for _, column in ipairs(intervals) do
    if next(lists.field(rows, column.key)) then table.insert(compared, column) end
  end
  return { { columns = columns, rows = rows }, { columns = compared, rows = rows,
    title = ("%s: standard errors, and differences to %s with 95 %% intervals"):format(by, rows[1].rule) } }
end

local function run(args)
  local rules, path = rules_of(args)
  local target = common(rules, "predicts", "targets", "--target")
  local weights = common(rules, "weights", "weights", "--weights")
  local entries, by, n, assigned = ranking(rules, inputs.data(path, args), args, weights)
  local best, listed, baseline, sentences = entries[1].rule, {}, nil, {}
  for _, entry in ipairs(entries) do
    local shown = to_json(entry, best)
    if entry.is_baseline then baseline = shown else table.insert(listed, shown) end
    if entry.difference then
      table.insert(sentences, comparison.sentence(entry.rule, best, entry.difference, by) .. ".")
    end
  end
  local format = formats.choose(args.format, args.output, "table")
  local notes = { ("Errors of predicting %s for %d levels in %s, best first by %s%s."):format(target, n,
    crossval.folds_text(assigned, args.group), by,
    weights and ("; weights: %s"):format(weights) or "") }
  for _, entry in ipairs(entries) do table.insert(notes, entry.sentence) end
  table.move(sentences, 1, #sentences, #notes + 1, notes)
  local first = entries[2].difference
  if first and first.bootstrap == "normal" then
    table.insert(notes, ("bootstrap_low and bootstrap_high are the ends of normal intervals, without draws: there are more "
      .. "than %s %s."):format(number.count(comparison.max_drawn), args.group and "groups" or "levels"))
  end
  tables.report(args.output, format, {
    json = json.object { { "target", target }, { "weights", weights }, { "n", n }, { "folds", assigned[1]:count() },
      { "repeats", #assigned }, { "group", args.group }, { "by", by }, { "rules", listed }, { "baseline", baseline },
      { "sentences", sentences } },
    tables = tables_of(entries, rows_of(entries, by), by, format, weights ~= nil), notes = notes,
  })
end

return {
  details = "Cross-validates several rules on the same levels and folds and prints their errors side by side, best first, "
    .. "with the mean baseline. Levels that one of the rules cannot rate are left out for all. A fold "
    .. "for which a rule cannot be fitted to the others is left out of the errors of that rule alone, and that is said. The "
    .. "case weights are those that the rules name, for every rule. If a rule that is not refitted was made for another target "
    .. "(predicts), or its scale falls or leaves out some values of the target, all such rules are calibrated: the target is "
    .. "fitted to their ratings by a line, without each fold (--calibrate).\n\n"
    .. "Standard errors are over the folds of all repeats, corrected for fits to "
    .. "overlapping rows (Nadeau and Bengio 2003). Two rules differ when the 95 % interval of the difference of their errors, "
    .. "by the corrected resampled t over the same folds, leaves out 0; the interval of the bootstrap, for which levels (or "
    .. "groups) are drawn anew, stands beside it for mae and weighted_mae; of more than 100,000 it is the normal interval that "
    .. "this tends to. CSV and JSON have every measure with its standard error: "
    .. "also weighted_rmse, medae, R squared, tau and Spearman's correlation of predictions and values, the slope of values "
    .. "over predictions, and the log score of fits that have a distribution.\n\nOf n rows, the folds of "
    .. "least squares share their work, and take time that grows with n, also with --loo; ranks (tau, Spearman) take n log n. "
    .. "Time that grows with the square of n take --fit order, which compares all pairs, and --loo of fits that share nothing.",
  arguments = {
    { name = "inputs", args = "*",
      doc = "Rule scripts, names of crux's own rules, or formulas such as 'y ~ a'; without --data the dataset last." },
  },
  options = {
    { flags = "--data", value = "DATA", doc = "The dataset." },
    { flags = "--formula", value = "FORMULA", repeated = true, doc = "A further formula to compare; may be given again." },
    { flags = "--fit", value = "METHOD,...", doc = "Fit every formula in each of these ways: see 'crux fit --list'." },
    "folds", "repeats", "folds_by", "seed", "loo", "group",
    options.like("draws", { default = "2000" }), "as_is", "calibrate",
    { flags = "--by", value = "MEASURE", choices = accuracy.orders,
      doc = "The measure that orders the table and is compared; weighted_mae or, without weights, mae, unless given." },
    "weights", "target", "tolerance", "unconverged", "with", "delimiter", "output", "format", "resume",
  },
  examples = {
    "crux compare rules/lazors.lua rules/lazors-original.lua datasets/lazors.csv",
    "crux compare flow 'difficulty ~ log(size)' --data datasets/flow.csv --repeats 20",
    "crux compare flow flow-solver --fit ols,wls --loo --data datasets/flow.csv",
  },
  run = run,
}
