--- The fit `quantile`: the linear function with a given share of the ratings below it.
local linear_fit = require "crux.fit.linear_fit"

local quantile = {
  name = "quantile",
  doc = "least sum of absolute errors, those of ratings above the prediction times tau, of others times 1 - tau: predicts that "
    .. "quantile of the ratings; intervals of the bootstrap",
  options = { { name = "tau", default = 0.5, least = 0.001, most = 0.999, doc = "share of the ratings below the prediction" } },
  figures = {},
}

--- Returns a function that builds the sum of absolute errors, weighted by their sign.
---@param above number   factor for ratings above the prediction
---@param below number   factor for ratings below the prediction
---@return fun(columns: userdata[], response: userdata, weights: userdata): Kinks[]
function quantile.sums(above, below)
  return function(columns, response, weights)
    return { { columns = columns, target = response, below = weights * -below, above = weights * above } }
  end
end

function quantile.fit(problem)
  local tau = problem.options.tau
  return linear_fit.fit(problem, ("sum of absolute errors, those above times %g, below times %g"):format(tau, 1 - tau),
    quantile.sums(tau, 1 - tau))
end

return quantile
