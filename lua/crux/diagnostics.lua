--- What a least squares fit hangs on: residuals, leverage, Cook's distance, variance inflation, levels that move it most.
local fault = require "crux.fault"
local ols = require "crux.fits.ols"
local prediction = require "crux.prediction"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local diagnostics = {}

---@class Diagnosis
---@field fitted LeastSquares
---@field columns userdata[]      of the terms that are not aliased
---@field residuals userdata      value less prediction, as the next one a number a row
---@field leverage userdata       0 to 1, the share that the level has in its own prediction: R's hatvalues
---@field rows DiagnosisRow[]
---@field loo_mae number?         mean absolute error of levels that the fit has not seen, by their weights: left out one after
---                               the other, without fitting anew; nil where a level decides a coefficient alone

---@class DiagnosisRow
---@field level string
---@field value number             on the scale of the formula's left side, as the next ones
---@field prediction number
---@field residual number
---@field standardized number?     over its standard deviation: R's rstandard; nil, as the next two, at leverage 1 or without
---                                residual degrees of freedom
---@field leverage number
---@field cooks_distance number?   how far the predictions move without the level: R's cooks.distance
---@field left_out number?         residual by the fit to the other levels

local nearly_one = 1 - 1e-10 -- a leverage that leaves nothing but rounding

--- The weighted mean of the sizes of the residuals of levels left out; nil where the leverage of one is 1.
local function loo_mae(residuals, leverage, weights)
  local _, highest = leverage:range()
  if highest >= nearly_one then return nil end
  return (vector.abs(residuals / (1 - leverage)) * weights):sum() / weights:sum()
end

local function weights_of(frame) return frame.weights or vector.fill(frame.rows, 1) end

--- Fits a formula by least squares; the result has no rows.
---@param problem Problem
---@return Diagnosis
local function fit(problem)
  local frame, fitted = problem.frames, ols.fit(problem)
  local self = { fitted = fitted, columns = prediction.kept(problem.formula, frame.columns, fitted.coefficients) }
  self.residuals = frame.response - problem.formula:combine(frame.columns, fitted.coefficients, frame.rows)
  self.leverage = vector.min(prediction.spread(fitted.inverse, self.columns, frame.rows) * weights_of(frame), 1)
  self.loo_mae = loo_mae(self.residuals, self.leverage, weights_of(frame))
  return self
end

--- Fits a formula by least squares and looks at each level.
---@param problem Problem   its frames are Kept, with levels
---@return Diagnosis
function diagnostics.of(problem)
  local frame, self = problem.frames, fit(problem)
  local sigma, rank = self.fitted.sigma, #self.columns
  self.rows = {}
  for i = 1, frame.rows do
    local weight, offset = frame.weights and frame.weights[i] or 1, frame.offset and frame.offset[i] or 0
    local value, residual, leverage = frame.response[i] + offset, self.residuals[i], self.leverage[i]
    local row = { level = frame.levels[i], value = value, prediction = value - residual, residual = residual,
      leverage = leverage }
    if leverage < nearly_one then
      row.left_out = residual / (1 - leverage)
      local standardized = residual * math.sqrt(weight / (1 - leverage)) / sigma
      if standardized == standardized and sigma > 0 then
        row.standardized = standardized
        row.cooks_distance = standardized ^ 2 * leverage / (1 - leverage) / rank
      end
    end
    self.rows[i] = row
  end
  return self
end

--- By how much the others inflate the variance of a term's coefficient: 1 / (1 - R squared) of the term explained by them,
--- weighted as the fit. Of formulas without an intercept R squared is that around 0.
---@param problem Problem
---@param fitted LeastSquares
---@return { term: string, vif: number }[]   without the intercept and aliased terms
function diagnostics.inflation(problem, fitted)
  local frame, found, errors = problem.frames, {}, {}
  local weights = weights_of(frame)
  for _, row in ipairs(fitted.terms) do errors[row.term] = row.unit_error end
  for i, term in ipairs(problem.formula.terms) do
    local column = frame.columns[i]
    if errors[term.name] and #term.factors > 0 then
      if problem.formula.intercept then column = column - (column * weights):sum() / weights:sum() end
      table.insert(found, { term = term.name, vif = errors[term.name] ^ 2 * (column * column * weights):sum() })
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
---@return Diagnosis?   without rows
function diagnostics.without(problem, rows)
  local is_out, others = {}, {}
  for _, row in ipairs(rows) do is_out[row] = true end
  for row = 1, problem.frames.rows do
    if not is_out[row] then table.insert(others, row) end
  end
  local ok, found = pcall(fit, setmetatable({ frames = problem.frames:select(vector.of(others)) }, { __index = problem }))
  if ok then return found end
  if not fault.is(found) then error(found, 0) end
end

--- The coefficients and loo_mae without one level, from the fit to all, as R's lm.influence; by a fit to the others where the
--- leverage of the level is 1 or they are too few.
---@param problem Problem
---@param diagnosis Diagnosis
---@param row integer
---@return { fitted: { coefficients: table<string, number> }, loo_mae: number? }?
function diagnostics.without_level(problem, diagnosis, row)
  local fitted, leverage, weights = diagnosis.fitted, diagnosis.leverage, weights_of(problem.frames)
  if leverage[row] >= nearly_one or fitted.n <= #problem.formula.terms then
    return diagnostics.without(problem, { row })
  end
  local x, coefficients, shared, others = {}, {}, 0, {}
  for k, column in ipairs(diagnosis.columns) do x[k] = column[row] end
  for i = 1, #weights do others[i] = i == row and 0 or 1 end
  local direction = solver_type.covariances(vector.of(fitted.inverse), vector.of(x))
  local share = weights[row] / (1 - leverage[row])
  local change = share * diagnosis.residuals[row]
  for k, term in ipairs(fitted.terms) do
    coefficients[term.term] = term.estimate - change * direction[k]
    shared = shared + diagnosis.columns[k] * direction[k]
  end
  others = vector.of(others)
  shared = shared * others
  return { fitted = { coefficients = coefficients }, loo_mae = loo_mae(diagnosis.residuals + shared * change,
    leverage + weights * shared ^ 2 * share, weights * others) }
end

return diagnostics
