-- Pegs: a peg jumps over another one, which is taken away; one must be left.
local grid = crux.grid

local jumps, moves = {}, {}
for y = 1, 6 do
  for x = 1, 6 do
    for name, step in pairs { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } } do
      local move = ("r%dc%d%s"):format(y, x, name)
      jumps[move] = { x = x, y = y, dx = step[1], dy = step[2] }
      table.insert(moves, move)
    end
  end
end
table.sort(moves)

return grid {
  name = "pegs",
  tiles = { { "#", "wall" }, { ".", "hole" }, { "o", "peg", "hole" } },
  check = { peg = { 1, 36 } },

  moves = moves,
  state = { "peg" },

  step = function(now, move, level)
    local jump = jumps[move]
    local x, y, dx, dy = jump.x, jump.y, jump.dx, jump.dy
    if not now.peg:has(x, y) then return end
    if not now.peg:has(x + dx, y + dy) then return end
    if now.peg:has(x + 2 * dx, y + 2 * dy) or not level.hole:has(x + 2 * dx, y + 2 * dy) then return end
    now.peg = now.peg:without(x, y):without(x + dx, y + dy):with(x + 2 * dx, y + 2 * dy)
  end,

  won = function(now) return #now.peg == 1 end,

  pick = function(_, _, x, y)
    local from = ("r%dc%d"):format(y, x)
    return { U = from .. "U", L = from .. "L", D = from .. "D", R = from .. "R" }
  end,
  notation = function(_, solution) return table.concat(solution.moves, " ") end,
  measures = { { "moves", moves = true, doc = "jumps of a shortest solution" } },
}
