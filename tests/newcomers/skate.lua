-- Skate: slide over the ice, which is rows of text, until something is in the way.
local game = crux.game "skate"

function game.parse(text)
  local level = { rows = {} }
  for line in text:gmatch "[^\n]+" do
    table.insert(level.rows, line)
    local x, goal = line:find("@", 1, true), line:find("O", 1, true)
    if x then level.x, level.y = x, #level.rows end
    if goal then level.goal_x, level.goal_y = goal, #level.rows end
  end
  level.width, level.height = #level.rows[1], #level.rows
  return level
end

function game.format(level) return table.concat(level.rows, "\n") .. "\n" end

local ways = { U = { x = 0, y = -1 }, D = { x = 0, y = 1 }, L = { x = -1, y = 0 }, R = { x = 1, y = 0 } }

game.search = {
  moves = { "U", "D", "L", "R" },
  state = function(level) return { x = crux.integer(1, level.width), y = crux.integer(1, level.height) } end,
  start = function(level) return { x = level.x, y = level.y } end,
  step = function(now, move, level)
    local way = ways[move]
    while true do
      local x, y = now.x + way.x, now.y + way.y
      if x < 1 or y < 1 or x > level.width or y > level.height then break end
      if level.rows[y]:sub(x, x) == "#" then break end
      now.x, now.y = x, y
    end
    return now.x == level.goal_x and now.y == level.goal_y
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
