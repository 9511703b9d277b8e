--- How two columns go together: Pearson's correlation, weighted or not, Kendall's and Spearman's, with R's p-values.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local rank = require "libcrux.rank"
local vector = require "libcrux.vector"

local correlation = {}

--- R's cor.test: the most rows for which p-values are exact, unless numbers are tied.
local kendall_exact, spearman_exact = 49, 1290
local nan = 0 / 0

--- Whether all numbers that weigh anything are the same: their variance would not be 0 but rounding.
local function constant(list, weights)
  local first
  for i = 1, #list do
    if not weights or weights[i] > 0 then
      first = first or list[i]
      if list[i] ~= first then return false end
    end
  end
  return true
end

--- A list divided by its largest number, lest squares overflow or vanish.
local function scaled(list)
  local most, result = 0, {}
  for i = 1, #list do most = math.max(most, math.abs(list[i])) end
  for i = 1, #list do result[i] = list[i] / most end
  return result
end

--- Pearson's r; NaN where a column is constant or fewer than two rows are given.
---@param x number[]
---@param y number[]
---@param weights number[]?   case weights, as R's cov.wt(..., cor = TRUE)
function correlation.pearson(x, y, weights)
  if constant(x, weights) or constant(y, weights) then return nan end
  x, y = scaled(x), scaled(y)
  local total, mean_x, mean_y = 0, 0, 0
  for i = 1, #x do
    local w = weights and weights[i] or 1
    total, mean_x, mean_y = total + w, mean_x + w * x[i], mean_y + w * y[i]
  end
  mean_x, mean_y = mean_x / total, mean_y / total
  local xx, yy, xy = 0, 0, 0
  for i = 1, #x do
    local w, dx, dy = weights and weights[i] or 1, x[i] - mean_x, y[i] - mean_y
    xx, yy, xy = xx + w * dx * dx, yy + w * dy * dy, xy + w * dx * dy
  end
  return math.max(-1, math.min(1, xy / math.sqrt(xx * yy)))
end

--- P(|R| >= |r|) for a correlation of n rows that have nothing to do with each other: Student's t with n - 2 degrees of
--- freedom. NaN for fewer than three rows.
function correlation.pearson_p(r, n) return distribution.t(r * math.sqrt((n - 2) / (1 - r * r)), n - 2) end

local function as_vector(list) return type(list) == "table" and vector.of(list) or list end

--- The normal distribution's p-value of a score with ties, as R's cor.test(method = "kendall") has it.
local function tied_p(score, n, x, y)
  local variance = (n * (n - 1) * (2 * n + 5) - x.variance - y.variance) / 18 + x.pairs * y.pairs / (2 * n * (n - 1))
  if n > 2 then variance = variance + x.triples * y.triples / (9 * n * (n - 1) * (n - 2)) end
  return distribution.normal(score / math.sqrt(variance))
end

--- Kendall's tau-b, and its p-value: exact without ties for fewer than 50 rows, else by the normal distribution. NaN where
--- a column is constant.
---@return number tau
---@return number p
function correlation.kendall(x, y)
  local order = fault.check(rank.order(as_vector(x), as_vector(y)))
  local n = #x * 1.0
  local pairs_x, pairs_y = n * (n - 1) - order.x.pairs, n * (n - 1) - order.y.pairs
  if pairs_x <= 0 or pairs_y <= 0 then return nan, nan end
  local tau = math.max(-1, math.min(1, 2 * order.score / math.sqrt(pairs_x * pairs_y)))
  if n > kendall_exact or order.x.pairs + order.y.pairs > 0 then return tau, tied_p(order.score, n, order.x, order.y) end
  local discordant = (n * (n - 1) / 2 - math.abs(order.score)) / 2
  return tau, math.min(1, 2 * rank.kendall_lower(#x, discordant))
end

--- The sum of squared differences of ranks.
local function distance(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + (a[i] - b[i]) ^ 2 end
  return sum
end

--- Spearman's rho, and its p-value: without ties exact or by an Edgeworth series for up to 1290 rows, else by Student's t.
--- NaN where a column is constant.
---@return number rho
---@return number p
function correlation.spearman(x, y)
  x, y = as_vector(x), as_vector(y)
  local a, b = fault.check(rank.ranks(x)), fault.check(rank.ranks(y))
  local rho, n = correlation.pearson(a, b), #a
  if rho ~= rho then return nan, nan end
  local order = fault.check(rank.order(x, y))
  if n > spearman_exact or order.x.pairs + order.y.pairs > 0 then return rho, correlation.pearson_p(rho, n) end
  local sum = distance(a, b)
  return rho, math.min(1, 2 * rank.spearman_upper(n, math.max(sum, (n ^ 3 - n) / 3 - sum)))
end

return correlation
