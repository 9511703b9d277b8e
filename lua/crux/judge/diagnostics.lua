--- What a least squares fit hangs on: residuals, leverage, Cook's distance, variance inflation, levels that move it most.
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local ols = require "crux.fit.ols"
local prediction = require "crux.rule.prediction"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local diagnostics = {}

--- The most levels that diagnostics.influential names, unless it is told otherwise.
diagnostics.most_influential = 10

--- The columns of a table of diagnostics.inflation.
---@type Column[]
diagnostics.inflation_columns = { { key = "term" }, { key = "vif" }, { key = "df" }, { key = "adjusted_vif" } }

--- The columns of a table of these rows: df is told where it is not 1 for all.
function diagnostics.told_of_inflation(rows)
  for _, row in ipairs(rows) do
    if row.df > 1 then return diagnostics.inflation_columns end
  end
  return { table.unpack(diagnostics.inflation_columns, 1, 2) }
end


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

--- The problem of fitting a rule by least squares, with its rows in memory.
---@param rule Rule
---@param data Dataset
---@param options { tolerance: number?, pass: Pass? }
---@return Problem
---@return table<string, { [1]: number, [2]: number }>   the ranges of its measures
function diagnostics.problem(rule, data, options)
  local formula, method = rule:fitting_formula(), rule.method.fit.name
  if method ~= "ols" and method ~= "wls" then
    fault.at(rule:who(), ("the fit '%s'"):format(method), "ols or wls, of which leverage is known: --fit ols")
  end
  local frames = design.new(data, { response = rule.predicts, formula = formula, weights = rule.weights, who = rule:who() })
  local kept = (options.pass or design.pass)(frames, frames.keep, frames, true)
  kept:expect_variety(rule.predicts, data.name)
  return { formula = frames.formula, frames = kept, where = data.name, tolerance = options.tolerance }, frames.ranges
end

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

--- The determinant of X'WX, X being some columns: the square of the product of the diagonal of their R.
---@param columns userdata[]
---@param weights userdata?
local function determinant(columns, weights)
  local solver <close> = fault.check(solver_type.new(#columns))
  solver:add(columns, columns[1], weights)
  solver:solve(0)
  local inverse, product = solver:inverse(), 1
  for k in ipairs(columns) do product = product / inverse[k * (k + 1) // 2] ^ 2 end
  return product
end

--- The columns of each term that have coefficients, in the order of the formula: of a factor or poly there may be several.
---@return { term: string, places: integer[], columns: userdata[] }[]   places: among the coefficients
local function columns_of_terms(problem, kept, weights)
  local found, by_name = {}, {}
  for k, i in ipairs(kept) do
    local name, column = problem.formula:term_name(i), problem.frames.columns[i]
    if name ~= "" then
      if problem.formula.intercept then column = column - (column * weights):sum() / weights:sum() end
      if not by_name[name] then
        by_name[name] = { term = name, places = {}, columns = {} }
        table.insert(found, by_name[name])
      end
      table.insert(by_name[name].places, k)
      table.insert(by_name[name].columns, column)
    end
  end
  return found
end

--- By how much the others inflate the variance of a term's coefficient: 1 / (1 - R squared) of the term explained by them,
--- weighted as the fit. Of formulas without an intercept R squared is that around 0. For the df coefficients of a factor or
--- poly it is the generalised one (J. Fox, G. Monette, Journal of the American Statistical Association 87, 1992): the square of
--- the volume of their joint confidence region over that with the others at right angles; vif^(1 / (2 df)) is comparable
--- between terms. All as R's car::vif.
---@param problem Problem
---@param fitted LeastSquares
---@return { term: string, vif: number, df: integer, adjusted_vif: number }[]   without the intercept and aliased terms
function diagnostics.inflation(problem, fitted)
  local weights, kept, inverse = weights_of(problem.frames), {}, fitted.inverse
  for i, term in ipairs(problem.formula.terms) do
    if fitted.coefficients[term.name] then table.insert(kept, i) end
  end
  local function row_of_inverse(place)
    local row = {}
    for k in ipairs(kept) do row[k] = k < place and 0 or inverse[k * (k - 1) // 2 + place] end
    return vector.of(row)
  end
  local rows = {}
  for i, of in ipairs(columns_of_terms(problem, kept, weights)) do
    local covariances = {}
    for a, place in ipairs(of.places) do covariances[a] = row_of_inverse(place) end
    local vif = determinant(covariances) * determinant(of.columns, weights)
    local df = #of.columns
    rows[i] = { term = of.term, vif = vif, df = df, adjusted_vif = vif ^ (1 / (2 * df)) }
  end
  return rows
end

--- The levels whose Cook's distance is above 4 / n (K. A. Bollen, R. W. Jackman, in: Modern Methods of Data Analysis, 1990),
--- the largest first. None when the fit is perfect: it hangs on no level.
---@param diagnosis Diagnosis
---@param most integer?   diagnostics.most_influential unless given
---@return integer[]   their rows
function diagnostics.influential(diagnosis, most)
  local rows, n = {}, #diagnosis.rows
  if diagnosis.fitted.sigma == 0 or diagnosis.fitted.perfect then return {} end
  for i, row in ipairs(diagnosis.rows) do
    if (row.cooks_distance or math.huge) > 4 / n then table.insert(rows, i) end
  end
  local function distance(row) return -(diagnosis.rows[row].cooks_distance or math.huge) end
  return lists.copy(lists.sort(rows, distance), most or diagnostics.most_influential)
end

--- What is found without some levels; nil when the others are too few.
---@param problem Problem
---@param rows integer[]
---@return Diagnosis?   without rows
function diagnostics.without(problem, rows)
  local is_out, others = lists.set(rows), {}
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

--- A row for the fit to all levels, one without each influential level, and one without all of them.
---@param problem Problem
---@param diagnosis Diagnosis
---@param rows integer[]   of diagnostics.influential
---@return table[]         by the keys of diagnostics.effect_columns
function diagnostics.effects(problem, diagnosis, rows)
  local function row_of(name, found)
    local row = { without = name, cooks_distance = nil, loo_mae = found and found.loo_mae }
    for term, value in pairs(found and found.fitted.coefficients or {}) do row["term " .. term] = value end
    return row
  end
  local list = { row_of("(none)", diagnosis) }
  for _, row in ipairs(rows) do
    local level = diagnosis.rows[row]
    local effect = row_of(level.level, diagnostics.without_level(problem, diagnosis, row))
    effect.cooks_distance, effect.leverage, effect.standardized = level.cooks_distance, level.leverage, level.standardized
    table.insert(list, effect)
  end
  if #rows > 1 then table.insert(list, row_of("(all of these)", diagnostics.without(problem, rows))) end
  return list
end

--- The columns of a table of effects.
---@param formula Formula
---@return Column[]
function diagnostics.effect_columns(formula)
  local columns = { { key = "without" }, { key = "cooks_distance" }, { key = "leverage" }, { key = "standardized" },
    { key = "loo_mae" } }
  for _, term in ipairs(formula.terms) do table.insert(columns, { key = "term " .. term.name, label = term.name }) end
  return columns
end

--- Standardised residuals as plot.residuals and plot.quantiles take them.
---@param problem Problem
---@param diagnosis Diagnosis
function diagnostics.residuals(problem, diagnosis)
  local levels, predicted, standardized = {}, {}, {}
  for i, row in ipairs(diagnosis.rows) do
    levels[i], predicted[i], standardized[i] = row.level, row.prediction, row.standardized or 0 / 0
  end
  return { levels = levels, predictions = predicted, residuals = standardized, target = problem.formula.left }
end

return diagnostics
