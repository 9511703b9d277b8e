--- The task select: chooses the terms of the formula that predicts best, and estimates the error of the procedure.
local lists = require "crux.base.lists"
local accuracy = require "crux.stats.accuracy"
local arguments = require "crux.option.arguments"
local comparison = require "crux.judge.comparison"
local convert = require "crux.option.convert"
local crossval = require "crux.judge.crossval"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local options = require "crux.option.options"
local column_kinds = require "crux.formula.column_kinds"
local validation = require "crux.task.shared.validation"
local selection = require "crux.judge.selection"
local subsets = require "crux.judge.subsets"
local process = require "libcrux.process"
local sizes = require "libcrux.sizes"

--- Reads `log,sqrt` as a set of transforms.
local function transforms(text, flag)
  local names, known, set = {}, {}, {}
  for i, row in ipairs(selection.transforms) do names[i], known[row.name] = row.name, true end
  for _, name in ipairs(convert.names(text)) do
    if not known[name] then
      return convert.refuse(name, flag, "some of " .. table.concat(names, ", "))
    end
    set[name] = true
  end
  return set
end

--- The column of a target that may be a function of one, and the left side of formulas. A column's own name comes first.
---@return string, string
local function target_of(data, text)
  if lists.contains(data.columns, text) or not text:find "^%a[%w_]*%(.*%)$" then return text, subsets.quoted({ text })[1] end
  return formula.parse(text .. " ~ 1").response, text
end

---@class Selected
---@field target string       its column
---@field frame StoredFrame
---@field space Space
---@field chosen Choice
---@field rows Choice[]
---@field errors NestedErrors
---@field assigned userdata[]  the folds
---@field fitted Fitted        the chosen formula on all rows
---@field joined string?       about the joined columns
---@field script string?       of the chosen rule, fitted, if a file is to be written

--- A line about the joined columns: which are measures, and which are not; nil without a join.
local function joined(data, target, measures, args)
  local is_measure, taken, left = lists.set(measures), {}, {}
  for _, column in ipairs(data.added and data.columns or {}) do
    local is_role = column == target or column == args.weights
    if data.added[column] and not is_role then table.insert(is_measure[column] and taken or left, column) end
  end
  local function named(names) return names[1] and table.concat(names, ", ") or "none" end
  return data.added and ("Measures from %s: %s; not taken: %s."):format(args.with, named(taken), named(left))
end

