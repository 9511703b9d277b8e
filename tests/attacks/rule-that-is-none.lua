-- What looks like a rule, and is never told.
-- rate: found a script that returns a table, expected return crux.rule
local function spin() while true do end end
return setmetatable({}, { __index = spin, __metatable = spin, __eq = spin })
