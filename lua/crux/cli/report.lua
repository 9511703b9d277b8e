--- crux report: a rule on a dataset, or the published studies, as a page.
local accuracy = require "crux.stats.accuracy"
local arguments = require "crux.cli.arguments"
local comparison = require "crux.judge.comparison"
local diagnose = require "crux.cli.diagnose"
local diagnostics = require "crux.judge.diagnostics"
local evaluate = require "crux.cli.evaluate"
local fault = require "crux.base.fault"
local figure = require "crux.show.plot.figure"
local fit = require "crux.cli.fit"
local game = require "crux.game.game"
local html = require "crux.show.html"
local inputs = require "crux.cli.inputs"
local number = require "crux.base.number"
local output = require "crux.out.output"
local plot = require "crux.show.plot"
local plots = require "crux.cli.plot"
local report = require "crux.show.report"
local scores = require "crux.cli.scores"
local survey = require "crux.cli.survey"
local system = require "libcrux.system"

local show = figure.show
local most_named = 5 -- levels in the summary

--- A list of figures as the templates take them.
---@param figures Figure[]
---@param prefix string   of their ids
local function drawn(figures, prefix)
  local list = {}
  for i, one in ipairs(figures) do list[i] = { picture = report.figure(one, prefix .. i) } end
  return list
end

