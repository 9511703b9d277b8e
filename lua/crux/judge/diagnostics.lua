--- Diagnostics of a least-squares fit: residuals, leverage, Cook's distance, variance inflation, influential levels.
local design = require "crux.data.design"
local fault = require "crux.base.fault"
local groups = require "libcrux.groups"
local lists = require "crux.base.lists"
local ols = require "crux.fit.ols"
local prediction = require "crux.rule.prediction"
local solver_type = require "libcrux.ols"
local vector = require "libcrux.vector"

local diagnostics = {}

--- The default limit on the number of levels that diagnostics.influential returns.
diagnostics.most_influential = 10

--- The columns of a table of variance inflation.
---@type Column[]
diagnostics.inflation_columns = { { key = "term" }, { key = "vif" }, { key = "df" }, { key = "adjusted_vif" } }

--- Returns the columns for rows of diagnostics.inflation: df and adjusted_vif only if some df is above 1.
function diagnostics.told_of_inflation(rows)
  for _, row in ipairs(rows) do
    if row.df > 1 then return diagnostics.inflation_columns end
  end
  return { table.unpack(diagnostics.inflation_columns, 1, 2) }
end

---@class Diagnosis
---@field fitted LeastSquares
---@field columns userdata[]      model columns of the terms that are not aliased
---@field residuals userdata      vector over rows: value less prediction
---@field leverage userdata       vector over rows, 0 to 1: weight of the level's value in its own prediction; R's hatvalues
---@field of table<string, userdata>   columns over the levels by the fields of a DiagnosisRow; NaN for nil
---@field rows table<integer, DiagnosisRow>   made when they are read
---@field loo_mae number?         weighted mean absolute error of leave-one-out predictions, computed from the leverages; nil
---                               if a level has leverage 1

---@class DiagnosisRow
---@field level string
---@field value number             on the scale of the formula's left side, like prediction, residual and left_out
---@field prediction number
---@field residual number
---@field standardized number?     residual over its standard deviation: R's rstandard; nil at leverage 1 or sigma 0 or NaN
---@field leverage number
---@field cooks_distance number?   size of the change of the predictions without the level: R's cooks.distance; nil likewise
---@field left_out number?         residual of the fit to the other levels; nil at leverage 1

local nearly_one = 1 - 1e-10 -- from this leverage on, the residual is only rounding

--- Returns the weighted mean of the absolute leave-one-out residuals; nil if a level has leverage 1.
local function loo_mae(residuals, leverage, weights)
  local _, highest = leverage:range()
  if highest >= nearly_one then return nil end
  return (vector.abs(residuals / (1 - leverage)) * weights):sum() / weights:sum()
end

local function weights_of(frame) return frame.weights or vector.fill(frame.rows, 1) end

--- Returns the least-squares problem of a rule, its rows in memory.
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
---@return Diagnosis
local function fit(problem)
  local frame, fitted = problem.frames, ols.fit(problem)
  local self = { fitted = fitted, columns = prediction.kept(problem.formula, frame.columns, fitted.coefficients) }
  self.residuals = frame.response - problem.formula:combine(frame.columns, fitted.coefficients, frame.rows)
  self.leverage = vector.min(prediction.spread(fitted.inverse, self.columns, frame.rows) * weights_of(frame), 1)
  self.loo_mae = loo_mae(self.residuals, self.leverage, weights_of(frame))
  return self
end

