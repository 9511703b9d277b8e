--- Numbers of ways as exact integers; `ways.many` if 63 bits cannot hold them.
local ways = {}

--- More than 2^63 - 1.
ways.many = -1

function ways.sum(a, b)
  if a < 0 or b < 0 or a > math.maxinteger - b then return ways.many end
  return a + b
end

return ways
