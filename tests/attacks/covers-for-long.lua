-- A search in C that takes longer than the script may.
-- measure --limit-time 1: not solved: the limit on seconds was met
local game = require "honest"
game.search = nil
function game.solve(_, options)
  local seed, problem = 1, { items = 150, options = {} }
  local function draw()
    seed = seed * 48271 % 2147483647
    return seed % problem.items + 1
  end
  for i = 1, 1200 do
    local a, b, c = draw(), draw(), draw()
    problem.options[i] = a ~= b and b ~= c and a ~= c and { a, b, c } or { a }
  end
  return crux.exact_cover.solve(problem, options)
end
return game
