-- Methods of texts that are replaced for other scripts.
-- compare: as honest
local function spin() while true do end end
pcall(function() ("").rep = spin end)
pcall(rawset, string, "rep", spin)
pcall(setmetatable, "", { __index = spin })
string.format = function() spin() end
return crux.rule { formula = "y ~ x" }
