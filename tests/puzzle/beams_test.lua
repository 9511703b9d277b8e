-- Tests of libcrux.beams: what a problem may look like, what comes back, and what is refused.
local luaunit = require "luaunit"
local beams = require "libcrux.beams"

--- A problem with one solution, A on the last but one tile, and other fields when given.
---@param other table?
local function problem(other)
  local made = {
    width = 3, height = 2, tiles = "ooo oox", emitters = { { 1, 0, 1, 1 } }, targets = { { 5, 0 } }, blocks = { A = 1 },
  }
  for name, value in pairs(other or {}) do made[name] = value end
  return made
end

local Beams = {}

function Beams.test_trace()
  local trace = beams.trace(problem { tiles = { "o o o", "o A x" }, targets = { { 5, 0 }, { 1, 4 }, { 5, 0 } } })
  luaunit.assertEquals(trace, {
    solved = false, reflections = 1, intersections = 0, hit = { true, false, true },
    points = {
      { x = 1, y = 0, mark = "\\" }, { x = 5, y = 0, mark = "/" }, { x = 2, y = 1, mark = "\\" },
      { x = 4, y = 1, mark = "/" }, { x = 3, y = 2, mark = "X", turns = true },
    },
  })
  local crossing = beams.trace(problem { emitters = { { 1, 0, 1, 1 }, { 5, 0, -1, 1 } } })
  luaunit.assertEquals({ crossing.solved, crossing.intersections, crossing.reflections }, { true, 1, 0 })
  luaunit.assertEquals(crossing.points[5], { x = 3, y = 2, mark = "X" })
end

function Beams.test_trace_of_other_tiles()
  luaunit.assertFalse(beams.trace(problem()).solved)
  luaunit.assertTrue(beams.trace(problem(), "ooooAx").solved)
  luaunit.assertTrue(beams.trace(problem { tiles = false }, { "ooo", "oAx" }).solved)
end

function Beams.test_place()
  luaunit.assertEquals(beams.place(problem(), { count = true }),
    { status = "solved", tiles = "ooooAx", solutions = 1, expanded = 3, generated = 4, backtracks = 1 })
  local found = beams.place(problem())
  luaunit.assertEquals({ found.status, found.tiles, found.solutions }, { "solved", "ooooAx" })
  luaunit.assertNil(beams.place(problem(), { count = false }).solutions)
end

function Beams.test_place_orders_empty_A_B_C()
  local free = problem { targets = {}, tiles = "Cooo\nooooo", height = 3, blocks = { A = 1, B = 2, C = 1 } }
  luaunit.assertEquals(beams.place(free, { count = true }).tiles, "CooooABBC")
  luaunit.assertEquals(beams.place(free, { count = true }).solutions, 840) -- 8! / (4! 1! 2! 1!)
end

function Beams.test_place_none()
  local none = beams.place(problem { blocks = { B = 1 } }, { count = true })
  luaunit.assertEquals({ none.status, none.solutions, none.tiles }, { "unsolvable", 0 })
  luaunit.assertEquals(beams.place(problem { blocks = { A = 6 } }).status, "unsolvable") -- more than tiles
  luaunit.assertEquals(beams.place(problem { emitters = {} }).status, "unsolvable")
end

function Beams.test_place_at_a_limit()
  local open = problem { width = 32, height = 32, tiles = ("o"):rep(1024), blocks = { A = 9, B = 9, C = 9 },
    targets = { { 0, 63 }, { 64, 1 }, { 32, 31 } } }
  local limited = beams.place(open, { nodes = 100, count = true })
  luaunit.assertEquals({ limited.status, limited.limit, limited.generated }, { "unknown", "nodes", 100 })
  luaunit.assertEquals({ limited.tiles, limited.solutions }, {})
  limited = beams.place(open, { seconds = 0.001 })
  luaunit.assertEquals({ limited.status, limited.limit }, { "unknown", "seconds" })
  open.targets = {}
  luaunit.assertEquals(beams.place(open, { count = true }).solutions_overflow, true)
  luaunit.assertEquals(beams.place(open, { count = true }).status, "solved")
  luaunit.assertEquals({ beams.courses(open, { nodes = 10 }) },
    { nil, "the limit is reached before all courses are counted" })
