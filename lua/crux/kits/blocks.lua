--- The blocks of a board of numbers that need not be full, as people see them: an open cell is of the same block as its
--- neighbours, unless a border is drawn between them or one of them is of an area that has as many cells as its number says.
local lists = require "crux.base.lists"

local blocks = {}

---@class Block
---@field cells userdata
---@field number integer?                 the known one, how many cells there are if none is known, nil if several are
---@field beside table<integer, boolean>   the numbers of the blocks beside it

local steps <const> = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }

--- Tells whether a border is drawn between a cell and the next one: `right_border` and `lower_border` are boards of the cells
--- that have one on that side.
local function is_apart(known, x, y, step)
  local border = known[step[1] ~= 0 and "right_border" or "lower_border"]
  return border and border:has(x + math.min(step[1], 0), y + math.min(step[2], 0))
end

--- The parts of a board: neighbours are together if `joins` says so of their numbers, and no border is between them.
---@param nothing userdata
---@return userdata[]
local function parts(known, nothing, joins)
  local list, seen, width, height = {}, nothing, nothing:size()
  local function part(cells, x, y)
    cells, seen = cells:with(x, y), seen:with(x, y)
    for _, step in ipairs(steps) do
      local to_x, to_y = x + step[1], y + step[2]
      local inside = to_x >= 1 and to_y >= 1 and to_x <= width and to_y <= height
      if inside and not seen:has(to_x, to_y) and not is_apart(known, x, y, step) and joins(x, y, to_x, to_y) then
        cells = part(cells, to_x, to_y)
      end
    end
    return cells
  end
  for x, y in (~nothing):cells() do
    if not seen:has(x, y) then table.insert(list, part(nothing, x, y)) end
  end
  return list
end

---@param known table<string, userdata>   by value, which is a number, the cells that have it; and borders, if there are any
---@param values string[]
---@return Block[]
function blocks.of(known, values)
  local number, complete = {}, known[values[1] ] - known[values[1] ]
  for _, value in ipairs(values) do
    for x, y in known[value]:cells() do number[y << 10 | x] = value end
  end
  local function number_of(x, y) return number[y << 10 | x] end
  local function same(x, y, to_x, to_y) return number_of(x, y) == number_of(to_x, to_y) end
  for _, area in ipairs(parts(known, complete, same)) do
    if number_of(area:first()) == tostring(#area) then complete = complete | area end
  end
  local list = lists.map(parts(known, complete - complete, function(x, y, to_x, to_y)
    local one, other = number_of(x, y), number_of(to_x, to_y)
    return one == other or not (one and other) and not complete:has(x, y) and not complete:has(to_x, to_y)
  end), function(cells)
    local kinds = lists.select(values, function(value) return (known[value] & cells):any() end)
    return { cells = cells, number = not kinds[2] and math.tointeger(tonumber(kinds[1] or #cells)) or nil, beside = {} }
  end)
  for i, one in ipairs(list) do
    for k = 1, i - 1 do
      local other = list[k]
      if (one.cells:neighbours() & other.cells):any() then
        one.beside[other.number or 0], other.beside[one.number or 0] = true, true
      end
    end
  end
  return list
end

return blocks
