-- A rule that is never loaded.
-- rate: the script ran for more than 0.2 s; --limit-time SECONDS allows more
local function spin() while true do end end
while true do pcall(spin) end
return crux.rule { formula = "y ~ x" }
