--- The task plot: pictures of datasets, and of rules on datasets.
local ablation = require "crux.task.shared.ablation"
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local correlations = require "crux.judge.correlations"
local dataset = require "crux.data.dataset"
local diagnostics = require "crux.judge.diagnostics"
local fault = require "crux.base.fault"
local figure = require "crux.show.plot.figure"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local learning = require "crux.judge.learning"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.option.options"
local plot = require "crux.show.plot"
local validation = require "crux.task.shared.validation"
local weights = require "crux.judge.weights"

local function predictions(args)
  local rule, path = inputs.rule_and_path(args)
  local evaluations, frame, assigned = validation.evaluate({ rule }, inputs.data(path, args), args, rule.weights,
    { levels = true, alone = true, predictions = true })
  return validation.predictions(rule, evaluations[1], frame, assigned, args)
end

local function residuals(args)
  local rule, path = inputs.rule_and_path(args)
  local problem = diagnostics.problem(rule, inputs.data(path, args), { tolerance = args.tolerance, pass = inputs.pass(args) })
  local data = diagnostics.residuals(problem, diagnostics.of(problem))
  data.worst = args.worst
  return data
end

local function weighted(args)
  local rule, path = inputs.rule_and_path(args)
  local fitted, problem = inputs.fitted(rule, path, args)
  rule:fitting_formula()
  return weights.of(fitted, problem.frames)
end

local function learned(args)
  local rule, path = inputs.rule_and_path(args)
  rule:fittable() -- refuses a rule before the data are opened
  local data = inputs.data(path, args)
  local frame = validation.frames({ rule }, data, args, rule.weights)[1]
  local problem = { formula = frame.formula, where = data.name, tolerance = args.tolerance, scale = rule.scale,
    unconverged = args.unconverged }
  local points = learning.curve(problem, rule.method, frame, validation.assignments(frame, args, data.name), args.seed)
  return { name = rule.name, target = rule.predicts, weights = rule.weights, points = points }
end

--- Reports the number of rows with a missing value; raises a fault if no row is complete.
local function report_missing(data, complete, rows, args)
  if complete == 0 then fault.at(data.name, "no complete row", "at least one without a missing value") end
  if complete < rows then
    args.say(("%s: %s left out: a value is missing"):format(data.name, number.count(rows - complete, "row")))
  end
end

