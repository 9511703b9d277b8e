--- crux select: which terms make the formula that predicts best, and what choosing them is worth.
local accuracy = require "crux.stats.accuracy"
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local fits = require "crux.fit.fits"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"
local column_kinds = require "crux.data.column_kinds"
local rules = require "crux.rule.rule"
local scores = require "crux.cli.scores"
local selection = require "crux.judge.selection"
local system = require "libcrux.system"

--- The transforms in `log,sqrt`, as a set.
local function transforms(text)
  local names, known, set = {}, {}, {}
  for i, row in ipairs(selection.transforms) do names[i], known[row.name] = row.name, true end
  for _, name in ipairs(convert.names(text)) do
    if not known[name] then
      return nil, ("--transforms: found '%s', expected some of %s"):format(name, table.concat(names, ", "))
    end
    set[name] = true
  end
  return set
end

---@class Selected
---@field frame Kept
---@field space Space
---@field chosen Choice
---@field rows Choice[]
---@field honest Honest
---@field rule Rule            with the chosen formula
---@field fitted Fitted        to all rows

---@return Selected
local function choose(args)
  local data = inputs.data(args.data, args)
  data:expect({ args.target }, "select needs the target")
  local measures = args.measures or column_kinds.measures(data, args.target, args.weights)
  local self, known = {}, nil
  self.space, self.frame = selection.space(data, measures, { target = args.target, weights = args.weights,
    transforms = args.transforms or {}, interactions = args.interactions },
    function(frames)
      local kept = inputs.telling(frames, args, frames.keep, frames)
      known = frames.ranges
      return kept
    end)
  local search = { by = args.by, method = args.method, folds = args.folds, most = args.max_terms, keep = args.top,
    seed = args.seed or args.repeats > 1 and 1 or nil, where = data.name, tolerance = args.tolerance }
  self.chosen, self.rows = selection.choose(self.frame, self.space, search)
  self.honest = selection.honest(self.frame, self.space, self.chosen, search, args.repeats)
  local model, places = selection.model(self.space, self.chosen.set)
  self.rule = rules.from_formula(model.text, args.weights)
  self.fitted = fits.default():solve { formula = self.rule.formula, frames = self.frame:pick(places), where = data.name,
    tolerance = args.tolerance }
  if args.output then
    local remark = ("Chosen by crux %s select --by %s --method %s from %s, and fitted to %s of %s."):format(system.version,
      args.by, args.method, number.count(#self.space.names, "candidate"), number.count(self.frame.rows, "row"), data.name)
    local name = args.output:match "([^/]*)$":gsub("%.lua$", "")
    local ranges = {} -- of the chosen measures
    for _, measure in ipairs(self.fitted.formula:numbers()) do ranges[measure] = known[measure] end
    output.save(args.output, self.rule:fitted(self.fitted):with({ name = name, ranges = ranges }):script(remark))
  end
  return self
end

local function names_of(self, choice)
  local names = {}
  for i, candidate in ipairs(choice.set) do names[i] = self.space.names[candidate] end
  return names
end

--- The best subsets, or the steps.
local function choice_table(self, key)
  local rows, has_steps = {}, self.rows[#self.rows].change ~= nil
  for i, choice in ipairs(self.rows) do
    rows[i] = { [key] = choice.value, terms = #choice.set + 1, step = choice.change or "start",
      formula = selection.model(self.space, choice.set).text:match "~ (.*)$" }
  end
  local columns = { { key = key }, { key = "terms" }, { key = "formula" } }
  if has_steps then table.insert(columns, 1, { key = "step" }) end
  return { columns = columns, rows = rows }
end

--- The errors of the procedure beside those of the chosen formula and of the mean; only the usual ones.
local function error_table(self, args)
  local usual, rows = { mae = true, relative_percent = true, rmse = true, weighted_mae = args.weights ~= nil,
    weighted_relative_percent = args.weights ~= nil }, {}
  for _, measure in ipairs(accuracy.measures) do
    local key, honest = measure.key, self.honest
    if usual[key] then
      table.insert(rows, { error = key, nested = honest.nested[key], spread = honest.spread[key], naive = honest.naive[key],
        baseline = honest.baseline[key] })
    end
  end
  local columns = { { key = "error" }, { key = "nested" }, { key = "naive" }, { key = "baseline" } }
  if args.repeats > 1 then table.insert(columns, 3, { key = "spread" }) end
  return { title = "Errors of levels left out: nested, of terms chosen anew without them; naive, of the chosen formula; "
    .. "baseline, of the mean", columns = columns, rows = rows }
end

local function share_table(self, args)
  local rows = {}
  for _, name in ipairs(self.space.names) do
    local share = self.honest.shares[name]
    if share > 0 then table.insert(rows, { term = name, share = share }) end
  end
  table.sort(rows, function(a, b) return a.share > b.share or a.share == b.share and a.term < b.term end)
  return { title = ("How many of the %s without a fold have a term"):format(number.count(args.repeats * args.folds, "choice")),
    columns = { { key = "term" }, { key = "share" } }, rows = rows }
end

local function notes(self, args)
  local how = { best = "the best subset", forward = "steps forward", backward = "steps backward", lasso = "the lasso's path" }
  local lines = { ("Chosen: %s"):format(self.fitted.formula.text), ("By %s, %s of %s, %s%s; %d folds%s."):format(
    selection.criteria[args.by].doc, how[args.method], number.count(#self.space.names, "candidate term"),
    number.count(self.frame.rows, "level"), args.weights and (" weighted by %s"):format(args.weights) or "", args.folds,
    args.repeats > 1 and (", %d times"):format(args.repeats) or "") }
  for _, line in ipairs(self.space.dropped) do table.insert(lines, "No candidate: " .. line) end
  return lines
end

local function to_json(self, args)
  local rows, terms, honest = {}, {}, self.honest
  for i, choice in ipairs(self.rows) do
    rows[i] = json.object { { "step", choice.change }, { "terms", names_of(self, choice) }, { "value", choice.value } }
  end
  for i, term in ipairs(self.fitted.formula.terms) do terms[i] = term.name end
  local fields = { { "formula", self.fitted.formula.text }, { "target", args.target }, { "weights", args.weights },
    { "n", self.frame.rows }, { "by", args.by }, { "method", args.method }, { "folds", args.folds },
    { "repeats", args.repeats }, { "candidates", self.space.names }, { "dropped", self.space.dropped },
    { "value", self.chosen.value }, { "coefficients", json.by_name(self.fitted.coefficients, terms) }, { "choices", rows } }
  for _, key in ipairs { "nested", "spread", "naive", "baseline" } do
    table.insert(fields, { key, json.object(scores.pairs({}, honest[key])) })
  end
  table.insert(fields, { "shares", json.by_name(honest.shares, self.space.names) })
  return json.object(fields)
end

local function run(args)
  local format = output.format(args.format, nil, "table")
  local self = choose(args)
  local key = selection.criteria[args.by].doc
  output.report(nil, format, { json = format == "json" and to_json(self, args), notes = notes(self, args),
    tables = { choice_table(self, key), error_table(self, args), share_table(self, args),
      { title = "Coefficients", columns = { { key = "term" }, { key = "estimate" }, { key = "std_error" } },
        rows = self.fitted.terms } } })
end

local criteria = { "cv", "aic", "bic", "mallows" }

return {
  details = "Chooses among the measures, and what --transforms and --interactions make of them, the terms of the least-squares "
    .. "formula that is best by a criterion: cv, the mean squared error in cross-validation, weighted; aic and bic as R's "
    .. "step prints them; mallows, Cp with the full model's variance. --method best tries every subset, up to 2^20 of them;"
    .. " forward begins with the intercept and adds the term that helps most as long as one helps; backward begins with all"
    .. " and drops; lasso tries the sets of terms along the lasso's path, refitted. A product a:b stands only beside a and "
    .. "b. Then the whole procedure is judged: terms are chosen anew without each fold, and predict it (nested); beside "
    .. "that stands the naive error, of the chosen formula refitted without each fold, which is too good as the choice has "
    .. "seen it, and the baseline's, the mean. Folds are contiguous unless there is a --seed or --repeats. Measures that "
    .. "are the same in all levels are left out, and logarithms and roots of values that have none. CSV has the first "
    .. "table.",
  arguments = { arguments.data },
  options = {
    { flags = "--target", value = "COLUMN", default = "difficulty", doc = "What to predict" },
    "weights",
    { flags = "--by", value = "CRITERION", choices = criteria, default = "cv", doc = "cv, aic, bic or mallows" },
    { flags = "--method", value = "METHOD", choices = selection.methods, default = "best",
      doc = "best, forward, backward or lasso" },
    { flags = "--measures", value = "NAME,...", convert = convert.names,
      doc = "The measures; all columns of numbers that are no targets unless given." },
    { flags = "--transforms", value = "NAME,...", convert = transforms, doc = "Also their log, sqrt, square." },
    { flags = "--interactions", doc = "Also the products of two measures." },
    { flags = "--max-terms", value = "N", convert = convert.integer("--max-terms", 1),
      doc = "At most so many terms beside the intercept." },
    { flags = "--top", value = "N", convert = convert.integer("--top", 1), default = "5",
      doc = "How many of the best subsets to print" },
    "folds",
    { flags = "--repeats", value = "R", convert = convert.integer("--repeats", 1), default = "1",
      doc = "Judge the procedure so many times, in other folds, and print the means" },
    { flags = "--seed", value = "N", convert = convert.integer("--seed", 0),
      doc = "Seed of the first folds, the next ones of the repeats; 1 unless given." },
    { flags = "-o", alias = "--output", value = "RULE.lua", doc = "Write the chosen rule, fitted, to this file." },
    "tolerance", "with", "delimiter", "format",
  },
  examples = {
    "crux select datasets/flow.csv --weights solved",
    "crux select datasets/lazors.csv --weights solved --transforms log --by bic -o mine.lua",
  },
  prepare = inputs.prepare_rule,
  run = run,
}
