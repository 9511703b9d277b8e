-- Ice: slide until a wall stops you, and stop on the exit.
local grid = crux.grid

local steps = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }

return grid {
  name = "ice",
  tiles = { { "." }, { "#", "wall" }, { "@", "player" }, { "O", "exit" }, { "*", "player", "exit" } },
  check = { player = 1, exit = 1 },

  moves = { "U", "L", "D", "R" },
  state = { "player" },

  step = function(now, move, level)
    local x, y = now.player:first()
    local dx, dy = steps[move][1], steps[move][2]
    while level.floor:has(x + dx, y + dy) do
      x = x + dx
      y = y + dy
    end
    local nothing = now.player - now.player
    now.player = nothing:with(x, y)
  end,

  won = function(now, level) return now.player == level.exit end,

  measures = { { "moves", moves = true, doc = "slides of a shortest solution" } },
}
