--- crux plot: pictures of datasets, and of rules on them, as SVG or as characters.
local ablate = require "crux.cli.ablate"
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local correlate = require "crux.cli.correlate"
local diagnose = require "crux.cli.diagnose"
local diagnostics = require "crux.judge.diagnostics"
local fault = require "crux.base.fault"
local figure = require "crux.show.plot.figure"
local fit = require "crux.cli.fit"
local inputs = require "crux.cli.inputs"
local intervals = require "crux.stats.intervals"
local learning = require "crux.judge.learning"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local options = require "crux.cli.options"
local output = require "crux.out.output"
local plot = require "crux.show.plot"
local scores = require "crux.cli.scores"
local system = require "libcrux.system"

--- How levels are predicted, in words.
local function how(rule, formula, assigned, args)
  if not formula then return rule.formula and "by the rule's own coefficients" or "by the rule as it stands" end
  return "cross-validated in " .. scores.folds_text(assigned, args)
end

--- Predictions of the levels by cross-validation, as plot.predicted and plot.errors take them.
---@param evaluation Evaluation
---@param frame Kept
---@param assigned userdata[]   folds
local function predictions_of(rule, evaluation, frame, assigned, args)
  return { levels = frame.levels, values = frame.target, predictions = evaluation.predictions(), target = rule.predicts,
    how = how(rule, evaluation.formula, assigned, args), worst = args.worst }
end

local function predictions(args)
  local rule, path = inputs.rule_and_path(args)
  local evaluations, frame, assigned = scores.evaluate({ rule }, inputs.data(path, args), args, rule.weights,
    { levels = true, alone = true })
  return predictions_of(rule, evaluations[1], frame, assigned, args)
end

--- Standardized residuals of a least squares fit, as plot.residuals and plot.quantiles take them.
---@param problem Problem
---@param diagnosis Diagnosis
local function residuals_of(problem, diagnosis, args)
  local levels, predicted, standardized = {}, {}, {}
  for i, row in ipairs(diagnosis.rows) do
    levels[i], predicted[i], standardized[i] = row.level, row.prediction, row.standardized or 0 / 0
  end
  return { levels = levels, predictions = predicted, residuals = standardized, target = problem.formula.left,
    worst = args.worst }
end

local function residuals(args)
  local rule, path = inputs.rule_and_path(args)
  local problem = diagnose.problem_of(rule, inputs.data(path, args), args)
  return residuals_of(problem, diagnostics.of(problem), args)
end