--- What a function returns; or nil, and what the data or the rule lacks for it.
local function try(f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  if not fault.is(results[2]) then error(results[2], 0) end
  return nil, results[2].message
end

local function weighted_by(rule) return rule.weights and (", weighted by %s"):format(rule.weights) or "" end

--- How well the rule predicts, in words.
local function how_well(rule, evaluation, predicted)
  local key = rule.weights and "weighted_mae" or "mae"
  local own, baseline = evaluation.errors[key], evaluation.baseline[key]
  local share = 100 * (1 - own / baseline)
  local verdict = share >= 0.5 and ("so the rule’s errors are %.0f %% smaller"):format(share)
    or share > -0.5 and "so the rule is no better" or ("so the rule’s errors are %.0f %% larger"):format(-share)
  return ("Predictions of %s for %s, %s, are off by %s on average%s. Predicting the mean for every level is off by %s, %s.")
    :format(rule.predicts, number.count(evaluation.n, "level"), predicted.how, show(own),
      weighted_by(rule), show(baseline), verdict)
end

--- What each term does, the strongest first, in words.
local function forces(weights)
  local order, list = {}, {}
  for _, row in ipairs(weights.weights) do
    if row.spread > 0 then table.insert(order, row) end
  end
  table.sort(order, function(a, b)
    local x, y = math.abs(a.estimate * a.spread), math.abs(b.estimate * b.spread)
    if x ~= y then return x > y end
    return a.term < b.term
  end)
  for i, row in ipairs(order) do
    local change = row.estimate * row.spread
    local is_open = row.low and row.low <= 0 and row.high >= 0
    list[i] = { text = ("%s: %s more, a standard deviation, goes with %s %s by %s%s."):format(row.term, show(row.spread),
      weights.target, change < 0 and "lower" or "higher", show(math.abs(change)),
      is_open and "; the data leave open whether it matters at all" or "") }
  end
  return list
end

local function error_of(predicted, i) return predicted.values[i] - predicted.predictions[i] end

local function worst(predicted)
  local sizes, list = {}, {}
  for i = 1, #predicted.levels do
    local size = math.abs(error_of(predicted, i))
    sizes[i] = size == size and size or -1
  end
  for i, row in ipairs(figure.largest(sizes, most_named)) do
    list[i] = { text = ("%s: rated %s, predicted %s"):format(predicted.levels[row], show(predicted.values[row]),
      show(predicted.predictions[row])) }
  end
  return list
end

--- What level files look like, by the names of the levels.
---@return table<string, { level: LevelPicture, solution: LevelPicture? }>
---@return integer              how many there are
---@return fun()                see survey.run
local function pictures_of(rule, args)
  local name = args.game or rule.game
  if not name then
    fault.raise(("%s: found no field 'game', expected one, or --game, to read the levels"):format(rule:who()))
  end
  local found, count = {}, 0
  local finish = survey.run(game.load(name), args, { solve = true, paint = true }, function(finding)
    found[finding.level], count = finding.pictures, count + 1
  end)
  return found, count, finish
end

--- A level's picture, with its solution to unfold.
local function picture_cell(pictures, name, i)
  local own = pictures[name]
  if not own then return "" end
  local level = '<div class="picture">' .. report.level(own.level, "level-" .. i) .. "</div>"
  if not own.solution then return level end
  return ('%s<details><summary>Solution<span class="unseen"> of %s</span></summary>%s</details>'):format(level,
    html.escape(name), report.level(own.solution, "solution-" .. i))
end

--- The measures of levels: lists by column, rows by the names of levels.
local function measures_of(rule, data)
  local names, rows = rule:measures(data), {}
  for block in data:blocks { numbers = names, levels = true } do
    for i = 1, block.rows do
      local row = {}
      for _, name in ipairs(names) do row[name] = block.numbers[name][i] end
      rows[block.levels[i]] = row
    end
  end
  return names, rows
end

local function level_table(rule, data, predicted, pictures)
  local names, measures = measures_of(rule, data)
  local columns = { { key = "level" }, { key = "picture", html = "picture" }, { key = "rated",
    label = "rated " .. rule.predicts }, { key = "predicted", right = true },
    { key = "error", right = true } }
  if not pictures then table.remove(columns, 2) end
  for _, name in ipairs(names) do table.insert(columns, { key = "measure " .. name, label = name }) end
  local rows, known = {}, {}
  for i in ipairs(predicted.levels) do
    table.insert(known, predicted.predictions[i] == predicted.predictions[i] and predicted.predictions[i] or nil)
  end
  local round = number.rounder(known)
  local function rounded(value) return value == value and round(value) or "" end
  for i, level in ipairs(predicted.levels) do
    local row = { level = level, rated = predicted.values[i], predicted = rounded(predicted.predictions[i]),
      error = rounded(error_of(predicted, i)) }
    if pictures then row.picture = picture_cell(pictures, level, i) end
    for _, name in ipairs(names) do row["measure " .. name] = (measures[level] or {})[name] end
    rows[i] = row
  end
  return html.table { id = "level-table", caption = number.count(#rows, "level") .. ".", columns = columns, rows = rows,
    sortable = true }
end

--- The errors, each with what it means; those that cannot be had are left out.
local function error_table(evaluation)
  local rows, deviations = {}, comparison.errors(evaluation)
  for _, measure in ipairs(accuracy.measures) do
    local value = evaluation.errors[measure.key]
    if value then
      table.insert(rows, { doc = measure.doc, name = measure.key:gsub("_", " "), rule = value,
        baseline = (evaluation.baseline or {})[measure.key], deviation = deviations[measure.key] })
    end
  end
  for _, row in ipairs(rows) do -- each row has its own unit
    for _, key in ipairs { "rule", "baseline", "deviation" } do
      row[key] = row[key] and number.rounder { row[key] } (row[key])
    end
  end
  return html.table { id = "error-table", caption = "Errors of the rule and of the baseline.", rows = rows,
    columns = { { key = "name", label = "error" }, { key = "rule", right = true }, { key = "baseline", right = true },
      { key = "deviation", label = "standard error", right = true }, { key = "doc", label = "what it is" } } }
end

--- Fills what the page says of the weights.
local function add_weights(values, rule, args)
  local found, problem = try(function() return table.pack(fit.fitted_to(args)) end)
  if not found then
    values.no_weights = problem
    return
  end
  local fitted, frames = found[2], found[3]
  values.weighted, values.formula = true, fitted.formula.text or "the rule’s function"
  local rows = {}
  for i, row in ipairs(fitted.terms) do
    local low, high = plots.interval_of(row, fitted)
    rows[i] = setmetatable({ low = low, high = high }, { __index = row })
  end
  values.weight_table = html.table { id = "weight-table", rows = rows, columns = fit.columns_of(rows),
    caption = ("%s fitted to %s%s; low and high are the ends of 95 %% intervals."):format(
      fitted.formula.left or rule.predicts, number.count(fitted.n, "level"), weighted_by(rule)) }
  if not rule.formula then return end
  local weights = plots.weights_of(fitted, frames)
  values.forces = { { force = forces(weights) } }
  values.weight_figures = drawn({ plot.weights(weights) }, "weights-")
end

local function add_diagnosis(values, rule, data, args)
  local problem, message = try(diagnose.problem_of, rule, data, args)
  local diagnosis
  if problem then diagnosis, message = try(diagnostics.of, problem) end
  if not diagnosis then
    values.not_diagnosed = message
    return
  end
  local influential = diagnostics.influential(diagnosis, diagnose.most_influential)
  local inflation = diagnostics.inflation(problem, diagnosis.fitted)
  values.diagnosed = true
  values.influence_table = html.table { id = "influence-table", caption = "Weights without influential levels.",
    columns = diagnose.columns_of_effects(problem.formula), rows = diagnose.effects(problem, diagnosis, influential) }
  values.inflation_table = #inflation > 0 and html.table { id = "inflation-table", rows = inflation,
    columns = { { key = "term" }, { key = "vif", label = "inflation" } },
    caption = "By how much the other terms inflate the variance of a weight." } or ""
  local residuals = plots.residuals_of(problem, diagnosis, args)
  values.residual_figures = drawn({ plot.residuals(residuals), plot.quantiles(residuals) }, "residuals-")
end

--- Fills what the page says of pictures: how many there are, and which are missing.
local function add_pictured(values, predicted, pictures, count)
  if not pictures then return end
  local shown, seen = 0, {}
  for _, name in ipairs(predicted.levels) do
    if pictures[name] and not seen[name] then shown, seen[name] = shown + 1, true end
  end
  local missing = #predicted.levels - shown
  values.pictured = { { text = ("Pictures are of the level files: %s of the table%s%s."):format(number.count(shown, "level"),
    missing > 0 and (", %d have none"):format(missing) or "",
    count > shown and ("; %s of the files not in the dataset"):format(number.count(count - shown, "level")) or "") } }
end

local parts = { { id = "summary", name = "Summary" }, { id = "levels", name = "Levels" },
  { id = "errors", name = "Errors" }, { id = "weights", name = "Weights" }, { id = "folds", name = "Folds" },
  { id = "diagnostics", name = "What the fit hangs on" }, { id = "made", name = "How this page was made" } }

--- RULE DATA LEVELS, or --formula FORMULA DATA LEVELS, as inputs.rule_and_path takes them.
local function shifted(args)
  if args.formula and args.data then
    args.levels, args.data = { args.data, table.unpack(args.levels) }, nil
  end
  return args
end

local function rule_report(args)
  args = setmetatable({ told = {}, draws = 200, repeats = 1, worst = most_named }, { __index = shifted(args) })
  local rule, path = inputs.rule_and_path(args)
  if path == "-" then fault.raise("found - as DATA, expected a file, which is read several times", 2) end
  local data = inputs.data(path, args)
  local evaluations, frame, assigned = scores.evaluate({ rule }, data, args, rule.weights, { levels = true, details = true })
  local evaluation = evaluations[1]
  local predicted = plots.predictions_of(rule, evaluation, frame, assigned, args)
  local pictures, count, finish
  if #args.levels > 0 then pictures, count, finish = pictures_of(rule, args) end
  local folds = evaluate.error_table(evaluation, rule, "table")
  local values = { target = rule.predicts, how_well = how_well(rule, evaluation, predicted), worst = worst(predicted),
    predicted_how = ("Predictions are %s."):format(predicted.how),
    level_table = level_table(rule, data, predicted, pictures),
    error_table = error_table(evaluation),
    error_figures = drawn({ plot.predicted(predicted), plot.errors(predicted) }, "errors-"),
    folds_how = ("Predictions are %s. A fold is predicted by a fit to the others."):format(predicted.how),
    fold_table = html.table { id = "fold-table", caption = "Errors in each fold, over all levels, and of the baseline.",
      columns = folds.columns, rows = folds.rows } }
  add_pictured(values, predicted, pictures, count)
  args.seed = args.seed or 1
  add_weights(values, rule, args)
  add_diagnosis(values, rule, data, args)
  values.left_out = {}
  for i, text in ipairs(args.told) do values.left_out[i] = { text = text } end
  return report.page { title = ("%s: how well it predicts %s"):format(rule.name, rule.predicts), template = "report.html",
    lead = ("The rule %s on %s, %s."):format(rule.name, data.name, number.count(evaluation.n, "level")), values = values,
    parts = parts, words = args.command_line, sources = ("%s and the rule %s"):format(data.name, rule.name), citation = "" },
    finish
end

local function run(args)
  if not args.study and not args.rule then fault.raise("expected RULE and DATA, or --study", 2) end
  if args.study and args.rule then fault.raise(("found '%s' and --study, expected one of them"):format(args.rule), 2) end
  if not args.output and system.is_terminal(io.stdout) then
    fault.raise("expected -o FILE.html: a page is for browsers", 2)
  end
  local text, finish
  if args.study then text = require("crux.cli.study_report")(args) else text, finish = rule_report(args) end
  output.save(args.output, text)
  if finish then finish() end
end

return {
  details = "Writes one HTML page, which needs nothing else, not even a network: a summary in words; the levels in a table "
    .. "that can be sorted, with pictures of them and their solutions where LEVELS are given; errors against the baseline, "
    .. "weights with intervals, folds and what the fit hangs on, in tables and plots; and the command line that made it. It "
    .. "can be read on a phone, on paper, in the dark and by screen readers. --study makes a page of every table and figure of "
    .. "the published studies instead, published beside computed.",
  arguments = { arguments.rule_and_data[1],
    { name = "data", args = "?", doc = (arguments.data.doc:gsub(", or %- for standard input", "")) }, arguments.levels },
  options = { { flags = "--study", doc = "The published studies instead of a rule." },
    { flags = "--game", value = "GAME", doc = "The game of the level files, instead of the rule's." },
    "folds", "shuffle", "seed", "loo", "group",
    { flags = "--as-is", doc = "Judge the stored coefficients instead of refitting." },
    "formula", "fit", "weights", "target", "tolerance", "unconverged", "with", "delimiter", "output", "jobs", "seconds",
    "states", "memory" },
  examples = {
    "crux report flow datasets/flow.csv datasets/levels/flow/ -o report.html",
    "crux report my-rule.lua levels.csv flow-levels/ -o report.html",
    "crux report --study -o study.html",
  },
  run = run,
}
