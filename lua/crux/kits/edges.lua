--- Puzzles whose values are on the edges between vertices: the larger board that has the edges as cells, and its drawing.
---
--- Vertices are in odd columns and rows of the larger board. A level's cells lie `around` vertices or `through` them: in the
--- first case cell 1,1 is at 2,2, and lines go around cells; in the second at 1,1, and lines go from cell to cell.
local boards = require "libcrux.board"
local lines = require "crux.puzzle.lines"
local lists = require "crux.base.lists"

local edges = {}

--- The boards of a level on its larger board, with `vertex` and `between`, the cells that are no edges.
---@param planes table<string, userdata>
---@param way "around"|"through"
function edges.expand(planes, way)
  local shift = way == "around" and 0 or 1
  local width, height = 2 * planes.width + 1 - 2 * shift, 2 * planes.height + 1 - 2 * shift
  local wide = { width = width, height = height, regions = planes.regions }
  for kind, plane in pairs(planes) do
    if type(plane) == "userdata" then
      local cells = {}
      for x, y in plane:cells() do table.insert(cells, { 2 * x - shift, 2 * y - shift }) end
      wide[kind] = boards.new(width, height, cells)
    end
  end
  wide.clues = lists.map(planes.clues or {}, function(clue)
    return { x = 2 * clue.x - shift, y = 2 * clue.y - shift, number = clue.number }
  end)
  local vertices, between = {}, {}
  for y = 1, height do
    for x = 1 + (y + 1) % 2, width, 2 do table.insert(y % 2 == 1 and vertices or between, { x, y }) end
  end
  wide.vertex, wide.between = boards.new(width, height, vertices), boards.new(width, height, between)
  return wide
end

--- The sides over which edges leave a vertex, as lines.characters says.
local function sides(line, x, y)
  local sum = 0
  for i, step in ipairs { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } } do
    if line:has(x + step[1], y + step[2]) then sum = sum + (1 << i - 1) end
  end
  return sum
end

local shown = lists.set(lists.concat(lines.characters, { "·" })) -- characters of lines and vertices

--- The words of a level with its edges: the line, and those that are marked as others.
---@param words string[][]   as Clues:words
---@param line userdata
---@param others userdata
---@return string[][]
function edges.rows(words, level, line, others)
  local rows = {}
  local function sign(word, x, y)
    if others:has(x, y) then return "×" end
    if line:has(x, y) then return y % 2 == 1 and "─" or "│" end
    if word ~= "." then return word end
    return level.vertex:has(x, y) and (lines.characters[sides(line, x, y)] or "·") or " "
  end
  for y, row in ipairs(words) do
    rows[y] = {}
    for x, word in ipairs(row) do rows[y][x] = sign(word, x, y) end
  end
  return rows
end

--- Rows without the characters that edges.paint draws.
function edges.labels(rows)
  return lists.map(rows, function(row)
    return lists.map(row, function(word) return shown[word] and " " or word end)
  end)
end

--- Draws edges on a canvas: the line, and dots for vertices, or lines between the cells that have them inside.
---@param way "around"|"through"
function edges.paint(level, way, line, canvas)
  local width, height = level.width + 1, level.height + 1
  for x = 0, way == "through" and width or -1, 2 do canvas:line({ { x, 0 }, { x, height } }, "white", 0.03) end
  for y = 0, way == "through" and height or -1, 2 do canvas:line({ { 0, y }, { width, y } }, "white", 0.03) end
  for x, y in (way == "around" and level.vertex or line - line):cells() do canvas:disc(x, y, "white", 0.15) end
  for x, y in line:cells() do
    local across = y % 2
    canvas:line({ { x - across, y - 1 + across }, { x + across, y + 1 - across } }, "bright blue", 0.2)
  end
end

return edges