--- The standard deviation of a vector.
local function deviation(values)
  local rest = values - values:sum() / #values
  return math.sqrt((rest * rest):sum() / (#values - 1))
end

--- The ends of the 95 % interval of a term: its own, or by Student's t or, of fits that have none, the normal distribution.
local function interval_of(row, fitted)
  if row.low or not row.std_error then return row.low, row.high end
  local reach = row.std_error * (row.t and intervals.t(0.95, fitted.df) or intervals.normal(0.95))
  return row.estimate - reach, row.estimate + reach
end

--- The weights of a fit to formula strings, as plot.weights takes them.
---@param fitted Fitted
---@param frames Design|Kept
local function weights_of(fitted, frames)
  local columns, spreads, rows, left_out = frames:keep().columns, {}, {}, {}
  for i, term in ipairs(fitted.formula.terms) do spreads[term.name] = deviation(columns[i]) end
  for _, row in ipairs(fitted.terms) do
    local low, high = interval_of(row, fitted)
    local spread = spreads[row.term]
    if spread > 0 and number.is_finite(row.estimate * spread) then
      table.insert(rows, { term = row.term, estimate = row.estimate, spread = spread, low = low, high = high })
    else
      table.insert(left_out, row.term)
    end
  end
  return { weights = rows, target = fitted.formula.left, left_out = left_out }
end

local function weights(args)
  local rule, fitted, frames = fit.fitted_to(args)
  rule:fitting_formula()
  return weights_of(fitted, frames)
end

local function learned(args)
  local rule, path = inputs.rule_and_path(args)
  local formula, data = rule:fittable(), inputs.data(path, args)
  local frame = scores.frames({ rule }, data, args, rule.weights)[1]
  local problem = { formula = frame.formula or formula, where = data.name, tolerance = args.tolerance, scale = rule.scale,
    unconverged = args.unconverged }
  local points = learning.curve(problem, rule.method, frame, scores.assignments(frame, args, data.name), args.seed or 1)
  return { name = rule.name, target = rule.predicts, weights = rule.weights, points = points }
end

--- Columns of a dataset as vectors, with the names of the levels.
local function columns_of(args, names)
  local data, levels, columns, lists = inputs.data(args.rule, args), {}, {}, {}
  data:expect(names, "plot needs the column")
  for i, name in ipairs(names) do
    columns[name] = columns[name] or {}
    lists[i] = columns[name]
  end
  for block in data:blocks { numbers = names, levels = true } do
    table.move(block.levels, 1, block.rows, #levels + 1, levels)
    for name, list in pairs(columns) do
      for row = 1, block.rows do table.insert(list, block.numbers[name][row]) end
    end
  end
  inputs.tell_unmatched(data, args)
  local complete = #figure.complete(lists)
  if complete == 0 then fault.at(data.name, "no complete row", "at least one without a missing value") end
  if complete < #levels then
    output.say(("%s: %s left out: a value is missing"):format(data.name, number.count(#levels - complete, "row")))
  end
  return columns, levels
end

local function correlations(args)
  local rows, measures, targets = correlate.pairs_of(setmetatable({ data = args.rule }, { __index = args }))
  local values = {}
  for _, target in ipairs(targets) do values[target] = {} end
  for _, row in ipairs(rows) do values[row.y][row.x] = row[args.coefficient] end
  return { measures = measures, targets = targets, values = values,
    coefficient = args.coefficient:gsub("^%l", string.upper) }
end

local function shares(args)
  local study = ablate.study(setmetatable({ data = args.rule }, { __index = args }), args.top)
  return { measures = study.measures, shares = study.shares, count = math.min(args.top, #study.subsets), target = args.target }
end

local shared = { "with", "delimiter", "output",
  { flags = "--format", value = "FORMAT", choices = { "svg", "text" },
    doc = "How to draw: svg or text. Unless given, by the ending of FILE, .svg or .txt; text on a terminal, else svg." },
  { flags = "--ascii", doc = "Draw text in ASCII, as is done where the locale has no UTF-8." } }
local of_rules = { "formula", "fit", "weights", "target", "tolerance" }
local of_folds = { "folds", "shuffle", "seed", "loo", "group", "unconverged",
  { flags = "--as-is", doc = "Judge the stored coefficients instead of refitting." } }
local worst = { { flags = "--worst", value = "N", convert = convert.integer("--worst", 0), default = "5",
  doc = "How many levels are named, those that are furthest off" } }

--- The rows of some lists of options, each once.
local function together(...)
  local rows, known = {}, {}
  for _, list in ipairs { shared, ... } do
    for _, row in ipairs(list) do
      local flags = row.flags or options[row].flags
      if not known[flags] then table.insert(rows, row) end
      known[flags] = true
    end
  end
  return rows
end

---@class PlotKind
---@field name string
---@field doc string
---@field takes_rule boolean?   RULE DATA rather than DATA
---@field options table[]
---@field data fun(args: table): table   what the function of crux.plot of that name takes

---@type PlotKind[]
local kinds = {
  { name = "predicted", doc = "predicted against rated, with the names of the levels furthest off", takes_rule = true,
    options = together(of_rules, of_folds, worst), data = predictions },
  { name = "errors", doc = "how often predictions are how far off", takes_rule = true,
    options = together(of_rules, of_folds), data = predictions },
  { name = "residuals", doc = "what a least squares fit leaves over, against what it says", takes_rule = true,
    options = together(of_rules, worst), data = residuals },
  { name = "quantiles", doc = "the same against normal quantiles", takes_rule = true,
    options = together(of_rules, worst), data = residuals },
  { name = "weights", doc = "the weights of the terms with intervals", takes_rule = true,
    options = together(of_rules, { "unconverged",
      { flags = "--draws", value = "N", convert = convert.integer("--draws", 0), default = "200",
        doc = "Draws of the bootstrap, for fits without standard errors" },
      { flags = "--seed", value = "N", convert = convert.integer("--seed", 0), default = "1",
        doc = "Seed of the bootstrap" } }),
    data = weights },
  { name = "learning", doc = "the error by the number of rated levels", takes_rule = true,
    options = together(of_rules, { "folds", "seed", "group", "unconverged", { flags = "--repeats", value = "R",
      convert = convert.integer("--repeats", 1), default = "20", doc = "Assign rows to folds so many times" } }),
    data = learned },
  { name = "histogram", doc = "how often the values of a column occur",
    options = together { { flags = "--column", value = "COLUMN", default = "difficulty", doc = "What to count" } },
    data = function(args)
      return { values = columns_of(args, { args.column })[args.column], name = args.column }
    end },
  { name = "scatter", doc = "a measure against a target, with a smooth line",
    options = together { { flags = "--x", value = "COLUMN", doc = "The measure." },
      { flags = "--y", value = "COLUMN", default = "difficulty", doc = "The target" } },
    data = function(args)
      if not args.x then fault.raise("expected --x COLUMN", 2) end
      local columns, levels = columns_of(args, { args.x, args.y })
      return { x = columns[args.x], y = columns[args.y], x_name = args.x, y_name = args.y, levels = levels }
    end },
  { name = "correlations", doc = "how measures go together with targets",
    options = together {
      { flags = "--x", value = "COLUMNS", convert = convert.names, doc = "The measures, separated by commas." },
      { flags = "--target", alias = "--y", value = "COLUMNS", convert = convert.names,
        doc = "The targets, separated by commas." },
      { flags = "--coefficient", value = "NAME", choices = { "pearson", "kendall", "spearman" }, default = "pearson",
        doc = "pearson, kendall or spearman" } },
    data = correlations },
  { name = "ablation", doc = "how many of the best subsets of the measures use each", options = together(ablate.options),
    data = shares },
}

local names, listed = {}, {}
for i, kind in ipairs(kinds) do
  names[i], names[kind.name] = kind.name, kind
  kind.of = kind.takes_rule and "RULE DATA" or "DATA"
  listed[i] = ("   %-13s %-10s %s"):format(kind.name, kind.of, kind.doc)
end

--- The kind that a command line names; nil where it names none.
local function kind_in(words)
  for _, word in ipairs(words or {}) do
    if type(names[word]) == "table" then return names[word] end
  end
end

local function format_of(args)
  if args.format or not args.output then
    return args.format or system.is_terminal(io.stdout) and "text" or "svg"
  end
  local ending = args.output:match "%.(%w+)$"
  if ending and ending ~= "svg" and ending ~= "txt" then
    fault.raise(("%s: found the ending '%s', expected svg or txt, or --format svg|text"):format(args.output, ending), 2)
  end
  return ending == "txt" and "text" or "svg"
end

local widest = 120 -- characters of text

--- How characters are drawn: as wide and as colourful as the terminal, if that is where they go.
local function terminal_of(args)
  local is_terminal = not args.output and system.is_terminal(io.stdout)
  local has_colours = is_terminal and (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb"
  return { width = is_terminal and math.min(system.columns(io.stdout) or 80, widest) or nil, colours = has_colours,
    ascii = args.ascii or not args.output and not system.is_utf8() }
end

local function check_inputs(kind, args)
  if kind.takes_rule then return end -- inputs.rule_and_path looks at them
  if not args.rule then fault.raise("expected DATA", 2) end
  if args.data then fault.raise(("found '%s' behind the dataset, expected nothing"):format(args.data), 2) end
end

local function run(args)
  if args.list then
    return output.table(args.output, "table", { { key = "name", label = "kind" }, { key = "of" }, { key = "doc" } }, kinds)
  end
  local kind = names[args.kind]
  if not kind then
    fault.raise(("found %s, expected a kind of plot; %s"):format(args.kind and fault.show(args.kind) or "none",
      nearest.hint(args.kind or "", names)), 2)
  end
  check_inputs(kind, args)
  local format = format_of(args)
  local drawn = plot[kind.name](kind.data(setmetatable({ repeats = args.repeats or 1 }, { __index = args })))
  local sink <close> = output.open(args.output)
  sink:colour(format == "svg" and plot.svg(drawn) or plot.text(drawn, terminal_of(args)))
  sink:commit()
end

return {
  details = "Draws one of these kinds; 'crux plot KIND --help' lists the options of a kind:\n\n" .. table.concat(listed, "\n")
    .. "\n\nWhat is predicted is predicted by fits that have not seen it, in the folds of crux evaluate. SVG is legible on a "
    .. "phone, light or dark as the page is, tells screen readers what it shows, and its points tell which level they are. "
    .. "Colours of text are off when NO_COLOR is set.",
  arguments = { { name = "kind", args = "?", doc = "What to draw: see --list." },
    { name = "rule", args = "?", doc = arguments.rule.doc:gsub("%.$", "; for kinds of DATA alone, the dataset.") },
    { name = "data", args = "?", doc = arguments.data.doc } },
  options = function(words)
    local kind, all = kind_in(words), {}
    for i, one in ipairs(kinds) do all[i] = one.options end
    return together({ { flags = "--list", doc = "List the kinds instead." } }, table.unpack(kind and { kind.options } or all))
  end,
  examples = {
    "crux plot predicted flow datasets/flow.csv -o predicted.svg",
    "crux plot histogram datasets/move.csv --column moves",
    "crux plot correlations datasets/lazors.csv --target difficulty,time",
    "crux plot learning --formula 'difficulty ~ size + corners' datasets/flow.csv",
  },
  predictions_of = predictions_of,
  residuals_of = residuals_of,
  weights_of = weights_of,
  interval_of = interval_of,
  run = run,
}
