-- Fill: the colour of the top left corner is poured over all cells of its colour that touch, until there is one colour.
local game = crux.game "fill"

function game.parse(text)
  local level = { cells = {}, width = 0, height = 0 }
  for line in text:gmatch "[1-3]+" do
    level.width, level.height = #line, level.height + 1
    for colour in line:gmatch "." do table.insert(level.cells, tonumber(colour)) end
  end
  return level
end

function game.format(level) return table.concat(level.cells):gsub(("."):rep(level.width), "%0\n") end

game.search = {
  moves = { "1", "2", "3" },
  state = function(level) return { cells = crux.array(#level.cells, crux.integer(1, 3)) } end,
  start = function(level) return { cells = { table.unpack(level.cells) } } end,
  step = function(now, move, level)
    local new, old = math.tointeger(move), now.cells[1]
    if new == old then return false end
    local function fill(x, y)
      if x < 1 or y < 1 or x > level.width or y > level.height then return end
      local i = (y - 1) * level.width + x
      if now.cells[i] ~= old then return end
      now.cells[i] = new
      fill(x + 1, y)
      fill(x - 1, y)
      fill(x, y + 1)
      fill(x, y - 1)
    end
    fill(1, 1)
    for i = 2, #now.cells do
      if now.cells[i] ~= now.cells[1] then return false end
    end
    return true
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
