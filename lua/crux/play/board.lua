--- What pages show of a level that is played.
local canvas = require "crux.show.canvas"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local svg = require "crux.show.svg"

local board = {}

--- The buttons of a level with their pictures.
local function buttons_of(session, game, rules)
  local where = game.path .. ": play.pad"
  return lists.map(rules.pad(session.level), function(row)
    if type(row) ~= "table" or type(row.key) ~= "string" or type(row.doc) ~= "string" or type(row.paint) ~= "function" then
      fault.at(where, fault.show(row), "rows { key = \"a\", doc = \"what it does\", paint = function(canvas) ... end }")
    end
    local pen, finish = canvas.new()
    fault.guard(where, row.paint, pen)
    local painting = finish() or fault.at(where, "no size", "canvas:size(columns, rows)")
    return { { "key", row.key }, { "doc", row.doc }, { "width", painting.width }, { "height", painting.height },
      { "content", painting.content } }
  end)
end

local pads = setmetatable({}, { __mode = "k" }) -- buttons by level

--- The buttons of the game, and whether each does something now.
local function pad_of(session, game, rules)
  pads[session.level] = pads[session.level] or buttons_of(session, game, rules)
  return lists.map(pads[session.level], function(row)
    return json.object(lists.concat(row, { { "can", session:can(row[1][2]) } }))
  end)
end

--- What is on the square of the cursor, for those who hear the page: a letter, digit or sign of the drawing; "" for nothing.
--- Other characters draw lines and empty squares.
local function character_at_cursor(session, lines)
  local column, row = session:cursor()
  local line = column and lines[row]
  local place = line and utf8.offset(line, column)
  return (place and line:sub(place, place) or ""):match "^[%w#@*$+&^<>/]$" or ""
end

local known = setmetatable({}, { __mode = "k" }) -- words by character, by the list of a game's tiles

--- The words for what the characters of a drawing stand for, by the tiles that the game declares.
function board.words(game)
  local tiles = game.tiles or {}
  if known[tiles] then return known[tiles] end
  local words = {}
  for _, tile in ipairs(tiles) do words[tile[1]] = tile.told or table.concat(tile, ", ", 2) end
  known[tiles] = words
  return words
end

--- What is on each square, in words, for those who hear the page: what the game tells, else the character there, where the
--- drawing has a line for each row of squares; "" for nothing.
---@param columns integer   of squares
---@param rows integer
---@return string[][]
local function told_of(session, game, lines, columns, rows)
  local told, words, widest, tell = {}, board.words(game), 0, session.rules.told
  local own = tell and tell(session.position, session.level)
  local is_plain = not own and #lines >= rows and select(2, session:cursor()) == select(2, session:spot())
  for i = 1, is_plain and rows or 0 do widest = math.max(widest, utf8.len(lines[i]) or 0) end
  local wide = math.max(1, (widest + 1) // columns) -- characters for a square
  for y = 1, rows do
    told[y] = {}
    for x = 1, columns do
      local place = is_plain and utf8.offset(lines[y], (x - 1) * wide + 1)
      local character = place and lines[y]:match(utf8.charpattern, place) or ""
      told[y][x] = own and own[y] and own[y][x] or words[character] or character:match "^[%w#@*$+&^<>/]$" or ""
    end
  end
  return told
end

--- A picture for a page, as an SVG element.
---@param painting Painting
---@param ... string   further content
function board.picture(game, painting, ...)
  return svg.picture({ width = painting.width, height = painting.height, title = game.name, class = "crux-level", bare = true,
    description = ("A level of %s."):format(game.name) }, painting.content, ...)
end

--- Pictures of the states between the last move and the position, and the milliseconds that a page shows each; nil without any.
local function between(session, game)
  if not session.before or not session.rules.between then return nil end
  local paintings, seconds = session.rules.between(session.before, session.position, session.level)
  return paintings[1] and json.object { { "interval", 1000 * seconds },
    { "pictures", lists.map(paintings, function(painting) return board.picture(game, painting) end) } }
end

--- The board of a level that is played: a picture with the cursor, the drawing as text, and where a pointer points to.
---@return table[]   rows of json.object
function board.of(session, game, rules)
  local lines = session:draw()
  local text = table.concat(lines, "\n") .. "\n"
  local painting = session:paint() or canvas.drawing(text, game.colours or {})
  local left, top, width, height = table.unpack(painting.squares)
  local x, y = session:spot()
  local function frame(class)
    return x and svg.element("rect", { class = class, x = left + (x - 1) * width, y = top + (y - 1) * height, width = width,
      height = height }) or ""
  end
  local columns, rows = (painting.width - 2 * left) / width + 0.5, (painting.height - 2 * top) / height + 0.5
  local can_undo, can_redo = session:can_undo()
  local hand = rules.hand and rules.hand(session.position, session.level)
  return { { "text", text }, { "note", painting.note }, { "squares", painting.squares },
    { "hand", hand and json.of(hand) }, { "pad", rules.pad and pad_of(session, game, rules) }, { "tap", rules.tap },
    { "can_undo", can_undo }, { "can_redo", can_redo },
    { "told", told_of(session, game, lines, columns // 1 | 0, rows // 1 | 0) },
    { "at", rules.told and "" or character_at_cursor(session, lines) },
    { "between", between(session, game) }, { "has_cursor", x ~= nil }, { "cursor", x and { x, y } },
    { "picture", board.picture(game, painting, frame "cursor-edge", frame(session:holds() and "cursor holds" or "cursor")) } }
end

return board
