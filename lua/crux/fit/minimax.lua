--- The fit `minimax`: minimises the largest absolute error (Chebyshev).
local linear_fit = require "crux.fit.linear_fit"
local vector = require "libcrux.vector"

--- Bounds all absolute errors by one additional coefficient, the largest absolute error.
local function bounded(columns, response)
  local both, n = {}, #response
  for i, column in ipairs(columns) do both[i] = vector.concat { column, -column } end
  table.insert(both, vector.fill(2 * n, 1))
  return { columns = both, target = vector.concat { response, -response }, below = vector.fill(2 * n, 0),
    above = vector.fill(2 * n, math.huge) }
end

return {
  name = "minimax",
  doc = "least largest absolute error; case weights, unless they are 0, do not matter; intervals of the bootstrap",
  figures = {},
  fit = function(problem)
    local kept, aliased = linear_fit.independent(problem)
    local columns, gradient = problem.frames:pick(kept).columns, {}
    for i = 1, #kept do gradient[i] = 0 end
    table.insert(gradient, 1)
    local estimates, value = linear_fit.least({ bounded(columns, problem.frames.response), linear_fit.sizes(columns, 1) },
      problem.where, gradient)
    return linear_fit.fitted(problem, kept, estimates, aliased, { "largest absolute error", value })
  end,
}
