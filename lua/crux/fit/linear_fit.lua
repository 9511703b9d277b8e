--- Fits that are linear programs: coefficients that minimise sums of functions of errors that are linear below and above 0.
local fault = require "crux.base.fault"
local linear_program = require "libcrux.linear_program"
local ols = require "crux.fit.ols"
local vector = require "libcrux.vector"

local linear_fit = {}

---@class Kinks                a sum over rows of below * e where e < 0, above * e where e > 0, with
---                            e = target - columns * coefficients
---@field columns userdata[]   one per coefficient
---@field target userdata
---@field below userdata       slopes, one per row; -huge where e must not be below 0
---@field above userdata       not below `below`; huge where e must not be above 0

local huge = math.huge

--- The terms of a problem that are no combinations of those before them, by ols, which also refuses problems without a fit.
---@return integer[]   their numbers
---@return string[]    the names of the others
function linear_fit.independent(problem)
  local least_squares, kept = ols.fit(problem), {}
  for i, term in ipairs(problem.formula.terms) do
    if least_squares.coefficients[term.name] then table.insert(kept, i) end
  end
  return kept, least_squares.aliased
end

--- The sum of the absolute values of coefficients, each times the largest absolute number in its column.
---@param also integer?   number of coefficients behind those of the columns, which are left out of the sum
---@return Kinks
function linear_fit.sizes(columns, also)
  local n, units = #columns, {}
  for j = 1, n + (also or 0) do
    local row, column = {}, columns[j]
    for i = 1, n do row[i] = 0 end
    for i = 1, column and #column or 0 do row[j] = math.max(row[j], math.abs(column[i])) end
    units[j] = vector.of(row)
  end
  return { columns = units, target = vector.fill(n, 0), below = vector.fill(n, -1), above = vector.fill(n, 1) }
end

--- Two sums as one.
---@param a Kinks
---@param b Kinks
local function join(a, b)
  local both = { columns = {} }
  for j, column in ipairs(a.columns) do both.columns[j] = vector.concat { column, b.columns[j] } end
  for _, field in ipairs { "target", "below", "above" } do both[field] = vector.concat { a[field], b[field] } end
  return both
end

--- The conditions on errors at every optimum of a sum, by complementary slackness with one solution of the dual program: an
--- error is 0 where the dual lies between the slopes, >= 0 where it is the upper slope, <= 0 where it is the lower.
---@return Kinks
---@return integer   number of errors that must be 0
local function conditions(kinks, dual)
  local below, above, largest, zeros = {}, {}, 0, 0
  for i = 1, #dual do largest = math.max(largest, math.abs(dual[i])) end
  local near = 1e-9 * largest
  for i = 1, #dual do
    local low, high = dual[i] <= kinks.below[i] + near, dual[i] >= kinks.above[i] - near
    below[i], above[i] = low and 0 or -huge, high and 0 or huge
    if not low and not high then zeros = zeros + 1 end
  end
  return setmetatable({ below = vector.of(below), above = vector.of(above) }, { __index = kinks }), zeros
end

--- The coefficients that minimise the first sum plus a linear function; among equal ones those that minimise the second sum,
--- and so on until one solution is left. Solves the dual program, which has a row per coefficient: maximise target * z where
--- columns * z = gradient and below <= z <= above; its duals are the coefficients.
---@param sums Kinks[]
---@param where string         names the data in messages
---@param gradient number[]?   of the linear function that is added to the first sum
---@return userdata coefficients
---@return number value        of the first sum and the linear function
function linear_fit.least(sums, where, gradient)
  local count = #sums[1].columns
  local constants, held, coefficients, value = gradient and vector.of(gradient) or vector.fill(count, 0), nil, nil, nil
  for _, sum in ipairs(sums) do
    local all = held and join(held, sum) or sum
    local status, dual, duals, least = linear_program.solve { matrix = all.columns, objective = -all.target,
      lower = all.below, upper = all.above, row_lower = constants, row_upper = constants }
    fault.check(status, dual)
    if status ~= "optimal" then -- by rounding alone: an optimum always exists
      if coefficients then break end
      fault.at(where, "numbers too large or too small to fit", "others")
    end
    coefficients, value = 0 - duals, value or math.max(0, -least) -- no sum is below 0
    local zeros
    held, zeros = conditions(all, dual)
    if zeros == count then break end
    constants = vector.fill(count, 0)
  end
  return coefficients, value
end

--- The result of a fit.
---@param kept integer[]     the numbers of the terms that have a coefficient
---@param estimates number[]|userdata   of these terms
---@param aliased string[]
---@param objective { [1]: string, [2]: number }
---@return Fitted
function linear_fit.fitted(problem, kept, estimates, aliased, objective)
  local fitted = { formula = problem.formula, n = problem.frames.rows, terms = {}, coefficients = {}, aliased = aliased,
    objective = objective, converged = true }
  for i, number in ipairs(kept) do
    local term = problem.formula.terms[number].name
    fitted.terms[i] = { term = term, estimate = estimates[i] }
    fitted.coefficients[term] = estimates[i]
  end
  return fitted
end

--- Fits by sums of the rows' errors.
---@param what string       names the first sum
---@param sums fun(columns: userdata[], response: userdata, weights: userdata): Kinks[]
---@return Fitted
function linear_fit.fit(problem, what, sums)
  local frames = problem.frames
  local kept, aliased = linear_fit.independent(problem)
  local columns = frames:pick(kept).columns
  local list = sums(columns, frames.response, frames.weights or vector.fill(frames.rows, 1))
  table.insert(list, linear_fit.sizes(columns))
  local estimates, value = linear_fit.least(list, problem.where)
  return linear_fit.fitted(problem, kept, estimates, aliased, { what, value })
end

return linear_fit
