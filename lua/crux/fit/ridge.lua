--- The fit `ridge`: least squares with a penalty on the squares of the coefficients.
local penalised = require "crux.fit.penalised"

return penalised.row({
  name = "ridge",
  doc = "least squares plus lambda times the squared coefficients of standardised terms, as R's glmnet with alpha = 0",
}, 0)
