-- Tests of libcrux.beams: beside pictures drawn by hand and a slow tracer of all placements; what a problem may look like, what comes
-- back, and what is refused.
local long = require "long"
local luaunit = require "luaunit"
local beams = require "libcrux.beams"
local random = require "libcrux.random"

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

--- Every point and tile, row by row: o x A B C D the tiles; at the points what the beams' arriving and leaving draws, that is
--- ` for \, / for /, X for both, and * where one is reflected or split. Behind the name: missed targets, reflections, intersections;
--- behind the rows, emitters and targets.
local pictures = {
  { "nothing in the way", 1, 0, 0, { " `   ", " o`o ", "   ` ", " x o`", "     " },
    { { 1, 0, 1, 1 } }, { { 4, 3 }, { 0, 1 } } },
  { "A reflects at its upper side", 0, 1, 0, { " `   / ", " o`o/o ", "   *   ", " o A o ", "       " },
    { { 1, 0, 1, 1 } }, { { 5, 0 } } },
  { "A reflects at its left side", 0, 1, 0, { "     ", " o o ", " `   ", " o*A ", " /   " },
    { { 1, 2, 1, 1 } }, { { 2, 3 }, { 1, 4 } } },
  { "B absorbs", 1, 0, 0, { "     ", " o o ", " `   ", " o`B ", "     " }, { { 1, 2, 1, 1 } }, { { 2, 3 }, { 1, 4 } } },
  { "C does both", 0, 1, 0, { "       ", " o o o ", " `     ", " o*C o ", " / `   " },
    { { 1, 2, 1, 1 } }, { { 3, 4 }, { 1, 4 } } },
  { "D refracts at its left side", 0, 0, 0, { "       ", " o o o ", " `     ", " o`D`o ", "     ` " },
    { { 1, 2, 1, 1 } }, { { 4, 3 }, { 5, 4 } } },
  { "D refracts at its lower side", 0, 0, 0, { "   / ", " o D ", "   / ", " o/o ", "     " },
    { { 2, 3, 1, -1 } }, { { 3, 0 } } },
  { "two beams across D", 0, 0, 0, { " ` ", "`D`", " ` " }, { { 0, 1, 1, 1 }, { 1, 0, 1, 1 } }, { { 2, 1 }, { 1, 2 } } },
  { "across D, reflected, and back", 0, 1, 0, { "     ", "XD*A ", "     " }, { { 0, 1, 1, 1 } }, { { 2, 1 } } },
  { "from the side of A at it", 0, 1, 0, { "     ", " o*A ", " /   " }, { { 2, 1, 1, 1 } }, { { 2, 1 }, { 1, 2 } } },
  { "from the side of A away from it", 0, 0, 0, { "     ", " o/A ", " /   " }, { { 2, 1, -1, 1 } }, { { 2, 1 }, { 1, 2 } } },
  { "from the side of B at it", 0, 0, 0, { "     ", " o`B ", "     " }, { { 2, 1, 1, 1 } }, { { 2, 1 } } },
  { "from the side of C at it", 0, 1, 0, { "     ", " o*C ", " / ` " }, { { 2, 1, 1, 1 } }, { { 2, 1 }, { 3, 2 } } },
  { "into A and C from between", 0, 2, 0, { "     ", " A*C ", "   ` " }, { { 2, 1, 1, 1 } }, { { 3, 2 } } },
  { "between two A", 0, 2, 0, { "     ", " A*A ", "     " }, { { 2, 1, 1, 1 } }, { { 2, 1 } } },
  { "out of the grid at once", 1, 0, 0, { " /   ", " o o ", "     " }, { { 1, 0, 1, -1 } }, { { 1, 0 }, { 2, 1 } } },
  { "a loop", 1, 4, 0, { "       ", " o A o ", "   *   ", " A*o*A ", "   *   ", " o A o ", "       " },
    { { 3, 2, 1, 1 } }, { { 3, 4 }, { 2, 5 } } },
  { "a loop that C lets out", 0, 4, 0, { "       ", " o A o ", "   *   ", " A*o*A ", "   *   ", " o/C o ", " /     " },
    { { 3, 2, 1, 1 } }, { { 3, 4 }, { 2, 5 } } },
  { "C after C", 0, 3, 0, { "     ", " o o ", " `   ", " o*C/", " / * ", "/o C`", "     " },
    { { 1, 2, 1, 1 } }, { { 4, 3 }, { 4, 5 } } },
  { "a crossing", 0, 0, 1, { " `   / ", " o`o/o ", "   X   ", " o/o`o ", " /   ` " },
    { { 1, 0, 1, 1 }, { 5, 0, -1, 1 } }, { { 3, 2 } } },
  { "a crossing at a start", 0, 0, 1, { " `     ", " o`o o ", "   X   ", " o/o`o ", " /   ` " },
    { { 1, 0, 1, 1 }, { 3, 2, -1, 1 } }, { { 3, 2 } } },
  { "no crossing where beams leave the grid", 0, 0, 0, { "       ", " o`o/o ", "   X   " },
    { { 2, 1, 1, 1 }, { 4, 1, -1, 1 } }, { { 3, 2 }, { 3, 2 } } },
  { "no crossing where beams are absorbed", 0, 0, 0, { " `   / ", " o`o/o ", "   X   ", " o B o ", "       " },
    { { 1, 0, 1, 1 }, { 5, 0, -1, 1 } }, { { 3, 2 } } },
  { "merged beams reflect once", 0, 1, 0, { " `   / ", " o`o/o ", "   *   ", " o A o ", "       " },
    { { 1, 0, 1, 1 }, { 2, 1, 1, 1 } }, { { 5, 0 } } },
  { "beams against each other reflect twice", 1, 2, 0, { " `   / ", " o`o/o ", "   *   ", " o A o ", "       " },
    { { 1, 0, 1, 1 }, { 5, 0, -1, 1 } }, { { 3, 4 }, { 3, 4 } } },
}

