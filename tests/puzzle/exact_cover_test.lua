-- Tests of exact covers: what the binding gives back and refuses, and the rectangles of boards: covered, drawn, played.
local board = require "libcrux.board"
local exact_cover = require "crux.puzzle.exact_cover"
local luaunit = require "luaunit"
local primitive = require "libcrux.exact_cover"

local ExactCover = {}

function ExactCover.test_what_is_given_back()
  local problem = { items = 3, options = { { 1 }, { 2 }, { 3 }, { 1, 2 }, { 3, 2 } } }
  luaunit.assertEquals(primitive.solve(problem, { count = true }),
    { status = "solved", pieces = { 1, 5 }, solutions = 2, expanded = 2, generated = 3, backtracks = 1 })
  luaunit.assertEquals(primitive.solve(problem).solutions, nil)
  for most = 1, 3 do luaunit.assertEquals(primitive.solve(problem, { count = most }).solutions, math.min(most, 2)) end
  luaunit.assertErrorMsgContains("count", primitive.solve, problem, { count = 0 })
  luaunit.assertEquals(primitive.solve({ items = 4, options = problem.options }),
    { status = "unsolvable", solutions = 0, expanded = 0, generated = 0, backtracks = 0 })
  luaunit.assertEquals(primitive.solve { items = 0, options = {} }.pieces, {})
end

--- So many corners of three cells each, with two covers each.
local function corners(count)
  local problem = { items = 3 * count, options = {} }
  for i = 1, 3 * count, 3 do
    for _, option in ipairs { { i }, { i, i + 1 }, { i + 1, i + 2 }, { i + 2 } } do table.insert(problem.options, option) end
  end
  return problem
end

function ExactCover.test_overflow()
  luaunit.assertEquals(primitive.solve(corners(62), { count = true }).solutions, 1 << 62)
  for _, count in ipairs { 63, 64, 100 } do
    local found = primitive.solve(corners(count), { count = true })
    luaunit.assertEquals({ found.status, found.solutions, found.solutions_overflow }, { "solved", nil, true })
  end
end

function ExactCover.test_limits()
  local problem = { items = 225, options = {} } -- dominoes on 15 x 15
  for item = 1, 225 do
    if item % 15 > 0 then table.insert(problem.options, { item, item + 1 }) end
    if item <= 210 then table.insert(problem.options, { item, item + 15 }) end
  end
  for name, value in pairs { nodes = 100, seconds = 1e-3, bytes = 100000 } do
    local found = primitive.solve(problem, { [name] = value, count = true })
    luaunit.assertEquals({ found.status, found.limit, found.pieces, found.solutions }, { "unknown", name })
  end
end

function ExactCover.test_wrong_contents()
  for _, case in ipairs {
    { {}, "items: expected an integer from 0 to 1024" },
    { { items = 1025 }, "items: expected an integer from 0 to 1024" },
    { { items = 2.5 }, "items: expected an integer from 0 to 1024" },
    { { items = 2 }, "options: expected a list of at most 1048576" },
    { { items = 2, options = { { 1 }, 2 } }, "option 2: expected a list of items from 1 to 2, at least one" },
    { { items = 2, options = { {} } }, "option 1: expected a list of items from 1 to 2, at least one" },
    { { items = 2, options = { { 1, 3 } } }, "option 1: expected a list of items from 1 to 2, at least one" },
    { { items = 2, options = { { 0 } } }, "option 1: expected a list of items from 1 to 2, at least one" },
    { { items = 2, options = { { 1, "2x" } } }, "option 1: expected a list of items from 1 to 2, at least one" },
  } do
    luaunit.assertEquals({ primitive.solve(case[1]) }, { nil, case[2] })
  end
  luaunit.assertErrorMsgMatches(".*table expected, got nil.*", primitive.solve)
  luaunit.assertErrorMsgMatches(".*nodes: expected an integer from 1.*", primitive.solve, corners(1), { nodes = 0 })
  luaunit.assertErrorMsgMatches(".*seconds: expected a number above 0.*", primitive.solve, corners(1), { seconds = 0 / 0 })
