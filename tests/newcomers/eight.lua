-- Eight: slide the tiles into order. A level is three rows, with 0 for the gap.
local game = crux.game "eight"

function game.parse(text)
  local tiles = {}
  for digit in text:gmatch "%d" do table.insert(tiles, tonumber(digit)) end
  if #tiles ~= 9 then crux.refuse(#tiles .. " tiles", "nine") end
  return { tiles = tiles }
end

function game.format(level) return (table.concat(level.tiles, " "):gsub("(%d %d %d) ?", "%1\n")) end

game.search = {
  moves = { "U", "L", "D", "R" }, -- of the gap
  state = function() return { at = crux.array(9, crux.integer(0, 8)) } end,
  start = function(level) return { at = { table.unpack(level.tiles) } } end,

  step = function(now, move)
    local at = now.at
    local i, j
    for place = 1, 9 do
      if at[place] == 0 then i = place end
    end
    local column, row = (i - 1) % 3, (i - 1) // 3
    if move == "U" and row > 0 then
      j = i - 3
    elseif move == "L" and column > 0 then
      j = i - 1
    elseif move == "D" and row < 2 then
      j = i + 3
    elseif move == "R" and column < 2 then
      j = i + 1
    end
    if not j then return false end
    at[i], at[j] = at[j], at[i]
    for place = 1, 8 do
      if at[place] ~= place then return false end
    end
    return true
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
