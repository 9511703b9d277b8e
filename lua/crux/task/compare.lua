--- The task compare: the errors of several rules on the same folds.
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local accuracy = require "crux.stats.accuracy"
local calibration = require "crux.judge.calibration"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local fits = require "crux.fit.fits"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local options = require "crux.option.options"
local script = require "crux.script.script"
local validation = require "crux.task.shared.validation"

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
  local falls = #lists.select(rules, function(rule) return rule.target_falls end) > 0
  return falls and lists.map(rules, function(rule) return rule:for_falling_target() end) or rules, path
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

--- How often a rule could not be fitted, and why; nil if it could be fitted in every fold.
local function shortfall(evaluation)
  local failed = crossval.gaps(evaluation)
  if failed == 0 then return nil end
  local failure
  for _, fold in ipairs(evaluation.folds) do failure = failure or fold.failure end
  return { folds = ("%d of %d"):format(#evaluation.folds - failed, #evaluation.folds), failed = failed, failure = failure }
end

--- The entry of `--reference`, or of the baseline.
local function reference_of(entries, unranked, name)
  for i, entry in ipairs(entries) do
    if name and entry.rule == name or not name and entry.is_baseline then return i end
  end
  for _, entry in ipairs(unranked) do
    if entry.rule == name then
      fault.at("--reference", ("the rule '%s', fitted in %s folds (%s)"):format(name, entry.shortfall.folds,
        entry.shortfall.failure), "a rule that can be fitted in every fold")
    end
  end
  fault.unknown("--reference", "rule", name, lists.field(entries, "rule"), 2)
end

---@class Ranking
---@field entries table[]    the rules that were fitted in every fold, and the baseline, best first: rule, terms, fit,
---                          calibration and the sentence about it, evaluation, may_be_best, the difference to the reference
---@field unranked table[]   the other rules, with their shortfall
---@field by string
---@field n integer          levels
---@field assigned userdata[]   folds
---@field reference integer  place of the rule that differences are to

---@return Ranking
local function ranking(rules, data, args, weights)
  local evaluations, frame, assigned = validation.evaluate(rules, data, args, weights,
    { details = true, alone = true, quiet = true })
  local entries, unranked = { validation.baseline(frame, assigned, data.name, { details = true }) }, {}
  local by = args.by or weights and "weighted_mae" or "mae"
  for i, rule in ipairs(rules) do
    local evaluation = evaluations[i]
    local kind, short = evaluation.calibration, shortfall(evaluation)
    local refitted = not kind and evaluation.formula
    table.insert(short and unranked or entries, { rule = rule.name, terms = refitted and #refitted.terms or nil,
      fit = refitted and rule.fit or nil, calibration = kind or not refitted and "none" or nil,
      sentence = kind and calibration.sentence(kind, rule, evaluation), evaluation = evaluation, shortfall = short })
  end
  lists.sort(entries, function(entry) return accuracy.loss(entry.evaluation.errors, by) end,
    function(entry) return entry.rule end)
  local compared = comparison.new(lists.field(entries, "evaluation"), { by = by, weights = frame.weights, groups = frame.groups,
    draws = args.draws, seed = args.seed })
  local places, reference = {}, reference_of(entries, unranked, args.reference)
  for i, entry in ipairs(entries) do places[#places + 1] = not entry.is_baseline and i or nil end
  local set, differences = #places > 1 and compared:may_be_best(places), compared:differences_to(reference)
  for i, entry in ipairs(entries) do
    entry.std_errors, entry.difference = comparison.errors(entry.evaluation), differences[i]
    if set and not entry.is_baseline then entry.may_be_best = set[i] or false end
  end
  return { entries = entries, unranked = unranked, by = by, n = frame.rows, assigned = assigned, reference = reference }
end

local function called(entry) return (entry.is_baseline and "the " or "") .. entry.rule end

--- Sentences about the best rules and the differences to the reference.
local function sentences_of(ranked)
  local best, worse, others, differences = {}, 0, {}, {}
  for _, entry in ipairs(ranked.entries) do
    if entry.may_be_best then table.insert(best, entry.rule) end
    worse = worse + (entry.may_be_best == false and 1 or 0)
    if entry.difference then
      table.insert(others, called(entry))
      differences[#others] = entry.difference
    end
  end
  return lists.concat(#best > 0 and { comparison.best_sentence(best, worse) } or {},
    comparison.sentences(called(ranked.entries[ranked.reference]), others, differences))
end

local of_difference = { "estimate", "std_error", "low", "high" }

local function to_json(entry, reference)
  local fields = entry.is_baseline and {} or { { "rule", entry.rule }, { "terms", entry.terms }, { "fit", entry.fit },
    { "calibration", entry.calibration } }
  validation.pairs(fields, entry.evaluation.errors)
  if entry.shortfall then
    table.insert(fields, { "folds_left_out", entry.shortfall.failed })
    table.insert(fields, { "failure", entry.shortfall.failure })
    return json.object(fields)
  end
  local errors_of, difference = {}, nil
  for _, measure in ipairs(accuracy.statistics) do table.insert(errors_of, { measure.key, entry.std_errors[measure.key] }) end
  table.insert(fields, { "std_errors", json.object(errors_of) })
  if entry.difference then
    difference = { { "to", reference.rule } }
    for _, key in ipairs(of_difference) do table.insert(difference, { key, entry.difference[key] }) end
    table.insert(difference, { "differs", entry.difference.differs })
  end
  table.insert(fields, { "difference", difference and json.object(difference) })
  if not entry.is_baseline then
    table.insert(fields, { "may_be_best", entry.may_be_best })
    table.insert(fields, { "rows_by_mean", (select(2, crossval.gaps(entry.evaluation))) })
  end
  return json.object(fields)
end

--- The rows of both tables: a row has all values of a rule.
local function rows_of(ranked)
  return lists.map(ranked.entries, function(entry)
    local row = validation.row({ rule = entry.rule, terms = entry.terms, fit = entry.fit, calibration = entry.calibration,
      se = entry.std_errors[ranked.by] }, entry.evaluation.errors)
    if entry.may_be_best ~= nil then row.may_be_best = entry.may_be_best and "yes" or "no" end
    for key, value in pairs(entry.std_errors) do row[key .. "_se"] = value end
    if entry.difference then
      row.difference, row.low, row.high = entry.difference.estimate, entry.difference.low, entry.difference.high
    end
    return row
  end)
end

local function add_tables(report, ranked, weighted)
  local rows, unranked = rows_of(ranked), lists.map(ranked.unranked, function(entry)
    return { rule = entry.rule, terms = entry.terms, fit = entry.fit, folds = entry.shortfall.folds,
      failure = entry.shortfall.failure }
  end)
  local all = lists.concat(rows, unranked)
  local function columns_of(some)
    local first = lists.concat({ { key = "rule" }, { key = "terms" } }, formats.filled({ "fit", "calibration" }, some))
    return lists.concat(validation.columns(first, weighted, { tau = true, [ranked.by] = true }),
      formats.filled({ "may_be_best" }, rows))
  end
  local errors = lists.map(accuracy.statistics, function(statistic) return { key = statistic.key .. "_se" } end)
  report.data = { rows = all, columns = lists.concat(columns_of(all), errors,
    formats.columns { "difference", "low", "high" }, formats.filled({ "failure" }, all)) }
  local compared = lists.concat(formats.columns { "rule", ranked.by },
    formats.filled({ "se", "difference", "low", "high" }, rows))
  report.tables = { { columns = columns_of(rows), rows = rows } }
  if rows[1].se then
    table.insert(report.tables, { columns = compared, rows = rows,
      title = ("%s: standard errors, and differences to %s with 95 %% intervals%s"):format(ranked.by,
        called(ranked.entries[ranked.reference]), #rows > 2 and " that hold together" or "") })
  end
  if #unranked > 0 then
    table.insert(report.tables, { columns = formats.columns { "rule", "folds", "failure" }, rows = unranked,
      title = "Not ranked: rules that could not be fitted in every fold" })
  end
end

local function run(args)
  local rules, path = rules_of(args)
  local target = common(rules, "predicts", "targets", "--target")
  local weights = common(rules, "weights", "weights", "--weights")
  local data = inputs.data(path, args)
  local ranked = ranking(rules, data, args, weights)
  local reference, listed, best, baseline = ranked.entries[ranked.reference], {}, {}, nil
  local notes = { ("Errors of predicting %s for %s in %s, best first by %s%s."):format(target,
    number.count(ranked.n, data.has.player and "play" or "level"),
    crossval.folds_text(ranked.assigned, args.group), ranked.by, weights and ("; weights: %s"):format(weights) or "") }
  for _, entry in ipairs(ranked.entries) do
    if entry.is_baseline then baseline = entry else table.insert(listed, to_json(entry, reference)) end
    best[#best + 1] = entry.may_be_best and entry.rule or nil
    table.insert(notes, entry.sentence)
  end
  if accuracy.by_key[ranked.by].over_folds and not reference.std_errors[ranked.by] then
    table.insert(notes, ("No differences are shown: the mean of %s over these folds is no estimate of it."):format(ranked.by))
  end
  local sentences = sentences_of(ranked)
  local report = { value = ranked, notes = lists.concat(notes, sentences),
    json = json.object { { "target", target }, { "weights", weights }, { "n", ranked.n },
      { "folds", ranked.assigned[1]:count() }, { "repeats", #ranked.assigned }, { "group", args.group }, { "by", ranked.by },
      { "rules", listed }, { "baseline", to_json(baseline, reference) },
      { "not_ranked", lists.map(ranked.unranked, to_json) }, { "best", best }, { "sentences", sentences } } }
  add_tables(report, ranked, weights ~= nil)
  return report
end

return {
  summary = "Cross-validate rules on the same folds.",
  details = "Which rule predicts levels best that it has not seen? Each rule is refitted without a part of the levels (a "
    .. "fold), and predicts this part; all on the same folds. The table shows how far they are off on average (mae), best "
    .. "first, beside the baseline, which predicts the mean of the other levels. may_be_best marks the rules that may be the "
    .. "best: between these no difference is shown. A second table has the differences to the baseline, or to --reference "
    .. "RULE; where an interval holds 0, none is shown.\n\nThe intervals take into account that fits share levels (Nadeau and "
    .. "Bengio 2003) and how many rules there are: of rules that are all as good, some difference is shown in at most 1 of 20 "
    .. "studies. The set of the best is a model confidence set (Hansen, Lunde and Nason 2011, range test), the differences "
    .. "are Dunnett's (1955); the distribution of the largest difference is found by drawing levels (or groups) anew for mae "
    .. "and weighted_mae, up to 100,000, else bounded by Bonferroni. CSV and JSON have every measure with its standard error: "
    .. "also weighted_rmse, medae, R squared, tau and Spearman's correlation of predictions and values, the slope of values "
    .. "over predictions, and the log score of fits that have a distribution.\n\nLevels that one of the rules cannot rate are "
    .. "left out for all. A rule that cannot be fitted in every fold is not ranked: it is listed below, with what failed. The "
    .. "case weights are those that the rules name, for every rule. If a rule that is not refitted was made for another "
    .. "target (predicts), or its scale falls or leaves out some values of the target, all such rules are calibrated: the "
    .. "target is fitted to their ratings by a line, without each fold (--calibrate); else the column calibration says "
    .. "none.\n\nOf n rows, the folds of least squares share their work, and take time that grows with n, also with --loo; "
    .. "ranks (tau, Spearman) take n log n. Time that grows with the square of n take --fit order, which compares all pairs, "
    .. "and --loo of fits that share nothing.",
  arguments = {
    { name = "inputs", args = "*",
      doc = "Rule scripts, names of crux's own rules, or formulas such as 'y ~ a'; without --data the dataset last." },
  },
  options = {
    { flags = "--data", value = "DATA", doc = "The dataset." },
    { flags = "--formula", value = "FORMULA", repeated = true, doc = "A further formula to compare; may be given again." },
    { flags = "--fit", value = "METHOD,...", doc = "Fit every formula in each of these ways: see 'crux fit --list'." },
    "folds", "repeats", "folds_by", "seed", "loo", "group",
    { flags = "--reference", value = "RULE", doc = "The rule to which differences are shown; the baseline unless given." },
    options.like("draws", { default = "1000", doc = "Draws of the levels; with 0, Bonferroni's bound" }), "as_is", "calibrate",
    { flags = "--by", value = "STATISTIC", choices = accuracy.comparable,
      doc = "The statistic by which rules are sorted and compared; weighted_mae or, without weights, mae, unless given." },
    "weights", "target", "target_falls", "tolerance", "unconverged", "with", "delimiter", "output", "format", "resume",
  },
  examples = {
    "crux compare rules/lazors.lua rules/lazors-original.lua datasets/lazors.csv",
    "crux compare flow 'difficulty ~ log(size)' --data datasets/flow.csv --repeats 20",
    "crux compare flow flow-solver --fit ols,wls --loo --data datasets/flow.csv",
  },
  run = run,
}
