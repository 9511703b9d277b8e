--- The fit `margin`: minimises the sum of the absolute errors beyond a margin (Mutser 2014, section 3.3).
local linear_fit = require "crux.fit.linear_fit"
local quantile = require "crux.fit.quantile"
local vector = require "libcrux.vector"

--- Sums the absolute errors beyond the margin: one kink at error = margin, one at error = -margin.
local function excess(margin, columns, response, weights)
  local doubled, none = {}, weights * 0
  for i, column in ipairs(columns) do doubled[i] = vector.concat { column, column } end
  return { columns = doubled, target = vector.concat { response - margin, response + margin },
    below = vector.concat { none, -weights }, above = vector.concat { weights, none } }
end

return {
  name = "margin",
  doc = "least sum of what absolute errors exceed a margin by; of several optima the one of the least sum of absolute errors; "
    .. "intervals of the bootstrap",
  options = { { name = "margin", default = 0.5, least = 0, doc = "errors up to it are free, in the ratings' unit" } },
  figures = {},
  fit = function(problem)
    local margin = problem.options.margin
    return linear_fit.fit(problem, ("sum of absolute errors beyond %g"):format(margin), function(columns, response, weights)
      return { excess(margin, columns, response, weights), quantile.sums(1, 1)(columns, response, weights)[1] }
    end)
  end,
}
