--- The fit `lad`: least absolute deviations.
local linear_fit = require "crux.fit.linear_fit"
local quantile = require "crux.fit.quantile"

return {
  name = "lad",
  doc = "least sum of absolute errors (median regression): a few odd ratings hardly move it; intervals of the bootstrap",
  figures = {},
  fit = function(problem) return linear_fit.fit(problem, "sum of absolute errors", quantile.sums(1, 1)) end,
}
