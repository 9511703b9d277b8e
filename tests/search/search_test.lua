-- Tests of lua/crux/search/search.lua and what it uses: against searches in plain Lua that go through everything, limits, and what
-- is refused.
local board = require "libcrux.board"
local fault = require "crux.base.fault"
local kinds = require("crux.search.state").kinds
local long = require "long"
local luaunit = require "luaunit"
local Problem = require "crux.search.problem"
local reference = require "search_reference"
local search = require "crux.search.search"
local state_set = require "libcrux.state_set"
local process = require "libcrux.process"
local vocabulary = require "crux.symbolic.vocabulary"
local ways = require "crux.search.ways"

vocabulary.enable()
local words = vocabulary.words

--- A copy of a table with other fields.
local function with(spec, changes)
  local copy = {}
  for key, value in pairs(spec) do copy[key] = value end
  for key, value in pairs(changes) do copy[key] = value end
  return copy
end

local solve = search.solve

local function sum(list)
  local total = 0
  for _, x in ipairs(list) do total = total + x end
  return total
end

---@class Known         what is known of a puzzle
---@field explored Explored
---@field moves string[]?
---@field solutions integer?

---@return Known
local function know(puzzle)
  local known = { explored = reference.explore(puzzle) }
  local moves, solutions = reference.solution(known.explored)
  if moves then
    known.moves, known.solutions = {}, solutions
    for i, move in ipairs(moves) do known.moves[i] = puzzle.moves[move] end
  end
  return known
end

