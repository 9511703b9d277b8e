--- A smooth line through points: locally weighted regression, robust against outliers, with the numbers of R's lowess
--- (W. S. Cleveland, Robust locally weighted regression and smoothing scatterplots, Journal of the American Statistical
--- Association 74, 1979).
local lists = require "crux.base.lists"

--- The tricube weights of the points around x = at, and the range of points whose weights are above 0.
---@param x number[]       ascending
---@param first integer    the neighbours
---@param robust number[]?
---@return number[]? weights   their sum is 1; nil if all are 0
---@return integer first
---@return integer last
---@return number reach        distance of the farthest neighbour
local function weights_around(x, at, first, last, robust)
  local reach, weights, sum = math.max(at - x[first], x[last] - at), {}, 0
  local j = first
  while j <= #x do
    local away = math.abs(x[j] - at)
    weights[j] = 0
    if away <= 0.999 * reach then
      weights[j] = (away <= 0.001 * reach and 1 or (1 - (away / reach) ^ 3) ^ 3) * (robust and robust[j] or 1)
      sum = sum + weights[j]
    elseif x[j] > at then
      break
    end
    j = j + 1
  end
  if sum <= 0 then return nil, first, last, reach end
  for i = first, j - 1 do weights[i] = weights[i] / sum end
  return weights, first, j - 1, reach
end

--- The value at x = at of the line fitted to the neighbours; nil if all their weights are 0.
local function fit_at(x, y, at, first, last, robust)
  local weights, reach
  weights, first, last, reach = weights_around(x, at, first, last, robust)
  if not weights then return nil end
  if reach > 0 then
    local mean, square = 0, 0
    for j = first, last do mean = mean + weights[j] * x[j] end
    for j = first, last do square = square + weights[j] * (x[j] - mean) ^ 2 end
    if math.sqrt(square) > 0.001 * (x[#x] - x[1]) then -- nearer points have no reliable slope
      local slope = (at - mean) / square
      for j = first, last do weights[j] = weights[j] * (slope * (x[j] - mean) + 1) end
    end
  end
  local value = 0
  for j = first, last do value = value + weights[j] * y[j] end
  return value
end

--- One pass over all points. Values of points nearer than `near` to the last fitted one are interpolated.
local function smooth(x, y, count, near, robust)
  local n, line, first, last, i = #x, {}, 1, count, 1
  local fitted = 0
  repeat
    while last < n and x[i] - x[first] > x[last + 1] - x[i] do first, last = first + 1, last + 1 end
    line[i] = fit_at(x, y, x[i], first, last, robust) or y[i]
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
  local sizes, sorted, sum, n = {}, {}, 0, #y
  for i = 1, n do
    sizes[i] = math.abs(y[i] - line[i])
    sorted[i], sum = sizes[i], sum + sizes[i]
  end
  table.sort(sorted)
  local bound = 3 * (sorted[n // 2 + 1] + sorted[(n + 1) // 2])
  if bound < 1e-7 * sum / n then return nil end
  for i, size in ipairs(sizes) do
    sizes[i] = size <= 0.001 * bound and 1 or size <= 0.999 * bound and (1 - (size / bound) ^ 2) ^ 2 or 0
  end
  return sizes
end

--- The line of R's lowess: two thirds of the points are the neighbours of each, three passes are robust, and points within a
--- hundredth of the range are interpolated.
---@param x number[]|userdata   finite
---@param y number[]|userdata   finite
---@return number[] x           ascending
---@return number[] line
return function(x, y)
  local sorted_x, sorted_y, n = {}, {}, #x
  for i, row in ipairs(lists.order(n, function(row) return x[row] end)) do sorted_x[i], sorted_y[i] = x[row], y[row] end
  if n < 2 then return sorted_x, sorted_y end
  local count = math.max(2, math.min(n, math.floor(n * 2 / 3 + 1e-7)))
  local near, robust, line = 0.01 * (sorted_x[n] - sorted_x[1]), nil, nil
  for pass = 0, 3 do
    line = smooth(sorted_x, sorted_y, count, near, robust)
    robust = pass < 3 and robust_weights(sorted_y, line)
    if not robust then break end
  end
  return sorted_x, line
end
