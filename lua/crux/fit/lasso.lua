--- The fit `lasso`: least squares with a penalty on the absolute values of the coefficients, which leaves some at 0.
local penalised = require "crux.fit.penalised"

return penalised.row({
  name = "lasso",
  doc = "least squares plus lambda times the absolute coefficients of standardised terms, as R's glmnet; drops terms",
}, 1)
