-- Functions of crux that are replaced for other scripts.
-- compare: as honest
local function spin() while true do end end
local rule = crux.rule
for _, name in ipairs { "none", "where", "max", "integer", "rule", "refuse" } do crux[name] = spin end
crux.beams.play.start, crux.path_cover.solve, crux.exact_cover.play.keys[1][1] = spin, spin, "?"
pcall(rawset, crux.flag, "kind", spin)
pcall(function() crux.flag.kind = spin end)
crux = nil
return rule { formula = "y ~ x" }
