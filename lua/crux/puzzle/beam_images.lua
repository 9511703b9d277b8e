--- The images of a problem of libcrux.beams when its board is turned and mirrored, as texts that are equal for equal problems.
local lists = require "crux.base.lists"

---@class BeamBoard
---@field rows string[]      of tiles, a character each
---@field lasers table[]     x, y, and the direction, as libcrux.beams takes them
---@field targets table[]

--- The board with left and right exchanged.
local function mirrored(board)
  local width = 2 * #board.rows[1]
  return {
    rows = lists.map(board.rows, string.reverse),
    lasers = lists.map(board.lasers, function(laser) return { width - laser[1], laser[2], -laser[3], laser[4] } end),
    targets = lists.map(board.targets, function(target) return { width - target[1], target[2] } end),
  }
end

--- The board with rows and columns exchanged.
local function transposed(board)
  local columns = {}
  for x = 1, #board.rows[1] do
    columns[x] = table.concat(lists.map(board.rows, function(row) return row:sub(x, x) end))
  end
  return {
    rows = columns,
    lasers = lists.map(board.lasers, function(laser) return { laser[2], laser[1], laser[4], laser[3] } end),
    targets = lists.map(board.targets, function(target) return { target[2], target[1] } end),
  }
end

local function text_of(board, hand)
  local lines = {}
  for _, points in ipairs { board.lasers, board.targets } do
    for _, point in ipairs(points) do table.insert(lines, table.concat(point, " ")) end
  end
  table.sort(lines)
  return table.concat(lists.concat(board.rows, lines, hand), "\n")
end

---@param level table   a problem of libcrux.beams
---@return string[]     eight texts
return function(level)
  local board, hand, images = { rows = {}, lasers = level.emitters, targets = level.targets }, {}, {}
  for row in level.tiles:gsub("[^%S\n]", ""):gmatch "%S+" do table.insert(board.rows, row) end
  for _, kind in ipairs(lists.keys(level.blocks)) do table.insert(hand, kind .. level.blocks[kind]) end
  for _ = 1, 4 do
    table.insert(images, text_of(board, hand))
    board = mirrored(board)
    table.insert(images, text_of(board, hand))
    board = transposed(board)
  end
  return images
end
