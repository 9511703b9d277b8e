--- Covers of a grid by paths, for generators of levels that are solved by covers: at random, and with small changes.
---
--- A cover is a list of paths; a path is a list of cells (numbers in reading order), each beside the one before; every
--- cell of the grid is on exactly one path.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.path_cover.
local covers = {}

local function part(path, first, last) return table.move(path, first, last, 1, {}) end

local function reversed(path)
  local result = {}
  for i, cell in ipairs(path) do result[#path + 1 - i] = cell end
  return result
end

local function joined(a, b) return table.move(b, 1, #b, #a + 1, part(a, 1, #a)) end

local function neighbours(cell, width, height)
  local list, column = {}, (cell - 1) % width + 1
  if cell > width then table.insert(list, cell - width) end
  if column < width then table.insert(list, cell + 1) end
  if cell <= width * (height - 1) then table.insert(list, cell + width) end
  if column > 1 then table.insert(list, cell - 1) end
  return list
end

--- The number of the path that a cell is on, and the cell's place on it.
local function place_of(cell, paths)
  for p, path in ipairs(paths) do
    for i = 1, #path do
      if path[i] == cell then return p, i end
    end
  end
end

--- A cover that differs in one or two paths: the end of a path is joined to a cell beside it. If the cell is on the same path,
--- that gets a new end ("backbiting"); else the path takes over a piece of the other, which keeps at least `least` cells. Any
--- change can be undone by another. The other paths are those of the given cover, not copies.
function covers.vary(paths, width, height, least, random)
  local p = random:integer(1, #paths)
  local path = random:chance(0.5) and paths[p] or reversed(paths[p])
  local beside = neighbours(path[#path], width, height)
  if #beside == 0 then return nil end
  local near = random:pick(beside)
  local q, i = place_of(near, paths)
  local changed = part(paths, 1, #paths)
  if q == p then
    if path[i] ~= near then i = #path + 1 - i end
    if i == #path - 1 then return nil end
    changed[p] = joined(part(path, 1, i), reversed(part(path, i + 1, #path)))
  else
    local other = paths[q]
    if random:chance(0.5) then
      other, i = reversed(other), #other + 1 - i
    end
    if i <= least then return nil end
    changed[p], changed[q] = joined(path, part(other, i, #other)), part(other, 1, i - 1)
  end
  return changed
end

--- A cover by a number of paths of at least `least` cells each: the rows, alternately from left and right, as one path, cut
--- into equal pieces, and then changed many times.
function covers.random(width, height, count, least, random)
  local paths, size = {}, width * height
  if width < 1 or height < 1 or count < 1 or count * least > size then
    return nil, ("%d paths of at least %d cells do not fit on %d x %d"):format(count, least, width, height)
  end
  for p = 1, count do paths[p] = {} end
  for i = 0, size - 1 do
    local row, column = i // width, i % width
    if row % 2 == 1 then column = width - 1 - column end
    table.insert(paths[i * count // size + 1], row * width + column + 1)
  end
  for _ = 1, 10 * size do paths = covers.vary(paths, width, height, least, random) or paths end
  return paths
end

return covers
