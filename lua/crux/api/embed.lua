--- What the C functions of crux.h call.
local dataset = require "crux.data.dataset"
local number = require "crux.base.number"
local output = require "crux.out.output"
local rule = require "crux.rule.rule"
local system = require "libcrux.system"

local embed = { load = rule.load, from_formula = rule.from_formula }

local function to_dataset(columns) return dataset.of_vectors("table", columns.columns, columns.vectors, columns.rows) end

--- The ratings of a table { rows, columns, vectors }, as a vector.
function embed.rate(self, columns)
  local data = to_dataset(columns)
  local next_block = data:blocks { numbers = self:measures(data), texts = self:texts(data) }
  return self:rate(next_block())
end

--- Fits a rule to a table: a rule with the coefficients, and the fitted numbers.
function embed.fit(self, columns)
  self:fitting_formula()
  return self:fit_to(to_dataset(columns))
end

--- The terms of a rule: { term, estimate, std_error, t, p }, as far as they are known.
function embed.terms(self)
  local known, rows = {}, {}
  for _, row in ipairs(self.estimates and self.estimates.terms or {}) do known[row.term] = row end
  for i, term in ipairs(self.formula and self.formula.terms or {}) do
    rows[i] = known[term.name] or { term = term.name, estimate = self.coefficients and self.coefficients[term.name] }
  end
  return rows
end

--- Writes a rule as a script.
function embed.save(self, path)
  local remark = self.estimates and ("Fitted by crux %s to %s."):format(system.version, number.count(self.estimates.n, "row"))
    or ("Written by crux %s."):format(system.version)
  output.save(path, self:script(remark))
end

return embed
