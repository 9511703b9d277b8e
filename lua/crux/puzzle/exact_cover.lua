--- Exact covers for game scripts: libcrux.exact_cover, the rectangles of a board, and how a board is covered, drawn and
--- played.
---
--- A level has `usable`, the board of the cells to cover; `rows`, its text with a character for each cell; and `pieces`, a
--- list of what may cover cells: rectangles as exact_cover.rectangles makes them.
local fault = require "crux.base.fault"
local lines = require "crux.puzzle.lines"
local primitive = require "libcrux.exact_cover"

local exact_cover = {}

for name, value in pairs(primitive) do exact_cover[name] = value end

---@class Rectangle
---@field x integer          of its first cell, from 1
---@field y integer
---@field width integer
---@field height integer
---@field cells integer[]    numbers in reading order

local function rectangle(x, y, width, height, columns)
  local piece = { x = x, y = y, width = width, height = height, cells = {} }
  for i = 0, width * height - 1 do piece.cells[i + 1] = (y - 1 + i // width) * columns + x + i % width end
  return piece
end

--- All rectangles within a board: larger ones first, of the same size wider ones, then in reading order.
---@return Rectangle[]
function exact_cover.rectangles(board)
  local pieces, columns = {}, board:size()
  for x, y in board:cells() do
    local height, most = 1, columns
    while board:has(x, y + height - 1) do
      local width = 1
      while width <= most and board:has(x + width - 1, y + height - 1) do
        table.insert(pieces, rectangle(x, y, width, height, columns))
        width = width + 1
      end
      height, most = height + 1, width - 1
    end
  end
  table.sort(pieces, function(a, b)
    if #a.cells ~= #b.cells then return #a.cells > #b.cells end
    return a.width > b.width or a.width == b.width and a.cells[1] < b.cells[1]
  end)
  return pieces
end

--- The piece on each cell.
---@param pieces Rectangle[]
---@return table<integer, Rectangle>
function exact_cover.owners(pieces)
  local owner = {}
  for _, piece in ipairs(pieces) do
    for _, cell in ipairs(piece.cells) do owner[cell] = piece end
  end
  return owner
end

--- The first cover of a level with the fewest pieces: `cover`, its pieces in the order of their first cells; `length`, their
--- number; `text`, their columns, rows, widths and heights in one line; and what libcrux.exact_cover says of the search.
---@param options SolveOptions
---@return Solution
function exact_cover.cover(level, options)
  local items, problem = {}, { items = #level.usable, options = {} }
  local count = 0
  for _, _, cell in level.usable:cells() do
    count = count + 1
    items[cell] = count
  end
  for i, piece in ipairs(level.pieces) do
    problem.options[i] = {}
    for k, cell in ipairs(piece.cells) do problem.options[i][k] = items[cell] end
  end
  local solution = fault.check(primitive.solve(problem, { count = options.count, nodes = options.states,
    seconds = options.seconds, bytes = options.bytes }))
  if solution.limit == "nodes" then solution.limit = "states" end
  if not solution.pieces then return solution end
  solution.cover, solution.length, solution.text = {}, #solution.pieces, ""
  for i, number in ipairs(solution.pieces) do
    local piece = level.pieces[number]
    solution.cover[i] = piece
    solution.text = solution.text .. ("%d,%d:%dx%d "):format(piece.x, piece.y, piece.width, piece.height)
  end
  solution.text = solution.text:sub(1, -2)
  return solution
end

--- The level with pieces framed.
---@param pieces Rectangle[]
function exact_cover.draw(level, pieces)
  local columns, rows = level.usable:size()
  local owner, picture = exact_cover.owners(pieces), {}
  local function at(x, y) return x >= 1 and x <= columns and owner[(y - 1) * columns + x] or nil end
  local function upright(x, y) return at(x, y) ~= at(x + 1, y) end
  local function flat(x, y) return at(x, y) ~= at(x, y + 1) end
  for y = 0, rows do
    local border, line = "", ""
    for x = 0, columns do
      local sides = (upright(x, y) and 1 or 0) | (flat(x + 1, y) and 2 or 0) | (upright(x, y + 1) and 4 or 0)
        | (flat(x, y) and 8 or 0)
      border = border .. (lines[sides] or " ") .. (flat(x + 1, y) and "───" or "   ")
      line = line .. (y > 0 and upright(x, y) and "│" or " ") .. (y > 0 and x < columns
        and (" %s "):format(level.rows[y]:sub(x + 1, x + 1)) or "")
    end
    table.insert(picture, line)
    table.insert(picture, border)
  end
  return table.concat(picture, "\n", 2):gsub(" +\n", "\n"):gsub(" +$", "") .. "\n"
end

--- A position with some fields changed.
local function changed(position, changes)
  local new = {}
  for name, value in pairs(position) do new[name] = value end
  for name, value in pairs(changes) do new[name] = value end
  return new
end

--- The rectangle between the corner that is held and the cursor.
local function held(position, level)
  local corner = position.corner
  local x, y = math.min(corner.x, position.x), math.min(corner.y, position.y)
  return rectangle(x, y, math.abs(corner.x - position.x) + 1, math.abs(corner.y - position.y) + 1, (level.usable:size()))
end

--- Whether a piece lies on usable cells without another piece.
local function fits(piece, laid, level)
  local owner = exact_cover.owners(laid)
  for i, cell in ipairs(piece.cells) do
    local x, y = piece.x + (i - 1) % piece.width, piece.y + (i - 1) // piece.width
    if owner[cell] or not level.usable:has(x, y) then return false end
  end
  return true
end

--- The pieces laid, without those that share a cell with a piece, and with that piece.
local function laid_over(laid, piece)
  local pieces, covered = { piece }, exact_cover.owners { piece }
  for _, other in ipairs(laid) do
    local free = true
    for _, cell in ipairs(other.cells) do free = free and not covered[cell] end
    if free then table.insert(pieces, other) end
  end
  return pieces
end

--- The position after space: a corner is held, a piece laid or taken up.
local function after_space(position, level)
  local x, y, laid = position.x, position.y, position.laid
  if position.corner then
    local piece = held(position, level)
    if not fits(piece, laid, level) then return changed(position, { corner = false }), false end
    return changed(position, { corner = false, laid = laid_over(laid, piece) })
  end
  local piece = exact_cover.owners(laid)[(y - 1) * level.usable:size() + x]
  if piece then return changed(position, { laid = table.move(laid_over(laid, piece), 2, #laid, 1, {}) }) end
  if level.usable:has(x, y) then return changed(position, { corner = { x = x, y = y } }), false end
end

local function same(a, b) return a.cells[1] == b.cells[1] and a.width == b.width and a.height == b.height end

local directions = { up = { 0, -1 }, left = { -1, 0 }, down = { 0, 1 }, right = { 1, 0 } }

--- A position: the cursor's column and row, the pieces laid, the corner that is held or false, and the fewest pieces that
--- cover the level, if that is found soon.
exact_cover.play = {
  keys = { { "up left down right", "move the cursor" }, { "space", "lay a rectangle from corner to corner, or take it up" } },
  start = function(level)
    return { x = 1, y = 1, laid = {}, corner = false, most = exact_cover.cover(level, { seconds = 10 }).length }
  end,
  step = function(position, key, level)
    if key == "space" then return after_space(position, level) end
    local x, y = position.x + directions[key][1], position.y + directions[key][2]
    local columns, rows = level.usable:size()
    if x >= 1 and y >= 1 and x <= columns and y <= rows then return changed(position, { x = x, y = y }), false end
  end,
  done = function(position, level)
    local covered = 0
    for _, piece in ipairs(position.laid) do covered = covered + #piece.cells end
    return covered == #level.usable and #position.laid <= (position.most or covered)
  end,
  draw = function(position, level)
    local shown = position.corner and laid_over(position.laid, held(position, level)) or position.laid
    return ("%s%d of %s laid"):format(exact_cover.draw(level, shown), #position.laid, position.most or "as few as possible")
  end,
  cursor = function(position) return 4 * position.x - 1, 2 * position.y end,
  -- Lays the first piece of the solution that is missing, in place of what is there.
  hint = function(position, _, solution)
    for _, piece in ipairs(solution.cover) do
      local is_laid = false
      for _, other in ipairs(position.laid) do is_laid = is_laid or same(other, piece) end
      if not is_laid then return changed(position, { corner = false, laid = laid_over(position.laid, piece) }) end
    end
  end,
}

return exact_cover
