-- Tests of games/nurikabe.lua against all ways to divide a small board.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local random = require "libcrux.random"
local shell = require "shell"

local nurikabe = game.load "games/nurikabe.lua"

local Nurikabe = {}

local width <const>, height <const> = 4, 3

local function level_of(text) return nurikabe:level(levels.split(text, "level.txt", nurikabe.files)[1]) end

--- The parts of the cells of a kind, each a list of cells.
local function parts_of(is_sea, kind)
  local parts, seen = {}, {}
  for start = 0, width * height - 1 do
    local part, i = { start }, 1
    if is_sea[start] == kind and not seen[start] then
      seen[start] = true
      while part[i] do
        local cell = part[i]
        for _, step in ipairs { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } } do
          local x, y = cell % width + step[1], cell // width + step[2]
          local to = y * width + x
          if x >= 0 and x < width and y >= 0 and y < height and is_sea[to] == kind and not seen[to] then
            seen[to] = true
            table.insert(part, to)
          end
        end
        i = i + 1
      end
      table.insert(parts, part)
    end
  end
  return parts
end

--- All divisions of the board with one sea without squares of 2 x 2, as lists of islands.
local function divisions()
  local list = {}
  for mask = 0, (1 << width * height) - 1 do
    local is_sea, pools = {}, 0
    for cell = 0, width * height - 1 do is_sea[cell] = mask >> cell & 1 == 1 end
    for cell = 0, width * (height - 1) - 2 do
      local square = is_sea[cell] and is_sea[cell + 1] and is_sea[cell + width] and is_sea[cell + width + 1]
      pools = pools + (square and cell % width < width - 1 and 1 or 0)
    end
    if pools == 0 and #parts_of(is_sea, true) <= 1 then table.insert(list, parts_of(is_sea, false)) end
  end
  return list
end

--- The divisions in which each island has one of the numbers, that of its cells.
local function count(numbers, list)
  local found = 0
  for _, islands in ipairs(list) do
    local met = 0
    for _, island in ipairs(islands) do
      local clues, right = 0, false
      for _, cell in ipairs(island) do
        clues, right = clues + (numbers[cell] and 1 or 0), right or numbers[cell] == #island
      end
      met = met + (clues == 1 and right and 1 or -1000)
    end
    local wanted = 0
    for _ in pairs(numbers) do wanted = wanted + 1 end
    found = found + (met == wanted and 1 or 0)
  end
  return found
end

--- Levels of random divisions with a number changed now and then.
function Nurikabe.test_solutions()
  local rng, list, seen = random.new(5), divisions(), {}
  for _ = 1, long.choose(25, 150) do
    local numbers, cells = {}, {}
    for _, island in ipairs(rng:pick(list)) do numbers[rng:pick(island)] = math.min(9, #island + (rng:chance(0.1) and 1 or 0)) end
    for cell = 0, width * height - 1 do
      table.insert(cells, (numbers[cell] or ".") .. (cell % width == width - 1 and "\n" or ""))
    end
    local text = table.concat(cells)
    local solution, expected = nurikabe:solution(level_of(text), { count = true }), count(numbers, list)
    luaunit.assertEquals(solution.solutions, expected, text)
    seen[math.min(2, expected)] = true
  end
  luaunit.assertEquals({ seen[0], seen[1], seen[2] }, { true, true, true })
end

--- By hand: the neighbours of the 1 are sea, and the cell between them, without which the sea is in two parts. Three islands of 3
--- cells are left, two of which leave a pool: no technique sees that.
function Nurikabe.test_measures()
  local row = nurikabe:measure(level_of "1..\n...\n..3\n", nurikabe.measures, {})
  luaunit.assertEquals({ row.size, row.unique, row.guesses }, { 9, 1, 1 })
  row = nurikabe:measure(level_of ".....\n....1\n1.3..\n....3\n.2...\n", nurikabe.measures, {})
  luaunit.assertEquals({ row.size, row.unique, row.guesses }, { 25, 1, 0 })
end

function Nurikabe.test_generated()
  local made = 0
  for seed = 1, 200 do
    local level = nurikabe.generate(random.new(seed), { width = 4, height = 4, largest = 4 })
    if level then
      made = made + 1
      luaunit.assertEquals(nurikabe:solution(level, { count = true }).solutions, 1)
    end
  end
  luaunit.assertTrue(made > 3, made)
end

function Nurikabe.test_rated()
  local file = shell.file("two.txt", "; easy\n1.1\n...\n1.1\n\n; harder\n.....\n....1\n1.3..\n....3\n.2...\n")
  local easy, harder = shell.printed("rate nurikabe " .. file .. " --format csv"):match "easy,([%d.]+)\nharder,([%d.]+)"
  luaunit.assertTrue(tonumber(easy) < tonumber(harder))
end

function Nurikabe.test_played()
  local level = shell.file("level.txt", ".....\n....1\n1.3..\n....3\n.2...\n")
  local screen = playing.run(("%s play nurikabe %s"):format(shell.quote(shell.program), level),
    { "type \r", "see moves 0", "type o", "see moves 1", "type ?", "see 1 wrong taken away", "type  ?", "see complete", "show", "type q", "end" })
  luaunit.assertStrContains(screen, "  . . . . #\n  . . . . 1\n  1 . 3 . .\n  . . . . 3\n  . 2 . . .\n  complete\n")
end

return { Nurikabe = Nurikabe }
