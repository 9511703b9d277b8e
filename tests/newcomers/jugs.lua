-- Jugs: pour water between three jugs until one of them holds the wanted number of litres. A level is the sizes of the jugs,
-- the first of which is full at the start, and the wanted number.
local game = crux.game "jugs"

function game.parse(text)
  local a, b, c, goal = text:match "^(%d+) (%d+) (%d+) (%d+)%s*$"
  if not a then crux.refuse(text, "three sizes and a goal, as in 8 5 3 4") end
  return { sizes = { tonumber(a), tonumber(b), tonumber(c) }, goal = tonumber(goal) }
end

function game.format(level) return table.concat(level.sizes, " ") .. " " .. level.goal .. "\n" end

game.search = {
  moves = { "AB", "AC", "BA", "BC", "CA", "CB" },

  state = function(level)
    local most = math.max(table.unpack(level.sizes))
    return { litres = crux.array(3, crux.integer(0, most)) }
  end,

  start = function(level) return { litres = { level.sizes[1], 0, 0 } } end,

  step = function(now, move, level)
    local from, to = move:byte(1) - 64, move:byte(2) - 64
    local room = level.sizes[to] - now.litres[to]
    local amount = now.litres[from]
    if amount > room then amount = room end
    if amount == 0 then return false end
    now.litres[from] = now.litres[from] - amount
    now.litres[to] = now.litres[to] + amount
    for _, litres in ipairs(now.litres) do
      if litres == level.goal then return true end
    end
    return false
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
