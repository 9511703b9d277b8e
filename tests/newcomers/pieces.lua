-- Pieces: a rook and a bishop slide until something is in the way, to a square each.
local game = crux.game "pieces"

local marks = { R = "rook", B = "bishop", r = "rook_goal", b = "bishop_goal" }

function game.parse(text)
  local level = { rows = {}, free = {} }
  for line in text:gmatch "[^\n]+" do
    table.insert(level.rows, line)
    local y, row = #level.rows, {}
    for x = 1, #line do
      row[x] = line:sub(x, x) ~= "#"
      local mark = marks[line:sub(x, x)]
      if mark then level[mark] = { x = x, y = y } end
    end
    level.free[y] = row
  end
  return level
end

function game.format(level) return table.concat(level.rows, "\n") .. "\n" end

-- A way of moving: from a square to the next one if that is free, else nil.
local function slider(dx, dy)
  return function(x, y, is_free)
    if is_free(x + dx, y + dy) then return x + dx, y + dy end
  end
end

local rules = {
  RU = { piece = "rook", go = slider(0, -1) }, RD = { piece = "rook", go = slider(0, 1) },
  RL = { piece = "rook", go = slider(-1, 0) }, RR = { piece = "rook", go = slider(1, 0) },
  BU = { piece = "bishop", go = slider(1, -1) }, BD = { piece = "bishop", go = slider(-1, 1) },
  BL = { piece = "bishop", go = slider(-1, -1) }, BR = { piece = "bishop", go = slider(1, 1) },
}

game.search = {
  moves = { "RU", "RD", "RL", "RR", "BU", "BD", "BL", "BR" },
  state = function(level)
    local x, y = crux.integer(1, #level.free[1]), crux.integer(1, #level.free)
    return { rook_x = x, rook_y = y, bishop_x = x, bishop_y = y }
  end,
  start = function(level)
    return { rook_x = level.rook.x, rook_y = level.rook.y, bishop_x = level.bishop.x, bishop_y = level.bishop.y }
  end,
  step = function(now, move, level)
    local rule = rules[move]
    local piece, other = rule.piece, rule.piece == "rook" and "bishop" or "rook"
    local function is_free(x, y)
      local row = level.free[y]
      return row and row[x] and not (now[other .. "_x"] == x and now[other .. "_y"] == y)
    end
    local x, y = now[piece .. "_x"], now[piece .. "_y"]
    while true do
      local next_x, next_y = rule.go(x, y, is_free)
      if not next_x then break end
      x, y = next_x, next_y
    end
    now[piece .. "_x"], now[piece .. "_y"] = x, y
    for _, name in ipairs { "rook", "bishop" } do
      local goal = level[name .. "_goal"]
      if now[name .. "_x"] ~= goal.x or now[name .. "_y"] ~= goal.y then return false end
    end
    return true
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
