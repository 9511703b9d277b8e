--- Subsets of measures or terms: which columns may take part, the errors of the subsets in splits of the rows, and the best.
local fault = require "crux.base.fault"
local formula = require "crux.formula.formula"
local lists = require "crux.base.lists"
local ols = require "crux.fit.ols"
local sweep = require "libcrux.subsets"

local subsets = {}

--- Parses the formula of a left side and terms, as formulas write them.
---@param terms string[]
function subsets.formula(left, terms) return formula.parse(("%s ~ %s"):format(left, table.concat(terms, " + "))) end

--- Names of columns as formulas write them, in backticks.
---@param measures string[]
function subsets.quoted(measures) return lists.map(measures, function(measure) return ("`%s`"):format(measure) end) end

--- Refuses a measure that is named twice, or that is the target.
---@param measures string[]
function subsets.check_names(data, target, measures)
  local seen = { [target] = true }
  for _, measure in ipairs(measures) do
    if seen[measure] then
      fault.at(("%s: column '%s'"):format(data.name, measure), measure == target and "the target" or "the measure twice",
        "measures that differ")
    end
    seen[measure] = true
  end
end

--- Tells whether the numbers of a column differ.
function subsets.is_varied(column)
  local low, high = column:range()
  return low ~= high
end

--- Refuses a column that is the same in all rows.
---@param where string      names the data in messages
function subsets.expect_varied(where, name, column, expected)
  if not subsets.is_varied(column) then
    fault.at(("%s: column '%s'"):format(where, name), ("%s in all rows"):format(fault.show(column[1])), expected)
  end
end

--- Splits of rows into folds, of which libcrux.subsets computes the errors of subsets.
---@param frame StoredFrame   its first column is the intercept's
---@param assignments userdata[]?   of crossval.assignments; without them all rows are fitted and predicted at once
---@param tolerance number?
function subsets.splits(frame, assignments, tolerance)
  local outside, inside = {}, {}
  for time = 1, assignments and #assignments or 1 do
    local without, within = ols.solvers(frame, #frame.columns, assignments and assignments[time])
    outside, inside = lists.concat(outside, without), lists.concat(inside, within)
  end
  return fault.check(sweep.splits(outside, inside, tolerance or ols.tolerance))
end

---@class RankedSubset
---@field set integer[]   numbers of measures, ascending
---@field mse number

--- The best subsets, best first; of equal ones the smaller first, then the one with the earlier measures.
---@param errors userdata     of splits:errors, like the next
---@param count integer       at most
---@param size integer?       measures in a subset; any number but none unless given
function subsets.best(errors, numbers, count, size)
  local best = sweep.best(errors, numbers, count, size)
  for i, place in ipairs(best) do
    local set, bits, measure = {}, numbers[place] // 1 | 0, 1
    while bits > 0 do
      if bits & 1 == 1 then table.insert(set, measure) end
      bits, measure = bits >> 1, measure + 1
    end
    best[i] = { set = set, mse = errors[place] }
  end
  return best
end

return subsets
