--- crux diagnose: what a fit hangs on, and whether new levels are like those that it has seen.
local arguments = require "crux.cli.arguments"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local diagnostics = require "crux.judge.diagnostics"
local fault = require "crux.base.fault"
local inputs = require "crux.cli.inputs"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"
local ranges = require "crux.data.ranges"

local most_influential = 10

--- What is fitted, and the ranges of its measures.
local function problem_of(rule, data, args)
  local formula = rule:fitting_formula()
  local method = rule.method.fit.name
  if method ~= "ols" and method ~= "wls" then
    fault.at(rule:who(), ("the fit '%s'"):format(method), "ols or wls, of which leverage is known: --fit ols")
  end
  local frames = design.new(data, { response = rule.predicts, formula = formula, weights = rule.weights, who = rule:who() })
  local kept = inputs.telling(frames, args, frames.keep, frames, true)
  kept:expect_variety(rule.predicts, data.name)
  return { formula = frames.formula, frames = kept, where = data.name, tolerance = args.tolerance }, frames.ranges
end

--- A row for the fit to all levels, one without each influential level, and one without all of them.
local function effects(problem, diagnosis, rows)
  local function row_of(name, found)
    local row = { without = name, cooks_distance = nil, loo_mae = found and found.loo_mae }
    for term, value in pairs(found and found.fitted.coefficients or {}) do row["term " .. term] = value end
    return row
  end
  local list = { row_of("(none)", diagnosis) }
  for _, row in ipairs(rows) do
    local level = diagnosis.rows[row]
    local effect = row_of(level.level, diagnostics.without(problem, { row }))
    effect.cooks_distance, effect.leverage, effect.standardized = level.cooks_distance, level.leverage, level.standardized
    table.insert(list, effect)
  end
  if #rows > 1 then table.insert(list, row_of("(all of these)", diagnostics.without(problem, rows))) end
  return list
end

--- Where new levels lie outside of the training range.
local function strays_of(path, formula, known, args)
  local data = dataset.open(path, { delimiter = args.delimiter })
  data:expect(formula.variables, "--new needs the measure")
  local measures, list, count = formula:numbers(), {}, 0
  for block in data:blocks { numbers = measures, levels = true } do
    count = count + block.rows
    for _, stray in ipairs(ranges.strays(known, block, measures)) do
      table.insert(list, { level = block.levels[stray.row], measure = stray.measure, value = stray.value, low = stray.low,
        high = stray.high })
    end
  end
  return list, count
end

local columns_of_levels = { { key = "level" }, { key = "value" }, { key = "prediction" }, { key = "residual" },
  { key = "standardized" }, { key = "leverage" }, { key = "cooks_distance" }, { key = "left_out" } }
local columns_of_inflation = { { key = "term" }, { key = "vif" } }
local columns_of_strays = { { key = "level" }, { key = "measure" }, { key = "value" }, { key = "low" }, { key = "high" } }

local function columns_of_effects(formula)
  local columns = { { key = "without" }, { key = "cooks_distance" }, { key = "leverage" }, { key = "standardized" },
    { key = "loo_mae" } }
  for _, term in ipairs(formula.terms) do table.insert(columns, { key = "term " .. term.name, label = term.name }) end
  return columns
end

--- Rows as JSON: objects of their columns.
local function objects(columns, rows)
  local list = {}
  for i, row in ipairs(rows) do
    local fields = {}
    for j, column in ipairs(columns) do fields[j] = { column.label or column.key, row[column.key] } end
    list[i] = json.object(fields)
  end
  return list
end

local function notes_of(rule, problem, diagnosis, influential, strays, count)
  local n = problem.frames.rows
  local called = rule.name ~= problem.formula.text and rule.name .. ": " or ""
  local lines = { ("%s%s, %s%s; values are %s"):format(called, problem.formula.text, number.count(n, "level"),
    rule.weights and (", weighted by %s"):format(rule.weights) or "", problem.formula.left) }
  if diagnosis.loo_mae then
    table.insert(lines, ("Left out one after the other, levels are predicted with a mean absolute error of %s"):format(
      number.rounder { diagnosis.loo_mae } (diagnosis.loo_mae)))
  end
  local alone = 0
  for _, row in ipairs(influential) do alone = alone + (diagnosis.rows[row].cooks_distance and 0 or 1) end
  table.insert(lines, ("%s%s above 4 / n in Cook's distance%s"):format(number.count(#influential, "level"),
    #influential == most_influential and " or more" or "", alone > 0 and (" (of leverage 1: %d)"):format(alone) or ""))
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

local function run(args)
  local rule, path = inputs.rule_and_path(args)
  local data = inputs.data(path, args)
  local problem, known = problem_of(rule, data, args)
  local diagnosis = diagnostics.of(problem)
  local inflation = diagnostics.inflation(problem, diagnosis.fitted)
  local influential = diagnostics.influential(diagnosis, most_influential)
  local changes, strays, count = effects(problem, diagnosis, influential), nil, nil
  if args.new then strays, count = strays_of(args.new, problem.formula, known, args) end
  local columns = columns_of_effects(problem.formula)
  local tables = { { columns = columns_of_levels, rows = diagnosis.rows } }
  if #inflation > 0 then
    table.insert(tables, { title = "Variance inflation", columns = columns_of_inflation, rows = inflation })
  end
  table.insert(tables, { title = "Coefficients without influential levels", columns = columns, rows = changes })
  if strays and #strays > 0 then
    table.insert(tables, { title = "Outside the training range", columns = columns_of_strays, rows = strays })
  end
  output.report(args.output, output.format(args.format, args.output, "table"), {
    json = json.object { { "rule", rule.name }, { "formula", problem.formula.text }, { "weights", rule.weights },
      { "n", problem.frames.rows }, { "loo_mae", diagnosis.loo_mae },
      { "levels", objects(columns_of_levels, diagnosis.rows) }, { "vif", objects(columns_of_inflation, inflation) },
      { "influential", objects(columns, changes) }, { "outside", strays and objects(columns_of_strays, strays) } },
    tables = tables, notes = notes_of(rule, problem, diagnosis, influential, strays, count),
  })
end

return {
  details = "Fits the formula of a rule by least squares and prints, for each level, the residual, the residual over its "
    .. "standard deviation (R's rstandard), the leverage (hatvalues), Cook's distance, and the residual by the fit to all "
    .. "other levels; for each term, by how much the others inflate the variance of its coefficient; and for the levels whose "
    .. "Cook's distance is above 4 / n, the ten largest, what the coefficients, and the mean absolute error of levels left out "
    .. "one after the other (loo_mae), are without them. --new names the levels of another dataset that lie outside the range "
    .. "of these in a measure. CSV has the levels, JSON everything.",
  arguments = arguments.rule_and_data,
  options = { "formula", "fit",
    { flags = "--new", value = "NEW.csv", doc = "New levels to hold against the range of the measures." },
    "weights", "target", "tolerance", "with", "delimiter", "output", "format" },
  examples = {
    "crux diagnose flow datasets/flow.csv",
    "crux diagnose my-rule.lua datasets/flow.csv --new new-levels.csv",
    "crux diagnose --formula 'difficulty ~ size + corners' datasets/flow.csv --format json",
  },
  problem_of = problem_of,
  effects = effects,
  columns_of_effects = columns_of_effects,
  columns_of_inflation = columns_of_inflation,
  most_influential = most_influential,
  run = run,
}
