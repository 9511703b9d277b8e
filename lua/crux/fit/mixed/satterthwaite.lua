--- Degrees of freedom of t tests in linear mixed models (Satterthwaite 1946), as lmerTest (Kuznetsova, Brockhoff and
--- Christensen 2017).
local satterthwaite = {}

--- The deviance of REML or of the likelihood at thetas and a residual deviation, and the variances of the coefficients.
---@class LinearPoint
---@field log_determinant number   of the effects, with REML also of the coefficients
---@field squares number           penalised sum of squares
---@field units number[]           variances of the coefficients if sigma were 1

--- Derivatives by differences of four points, with an error of the fourth power of the step.
local function first(f, step) return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step) end

local function second(f, step)
  return (16 * (f(step) + f(-step)) - (f(2 * step) + f(-2 * step)) - 30 * f(0)) / (12 * step * step)
end

--- The triangle L of a positive definite matrix L L'; nil of any other.
local function cholesky(matrix)
  local triangle = {}
  for i = 1, #matrix do
    triangle[i] = {}
    for j = 1, i do
      local rest = matrix[i][j]
      for k = 1, j - 1 do rest = rest - triangle[i][k] * triangle[j][k] end
      if i == j and (rest <= 0 or rest ~= rest) then return nil end
      triangle[i][j] = i == j and math.sqrt(rest) or rest / triangle[j][j]
    end
  end
  return triangle
end

--- g' (L L')^-1 g
local function quadratic(triangle, g)
  local solved, sum = {}, 0
  for i = 1, #g do
    local rest = g[i]
    for k = 1, i - 1 do rest = rest - triangle[i][k] * solved[k] end
    solved[i] = rest / triangle[i][i]
    sum = sum + solved[i] ^ 2
  end
  return sum
end

--- The degrees of freedom of each coefficient: 2 V^2 / (g' A g), with V its variance, g the gradient of V by thetas and sigma,
--- and A their covariance, 2 times the inverse of the deviance's second derivatives. nil where these are not positive definite.
---@param theta number[]     the estimates
---@param sigma number
---@param df integer         of the residuals
---@param at fun(theta: number[]): LinearPoint
---@return number[]?
function satterthwaite.degrees(theta, sigma, df, at)
  local here, n, known, steps = at(theta), #theta, {}, {}
  for i, value in ipairs(theta) do steps[i] = math.max(0.01 * math.abs(value), 1e-3) end
  --- The point at which thetas i and j are moved by x and y steps.
  local function moved(i, x, j, y)
    if i > j then i, x, j, y = j, y, i, x end
    local key = ("%d %d %d %d"):format(i, x, j, y)
    if not known[key] then
      local there = table.move(theta, 1, n, 1, {})
      there[i] = there[i] + x * steps[i]
      there[j] = there[j] + y * steps[j]
      known[key] = at(there)
    end
    return known[key]
  end
  local function deviance(point) return point.log_determinant + point.squares / sigma ^ 2 end
  local matrix = {}
  for i = 1, n do
    matrix[i] = {}
    for j = 1, i - 1 do
      matrix[i][j] = first(function(x)
        return first(function(y) return deviance(moved(i, x, j, y)) end, 1)
      end, 1) / (steps[i] * steps[j])
      matrix[j][i] = matrix[i][j]
    end
    matrix[i][i] = second(function(x) return deviance(moved(i, x, i, 0)) end, 1) / steps[i] ^ 2
  end
  matrix[n + 1] = {}
  for i = 1, n do
    local slope = first(function(x) return moved(i, x, i, 0).squares end, 1) / steps[i]
    matrix[n + 1][i], matrix[i][n + 1] = -2 * slope / sigma ^ 3, -2 * slope / sigma ^ 3
  end
  matrix[n + 1][n + 1] = -2 * df / sigma ^ 2 + 6 * here.squares / sigma ^ 4
  local triangle = cholesky(matrix)
  if not triangle then return nil end
  local found = {}
  for k, unit in ipairs(here.units) do
    local gradient = {}
    for i = 1, n do
      gradient[i] = sigma ^ 2 * first(function(x) return moved(i, x, i, 0).units[k] end, 1) / steps[i]
    end
    gradient[n + 1] = 2 * sigma * unit
    found[k] = (unit * sigma ^ 2) ^ 2 / quadratic(triangle, gradient)
  end
  return found
end

return satterthwaite
