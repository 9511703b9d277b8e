--- Exact covers for game scripts: libcrux.exact_cover, the rectangles of a board, and functions that cover, draw and play a
--- level.
---
--- A level has `usable`, the board of the cells to cover; `rows`, its text with a character for each cell; and `pieces`, the
--- rectangles that may cover cells, as exact_cover.rectangles makes them.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.exact_cover.
local fault = require "crux.base.fault"
local hand = require "crux.puzzle.hand"
local lines = require "crux.puzzle.lines"
local listing = require "crux.puzzle.listing"
local lists = require "crux.base.lists"
local primitive = require "libcrux.exact_cover"

local exact_cover = lists.merge(primitive)

local function rectangle(x, y, width, height, columns)
  local piece = { x = x, y = y, width = width, height = height, cells = {} }
  for i = 0, width * height - 1 do piece.cells[i + 1] = (y - 1 + i // width) * columns + x + i % width end
  return piece
end

--- All rectangles within a board, sorted by area and width, the largest first, and in reading order.
function exact_cover.rectangles(board)
  local pieces, columns = {}, board:size()
  for x, y in board:cells() do
    local height, widest = 1, columns
    while board:has(x, y + height - 1) do
      local width = 1
      while width <= widest and board:has(x + width - 1, y + height - 1) do
        table.insert(pieces, rectangle(x, y, width, height, columns))
        width = width + 1
      end
      height, widest = height + 1, width - 1
    end
  end
  table.sort(pieces, function(a, b)
    if #a.cells ~= #b.cells then return #a.cells > #b.cells end
    return a.width > b.width or a.width == b.width and a.cells[1] < b.cells[1]
  end)
  return pieces
end

--- The piece on each cell.
function exact_cover.owners(pieces)
  local owner = {}
  for _, piece in ipairs(pieces) do
    for _, cell in ipairs(piece.cells) do owner[cell] = piece end
  end
  return owner
end

local chances <const> = {
  { "chance", "probability that a player who lays what fits in random order takes nothing back" },
  { "backtracks", "pieces that such a player takes back, in the mean" },
  { "dead_ends", "incomplete covers that such a player can come to, and to which nothing can be added" },
}

local most_nodes <const> = 10000

--- The items that are left when those of an option are covered, both as bits; nil if one of the option's is covered already.
local function without(left, mask)
  local rest = {}
  for i, word in ipairs(left) do
    if mask[i] & ~word ~= 0 then return nil end
    rest[i] = word & ~mask[i]
  end
  return rest
end

--- The exact values of a node from those of the options that fit: `taken` counts all options that are laid below it.
local function combined(below)
  local node = { wins = 0, chance = 0, backtracks = 0, dead_ends = #below == 0 and 1 or 0, taken = 0 }
  for _, child in ipairs(below) do node.wins = node.wins + (child.wins > 0 and 1 or 0) end
  for _, child in ipairs(below) do
    node.dead_ends, node.taken = node.dead_ends + child.dead_ends, node.taken + 1 + child.taken
    node.chance = node.chance + child.chance / #below
    -- An option that fails comes before all that do not once in wins + 1 orders; of these each is equally often the first.
    local share = child.wins == 0 and (1 + child.taken) / (node.wins + 1) or child.backtracks / node.wins
    node.backtracks = node.backtracks + share
  end
  return node
end

--- The exact chances of a player who covers the first item that is left by an option that fits, in random order, and takes back
--- what cannot be completed, to a cover of at most `most` options if given. Nil if there are too many sets of items left.
function exact_cover.chance(problem, most)
  local masks, by_item, known, count, whole = {}, {}, {}, 0, {}
  local function mask_of(items)
    local mask = {}
    for i = 1, (problem.items + 63) // 64 do mask[i] = 0 end
    for _, item in ipairs(items) do mask[(item + 63) // 64] = mask[(item + 63) // 64] | 1 << (item - 1) % 64 end
    return mask
  end
  for item = 1, problem.items do by_item[item], whole[item] = {}, item end
  for i, option in ipairs(problem.options) do
    masks[i] = mask_of(option)
    for _, item in ipairs(option) do table.insert(by_item[item], masks[i]) end
  end
  local function follow(left, item, laid)
    while item <= problem.items and left[(item + 63) // 64] >> (item - 1) % 64 & 1 == 0 do item = item + 1 end
    if item > problem.items then return { wins = 1, chance = 1, backtracks = 0, dead_ends = 0, taken = 0 } end
    local key, below = table.concat(left, " ") .. (most and " " .. laid or ""), {}
    if known[key] then return known[key] end
    count = count + 1
    if count > most_nodes then return nil end
    for _, mask in ipairs(laid ~= most and by_item[item] or {}) do
      local rest = without(left, mask)
      local child = rest and follow(rest, item + 1, laid + 1)
      if rest and not child then return nil end
      table.insert(below, child)
    end
    known[key] = combined(below)
    return known[key]
  end
  return follow(mask_of(whole), 1, 0)
end

--- The values of exact_cover.chance as rows of game.measure, of games whose solutions have a `problem` and a `length`.
---@param is_optional boolean?   they are computed only where they are named
function exact_cover.measures(is_optional)
  local known = setmetatable({}, { __mode = "k" }) -- the rows ask for the same values
  return lists.map(chances, function(row)
    return { row[1], kind = "dynamic", optional = is_optional, doc = row[2], function(_, solution)
      known[solution] = known[solution] or exact_cover.chance(solution.problem, solution.length) or {}
      return known[solution][row[1]]
    end }
  end)
end

--- The first cover of a level with the fewest pieces: `cover`, the pieces in the order of their first cells; `length`, their
--- number; `text`, their columns, rows, widths and heights in one line; `problem`; and what libcrux.exact_cover gives.
function exact_cover.cover(level, options)
  local items, problem, count = {}, { items = #level.usable, options = {} }, 0
  for _, _, cell in level.usable:cells() do
    count = count + 1
    items[cell] = count
  end
  for i, piece in ipairs(level.pieces) do problem.options[i] = lists.map(piece.cells, function(cell) return items[cell] end) end
  local solution = fault.check(primitive.solve(problem, { count = options.count, nodes = options.states,
    seconds = options.seconds, bytes = options.bytes }))
  if solution.limit == "nodes" then solution.limit = "states" end
  if not solution.pieces then return solution end
  solution.problem, solution.cover, solution.length, solution.text = problem, {}, #solution.pieces, ""
  for i, number in ipairs(solution.pieces) do
    local piece = level.pieces[number]
    solution.cover[i] = piece
    solution.text = solution.text .. ("%d,%d:%dx%d "):format(piece.x, piece.y, piece.width, piece.height)
  end
  solution.text = solution.text:sub(1, -2)
  return solution
end

--- All covers of a level with the fewest pieces, each with its `cover` and `length`; nil if there are too many, or a limit is
--- met.
function exact_cover.list(level, options)
  local limits, fewest = { states = options.states, seconds = options.seconds, bytes = options.bytes }, nil
  local nodes = listing.run({ usable = level.usable, pieces = level.pieces, cover = {} }, function(node)
    local solution = exact_cover.cover(node, limits)
    local length = solution.length and #node.cover + solution.length
    fewest = fewest or length
    return length == fewest and solution.status or length and "unsolvable" or solution.status
  end, function(node)
    local x, y = node.usable:first()
    if not x then return nil end
    local nodes = {}
    for _, piece in ipairs(node.pieces) do
      if piece.x == x and piece.y == y then
        local usable, cover = node.usable, lists.copy(node.cover)
        for dy = 0, piece.height - 1 do
          for dx = 0, piece.width - 1 do usable = usable:without(x + dx, y + dy) end
        end
        table.insert(cover, piece)
        table.insert(nodes, { usable = usable, pieces = exact_cover.rectangles(usable), cover = cover })
      end
    end
    return nodes
  end)
  return nodes and lists.map(nodes, function(node) return { cover = node.cover, length = #node.cover } end)
end

--- Draws a level with a frame around each piece.
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
      border = border .. (lines.characters[sides] or " ") .. (flat(x + 1, y) and "───" or "   ")
      line = line .. (y > 0 and upright(x, y) and "│" or " ") .. (y > 0 and x < columns
        and (" %s "):format(level.rows[y]:sub(x + 1, x + 1)) or "")
    end
    table.insert(picture, line)
    table.insert(picture, border)
  end
  return table.concat(picture, "\n", 2):gsub(" +\n", "\n"):gsub(" +$", "") .. "\n"
end

--- The rectangle from the chosen corner to the cursor.
local function chosen(position, level)
  local corner = position.corner
  local x, y = math.min(corner.x, position.x), math.min(corner.y, position.y)
  return rectangle(x, y, math.abs(corner.x - position.x) + 1, math.abs(corner.y - position.y) + 1, (level.usable:size()))
end

--- True if a piece lies on usable cells that no other piece covers.
local function fits(piece, laid, level)
  local owner = exact_cover.owners(laid)
  for i, cell in ipairs(piece.cells) do
    local x, y = piece.x + (i - 1) % piece.width, piece.y + (i - 1) // piece.width
    if owner[cell] or not level.usable:has(x, y) then return false end
  end
  return true
end

--- The pieces with a new one in front, without those that share a cell with it.
local function laid_over(laid, piece)
  local pieces, covered = { piece }, exact_cover.owners { piece }
  for _, other in ipairs(laid) do
    local free = true
    for _, cell in ipairs(other.cells) do free = free and not covered[cell] end
    if free then table.insert(pieces, other) end
  end
  return pieces
end

--- The position after the space key: it chooses a corner, lays a piece or takes one up.
local function after_space(position, level)
  local x, y, laid = position.x, position.y, position.laid
  if position.corner then
    local piece = chosen(position, level)
    if not fits(piece, laid, level) then return lists.merge(position, { corner = false }), false end
    return lists.merge(position, { corner = false, laid = laid_over(laid, piece) })
  end
  local piece = exact_cover.owners(laid)[(y - 1) * level.usable:size() + x]
  if piece then return lists.merge(position, { laid = table.move(laid_over(laid, piece), 2, #laid, 1, {}) }) end
  if level.usable:has(x, y) then return lists.merge(position, { corner = { x = x, y = y } }), false end
end

local function same(a, b) return a.cells[1] == b.cells[1] and a.width == b.width and a.height == b.height end

--- The pieces of a position that are seen, with the one that is chosen, and a line about them.
function exact_cover.shown(position, level)
  return position.corner and laid_over(position.laid, chosen(position, level)) or position.laid,
    ("%d of %s laid"):format(#position.laid, position.fewest or "as few as possible")
end

--- Rules of play. A position has the cursor's column and row, the laid pieces, the chosen corner or false, and, if it is found
--- within 10 seconds, the smallest number of pieces that cover the level.
exact_cover.play = {
  keys = { { "up left down right", "move the cursor" }, { "space", "lay a rectangle from corner to corner, or take it up" } },
  click = "space",
  start = function(level)
    return { x = 1, y = 1, laid = {}, corner = false, fewest = exact_cover.cover(level, { seconds = 10 }).length }
  end,
  step = function(position, key, level)
    if key == "space" then return after_space(position, level) end
    local x, y = position.x + lines.steps[key][1], position.y + lines.steps[key][2]
    local columns, rows = level.usable:size()
    if x >= 1 and y >= 1 and x <= columns and y <= rows then return lists.merge(position, { x = x, y = y }), false end
  end,
  done = function(position, level)
    local covered = 0
    for _, piece in ipairs(position.laid) do covered = covered + #piece.cells end
    return covered == #level.usable and #position.laid <= (position.fewest or covered)
  end,
  draw = function(position, level)
    local pieces, note = exact_cover.shown(position, level)
    return exact_cover.draw(level, pieces) .. note
  end,
  cursor = function(position) return 4 * position.x - 1, 2 * position.y end,
  square = function(position) return position.x, position.y end,
  holds = function(position) return position.corner ~= false end,
  hand = function(position, level)
    local taken = {}
    for _, piece in ipairs(position.laid) do table.move(piece.cells, 1, #piece.cells, #taken + 1, taken) end
    return { kind = "rectangle", key = "space", taken = hand.places(taken, (level.usable:size())) }
  end,
  told = function(position, level)
    local owners, rows = exact_cover.owners(position.laid), {}
    for x, y, cell in (level.usable | ~level.usable):cells() do
      rows[y] = rows[y] or {}
      rows[y][x] = owners[cell] and "rectangle"
    end
    return rows
  end,
  -- Lays the first missing piece of the solution in place of the pieces there.
  hint = function(position, _, solution)
    for _, piece in ipairs(solution.cover) do
      local is_laid = false
      for _, other in ipairs(position.laid) do is_laid = is_laid or same(other, piece) end
      if not is_laid then return lists.merge(position, { corner = false, laid = laid_over(position.laid, piece) }) end
    end
  end,
}

return exact_cover
