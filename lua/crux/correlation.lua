--- Pearson's correlation of two columns, weighted or not.
local correlation = {}

--- Pearson's r; NaN where a column is constant or fewer than two rows are given.
---@param x number[]
---@param y number[]
---@param weights number[]?   case weights, as R's cov.wt(..., cor = TRUE)
function correlation.pearson(x, y, weights)
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
  -- a constant column leaves nothing but rounding
  local tiny = 1e-30
  if xx <= tiny * total * mean_x * mean_x or yy <= tiny * total * mean_y * mean_y then return 0 / 0 end
  return math.max(-1, math.min(1, xy / math.sqrt(xx * yy)))
end

return correlation
