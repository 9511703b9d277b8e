-- Parts of a rating that are asked for ever.
-- rate --explain: found a table with a metatable, expected a plain one
local function spin() while true do end end
return crux.rule { formula = function(m) return m.x, setmetatable({}, { __index = spin, __len = spin }) end }
