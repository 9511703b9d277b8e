--- The task report: an HTML page about a rule on a dataset.
local accuracy = require "crux.stats.accuracy"
local arguments = require "crux.option.arguments"
local comparison = require "crux.judge.comparison"
local diagnostics = require "crux.judge.diagnostics"
local fault = require "crux.base.fault"
local figure = require "crux.show.plot.figure"
local games = require "crux.game.game"
local html = require "crux.show.html"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plot = require "crux.show.plot"
local report = require "crux.show.report"
local text_column = require "libcrux.texts"
local validation = require "crux.task.shared.validation"
local vector = require "libcrux.vector"
local examination = require "crux.task.shared.examination"
local weights = require "crux.judge.weights"

local show = figure.show
local max_named = 5 -- levels in the summary
local most_inflation = 5 -- beyond it the sign of a weight is told with a warning
local max_listed = 1000 -- levels in the table: browsers are slow with many more, and nobody reads them

--- Figures for templates.
---@param prefix string   of their ids
local function drawn(figures, prefix)
  local list = {}
  for i, one in ipairs(figures) do list[i] = { picture = report.figure(one, prefix .. i) } end
  return list
end

local function weighted_by(rule) return rule.weights and (", weighted by %s"):format(rule.weights) or "" end

--- The difference of the errors of the rule and of the baseline; nil without a fit in every fold.
local function difference_to_mean(key, evaluation, groups)
  local folds = lists.map(evaluation.folds, function(fold) return { errors = fold.baseline_errors } end)
  return comparison.new({ evaluation, { errors = evaluation.baseline, folds = folds } },
    { by = key, groups = groups, draws = 0 }):differences_to(2)[1]
end

--- A paragraph about the errors of the rule.
---@param key string               the error
---@param difference Difference?   to the baseline
local function how_well(rule, key, evaluation, predicted, difference)
  local mae, baseline = evaluation.errors[key], evaluation.baseline[key]
  local verdict = "which shows no difference"
  if difference and difference.differs then
    local share = 100 * math.abs(1 - mae / baseline)
    verdict = ("so the rule’s errors are %.0f %% %s (by %s to %s, a 95 %% interval)"):format(share, difference.is_better
      and "smaller" or "larger", show(math.min(math.abs(difference.low), math.abs(difference.high))),
      show(math.max(math.abs(difference.low), math.abs(difference.high))))
  end
  return ("Predictions of %s for %s, %s, are off by %s on average%s. Predicting the mean for every level is off by %s, %s.")
    :format(rule.predicts, number.count(evaluation.n, "level"), predicted.how, show(mae),
      weighted_by(rule), show(baseline), verdict)
end

--- Sentences about the effect of each term, the strongest first. The weights of terms that share much with others say little.
---@param inflation table<string, number>   by term
local function forces(weighted, inflation)
  local order, texts = {}, {}
  for _, row in ipairs(weighted.weights) do
    if row.spread > 0 then table.insert(order, row) end
  end
  lists.sort(order, function(row) return -math.abs(row.estimate * row.spread) end, function(row) return row.term end)
  for i, row in ipairs(order) do
    local change = row.estimate * row.spread
    local is_open = row.low and row.low <= 0 and row.high >= 0
    local vif = inflation[row.term] or 1
    texts[i] = { text = ("%s: %s more, a standard deviation, goes with %s %s by %s%s%s."):format(row.term, show(row.spread),
      weighted.target, change < 0 and "lower" or "higher", show(math.abs(change)),
      is_open and "; the data leave open whether it matters at all" or "", vif > most_inflation
      and ("; other terms tell much of the same (variance inflation %.1f), so even the direction is doubtful"):format(vif)
      or "") }
  end
  return texts
end

local function errors_of(predicted) return predicted.values - predicted.predictions end

--- The rows of the levels of the largest errors, the largest first; those without a prediction come last.
local function furthest(predicted, count) return figure.largest(vector.abs(errors_of(predicted)), count) end

--- The id of a level's row in the table of levels.
local function row_id(row) return "row-" .. row end

local function worst(predicted)
  local texts = {}
  for _, row in ipairs(furthest(predicted, max_named)) do
    local prediction = predicted.predictions[row]
    if prediction == prediction then
      table.insert(texts, { level = predicted.levels[row], id = row_id(row),
        text = ("rated %s, predicted %s"):format(show(predicted.values[row]), show(prediction)) })
    end
  end
  return texts