end

function Beams.test_count_at_a_limit()
  local two = problem { targets = { { 2, 1 } }, blocks = { B = 1 } } -- the first tile empty: as many as there are others
  local found = beams.place(two, { count = true, nodes = 1 })
  luaunit.assertEquals({ found.status, found.solutions }, { "solved" })
  luaunit.assertEquals(beams.place(two, { count = true }).solutions, 4)
end

function Beams.test_courses()
  luaunit.assertEquals(beams.courses(problem { blocks = {} }), 1)
  luaunit.assertEquals(beams.courses(problem { emitters = {} }), 1)
  luaunit.assertEquals(beams.courses(problem()), 4) -- A on one of the three tiles on the beam's way, or on none
  luaunit.assertEquals(beams.courses(problem { blocks = { A = 1, B = 1 } }), 9)
end

-- Where A lies, and what the beam then passes besides its start: on tile 1 nothing; on 2 (2, 1), (1, 2), (0, 3); on 5 (2, 1),
-- (3, 2), (4, 1), (5, 0); on 3 or 4, where it is not met, (2, 1), (3, 2), (4, 3), (5, 4).
function Beams.test_passes()
  local expected = {}
  for number = 1, 7 * 5 do expected[number] = 0 end
  for _, point in ipairs { { 1, 0, 5 }, { 5, 0, 1 }, { 2, 1, 4 }, { 4, 1, 1 }, { 1, 2, 1 }, { 3, 2, 3 }, { 0, 3, 1 },
    { 4, 3, 2 }, { 5, 4, 2 } } do
    expected[point[2] * 7 + point[1] + 1] = point[3]
  end
  luaunit.assertEquals(beams.passes(problem { targets = {} }), expected)
  for number, count in ipairs(beams.passes(problem())) do -- the one solution's five points
    luaunit.assertEquals(count, ({ [2] = 1, [6] = 1, [10] = 1, [12] = 1, [18] = 1 })[number] or 0)
  end
  local message = "the limit is reached before all placements are counted"
  luaunit.assertEquals({ beams.passes(problem(), { nodes = 1 }) }, { nil, message })
  local open = problem { width = 20, height = 20, tiles = ("o"):rep(400), targets = {}, emitters = {}, blocks = { A = 200 } }
  luaunit.assertEquals({ beams.passes(open) }, { nil, message }) -- their number takes more than 63 bits
end

function Beams.test_solve()
  local solve = require "crux.puzzle.beams".solve
  local found = solve(problem(), { count = true })
  luaunit.assertEquals({ found.status, found.text, found.solutions, found.trace.reflections }, { "solved", "ooo oAx", 1, 1 })
  luaunit.assertEquals(solve(problem { blocks = { B = 1 } }, {}).status, "unsolvable")
  found = solve(problem(), { states = 1 })
  luaunit.assertEquals({ found.status, found.limit, found.text }, { "unknown", "states" })
  local open = problem { width = 32, height = 32, tiles = ("o"):rep(1024), blocks = { A = 9, B = 9, C = 9 },
    targets = { { 0, 63 }, { 64, 1 }, { 32, 31 } } }
  luaunit.assertEquals(solve(open, { seconds = 0.001 }).limit, "seconds")
end

function Beams.test_what_may_be_left_out()
  local bare = { width = 1, height = 1, tiles = "o" }
  luaunit.assertEquals(beams.place(bare, { count = true }).solutions, 1)
  luaunit.assertEquals(beams.trace(bare), { solved = true, reflections = 0, intersections = 0, hit = {}, points = {} })
  luaunit.assertEquals(beams.place { width = 2, height = 1, tiles = " o\to\n", blocks = { C = 1 } }.tiles, "oC")
end

