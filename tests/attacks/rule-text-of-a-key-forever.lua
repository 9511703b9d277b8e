-- A coefficient whose name is asked for its text.
-- rate: found a table as a key, expected texts and numbers
local function spin() while true do end end
return crux.rule { formula = "y ~ x", coefficients = { [setmetatable({}, { __tostring = spin })] = 1 } }
