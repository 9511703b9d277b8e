-- A rating that is never told.
-- rate: ran for more than 0.2 s; --limit-time SECONDS allows more
local function spin() while true do end end
return crux.rule { formula = function() while true do pcall(spin) end end }
