-- A rating that takes memory.
-- rate --limit-memory 40: took more than 40 MB; --limit-memory MB allows more
local kept = {}
return crux.rule { formula = function(m)
  while true do pcall(function() kept[#kept + 1] = ("x"):rep(1 << 20) .. #kept end) end
end }
