-- A rating that is never told when its numbers are tuned.
-- fit: ran for more than 0.2 s; --limit-time SECONDS allows more
local function spin() while true do end end
local rows = 0
return crux.rule { predicts = "y", params = { a = { 1, low = 0, high = 2 } }, formula = function(m, p)
  rows = rows + 1
  if rows > 20 then spin() end
  return p.a * m.x
end }