--- Fits a formula by least squares and diagnoses each level.
---@param problem Problem   its frames are Kept, with levels
---@return Diagnosis
function diagnostics.of(problem)
  local frame, self = problem.frames, fit(problem)
  frame:join()
  local sigma, residual, leverage = self.fitted.sigma, self.residuals, self.leverage
  local value = frame.response + (frame.offset or 0)
  local is_low = vector.less(leverage, nearly_one)
  local standardized = sigma > 0
    and vector.choose(is_low, residual * vector.sqrt(weights_of(frame) / (1 - leverage)) / sigma, 0 / 0)
    or vector.fill(frame.rows, 0 / 0)
  self.of = { level = frame.levels, value = value, prediction = value - residual, residual = residual, leverage = leverage,
    left_out = vector.choose(is_low, residual / (1 - leverage), 0 / 0), standardized = standardized,
    cooks_distance = standardized ^ 2 * leverage / (1 - leverage) / #self.columns }
  self.rows = setmetatable({}, { __len = function() return frame.rows end, __index = function(_, i)
    if not math.type(i) or i > frame.rows then return nil end
    local row = {}
    for field, column in pairs(self.of) do row[field] = column[i] == column[i] and column[i] or nil end
    return row
  end })
  return self
end

--- Returns the determinant of X'WX for the columns X: the squared product of the diagonal of their R.
---@param weights userdata?
local function determinant(columns, weights)
  local solver <close> = fault.check(solver_type.new(#columns))
  solver:add(columns, columns[1], weights)
  solver:solve(0)
  local inverse, product = solver:inverse(), 1
  for k in ipairs(columns) do product = product / inverse[k * (k + 1) // 2] ^ 2 end
  return product
end

--- Groups the columns that have coefficients by term, in formula order; a factor or poly may have several columns.
---@return { term: string, places: integer[], columns: userdata[] }[]   places: indices of the coefficients
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

--- Returns the variance inflation factor of each term: 1 / (1 - R squared), R squared being that of the term's column
--- regressed on the other columns, weighted as the fit; around 0 if the formula has no intercept. A factor or poly of df
--- coefficients has the generalised factor (J. Fox, G. Monette, Journal of the American Statistical Association 87, 1992): the
--- squared volume of its joint confidence region over the squared volume if the other columns were orthogonal to it.
--- vif^(1 / (2 df)) is comparable between terms. All as R's car::vif.
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
    local covariances = lists.map(of.places, row_of_inverse)
    local vif = determinant(covariances) * determinant(of.columns, weights)
    local df = #of.columns
    rows[i] = { term = of.term, vif = vif, df = df, adjusted_vif = vif ^ (1 / (2 * df)) }
  end
  return rows
end

--- Lists the levels of the largest Cook's distances, those of leverage 1 first, which have none.
---@return integer[]   row indices of the levels
function diagnostics.largest(diagnosis, most)
  local distances = diagnosis.of.cooks_distance
  local known, missing = vector.complete { distances }, {}
  if known then
    for row = 1, #distances do
      if distances[row] ~= distances[row] then table.insert(missing, row) end
    end
    distances = distances:gather(known)
  end
  local rows = distances:largest(math.max(0, most - #missing))
  for i = 1, #rows do table.insert(missing, known and known[rows[i]] // 1 | 0 or rows[i] // 1 | 0) end
  return lists.copy(missing, most)
end

--- Lists the levels whose Cook's distance is above 4 / n (K. A. Bollen, R. W. Jackman, in: Modern Methods of Data Analysis,
--- 1990), the largest first; none for a perfect fit, which no level changes.
---@param most integer?   limit on their number; default: diagnostics.most_influential
---@return integer[]   row indices of the levels
function diagnostics.influential(diagnosis, most)
  if diagnosis.fitted.sigma == 0 or diagnosis.fitted.perfect then return {} end
  return lists.select(diagnostics.largest(diagnosis, most or diagnostics.most_influential), function(row)
    local distance = diagnosis.of.cooks_distance[row]
    return distance ~= distance or distance > 4 / #diagnosis.rows
  end)
end

--- A vector of 1 for each level, of 0 for some.
local function all_but(count, rows)
  return 1 - vector.less(0, groups.counts_and_sums(vector.fill(#rows, 1), vector.of(rows), count))
end

--- Fits without some levels, whose weights are 0; returns nil if the data of the other levels do not allow a fit.
---@param rows integer[]   row indices of the levels left out
---@return Diagnosis?   without rows
function diagnostics.without(problem, rows)
  local all = problem.frames
  if all.rows - #rows < #problem.formula.terms then return nil end
  local frames = all:merged(all.columns)
  frames.frames[1].weights = weights_of(all) * all_but(all.rows, rows)
  local ok, found = fault.catch(fit, setmetatable({ frames = frames }, { __index = problem }))
  return ok and found or nil
end

--- Computes the coefficients and loo_mae without one level from the fit to all levels, as R's lm.influence. Fits the other
--- levels instead if the level has leverage 1 or the fit has no more levels than terms.
---@return { fitted: { coefficients: table<string, number> }, loo_mae: number? }?
---@return number?   loo_mae of the other levels by the fit to all
function diagnostics.without_level(problem, diagnosis, row)
  local fitted, leverage, residuals = diagnosis.fitted, diagnosis.leverage, diagnosis.residuals
  local weights, is_refitted = problem.frames.weights, leverage[row] >= nearly_one or fitted.n <= #problem.formula.terms
  local x, coefficients, found = {}, {}
  -- Where the others are fitted, only mean_with and highest_with are of use: they do not depend on x and share.
  for k, column in ipairs(diagnosis.columns) do x[k] = is_refitted and 0 or column[row] end
  local direction = solver_type.covariances(vector.of(fitted.inverse), vector.of(x))
  local share = is_refitted and 0 or (weights and weights[row] or 1) / (1 - leverage[row])
  local change = share * residuals[row]
  local mean, highest, mean_with, highest_with = solver_type.left_out(diagnosis.columns, direction, residuals, leverage,
    weights, row, change, share)
  if is_refitted then
    found = diagnostics.without(problem, { row })
  else
    for k, term in ipairs(fitted.terms) do coefficients[term.term] = term.estimate - change * direction[k] end
    found = { fitted = { coefficients = coefficients }, loo_mae = highest < nearly_one and mean or nil }
  end
  return found, highest_with < nearly_one and mean_with or nil
end

--- Returns a row for the fit to all levels, one for each influential level left out, and one for all of them left out: their
--- loo_mae is that of the other levels, loo_mae_with that of the same levels by the fit to all.
---@param rows integer[]   from diagnostics.influential
---@return table[]         rows with the keys of diagnostics.effect_columns
function diagnostics.effects(problem, diagnosis, rows)
  local function row_of(name, found, with)
    local row = { without = name, loo_mae = found and found.loo_mae, loo_mae_with = with }
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
  if #rows > 1 then
    local others = weights_of(problem.frames) * all_but(problem.frames.rows, rows)
    table.insert(list, row_of("(all of these)", diagnostics.without(problem, rows),
      loo_mae(diagnosis.residuals, diagnosis.leverage, others)))
  end
  return list
end

--- Returns the columns for the rows of diagnostics.effects.
function diagnostics.effect_columns(formula)
  local columns = { { key = "without" }, { key = "cooks_distance" }, { key = "leverage" }, { key = "standardized" },
    { key = "loo_mae" }, { key = "loo_mae_with" } }
  for _, term in ipairs(formula.terms) do table.insert(columns, { key = "term " .. term.name, label = term.name }) end
  return columns
end

--- Returns the standardised residuals in the form that plot.residuals and plot.quantiles take.
function diagnostics.residuals(problem, diagnosis)
  return { levels = diagnosis.of.level, predictions = diagnosis.of.prediction, residuals = diagnosis.of.standardized,
    target = problem.formula.left }
end

return diagnostics
