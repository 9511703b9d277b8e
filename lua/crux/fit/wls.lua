--- The fit `wls`: least squares that requires case weights.
local ols = require "crux.fit.ols"

return setmetatable({
  name = "wls",
  doc = "ols that insists on case weights: the rule, or --weights, must name their column",
  needs_weights = true,
}, { __index = ols })
