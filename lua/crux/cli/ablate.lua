--- crux ablate: which subset of the measures predicts levels best that it has not seen.
local arguments = require "crux.cli.arguments"
local ablation = require "crux.judge.ablation"
local convert = require "crux.cli.convert"
local crossval = require "crux.judge.crossval"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"
local column_kinds = require "crux.data.column_kinds"

local listed = 4095 -- subsets that JSON lists at least, if there are as many: all of 12 measures

--- The errors in the test part, in the order of reports.
local errors = { "n", "mse", "rmse", "mae", "median_squared_error", "max_squared_error", "overestimates", "underestimates" }

---@class Study
---@field data Dataset
---@field measures string[]
---@field n integer
---@field train table          frames
---@field test table?
---@field subsets Subset[]     the best
---@field shares table<string, number>
---@field baseline number      cross-validated mean squared error
---@field verdict Verdict      on the best subset

--- The best subsets, at most so many, and the error of the baseline.
local function ranked(self, folds, args, where, count)
  local mse, numbers = ablation.errors(self.train, folds, args.tolerance, where)
  return { subsets = ablation.best(mse, numbers, self.measures, count), baseline = mse[1] }
end

---@return Study
local function study(args)
  local data = inputs.data(args.data, args)
  data:expect({ args.target }, "ablate needs the target")
  local self = { data = data, measures = args.measures or column_kinds.measures(data, args.target) }
  local frames = ablation.design(data, args.target, self.measures)
  local all = inputs.telling(frames, args, frames.keep, frames)
  ablation.check_varied(all, self.measures, args.target, data.name)
  local train, test = ablation.split(all.rows, args.test_share, args.seed, data.name)
  self.n, self.train, self.test = all.rows, all:select(train), #test > 0 and all:select(test) or nil
  local where = data.name .. (self.test and ", training part" or "")
  local folds = crossval.folds(#train, args.folds, args.shuffle and args.seed or nil, where)
  local function rank() return ranked(self, folds, args, where, math.max(args.top, listed)) end
  local found = args.journal and args.journal:result("study", rank) or rank()
  self.baseline, self.subsets = found.baseline, found.subsets
  self.shares = ablation.shares(self.subsets, self.measures, args.top)
  self.verdict = ablation.judge(self.subsets[1], self.train, self.test, { target = args.target, tolerance = args.tolerance,
    where = where })
  return self
end

--- The errors in the test part as JSON, null without one.
local function errors_json(found, differences)
  if not found then return json.null end
  local fields = {}
  for i, key in ipairs(errors) do fields[i] = { key, found[key] } end
  if differences then
    local bins = {}
    for i, row in ipairs(ablation.histogram(differences)) do
      bins[i] = json.object { { "error", row.error }, { "count", row.count } }
    end
    table.insert(fields, { "histogram", bins })
  end
  return json.object(fields)
end

local function terms_of(subset) return { "(intercept)", table.unpack(subset.measures) } end

local function to_json(self, args)
  local subsets, best, verdict = {}, self.subsets[1], self.verdict
  for i, subset in ipairs(self.subsets) do
    subsets[i] = json.object { { "measures", subset.measures }, { "terms", subset.terms }, { "mse", subset.mse } }
  end
  return json.object {
    { "target", args.target }, { "metric", args.metric }, { "n", self.n }, { "n_train", self.train.rows },
    { "n_test", self.n - self.train.rows }, { "folds", args.folds }, { "top", args.top }, { "subsets", subsets },
    { "share", json.by_name(self.shares, self.measures) },
    { "baseline", json.object { { "mse", self.baseline }, { "test", errors_json(verdict.baseline) } } },
    { "best", json.object { { "measures", best.measures }, { "weights", json.by_name(verdict.weights, terms_of(best)) },
      { "test", errors_json(verdict.test, verdict.differences) } } },
  }
end

local function subset_table(self, args)
  local rows = {}
  for i = 1, math.min(args.top, #self.subsets) do
    local subset = self.subsets[i]
    rows[i] = { measures = table.concat(subset.measures, " + "), terms = subset.terms, mse = subset.mse }
  end
  table.insert(rows, { measures = "baseline", terms = 1, mse = self.baseline })
  return { columns = { { key = "mse" }, { key = "terms" }, { key = "measures" } }, rows = rows }
end

local function share_table(self, args)
  local rows = {}
  for i, measure in ipairs(self.measures) do rows[i] = { measure = measure, share = self.shares[measure] } end
  return { title = ("Share of the best %d that use a measure"):format(math.min(args.top, #self.subsets)),
    columns = { { key = "measure" }, { key = "share" } }, rows = rows }
end

local function weight_table(self)
  local rows = {}
  for i, term in ipairs(terms_of(self.subsets[1])) do rows[i] = { term = term, weight = self.verdict.weights[term] } end
  return { title = "Weights of the best, fitted to the whole training part", columns = { { key = "term" }, { key = "weight" } },
    rows = rows }
end

--- Errors in the test part: figures and histogram.
local function add_test_tables(tables, verdict)
  local columns, rows = { { key = "rule" } }, { { rule = "best" }, { rule = "baseline" } }
  for i, key in ipairs(errors) do
    columns[i + 1] = { key = key }
    rows[1][key], rows[2][key] = verdict.test[key], verdict.baseline[key]
  end
  table.insert(tables, { title = "Errors in the test part", columns = columns, rows = rows })
  table.insert(tables, { title = "Levels of the test part by the error of the best, true minus predicted",
    columns = { { key = "error" }, { key = "count" }, { key = "share" }, { key = "bar" } },
    rows = ablation.histogram(verdict.differences) })
end

local function run(args)
  local format = output.format(args.format, args.output, "table")
  local self = study(args)
  local report = { json = format == "json" and to_json(self, args), tables = { subset_table(self, args) } }
  for _, made in ipairs { share_table(self, args), weight_table(self) } do table.insert(report.tables, made) end
  if self.test then add_test_tables(report.tables, self.verdict) end
  report.notes = { ("Mean squared errors of predicting %s for %s%s in %d folds, best first, of %s of %s."):format(args.target,
    number.count(self.train.rows, "level"), self.test and (" of %d"):format(self.n) or "", args.folds,
    number.count((1 << #self.measures) - 1, "subset"), number.count(#self.measures, "measure")) }
  output.report(args.output, format, report)
end

return {
  details = "Sets a test part of the levels aside and fits every subset of the measures, with an intercept, to the others in "
    .. "cross-validation. Prints the subsets of the smallest mean squared errors, the share of them that use each measure, and "
    .. "how far the best, fitted to all other levels, is off in the test part, against the baseline, the mean. Measures are "
    .. "the columns of numbers but known targets (difficulty, scaled, time, moves_used, enjoyment), solved and skipped. CSV "
    .. "has the first table; JSON lists the best 4,095 subsets, or --top if that is more.",
  arguments = { arguments.data },
  options = {
    { flags = "--target", value = "COLUMN", default = "difficulty", doc = "What to predict" },
    { flags = "--measures", value = "NAME,...", convert = convert.names, doc = "The measures, at most 20." },
    "folds",
    { flags = "--top", value = "N", convert = convert.integer("--top", 1), default = "10", doc = "How many subsets to print" },
    { flags = "--test-share", value = "SHARE", convert = convert.share "--test-share", default = "0.2",
      doc = "How much of the levels is set aside, drawn by --seed; with 0 nothing is" },
    { flags = "--metric", value = "METRIC", choices = { "mse" }, default = "mse", doc = "What makes a subset good" },
    "shuffle",
    { flags = "--seed", value = "N", convert = convert.integer("--seed", 0), default = "1",
      doc = "Seed of the test part and of --shuffle" },
    "tolerance", "with", "delimiter", "output", "format", "resume",
  },
  examples = {
    "crux ablate datasets/move.csv",
    "crux ablate datasets/lazors.csv --target time --measures size,mirrors --test-share 0",
  },
  study = study,
  run = run,
}
