--- Tiles with numbers, and with the letters of regions, as in "a2 a b. b1": the text of puzzles of deduction.
---
--- A row of a text has words, or only characters if it has no blanks. Numbers are a list `clues` of the boards, each with `x`,
--- `y` and `number`, in cells with the thing that `numbers` names; `regions` are the letters by row and column.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local tiles = require "crux.kits.tiles"

local clues = {}

---@class Clues: Tiles
---@field private tiles Tiles
---@field private numbers { [1]: string, least: integer, most: integer, pair: boolean? }?
---@field private regions boolean?
---@field sign string?   the character of a number's tile
---@field private expected string?
local Clues = {}
Clues.__index = Clues

---@param rows table     of tiles
---@param numbers table?
---@param regions boolean?
function clues.new(rows, numbers, regions)
  local known = tiles.new(rows)
  local sign
  for _, row in ipairs(rows) do
    for i = 2, #row do sign = numbers and row[i] == numbers[1] and row[1] or sign end
  end
  if numbers and not sign then error(("crux.kits.deduce: numbers: no tile has the thing '%s'"):format(numbers[1]), 0) end
  return setmetatable({ tiles = known, kinds = known.kinds, characters = known.characters, numbers = numbers,
    regions = regions, sign = sign, expected = rows.expected }, Clues)
end

--- The number of a word, with `pair` two, as in "17\9"; nil if it has none.
function Clues:number_of(word)
  local numbers = self.numbers
  if not numbers then return nil end
  local first, second = word:match "^%d+$", nil
  if numbers.pair then first, second = word:match "^(%d*)\\(%d*)$" end
  if not first then return nil end
  local pair = { tonumber(first) or 0, tonumber(second) or 0 }
  local least = math.min(pair[1], second and pair[2] or pair[1])
  if least < numbers.least or math.max(table.unpack(pair)) > numbers.most then return nil end
  return second and pair or pair[1]
end

--- The words of a line, and their columns.
local function words_of(line)
  local words = {}
  for column, word in line:gmatch(line:find "%S%s+%S" and "()(%S+)" or "()(%S[\128-\191]*)") do
    table.insert(words, { word, column })
  end
  return words
end

--- The boards of a text, as Tiles:read.
---@param line integer?   of its first row
function Clues:read(text, line)
  if not self.numbers and not self.regions and not text:find "[\128-\255]" and not text:find "%S[ \t]+%S" then
    return lists.merge(self.tiles:read(text, line), { clues = {} }) -- takes less time
  end
  local rows, places, found = {}, {}, { clues = {}, regions = self.regions and {} }
  local number = (line or 1) - 1
  for row in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    local words = words_of(row)
    if words[1] then
      local y, signs, letters = #rows + 1, {}, {}
      for x, word in ipairs(words) do
        local rest, letter = word[1], nil
        if self.regions then letter, rest = rest:match "^(%a)(.*)$" end
        local value = rest and self:number_of(rest)
        if not rest or rest == self.sign or not value and utf8.len(rest) ~= 1 and rest ~= "" then
          error(("line %d, column %d: found %s, expected %s"):format(number, word[2], fault.show(word[1]),
            self.expected or "a tile"), 0)
        end
        if value then table.insert(found.clues, { x = x, y = y, number = value }) end
        signs[x], letters[x] = value and self.sign or rest == "" and "." or rest, letter
      end
      rows[y], places[y] = table.concat(signs), { words = words, line = number }
      if self.regions then found.regions[y] = letters end
    end
  end
  local ok, planes = pcall(self.tiles.read, self.tiles, table.concat(rows, "\n") .. "\n")
  if not ok then
    error((planes:gsub("^line (%d+), column (%d+)", function(y, x)
      local place = places[tonumber(y)] or {}
      local word = (place.words or {})[tonumber(x)]
      return ("line %d, column %d"):format(place.line or y, word and word[2] or x)
    end)), 0)
  end
  return lists.merge(planes, found)
end

--- The words of boards, a list for each row.
---@param planes table<string, userdata>
---@return string[][]
function Clues:words(planes)
  local rows, numbers = {}, {}
  for _, clue in ipairs(planes.clues or {}) do
    numbers[clue.y] = numbers[clue.y] or {}
    local pair = type(clue.number) == "table" and clue.number
    numbers[clue.y][clue.x] = pair and ("%s\\%s"):format(pair[1] > 0 and pair[1] or "", pair[2] > 0 and pair[2] or "")
      or tostring(clue.number)
  end
  for row in self.tiles:write(planes):gmatch "[^\n]+" do
    local y, words = #rows + 1, {}
    for sign in row:gmatch(utf8.charpattern) do
      local x = #words + 1
      local word = sign == self.sign and numbers[y][x] or sign
      words[x] = self.regions and planes.regions[y][x] .. (word == "." and "" or word) or word
    end
    rows[y] = words
  end
  return rows
end

--- The length of the longest word.
function clues.width(rows)
  local longest = 1
  for _, row in ipairs(rows) do
    for _, word in ipairs(row) do longest = math.max(longest, utf8.len(word)) end
  end
  return longest
end

--- A word with blanks in front, in columns of a width.
function clues.padded(word, width) return (" "):rep(width - utf8.len(word)) .. word end

--- Tells whether the text of boards has words of several characters.
function Clues:is_wide(planes) return (self.numbers or self.regions) and clues.width(self:words(planes)) > 1 or false end

--- The text of boards.
function Clues:write(planes)
  if not self.numbers and not self.regions then return self.tiles:write(planes) end
  local rows = self:words(planes)
  local width = clues.width(rows)
  return table.concat(lists.map(rows, function(row)
    return table.concat(lists.map(row, function(word) return clues.padded(word, width) end), width > 1 and " " or "") .. "\n"
  end))
end

return clues
