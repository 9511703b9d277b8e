--- Correlations of two columns: Pearson's, weighted or not, Kendall's and Spearman's, with R's p-values.
local distribution = require "libcrux.distribution"
local fault = require "crux.base.fault"
local groups = require "libcrux.groups"
local rank = require "libcrux.rank"
local vector = require "libcrux.vector"

local correlation = {}

--- The most rows without ties for which R's cor.test gives exact p-values.
local kendall_exact, spearman_exact = 49, 1290
local nan = 0 / 0

local function as_vector(list) return type(list) == "table" and vector.of(list) or list end

--- The sum in the order of the rows.
local function sum(values, ones) return select(2, groups.counts_and_sums(values, ones, 1))[1] end

--- True if all numbers with a weight above 0 are equal.
local function is_constant(values, weights)
  local some = weights and weights:positive()
  local low, high = (some and values:gather(some) or values):range()
  return low == high
end

--- A vector divided by its largest absolute value, so that squares neither overflow nor vanish.
local function scaled(values)
  local _, largest = vector.abs(values):range()
  return values / largest
end

--- Pearson's r; NaN where a column is constant or fewer than two rows are given.
---@param x number[]|userdata
---@param y number[]|userdata
---@param weights userdata?   case weights, as R's cov.wt(..., cor = TRUE)
function correlation.pearson(x, y, weights)
  x, y, weights = as_vector(x), as_vector(y), weights and as_vector(weights)
  if is_constant(x, weights) or is_constant(y, weights) then return nan end -- their variance would be rounding errors
  x, y = scaled(x), scaled(y)
  local ones = vector.fill(#x, 1)
  local w = weights or ones
  local total = sum(w, ones)
  local dx, dy = x - sum(w * x, ones) / total, y - sum(w * y, ones) / total
  local xx, yy, xy = sum(w * dx * dx, ones), sum(w * dy * dy, ones), sum(w * dx * dy, ones)
  return math.max(-1, math.min(1, xy / math.sqrt(xx * yy)))
end

--- P(|R| >= |r|) for n rows of independent columns: Student's t with n - 2 degrees of freedom. NaN for fewer than three rows.
function correlation.pearson_p(r, n) return distribution.t(r * math.sqrt((n - 2) / (1 - r * r)), n - 2) end

--- The p-value of a score with ties by the normal distribution, as in R's cor.test(method = "kendall").
local function tied_p(score, n, x, y)
  local variance = (n * (n - 1) * (2 * n + 5) - x.variance - y.variance) / 18 + x.pairs * y.pairs / (2 * n * (n - 1))
  if n > 2 then variance = variance + x.triples * y.triples / (9 * n * (n - 1) * (n - 2)) end
  return distribution.normal(score / math.sqrt(variance))
end

--- Counts the concordant pairs and ties of two columns and correlates their ranks, which takes most of the time of Kendall's
--- and Spearman's correlation.
---@return table order   as libcrux.rank gives it
function correlation.order(x, y) return fault.check(rank.order(as_vector(x), as_vector(y))) end

--- Kendall's tau-b, and its p-value: exact without ties for fewer than 50 rows, else by the normal distribution. NaN where
--- a column is constant.
---@param order table?   of x and y, if it is known
---@return number tau
---@return number p
function correlation.kendall(x, y, order)
  order = order or correlation.order(x, y)
  local n = #x * 1.0
  local pairs_x, pairs_y = n * (n - 1) - order.x.pairs, n * (n - 1) - order.y.pairs
  if pairs_x <= 0 or pairs_y <= 0 then return nan, nan end
  local tau = math.max(-1, math.min(1, 2 * order.score / math.sqrt(pairs_x * pairs_y)))
  if n > kendall_exact or order.x.pairs + order.y.pairs > 0 then return tau, tied_p(order.score, n, order.x, order.y) end
  local discordant = (n * (n - 1) / 2 - math.abs(order.score)) / 2
  return tau, math.min(1, 2 * rank.kendall_lower(#x, discordant))
end

--- Spearman's rho, and its p-value: without ties exact or by an Edgeworth series for up to 1290 rows, else by Student's t.
--- NaN where a column is constant.
---@param order table?   of x and y, if it is known
---@return number rho
---@return number p
function correlation.spearman(x, y, order)
  order = order or correlation.order(x, y)
  if order.rho ~= order.rho then return nan, nan end
  local rho, n = math.max(-1, math.min(1, order.rho)), #x
  if n > spearman_exact or order.x.pairs + order.y.pairs > 0 then return rho, correlation.pearson_p(rho, n) end
  local most = (n ^ 3 - n) / 3 -- the sum of squared differences of ranks is even, and (1 - rho) / 2 of the most
  local distance = 2 * (((1 - rho) * most / 4 + 0.5) // 1)
  return rho, math.min(1, 2 * rank.spearman_upper(n, math.max(distance, most - distance)))
end

return correlation
