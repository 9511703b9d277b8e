-- Replaces how covers are played by other scripts.
-- compare: as honest
for name in pairs(crux.path_cover.play) do crux.path_cover.play[name] = error end
crux.path_cover.draw = error
return crux.rule { formula = "y ~ x" }
