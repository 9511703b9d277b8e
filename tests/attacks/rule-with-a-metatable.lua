-- Fields of a rule that are asked for ever.
-- rate: found a table with a metatable, expected a plain one
local function spin() while true do end end
return crux.rule { formula = "y ~ x", coefficients = setmetatable({}, { __index = spin, __pairs = spin }) }
