-- Times crux's exact covers on Sudokus against dancing links and bit masks in C, interleaved: one solution, and whether it is the only
-- one.
package.path = "tests/bench/?.lua;" .. package.path
local exact_cover = require "libcrux.exact_cover"
local timing = require "timing"

local puzzles = {}
for line in io.lines(... or "datasets/levels/sudoku/puzzles.txt") do table.insert(puzzles, line:match(("[%d.]"):rep(81))) end

--- The exact cover of a puzzle: the items that the givens leave, and the options that fit them.
local function problem_of(puzzle)
  local items, options, used = 0, {}, {}
  local function four(cell, digit)
    local row, column = cell // 9, cell % 9
    return { cell, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * (row // 3 * 3 + column // 3) + digit }
  end
  for cell = 0, 80 do
    local digit = tonumber(puzzle:sub(cell + 1, cell + 1))
    for _, item in ipairs(digit and four(cell, digit - 1) or {}) do used[item] = true end
  end
  local number = {}
  for item = 0, 323 do
    if not used[item] then items = items + 1 end
    number[item] = not used[item] and items
  end
  for cell = 0, 80 do
    for digit = 0, 8 do
      local option = four(cell, digit)
      for k, item in ipairs(option) do option[k] = number[item] end
      if option[1] and option[2] and option[3] and option[4] then table.insert(options, option) end
    end
  end
  return { items = items, options = options }
end

local in_links, in_bits, in_crux = {}, {}, {}
for round = 1, timing.rounds do
  in_links[round], in_bits[round], in_crux[round] = 0, 0, 0
  for _, puzzle in ipairs(puzzles) do
    local problem, solutions, _, seconds = problem_of(puzzle), plain_sudoku(puzzle)
    local by_bits, _, seconds_of_bits = plain_sudoku_bits(puzzle)
    local before = os.clock()
    local solution = assert(exact_cover.solve(problem, { count = 2 }))
    in_crux[round] = in_crux[round] + os.clock() - before
    in_links[round], in_bits[round] = in_links[round] + seconds, in_bits[round] + seconds_of_bits
    assert(solution.solutions == solutions and by_bits == solutions, puzzle)
  end
end
timing.report(("%d Sudokus, counted to 2: dancing links"):format(#puzzles), in_links, in_crux)
timing.report(("%d Sudokus, counted to 2: bit masks"):format(#puzzles), in_bits, in_crux)
