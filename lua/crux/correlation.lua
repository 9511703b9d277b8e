--- Pearson's correlation of two columns, weighted or not.
local correlation = {}

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
  if constant(x, weights) or constant(y, weights) then return 0 / 0 end
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

return correlation
