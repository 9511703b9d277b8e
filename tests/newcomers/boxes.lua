-- Boxes: Sokoban, whose man and boxes are kept as columns and rows.
local grid = crux.grid

local dx = { U = 0, L = -1, D = 0, R = 1 }
local dy = { U = -1, L = 0, D = 1, R = 0 }

local function column(level) return crux.integer(1, level.width) end
local function row(level) return crux.integer(1, level.height) end

-- The number of the box on a square; nil if there is none.
local function box_at(now, x, y)
  for i = 1, #now.bx do
    if now.bx[i] == x and now.by[i] == y then return i end
  end
end

return grid {
  name = "boxes",
  files = { "xsb" },
  tiles = { { " " }, { "#", "wall" }, { "@", "man" }, { "$", "box" }, { ".", "goal" }, { "*", "box", "goal" }, { "+", "man", "goal" } },
  check = { man = 1, box = "goal", closed = "man" },

  board = function(level)
    level.x, level.y = level.man:first()
    level.bx, level.by = {}, {}
    for x, y in level.box:cells() do
      table.insert(level.bx, x)
      table.insert(level.by, y)
    end
  end,

  moves = { "U", "L", "D", "R" },
  state = { x = column, y = row, bx = function(level) return crux.array(#level.bx, column(level)) end,
    by = function(level) return crux.array(#level.by, row(level)) end },

  step = function(now, move, level)
    local x, y = now.x + dx[move], now.y + dy[move]
    if not level.floor:has(x, y) then return end
    local i = box_at(now, x, y)
    if i then
      local to_x, to_y = x + dx[move], y + dy[move]
      if not level.floor:has(to_x, to_y) or box_at(now, to_x, to_y) then return end
      now.bx[i], now.by[i] = to_x, to_y
    end
    now.x, now.y = x, y
  end,

  won = function(now, level)
    for i = 1, #now.bx do
      if not level.goal:has(now.bx[i], now.by[i]) then return false end
    end
    return true
  end,

  shown = function(now, level)
    local man, box = crux.cells(level.width, level.height, { { now.x, now.y } }), crux.cells(level.width, level.height)
    for i = 1, #now.bx do box = box:with(now.bx[i], now.by[i]) end
    return { man = man, box = box }
  end,

  measures = { { "moves", moves = true, doc = "steps and pushes of a shortest solution" } },
}
