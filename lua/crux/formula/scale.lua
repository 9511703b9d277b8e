--- scale(x) in formulas: x less its mean over the training rows, divided by its standard deviation there, as R's scale. It is
--- the polynomial of degree 1 in another unit.
local poly = require "crux.formula.poly"

local scale = setmetatable({}, { __index = poly })
scale.__index = scale

--- The basis of a call, not yet learned.
function scale.new() return setmetatable({ degree = 1 }, scale) end

function scale:columns(x) return { poly.columns(self, x)[1] * math.sqrt(self.norm2[2] - 1) } end

return scale