function Beams.test_pictures()
  luaunit.assertEquals(#pictures, 25)
  for _, picture in ipairs(pictures) do
    local name, missed, reflections, intersections, rows, emitters, targets = table.unpack(picture)
    local drawn, tiles = {}, {}
    for y, row in ipairs(rows) do
      drawn[y] = row:gsub("%a", y % 2 == 0 and function(tile) return tile == "X" and tile or " " end or {})
      if y % 2 == 0 then tiles[y // 2] = row:gsub(".(.?)", "%1") end
    end
    local trace = beams.trace { width = #rows[1] // 2, height = #tiles, tiles = tiles, emitters = emitters, targets = targets }
    local found = {}
    for y, row in ipairs(rows) do found[y] = { (" "):rep(#row):byte(1, -1) } end
    for _, point in ipairs(trace.points) do
      found[point.y + 1][point.x + 1] = (point.turns and "*" or point.mark == "\\" and "`" or point.mark):byte()
    end
    for y, row in ipairs(found) do found[y] = string.char(table.unpack(row)) end
    luaunit.assertEquals(found, drawn, name)
    local missing = {}
    for i, is_hit in ipairs(trace.hit) do missing[table.concat(targets[i], ",")] = not is_hit or nil end
    for _ in pairs(missing) do missed = missed - 1 end
    luaunit.assertEquals({ missed, trace.reflections, trace.intersections }, { 0, reflections, intersections }, name)
  end
end

--- The beams over these tiles by their definition, of which ? stops a beam: by point, from 0 in reading order, the diagonals that beams
--- arrive and leave in, those that they go on in, and whether they are turned; by tile whether they enter it.
local function traced(level, tiles)
  local width, height = level.width, level.height
  local r = { passed = {}, straight = {}, turned = {}, entered = {}, reflections = 0 }
  local been = {}
  local function walk(x, y, dx, dy)
    local point, diagonal = y * (2 * width + 1) + x, dx == dy and "\\" or "/"
    local way = point * 4 + dx + 1 + (dy + 1) // 2
    if been[way] then return end
    been[way], r.passed[point] = true, r.passed[point] or {}
    r.passed[point][diagonal] = true
    local column, row = (2 * x + dx) // 4, (2 * y + dy) // 4 -- the tile ahead holds the point a quarter tile away
    if column < 0 or row < 0 or column >= width or row >= height then return end
    local tile, is_sideways = row * width + column + 1, (2 * x - dx) // 4 ~= column
    local kind = tiles:sub(tile, tile)
    r.entered[tile] = true
    if kind == "D" then walk(is_sideways and x + 2 * dx or x, is_sideways and y or y + 2 * dy, dx, dy) end
    if kind == "A" or kind == "C" then
      r.turned[point], r.reflections = true, r.reflections + 1
      walk(x, y, is_sideways and -dx or dx, is_sideways and dy or -dy)
    end
    if kind == "o" or kind == "x" or kind == "C" then
      r.straight[point] = r.straight[point] or {}
      r.straight[point][diagonal] = true
      walk(x + dx, y + dy, dx, dy)
    end
  end
  for _, emitter in ipairs(level.emitters) do walk(table.unpack(emitter)) end
  return r
end

--- What trace returns, by the slow tracer.
local function expected_trace(level)
  local r = traced(level, level.tiles)
  local result = { solved = true, reflections = r.reflections, intersections = 0, hit = {}, points = {} }
  for point = 0, (2 * level.width + 1) * (2 * level.height + 1) - 1 do
    local passed, straight = r.passed[point], r.straight[point] or {}
    if passed then
      local mark = passed["\\"] and passed["/"] and "X" or next(passed)
      table.insert(result.points, { x = point % (2 * level.width + 1), y = point // (2 * level.width + 1), mark = mark, turns = r.turned[point] })
    end
    if straight["\\"] and straight["/"] and not r.turned[point] then result.intersections = result.intersections + 1 end
  end
  for i, target in ipairs(level.targets) do
    result.hit[i] = r.passed[target[2] * (2 * level.width + 1) + target[1]] ~= nil
    result.solved = result.solved and result.hit[i]
  end
  return result
end

--- A random level, of whose tiles `fixed` of ten are no free ones, on average.
local function draw(rng, width, height, fixed)
  local function point()
    local x, y
    repeat x, y = rng:integer(0, 2 * width), rng:integer(0, 2 * height) until (x + y) % 2 == 1
    return x, y
  end
  local level, tiles = { width = width, height = height, emitters = {}, targets = {} }, {}
  for tile = 1, width * height do tiles[tile] = rng:integer(1, 10) <= fixed and rng:pick { "A", "B", "C", "D", "x" } or "o" end
  level.tiles = table.concat(tiles)
  for i = 1, rng:integer(0, 5) do
    local x, y = point()
    level.emitters[i] = { x, y, rng:pick { -1, 1 }, rng:pick { -1, 1 } }
  end
  for i = 1, rng:integer(0, 3) do level.targets[i] = { point() } end
  return level
end

function Beams.test_random_traces()
  local rng, rounds, crossings = random.new(20261121), long.choose(300, 2000), 0
  for round = 1, rounds do
    local is_large = round % 100 == 0
    local level = draw(rng, is_large and 32 or rng:integer(1, 6), is_large and 32 or rng:integer(1, 6), rng:integer(0, 8))
    local trace = beams.trace(level)
    luaunit.assertEquals(trace, expected_trace(level))
    crossings = crossings + trace.intersections
  end
  luaunit.assertTrue(crossings > rounds / 7)
end

--- All placements of a level's blocks: the first, their number, and those that pass each point; and the number of courses: placements
--- of at most these blocks, of which a beam meets each.
local function enumerate(level)
  local tiles, left, found = {}, {}, { solutions = 0, courses = 0, passed = {} }
  local points = (2 * level.width + 1) * (2 * level.height + 1)
  for i = 1, points do found.passed[i] = 0 end
  for kind in ("ABCD"):gmatch "." do left[kind] = level.blocks[kind] or 0 end
  local function judge()
    local text = table.concat(tiles)
    local r, is_solved, is_met = traced(level, text), left.A + left.B + left.C + left.D == 0, true
    for _, target in ipairs(level.targets) do is_solved = is_solved and r.passed[target[2] * (2 * level.width + 1) + target[1]] end
    for i, tile in ipairs(tiles) do is_met = is_met and (tile == level.tiles:sub(i, i) or r.entered[i]) end
    found.courses = found.courses + (is_met and 1 or 0)
    if not is_solved then return end
    found.solutions, found.first = found.solutions + 1, found.first or text
    for i = 1, points do found.passed[i] = found.passed[i] + (r.passed[i - 1] and 1 or 0) end
  end
  local function place(tile)
    if tile > #level.tiles then return judge() end
    tiles[tile] = level.tiles:sub(tile, tile)
    place(tile + 1)
    if level.tiles:sub(tile, tile) ~= "o" then return end
    for kind in ("ABCD"):gmatch "." do
      if left[kind] > 0 then
        left[kind], tiles[tile] = left[kind] - 1, kind
        place(tile + 1)
        left[kind] = left[kind] + 1
      end
    end
  end
  place(1)
  return found
end

--- Puts the blocks on random tiles, and draws the targets from the points that beams then pass.
local function make_solvable(rng, level)
  local tiles = level.tiles
  for kind, count in pairs(level.blocks) do
    for _ = 1, count do
      local places = {}
      for tile in tiles:gmatch "()o" do table.insert(places, tile) end
      if #places > 0 then
        local tile = rng:pick(places)
        tiles = tiles:sub(1, tile - 1) .. kind .. tiles:sub(tile + 1)
      end
    end
  end
  local r, passed = traced(level, tiles), {}
  for point = 0, (2 * level.width + 1) * (2 * level.height + 1) - 1 do
    if r.passed[point] then table.insert(passed, { point % (2 * level.width + 1), point // (2 * level.width + 1) }) end
  end
  for i in ipairs(level.targets) do level.targets[i] = #passed > 0 and rng:pick(passed) or level.targets[i] end
end

function Beams.test_all_placements()
  local rng, rounds, counts = random.new(7), long.choose(60, 1500), { several = 0, single = 0, none = 0 }
  for round = 1, rounds do
    local level = draw(rng, rng:integer(1, 4), rng:integer(1, 3), rng:integer(0, 4))
    level.blocks = {}
    for _ = 1, rng:integer(0, long.choose(2, 4)) do
      local kind = rng:pick { "A", "B", "C", "D" }
      level.blocks[kind] = (level.blocks[kind] or 0) + 1
    end
    if round % 3 > 0 then make_solvable(rng, level) end
    local expected, found = enumerate(level), beams.place(level, { count = true })
    luaunit.assertEquals({ found.status, found.tiles, found.solutions },
      { expected.first and "solved" or "unsolvable", expected.first, expected.solutions })
    luaunit.assertEquals(beams.place(level).tiles, expected.first)
    luaunit.assertEquals(beams.passes(level), expected.passed)
    luaunit.assertEquals(beams.courses(level), expected.courses)
    local kind = found.solutions == 0 and "none" or found.solutions == 1 and "single" or "several"
    counts[kind] = counts[kind] + 1
  end
  for _, count in pairs(counts) do luaunit.assertTrue(count > rounds / 30, count) end
end

--- n tiles without beams and k blocks: n over k placements.
function Beams.test_counts_without_beams()
  local function count(width, height, blocks)
    local level = { width = width, height = height, tiles = ("o"):rep(width * height), blocks = blocks }
    local found = beams.place(level, { count = true })
    return found.solutions_overflow and "overflow" or found.solutions
  end
  luaunit.assertEquals(count(5, 4, { A = 5, B = 5, C = 5, D = 5 }), 11732745024) -- 20! / 5!^4
  luaunit.assertEquals(count(5, 4, { A = 20 }), 1)
  luaunit.assertEquals(count(5, 4, { A = 20, D = 1 }), 0)
  luaunit.assertEquals(count(11, 6, { A = 33 }), 7219428434016265740) -- 66 over 33
  luaunit.assertEquals(count(11, 6, { A = 32, C = 1 }), "overflow")
  luaunit.assertEquals(count(32, 32, { A = 1023 }), 1024)
end

--- Two leaves whose sum, n over 33, is at most 63 bits for n = 66 and more for 67: the tile at the upper left lets one
--- beam through to the target or not, and another beam, which comes later, passes it anyway.
function Beams.test_counts_that_overflow()
  local tiles = "oxooooooooB" .. ("o"):rep(58)
  local level = { width = 9, height = 8, tiles = tiles .. "xxx", emitters = { { 1, 0, 1, 1 }, { 3, 2, -1, -1 } },
    targets = { { 2, 1 } }, blocks = { A = 33 } }
  local found = beams.place(level, { count = true })
  luaunit.assertEquals({ found.status, found.solutions, found.solutions_overflow }, { "solved", nil, true })
  level.tiles = tiles:sub(1, -2) .. "xxxx"
  luaunit.assertEquals(beams.place(level, { count = true }).solutions, 7219428434016265740)
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