function Beams.test_bad_problems()
  local deep = setmetatable({}, { __index = function() error "called" end, __len = function() error "called" end })
  for _, case in ipairs {
    { "width, height: expected integers from 1 to 32", { width = 0 } },
    { "width, height: expected integers from 1 to 32", { height = 33 } },
    { "width, height: expected integers from 1 to 32", { width = 2.5 } },
    { "width, height: expected integers from 1 to 32", { width = 2 ^ 32 + 3 } },
    { "width, height: expected integers from 1 to 32", { height = {} } },
    { "expected a string of 3 x 2 tiles or a list of 2 rows", { tiles = 1 } },
    { "expected a string of 3 x 2 tiles or a list of 2 rows", { tiles = { "ooo" } } },
    { "expected a string of 3 x 2 tiles or a list of 2 rows", { tiles = deep } },
    { "tile 2: 'q', expected o, x, A, B, C or D", { tiles = "oqo" } },
    { "tile 1: '\\x00', expected o, x, A, B, C or D", { tiles = "\0ooooo" } },
    { "5 tiles, expected 6", { tiles = "ooooo" } },
    { "7 tiles, expected 6", { tiles = "ooooooo" } },
    { "row 2: 2 tiles, expected 3", { tiles = { "ooo", "oo" } } },
    { "row 1: 4 tiles, expected 3", { tiles = { "oooo", "oo" } } },
    { "row 2: expected a string of 3 tiles", { tiles = { "ooo", {} } } },
    { "row 2: tile 3: 'a', expected", { tiles = { "ooo", "ooa" } } },
    { "emitters: expected a list", { emitters = 1 } },
    { "emitters: item 1: expected 4 integers", { emitters = { { 1, 0, 1 } } } },
    { "emitters: item 2: expected 4 integers", { emitters = { { 1, 0, 1, 1 }, "L" } } },
    { "emitters: item 1: expected 4 integers", { emitters = { { 1, 0.5, 1, 1 } } } },
    { "emitters: item 1: expected 4 integers", { emitters = { { 1, math.maxinteger, 1, 1 } } } },
    { "emitters: item 1: expected 4 integers", { emitters = { deep } } },
    { "emitter 1: (1, 6) lies outside the grid, expected 0..6 and 0..4", { emitters = { { 1, 6, 1, 1 } } } },
    { "emitter 1: (1, 1) is not the middle of a tile's side", { emitters = { { 1, 1, 1, 1 } } } },
    { "emitter 1: direction (0, 1), expected 1 or -1 each", { emitters = { { 1, 0, 0, 1 } } } },
    { "targets: item 1: expected 2 integers", { targets = { {} } } },
    { "target 2: (7, 0) lies outside the grid", { targets = { { 1, 0 }, { 7, 0 } } } },
    { "blocks: expected a table of numbers", { blocks = 3 } },
    { "blocks: A: expected a number of blocks", { blocks = { A = -1 } } },
    { "blocks: B: expected a number of blocks", { blocks = { B = 1.5 } } },
    { "blocks: C: expected a number of blocks", { blocks = { C = {} } } },
  } do
    for _, name in ipairs { "trace", "place", "courses", "passes" } do
      local result, message = beams[name](problem(case[2]))
      luaunit.assertNil(result)
      luaunit.assertStrContains(message, case[1])
    end
  end
  local many = {}
  for i = 1, 10001 do many[i] = { 1, 0, 1, 1 } end
  luaunit.assertStrContains(select(2, beams.place(problem { emitters = many })),
    "emitters: expected a list of at most 10000")
  many[10001] = nil
  luaunit.assertEquals(beams.place(problem { emitters = many }).tiles, "ooooAx")
  luaunit.assertStrContains(select(2, beams.trace(problem(), "oo")), "2 tiles, expected 6")
end

function Beams.test_what_is_refused()
  for _, case in ipairs {
    { "table expected", beams.trace }, { "table expected", beams.place, 1 }, { "table expected", beams.courses, "o" },
    { "table expected", beams.place, problem(), 1 },
    { "nodes: expected an integer from 1", beams.place, problem(), { nodes = -1 } },
    { "nodes: expected an integer from 1", beams.courses, problem(), { nodes = "1" } },
    { "seconds: expected a number above 0", beams.place, problem(), { seconds = 0 / 0 } },
    { "seconds: expected a number above 0", beams.courses, problem(), { seconds = {} } },
  } do
    luaunit.assertErrorMsgContains(case[1], table.unpack(case, 2, 4))
  end
end

return { Beams = Beams }
