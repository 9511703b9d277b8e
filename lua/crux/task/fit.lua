--- The task fit: estimates the coefficients of a rule's formula.
local arguments = require "crux.option.arguments"
local fit_report = require "crux.task.shared.fit_report"
local fits = require "crux.fit.fits"
local fault = require "crux.base.fault"
local functions = require "crux.formula.functions"
local inputs = require "crux.task.shared.inputs"
local number = require "crux.base.number"
local options = require "crux.option.options"
local prediction = require "crux.rule.prediction"
local process = require "libcrux.process"

--- A row for each fit, and one for each of its options.
local function list()
  local rows = {}
  for _, fit in ipairs(fits.rows()) do
    table.insert(rows, { fit = fit.name, doc = fit.doc })
    if fit.items then table.insert(rows, { fit = fit.name, option = "...", doc = fit.items }) end
    for _, option in ipairs(fit.options or {}) do
      local default = option.default and ("%s"):format(option.default)
      table.insert(rows, { fit = fit.name, option = option.name, default = default, doc = option.doc })
    end
  end
  return { json = rows,
    tables = { { columns = { { key = "fit" }, { key = "option" }, { key = "default" }, { key = "doc" } }, rows = rows } } }
end

--- The data that a fitted rule keeps for prediction intervals.
local function intervals_of(fitted, problem, args)
  if args.intervals == "none" or not args.intervals and fitted.has_intervals == false then return nil end
  local found = args.intervals ~= "conformal" and prediction.of_fit(fitted)
  if found or args.intervals == "fit" then
    if not found then
      fault.at("--intervals", ("fit '%s' of %s"):format(fitted.method.text, number.count(fitted.n, "row")),
        "ols or wls with more rows than terms; or --intervals conformal")
    end
    return found
  end
  local frames = problem.frames.keep and problem.frames:keep() or problem.frames
  local stored = setmetatable({ frames = frames }, { __index = problem })
  local conformal = require "crux.judge.conformal" -- only here: cross-validation takes a millisecond to load
  local ok, conformal_intervals, unseen = fault.catch(conformal.intervals, fitted.method, stored, args.seed)
  if ok then
    require "crux.task.shared.validation".report_unseen(problem.where, unseen, args)
    return conformal_intervals
  end
  if args.intervals then error(conformal_intervals, 0) end
  args.say(("no prediction intervals: %s"):format(conformal_intervals.message)) -- not requested
end

local function script_of(rule, fitted, problem, args)
  if rule.tunable then
    if args.game then fault.at("--game", "a Lua function as the formula", "a field 'game' in its script") end
    if args.intervals and args.intervals ~= "none" then
      fault.at("--intervals", "a Lua function as the formula", "a formula string, beside which a script keeps them")
    end
    return rule:tuned_script(fitted)
  end
  fitted.method:expect_rule("-o")
  local intervals = intervals_of(fitted, problem, args)
  local name = args.formula and inputs.output_name(args) or rule.name
  local remark = ("Fitted by crux %s to %s of %s."):format(process.version, number.count(fitted.n, "row"), problem.where)
  rule = rule:fitted(fitted):with { name = name, ranges = problem.frames.ranges, intervals = intervals }
  return inputs.for_game(rule, args):script(remark)
end

local function run(args)
  if args.list then return list() end
  local rule, path = inputs.rule_and_path(args)
  local fitted, problem = inputs.fitted(rule, path, args)
  local report = fit_report.of(fitted, rule)
  report.value, report.script = fitted, args.output and script_of(rule, fitted, problem, args)
  return report
end

--- The language of formulas, for the help.
local function language()
  local calls = {}
  for i, row in ipairs(functions) do calls[i] = ("%s (%s)"):format(row.usage, row.doc) end
  return "Formulas are written as in R: a + b; a:b, their product; a*b for a + b + a:b; a/b for a + a:b; b %in% a for a:b; "
    .. "(a + b)^2; - b takes a term away; -1 or + 0 takes the intercept away; . stands for all other measures, the columns of "
    .. "numbers but the target, the weights, known targets (difficulty, scaled, time, moves_used, enjoyment), solved and "
    .. "skipped. Functions: " .. table.concat(calls, "; ") .. ". The left side may be log (log10, log2, log1p), sqrt "
    .. "or exp of the target: then the table is on that scale, while ratings and errors are on the target's. The fitted rule "
    .. "keeps the values that poly and factor computed from the data."
end

return {
  summary = "Estimate a formula's coefficients.",
  details = "Fits the formula of a rule to a dataset, by (weighted) least squares unless --fit or the rule says otherwise, and "
    .. "prints what R's summary(lm) prints: estimates, standard errors, t, p, R-squared, F, AIC. A fit that knows no standard "
    .. "errors has 95 % intervals of the bootstrap instead. Rows in which a value is missing are left out. -o writes a rule "
    .. "script with the coefficients in it.\n\nA rule may be a Lua function of measures and of numbers that it lists: params = "
    .. "{ a = 0.3, b = { 2, low = 0, high = 5 } }, formula = function(v, p) return p.a * v.size ^ p.b end. It rates with them "
    .. "as it stands; fit tunes them by least squares within their bounds (the fit tune), and -o writes the same script with "
    .. "other numbers in its params.\n\n" .. language(),
  arguments = arguments.rule_and_data,
  options = { "formula", "fit", "weights", "target", "target_falls", "tolerance", "unconverged",
    { flags = "--list", doc = "List the fits and their options instead." },
    "draws",
    { flags = "--intervals", value = "KIND", choices = { "fit", "conformal", "none" },
      doc = "Kept by -o for crux rate --interval: fit, the distribution of ols and wls; conformal, for any fit, the "
        .. "errors of fits to 9 of 10 folds on the tenth; or none. Unless given, the first that the fit has." },
    options.like("seed", { default = "1", doc = "Seed of the bootstrap and of the folds" }),
    options.like("rule_output", { doc = "Write the fitted rule to this file." }), "game_of_output",
    "with", "delimiter", "format" },
  examples = {
    "crux fit rules/flow.lua datasets/flow.csv -o my-flow.lua",
    "crux fit --formula 'difficulty ~ size + log(colours)' --weights solved datasets/flow.csv",
    "crux fit flow datasets/flow.csv --fit wls",
    "crux fit examples/tuned.lua datasets/flow.csv -o tuned.lua",
  },
  writes_rule = true,
  run = run,
}
