-- Tests of games/sudoku.lua, its levels and its rule: against a plain search, and against what was published.
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local random = require "libcrux.random"
local shell = require "shell"

local sudoku = game.load "games/sudoku.lua"

local Sudoku = {}

--- The solutions of 81 cells, at most two, by trying digits in the cell with the fewest.
local function plain_solutions(cells)
  local function free(cell)
    local digits = {}
    for digit = 1, 9 do digits[digit] = true end
    for other = 0, 80 do
      local together = other // 9 == cell // 9 or other % 9 == cell % 9
        or other // 27 == cell // 27 and other % 9 // 3 == cell % 9 // 3
      if together and cells[other] then digits[cells[other]] = nil end
    end
    return digits
  end
  local count = 0
  local function extend()
    local best, most
    for cell = 0, 80 do
      if not cells[cell] then
        local digits, number = free(cell), 0
        for _ in pairs(digits) do number = number + 1 end
        if not most or number < most then best, most, cells.digits = cell, number, digits end
      end
    end
    if not best then count = count + 1 end
    local digits = cells.digits
    for digit = 1, best and 9 or 0 do
      if digits[digit] and count < 2 then
        cells[best] = digit
        extend()
        cells[best] = nil
      end
    end
  end
  extend()
  return count
end

--- Generated levels of each grade have one solution and need that grade.
function Sudoku.test_generated()
  for _, hardest in ipairs(long.some(2, { 4, 10, 40, 60 })) do
    local made, seed = 0, 0
    while made < long.choose(1, 20) do
      seed = seed + 1
      local level = sudoku.generate(random.new(seed), { hardest = hardest, givens = 17, size = 9 })
      if level then
        local cells, row = {}, sudoku:measure(level, sudoku:choose { "unique", "hardest", "givens" }, {})
        local i, givens = 0, 0
        for sign in sudoku:text(level):gmatch "[%d.]" do
          cells[i], i, givens = tonumber(sign), i + 1, givens + (sign == "." and 0 or 1)
        end
        luaunit.assertEquals(row, { unique = 1, hardest = hardest, givens = givens })
        luaunit.assertEquals(plain_solutions(cells), 1)
        made = made + 1
      end
    end
  end
end

--- The rows of datasets/sudoku.csv are what is measured on datasets/levels/sudoku.
function Sudoku.test_dataset()
  local levels = shell.read "datasets/levels/sudoku/puzzles.txt"
  local first = shell.file("first.txt", long.choose(levels:sub(1, 2000):match "^(.*\n)\n", levels))
  local published, count = {}, 0
  for _, row in ipairs(shell.rows(shell.read "datasets/sudoku.csv")) do published[row.level] = row end
  for _, row in ipairs(shell.rows(shell.printed(("measure sudoku %s --format csv"):format(first)))) do
    local from_players = { players = true, seconds = true }
    for name, value in pairs(published[row.level]) do
      if not from_players[name] then luaunit.assertEquals(row[name], value, row.level .. " " .. name) end
    end
    count = count + 1
  end
  luaunit.assertEquals(count, select(2, shell.read(first):gsub(";", "")))
end

--- Spearman's correlation of cross-validated ratings and players' times is above 0.62, that of the givens near 0.2, and that of the
--- deductions that are open near 0.55.
function Sudoku.test_rule()
  local text = shell.printed("compare sudoku 'log(seconds) ~ givens' 'log(seconds) ~ open' datasets/sudoku.csv "
    .. "--weights players --draws 0 --format csv")
  local found = {}
  for _, row in ipairs(shell.rows(text)) do found[row.rule] = tonumber(row.spearman) end
  luaunit.assertTrue(found.sudoku > 0.66 and found.sudoku < 0.71, found.sudoku)
  luaunit.assertAlmostEquals(found["log(seconds) ~ givens"], 0.2, 0.03)
  luaunit.assertAlmostEquals(found["log(seconds) ~ open"], 0.55, 0.01)
end

function Sudoku.test_played()
  local level = shell.file("level.txt", "73..2.8..........9..2..3.7....6..1.3.8.741.6.1.5..2....5.9..3..3..........8.6..45\n")
  luaunit.assertEquals(playing.run(("%s play sudoku %s"):format(shell.quote(shell.program), level),
    { "type \r", "see 54 left", "type \27C\27C6", "see 53 left", "type ?", "see hint: the board", "show", "type q", "end" }), [[
 sudoku  level  (1 of 1)                                     moves 1  time 0:00

  7 3 6 | . 2 . | 8 . .
  . . . | . . 6 | . . 9
  . . 2 | . . 3 | . 7 .
  ------+-------+------
  . . . | 6 . . | 1 . 3
  . 8 . | 7 4 1 | . 6 .
  1 . 5 | . . 2 | . . .
  ------+-------+------
  . 5 . | 9 . . | 3 . .
  3 . . | . . . | . . .
  . . 8 | . 6 . | . 4 5
  52 left, hidden single in box







hint: the board after the next step; any key shows yours again
arrows move the cursor  1 2 3 4 5 6 7 8 9 fill the cell  space clear it  m penci
u undo  r restart  ? hint  q quit
exit 0
]])
end

--- The squares of other sizes that puzz.link's program has: its own 4 x 4 with its answer, and generated ones, in which each row,
--- column and box of the solution has all signs.
function Sudoku.test_sizes()
  luaunit.assertEquals(shell.printed "solve sudoku 'https://puzz.link/p?sudoku/4/4/g1k23k3g'",
    "g1k23k3g\n2 1 │ 4 3\n4 3 │ 1 2\n────┼────\n3 4 │ 2 1\n1 2 │ 3 4\n1 solution\n")
  for size, box in pairs { [4] = { 2, 2 }, [6] = { 3, 2 }, [16] = long.choose(nil, { 4, 4 }) } do
    local level
    for seed = 1, 20 do
      level = level or sudoku.generate(random.new(seed), { hardest = size == 16 and 10 or 4, givens = 4, size = size })
    end
    local solution, seen = sudoku:solution(level, {}), {}
    luaunit.assertEquals({ solution.status, solution.unique, level.width }, { "solved", true, size })
    local cell = 0
    for sign in solution.text:gmatch "%w" do
      local column, row = cell % size, cell // size
      for _, unit in ipairs { "row " .. row, "column " .. column, ("box %d %d"):format(column // box[1], row // box[2]) } do
        luaunit.assertNil(seen[unit .. sign])
        seen[unit .. sign] = true
      end
      cell = cell + 1
    end
    luaunit.assertEquals(cell, size * size)
  end
  luaunit.assertStrContains(shell.crux("solve sudoku " .. shell.file("five.txt", "1...\n..5.\n....\n....\n")).err,
    "five.txt:2: column 3: found '5', expected a smaller one")
  luaunit.assertStrContains(shell.crux("generate sudoku --size 5").err, "expected a size of 4, 6, 9, 16 or 25")
end

function Sudoku.test_wrong_levels()
  local file = shell.file("wrong.txt", "12\n34\n")
  luaunit.assertStrContains(shell.crux("solve sudoku " .. file).err,
    file .. ":1: column 1: found 2 columns and 2 rows, "
      .. "expected as many columns as rows: 4, 6, 9, 16 or 25, or one line of 81 cells")
end

return { Sudoku = Sudoku }
