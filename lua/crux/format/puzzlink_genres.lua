--- How the ends of puzz.link's addresses hold the puzzles of each genre, as rows of the words of crux's text.
---
--- Sources: pzprjs, src/variety-common/Encode.js and src/variety/GENRE.js. "." for a number that is not known is refused.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

---@class Genre
---@field name string   in addresses
---@field read fun(body: string, width: integer, height: integer, place: string): string[][]
---@field write fun(rows: string[][]): string, integer?, integer?   the end; columns and rows where they differ from the text's

local function refuse(place, letter, expected) fault.at(place, fault.show(letter), expected) end

--- The number that a letter is in a base, from 2 to 36.
local function digit(place, letter, base)
  return letter:find "^[%l%d]$" and tonumber(letter, base) or refuse(place, letter, ("a digit in base %d"):format(base))
end

--- Reads numbers in hexadecimal, "-" in front of two digits, "+" of three; from "g" to "z" 1 to 20 places without.
---@return table<integer, integer>   by place, from 1 on
local function read_numbers(body, count, place)
  local numbers, at, filled = {}, 1, 0
  while at <= #body do
    local letter = body:sub(at, at)
    local length = letter == "+" and 3 or letter == "-" and 2 or 1
    local digits = body:match("^%x+", length == 1 and at or at + 1)
    if letter:find "[g-z]" then
      filled, at = filled + tonumber(letter, 36) - 15, at + 1
    elseif digits and #digits >= length then
      filled = filled + 1
      numbers[filled] = tonumber(digits:sub(1, length), 16)
      at = at + length + (length > 1 and 1 or 0)
    else
      refuse(place, letter, "a number in hexadecimal, or a letter from g to z")
    end
  end
  if filled > count then fault.at(place, ("%d cells"):format(filled), ("at most %d"):format(count)) end
  return numbers
end

