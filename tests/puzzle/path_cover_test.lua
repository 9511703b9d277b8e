-- Tests of libcrux.path_cover: what is given back, from every side; what is refused.
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
