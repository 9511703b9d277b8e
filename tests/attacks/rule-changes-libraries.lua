-- Functions of Lua that are replaced for other scripts.
-- compare: as honest
string.format, string.rep, table.concat, math.huge, math.type, pairs, tostring = nil, nil, nil, 0, nil, nil, nil
return crux.rule { formula = "y ~ x" }
