--- The fit `bounded`: least squares with coefficients within the bounds that the designer states.
local bounds = require "crux.fit.bounds"

return bounds.row({
  name = "bounded",
  doc = "least squares with coefficients within bounds: bounded(size >= 0, corners <= 2)",
  items = "bounds of terms such as size >= 0 or a:b <= 2",
}, function(problem) return bounds.read(problem, problem.options) end)
