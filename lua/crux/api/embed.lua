--- The functions that C functions of crux.h call.
local sinks = require "crux.out.sinks"
local dataset = require "crux.data.dataset"
local number = require "crux.base.number"
local rules = require "crux.rule.rule"
local process = require "libcrux.process"

local embed = { load = rules.load, from_formula = rules.from_formula }

local function to_dataset(columns) return dataset.of_vectors("table", columns.columns, columns.vectors, columns.rows) end

--- The ratings of a table { rows, columns, vectors }, as a vector.
function embed.rate(rule, columns)
  local data = to_dataset(columns)
  local next_block = data:blocks { numbers = rule:measures(data), texts = rule:texts(data) }
  return rule:rate(next_block())
end

--- Fits a rule to a table: returns the rule with coefficients, and the Fitted.
function embed.fit(rule, columns)
  rule:fitting_formula()
  return rule:fit_to(to_dataset(columns))
end

--- The known terms of a rule: { term, estimate, std_error, t, p }.
function embed.terms(rule)
  local known, rows = {}, {}
  for _, row in ipairs(rule.estimates and rule.estimates.terms or {}) do known[row.term] = row end
  for i, term in ipairs(rule.formula and rule.formula.terms or {}) do
    rows[i] = known[term.name] or { term = term.name, estimate = rule.coefficients and rule.coefficients[term.name] }
  end
  return rows
end

--- Writes a rule as a script.
function embed.save(rule, path)
  local remark = rule.estimates and ("Fitted by crux %s to %s."):format(process.version, number.count(rule.estimates.n, "row"))
    or ("Written by crux %s."):format(process.version)
  sinks.save(path, rule:script(remark))
end

return embed
