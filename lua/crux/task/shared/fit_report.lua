--- The report of a fit: terms, figures and notes, as crux fit prints it.
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local weights = require "crux.judge.weights"

local fit_report = {}

--- A line that names the terms that a fit leaves out; nil without any.
function fit_report.aliased(fitted)
  return fitted.aliased[1] and "Aliased (combinations of the other terms): " .. table.concat(fitted.aliased, ", ") or nil
end

local function notes(fitted, rule)
  local lines = { ("%s ~ %s, %s%s%s"):format(fitted.formula.left, fitted.formula:right_text(), number.count(fitted.n, "row"),
    rule.weights and (", weighted by %s"):format(rule.weights) or "", rule.fit and (", fitted by %s"):format(rule.fit) or "") }
  local function add(...) table.insert(lines, (...):format(select(2, ...))) end
  local function show(value) return number.rounder { value } (value) end
  for name, value in pairs(fitted.chosen or {}) do add("Chosen: %s = %s", name, show(value)) end
  if fitted.objective then add("Minimised %s: %s", fitted.objective[1], show(fitted.objective[2])) end
  if fitted.bootstrap then
    add("Standard errors and 95 %% intervals by bootstrap: %s of the rows, seed %d",
      number.count(fitted.bootstrap.draws, "draw"), fitted.bootstrap.seed)
  end
  if fitted.trouble then add("Did not converge: %s", fitted.trouble) end
  for _, line in ipairs(fitted.method.fit.notes and fitted.method.fit.notes(fitted) or {}) do table.insert(lines, line) end
  table.insert(lines, fit_report.aliased(fitted))
  return lines
end

function fit_report.of(fitted, rule)
  local columns = weights.columns(fitted.terms)
  local fields = { { "formula", fitted.formula.text }, { "target", rule.predicts }, { "n", fitted.n },
    { "weights", rule.weights }, { "fit", fitted.method.text },
    { "terms", json.objects(columns, fitted.terms) }, { "aliased", fitted.aliased } }
  for _, key in ipairs(fitted.method.fit.figures) do table.insert(fields, { key, fitted[key] }) end
  if fitted.parameters then table.insert(fields, { "parameters", json.by_name(fitted.parameters) }) end
  if fitted.chosen then table.insert(fields, { "chosen", json.by_name(fitted.chosen) }) end
  if fitted.objective then
    table.insert(fields, { "objective", json.object { { "what", fitted.objective[1] }, { "value", fitted.objective[2] } } })
  end
  if fitted.bootstrap then table.insert(fields, { "bootstrap", json.by_name(fitted.bootstrap) }) end
  if fitted.converged ~= nil then table.insert(fields, { "converged", fitted.converged }) end
  local further = lists.copy(fitted.tables or {})
  local shown = { #fitted.terms == 0 and table.remove(further, 1) or { columns = columns, rows = fitted.terms } }
  if fitted.components then
    local parts = weights.columns(fitted.components, fitted.component_keys)
    table.insert(fields, { "components", json.objects(parts, fitted.components) })
    table.insert(shown, { title = "Variance components", columns = parts, rows = fitted.components })
  end
  for _, part in ipairs(fitted.tables or {}) do
    table.insert(fields, { part.key, json.objects(part.columns, part.rows) })
  end
  table.move(further, 1, #further, #shown + 1, shown)
  return { json = json.object(fields), tables = shown, notes = notes(fitted, rule) }
end

return fit_report
