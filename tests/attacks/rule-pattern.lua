-- A rating by a pattern that tries all ways.
-- rate: ran for more than 0.2 s and does not yield; --limit-time SECONDS allows more
return crux.rule { formula = function(m) return ("a"):rep(40):find((".-"):rep(40) .. "b") end }