end

--- Pictures of the levels of level files, by name.
---@return table<string, { level: LevelPicture, solution: LevelPicture? }>
---@return integer              number of pictures
---@return fun()                see examination.run
local function pictures_of(rule, args)
  local name = args.game or rule.game
  if not name then
    fault.raise(("%s: found no field 'game', expected one, or --game, to read the levels"):format(rule:who()))
  end
  local found, count = {}, 0
  args.path = args.path or rule.path
  local finish = examination.run(games.load(name), args, { solve = true, paint = true }, function(finding)
    found[finding.level], count = finding.pictures, count + 1
  end)
  return found, count, finish
end

--- The HTML of a level's picture, with its solution to unfold.
local function picture_cell(pictures, name, i)
  local found = pictures[name]
  if not found then return "" end
  local level = '<div class="picture">' .. report.level(found.level, "level-" .. i) .. "</div>"
  if not found.solution then return level end
  return ('%s<details><summary>Solution<span class="unseen"> of %s</span></summary>%s</details>'):format(level,
    html.escape(name), report.level(found.solution, "solution-" .. i))
end

--- The names of a rule's measures, and their values by the names of levels.
---@param levels string[]   the wanted ones
local function measures_of(rule, data, levels)
  local measures, found, wanted = rule:measures(data), {}, text_column.of(levels)
  for block in data:blocks { numbers = measures, levels = true } do
    local names = text_column.names()
    names:numbers(wanted)
    local numbers = names:numbers(block.levels)
    for _, i in ipairs(vector.outside({ numbers }, vector.of { #levels + 1 }, vector.of { math.huge })) do -- the first names
      local row = {}
      for _, name in ipairs(measures) do row[name] = block.numbers[name][i] end
      found[block.levels[i]] = row
    end
  end
  return measures, found
end

--- The table of levels.
---@param listed integer[]   the shown rows
local function level_table(rule, data, predicted, listed, pictures)
  local levels, known = lists.pick(predicted.levels, listed), {}
  for _, i in ipairs(listed) do
    table.insert(known, predicted.predictions[i] == predicted.predictions[i] and predicted.predictions[i] or nil)
  end
  local names, measures = measures_of(rule, data, levels)
  local columns = { { key = "level" }, { key = "rated", label = "rated " .. rule.predicts },
    { key = "predicted", right = true }, { key = "error", right = true }, pictures and { key = "picture", html = "picture" } }
  for _, name in ipairs(names) do table.insert(columns, { key = "measure " .. name, label = name }) end
  local rows, round, errors = {}, number.rounder(known), errors_of(predicted)
  local function rounded(value) return value == value and round(value) or "" end
  for place, i in ipairs(listed) do
    local level = levels[place]
    local row = { id = row_id(i), level = level, rated = predicted.values[i], predicted = rounded(predicted.predictions[i]),
      error = rounded(errors[i]) }
    if pictures then row.picture = picture_cell(pictures, level, i) end
    for _, name in ipairs(names) do row["measure " .. name] = (measures[level] or {})[name] end
    rows[place] = row
  end
  local all = number.count(#predicted.levels, "level")
  return html.table { id = "level-table", columns = columns, rows = rows, sortable = true,
    caption = #rows == #predicted.levels and all .. "." or ("%s of %s: those furthest off."):format(number.count(#rows), all) }
end

--- The table of errors and their definitions, without undefined errors.
local function error_table(evaluation)
  local rows, deviations = {}, comparison.errors(evaluation)
  for _, statistic in ipairs(accuracy.statistics) do
    local value = evaluation.errors[statistic.key]
    if value then
      table.insert(rows, { doc = statistic.doc, name = statistic.key:gsub("_", " "), rule = value,
        baseline = (evaluation.baseline or {})[statistic.key], deviation = deviations[statistic.key] })
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

--- Adds the weights to the values of the page.
---@param inflation table<string, number>   by term
---@param kept StoredFrame?                 the rows of the fit, if they are in memory
local function add_weights(values, rule, path, args, inflation, kept)
  local ok, fitted, problem = fault.catch(inputs.fitted, rule, path, args)
  if not ok then
    values.no_weights = fitted.message
    return
  end
  values.weighted, values.formula = true, fitted.formula.text or "the rule’s function"
  local rows = {}
  for i, row in ipairs(fitted.terms) do
    local low, high = weights.interval(row, fitted)
    rows[i] = setmetatable({ low = low, high = high }, { __index = row })
  end
  values.weight_table = html.table { id = "weight-table", rows = rows, columns = weights.columns(rows),
    caption = ("%s fitted to %s%s; low and high are the ends of 95 %% intervals."):format(
      fitted.formula.left or rule.predicts, number.count(fitted.n, "level"), weighted_by(rule)) }
  if not rule.formula then return end
  local weighted = weights.of(fitted, kept or problem.frames)
  values.forces = { { force = forces(weighted, inflation) } }
  values.weight_figures = drawn({ plot.weights(weighted) }, "weights-")
end

--- Adds the diagnosis to the values of the page.
---@return table<string, number>   the variance inflation by term
---@return StoredFrame?            the rows
local function add_diagnosis(values, rule, data, args)
  local ok, problem, diagnosis = fault.catch(function()
    local problem = diagnostics.problem(rule, data, { tolerance = args.tolerance, pass = inputs.pass(args) })
    return problem, diagnostics.of(problem)
  end)
  if not ok then
    values.not_diagnosed = problem.message
    return {}
  end
  local influential = diagnostics.influential(diagnosis)
  local inflation = diagnostics.inflation(problem, diagnosis.fitted)
  values.diagnosed = true
  values.influence_table = html.table { id = "influence-table", caption = "Weights without influential levels.",
    columns = diagnostics.effect_columns(problem.formula), rows = diagnostics.effects(problem, diagnosis, influential) }
  values.inflation_table = #inflation > 0 and html.table { id = "inflation-table", rows = inflation,
    columns = { { key = "term" }, { key = "vif", label = "inflation" },
      table.unpack(diagnostics.told_of_inflation(inflation), 3) },
    caption = "By how much the other terms inflate the variance of a weight." } or ""
  local residuals = diagnostics.residuals(problem, diagnosis)
  residuals.worst = args.worst
  values.residual_figures = drawn({ plot.residuals(residuals), plot.quantiles(residuals) }, "residuals-")
  local by_term = {}
  for _, row in ipairs(inflation) do by_term[row.term] = row.vif end
  return by_term, problem.frames
end

--- Adds the numbers of shown and missing pictures to the values of the page.
---@param levels string[]   of the table
local function add_pictured(values, levels, pictures, count)
  if not pictures then return end
  local shown, seen = 0, {}
  for _, name in ipairs(levels) do
    if pictures[name] and not seen[name] then shown, seen[name] = shown + 1, true end
  end
  local missing = #levels - shown
  values.pictured = { { text = ("Pictures are of the level files: %s of the table%s%s."):format(number.count(shown, "level"),
    missing > 0 and (", %d have none"):format(missing) or "",
    count > shown and ("; %s of the files not in the dataset"):format(number.count(count - shown, "level")) or "") } }
end

--- Adds the front of the search that found a rule.
local function add_front(values, rule, by)
  local rows = {}
  for formula, numbers in pairs(rule.front or {}) do
    local size, error, low, high = table.unpack(numbers)
    table.insert(rows, { formula = formula, size = size, error = error, low = low, high = high,
      is_linear = formula:find " %(%l+%)$" ~= nil,
      chosen = formula:gsub(" %(%l+%)$", "") == rule.formula.text or nil })
  end
  if #rows == 0 then return end
  lists.sort(rows, function(row) return row.size end, function(row) return row.formula end)
  values.front = drawn({ plot.front { rows = rows, target = rule.predicts, by = by } }, "front-")
  values.front_table = html.table { id = "front-table", rows = rows, columns = { { key = "formula" }, { key = "size" },
    { key = "error", label = "nested " .. by }, { key = "low" }, { key = "high" } },
    caption = "Formulas that were searched; low and high bound the difference of the error to that of the mean, size 0." }
end

local parts = { { id = "summary", name = "Summary" }, { id = "levels", name = "Levels" },
  { id = "errors", name = "Errors" }, { id = "weights", name = "Weights" }, { id = "front", name = "Search" },
  { id = "folds", name = "Folds" }, { id = "diagnostics", name = "Influential levels" },
  { id = "made", name = "How this page was made" } }

--- Arguments RULE DATA LEVELS, or --formula FORMULA DATA LEVELS, for inputs.rule_and_path.
local function shifted(args)
  if args.formula and args.data then
    args.levels, args.data = { args.data, table.unpack(args.levels) }, nil
  end
  return args
end

--- The values of the page about errors, the number of levels, and what ends a run on level files.
---@return table
---@return integer
---@return fun()?
local function judged(rule, data, args)
  local evaluations, frame, assigned = validation.evaluate({ rule }, data, args, rule.weights,
    { levels = true, details = true, predictions = true })
  local evaluation = evaluations[1]
  local predicted = validation.predictions(rule, evaluation, frame, assigned, args)
  local pictures, count, finish
  if #args.levels > 0 then pictures, count, finish = pictures_of(rule, args) end
  local folds = validation.error_table(evaluation, rule)
  local listed = furthest(predicted, max_listed)
  table.sort(listed)
  local key = rule.weights and "weighted_mae" or "mae"
  local values = { target = rule.predicts, worst = worst(predicted), how_well = how_well(rule, key, evaluation, predicted,
      difference_to_mean(key, evaluation, frame.groups)),
    predicted_how = ("Predictions are %s."):format(predicted.how),
    level_table = level_table(rule, data, predicted, listed, pictures),
    error_table = error_table(evaluation),
    error_figures = drawn({ plot.predicted(predicted), plot.errors(predicted) }, "errors-"),
    folds_how = ("Predictions are %s. A fold is predicted by a fit to the others."):format(predicted.how),
    fold_table = html.table { id = "fold-table", caption = "Errors in each fold, over all levels, and of the baseline.",
      columns = folds.columns, rows = folds.rows } }
  add_pictured(values, lists.pick(predicted.levels, listed), pictures, count)
  add_front(values, rule, key)
  return values, evaluation.n, finish
end

local function rule_report(args)
  args = setmetatable({ told = {}, draws = 200, worst = max_named }, { __index = shifted(args) })
  local rule, path = inputs.rule_and_path(args)
  if path == "-" then fault.raise("found - as DATA, expected a file, which is read several times", 2) end
  local data = inputs.data(path, args)
  local values, n, finish = judged(rule, data, args)
  add_weights(values, rule, path, args, add_diagnosis(values, rule, data, args))
  values.left_out = {}
  for i, text in ipairs(args.told) do values.left_out[i] = { text = text } end
  return report.page { title = ("%s: how well it predicts %s"):format(rule.name, rule.predicts),
    template = report.read "report.html",
    lead = ("The rule %s on %s, %s."):format(rule.name, report.named(data.name), number.count(n, "level")), values = values,
    parts = lists.select(parts, function(part) return part.id ~= "front" or values.front end),
    words = { "crux", table.unpack(args.command_line or { "report" }) },
    sources = ("%s and the rule %s"):format(report.named(data.name), rule.name) }, finish
end

local function run(args)
  local text, finish = rule_report(args)
  return { value = text, page = text, finish = finish, tables = {}, json = json.object { { "html", text } } }
end

return {
  summary = "Write a page about a rule, for browsers.",
  details = "Writes one HTML page, which needs nothing else, not even a network: a summary in words; the levels in a table "
    .. "that can be sorted, with pictures of them and their solutions where LEVELS are given; errors against the baseline, "
    .. "weights with intervals, folds and the levels that influence the fit, in tables and plots; and the command line that "
    .. "made it. It can be read on a phone, on paper, in the dark and by screen readers.",
  arguments = { arguments.rule_and_data[1],
    { name = "data", args = "?", doc = (arguments.data.doc:gsub(", or %- for standard input", "")) }, arguments.levels },
  options = { "game", "path", "folds", "repeats", "folds_by", "seed", "loo", "group", "as_is", "formula", "fit",
    "weights", "target", "target_falls", "tolerance", "unconverged", "with", "delimiter", "output", "jobs", "seconds",
    "states", "memory" },
  examples = {
    "crux report flow datasets/flow.csv datasets/levels/flow/ -o report.html",
    "crux report my-rule.lua levels.csv flow-levels/ -o report.html",
  },
  run = run,
}