end

--- A level of a text of '.' and '#'.
local function level_of(...)
  local rows, cells = { ... }, {}
  for y, row in ipairs(rows) do
    for x = 1, #row do
      if row:sub(x, x) == "." then table.insert(cells, { x, y }) end
    end
  end
  local usable = board.new(#rows[1], #rows, cells)
  return { rows = rows, usable = usable, pieces = exact_cover.rectangles(usable) }
end

function ExactCover.test_rectangles()
  local found = {}
  for i, piece in ipairs(level_of("..", ".#").pieces) do
    found[i] = ("%d,%d %dx%d %s"):format(piece.x, piece.y, piece.width, piece.height, table.concat(piece.cells, " "))
  end
  luaunit.assertEquals(found, { "1,1 2x1 1 2", "1,1 1x2 1 3", "1,1 1x1 1", "2,1 1x1 2", "1,2 1x1 3" })
  for width = 1, 5 do -- w (w + 1) / 2 * h (h + 1) / 2
    luaunit.assertEquals(#exact_cover.rectangles(~board.new(width, 4)), width * (width + 1) // 2 * 10)
  end
end

function ExactCover.test_cover_and_drawing()
  local level = level_of("...", ".#.", "...")
  local solution = exact_cover.cover(level, { count = true }) -- each corner goes with one of its two sides: 2^4
  luaunit.assertEquals({ solution.length, solution.solutions, solution.text }, { 4, 16, "1,1:3x1 1,2:1x2 3,2:1x2 2,3:1x1" })
  luaunit.assertEquals(exact_cover.draw(level, solution.cover), [[
┌───────────┐
│ .   .   . │
├───┬───┬───┤
│ . │ # │ . │
│   ├───┤   │
│ . │ . │ . │
└───┴───┴───┘
]])
  luaunit.assertEquals(exact_cover.draw(level_of("..", "#."), {}), "\n  .   .\n\n  #   .\n\n")
  luaunit.assertEquals(exact_cover.cover(level_of("......", "......", "..#...", ".#...."), { states = 1 }).limit, "states")
end

--- Plays by keys from the start of a level; returns the position.
local function play(level, keys)
  local position = exact_cover.play.start(level)
  for key in keys:gmatch "%S+" do position = exact_cover.play.step(position, key, level) or position end
  return position
end

function ExactCover.test_playing()
  local level, rules = level_of("..", ".#"), exact_cover.play
  local position = play(level, "space right")
  luaunit.assertEquals(rules.draw(position, level), "┌───────┐\n│ .   . │\n└───────┘\n  .   #\n\n0 of 2 laid")
  luaunit.assertEquals({ rules.cursor(position) }, { 7, 2 })
  position = play(level, "space right space down left space")
  luaunit.assertEquals({ #position.laid, rules.done(position, level) }, { 1, false })
  position = play(level, "space right space down left space space")
  luaunit.assertEquals({ #position.laid, rules.done(position, level) }, { 2, true })
  luaunit.assertEquals(#play(level, "space right space left space").laid, 0) -- taken up again
  luaunit.assertEquals(#play(level, "space right down space").laid, 0) -- it does not fit
  luaunit.assertEquals(#play(level, "space space right space left space").laid, 1) -- nor does what would lie on the first
  luaunit.assertNil(rules.step(play(level, "right down"), "space", level)) -- '#'
  luaunit.assertNil(rules.step(play(level, ""), "up", level))
  position = play(level, "space space right space space down left space space") -- one by one: too many
  luaunit.assertEquals({ #position.laid, rules.done(position, level) }, { 3, false })
  local solution = exact_cover.cover(level, {})
  position = rules.hint(position, level, solution)
  luaunit.assertEquals({ #position.laid, rules.done(position, level) }, { 2, true })
  luaunit.assertNil(rules.hint(position, level, solution))
  position = rules.hint(play(level, "space down space"), level, solution)
  luaunit.assertEquals({ #position.laid, rules.done(position, level) }, { 1, false })
end

return { ExactCover = ExactCover }
