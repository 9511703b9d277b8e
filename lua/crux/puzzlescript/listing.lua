--- Prints a level as the names of the objects of each cell.
local listing = {}

--- Returns the names of the objects of a cell, in alphabetical order.
---@param game PuzzleScript
---@param cell integer[]   a set of objects
function listing.names(game, cell)
  local names = {}
  for i, word in ipairs(cell) do
    for bit = 0, 63 do
      if word >> bit & 1 == 1 then table.insert(names, game.object_names[64 * (i - 1) + bit]) end
    end
  end
  table.sort(names)
  return names
end

--- Returns a level in the format of the original engine's tests: cells column by column, `width` cells a line. The first cell
--- with certain objects is their names, ":" and a number; later cells with the same objects are this number.
---@param game PuzzleScript
---@param level table       width, height
---@param cells integer[][]
function listing.of(game, level, cells)
  local parts, numbers, count = {}, {}, 0
  for i, cell in ipairs(cells) do
    local key = table.concat(listing.names(game, cell), " ")
    if not numbers[key] then
      numbers[key], count = count, count + 1
      table.insert(parts, key .. ":")
    end
    table.insert(parts, numbers[key] .. ",")
    if i % level.width == 0 then table.insert(parts, "\n") end
  end
  return table.concat(parts)
end

return listing
