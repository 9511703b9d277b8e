--- The weights of the terms of a fit, for tables and plots.
local intervals = require "crux.stats.intervals"
local number = require "crux.base.number"

local weights = {}

--- The figures of a term, in the order of tables.
local figures_of_terms = { "term", "estimate", "std_error", "df", "t", "z", "p", "low", "high" }

--- The columns of a table of terms, or of other rows: the figures that any row has.
---@param rows FittedTerm[]|table[]
---@param keys string[]?   of other rows
function weights.columns(rows, keys)
  local columns = {}
  for _, key in ipairs(keys or figures_of_terms) do
    local some = key == "term" or key == "estimate"
    for _, row in ipairs(rows) do some = some or row[key] ~= nil end
    if some then table.insert(columns, { key = key, p = key == "p" }) end
  end
  return columns
end

local function deviation(values)
  local rest = values - values:sum() / #values
  return math.sqrt((rest * rest):sum() / (#values - 1))
end

--- The ends of the 95 % interval of a term: as fitted, else by Student's t or, for fits without t, the normal distribution.
---@param row FittedTerm
---@return number? low
---@return number? high
function weights.interval(row, fitted)
  if row.low or not row.std_error then return row.low, row.high end
  local reach = row.std_error * (row.t and intervals.t(0.95, row.df or fitted.df) or intervals.normal(0.95))
  return row.estimate - reach, row.estimate + reach
end

--- The weights of a fit to formula strings, as plot.weights takes them.
---@param frames Design|StoredFrame   of the fit
function weights.of(fitted, frames)
  local columns, spreads, rows, left_out = (frames.keep and frames:keep() or frames).columns, {}, {}, {}
  for i, term in ipairs(fitted.formula.terms) do spreads[term.name] = deviation(columns[i]) end
  for _, row in ipairs(fitted.terms) do
    local low, high = weights.interval(row, fitted)
    local spread = spreads[row.term]
    if spread > 0 and number.is_finite(row.estimate * spread) then
      table.insert(rows, { term = row.term, estimate = row.estimate, spread = spread, low = low, high = high })
    else
      table.insert(left_out, row.term)
    end
  end
  return { weights = rows, target = fitted.formula.left, left_out = left_out }
end

return weights
