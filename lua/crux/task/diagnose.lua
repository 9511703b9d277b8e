--- The task diagnose: the levels that influence a fit most, and new levels outside of its range.
local arguments = require "crux.option.arguments"
local dataset = require "crux.data.dataset"
local diagnostics = require "crux.judge.diagnostics"
local fit_report = require "crux.task.shared.fit_report"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ranges = require "crux.data.ranges"

--- The measures of new levels outside of the training range, and the number of new levels.
local function strays_of(path, formula, known, args)
  local data = dataset.open(path, { delimiter = args.delimiter })
  data:expect(formula.variables, "--new needs the measure")
  local measures, list, count = formula:numbers(), {}, 0
  for block in data:blocks { numbers = measures, measures = measures, levels = true } do
    count = count + block.rows
    local rows, strays_in = ranges.outside(known, block, measures)
    for i = 1, #rows do
      local row = rows[i] // 1 | 0
      for _, stray in ipairs(strays_in(row)) do table.insert(list, lists.merge(stray, { level = block.levels[row] })) end
    end
  end
  return list, count
end

local columns_of_levels = { { key = "level" }, { key = "value" }, { key = "prediction" }, { key = "residual" },
  { key = "standardized" }, { key = "leverage" }, { key = "cooks_distance" }, { key = "left_out" } }
local columns_of_strays = { { key = "level" }, { key = "measure" }, { key = "value" }, { key = "low" }, { key = "high" } }

local function notes_of(rule, problem, diagnosis, influential, strays, count)
  local n = problem.frames.rows
  local called = rule.name ~= problem.formula.text and rule.name .. ": " or ""
  local lines = { ("%s%s, %s%s; values are %s"):format(called, problem.formula.text, number.count(n, "level"),
    rule.weights and (", weighted by %s"):format(rule.weights) or "", problem.formula.left) }
  if diagnosis.loo_mae then
    table.insert(lines, ("Left out one after the other, levels are predicted with a mean absolute error of %s"):format(
      number.rounder { diagnosis.loo_mae } (diagnosis.loo_mae)))
  end
  table.insert(lines, fit_report.aliased(diagnosis.fitted))
  local alone = 0
  for _, row in ipairs(influential) do alone = alone + (diagnosis.rows[row].cooks_distance and 0 or 1) end
  table.insert(lines, ("%s%s above 4 / n in Cook's distance%s"):format(number.count(#influential, "level"),
    #influential == diagnostics.most_influential and " or more" or "",
    alone > 0 and (" (of leverage 1: %d)"):format(alone) or ""))
  if strays then
    local names, outside = {}, 0
    for _, stray in ipairs(strays) do
      outside = outside + (names[stray.level] and 0 or 1)
      names[stray.level] = true
    end
    table.insert(lines, ("%d of %s outside the training range"):format(outside, number.count(count, "new level")))
  end
  return lines
end

local most_shown = 10 -- levels in formats for people, unless --all is given

--- The levels for a table.
---@param count integer?   how many of the largest Cook's distances; all unless given
local function rows_of(diagnosis, count)
  if not count then return function(writer) writer:block(diagnosis.of, #diagnosis.rows) end end
  return lists.pick(diagnosis.rows, diagnostics.largest(diagnosis, count))
end

local function run(args)
  local rule, path = inputs.rule_and_path(args)
  local data = inputs.data(path, args)
  local problem, known = diagnostics.problem(rule, data, { tolerance = args.tolerance, pass = inputs.pass(args) })
  local diagnosis = diagnostics.of(problem)
  local inflation = diagnostics.inflation(problem, diagnosis.fitted)
  local influential = diagnostics.influential(diagnosis)
  local changes, strays, count = diagnostics.effects(problem, diagnosis, influential), nil, nil
  if args.new then strays, count = strays_of(args.new, problem.formula, known, args) end
  local columns = diagnostics.effect_columns(problem.formula)
  local shows_all = args.all or args.details or #diagnosis.rows <= most_shown
  local notes = notes_of(rule, problem, diagnosis, influential, strays, count)
  if not shows_all then
    table.insert(notes, 1, ("The %d levels of the largest Cook's distances; --all prints all"):format(most_shown))
  end
  local parts = { { columns = columns_of_levels, rows = rows_of(diagnosis, not shows_all and most_shown or nil) } }
  if #inflation > 0 then
    table.insert(parts, { title = "Variance inflation", columns = diagnostics.told_of_inflation(inflation), rows = inflation })
  end
  table.insert(parts, { title = "Coefficients without influential levels", columns = columns, rows = changes })
  if strays and #strays > 0 then
    table.insert(parts, { title = "Outside the training range", columns = columns_of_strays,
      rows = (args.all or args.details) and strays or lists.copy(strays, most_shown) })
  end
  return { value = diagnosis, tables = parts, notes = notes,
    json = args.form == "json" and json.object { { "rule", rule.name }, { "formula", problem.formula.text },
      { "weights", rule.weights }, { "n", problem.frames.rows }, { "loo_mae", diagnosis.loo_mae },
      { "levels", json.objects(columns_of_levels, diagnosis.rows) },
      { "aliased", diagnosis.fitted.aliased }, { "vif", json.objects(diagnostics.inflation_columns, inflation) },
      { "influential", json.objects(columns, changes) }, { "outside", strays and json.objects(columns_of_strays, strays) } } }
end

return {
  summary = "Name the levels that influence a fit most.",
  details = "Fits the formula of a rule by least squares and prints, for the ten levels that influence it most (--all: for "
    .. "all), the residual, the residual over its standard deviation (R's rstandard), the leverage (hatvalues), Cook's "
    .. "distance, and the residual by the fit to all other levels; for each term, by how much the others inflate the variance "
    .. "of its coefficient (vif; of the df coefficients of a factor or poly the generalised one, and adjusted_vif, its (2 "
    .. "df)-th root, as R's car::vif); and for the levels whose Cook's distance is above 4 / n, the ten largest, what the "
    .. "coefficients, and the mean absolute error of levels left out one after the other (loo_mae), are without them; "
    .. "loo_mae_with is that error of the same levels by the fit to all. --new names the levels of another dataset that lie "
    .. "outside the range of these in a measure. CSV has the levels, JSON everything.",
  arguments = arguments.rule_and_data,
  options = { "formula", "fit",
    { flags = "--all", doc = "Print all levels, also of --new; CSV and JSON have all without it." },
    { flags = "--new", value = "NEW.csv", doc = "New levels to compare with the range of the measures." },
    "weights", "target", "target_falls", "tolerance", "with", "delimiter", "output", "format" },
  examples = {
    "crux diagnose flow datasets/flow.csv",
    "crux diagnose my-rule.lua datasets/flow.csv --new new-levels.csv",
    "crux diagnose --formula 'difficulty ~ size + corners' datasets/flow.csv --format json",
  },
  run = run,
}
