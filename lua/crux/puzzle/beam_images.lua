--- Problems of libcrux.beams, turned and mirrored; and all such images as texts that are equal for equal problems.
local lists = require "crux.base.lists"

local images = {}

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
---@return BeamBoard
local function board_of(level)
  local board = { rows = {}, lasers = level.emitters, targets = level.targets }
  for row in level.tiles:gsub("[^%S\n]", ""):gmatch "%S+" do table.insert(board.rows, row) end
  return board
end

--- The board of a problem, turned clockwise.
---@return BeamBoard
function images.turned(level) return mirrored(transposed(board_of(level))) end

---@return string[]   eight texts
function images.texts(level)
  local board, hand, texts = board_of(level), {}, {}
  for _, kind in ipairs(lists.keys(level.blocks)) do table.insert(hand, kind .. level.blocks[kind]) end
  for _ = 1, 4 do
    table.insert(texts, text_of(board, hand))
    board = mirrored(board)
    table.insert(texts, text_of(board, hand))
    board = transposed(board)
  end
  return texts
end

return images
