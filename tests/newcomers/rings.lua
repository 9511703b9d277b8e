-- Rings: two rings of letters are turned, and their first letters exchanged, until the letters of each are in order.
local game = crux.game "rings"

function game.parse(text)
  local a, b = text:match "^(%l+) (%l+)%s*$"
  if not a or #a ~= #b then crux.refuse(text, "two words of one length") end
  return { a = a, b = b }
end

function game.format(level) return level.a .. " " .. level.b .. "\n" end

game.search = {
  moves = { "turn a", "turn b", "swap" },
  state = function(level)
    local letters = crux.array(#level.a, crux.integer(97, 122))
    return { a = letters, b = letters }
  end,
  start = function(level) return { a = { level.a:byte(1, -1) }, b = { level.b:byte(1, -1) } } end,
  step = function(now, move)
    if move == "swap" then
      now.a[1], now.b[1] = now.b[1], now.a[1]
    else
      local ring = move == "turn a" and now.a or now.b
      table.insert(ring, table.remove(ring, 1))
    end
    for i = 2, #now.a do
      if now.a[i] < now.a[i - 1] or now.b[i] < now.b[i - 1] then return false end
    end
    return true
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
