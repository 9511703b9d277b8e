--- The squares of a level's text: which text stands for each square of its picture, and what may stand there.
local lists = require "crux.base.lists"

local board = {}

---@class Squares           a text is head, the rows, tail; see Squares:text
---@field head string
---@field tail string
---@field rows string[][]   the text of each square
---@field width integer     of a square's text: 0 if squares are characters side by side, else that of words between blanks
---@field eol string        behind each row
local Squares = {}
Squares.__index = Squares

local function words_of(line)
  local words = {}
  for word in line:gmatch "%S+" do table.insert(words, word) end
  return words
end

--- The characters of a line, with blanks behind a short one.
local function characters_of(line, count)
  local characters = {}
  for character in line:gmatch(utf8.charpattern) do table.insert(characters, character) end
  for i = #characters + 1, count do characters[i] = " " end
  return characters
end

--- The squares of some lines; nil if one of them has another number.
---@param split fun(line: string, columns: integer): string[]
local function rows_of(lines, first, columns, rows, split)
  local found = {}
  for i = 1, rows do
    local line = lines[first + i - 1]
    found[i] = line and utf8.len(line) and split(line, columns)
    if not found[i] or #found[i] ~= columns then return nil end
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
local function find(lines, numbers, columns, rows)
  local best, best_first, best_width
  for first = 1, #lines - rows + 1 do
    local is_whole = numbers[first + rows - 1] - numbers[first] == rows - 1 -- no comment between the rows
    local found = is_whole and columns > 1 and rows_of(lines, first, columns, rows, words_of)
    local width = found and widest(found)
    if found and (not best or width < best_width) then best, best_first, best_width = found, first, width end
    local characters = is_whole and not best and rows_of(lines, first, columns, rows, characters_of)
    if characters then return characters, first, 0 end
  end
  return best, best_first, best_width
end

--- The squares of a level.
---@param text string      with its comments
---@param entry LevelText  of the text alone
---@param columns integer  of its picture
---@param rows integer
---@return Squares?        nil if the text has no such rows
function board.of(text, entry, columns, rows)
  if not entry.lines then return nil end
  local eol, all = text:find "\r\n" and "\r\n" or "\n", {}
  for line in (text .. (text:find "\n$" and "" or "\n")):gmatch "([^\r\n]*)\r?\n" do table.insert(all, line) end
  local found, first, width = find(lists.pick(all, entry.lines), entry.lines, columns, rows)
  if not found then return nil end
  local function joined(from, to)
    return table.concat(lists.map(table.move(all, from, to, 1, {}), function(line) return line .. eol end))
  end
  local from = entry.lines[first]
  return setmetatable({ head = joined(1, from - 1), tail = joined(from + rows, #all), rows = found, width = width, eol = eol },
    Squares)
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

local most_declared <const> = 40 -- tiles of a palette; of games with more, those that occur and those of the next letter

--- The first letter that is on no square, or in no square's word.
local function next_letter(seen)
  for code = ("A"):byte(), ("Z"):byte() do
    local letter = string.char(code)
    if not seen[letter] and not seen[letter:lower()] then return letter end
  end
end

--- What may stand on a square: the tiles that the game declares. Where it declares none, or many, as of 26 colours: what stands
--- on some square, and what has one more letter.
---@param game Game
---@return string[]
function board.palette(game, squares)
  local declared, used, letters = lists.map(game.files.tiles or {}, function(row) return row[1] end), {}, {}
  for _, row in ipairs(squares.rows) do
    for _, tile in ipairs(row) do
      if not lists.contains(used, tile) then table.insert(used, tile) end
      for letter in tile:gmatch "%a" do letters[letter] = true end
    end
  end
  if #declared > 0 and #declared <= most_declared then return lists.union(declared, used) end
  table.sort(used)
  local letter = next_letter(letters)
  if #declared == 0 then return lists.union(used, { letter }) end
  letters[letter] = true
  local function is_known(tile)
    for one in tile:gmatch "%a" do
      if not letters[one:upper()] and not letters[one:lower()] then return false end
    end
    return true
  end
  return lists.select(declared, is_known)
end

return board
