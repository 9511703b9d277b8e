-- Lights Out: a press on a square switches it and the squares beside it; switch all lights off.
local grid = crux.grid

local sides = { 2, 5 } -- the smallest and the largest board

local moves, squares = {}, {} -- a press on each square, by row and column
for row = 1, sides[2] do
  for column = 1, sides[2] do
    local move = ("r%dc%d"):format(row, column)
    table.insert(moves, move)
    squares[move] = { column, row }
  end
end

-- By move, the lights that it switches: none for a square beyond the board.
local function add_presses(level)
  level.presses = {}
  for move, square in pairs(squares) do
    local is_on_board = square[1] <= level.width and square[2] <= level.height
    local press = crux.cells(level.width, level.height, is_on_board and { square } or {})
    level.presses[move] = press | press:neighbours()
  end
end

return grid {
  name = "lights", doc = "A press on a square switches it and the squares beside it; switch all lights off.",
  tiles = { { "." }, { "*", "light" } },
  look = { { "light", "bright yellow square" }, lines = true },
  check = { light = { 1, 25 }, function(level)
    if level.width > sides[2] or level.height > sides[2] then return "a larger board", "at most 5 columns and rows" end
  end },
  board = add_presses,

  moves = moves,
  state = { "light" },
  step = function(now, move, level) now.light = now.light ~ level.presses[move] end,
  won = function(now) return now.light:none() end,
  heuristic = function(now) return (#now.light + 4) // 5 end, -- a press switches five lights at most
  pick = function(_, _, x, y) return ("r%dc%d"):format(y, x) end,
  notation = function(_, solution) return table.concat(solution.moves, " ") end,

  measures = {
    { "size", size = true },
    { "lights", count = "light", doc = "lights that are on" },
    { "presses", moves = true, doc = "presses of a shortest solution" },
  },

  generate = {
    options = { { "side", { 3, 5 }, doc = "squares along a side" }, { "pressed", { 1, 9 }, doc = "squares that are pressed" } },
    level = function(random, options, nothing) -- of a dark board, so that there is a solution
      local light = nothing
      for _ = 1, options.pressed do
        local x, y = (~nothing):pick(random)
        local press = nothing:with(x, y)
        light = light ~ (press | press:neighbours())
      end
      return { light = light }
    end,
  },
}
