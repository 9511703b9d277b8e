--- Writes squares as "COLUMN,ROW" for pages, which draw a gesture before the server answers. docs/lua-api.md describes the
--- tables that the function `hand` of a game returns.
local lists = require "crux.base.lists"

local hand = {}

---@return string
function hand.square(x, y) return ("%d,%d"):format(x, y) end

--- The squares of a board.
---@return string[]
function hand.squares(board)
  local list = {}
  for x, y in board:cells() do table.insert(list, hand.square(x, y)) end
  return list
end

--- The squares of numbers that count the squares of rows of a width from 1 on.
---@param cells integer[]
---@param width integer
---@return string[]
function hand.places(cells, width)
  return lists.map(cells, function(cell) return hand.square((cell - 1) % width + 1, (cell - 1) // width + 1) end)
end

return hand
