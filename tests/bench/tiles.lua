-- Sliding tiles: a level is rows of numbers, with 0 for the gap; won when the numbers from 1 on are in order and the gap is last.
local game = crux.game "tiles"

function game.parse(text)
  local level = { tiles = {}, columns = 0 }
  for line in text:gmatch "[^\n]+" do
    local count = 0
    for number in line:gmatch "%d+" do
      table.insert(level.tiles, tonumber(number))
      count = count + 1
    end
    if level.columns > 0 and count ~= level.columns then crux.refuse(count .. " numbers", level.columns .. "") end
    level.columns = count
  end
  return level
end

function game.format(level)
  local text = {}
  for i, tile in ipairs(level.tiles) do text[i] = tile .. (i % level.columns == 0 and "\n" or " ") end
  return table.concat(text)
end

--- True if the numbers from 1 on are in order.
local function is_done(at, count)
  for place = 1, count - 1 do
    if at[place] ~= place then return false end
  end
  return true
end

game.search = {
  moves = { "U", "L", "D", "R" }, -- of the gap
  state = function(level) return { at = crux.array(#level.tiles, crux.integer(0, #level.tiles - 1)) } end,
  start = function(level) return { at = { table.unpack(level.tiles) } }, is_done(level.tiles, #level.tiles) end,

  step = function(now, move, level)
    local at, count, columns = now.at, #level.tiles, level.columns
    local i, j
    for place = 1, count do
      if at[place] == 0 then i = place end
    end
    local column, row = (i - 1) % columns, (i - 1) // columns
    if move == "U" and row > 0 then
      j = i - columns
    elseif move == "L" and column > 0 then
      j = i - 1
    elseif move == "D" and row < count // columns - 1 then
      j = i + columns
    elseif move == "R" and column < columns - 1 then
      j = i + 1
    end
    if not j then return false end
    at[i], at[j] = at[j], at[i]
    return is_done(at, count)
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
