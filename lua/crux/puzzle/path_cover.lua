--- Path covers for game scripts: libcrux.path_cover, covers at random, and functions that draw and play a grid with paths. A
--- level is a grid of libcrux.path_cover with `letters` and `endpoints` (the numbers of the two cells) by colour.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.path_cover.
local covers = require "crux.puzzle.covers"
local fault = require "crux.base.fault"
local hand = require "crux.puzzle.hand"
local lines = require "crux.puzzle.lines"
local listing = require "crux.puzzle.listing"
local lists = require "crux.base.lists"
local primitive = require "libcrux.path_cover"

local path_cover = lists.merge(primitive, covers)

--- Rows of text made of the text of each cell.
function path_cover.rows(level, cell_text)
  local rows = {}
  for y = 1, level.height do
    local line = {}
    for x = 1, level.width do line[x] = cell_text((y - 1) * level.width + x) end
    rows[y] = table.concat(line):gsub(" +$", "")
  end
  return table.concat(rows, "\n")
end

--- The cells beside a cell of a grid.
local function beside(level, cell)
  local x, y, cells = (cell - 1) % level.width + 1, (cell - 1) // level.width + 1, {}
  for _, step in pairs(lines.steps) do
    local to_x, to_y = x + step[1], y + step[2]
    if to_x >= 1 and to_y >= 1 and to_x <= level.width and to_y <= level.height then
      table.insert(cells, (to_y - 1) * level.width + to_x)
    end
  end
  return cells
end

--- The paths of some colours with the last of them led on to a cell, and the grid that is left to cover.
local function led_on(node, cell, level)
  local colour, cells, paths = #node.paths, lists.copy(node.cells), lists.copy(node.paths)
  local path = lists.copy(paths[colour])
  cells[path[#path]], cells[cell] = -1, colour
  table.insert(path, cell)
  paths[colour] = path
  if cell == level.endpoints[colour][2] then
    cells[cell] = -1
    paths[colour + 1] = level.endpoints[colour + 1] and { level.endpoints[colour + 1][1] }
  end
  return { cells = cells, paths = paths }
end

local function turns_of(paths)
  local turns = 0
  for _, path in ipairs(paths) do
    for i = 2, #path - 1 do turns = turns + (path[i] - path[i - 1] ~= path[i + 1] - path[i] and 1 or 0) end
  end
  return turns
end

--- All covers of a level, each with its `paths` and `turns`; nil if there are too many, or a limit is met.
function path_cover.list(level, options)
  local limits = { seconds = options.seconds, bytes = options.bytes }
  local nodes = listing.run({ cells = level.cells, paths = { { level.endpoints[1][1] } } }, function(node)
    return fault.check(primitive.solve({ width = level.width, height = level.height, cells = node.cells }, limits)).status
  end, function(node)
    local colour = #node.paths
    local head, goal, nodes = node.paths[colour][#node.paths[colour]], level.endpoints[colour][2], {}
    if head == goal then return nil end
    for _, cell in ipairs(beside(level, head)) do
      if node.cells[cell] == 0 or cell == goal then table.insert(nodes, led_on(node, cell, level)) end
    end
    return nodes
  end)
  return nodes and lists.map(nodes, function(node) return { paths = node.paths, turns = turns_of(node.paths) } end)
end

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
    local crossed = sides[cell] or 0
    return (level.letters[level.cells[cell]] or lines.characters[crossed] or "·") .. (crossed & 2 ~= 0 and "─" or " ")
  end)
end

--- The paths with one of them replaced; the others end before its cells.
local function with_path(paths, colour, path)
  local taken, changed = lists.set(path), {}
  for other, cells in pairs(paths) do
    local cut = 1
    while cells[cut] and not taken[cells[cut]] do cut = cut + 1 end
    changed[other] = table.move(cells, 1, cut - 1, 1, {})
  end
  changed[colour] = path
  return changed
end

--- The colour of the path that passes a cell, and the cell's place on it.
local function find(paths, cell)
  for colour, path in pairs(paths) do
    for i, passed in ipairs(path) do
      if passed == cell then return colour, i end
    end
  end
end

--- The paths with the held one extended to a cell, or shortened if the cell is its last but one; nil if neither is possible.
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

--- Tells whether a path joins the two endpoints of its colour.
function path_cover.joins(path, ends)
  local first, last = path[1], path[#path]
  return #path > 1 and first ~= last and first + last == ends[1] + ends[2]
end

--- Rules of play. A position has the cursor's cell, the paths, each from one of its endpoints, and the colour of the held path.
--- Taking up a path counts as a move.
path_cover.play = {
  keys = { { "up left down right", "move, and draw the path that is held" }, { "space", "take up or put down a path" } },
  click = "space",
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
    local x, y = (cell - 1) % level.width + lines.steps[key][1], (cell - 1) // level.width + lines.steps[key][2]
    if x < 0 or y < 0 or x >= level.width or y >= level.height then return nil end
    local paths, to = position.paths, y * level.width + x + 1
    if held then paths = extended(position, to, level) end
    if not paths then return nil end
    if level.cells[to] == held and #paths[held] > 1 then held = nil end -- the path joins its endpoints
    return { cell = to, paths = paths, held = held }, false
  end,
  done = function(position, level)
    local covered = 0
    for colour, ends in ipairs(level.endpoints) do
      local path = position.paths[colour] or {}
      if not path_cover.joins(path, ends) then return false end
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
  square = function(position, level) return (position.cell - 1) % level.width + 1, (position.cell - 1) // level.width + 1 end,
  holds = function(position) return position.held ~= nil end,
  hand = function(position, level)
    local paths, ends = {}, {}
    for colour, pair in ipairs(level.endpoints) do
      paths[colour], ends[colour] = hand.places(position.paths[colour] or {}, level.width), hand.places(pair, level.width)
    end
    return { kind = "path", key = "space", paths = paths, ends = ends }
  end,
  told = function(position, level)
    local rows = {}
    for cell, own in ipairs(level.cells) do
      local x, y, colour = (cell - 1) % level.width + 1, (cell - 1) // level.width + 1, find(position.paths, cell)
      rows[y] = rows[y] or {}
      rows[y][x] = level.letters[own] or colour and "path: " .. level.letters[colour]
    end
    return rows
  end,
  -- Draws the first path that covers other cells than in the solution.
  hint = function(position, _, solution)
    for colour, path in ipairs(solution.paths) do
      local drawn = position.paths[colour] or {}
      local is_right, covered = #drawn == #path, lists.set(drawn)
      for _, cell in ipairs(path) do is_right = is_right and covered[cell] end
      if not is_right then
        return { cell = path[#path], paths = with_path(position.paths, colour, path) }
      end
    end
  end,
}

return path_cover