--- Columns of a dataset as vectors, with the names of the levels.
local function columns_of(data, args, names)
  local blocks = {}
  data:expect(names, "plot needs the column")
  for block in data:blocks { numbers = names, levels = true } do table.insert(blocks, block) end
  inputs.report_unmatched(data, args)
  local all = dataset.merged(blocks)
  report_missing(data, #figure.complete(lists.pick(all.numbers, names))[1], all.rows, args)
  return all.numbers, all.levels
end

local max_texts = 40 -- bars of a histogram

--- The texts of a column that are not missing.
local function texts_of(data, column, args)
  local texts, rows = {}, 0
  for block in data:blocks { texts = { column } } do
    for _, text in ipairs(block.texts[column]) do
      if text ~= "" and text ~= "NA" then table.insert(texts, text) end
    end
    rows = rows + block.rows
  end
  report_missing(data, #texts, rows, args)
  local different = #lists.keys(lists.set(texts))
  if different > max_texts then
    fault.at(("%s: column '%s'"):format(data.name, column), ("%d different texts"):format(different),
      ("numbers, or at most %d"):format(max_texts))
  end
  return texts
end

--- The values that a histogram counts: numbers, or the texts of a column if one of them is no number.
local function counted(args)
  local data, column = inputs.data(args.rule, args), args.column
  data:expect({ column }, "plot needs the column")
  local found = { name = column, rows = data.has.player and (data.has.level and "plays" or "players") or "levels" }
  if data:numeric({ column })[1] then
    found.values = columns_of(data, args, { column })[column]
  else
    found.texts = texts_of(data, column, args)
  end
  return found
end

local function correlated(args)
  local data = inputs.data(args.rule, args)
  local rows, measures, targets = correlations.of(data, args)
  inputs.report_unmatched(data, args)
  local values = {}
  for _, target in ipairs(targets) do values[target] = {} end
  for _, row in ipairs(rows) do values[row.y][row.x] = row[args.coefficient] end
  return { measures = measures, targets = targets, values = values,
    coefficient = args.coefficient:gsub("^%l", string.upper) }
end

local function shares(args)
  local study = ablation.study(args.rule, args)
  return { measures = study.measures, shares = study.shares, count = math.min(args.top, #study.subsets), target = args.target }
end

local shared = { "with", "delimiter", "output",
  { flags = "--format", value = "FORMAT", choices = { "svg", "text" }, in_journal = false,
    doc = "How to draw: svg or text. Unless given, by the ending of FILE, .svg or .txt; text on a terminal, else svg." },
  { flags = "--ascii", in_journal = false, doc = "Draw text in ASCII, as is done where the locale has no UTF-8." } }
local of_rules = { "formula", "fit", "weights", "target", "target_falls", "tolerance" }
local of_folds = { "folds", "repeats", "folds_by", "seed", "loo", "group", "unconverged", "as_is" }
local worst = { { flags = "--worst", value = "N", convert = convert.integer(0), default = "5",
  doc = "How many levels of the largest errors are named" } }

--- The shared options and those of some lists, each once.
local function together(...) return options.together { shared, ... } end

---@class PlotKind
---@field name string
---@field doc string
---@field takes_rule boolean?   its arguments are RULE DATA, else DATA
---@field options table[]
---@field data fun(args: table): table   the argument of the function of crux.plot of that name

---@type PlotKind[]
local kinds = {
  { name = "predicted", doc = "predicted against rated, with the names of the levels of the largest errors", takes_rule = true,
    options = together(of_rules, of_folds, worst), data = predictions },
  { name = "errors", doc = "a histogram of the errors of predictions", takes_rule = true,
    options = together(of_rules, of_folds), data = predictions },
  { name = "residuals", doc = "residuals of a least squares fit against its predictions", takes_rule = true,
    options = together(of_rules, worst), data = residuals },
  { name = "quantiles", doc = "the residuals against normal quantiles", takes_rule = true,
    options = together(of_rules, worst), data = residuals },
  { name = "weights", doc = "the weights of the terms with intervals", takes_rule = true,
    options = together(of_rules, { "unconverged",
      options.like("draws", { doc = "Draws of the bootstrap, for fits without standard errors" }),
      options.like("seed", { default = "1", doc = "Seed of the bootstrap" }) }), data = weighted },
  { name = "learning", doc = "the error by the number of rated levels", takes_rule = true,
    options = together(of_rules, { "folds", "seed", "group", "unconverged",
      options.like("repeats", { default = "20", doc = "How many times rows are assigned to folds" }) }),
    data = learned },
  { name = "histogram", doc = "a histogram of the values of a column, numbers or texts",
    options = together { { flags = "--column", value = "COLUMN", default = "difficulty", doc = "The column to count" } },
    data = counted },
  { name = "scatter", doc = "a measure against a target, with a smooth line",
    options = together { { flags = "--x", value = "COLUMN", doc = "The measure." },
      { flags = "--y", value = "COLUMN", default = "difficulty", doc = "The target" } },
    data = function(args)
      if not args.x then fault.raise("expected --x COLUMN", 2) end
      local columns, levels = columns_of(inputs.data(args.rule, args), args, { args.x, args.y })
      return { x = columns[args.x], y = columns[args.y], x_name = args.x, y_name = args.y, levels = levels }
    end },
  { name = "curve", doc = "ratings level by level, in the order of the rows, with intervals of columns _low and _high",
    options = together { { flags = "--y", value = "COLUMN", default = "rating", doc = "The ratings" } },
    data = function(args)
      local data, low, high = inputs.data(args.rule, args), args.y .. "_low", args.y .. "_high"
      local columns, levels = columns_of(data, args, lists.concat({ args.y }, data.has[low] and data.has[high] and { low, high }
        or {}))
      return { values = columns[args.y], name = args.y, levels = levels, lows = columns[low], highs = columns[high] }
    end },
  { name = "correlations", doc = "correlations of measures with targets",
    options = together {
      "x", { flags = "--target", alias = "--y", value = "COLUMNS", convert = convert.names,
        doc = "The targets, separated by commas." },
      { flags = "--coefficient", value = "NAME", choices = { "pearson", "kendall", "spearman" }, default = "pearson",
        doc = "pearson, kendall or spearman" } },
    data = correlated },
  { name = "ablation", doc = "the share of the best subsets that use each measure", options = together(ablation.options),
    data = shares },
}

local names, listed = {}, {}
for i, kind in ipairs(kinds) do
  names[i], names[kind.name] = kind.name, kind
  kind.of = kind.takes_rule and "RULE DATA" or "DATA"
  listed[i] = ("   %-13s %-10s %s"):format(kind.name, kind.of, kind.doc)
end

local listing = { { flags = "--list", doc = "List the kinds instead." } }

--- The options of all kinds.
local all_options = listing
for _, kind in ipairs(kinds) do all_options = together(all_options, kind.options) end

local function check_inputs(kind, args)
  if kind.takes_rule then return end -- inputs.rule_and_path checks them
  if not args.rule then fault.raise("expected DATA", 2) end
  if args.data then fault.raise(("found '%s' behind the dataset, expected nothing"):format(args.data), 2) end
end

local function run(args)
  if args.list then
    return { tables = { { columns = { { key = "name", label = "kind" }, { key = "of" }, { key = "doc" } }, rows = kinds } } }
  end
  local kind = names[args.kind]
  if not kind then fault.unknown(nil, "kind of plot", args.kind, names, 2) end
  check_inputs(kind, args)
  local drawn = plot[kind.name](kind.data(args))
  return { value = drawn, figure = drawn, tables = {},
    json = args.form == "json" and json.object { { "svg", plot.svg(drawn) } } or nil }
end

return {
  summary = "Draw a dataset, or a rule on it.",
  details = "Draws one of these kinds; 'crux plot KIND --help' lists the options of a kind:\n\n" .. table.concat(listed, "\n")
    .. "\n\nEach level is predicted by a fit that has not seen it, in the folds of crux evaluate. SVG is legible on a "
    .. "phone, light or dark as the page is, tells screen readers what it shows, and its points tell which level they are. "
    .. "Colours of text are off when NO_COLOR is set.",
  arguments = { { name = "kind", args = "?", doc = "The kind of plot: see --list." },
    { name = "rule", args = "?", doc = arguments.rule.doc:gsub("%.$", "; for kinds of DATA alone, the dataset.") },
    { name = "data", args = "?", doc = arguments.data.doc } },
  options = all_options,
  options_of = function(name) return names[name] and together(listing, names[name].options) or all_options end,
  examples = {
    "crux plot predicted flow datasets/flow.csv -o predicted.svg",
    "crux plot histogram datasets/move.csv --column moves",
    "crux plot correlations datasets/lazors.csv --target difficulty,time",
    "crux plot learning --formula 'difficulty ~ size + corners' datasets/flow.csv",
  },
  run = run,
}
