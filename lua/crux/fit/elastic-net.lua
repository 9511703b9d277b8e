--- The fit `elastic-net`: least squares with the penalties of lasso and ridge, mixed.
local penalised = require "crux.fit.penalised"

return penalised.row {
  name = "elastic-net",
  doc = "least squares plus lambda times a mixture of the penalties of lasso and ridge, as R's glmnet",
  options = { { name = "alpha", default = 0.5, least = 0, most = 1, doc = "the share of lasso's penalty" } },
}
