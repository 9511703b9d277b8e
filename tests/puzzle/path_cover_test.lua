-- Tests of libcrux.path_cover: beside an enumeration of all covers and published numbers of them; from every side; what is refused.
local long = require "long"
local luaunit = require "luaunit"
local covers = require "crux.puzzle.covers"
local path_cover = require "libcrux.path_cover"
local random = require "libcrux.random"

--- The grid drawn by these rows: letters are endpoints (A is 1), '.' empty, '#' blocked.
local function of(...)
  local rows = { ... }
  local grid = { width = #rows[1], height = #rows, cells = {} }
  for c in table.concat(rows):gmatch "." do
    table.insert(grid.cells, c == "." and 0 or c == "#" and -1 or c:byte() - 64)
  end
  return grid
end

local PathCover = {}

--- All that solve says but what it took: nothing if the squares are not balanced as the ends are.
local function solve(grid, options)
  local result = assert(path_cover.solve(grid, options))
  luaunit.assertTrue(result.states >= result.peak and (result.bytes > 0 or result.states == 0))
  result.states, result.peak, result.bytes = nil, nil, nil
  return result
end

--- B goes straight and C around it, or the other way round, or they share the middle.
function PathCover.test_result()
  luaunit.assertEquals(solve(of("B..C", "B..C")), { status = "solved", solutions = 3, turns = 2 })
  luaunit.assertEquals(solve(of("B..C", "B..C"), { paths = true }),
    { status = "solved", solutions = 3, turns = 2, paths = { [2] = { 1, 5 }, [3] = { 4, 3, 2, 6, 7, 8 } } })
  luaunit.assertEquals(solve(of("BB", "..", "..", "CC"), { paths = true }),
    { status = "solved", solutions = 3, turns = 2, paths = { [2] = { 1, 2 }, [3] = { 7, 5, 3, 4, 6, 8 } } })
end

function PathCover.test_blocked()
  luaunit.assertEquals(solve(of("A..", ".#.", "A.#"), { paths = true }).status, "unsolvable")
  luaunit.assertEquals(solve(of("A..", ".#.", "#.A"), { paths = true }).status, "unsolvable")
  luaunit.assertEquals(solve(of("A..", "A#.", "..."), { paths = true }).paths, { { 1, 2, 3, 6, 9, 8, 7, 4 } })
  luaunit.assertEquals(solve(of("#", "#"), { paths = true }), { status = "solved", solutions = 1, turns = 0, paths = {} })
end

function PathCover.test_unsolvable()
  for _, grid in ipairs { of ".", of("A..", "...", ".A."), of("AB", "BA"), of("A.A", "B#B") } do
    luaunit.assertEquals(solve(grid, { paths = true }), { status = "unsolvable", solutions = 0 })
  end
end

--- A grid turned over: its cells in the order of `at`, which takes column, row, width and height.
local function turned(grid, transposed, at)
  local width, height = grid.width, grid.height
  local result = { width = transposed and height or width, height = transposed and width or height, cells = {} }
  for y = 0, result.height - 1 do
    for x = 0, result.width - 1 do
      table.insert(result.cells, grid.cells[at(transposed and y or x, transposed and x or y, width, height) + 1])
    end
  end
  return result
end

--- Which partial covers are given up depends on the side from which the sweep comes; what is found does not.
function PathCover.test_every_side()
  local rng = random.new(5)
  for _ = 1, 20 do
    local width, height, grid = rng:integer(6, 9), rng:integer(6, 9), { cells = {} }
    grid.width, grid.height = width, height
    for cell = 1, width * height do grid.cells[cell] = 0 end
    for colour, path in ipairs(covers.random(width, height, rng:integer(3, 9), 2, rng)) do
      grid.cells[path[1]], grid.cells[path[#path]] = colour, colour
    end
    local expected = solve(grid)
    luaunit.assertEquals(expected.status, "solved")
    for _, transposed in ipairs { false, true } do
      for _, at in ipairs {
        function(x, y, w) return y * w + x end,
        function(x, y, w) return y * w + w - 1 - x end,
        function(x, y, w, h) return (h - 1 - y) * w + x end,
        function(x, y, w, h) return (h - 1 - y) * w + w - 1 - x end,
      } do
        luaunit.assertEquals(solve(turned(grid, transposed, at)), expected)
      end
    end
  end
end

--- The turns of a cover, and its borders in the order of src/puzzle/path_cover.h, 1 where a path crosses one: right[cell] that to
--- the right of a cell, down[cell] that below it.
local function describe(grid, right, down)
  local width, height, turns, borders = grid.width, grid.height, 0, {}
  local is_wide = width > height
  for i = 0, width * height - 1 do
    local cell = is_wide and i % height * width + i // height + 1 or i + 1
    local across, along = right[cell - 1] and right[cell], down[cell - width] and down[cell]
    local ends = (right[cell - 1] and 1 or 0) + (right[cell] and 1 or 0) + (down[cell - width] and 1 or 0) + (down[cell] and 1 or 0)
    turns = turns + (ends == 2 and not across and not along and 1 or 0)
    for _, crossed in ipairs { is_wide and down or right, is_wide and right or down } do
      borders[#borders + 1] = crossed[cell] and 1 or 0
    end
  end
  return turns, table.concat(borders)
end

--- All covers of a small grid, by drawing one path after the other: their number, the fewest turns, and the borders of the first.
local function enumerate(grid)
  local width, height, cells = grid.width, grid.height, grid.cells
  local covered, right, down, found, draw = {}, {}, {}, { solutions = 0 }, nil
  local function lead_on(cell, colour)
    for _, to in ipairs {
      { cell - width, down, cell - width, cell > width }, { cell + 1, right, cell, cell % width > 0 },
      { cell + width, down, cell, cell <= width * (height - 1) }, { cell - 1, right, cell - 1, (cell - 1) % width > 0 },
    } do
      local next_cell, crossed, border = to[1], to[2], to[3]
      if to[4] and not covered[next_cell] and (cells[next_cell] == 0 or cells[next_cell] == colour) then
        covered[next_cell], crossed[border] = true, true
        if cells[next_cell] == colour then draw() else lead_on(next_cell, colour) end
        covered[next_cell], crossed[border] = nil, nil
      end
    end
  end
  function draw()
    local is_whole = true
    for cell, colour in ipairs(cells) do
      if colour > 0 and not covered[cell] then
        covered[cell] = true
        lead_on(cell, colour)
        covered[cell] = nil
        return
      end
      is_whole = is_whole and (colour < 0 or covered[cell])
    end
    if not is_whole then return end
    local turns, borders = describe(grid, right, down)
    if not found.turns or turns < found.turns or turns == found.turns and borders > found.borders then
      found.turns, found.borders = turns, borders
    end
    found.solutions = found.solutions + 1
  end
  draw()
  return found
end

--- Compares all results with the enumeration; returns the number of covers.
local function check_small(grid)
  local expected, found = enumerate(grid), solve(grid, { paths = true })
  luaunit.assertEquals({ found.status, found.solutions, found.turns },
    { expected.turns and "solved" or "unsolvable", expected.solutions, expected.turns })
  luaunit.assertEquals(solve(grid), { status = found.status, solutions = found.solutions, turns = found.turns })
  if expected.turns then
    local right, down = {}, {}
    for _, path in pairs(found.paths) do
      for i = 2, #path do
        local crossed = math.abs(path[i] - path[i - 1]) == grid.width and down or right
        crossed[math.min(path[i], path[i - 1])] = true
      end
    end
    luaunit.assertEquals(select(2, describe(grid, right, down)), expected.borders)
  end
  return expected.solutions
end

function PathCover.test_all_covers()
  local rng, solved, rounds = random.new(20), 0, long.choose(150, 3000)
  for _ = 1, rounds do
    local width = rng:integer(1, 6)
    local grid = { width = width, height = rng:integer(1, width == 6 and 4 or 5), cells = {} }
    local count, free = grid.width * grid.height, {}
    for cell = 1, count do free[cell], grid.cells[cell] = cell, 0 end
    rng:shuffle(free)
    local colours = rng:integer(0, math.min(4, count // 2))
    for i = 1, 2 * colours do grid.cells[free[i]] = (i + 1) // 2 end
    for i = 2 * colours + 1, 2 * colours + rng:integer(0, 1) * ((count - 2 * colours) // 8) do grid.cells[free[i]] = -1 end
    solved = solved + (check_small(grid) > 0 and 1 or 0)
    if grid.width > 1 and grid.height > 1 then -- the ends of paths, and one path blocked
      for cell = 1, count do grid.cells[cell] = 0 end
      for colour, path in ipairs(covers.random(grid.width, grid.height, math.max(2, count // 6), 2, rng)) do
        for _, cell in ipairs(path) do grid.cells[cell] = colour == 1 and -1 or 0 end
        if colour > 1 then grid.cells[path[1]], grid.cells[path[#path]] = 10 * colour, 10 * colour end
      end
      luaunit.assertTrue(check_small(grid) > 0)
    end
  end
  luaunit.assertTrue(solved > rounds / 20 and solved < rounds / 2, solved)
end

--- The covers of an otherwise empty grid with one colour, by the cells of its ends.
local function of_pair(width, height, first, last)
  local grid = { width = width, height = height, cells = {} }
  for cell = 1, width * height do grid.cells[cell] = (cell == first or cell == last) and 7 or 0 end
  return solve(grid)
end

--- Hamiltonian paths of n x n between corners: opposite ones of odd n, https://oeis.org/A001184, and on one side,
--- https://oeis.org/A000532.
function PathCover.test_published()
  for i, count in ipairs { 2, 104, 111712, 2688307514, 1445778936756068 } do
    luaunit.assertEquals(of_pair(2 * i + 1, 2 * i + 1, 1, (2 * i + 1) ^ 2).solutions, count)
  end
  for i, count in ipairs { 1, 2, 8, 86, 1770, 88418, 8934966, 2087813834, 1013346943033, 1111598871478668 } do
    luaunit.assertEquals(of_pair(i + 1, i + 1, 1, (i + 1) * i + 1).solutions, count)
    luaunit.assertEquals(of_pair(i + 1, i + 1, 1, i + 1).solutions, count)
  end
end

--- Strips two cells wide have one cover when the endpoints lie side by side at an end, or where there is no choice.
function PathCover.test_strips()
  for n = 1, 400, 57 do
    local expected = { status = "solved", solutions = 1, turns = n > 1 and 2 or 0 }
    luaunit.assertEquals(of_pair(2, n, 1, 2), expected)
    luaunit.assertEquals(of_pair(n, 2, 1, n + 1), expected)
  end
  luaunit.assertEquals(of_pair(400, 1, 1, 400).solutions, 1)
  luaunit.assertEquals(of_pair(400, 1, 2, 400).status, "unsolvable")
end

--- Endpoints on all cells of 15 x 15 but one, each pair side by side: 8 bits a colour, of all 128 bits.
function PathCover.test_widest()
  local grid = { width = 15, height = 15, cells = {} }
  for row = 0, 14 do
    for column = 0, 13 do grid.cells[row * 15 + column + 1] = 1000000 - (row * 14 + column) // 2 end
    grid.cells[row * 15 + 15] = row < 14 and 1 + row // 2 or -1
  end
  local found = solve(grid, { paths = true })
  luaunit.assertEquals({ found.status, found.solutions, found.turns }, { "solved", 1, 0 })
  luaunit.assertEquals({ found.paths[1000000], found.paths[1] }, { { 1, 2 }, { 15, 30 } })
end

--- 3 x 3 cells from corner to corner have two covers; piles of them, between blocked rows, a power of two.
function PathCover.test_overflow()
  for count = 62, 65 do
    local expected = count < 63 and { solutions = 1 << count } or { solutions_overflow = true }
    local grid = { width = 3, height = 4 * count, cells = {} }
    for colour = 1, count do
      for _, value in ipairs { colour, 0, 0, 0, 0, 0, 0, 0, colour, -1, -1, -1 } do table.insert(grid.cells, value) end
    end
    expected.status, expected.turns = "solved", 4 * count
    luaunit.assertEquals(solve(grid), expected)
  end
end

function PathCover.test_limits()
  local grid = { width = 9, height = 9, cells = {} }
  for cell = 1, 81 do grid.cells[cell] = (cell == 1 or cell == 81) and 1 or 0 end
  local bytes = path_cover.solve(grid, { paths = true }).bytes
  luaunit.assertEquals(solve(grid), { status = "solved", solutions = 2688307514, turns = 16 }) -- oeis.org/A001184
  luaunit.assertEquals(solve(grid, { paths = true, bytes = bytes, seconds = 3600 }).status, "solved")
  luaunit.assertEquals(solve(grid, { paths = true, bytes = bytes - 1 }), { status = "unknown", limit = "bytes" })
  luaunit.assertEquals(solve(grid, { paths = true, seconds = 1e-9 }), { status = "unknown", limit = "seconds" })
end

function PathCover.test_wrong_contents()
  local empty, many = {}, {}
  for cell = 1, 64 * 64 do empty[cell] = 0 end
  for cell = 1, 32 * 33 do many[cell] = cell <= 28 and (cell + 1) // 2 or 0 end
  for _, case in ipairs {
    { {}, "width, height: expected integers from 1" },
    { { width = 0, height = 2, cells = {} }, "width, height: expected integers from 1" },
    { { width = 1.5, height = 2, cells = {} }, "width, height: expected integers from 1" },
    { { width = 1 << 40, height = 2, cells = {} }, "width, height: expected integers from 1" },
    { { width = 2, height = 2 }, "cells: expected a list of 2 x 2 integers" },
    { { width = 2, height = 2, cells = { 1, 1, 0 } }, "cells: expected a list of 2 x 2 integers" },
    { { width = 2, height = 2, cells = { 1, 1, "x", 0 } }, "cells: number 3: expected an integer" },
    { { width = 2, height = 2, cells = { 1, 1, 0, 1 << 31 } }, "cells: number 4: expected an integer" },
    { { width = 2, height = 2, cells = { 1, 1, 0, -2 } },
      "cell 4 is -2, expected a colour from 1, 0 (empty) or -1 (blocked)" },
    { of("A.", ".B"), "colour 1 has 1 endpoint, expected 2" },
    { of("A.", "AA"), "colour 1 has 3 endpoints, expected 2" },
    { { width = 64, height = 64, cells = empty }, "the shorter side has 64 cells, expected at most 63 with 0 colours" },
    { { width = 32, height = 33, cells = many }, "the shorter side has 32 cells, expected at most 24 with 14 colours" },
  } do
    local result, message = path_cover.solve(case[1])
    luaunit.assertNil(result)
    luaunit.assertEquals(message, case[2])
  end
end

function PathCover.test_wrong_arguments()
  local grid = of "AA"
  local function refuses(pattern, ...) luaunit.assertErrorMsgMatches(pattern, path_cover.solve, ...) end
  refuses ".*#1 to '?.*'? %(table expected, got nil%)"
  refuses(".*#2 .*%(table expected, got number%)", grid, 1)
  for _, bytes in ipairs { 0, -1, 1.5, "1" } do
    refuses(".*%(bytes: expected an integer from 1%)", grid, { bytes = bytes })
  end
  for _, seconds in ipairs { 0, -1, "1", 0 / 0 } do
    refuses(".*%(seconds: expected a number above 0%)", grid, { seconds = seconds })
  end
end

return { PathCover = PathCover }
