--- Intervals of estimates: by the bootstrap (Efron and Tibshirani 1993, chapter 13), Student's t and the normal distribution.
local distribution = require "libcrux.distribution"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local intervals = {}

--- The quantile of a sorted list, interpolated as R's quantile type 7.
---@param sorted number[]
---@param share number   from 0 to 1
function intervals.quantile(sorted, share)
  local place = 1 + share * (#sorted - 1)
  local low = math.floor(place)
  local high = math.min(low + 1, #sorted)
  return sorted[low] + (place - low) * (sorted[high] - sorted[low])
end

--- The size at which the probability of larger ones falls to 1 - level.
---@param tail fun(size: number): number
local function reach(level, tail)
  local low, high = 0, 1
  while tail(high) > 1 - level do low, high = high, 2 * high end
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if tail(middle) > 1 - level then low = middle else high = middle end
  end
  return (low + high) / 2
end

--- The half-width of an interval of Student's t, in standard errors: R's qt((1 + level) / 2, df).
---@param level number   from 0 to below 1
function intervals.t(level, df)
  return reach(level, function(size) return distribution.t(size, df) end)
end

--- The half-width of an interval of the normal distribution: R's qnorm((1 + level) / 2).
---@param level number   from 0 to below 1
function intervals.normal(level) return reach(level, distribution.normal) end

--- The standard deviation of a sorted list.
local function deviation(values)
  if values[1] == values[#values] then return 0 end -- the sums would leave rounding errors
  local mean, sum = 0, 0
  for _, value in ipairs(values) do mean = mean + value / #values end
  for _, value in ipairs(values) do sum = sum + (value - mean) ^ 2 end
  return math.sqrt(sum / (#values - 1))
end

--- Sets the standard error and the 95 % percentile interval of every term of a fit.
---@param frames Kept
---@param refit fun(frames: Kept): Fitted
function intervals.bootstrap(fitted, frames, draws, seed, refit)
  local generator, estimates = random.new(seed), {}
  for i in ipairs(fitted.terms) do estimates[i] = {} end
  for _ = 1, draws do
    local rows = {}
    for i = 1, frames.rows do rows[i] = generator:integer(1, frames.rows) end
    local again = refit(frames:select(vector.of(rows)))
    for i, row in ipairs(fitted.terms) do table.insert(estimates[i], again.coefficients[row.term] or 0) end
  end
  for i, row in ipairs(fitted.terms) do
    table.sort(estimates[i])
    row.std_error = deviation(estimates[i])
    row.low, row.high = intervals.quantile(estimates[i], 0.025), intervals.quantile(estimates[i], 0.975)
  end
end

return intervals
