--- A smooth line through points: locally weighted regression, robust against outliers, with the numbers of R's lowess
--- (W. S. Cleveland, Robust locally weighted regression and smoothing scatterplots, Journal of the American Statistical
--- Association 74, 1979).
local vector = require "libcrux.vector"

local function cube(v) return v * v * v end -- a power takes much longer

--- The value at x = at of the line fitted to the points nearer than `reach`, by tricube weights; nil if all weights are 0.
---@param x userdata         ascending
---@param y userdata
---@param robust userdata?   weights of the points
local function fit_at(x, y, at, reach, robust)
  local away = vector.abs(x - at)
  local weights = vector.choose(vector.less_or_equal(away, 0.001 * reach), 1, cube(1 - cube(away / reach)))
  weights = vector.choose(vector.less_or_equal(away, 0.999 * reach), robust and weights * robust or weights, 0)
  local sum = weights:sum()
  if sum <= 0 then return nil end
  weights = weights / sum
  if reach > 0 then
    local mean = (weights * x):sum()
    local rest = x - mean
    local square = (weights * rest * rest):sum()
    if math.sqrt(square) > 0.001 * (x[#x] - x[1]) then -- nearer points have no reliable slope
      weights = weights * (rest * ((at - mean) / square) + 1)
    end
  end
  return (weights * y):sum()
end

--- One pass over all points. Values of points nearer than `near` to the last fitted one are interpolated.
local function smooth(x, y, count, near, robust)
  local n, line, first, last, i = #x, {}, 1, count, 1
  local fitted = 0
  repeat
    while last < n and x[i] - x[first] > x[last + 1] - x[i] do first, last = first + 1, last + 1 end
    line[i] = fit_at(x, y, x[i], math.max(x[i] - x[first], x[last] - x[i]), robust) or y[i]
    for j = fitted + 1, i - 1 do
      local share = (x[j] - x[fitted]) / (x[i] - x[fitted])
      line[j] = share * line[i] + (1 - share) * line[fitted]
    end
    fitted = i
    local beyond = i + 1
    while beyond <= n and x[beyond] <= x[i] + near do
      if x[beyond] == x[fitted] then line[beyond], fitted = line[fitted], beyond end
      beyond = beyond + 1
    end
    i = math.max(fitted + 1, beyond - 1)
  until fitted >= n
  return line
end

--- Bisquare weights of residuals by six times the median of their sizes; nil if the residuals are rounding errors.
local function robust_weights(y, line)
  local sizes, n = vector.abs(y - vector.of(line)), #y
  local sorted = sizes:sorted()
  local bound = 3 * (sorted[n // 2 + 1] + sorted[(n + 1) // 2])
  if bound < 1e-7 * sizes:sum() / n then return nil end
  local weights = vector.choose(vector.less_or_equal(sizes, 0.999 * bound), (1 - (sizes / bound) ^ 2) ^ 2, 0)
  return vector.choose(vector.less_or_equal(sizes, 0.001 * bound), 1, weights)
end

--- The line of R's lowess: two thirds of the points are the neighbours of each, three passes are robust, and points within a
--- hundredth of the range are interpolated.
---@param x number[]|userdata   finite
---@param y number[]|userdata   finite
---@return userdata x           ascending
---@return number[] line
return function(x, y)
  local n = #x
  x, y = type(x) == "table" and vector.of(x) or x, type(y) == "table" and vector.of(y) or y
  local order = (-x):largest(n)
  x, y = x:gather(order), y:gather(order)
  if n < 2 then return x, y end
  local count = math.max(2, math.min(n, math.floor(n * 2 / 3 + 1e-7)))
  local near, robust, line = 0.01 * (x[n] - x[1]), nil, nil
  for pass = 0, 3 do
    line = smooth(x, y, count, near, robust)
    robust = pass < 3 and robust_weights(y, line)
    if not robust then break end
  end
  return x, line
end