---@return Selected
local function choose(args)
  local data = inputs.data(args.data, args)
  local target, left = target_of(data, args.target)
  data:expect({ target }, "select needs the target")
  local measures = args.measures or column_kinds.measures(data, { target }, args.weights)
  local known
  local space, frame = selection.space(data, measures, { target = target, left = left, weights = args.weights,
    transforms = args.transforms or {}, interactions = args.interactions },
    function(frames)
      local kept = inputs.report_left_out(frames, args, frames.keep, frames)
      known = frames.ranges
      return kept
    end)
  local partition = { folds = args.folds, repeats = args.repeats, by = args.folds_by, seed = args.seed }
  local search = { by = args.by, method = args.method, max_terms = args.max_terms, keep = args.top, partition = partition,
    where = data.name, tolerance = args.tolerance }
  local chosen, rows = selection.choose(frame, space, search)
  local assigned = crossval.assignments(frame.rows, partition, data.name)
  local errors = selection.nested(frame, space, chosen, search, assigned)
  local model, places = selection.model(space, chosen.set)
  local rule = inputs.formula(model.text, { weights = args.weights, target_falls = args.target_falls })
  local fitted = fits.default():solve { formula = rule.formula, frames = frame:pick(places), where = data.name,
    tolerance = args.tolerance }
  local script
  if args.output then
    local remark = ("Chosen by crux %s select --by %s --method %s from %s, and fitted to %s of %s."):format(process.version,
      args.by, args.method, number.count(#space.names, "candidate"), number.count(frame.rows, "row"), data.name)
    local ranges = {} -- of the chosen measures
    for _, measure in ipairs(fitted.formula:numbers()) do ranges[measure] = known[measure] end
    rule = rule:fitted(fitted):with { name = inputs.output_name(args), ranges = ranges }
    script = inputs.for_game(rule, args):script(remark)
  end
  return { space = space, frame = frame, chosen = chosen, rows = rows, errors = errors, fitted = fitted,
    assigned = assigned, target = target, joined = joined(data, target, measures, args), script = script }
end

local function names_of(selected, choice) return lists.pick(selected.space.names, choice.set) end

--- The best subsets, or the steps.
local function choice_table(selected, key)
  local rows, has_steps = {}, selected.rows[#selected.rows].change ~= nil
  for i, choice in ipairs(selected.rows) do
    rows[i] = { [key] = choice.value, terms = #choice.set + 1, step = choice.change or "start",
      formula = selection.model(selected.space, choice.set).text:match "~ (.*)$" }
  end
  local columns = { { key = key }, { key = "terms" }, { key = "formula" } }
  if has_steps then table.insert(columns, 1, { key = "step" }) end
  return { columns = columns, rows = rows }
end

--- The usual errors of the procedure, of the chosen formula, and of the mean.
local function error_table(selected, args)
  local usual, rows = validation.usual(args.weights ~= nil), {}
  for _, statistic in ipairs(accuracy.statistics) do
    local key, errors = statistic.key, selected.errors
    if usual[key] then
      table.insert(rows, { error = key, nested = errors.nested[key], spread = errors.spread[key], naive = errors.naive[key],
        baseline = errors.baseline[key] })
    end
  end
  local columns = { { key = "error" }, { key = "nested" }, { key = "naive" }, { key = "baseline" } }
  if #selected.assigned > 1 then table.insert(columns, 3, { key = "spread" }) end
  return { title = "Errors of levels left out: nested, of terms chosen anew without them; naive, of the chosen formula; "
    .. "baseline, of the mean", columns = columns, rows = rows }
end

local function share_table(selected, args)
  local rows = {}
  for _, name in ipairs(selected.space.names) do
    local share = selected.errors.shares[name]
    if share > 0 then table.insert(rows, { term = name, share = share }) end
  end
  lists.sort(rows, function(row) return -row.share end, function(row) return row.term end)
  local choices = number.count(#selected.assigned * args.folds, "choice")
  return { title = ("How many of the %s without a fold have a term"):format(choices),
    columns = { { key = "term" }, { key = "share" } }, rows = rows }
end

local function notes(selected, args)
  local how = { best = "the best subset", forward = "steps forward", backward = "steps backward", lasso = "the lasso's path" }
  local lines = { ("Chosen: %s"):format(selected.fitted.formula.text), ("By %s, %s of %s, %s%s; %s."):format(
    selection.criteria[args.by].doc, how[args.method], number.count(#selected.space.names, "candidate term"),
    number.count(selected.frame.rows, "level"), args.weights and (" weighted by %s"):format(args.weights) or "",
    crossval.folds_text(selected.assigned)) }
  local by, difference = selected.errors.by, selected.errors.difference
  if difference then
    table.insert(lines, ("%s, nested minus baseline: %s"):format(by,
      comparison.difference_text("the baseline", "nested", difference)))
  end
  table.insert(lines, selected.joined)
  for _, line in ipairs(selected.space.dropped) do table.insert(lines, "No candidate: " .. line) end
  return lines
end

local function to_json(selected, args)
  local rows, terms, errors = {}, {}, selected.errors
  for i, choice in ipairs(selected.rows) do
    rows[i] = json.object { { "step", choice.change }, { "terms", names_of(selected, choice) }, { "value", choice.value } }
  end
  for i, term in ipairs(selected.fitted.formula.terms) do terms[i] = term.name end
  local fields = { { "formula", selected.fitted.formula.text }, { "target", selected.target }, { "weights", args.weights },
    { "n", selected.frame.rows }, { "by", args.by }, { "method", args.method }, { "folds", args.folds },
    { "repeats", #selected.assigned }, { "candidates", selected.space.names }, { "dropped", selected.space.dropped },
    { "value", selected.chosen.value }, { "coefficients", json.by_name(selected.fitted.coefficients, terms) },
    { "choices", rows } }
  for _, key in ipairs { "nested", "spread", "naive", "baseline" } do
    table.insert(fields, { key, json.object(validation.pairs({}, errors[key])) })
  end
  table.insert(fields, { "difference", errors.difference and json.object { { "by", errors.by },
    { "estimate", errors.difference.estimate }, { "std_error", errors.difference.std_error }, { "low", errors.difference.low },
    { "high", errors.difference.high }, { "differs", errors.difference.differs } } })
  table.insert(fields, { "shares", json.by_name(errors.shares, selected.space.names) })
  return json.object(fields)
end

local function run(args)
  local selected = choose(args)
  local key = selection.criteria[args.by].doc
  return { value = selected, script = selected.script, json = to_json(selected, args), notes = notes(selected, args),
    tables = { choice_table(selected, key), error_table(selected, args), share_table(selected, args),
      { title = "Coefficients", columns = { { key = "term" }, { key = "estimate" }, { key = "std_error" } },
        rows = selected.fitted.terms } } }
end

return {
  summary = "Choose the terms of a formula.",
  details = "Chooses among the measures, and what --transforms and --interactions make of them, the terms of the least-squares "
    .. "formula that is best by a criterion: cv, the mean squared error in cross-validation, weighted; aic and bic as R's "
    .. "step prints them; mallows, Cp with the full model's variance. --method best tries every subset, up to "
    .. number.count(sizes.subsets) .. " of them; forward begins with the intercept and adds the term that helps most as long "
    .. "as one helps; backward begins with all and drops; lasso tries the sets of terms along the lasso's path, refitted. A "
    .. "product a:b stands only beside a and b. Then the whole procedure is judged: terms are chosen anew without each fold, "
    .. "and predict it (nested); beside that stands the naive error, of the chosen formula refitted without each fold, which "
    .. "is too good as the choice has seen it, and the baseline's, the mean; the interval of nested minus baseline is that of "
    .. "compare. Measures that are the same in all levels are left out, and logarithms and roots of values that have none. CSV "
    .. "has the first table.",
  arguments = { arguments.data },
  options = {
    options.like("target", { default = "difficulty", doc = "The column to predict, or a function of it such as log(time)" }),
    "target_falls", "weights",
    { flags = "--by", value = "CRITERION", choices = { "cv", "aic", "bic", "mallows" }, default = "cv",
      doc = "cv, aic, bic or mallows" },
    { flags = "--method", value = "METHOD", choices = selection.methods, default = "best",
      doc = "best, forward, backward or lasso" },
    options.like("measures", { doc = "The measures; all columns of numbers that are no targets unless given." }),
    { flags = "--transforms", value = "NAME,...", convert = transforms, doc = "Also their log, sqrt, square." },
    { flags = "--interactions", doc = "Also the products of two measures." },
    { flags = "--max-terms", value = "N", convert = convert.integer(1),
      doc = "The greatest number of terms beside the intercept." },
    { flags = "--top", value = "N", convert = convert.integer(1), default = "5",
      doc = "The number of best subsets to print" },
    "folds",
    "repeats", "folds_by", "seed",
    options.like("rule_output", { doc = "Write the chosen rule, fitted, to this file." }), "game_of_output",
    "tolerance", "with", "delimiter", "format",
  },
  examples = {
    "crux select datasets/flow.csv --weights solved",
    "crux select datasets/lazors.csv --weights solved --transforms log --by bic -o mine.lua",
  },
  writes_rule = true,
  run = run,
}