local function check_solution(solution, known, options)
  luaunit.assertEquals(solution.status, known.moves and "solved" or "unsolvable")
  luaunit.assertEquals(solution.moves, known.moves)
  luaunit.assertEquals(solution.length, known.moves and #known.moves)
  luaunit.assertEquals(solution.solutions, options.count and known.solutions or nil)
  luaunit.assertNil(solution.limit)
  luaunit.assertNil(solution.unchecked)
  luaunit.assertNil(solution.solutions_overflow)
end

--- The states on the way of a solution are what the moves make; what a win leaves in its state is the script's own.
local function check_way(solution, puzzle)
  if not solution.moves then return luaunit.assertNil(solution.way) end
  luaunit.assertEquals(#solution.way, #solution.moves + 1)
  local state = puzzle.start
  for i, move in ipairs(solution.moves) do
    luaunit.assertEquals(puzzle.key_of(solution.way[i]), puzzle.key(state))
    state = select(2, puzzle.step(state, move))
  end
end

--- What must add up in the statistics of any search.
local function check_sums(solution, puzzle, wins)
  luaunit.assertEquals(solution.duplicates + solution.lost + solution.states - 1 + wins, solution.generated)
  luaunit.assertTrue(solution.generated <= solution.expanded * #puzzle.moves and solution.expanded <= solution.states)
  luaunit.assertEquals(sum(solution.frontiers), solution.states)
  luaunit.assertEquals(solution.depth, #solution.frontiers - 1)
end

--- The graph of shortest solutions has all of them, in lexicographic order, each a way to a win; and the mean of a sum is that
--- over all of them.
local function check_shortest(solution, puzzle)
  local graph = solution.shortest
  if not solution.moves then return luaunit.assertNil(graph) end
  luaunit.assertEquals(graph.count, solution.solutions)
  local rank_of, total, last = {}, 0, nil
  for rank, move in ipairs(puzzle.spec.moves) do rank_of[move] = string.char(rank) end
  local function value(state, before) return (#puzzle.key_of(state) + 1) * (before and 2 or 1) end
  local count = math.min(solution.solutions, 200)
  for rank = 0, count - 1 do
    local moves, way = graph:solution(rank)
    local name = table.concat(moves):gsub(".", rank_of)
    luaunit.assertTrue(not last or last < name)
    if rank == 0 then luaunit.assertEquals({ moves, way }, { solution.moves, solution.way }) end
    check_way({ moves = moves, way = way }, puzzle)
    luaunit.assertEquals(#moves, solution.length)
    for i, state in ipairs(way) do total = total + value(state, way[i - 1]) end
    last = name
  end
  if count == solution.solutions then luaunit.assertAlmostEquals(graph:mean(value), total / count, 1e-9) end
end

local function check_breadth_first(puzzle, known)
  local sizes = known.explored.sizes
  local plain = solve(puzzle.spec, puzzle.level)
  check_solution(plain, known, {})
  if not known.moves then
    luaunit.assertEquals(plain.frontiers, sizes)
    luaunit.assertEquals({ plain.expanded, plain.generated }, { plain.states, plain.states * #puzzle.moves })
  else
    luaunit.assertEquals(table.move(plain.frontiers, 1, plain.length, 1, {}), table.move(sizes, 1, plain.length, 1, {}))
  end
  check_sums(plain, puzzle, known.moves and 1 or 0)
  local counted = solve(puzzle.spec, puzzle.level, { count = true, way = true, shortest = true })
  check_solution(counted, known, { count = true })
  check_way(counted, puzzle)
  check_shortest(counted, puzzle)
  counted.shortest, counted.solutions, counted.way, counted.program, plain.program = nil, nil, nil, nil, nil
  luaunit.assertEquals(counted, plain)
end

--- Heuristics that are admissible, of the moves left (nil: no win can be reached): in order, as some draw random numbers.
local admissible = {
  { "none", function() return 0 end },
  { "exact", function(left) return left or 1000 end },
  { "infinite", function(left) return left or 2 ^ 31 - 1 | 0 end },
  { "half", function(left) return left and left // 2 or 7 end },
  { "random", function(left) return math.random(0, left or 9) end }, -- not consistent
  { "jagged", function(left) return math.random(2) == 1 and left or 0 end },
}

--- A heuristic that says what a table by keys says.
local function saying(puzzle, estimates)
  return function(state) return estimates[puzzle.key_of(state)] end
end

local function check_informed(puzzle, known)
  local explored = known.explored
  for _, heuristic in ipairs(admissible) do
    local name, estimate = table.unpack(heuristic)
    local estimates = {}
    for _, entry in ipairs(explored.states) do estimates[entry.key] = estimate(explored.distance[entry.key]) end
    local options = { count = math.random(2) == 1, check_heuristic = math.random(4) == 1 }
    local solution = solve(with(puzzle.spec, { heuristic = saying(puzzle, estimates) }), puzzle.level, options)
    check_solution(solution, known, options)
    luaunit.assertTrue(solution.states <= #explored.states)
    local cut = solve(with(puzzle.spec, { heuristic = saying(puzzle, estimates) }), puzzle.level,
      { states = math.random(#explored.states) })
    luaunit.assertTrue(not known.moves or (cut.least or 0) <= #known.moves)
    luaunit.assertEquals({ sum(solution.frontiers), #solution.frontiers - 1 }, { solution.states, solution.depth })
    if name == "exact" and known.moves then
      local on_shortest = 0
      for _, entry in ipairs(explored.states) do
        local left = explored.distance[entry.key]
        if left and entry.depth + left == #known.moves then on_shortest = on_shortest + 1 end
      end
      luaunit.assertTrue(solution.expanded <= on_shortest)
    elseif not known.moves then
      luaunit.assertEquals(solution.states, #explored.states)
    end
  end
end

--- Whether the last of the moves wins, and no other.
local function wins(puzzle, moves)
  local state, outcome = puzzle.start, nil
  for _, move in ipairs(moves) do
    if outcome then return false end
    outcome, state = puzzle.step(state, move)
  end
  return outcome == "won"
end

--- One state's estimate is too great, all others are 0: that is found. Without the check, what wins is still a solution.
local function check_inadmissible(puzzle, known)
  local states, distance = known.explored.states, known.explored.distance
  local entry = states[math.random(#states)]
  if not distance[entry.key] then return end
  local estimates, too_great = {}, distance[entry.key] + math.random(1, 3)
  for _, other in ipairs(states) do estimates[other.key] = 0 end
  estimates[entry.key] = too_great
  local spec = with(puzzle.spec, { heuristic = saying(puzzle, estimates) })
  luaunit.assertTrue(wins(puzzle, solve(spec, puzzle.level).moves))
  local ok, err = pcall(solve, spec, puzzle.level, { check_heuristic = true })
  luaunit.assertFalse(ok)
  luaunit.assertTrue(fault.is(err), tostring(err))
  local pattern = "^(.-): found (%d+) (.-), expected at most (%d+), the number of moves to a win$"
  local label, found, where, most = err.message:match(pattern)
  luaunit.assertStrMatches(label, "tests/search/search_test.lua:%d+: heuristic", nil, nil, err.message)
  luaunit.assertEquals(tonumber(found), too_great)
  luaunit.assertTrue(tonumber(most) < too_great and tonumber(most) >= distance[entry.key])
  local state = puzzle.start
  for move in (where:match "^after '(.*)'$" or ""):gmatch "%S+" do state = select(2, puzzle.step(state, move)) end
  luaunit.assertEquals(puzzle.key(state), entry.key)
end

local Search = {}

local function check_random(make, count, seed)
  math.randomseed(seed)
  local solved = 0
  for _ = 1, count do
    local puzzle = make()
    local known = know(puzzle)
    check_breadth_first(puzzle, known)
    check_informed(puzzle, known)
    check_inadmissible(puzzle, known)
    solved = solved + (known.moves and 1 or 0)
  end
  luaunit.assertTrue(solved >= count // 3 and solved < count, solved)
end

function Search.test_random_graphs() check_random(reference.graph, long.choose(6, 150), 1) end
function Search.test_random_sliding()
  long.leave_out()
  check_random(reference.sliding, long.choose(4, 60), 3)
end

--- A walk from 0 to a goal: forward and back by 1; `twins` adds a move that does the same as forward.
local function walk(goal, twins)
  return {
    moves = twins and { "on", "back", "too" } or { "on", "back" },
    state = function() return { at = kinds.integer(0, 1000) } end,
    start = function() return { at = 0 }, goal == 0 end,
    step = function(state, move)
      state.at = move == "back" and words.max(0, state.at - 1) or state.at + 1
      return words.eq(state.at, goal), false
    end,
  }
end

--- From the middle of a field of 41 x 41 to a cell above.
local function crossing(distance)
  return {
    moves = { "U", "L", "D", "R" },
    state = function() return { x = kinds.integer(0, 40), y = kinds.integer(0, 40) } end,
    start = function() return { x = 20, y = 20 } end,
    step = function(state, move)
      if move == "U" or move == "D" then
        state.y = state.y + (move == "U" and -1 or 1)
      else
        state.x = state.x + (move == "L" and -1 or 1)
      end
      return state.x == 20 and state.y == 20 - distance
    end,
  }
end

local function left(goal) return function(state) return goal - state.at end end

function Search.test_statistics_by_hand()
  -- States 0 1 2; "on" from 2 wins. Back from 0, 1 leads to 0: duplicates.
  local found = solve(walk(3), {})
  luaunit.assertEquals(found, { status = "solved", moves = { "on", "on", "on" }, length = 3, expanded = 3, generated = 5,
    duplicates = 2, lost = 0, beyond = 0, states = 3, branching = 2 / 3, depth = 2, frontiers = { 1, 1, 1 }, bits = 10, bytes = found.bytes,
    program = found.program })
  -- With the moves left as the heuristic, those back lie beyond the bound of 3.
  local bounded = solve(with(walk(3), { heuristic = left(3) }), {}, { count = true })
  luaunit.assertEquals({ bounded.expanded, bounded.generated, bounded.duplicates, bounded.beyond, bounded.solutions },
    { 3, 5, 0, 2, 1 })
end

function Search.test_a_start_that_is_won()
  for _, spec in ipairs { walk(0), with(walk(0), { heuristic = left(0) }) } do
    local solution = solve(spec, {}, { count = true, check_heuristic = true })
    luaunit.assertEquals({ solution.status, solution.moves, solution.length, solution.solutions, solution.expanded },
      { "solved", {}, 0, 1, 0 })
    luaunit.assertEquals({ solution.states, solution.frontiers, solution.depth }, { 1, { 1 }, 0 })
  end
end

function Search.test_sums_of_ways()
  for _, case in ipairs {
    { 2, 3, 5 }, { 1 << 62, (1 << 62) - 1, math.maxinteger }, { 1 << 62, 1 << 62, ways.many }, { ways.many, 0, ways.many },
    { 5, ways.many, ways.many }, { ways.many, 5, ways.many }, { ways.many, ways.many, ways.many },
  } do
    luaunit.assertEquals(ways.sum(case[1], case[2]), case[3])
  end
end

-- 2^62 ways, and 2^63, one more than an integer holds.
function Search.test_many_solutions()
  for length, expected in pairs { [10] = 1 << 10, [62] = 1 << 62, [63] = false, [70] = false } do
    for _, spec in ipairs { walk(length, true), with(walk(length, true), { heuristic = left(length) }) } do
      local solution = solve(spec, {}, { count = true })
      luaunit.assertEquals({ solution.length, solution.solutions or false, solution.solutions_overflow or false },
        { length, expected, not expected })
      luaunit.assertEquals(table.concat(solution.moves), ("on"):rep(length))
    end
  end
end

local function check_unknown(solution, limit, states)
  luaunit.assertEquals({ solution.status, solution.limit, solution.states }, { "unknown", limit, states })
  for _, name in ipairs { "moves", "length", "solutions", "solutions_overflow" } do luaunit.assertNil(solution[name]) end
end

function Search.test_limit_on_states()
  for _, spec in ipairs { walk(10), with(walk(10), { heuristic = left(10) }) } do
    luaunit.assertEquals(solve(spec, {}, { states = 10 }).length, 10)
    check_unknown(solve(spec, {}, { states = 9, count = true }), "states", 9)
    check_unknown(solve(spec, {}, { states = 1 }), "states", 1)
  end
  for _, spec in ipairs { crossing(3), with(crossing(3), { heuristic = function() return 0 end }) } do
    for states = 1, 10 do
      local solution = solve(spec, {}, { states = states })
      check_unknown(solution, "states", states)
      if not spec.heuristic then luaunit.assertEquals(solution.least, states > 5 and 2 or nil) end
      local first = math.min(states - 1, 4)
      luaunit.assertEquals(solution.frontiers, { 1, first > 0 and first or nil, states > 5 and states - 5 or nil })
    end
  end
end

function Search.test_limit_on_bytes()
  for _, spec in ipairs { walk(900), with(walk(900), { heuristic = left(900) }) } do
    check_unknown(solve(spec, {}, { bytes = 1 }), "bytes", 0)
    local solution = solve(spec, {}, { bytes = 5000 })
    luaunit.assertTrue(solution.bytes <= 5000 and solution.states > 50)
    check_unknown(solution, "bytes", solution.states)
    luaunit.assertEquals(solve(spec, {}, { bytes = 1 << 20 }).length, 900)
  end
end

--- Calls a function with a clock that goes on by a second whenever it is read.
local function with_clock(f)
  local seconds, now = process.seconds, 0
  process.seconds = function()
    now = now + 1
    return now
  end
  local results = table.pack(pcall(f))
  process.seconds = seconds
  assert(table.unpack(results))
end

-- The clock is read once at the beginning, and before the moves of a state are tried (in C, before those of
-- many).
function Search.test_limit_on_time()
  with_clock(function()
    for _, spec in ipairs { walk(10), with(walk(10), { heuristic = left(10) }) } do
      local engine = "interpreted"
      local solution = solve(spec, {}, { seconds = 5, engine = engine })
      check_unknown(solution, "seconds", 5)
      luaunit.assertEquals(solution.expanded, 4)
      luaunit.assertEquals(solve(spec, {}, { seconds = 11, engine = engine }).length, 10)
    end
    -- 0 leads to 1, 2 and 3; all moves from there win, those of 1 within the time.
    local fan = {
      moves = { "a", "b", "c" },
      state = function() return { at = kinds.integer(0, 3) } end,
      start = function() return { at = 0 } end,
      step = function(state, move)
        local won = state.at > 0
        state.at = move:byte() - 96
        return won
      end,
    }
    local solution = solve(fan, {}, { seconds = 3, count = true, engine = "interpreted" })
    luaunit.assertEquals({ solution.status, solution.limit, solution.moves, solution.solutions or false },
      { "solved", "seconds", { "a", "a" }, false })
    luaunit.assertEquals(solve(fan, {}, { seconds = 5, count = true, engine = "interpreted" }).solutions, 9)
  end)
end

--- After two seconds a search tells once how it will end: with 3 states of the 5 or 11 that a second each allows.
function Search.test_forecast()
  with_clock(function()
    local told = {}
    local function tell(line) table.insert(told, line) end
    local options = { seconds = 5, engine = "interpreted", tell = tell }
    local solution = solve(walk(10), {}, options)
    luaunit.assertEquals({ solution.limit, solution.least }, { "seconds", 4 })
    luaunit.assertEquals(told, { "2 states in 2 s, 1 a second; 2 layers" })
    luaunit.assertEquals(solve(with(walk(10), { heuristic = left(10) }), {}, options).least, 10)
    luaunit.assertEquals(#told, 2)
    solve(walk(10), {}, { states = 5, tell = tell })
    luaunit.assertEquals(#told, 2) -- C expands many states between two looks at the clock
  end)
end

function Search.test_limits_of_the_check()
  local spec = with(walk(10), { heuristic = left(10) })
  local solution = solve(spec, {}, { states = 500, check_heuristic = true })
  luaunit.assertEquals({ solution.length, solution.unchecked or false }, { 10, false })
  solution = solve(spec, {}, { states = 5, check_heuristic = true })
  luaunit.assertEquals({ solution.status, solution.limit, solution.unchecked }, { "unknown", "states", "states" })
  -- What is too great is found on the solution, though without the heuristic the limit is met long before.
  local straight = with(crossing(10), { heuristic = function(state)
    local far = math.abs(state.x - 20) + math.abs(state.y - 10)
    return far == 1 and 2 or far
  end })
  luaunit.assertErrorMsgContains("found 2 after 'U U U U U U U U U', expected at most 1, the number of moves to a win",
    solve, straight, {}, { states = 100, check_heuristic = true })
  -- The way past it is longer, so that only the check without the heuristic sees it.
  spec = with(walk(2), { heuristic = function(state) return state.at == 1 and 5 or 0 end })
  luaunit.assertErrorMsgContains("heuristic: found 5 after 'on', expected at most 1, the number of moves to a win",
    solve, spec, {}, { check_heuristic = true })
  luaunit.assertErrorMsgContains("found 3 at the start, expected at most 2, the number of moves to a win", solve,
    with(walk(2), { heuristic = function() return 3 end }), {}, { check_heuristic = true })
end

-- Every estimate has a sum of its own: that costs no time.
function Search.test_great_estimates()
  local estimates = { [0] = 1 << 20, 1 << 30, (1 << 31) - 1, 1 << 29, 3 }
  local spec = with(walk(5), { heuristic = function(state) return estimates[state.at] or 0 end })
  luaunit.assertEquals(solve(spec, {}).length, 5)
end

--- A script with errors: `parts` replaces lines of it, by the names of what they give.
local function script(parts)
  local lines = {
    "return {",
    "moves = " .. (parts.moves or "{ 'a', 'b' }") .. ",",
    "state = function() return " .. (parts.state or [[{ at = crux.integer(0, 5), on = crux.flag, spot = crux.board(3, 2),
      list = crux.array(2, crux.integer(1, 3)) }]]):gsub("%s+", " ") .. " end,",
    "start = " .. (parts.start or "function(level) return { at = 0, on = false, spot = level, list = { 1, 2 } } end") .. ",",
    "step = function(state, move, level)",
    parts.step or "",
    parts.result or "return false",
    "end,",
    "heuristic = " .. (parts.heuristic or "nil") .. ",",
    parts.more or "",
    "}",
  }
  local crux = with(words, kinds)
  return load(table.concat(lines, "\n"), "@puzzle.lua", "t", setmetatable({ crux = crux }, { __index = _G }))()
end

--- Solves a script; what it says, without a traceback, and whether all it holds was released. The set of a search that came
--- to its end, before its heuristic was checked, may be kept for another one.
local function message_of(parts)
  local made, new = {}, state_set.new
  state_set.new = function(...)
    local set, message = new(...)
    table.insert(made, set)
    return set, message
  end
  local ok, err = pcall(solve, script(parts), board.new(3, 2), parts.options)
  state_set.new = new
  for i = parts.options and parts.options.check_heuristic and #made or 1, #made do
    luaunit.assertEquals({ tostring(made[i]), parts }, { "set of states (closed)", parts })
  end
  luaunit.assertFalse(ok, parts.step)
  luaunit.assertTrue(fault.is(err), tostring(err))
  return err.message
end

function Search.test_what_is_wrong_with_a_script()
  long.leave_out()
  for _, case in ipairs {
    { { moves = "7" }, "puzzle.lua: search.moves: found 7, expected a list of names" },
    { { moves = "{}" }, "puzzle.lua: search.moves: found an empty list, expected a list of names" },
    { { moves = "{ 'a', '' }" }, "puzzle.lua: search.moves[2]: found '', expected a name" },
    { { moves = "{ 'a', 3 }" }, "puzzle.lua: search.moves[2]: found 3, expected a name" },
    { { moves = "{ 'a', 'b', 'a' }" }, "puzzle.lua: search.moves: found 'a' twice, expected different names" },
    { { moves = "function() return {} end" }, "puzzle.lua: search.moves: found an empty list, expected a list of names" },
    { { moves = "function() error('oh') end" }, "puzzle.lua:2: oh" },
    { { start = "nil" }, "puzzle.lua: search.start: found nil, expected a function" },
    { { heuristic = "7" }, "puzzle.lua: search.heuristic: found 7, expected a function" },
    { { more = "turns = 5" },
      "puzzle.lua: search.turns: found the unknown field 'turns'; there are: moves, informed, state, start, step, heuristic" },
    { { more = "heuristics = print" }, "puzzle.lua: search.heuristics: found the unknown field 'heuristics'; did you mean 'heuristic'?" },
    { { state = "7" }, "puzzle.lua:3: state: found 7, expected a table of fields" },
    { { state = "{ at = 7 }" }, "puzzle.lua:3: state: field 'at': found 7, expected crux.flag, crux.integer(low, high), "
      .. "crux.board(width, height) or crux.array(n, one of these)" },
    { { state = "{ at = crux.integer(5, 1) }" },
      "puzzle.lua:3: crux.integer: found 5 and 1, expected two integers, the lower first" },
    { { state = "crux.integer(5, 1)" },
      "puzzle.lua:3: state: crux.integer: found 5 and 1, expected two integers, the lower first" },
    { { state = "{ at = crux.array(10000, crux.integer(0, 5)) }" },
      "puzzle.lua:3: state: found a state of more than 10000 bits or values, expected a smaller one" },
    { { start = "function() return 5 end" }, "puzzle.lua:4: start: found 5, expected a table of the state's fields" },
    { { start = "function() return { at = 0, on = false, list = { 1, 2 } } end" },
      "puzzle.lua:4: start: field 'spot': found nothing, expected a board of 3 x 2" },
    { { start = "function(level) return { at = 0, on = false, spot = level, list = { 1, 4 } } end" },
      "puzzle.lua:4: start: field 'list[2]': found 4, expected an integer from 1 to 3" },
    { { start = "function(level) return { at = 0, on = false, spot = level, list = { 1, 2 }, off = true } end" },
      "puzzle.lua:4: start: field 'off': found true, expected no field of that name" },
    { { start = "function(level) return { at = 0, on = false, spot = level, list = { 1, 2 } }, 1 end" },
      "puzzle.lua:4: start: second result (won): found 1, expected true, false or nothing" },
    { { start = "function(level) error('nothing to solve', 0) end" }, "puzzle.lua:4: start: nothing to solve" },
    { { step = "state.at = state.at + 1" }, -- after 5 moves
      "puzzle.lua:6: step with move 'a': field 'at': found 6, expected an integer from 0 to 5" },
    { { step = "local _ = move == 'b' and\n rawset(state, 'on', 1)" },
      "puzzle.lua:7: step with move 'b': field 'on': found 1, expected true or false" },
    { { step = "state.list[2] = 1\n state.list[2] = crux.where(true, 0, 1)\n state.at = 1" },
      "puzzle.lua:7: step with move 'a': field 'list[2]': found 0, expected an integer from 1 to 3" },
    { { step = "state.list = { 1, 2, 3 }" },
      "puzzle.lua:6: step with move 'a': field 'list': found a list of 3, expected a list of 2" },
    { { step = "state.spot = nil" },
      "puzzle.lua:6: step with move 'a': field 'spot': found nothing, expected a board of 3 x 2" },
    { { step = "state.att = 1" }, "puzzle.lua:6: the state has no field 'att'; its fields: at, list, on, spot" },
    { { step = "local x = state.x" }, "puzzle.lua:6: the state has no field 'x'; its fields: at, list, on, spot" },
    { { step = "state.list[3] = 1" }, "puzzle.lua:6: the list has no element 3, it has 2" },
    { { step = "local x = state.at + state.on" },
      "puzzle.lua:6: attempt to perform arithmetic on a boolean value (field 'on')" },
    { { step = "local x = crux.lt(state.at, state.on)" }, "puzzle.lua:6: lt: found 0 and false, expected two integers" },
    { { result = "return (crux.any(state.on))" }, "puzzle.lua:7: any: found false, expected an integer or a board" },
    { { step = "error 'stop'" }, "puzzle.lua:6: stop" },
    { { step = "error {}" }, "puzzle.lua:5: step: raised a table" },
    { { step = "local function f() return 1 + f() end\n f()" }, "puzzle.lua:6: stack overflow" },
    { { result = "" }, "puzzle.lua:5: step with move 'a': first result (won): found nil, expected true or false" },
    { { result = "return 1" }, "puzzle.lua:5: step with move 'a': first result (won): found 1, expected true or false" },
    { { result = "return false, 'x'" },
      "puzzle.lua:5: step with move 'a': second result (lost): found 'x', expected true or false" },
    { { step = "coroutine.yield()" }, "puzzle.lua:5: step: attempt to yield from outside a coroutine" },
    { { heuristic = "function() coroutine.yield() end" }, "puzzle.lua:9: heuristic: attempt to yield from outside a coroutine" },
    { { heuristic = "function() return 1.5 end" }, "puzzle.lua:9: heuristic: found 1.5, expected an integer from 0 to 2147483647" },
    { { heuristic = "function() return -1 end" }, "puzzle.lua:9: heuristic: found -1, expected an integer from 0 to 2147483647" },
    { { heuristic = "function() end" }, "puzzle.lua:9: heuristic: found nil, expected an integer from 0 to 2147483647" },
    { { heuristic = "function(state) return state.x end" },
      "puzzle.lua:9: the state has no field 'x'; its fields: at, list, on, spot" },
    { { heuristic = "function(state) error('no idea', 0) end" }, "puzzle.lua:9: heuristic: no idea" },
    { { heuristic = "function() return 2 end", result = "return true", options = { check_heuristic = true } },
      "puzzle.lua:9: heuristic: found 2 at the start, expected at most 1, the number of moves to a win" },
    { { options = { states = 0 } }, "limit on states: found 0, expected an integer from 1" },
    { { options = { states = "9" } }, "limit on states: found '9', expected an integer from 1" },
    { { options = { bytes = 1.5 } }, "limit on bytes: found 1.5, expected an integer from 1" },
    { { options = { seconds = 0 / 0 } }, "limit on seconds: found NaN, expected a number above 0" },
  } do
    luaunit.assertEquals(message_of(case[1]), case[2])
  end
end

-- A description is checked again when a field or a move has changed since the last level.
function Search.test_a_changed_description()
  local at = kinds.integer(0, 9)
  local spec = { moves = { "one", "two" }, state = function() return { at = at } end, start = function() return { at = 0 } end,
    step = function(state, move)
      state.at = state.at + (move == "two" and 2 or 1)
      return words.ge(state.at, 4)
    end }
  luaunit.assertEquals(solve(spec, {}).moves, { "two", "two" })
  spec.moves[2] = "deux"
  luaunit.assertEquals(#solve(spec, {}).moves, 4)
  spec.moves = { "two" }
  luaunit.assertEquals(#solve(spec, {}).moves, 2)
  spec.step = function(state) return words.ge(state.at, 0) end
  luaunit.assertEquals(#solve(spec, {}).moves, 1)
  spec.heuristic = function() return 7 end
  luaunit.assertErrorMsgContains("heuristic: found 7 at the start", solve, spec, {}, { check_heuristic = true })
  spec.moves[2] = "two"
  luaunit.assertErrorMsgContains("found 'two' twice", solve, spec, {})
  spec.moves[2], spec.turns = nil, 5
  luaunit.assertErrorMsgContains("the unknown field 'turns'", solve, spec, {})
end

-- Results of step: nothing is not lost; a win stands even when the move loses too, and whatever it left in the fields.
function Search.test_outcomes()
  local level = board.new(3, 2)
  local solution = solve(script { step = "state.at = 99", result = "return true, true" }, level)
  luaunit.assertEquals({ solution.status, solution.moves, solution.lost }, { "solved", { "a" }, 0 })
  solution = solve(script { step = "state.at = 99", result = "return false, true" }, level)
  luaunit.assertEquals({ solution.status, solution.lost, solution.states }, { "unsolvable", 2, 1 })
  solution = solve(script {}, level)
  luaunit.assertEquals({ solution.status, solution.duplicates }, { "unsolvable", 2 })
end

-- A way of 1000 moves is written state after state: each of its 1001 states is put into the list once.
function Search.test_a_long_way_takes_as_many_writes_as_it_has_states()
  local set = state_set.new({ { name = "index", kind = "integer", low = 1, high = 1001 } }, Problem.NOTES, 1 << 20)
  for index = 1, 1001 do
    set:find { index = index }
    set:add()
    set:set_note(index, Problem.PARENT, index - 1)
    set:set_note(index, Problem.MOVE, 2 - index % 2)
  end
  local written, writes = {}, 0
  local way = setmetatable({}, { __len = function() return #written end, __index = written,
    __newindex = function(_, key, value) written[key], writes = value, writes + 1 end })
  local names = Problem.path({ set = set, moves = { "even", "odd" } }, 1001, way)
  luaunit.assertEquals({ #names, names[1], names[2], names[1000] }, { 1000, "odd", "even", "even" })
  luaunit.assertEquals({ #written, written[1].index, written[1001].index, writes }, { 1001, 1, 1001, 1001 })
end

return { Search = Search }
