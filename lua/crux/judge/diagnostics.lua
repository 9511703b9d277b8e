--- What a least squares fit hangs on: residuals, leverage, Cook's distance, variance inflation, levels that move it most.
local fault = require "crux.base.fault"
local ols = require "crux.fit.ols"
local prediction = require "crux.rule.prediction"
local vector = require "libcrux.vector"

local diagnostics = {}

---@class Diagnosis
---@field fitted LeastSquares
---@field rows DiagnosisRow[]
---@field loo_mae number?     mean absolute error of levels that the fit has not seen, by their weights: left out one after the
---                           other, without fitting anew; nil where a level decides a coefficient alone

---@class DiagnosisRow
---@field level string
---@field value number             on the scale of the formula's left side, as the next ones
---@field prediction number
---@field residual number          value less prediction
---@field standardized number?     over its standard deviation: R's rstandard; nil, as the next two, at leverage 1 or without
---                                residual degrees of freedom
---@field leverage number          0 to 1, the share that the level has in its own prediction: R's hatvalues
---@field cooks_distance number?   how far the predictions move without the level: R's cooks.distance
---@field left_out number?         residual by the fit to the other levels

local nearly_one = 1 - 1e-10 -- a leverage that leaves nothing but rounding

--- The weighted mean of the sizes of left_out; nil when one is missing.
local function loo_mae(rows, weights)
  local sum, whole = 0, 0
  for i, row in ipairs(rows) do
    if not row.left_out then return nil end
    local weight = weights and weights[i] or 1
    sum, whole = sum + weight * math.abs(row.left_out), whole + weight
  end
  return sum / whole
end

--- Fits a formula by least squares and looks at each level.
---@param problem Problem   its frames are Kept, with levels
---@return Diagnosis
function diagnostics.of(problem)
  local frame, formula = problem.frames, problem.formula
  local fitted = ols.fit(problem)
  local kept = prediction.kept(formula, frame.columns, fitted.coefficients)
  local predicted = formula:combine(frame.columns, fitted.coefficients, frame.rows)
  local spread, rank = prediction.spread(fitted.inverse, kept), #kept
  local rows = {}
  for i = 1, frame.rows do
    local weight, offset = frame.weights and frame.weights[i] or 1, frame.offset and frame.offset[i] or 0
    local row = { level = frame.levels[i], value = frame.response[i] + offset, prediction = predicted[i] + offset,
      residual = frame.response[i] - predicted[i], leverage = math.min(1, weight * spread[i]) }
    if row.leverage < nearly_one then
      row.left_out = row.residual / (1 - row.leverage)
      local standardized = row.residual * math.sqrt(weight / (1 - row.leverage)) / fitted.sigma
      if standardized == standardized and fitted.sigma > 0 then
        row.standardized = standardized
        row.cooks_distance = standardized ^ 2 * row.leverage / (1 - row.leverage) / rank
      end
    end
    rows[i] = row
  end
  return { fitted = fitted, rows = rows, loo_mae = loo_mae(rows, frame.weights) }
end

--- By how much the others inflate the variance of a term's coefficient: 1 / (1 - R squared) of the term explained by them,
--- weighted as the fit. Of formulas without an intercept R squared is that around 0.
---@param problem Problem
---@param fitted LeastSquares
---@return { term: string, vif: number }[]   without the intercept and aliased terms
function diagnostics.inflation(problem, fitted)
  local frame, found = problem.frames, {}
  local weights = frame.weights or vector.fill(frame.rows, 1)
  local kept, inverse, variances = {}, fitted.inverse, {}
  for i, term in ipairs(problem.formula.terms) do
    if fitted.coefficients[term.name] then table.insert(kept, i) end
  end
  local place = 0
  for k in ipairs(kept) do
    for i = 1, k do
      place = place + 1
      variances[i] = (variances[i] or 0) + inverse[place] ^ 2
    end
  end
  for k, i in ipairs(kept) do
    local column, term = frame.columns[i], problem.formula.terms[i]
    if #term.factors > 0 then
      if problem.formula.intercept then column = column - (column * weights):sum() / weights:sum() end
      table.insert(found, { term = term.name, vif = variances[k] * (column * column * weights):sum() })
    end
  end
  return found
end

--- The levels whose Cook's distance is above 4 / n (K. A. Bollen, R. W. Jackman, in: Modern Methods of Data Analysis, 1990),
--- the largest first. None when the fit is perfect: it hangs on no level.
---@param diagnosis Diagnosis
---@param most integer
---@return integer[]   their rows
function diagnostics.influential(diagnosis, most)
  local rows, n = {}, #diagnosis.rows
  if diagnosis.fitted.sigma == 0 or diagnosis.fitted.perfect then return {} end
  for i, row in ipairs(diagnosis.rows) do
    if (row.cooks_distance or math.huge) > 4 / n then table.insert(rows, i) end
  end
  local function distance(row) return diagnosis.rows[row].cooks_distance or math.huge end
  table.sort(rows, function(a, b)
    if distance(a) ~= distance(b) then return distance(a) > distance(b) end
    return a < b
  end)
  return table.move(rows, 1, math.min(most, #rows), 1, {})
end

--- What is found without some levels; nil when the others are too few.
---@param problem Problem
---@param rows integer[]
---@return Diagnosis?
function diagnostics.without(problem, rows)
  local is_out, others = {}, {}
  for _, row in ipairs(rows) do is_out[row] = true end
  for row = 1, problem.frames.rows do
    if not is_out[row] then table.insert(others, row) end
  end
  local ok, found = pcall(diagnostics.of, setmetatable({ frames = problem.frames:select(vector.of(others)) },
    { __index = problem }))
  if ok then return found end
  if not fault.is(found) then error(found, 0) end
end

return diagnostics
