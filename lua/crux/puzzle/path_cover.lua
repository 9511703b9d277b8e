--- Path covers for game scripts: libcrux.path_cover, covers at random, and how a grid with paths on it is drawn and played.
---
--- A level is a grid as libcrux.path_cover takes it, with `letters` and `endpoints` (the numbers of the two cells) by
--- colour.
local covers = require "crux.puzzle.covers"
local lines = require "crux.puzzle.lines"
local primitive = require "libcrux.path_cover"

local path_cover = {}

for name, value in pairs(primitive) do path_cover[name] = value end
for name, value in pairs(covers) do path_cover[name] = value end

--- Lines of text, a character or more for each cell.
---@param level table
---@param cell_text fun(cell: integer): string
---@return string
function path_cover.rows(level, cell_text)
  local rows = {}
  for y = 1, level.height do
    local line = {}
    for x = 1, level.width do line[x] = cell_text((y - 1) * level.width + x) end
    rows[y] = table.concat(line):gsub(" +$", "")
  end
  return table.concat(rows, "\n")
end

--- The grid with paths on it.
---@param paths table<integer, integer[]>   cells of the path, by colour
function path_cover.draw(level, paths)
  local sides = {}
  for _, path in pairs(paths) do
    for i = 2, #path do
      local a, b = path[i - 1], path[i]
      local side = b == a + 1 and 2 or b == a - 1 and 8 or b > a and 4 or 1
      sides[a] = (sides[a] or 0) | side
      sides[b] = (sides[b] or 0) | (side < 4 and side << 2 or side >> 2)
    end
  end
  return path_cover.rows(level, function(cell)
    local own = sides[cell] or 0
    return (level.letters[level.cells[cell]] or lines[own] or "·") .. (own & 2 ~= 0 and "─" or " ")
  end)
end

--- The paths with one of them replaced; the others end before its cells.
local function with_path(paths, colour, path)
  local taken, changed = {}, {}
  for _, cell in ipairs(path) do taken[cell] = true end
  for other, cells in pairs(paths) do
    local cut = 1
    while cells[cut] and not taken[cells[cut]] do cut = cut + 1 end
    changed[other] = table.move(cells, 1, cut - 1, 1, {})
  end
  changed[colour] = path
  return changed
end

--- Where a path passes a cell, and which.
local function find(paths, cell)
  for colour, path in pairs(paths) do
    for i, passed in ipairs(path) do
      if passed == cell then return colour, i end
    end
  end
end

--- The held path led on to a cell, or back from its last one; nil when it cannot go there.
local function extended(position, cell, level)
  local colour, path = position.held, position.paths[position.held]
  local ends, last = level.endpoints[colour], path[#path]
  local on, place = find(position.paths, cell)
  if on == colour and place ~= #path - 1 or #path > 1 and (last == ends[1] or last == ends[2]) and on ~= colour
    or level.cells[cell] ~= 0 and level.cells[cell] ~= colour then
    return nil
  end
  local changed = table.move(path, 1, on == colour and place or #path, 1, {})
  if on ~= colour then table.insert(changed, cell) end
  return with_path(position.paths, colour, changed)
end

local directions = { up = { 0, -1 }, left = { -1, 0 }, down = { 0, 1 }, right = { 1, 0 } }

--- A position: the cursor's cell, the paths so far, each from one of its endpoints, and the colour of the held one. A move
--- is to take up a path.
path_cover.play = {
  keys = { { "up left down right", "move, and draw the path that is held" }, { "space", "take up or put down a path" } },
  start = function(level) return { cell = level.endpoints[1][1], paths = {} } end,
  step = function(position, key, level)
    local cell, held = position.cell, position.held
    if key == "space" then
      local colour, place = find(position.paths, cell)
      if held then return { cell = cell, paths = position.paths }, false end
      if level.cells[cell] ~= 0 then colour, place = level.cells[cell], 0 end
      if not colour then return nil end
      local path = place == 0 and { cell } or table.move(position.paths[colour], 1, place, 1, {})
      return { cell = cell, paths = with_path(position.paths, colour, path), held = colour }
    end
    local x, y = (cell - 1) % level.width + directions[key][1], (cell - 1) // level.width + directions[key][2]
    if x < 0 or y < 0 or x >= level.width or y >= level.height then return nil end
    local paths, to = position.paths, y * level.width + x + 1
    if held then paths = extended(position, to, level) end
    if not paths then return nil end
    if level.cells[to] == held and #paths[held] > 1 then held = nil end -- it joins its endpoints
    return { cell = to, paths = paths, held = held }, false
  end,
  done = function(position, level)
    local covered = 0
    for colour, ends in ipairs(level.endpoints) do
      local path = position.paths[colour] or {}
      local first, last = path[1], path[#path]
      if #path < 2 or first + last ~= ends[1] + ends[2] or first == last then return false end
      covered = covered + #path
    end
    return covered == level.width * level.height
  end,
  draw = function(position, level)
    return path_cover.draw(level, position.paths) .. (position.held and "\nholding " .. level.letters[position.held] or "")
  end,
  cursor = function(position, level)
    return (position.cell - 1) % level.width * 2 + 1, (position.cell - 1) // level.width + 1
  end,
  -- Draws the first path that does not cover what it does in the solution.
  hint = function(position, _, solution)
    for colour, path in ipairs(solution.paths) do
      local own, covered = position.paths[colour] or {}, {}
      for _, cell in ipairs(own) do covered[cell] = true end
      local is_right = #own == #path
      for _, cell in ipairs(path) do is_right = is_right and covered[cell] end
      if not is_right then
        return { cell = path[#path], paths = with_path(position.paths, colour, path) }
      end
    end
  end,
}

return path_cover
