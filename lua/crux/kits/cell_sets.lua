--- The sets of cells of a level of deduction: units of crux.kits.deduce, and regions.
local boards = require "libcrux.board"
local deductions = require "libcrux.deductions"
local lists = require "crux.base.lists"

local cell_sets = {}

--- Rectangles by all sizes, while a level has them.
local known_rectangles = setmetatable({}, { __mode = "v" })

--- The rectangles of a width and height into which a level is divided.
local function rectangles(level, width, height)
  local sizes = ("%d %d %d %d"):format(level.width, level.height, width, height)
  local list = known_rectangles[sizes]
  if list then return list end
  list = {}
  for y = 1, level.height, height do
    for x = 1, level.width, width do
      local cells = {}
      for i = 0, width * height - 1 do cells[i + 1] = { x + i % width, y + i // width } end
      table.insert(list, boards.new(level.width, level.height, cells))
    end
  end
  known_rectangles[sizes] = list
  return list
end

--- Adds the units of a level: by group, a function of the level, or the width and height of rectangles, which it may return.
function cell_sets.add_units(level, units)
  local groups = {}
  level.sets, level.groups = {}, {}
  for i, name in ipairs(lists.keys(units)) do
    local of = units[name]
    if type(of) == "function" then of = of(level) end
    level.sets[name], level.groups[name] = math.type(of[1]) and rectangles(level, of[1], of[2]) or of, i
    groups[i] = level.sets[name]
  end
  level.units = deductions.new(groups)
end

--- The boards of regions: connected cells with the same letter, in reading order.
---@param letters string[][]   by row and column
function cell_sets.regions(letters, width, height)
  local seen, list = boards.new(width, height), {}
  for x, y in (~seen):cells() do
    if not seen:has(x, y) then
      local same = {}
      for other_x, other_y in (~seen):cells() do
        if letters[other_y][other_x] == letters[y][x] then table.insert(same, { other_x, other_y }) end
      end
      local region = boards.new(width, height, { { x, y } }):flood(boards.new(width, height, same))
      seen = seen | region
      table.insert(list, region)
    end
  end
  return list
end

return cell_sets
