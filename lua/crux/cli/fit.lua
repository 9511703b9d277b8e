--- crux fit: estimate the coefficients of a rule's formula.
local arguments = require "crux.cli.arguments"
local design = require "crux.design"
local fit = require "crux.fit"
local inputs = require "crux.cli.inputs"
local json = require "crux.json"
local number = require "crux.number"
local output = require "crux.output"
local system = require "libcrux.system"

local function notes(fitted, rule)
  local round = number.rounder
  local function show(x) return x and x == x and round { x } (x) or "undefined" end
  local lines = {
    ("%s ~ %s, %s%s"):format(rule.predicts, rule.formula.text:match "~%s*(.*)$", number.count(fitted.n, "row"),
      rule.weights and (", weighted by %s"):format(rule.weights) or ""),
    ("Residual standard error: %s on %d degrees of freedom"):format(show(fitted.sigma), fitted.df),
    ("R-squared: %s, adjusted: %s"):format(show(fitted.r_squared), show(fitted.adj_r_squared)),
  }
  if fitted.f then
    table.insert(lines, ("F-statistic: %s on %d and %d degrees of freedom, p-value: %s"):format(show(fitted.f),
      fitted.f_df[1], fitted.f_df[2], number.p(fitted.f_p)))
  end
  table.insert(lines, ("AIC: %s, BIC: %s, log-likelihood: %s"):format(show(fitted.aic), show(fitted.bic),
    show(fitted.log_likelihood)))
  if fitted.perfect then
    table.insert(lines, "The fit is essentially perfect: standard errors, t and p mean nothing")
  end
  if #fitted.aliased > 0 then
    table.insert(lines, "Aliased (combinations of the terms before them): " .. table.concat(fitted.aliased, ", "))
  end
  return lines
end

local function report(fitted, rule)
  local terms = {}
  for i, row in ipairs(fitted.terms) do
    terms[i] = json.object { { "term", row.term }, { "estimate", row.estimate }, { "std_error", row.std_error },
      { "t", row.t }, { "p", row.p } }
  end
  local fields = { { "formula", rule.formula.text }, { "target", rule.predicts }, { "n", fitted.n },
    { "weights", rule.weights }, { "terms", terms }, { "aliased", fitted.aliased } }
  for _, key in ipairs { "sigma", "df", "r_squared", "adj_r_squared", "f", "f_p", "log_likelihood", "aic", "bic" } do
    table.insert(fields, { key, fitted[key] })
  end
  local columns = { { key = "term" }, { key = "estimate" }, { key = "std_error" }, { key = "t" },
    { key = "p", p = true } }
  return { json = json.object(fields), tables = { { columns = columns, rows = fitted.terms } }, notes = notes(fitted, rule) }
end

local function run(args)
  local rule, path = inputs.rule_and_path(args)
  local formula = rule:fitting_formula()
  local data = inputs.data(path, args)
  local frames = design.new(data, { response = rule.predicts, formula = formula, weights = rule.weights,
    who = rule:who() })
  local fitted = inputs.telling(frames, args, fit.least_squares, formula, frames,
    { tolerance = args.tolerance, where = data.name })
  if args.output then
    local name = args.formula and args.output:match "([^/]*)$":gsub("%.lua$", "") or rule.name
    local remark = ("Fitted by crux %s to %s of %s."):format(system.version, number.count(fitted.n, "row"), data.name)
    output.save(args.output, rule:fitted(fitted):with({ name = name }):script(remark))
  end
  output.report(nil, output.format(args.format, nil, "table"), report(fitted, rule))
end

return {
  details = "Fits the formula of a rule to a dataset by (weighted) least squares and prints what R's summary(lm) prints: "
    .. "estimates, standard errors, t, p, R-squared, F, AIC. Rows in which a value is missing are left out. "
    .. "-o writes a rule script with the coefficients in it.",
  arguments = arguments.rule_and_data,
  options = { "formula", "weights", "target", "tolerance",
    { flags = "-o", alias = "--output", value = "RULE.lua", doc = "Write the fitted rule to this file." },
    "with", "delimiter", "format" },
  examples = {
    "crux fit rules/flow.lua datasets/flow.csv -o my-flow.lua",
    "crux fit --formula 'difficulty ~ size + log(colours)' --weights solved datasets/flow.csv",
  },
  run = run,
}
