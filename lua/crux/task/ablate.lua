--- The task ablate: finds the subset of the measures that best predicts levels that it has not seen.
local arguments = require "crux.option.arguments"
local ablation = require "crux.judge.ablation"
local grammar = require "crux.formula.grammar"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local shared = require "crux.task.shared.ablation"

--- The errors in the test part, in the order of reports.
local errors = { "n", "mse", "rmse", "mae", "median_squared_error", "max_squared_error", "overestimates", "underestimates" }

--- The errors in the test part as JSON, null without one.
local function errors_json(found, differences)
  if not found then return json.null end
  local fields = lists.map(errors, function(key) return { key, found[key] } end)
  if differences then
    local bins = lists.map(ablation.histogram(differences), function(row)
      return json.object { { "error", row.error }, { "count", row.count } }
    end)
    table.insert(fields, { "histogram", bins })
  end
  return json.object(fields)
end

local function terms_of(subset) return { "(intercept)", table.unpack(subset.measures) } end

local function to_json(study, args)
  local subsets, best, verdict = {}, study.subsets[1], study.verdict
  for i, subset in ipairs(study.subsets) do
    subsets[i] = json.object { { "measures", subset.measures }, { "terms", subset.terms }, { "mse", subset.mse } }
  end
  return json.object {
    { "target", args.target }, { "metric", args.metric }, { "n", study.n }, { "n_train", study.train.rows },
    { "n_test", study.n - study.train.rows }, { "folds", args.folds }, { "repeats", study.repeats },
    { "top", args.top }, { "subsets", subsets },
    { "share", json.by_name(study.shares, study.measures) },
    { "baseline", json.object { { "mse", study.baseline }, { "test", errors_json(verdict.baseline) } } },
    { "best", json.object { { "measures", best.measures }, { "weights", json.by_name(verdict.weights, terms_of(best)) },
      { "test", errors_json(verdict.test, verdict.differences) } } },
  }
end

local function subset_table(study, args)
  local rows = {}
  for i = 1, math.min(args.top, #study.subsets) do
    local subset = study.subsets[i]
    local names = lists.map(subset.measures, grammar.name)
    rows[i] = { measures = table.concat(names, " + "), terms = subset.terms, mse = subset.mse }
  end
  table.insert(rows, { measures = "baseline", terms = 1, mse = study.baseline })
  return { columns = { { key = "mse" }, { key = "terms" }, { key = "measures" } }, rows = rows }
end

local function share_table(study, args)
  local rows = lists.map(study.measures, function(measure) return { measure = measure, share = study.shares[measure] } end)
  return { title = ("Share of the best %d that use a measure"):format(math.min(args.top, #study.subsets)),
    columns = { { key = "measure" }, { key = "share" } }, rows = rows }
end

local function weight_table(study)
  local rows = {}
  for i, term in ipairs(terms_of(study.subsets[1])) do rows[i] = { term = term, weight = study.verdict.weights[term] } end
  return { title = "Weights of the best, fitted to the whole training part", columns = { { key = "term" }, { key = "weight" } },
    rows = rows }
end

--- Errors in the test part: figures and histogram.
local function add_test_tables(report, verdict)
  local columns, rows = { { key = "rule" } }, { { rule = "best" }, { rule = "baseline" } }
  for i, key in ipairs(errors) do
    columns[i + 1] = { key = key }
    rows[1][key], rows[2][key] = verdict.test[key], verdict.baseline[key]
  end
  table.insert(report.tables, { title = "Errors in the test part", columns = columns, rows = rows })
  table.insert(report.tables, { title = "Levels of the test part by the error of the best, true minus predicted",
    columns = { { key = "error" }, { key = "count" }, { key = "share" }, { key = "bar" } },
    rows = ablation.histogram(verdict.differences) })
end

local function run(args)
  local study = shared.study(args.data, args)
  local report = { value = study, json = to_json(study, args), tables = { subset_table(study, args) } }
  for _, made in ipairs { share_table(study, args), weight_table(study) } do table.insert(report.tables, made) end
  if study.test then add_test_tables(report, study.verdict) end
  report.notes = { ("Mean squared errors of predicting %s for %s%s in %s, best first, of %s of %s."):format(args.target,
    number.count(study.train.rows, "level"), study.test and (" of %d"):format(study.n) or "", study.folds,
    number.count((1 << #study.measures) - 1, "subset"), number.count(#study.measures, "measure")) }
  return report
end

return {
  summary = "Find the measures that predict best.",
  details = "Sets a test part of the levels aside and fits every subset of the measures, with an intercept, to the others in "
    .. "cross-validation. Prints the subsets of the smallest mean squared errors, the share of them that use each measure, and "
    .. "how far the best, fitted to all other levels, is off in the test part, against the baseline, the mean. Measures are "
    .. "the columns of numbers but known targets (difficulty, scaled, time, moves_used, enjoyment), solved and skipped. CSV "
    .. "has the first table; JSON lists the best 4,095 subsets, or --top if that is more.",
  arguments = { arguments.data },
  options = shared.options,
  examples = {
    "crux ablate datasets/move.csv",
    "crux ablate datasets/lazors.csv --target time --measures size,mirrors --test-share 0",
  },
  run = run,
}
