--- The squares of a level's text: which text stands for each square of its picture, and what may stand there.
local lists = require "crux.base.lists"

local board = {}

---@class Squares           a text is head, the rows, tail; see Squares:text
---@field head string
---@field tail string
---@field opening string    the head without comments
---@field rows string[][]   the text of each square
---@field width integer     of a square's text: 0 if squares are characters side by side, else that of words between blanks
---@field eol string        behind each row
local Squares = {}
Squares.__index = Squares

--- The comments above a level.
---@param entry LevelText   of the text alone
function board.above(text, entry)
  local number = 1
  for place in ("\n" .. text):gmatch "\n()" do
    if number == entry.lines[1] then return text:sub(1, place - 2) end
    number = number + 1
  end
end

--- Another text of a level with its comments: those above it, and each between its lines before the line it stood before, or,
--- where no line is as that one, before the line that has its number.
---@param text string      of the level as it was
---@param entry LevelText  of this text
---@param other string     without comments
function board.commented(text, entry, other)
  local at, before, made, number, next_line = {}, {}, {}, 0, 1
  local eol, waiting = text:find "\r\n" and "\r\n" or "\n", ""
  for line in other:gmatch "([^\n]*)\n" do
    table.insert(made, line .. eol)
    at[line] = at[line] or #made
  end
  for line in (text:sub(-1) == "\n" and text or text .. "\n"):gmatch "[^\n]*\n" do
    number = number + 1
    if number ~= entry.lines[next_line] then
      waiting = waiting .. line
    else
      local place = next_line == 1 and 1 or at[line:match "^%s*(.-)%s*$"] or math.min(next_line, #made)
      before[place], waiting, next_line = (before[place] or "") .. waiting, "", next_line + 1
    end
  end
  for i, line in ipairs(made) do made[i] = (before[i] or "") .. line end
  return table.concat(made) .. waiting
end

local function words_of(line)
  local words = {}
  for word in line:gmatch "%S+" do table.insert(words, word) end
  return words
end

local function characters_of(line)
  local characters = {}
  for character in line:gmatch(utf8.charpattern) do table.insert(characters, character) end
  return characters
end

--- The squares of some lines; nil if one of them has another number.
---@param split fun(line: string): string[]
---@param pads boolean?   short lines have blanks behind them
local function rows_of(lines, first, columns, rows, split, pads)
  local found = {}
  for i = 1, rows do
    local row = utf8.len(lines[first + i - 1]) and split(lines[first + i - 1]) or {}
    for column = pads and #row + 1 or columns + 1, columns do row[column] = " " end
    if #row ~= columns then return nil end
    found[i] = row
  end
  return found
end

--- The widest text of some rows.
local function widest(rows)
  local width = 0
  for _, row in ipairs(rows) do
    for _, word in ipairs(row) do width = math.max(width, utf8.len(word)) end
  end
  return width
end

--- The rows of a picture among the lines of a level: where several lines could be these rows, those with the shortest words.
---@return string[][]?, integer?, integer?   the rows, the first of their lines, and the width of words, 0 of characters
local function find(lines, numbers, columns, rows, pads)
  local best, best_first, best_width
  for first = 1, #lines - rows + 1 do
    local is_whole = numbers[first + rows - 1] - numbers[first] == rows - 1 -- no comment between the rows
    local found = is_whole and columns > 1 and rows_of(lines, first, columns, rows, words_of)
    local width = found and widest(found)
    if found and (not best or width < best_width) then best, best_first, best_width = found, first, width end
    local characters = is_whole and not best and rows_of(lines, first, columns, rows, characters_of, pads)
    if characters then return characters, first, 0 end
  end
  return best, best_first, best_width
end

--- Rows of a picture that may show something else than squares, as the blocks in hand, if the text has further lines about it.
local BESIDE <const> = 2

--- The squares of a level.
---@param game Game
---@param text string      with its comments
---@param entry LevelText  of the text alone
---@param columns integer  of its picture
---@param rows integer
---@return Squares?        nil if the text has no such rows
function board.of(game, text, entry, columns, rows)
  if not entry.lines then return nil end
  local eol, all = text:find "\r\n" and "\r\n" or "\n", {}
  for line in (text .. (text:find "\n$" and "" or "\n")):gmatch "([^\r\n]*)\r?\n" do table.insert(all, line) end
  local pads = lists.contains(lists.field(game.files.tiles or {}, 1), " ")
  local lines, found, first, width = lists.pick(all, entry.lines), nil, nil, math.huge
  for count = rows, #lines > rows and math.max(1, rows - BESIDE) or rows, -1 do
    local some, from, wide = find(lines, entry.lines, columns, count, pads)
    if some and wide < width then found, first, width = some, from, wide end
  end
  if not found then return nil end
  local function joined(list, from, to)
    return table.concat(lists.map(table.move(list, from, to, 1, {}), function(line) return line .. eol end))
  end
  local from = entry.lines[first]
  return setmetatable({ head = joined(all, 1, from - 1), opening = joined(lines, 1, first - 1),
    tail = joined(all, from + #found, #all), rows = found, width = width, eol = eol }, Squares)
end

--- The text, with other texts on some squares.
---@param put { x: integer, y: integer, tile: string }[]?
function Squares:text(put)
  local rows = lists.map(self.rows, function(row) return lists.copy(row) end)
  for _, one in ipairs(put or {}) do rows[one.y][one.x] = one.tile end
  local lines = lists.map(rows, function(row)
    if self.width == 0 then return (table.concat(row):gsub(" +$", "")) .. self.eol end
    local words = lists.map(row, function(word) return word .. (" "):rep(self.width - utf8.len(word)) end)
    return (table.concat(words, " "):gsub(" +$", "")) .. self.eol
  end)
  return self.head .. table.concat(lines) .. self.tail
end

--- The tiles on the squares, in the order of their first square, and the letters in them.
---@return string[], table<string, true>
local function seen_on(squares)
  local tiles, letters = {}, {}
  for _, row in ipairs(squares.rows) do
    for _, tile in ipairs(row) do
      if not lists.contains(tiles, tile) then table.insert(tiles, tile) end
      for letter in tile:gmatch "%a" do letters[letter] = true end
    end
  end
  return tiles, letters
end

--- The tiles that a game declares; of those that stand for the same things, the first.
local function declared_tiles(game)
  local known = {}
  return lists.field(lists.select(game.files.tiles or {}, function(row)
    local things = table.concat(row, " ", 2)
    local is_new = not known[things]
    known[things] = true
    return is_new
  end), 1)
end

local most_declared <const> = 40 -- tiles of a palette; of games with more, those whose letters are in use

--- The tiles that a game declares; of many, as of 26 colours, those all of whose letters, small or capital, are among some.
--- Where it declares none, those that are on the squares.
local function tiles_of(game, seen, letters)
  local declared = declared_tiles(game)
  if #declared == 0 then return seen end
  return lists.union(lists.select(declared, function(tile)
    for letter in tile:gmatch(#declared > most_declared and "%a" or "%z") do
      if not letters[letter:upper()] and not letters[letter:lower()] then return false end
    end
    return true
  end), seen)
end

--- What may stand on a square if no new letter comes into use.
---@param game Game
---@return string[]
function board.in_use(game, squares) return tiles_of(game, seen_on(squares)) end

--- What may stand on a square; where letters name things, also the first one that is not in use.
---@param game Game
---@return string[]
function board.palette(game, squares)
  local seen, letters = seen_on(squares)
  for code = ("A"):byte(), ("Z"):byte() do
    local letter = string.char(code)
    if not letters[letter] and not letters[letter:lower()] then
      letters[letter] = true
      return lists.union(tiles_of(game, seen, letters), not game.files.tiles and { letter } or {})
    end
  end
  return tiles_of(game, seen, letters)
end

--- What stands on a square that holds nothing: the tile that the game declares so, else a dot or the first tile of the palette.
---@param palette string[]
function board.empty(game, palette)
  for _, row in ipairs(game.files.tiles or {}) do
    if #row == 1 then return row[1] end
  end
  return lists.contains(palette, ".") and "." or palette[1]
end

return board
