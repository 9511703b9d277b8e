--- The fit `nnls`: least squares with coefficients of at least 0: a larger measure never lowers a rating.
local bounds = require "crux.fit.bounds"

return bounds.row({
  name = "nnls",
  doc = "least squares with no coefficient below 0, but for the intercept, which is free",
}, function(problem)
  local by_term = {}
  for i = problem.formula.intercept and 2 or 1, #problem.formula.terms do
    by_term[problem.formula.terms[i].name] = { low = 0, high = math.huge }
  end
  return by_term
end)