--- Writes a run of empty places, of that length, by letters that count from `one` for 1 to "z".
local function gap(count, one)
  local most = ("z"):byte() - one:byte() + 1
  return ("z"):rep(count // most) .. (count % most > 0 and string.char(one:byte() + count % most - 1) or "")
end

local function write_numbers(numbers, count)
  local words, empty = {}, 0
  for i = 1, count do
    local number = numbers[i]
    if number then
      table.insert(words, gap(empty, "g") .. (number < 16 and "%x" or number < 256 and "-%02x" or "+%03x"):format(number))
    end
    empty = number and 0 or empty + 1
  end
  return table.concat(words) .. gap(empty, "g")
end

--- Rows of words, "." where there is none.
local function rows_of(words, width, height)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = tostring(words[(y - 1) * width + x] or ".") end
  end
  return rows
end

--- The words of rows, in reading order.
local function words_of(rows) return lists.concat(table.unpack(rows)) end

--- A genre with a number in some cells.
---@param signs string?   the characters of the numbers from 1 on in the text, in place of their digits
local function numbered(name, signs)
  local function read(body, width, height, place)
    local words = read_numbers(body, width * height, place)
    for cell, number in pairs(signs and words or {}) do
      words[cell] = number > 0 and signs:match("%w", number) or refuse(place, number, ("a number from 1 to %d"):format(#signs))
    end
    return rows_of(words, width, height)
  end
  local function write(rows)
    local function number_of(word) return signs and signs:find(word, 1, true) or math.tointeger(tonumber(word)) end
    return write_numbers(lists.map(words_of(rows), number_of), #rows * #rows[1])
  end
  return { name = name, read = read, write = write }
end

--- A genre with numbers from 0 to 4, which also count up to two empty cells behind them; "." is the word `unknown`.
local function few(name, unknown)
  local function read(body, width, height, place)
    local words, cell = {}, 1
    for letter in body:gmatch "." do
      local value = letter:find "[0-9a-e]" and tonumber(letter, 16)
      if value then
        words[cell], cell = value % 5, cell + value // 5
      elseif letter:find "[g-z]" then
        cell = cell + tonumber(letter, 36) - 16
      elseif letter == "." and unknown then
        words[cell] = unknown
      else
        refuse(place, letter, "a letter or digit of the genre")
      end
      cell = cell + 1
    end
    return rows_of(words, width, height)
  end
  local function write(rows)
    local words, out, at, empty = words_of(rows), {}, 1, 0
    while words[at] do
      local number, behind = tonumber(words[at]), 0
      if words[at] == "." then
        empty = empty + 1
      else
        while number and behind < 2 and (words[at + behind + 1] or ".") == "." do behind = behind + 1 end
        table.insert(out, gap(empty, "g") .. (number and ("%x"):format(number + 5 * behind) or "."))
        empty = 0
      end
      at = at + behind + 1
    end
    return table.concat(out) .. gap(empty, "g")
  end
  return { name = name, read = read, write = write }
end

--- Bits of borders between cells, five a letter in base 32.
local function write_bits(bits)
  local letters = {}
  for i = 1, #bits, 5 do
    local value = 0
    for k = i, i + 4 do value = 2 * value + (bits[k] or 0) end
    table.insert(letters, ("0123456789abcdefghijklmnopqrstuv"):sub(value + 1, value + 1))
  end
  return table.concat(letters)
end

local function read_bits(body, at, count, place)
  local bits = {}
  for i = at, at + (count + 4) // 5 - 1 do
    local value = digit(place, body:sub(i, i), 32)
    for k = 4, 0, -1 do table.insert(bits, value >> k & 1) end
  end
  return bits, at + (count + 4) // 5
end

--- The regions of cells between borders, in reading order: by cell the number of its region; and the first cell of each.
local function parts_of(across, down, width, height)
  local part, firsts = {}, {}
  local function fill(x, y)
    local cell, right = (y - 1) * width + x, (y - 1) * (width - 1) + x
    if part[cell] then return end
    part[cell] = #firsts
    if x < width and across[right] == 0 then fill(x + 1, y) end
    if x > 1 and across[right - 1] == 0 then fill(x - 1, y) end
    if y < height and down[cell] == 0 then fill(x, y + 1) end
    if y > 1 and down[cell - width] == 0 then fill(x, y - 1) end
  end
  for cell = 1, width * height do
    if not part[cell] then
      table.insert(firsts, cell)
      fill((cell - 1) % width + 1, (cell - 1) // width + 1)
    end
  end
  return part, firsts
end

--- A letter for each region, other than those of the regions beside it that have one.
local function letters_of(part, firsts, width)
  local beside, letters = {}, {}
  for cell, mine in ipairs(part) do
    for _, other in ipairs { cell % width > 0 and part[cell + 1] or mine, part[cell + width] or mine } do
      beside[mine], beside[other] = beside[mine] or {}, beside[other] or {}
      beside[mine][other], beside[other][mine] = true, true
    end
  end
  for i in ipairs(firsts) do
    local taken, code = {}, 0
    for other in pairs(beside[i] or {}) do taken[letters[other] or ""] = true end
    while taken[string.char(97 + code)] do code = code + 1 end
    letters[i] = string.char(97 + code)
  end
  return letters
end

--- The words of regions, and by region its first cell.
local function read_regions(body, at, width, height, place)
  local across, down
  across, at = read_bits(body, at, (width - 1) * height, place)
  down, at = read_bits(body, at, width * (height - 1), place)
  local part, firsts = parts_of(across, down, width, height)
  local letters = letters_of(part, firsts, width)
  return lists.map(part, function(i) return letters[i] end), firsts, at
end

--- The bits of the borders of rows of words, and the first cells of the regions.
local function write_regions(rows)
  local across, down, width, height = {}, {}, #rows[1], #rows
  local function differs(word, other) return word:sub(1, 1) == other:sub(1, 1) and 0 or 1 end
  for y = 1, height do
    for x = 1, width - 1 do table.insert(across, differs(rows[y][x], rows[y][x + 1])) end
  end
  for y = 1, height - 1 do
    for x = 1, width do table.insert(down, differs(rows[y][x], rows[y + 1][x])) end
  end
  return write_bits(across) .. write_bits(down), parts_of(across, down, width, height)
end

local heyawake = { name = "heyawake" }

function heyawake.read(body, width, height, place)
  local words, firsts, at = read_regions(body, 1, width, height, place)
  for i, number in pairs(read_numbers(body:sub(at), #firsts, place)) do words[firsts[i]] = words[firsts[i]] .. number end
  return rows_of(words, width, height)
end

function heyawake.write(rows)
  local bits, part, firsts = write_regions(rows)
  local numbers = {}
  for cell, word in ipairs(words_of(rows)) do
    numbers[part[cell]] = tonumber(word:match "%d+") or numbers[part[cell]]
  end
  return bits .. write_numbers(numbers, #firsts)
end

local starbattle = { name = "starbattle" }

function starbattle.read(body, width, height, place)
  local stars, at = body:match "^(%d+)/()"
  if not stars then fault.at(place, fault.show(body, 40), "a number of stars and /") end
  local words = read_regions(body, at, width, height, place)
  words[1] = words[1] .. stars
  return rows_of(words, width, height)
end

function starbattle.write(rows)
  return ("%d/%s"):format(table.concat(words_of(rows)):match "%d+" or 1, (write_regions(rows)))
end

local masyu, pearls = { name = "mashu" }, { [0] = ".", "o", "*" }

function masyu.read(body, width, height, place)
  local words = {}
  for letter in body:gmatch "." do
    local value = digit(place, letter, 27)
    for _, power in ipairs { 9, 3, 1 } do table.insert(words, pearls[value // power % 3]) end
  end
  return rows_of(words, width, height)
end

function masyu.write(rows)
  local words, letters, number = words_of(rows), {}, { ["."] = 0, o = 1, ["*"] = 2 }
  for i = 1, #words, 3 do
    local value = 9 * number[words[i]] + 3 * number[words[i + 1] or "."] + number[words[i + 2] or "."]
    table.insert(letters, ("0123456789abcdefghijklmnopq"):sub(value + 1, value + 1))
  end
  return table.concat(letters)
end

local hitori = { name = "hitori" }

function hitori.read(body, width, height, place)
  local words, at = {}, 1
  while at <= #body do
    local digits = body:match("^%-(..)", at) or body:sub(at, at)
    local number = digits:find "^[%l%d]+$" and tonumber(digits, 36) or refuse(place, digits, "a number in base 36")
    table.insert(words, ("%d"):format(number))
    at = at + (#digits == 2 and 3 or 1)
  end
  return rows_of(words, width, height)
end

function hitori.write(rows)
  local base <const> = "0123456789abcdefghijklmnopqrstuvwxyz"
  local function letter(value) return base:sub(value + 1, value + 1) end
  return table.concat(lists.map(words_of(rows), function(word)
    local number = tonumber(word)
    return number < 36 and letter(number) or "-" .. letter(number // 36) .. letter(number % 36)
  end))
end

--- Sums of Kakuro: 1 to 19 as in base 20, 20 to 45 from A on.
local sums <const> = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"

local kakuro = { name = "kakuro" }

function kakuro.read(body, width, height, place)
  local rows, at, cell = rows_of({}, width + 1, height + 1), 1, 0
  local function sum()
    local found = sums:find(body:sub(at, at), 1, true)
    if not found or at > #body then refuse(place, body:sub(at, at), "a sum from 0 to 45") end
    at = at + 1
    return found > 1 and tostring(found - 1) or ""
  end
  local function shown(down, across) return down .. across == "" and "#" or down .. "\\" .. across end
  while cell < width * height and at <= #body do
    local letter = body:sub(at, at)
    if letter:find "[k-z]" then
      cell, at = cell + tonumber(letter, 36) - 19, at + 1
    else
      local word = "#"
      if letter == "." then at = at + 1 else word = shown(sum(), sum()) end
      rows[cell // width + 2][cell % width + 2], cell = word, cell + 1
    end
  end
  rows[1][1] = "#"
  for x = 2, width + 1 do rows[1][x] = shown(rows[2][x] == "." and sum() or "", "") end
  for y = 2, height + 1 do rows[y][1] = shown("", rows[y][2] == "." and sum() or "") end
  return rows
end

function kakuro.write(rows)
  local words, empty = {}, 0
  local function sum(word, pattern)
    local number = tonumber(word:match(pattern)) or 0
    return sums:sub(number + 1, number + 1)
  end
  for y = 2, #rows do
    for x = 2, #rows[1] do
      local word = rows[y][x]
      if word ~= "." then
        table.insert(words, gap(empty, "k") .. (word == "#" and "." or sum(word, "^(%d+)\\") .. sum(word, "\\(%d+)$")))
      end
      empty = word == "." and empty + 1 or 0
    end
  end
  table.insert(words, gap(empty, "k"))
  for x = 2, #rows[1] do table.insert(words, rows[2][x] == "." and sum(rows[1][x], "^(%d+)\\") or "") end
  for y = 2, #rows do table.insert(words, rows[y][2] == "." and sum(rows[y][1], "\\(%d+)$") or "") end
  return table.concat(words), #rows[1] - 1, #rows - 1
end

local nonogram = { name = "nonogram" }

--- The numbers of a line, from the board's edge outwards, among those of all lines.
local function outwards(numbers, line, depth)
  local clues = {}
  for i = depth, 1, -1 do table.insert(clues, numbers[(line - 1) * depth + i]) end
  return clues
end

function nonogram.read(body, width, height, place)
  local above, left, rows = (height + 1) // 2, (width + 1) // 2, {}
  local numbers, columns, lines, margin = read_numbers(body, width * above + height * left, place), {}, {}, { 1, 1 }
  for x = 1, width do
    columns[x] = outwards(numbers, x, above)
    margin[2] = math.max(margin[2], #columns[x])
  end
  for y = 1, height do
    lines[y] = outwards(table.move(numbers, width * above + 1, width * above + height * left, 1, {}), y, left)
    margin[1] = math.max(margin[1], #lines[y])
  end
  for y = 1 - margin[2], height do
    local row = {}
    for x = 1 - margin[1], width do
      local clues, at = lines[y] or {}, margin[1] + x
      if y < 1 then clues, at = columns[x] or {}, margin[2] + y end
      local depth = y < 1 and margin[2] or margin[1]
      local clue = (y < 1) ~= (x < 1) and clues[at - depth + #clues]
      table.insert(row, y > 0 and x > 0 and "." or clue and tostring(clue) or "-")
    end
    table.insert(rows, row)
  end
  return rows
end

function nonogram.write(rows)
  local left, above = 1, 1
  while rows[#rows][left] ~= "." do left = left + 1 end
  while rows[above][#rows[1]] ~= "." do above = above + 1 end
  local width, height, numbers, at = #rows[1] - left + 1, #rows - above + 1, {}, 0
  local function put(x, y, across, down, depth) -- the numbers of a line from the board's edge outwards
    local count = 0
    for i = 1, math.max(left, above) do
      local number = tonumber((rows[y - i * down] or {})[x - i * across])
      if number then count, numbers[at + count + 1] = count + 1, number end
    end
    at = at + depth
  end
  for x = left, #rows[1] do put(x, above, 0, 1, (height + 1) // 2) end
  for y = above, #rows do put(left, y, 1, 0, (width + 1) // 2) end
  return write_numbers(numbers, at), width, height
end

---@type table<string, Genre>   by the game's name
return {
  nurikabe = numbered "nurikabe", sudoku = numbered("sudoku", "123456789ABCDEFGHIJKLMNOP"), fillomino = numbered "fillomino",
  slitherlink = few "slither", akari = few("lightup", "#"),
  heyawake = heyawake, starbattle = starbattle, masyu = masyu, hitori = hitori, kakuro = kakuro, nonogram = nonogram,
}
