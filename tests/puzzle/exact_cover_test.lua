-- Tests of exact covers: beside an enumeration and known numbers of tilings, what the binding gives back and refuses, and the rectangles
-- of boards: covered, drawn, played.
local board = require "libcrux.board"
local exact_cover = require "crux.puzzle.exact_cover"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local primitive = require "libcrux.exact_cover"
local random = require "libcrux.random"

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

--- All covers, from the first item on and with the options in their order: the first with the fewest pieces, and how many have as few.
local function enumerate(problem)
  local covered, pieces, best = {}, {}, { solutions = 0 }
  local function fits(option, item)
    for _, other in ipairs(option) do
      if covered[other] then return false end
    end
    return lists.contains(option, item)
  end
  local function lay(item)
    while covered[item] do item = item + 1 end
    if item > problem.items then
      if not best.pieces or #pieces < #best.pieces then
        best = { pieces = table.move(pieces, 1, #pieces, 1, {}), solutions = 0 }
      end
      best.solutions = best.solutions + (#pieces == #best.pieces and 1 or 0)
      return
    end
    for number, option in ipairs(problem.options) do
      if fits(option, item) then
        table.insert(pieces, number)
        for _, other in ipairs(option) do covered[other] = true end
        lay(item)
        for _, other in ipairs(option) do covered[other] = nil end
        table.remove(pieces)
      end
    end
  end
  lay(1)
  return best
end

--- Compares all answers with the enumeration; returns the number of covers with the fewest pieces.
local function compare(problem)
  local expected, found = enumerate(problem), primitive.solve(problem, { count = true })
  luaunit.assertEquals({ found.status, found.pieces, found.solutions },
    { expected.pieces and "solved" or "unsolvable", expected.pieces, expected.solutions })
  luaunit.assertEquals(found.backtracks, found.generated - #(expected.pieces or {}))
  local uncounted = primitive.solve(problem)
  luaunit.assertEquals({ uncounted.pieces, uncounted.generated }, { expected.pieces, found.generated })
  for most = 1, 3 do
    luaunit.assertEquals(primitive.solve(problem, { count = most }).solutions, math.min(most, expected.solutions))
  end
  return expected.solutions
end

--- Options of up to `largest` items each, drawn at random, and those of one cover if it is to be solvable.
local function draw(rng, items, count, largest, is_solvable)
  local problem = { items = items, options = {} }
  for item = 1, is_solvable and items or 0 do
    if item == 1 or rng:integer(1, largest) == 1 then table.insert(problem.options, {}) end
    table.insert(problem.options[#problem.options], item)
  end
  while #problem.options < count do
    local option = {}
    for _ = 1, rng:integer(1, largest) do
      local item = rng:integer(1, items)
      if not lists.contains(option, item) then table.insert(option, item) end
    end
    table.insert(problem.options, option)
  end
  return problem
end

function ExactCover.test_all_covers()
  local rng, rounds, counts = random.new(1), long.choose(500, 3000), { solved = 0, unsolved = 0, several = 0 }
  for i = 1, rounds do
    local solutions = compare(draw(rng, rng:integer(1, 12), rng:integer(1, 24), rng:integer(1, 5), i % 2 == 0))
    for name, holds in pairs { solved = solutions > 0, unsolved = solutions == 0, several = solutions > 1 } do
      counts[name] = counts[name] + (holds and 1 or 0)
    end
  end
  luaunit.assertTrue(counts.solved > rounds / 2 and counts.unsolved > rounds / 6 and counts.several > rounds / 6)
  for _ = 1, rounds // 10 do -- options of two items each
    local items, problem = 2 * rng:integer(1, 5), { options = {} }
    problem.items = items
    for k = 1, rng:integer(8, 24) do
      local item = rng:integer(1, items)
      problem.options[k] = { item, (item + rng:integer(1, items - 1) - 1) % items + 1 }
    end
    compare(problem)
  end
  for _ = 1, rounds // 30 do -- sets of several words
    local items = rng:integer(60, 200)
    compare(draw(rng, items, items // 2 + 10, 6, true))
  end
end

--- All places of one domino on a grid.
local function dominoes(width, height)
  local problem = { items = width * height, options = {} }
  for item = 1, width * height do
    if item % width > 0 then table.insert(problem.options, { item, item + 1 }) end
    if item <= width * (height - 1) then table.insert(problem.options, { item, item + width }) end
  end
  return problem
end

--- Tilings of squares by dominoes: OEIS A004003.
function ExactCover.test_dominoes()
  for half, tilings in ipairs { 2, 36, 6728, 12988816, 258584046368 } do
    local problem = dominoes(2 * half, 2 * half)
    local found = primitive.solve(problem, { count = true })
    luaunit.assertEquals({ found.status, #found.pieces, found.solutions }, { "solved", 2 * half * half, tilings })
    for i = 1, half do luaunit.assertEquals(problem.options[found.pieces[i]], { 2 * i - 1, 2 * i }) end -- lying, on top
  end
  luaunit.assertEquals(primitive.solve(dominoes(5, 5)).status, "unsolvable")
end

--- Of { 1 } and { 1, 2 } the first leads to a cover by { 2, 3 }; after the second one item 3 is left, and nothing fits: in half of
--- all orders it comes first, and is taken back. By two options, { 1 } and { 2 } end with 3 left: both are taken back if { 1 } is first.
function ExactCover.test_chances_by_hand()
  local function chances(options, most)
    local found = exact_cover.chance({ items = 3, options = options }, most)
    return { found.chance, found.backtracks, found.dead_ends }
  end
  luaunit.assertEquals(chances { { 1 }, { 1, 2 }, { 2, 3 } }, { 1 / 2, 1 / 2, 1 })
  luaunit.assertEquals(chances { { 1 }, { 1, 2 }, { 2, 3 }, { 3 } }, { 1, 0, 0 })
  luaunit.assertEquals(chances({ { 1 }, { 2 }, { 3 }, { 1, 2 } }, 2), { 1 / 2, 1, 1 })
  luaunit.assertEquals(chances { { 1, 2 } }, { 0, 1, 1 })
  luaunit.assertEquals(chances { { 1, 2, 3 }, { 1, 2 } }, { 1 / 2, 1 / 2, 1 })
end

--- Options that a player takes back who tries those that fit in random order, and whether the rest can be covered.
local function tried(problem, left, source)
  local item, fitting, back = nil, {}, 0
  for i = problem.items, 1, -1 do item = left[i] and i or item end
  if not item then return 0, true end
  for _, option in ipairs(problem.options) do
    local fits, has = true, false
    for _, one in ipairs(option) do fits, has = fits and left[one], has or one == item end
    if fits and has then table.insert(fitting, option) end
  end
  for _, option in ipairs(source:shuffle(fitting)) do
    local rest = table.move(left, 1, problem.items, 1, {})
    for _, one in ipairs(option) do rest[one] = false end
    local more, is_covered = tried(problem, rest, source)
    back = back + more
    if is_covered then return back, true end
    back = back + 1
  end
  return back, false
end

--- The mean and the share without backtracks of 2,000 plays lie within five standard errors of what is computed.
function ExactCover.test_chances_against_plays()
  local source, plays = random.new(os.getenv "CRUX_TEST_SEED" or 1), 2000
  for _ = 1, 8 do
    local problem, all = { items = 6, options = {} }, {}
    for i = 1, 10 do
      local items = source:shuffle { 1, 2, 3, 4, 5, 6 }
      problem.options[i] = table.move(items, 1, source:integer(1, 3), 1, {})
    end
    for i = 1, 6 do all[i] = true end
    local sum, squares, none = 0, 0, 0
    for _ = 1, plays do
      local back, is_covered = tried(problem, all, source)
      sum, squares, none = sum + back, squares + back ^ 2, none + (back == 0 and is_covered and 1 or 0)
    end
    local found, mean = exact_cover.chance(problem), sum / plays
    luaunit.assertAlmostEquals(mean, found.wins > 0 and found.backtracks or found.taken,
      5 * math.sqrt((squares / plays - mean ^ 2) / plays) + 1e-9)
    luaunit.assertAlmostEquals(none / plays, found.chance, 5 * math.sqrt(found.chance * (1 - found.chance) / plays) + 1e-9)
  end
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
  local problem = dominoes(15, 15) -- an odd number of items: only all of the search shows that there is no cover
  for name, value in pairs { nodes = 100, seconds = 1e-3, bytes = 100000 } do
    local found = primitive.solve(problem, { [name] = value, count = true })
    luaunit.assertEquals({ found.status, found.limit, found.pieces, found.solutions }, { "unknown", name })
  end
  -- a corner: its first item alone and the others; to count, its first two items and the last as well
  local found = primitive.solve(corners(10), { count = true, nodes = 40 })
  luaunit.assertEquals({ found.solutions, found.generated, found.backtracks }, { 1 << 10, 20, 0 })
  found = primitive.solve(corners(10), { count = true, nodes = 39 })
  luaunit.assertEquals({ found.status, #found.pieces, found.solutions }, { "solved", 20 })
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
