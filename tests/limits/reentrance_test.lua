-- Tests of callbacks that do to bindings what they should not, and of what bindings must not trust: each with its line.
local board = require "libcrux.board"
local legend = require "libcrux.legend"
local level_shape = require "libcrux.level_shape"
local long = require "long"
local luaunit = require "luaunit"
local minimise = require "libcrux.minimise"
local native_search = require "libcrux.native_search"
local path_cover = require "libcrux.path_cover"
local random = require "libcrux.random"
local search = require "crux.search.search"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local budget = require "libcrux.budget"
local subsets = require "libcrux.subsets"
local tracing = require "libcrux.trace"
local vector = require "libcrux.vector"
local walk = require "libcrux.walk"
local words = require("crux.symbolic.vocabulary").words

--- A walk along a line from 1 to level.to, in which `within` is called with the state and the level at each step.
local function puzzle(within)
  local spec = { moves = { "a", "b" } }
  function spec.state() return { at = state.kinds.integer(0, 40), spot = state.kinds.board(3, 2) } end
  function spec.start() return { at = 1, spot = board.new(3, 2) } end
  function spec.step(s, move, level)
    if within then within(s, level, spec) end
    s.at = words.min(s.at + (move == "a" and 1 or 2), 40)
    return words.eq(s.at, level.to)
  end
  return spec
end

local function solve(spec, level, engine) return search.solve(spec, level, { count = true, engine = engine }) end

--- The line of a fault, or of an error, without its place.
local function line_of(f, ...)
  local ok, problem = pcall(f, ...)
  luaunit.assertFalse(ok)
  return (tostring(type(problem) == "table" and problem.message or problem):gsub("^[^ ]*reentrance_test.lua:%d+: ", ""))
end

local Reentrance = {}

--- What solves 1 to 9 by ones and twos: 4 moves, as 8 = 2 + 2 + 2 + 2.
local function check_solved(solution) luaunit.assertEquals({ solution.status, solution.length, solution.solutions }, { "solved", 4, 1 }) end

function Reentrance.test_a_step_searches_on_the_same_states()
  for _, engine in ipairs { "native", "interpreted" } do
    local depth, nested = 0, 0
    local spec = puzzle(function(_, _, own)
      if depth > 0 or nested == 20 then return end
      depth, nested = 1, nested + 1
      check_solved(solve(own, { to = 9 }, engine))
      depth = 0
    end)
    check_solved(solve(spec, { to = 9 }, engine))
    luaunit.assertTrue(nested > 1)
  end
end

function Reentrance.test_values_of_a_trace_that_was_closed()
  local trace = tracing.new()
  local at, spot = trace:integer(1, 5), trace:board(3, 2)
  trace:close()
  local dead = { refused = "found a value of a state of which nothing is known any more, expected step to keep nothing" }
  for _, f in ipairs { function() return at + 1 end, function() return spot:shift "U" end, function() return tracing.words.eq(at, 1) end } do
    luaunit.assertEquals({ pcall(f) }, { false, dead })
  end
end

function Reentrance.test_shapes_are_called_with_anything()
  local trace, other = tracing.new(), tracing.new()
  local shape = level_shape.new(trace, { to = 9, list = { 4, 5 } })
  for _, case in ipairs {
    { shape.read, { shape, 2, "to" }, "the number of a table" }, { shape.read, { shape, 1, {} }, nil },
    { shape.held, { shape, 5, 1 }, "a table, or a function in Lua and a number" },
    { shape.held, { shape, print, 1 }, "a table, or a function in Lua and a number" },
    { shape.held, { shape, puzzle, 99 }, "the number of an upvalue" },
    { trace.lookup_level, { trace, shape, 1, 2.5 }, "an integer" }, { other.lookup_level, { other, shape, 1, 2 }, "a shape of this trace" },
    { trace.lookup, { trace, 5, 1 }, "table expected, got number" },
  } do
    local ok, problem = pcall(case[1], table.unpack(case[2]))
    luaunit.assertFalse(ok)
    luaunit.assertTrue(not case[3] or problem:find(case[3], 1, true) ~= nil, problem)
  end
  shape:finish()
  luaunit.assertStrContains(line_of(shape.finish, shape), "the shape is finished")
  luaunit.assertStrContains(line_of(shape.read, shape, 1, "to"), "the shape is finished")
end

function Reentrance.test_symbols_of_two_traces()
  local one, other = tracing.new():integer(1, 5), tracing.new():integer(1, 5)
  luaunit.assertEquals(line_of(tracing.words.lt, one, other), "lt: found a value of the state and a value of the state, expected two integers")
end

--- A finalizer, or a metamethod, that reads the view while it is read: what was noted moves in memory.
function Reentrance.test_the_level_is_read_while_it_is_read()
  local level = { to = 9, list = {}, deep = {} }
  for i = 1, 3000 do level.list[i], level.deep[i] = i % 7, { i } end
  for _, engine in ipairs { "native", "interpreted" } do
    local spec = puzzle(function(s, view)
      local lying = setmetatable({}, { __index = function(_, i) return words.lookup(view.list, i) end })
      for i = 1, 50 do
        setmetatable({}, { __gc = function() return view.deep[i][1] + view.list[i] end })
        if i % 10 == 0 then collectgarbage "step" end
      end
      s.at = words.where(words.lt(words.lookup(lying, s.at + 1), 0), s.at + 1, s.at)
    end)
    check_solved(solve(spec, level, engine))
  end
  collectgarbage()
end

function Reentrance.test_the_level_is_changed_between_searches()
  local level = { to = 9, list = { 1, 1, 1 } }
  local spec = puzzle(function(s, view) s.at = s.at + words.lookup(view.list, 1) - 1 end)
  for _, change in ipairs { function() end, function() level.list = { 1 } end, function() level.list[1] = 1 << 40 end,
    function() level.list[1] = 1 end, function() setmetatable(level.list, { __index = rawget, __len = error }) end,
    function() level.list = setmetatable({}, { __index = function() return 1 end }) end, function() level.list = { [1] = 1, [3] = "x" } end,
    function() level.self = level end } do
    change()
    local ok, native = pcall(solve, spec, level)
    local same, plain = pcall(solve, spec, level, "interpreted")
    luaunit.assertEquals(ok, same)
    luaunit.assertEquals(ok and { native.status, native.moves, native.solutions } or native.message,
      same and { plain.status, plain.moves, plain.solutions } or plain.message)
  end
end

function Reentrance.test_a_step_changes_the_level()
  local solution = solve(puzzle(function(_, level) level.changed = 1 end), { to = 9 })
  check_solved(solution)
  luaunit.assertStrContains(solution.untraced, "found a write to a table that outlives the call, expected step to change nothing but the state")
end

function Reentrance.test_a_hook_raises_at_the_nth_call()
  for _, engine in ipairs { "native", "interpreted" } do
    for n = 1, 12 do
      local calls, broken = 0, puzzle()
      local step = broken.step
      function broken.step(...)
        calls = calls + 1
        if calls == n then error({}) end
        return step(...)
      end
      local ok, problem = pcall(solve, broken, { to = 9 }, engine)
      if not ok then luaunit.assertStrMatches(problem.message, "tests/limits/reentrance_test.lua:%d+: step: raised a table") end
      if engine == "interpreted" and n < 9 then luaunit.assertFalse(ok) end
      check_solved(solve(puzzle(), { to = 9 }, engine))
    end
  end
end

--- No script can yield, but the engine may run in a coroutine.
function Reentrance.test_a_hook_yields()
  for _, engine in ipairs { "native", "interpreted" } do
    local run = coroutine.create(solve)
    local ok, problem
    repeat
      ok, problem = coroutine.resume(run, puzzle(coroutine.yield), { to = 9 }, engine)
    until coroutine.status(run) == "dead"
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, "attempt to yield across a C-call boundary")
    check_solved(solve(puzzle(), { to = 9 }, engine))
  end
end

--- The fields that a minimiser was given change, and are collected, while it runs.
function Reentrance.test_what_is_minimised_changes()
  local asked = { start = vector.of { 1 }, low = vector.of { 0 }, high = vector.of { 9 }, residuals = 2 }
  function asked.evaluate(p)
    for name in pairs(asked) do if name ~= "evaluate" then asked[name] = nil end end
    collectgarbage()
    return vector.of { p[1] - 3, 0 }
  end
  local status, found = minimise.squares(asked)
  luaunit.assertEquals(status, "converged")
  luaunit.assertAlmostEquals(found[1], 3, 1e-6)
end

--- A list of which Lua says that it is 2^n long, as the border that it finds.
local function sparse(n, value)
  local parts = {}
  for i = 0, n do parts[i + 1] = ("[%d]=..."):format(1 << i) end
  return load("return {" .. table.concat(parts, ",") .. "}")(value)
end

function Reentrance.test_lists_with_holes()
  luaunit.assertEquals(#sparse(60, 1), 1 << 60)
  local hole = "(a list without holes expected)"
  luaunit.assertStrContains(line_of(random.new(1).shuffle, random.new(1), sparse(40, 1)), hole)
  luaunit.assertStrContains(line_of(vector.of, sparse(60, 1)), hole)
  luaunit.assertStrContains(line_of(vector.complete, sparse(61, vector.fill(3, 1))), hole)
  luaunit.assertStrContains(line_of(vector.concat, sparse(61, vector.fill(3, 1))), hole)
end

function Reentrance.test_the_ends_of_the_integers()
  local trace, list = tracing.new(), {}
  for i = 0, 3 do list[math.maxinteger - i], list[math.mininteger + i] = i, i end
  local shape = level_shape.new(trace, { list = list })
  local _, number = shape:read(1, "list")
  for _ = 1, 2 do
    for _, ends in ipairs { { math.maxinteger - 3, math.maxinteger }, { math.mininteger, math.mininteger + 3 } } do
      luaunit.assertEquals(type(trace:lookup_level(shape, number, trace:integer(ends[1], ends[2]))), "userdata")
    end
  end
  trace:finish(false)
  shape:finish()
  luaunit.assertIsTrue(shape:fits { list = list })
  luaunit.assertStrContains(line_of(trace.integer, trace, 1, 0), "the range is empty")
  local dots = legend.new { { "." } }
  luaunit.assertStrContains(line_of(dots.parse, dots, ".\n.", math.maxinteger), "bad argument #3")
end

--- Subsets are sums of powers of 2: other numbers, which C cannot convert, are refused. Found by fuzzing.
function Reentrance.test_subsets_that_are_none()
  for _, number in ipairs { 0 / 0, -1, 1e300 } do
    luaunit.assertStrContains(line_of(subsets.best, vector.of { 1 }, vector.of { number }, 1), "bad argument #2 to")
  end
end

--- A message shows some of 100000 arguments, in no time.
function Reentrance.test_many_arguments()
  local many = {}
  for i = 1, 100000 do many[i] = "x" end
  luaunit.assertEquals(line_of(words.min, table.unpack(many)), "min: found " .. ("'x' and "):rep(8) .. "99992 more, expected integers")
end

--- What is too large for a program is searched in Lua.
function Reentrance.test_steps_that_take_too_much()
  long.only()
  local list, many = {}, puzzle()
  for i = 1, 60000 do list[i] = i * i % 1013 end
  local spec = puzzle(function(s)
    for i = 0, 119 do s.at = s.at + (words.lookup(list, (s.at << 10) + i + 1) >> 10) end
  end)
  local solution = solve(spec, { to = 9 })
  check_solved(solution)
  luaunit.assertStrContains(solution.untraced, "found a step of too many operations, expected fewer")
  for i = 3, 9000 do many.moves[i] = "c" .. i end
  many.step = function(s, move) s.at = words.min(s.at + (move == "a" and 1 or 2), 40) return words.eq(s.at, 3) end
  solution = search.solve(many, {}, {})
  luaunit.assertEquals(solution.length, 1)
  luaunit.assertEquals(solution.untraced, "found a step whose program takes more than 64 MB, or more memory than there is")
end

--- Scripts may ask for fewer bytes than the user allows, not for more.
function Reentrance.test_bytes_beside_those_of_lua()
  local cells = {}
  for i = 1, 64 do cells[i] = (i == 1 or i == 64) and 1 or (i == 8 or i == 57) and 2 or 0 end
  local grid = { width = 8, height = 8, cells = cells }
  local function outcome(bytes)
    local result = path_cover.solve(grid, bytes and { bytes = bytes })
    return result.limit or result.status
  end
  luaunit.assertEquals({ outcome(), outcome(1000), outcome(1 << 50) }, { "unsolvable", "bytes", "unsolvable" })
  budget.limit_bytes(1000)
  luaunit.assertEquals({ outcome(), outcome(1 << 50) }, { "bytes", "bytes" })
  budget.limit_bytes()
  luaunit.assertEquals(outcome(), "unsolvable")
end

--- A set with the state 7 of numbers from `low` to `high`, with that number of notes.
local function set_of(low, high, notes)
  local set = assert(state_set.new({ { name = "at", kind = "integer", low = low, high = high } }, notes or 2, 1 << 20))
  set:find { at = 7 }
  set:add()
  return set
end

--- What makes a number from 0 to 1000 one more, by two moves: a search, or a walk that chooses among them; its shape.
local function counter(set, varies)
  local trace, level = tracing.new(false, varies), { ball = board.new(3, 2) }
  local shape = level_shape.new(trace, level)
  local at, drawn = trace:integer(0, 1000), varies and trace:integer(0, 1)
  for _ = 1, varies and 1 or 2 do
    trace:put_integer(tracing.words.min(at + 1 + tracing.words.count(shape:read(1, "ball")), 1000), 0, 1000)
    trace:finish(false)
  end
  shape:finish()
  return (varies and walk or native_search).new(trace, set, 2, drawn and {}), shape, level, trace
end

--- Walks and searches do not need the set that they were made for.
function Reentrance.test_sets_that_are_closed()
  local set, fresh = set_of(0, 1000), set_of(0, 1000)
  local walked, shape, level = counter(set, true)
  local searched, other_shape, other_level = counter(set, false)
  luaunit.assertIsTrue(shape:fits(level) and other_shape:fits(other_level) and searched:bind(other_shape))
  walked:enter(set, 1, shape, random.new(1))
  set:close()
  for i = 1, 20 do set_of(-i, 1 << 40) end -- they take the place of the one that was closed
  luaunit.assertIsTrue(walked:run(3))
  luaunit.assertEquals(fresh:state(walked:state(fresh, 1)).at, 10)
  luaunit.assertEquals(searched:try(fresh, 1), { false, false })
  searched:begin(set_of(0, 1000), 0, 1)
end

--- What belongs to other states, to another trace, or to no level yet is refused.
function Reentrance.test_values_of_other_kinds()
  local set, other, three = set_of(0, 1000), set_of(0, 1 << 40), set_of(0, 1000, 3)
  local walked, shape, level, walk_trace = counter(set, true)
  local searched, search_shape, search_level, trace = counter(set, false)
  local other_walk, other_shape, other_level, other_trace = counter(set, true)
  local unfinished = tracing.new(false, false)
  unfinished:integer(0, 1000)
  luaunit.assertIsTrue(other_shape:fits(other_level))
  local rng = random.new(1)
  local states, made = "set of other states", "a shape of the same trace"
  local function refused(expected, method, ...) luaunit.assertStrContains(line_of(method, ...), expected) end
  refused("the shape fits no level", walked.enter, walked, set, 1, shape, rng)
  refused("the search is not bound", searched.try, searched, set, 1)
  refused("the search is not bound", searched.expand, searched, set, 1, 1)
  luaunit.assertIsTrue(shape:fits(level) and search_shape:fits(search_level) and searched:bind(search_shape))
  refused(states, walked.enter, walked, other, 1, shape, rng)
  refused(made, walked.enter, walked, set, 1, other_shape, rng)
  refused(made, searched.bind, searched, shape)
  walked:enter(set, 1, shape, rng)
  refused("a number of steps", walked.run, walked, 1 << 53)
  refused(states, walked.state, walked, other, 1)
  refused(states, searched.begin, searched, other, 0, 1)
  refused("with two notes", searched.begin, searched, three, 0, 1)
  refused("the set that is searched", searched.outcome, searched, set)
  refused("the set that is searched", searched.expand, searched, set, 1, 1)
  searched:begin(set, 0, 1)
  refused("the set that is searched", searched.expand, searched, set_of(0, 1000), 1, 1)
  set:find { at = 500 }
  set:add()
  refused("the set that is searched", searched.expand, searched, set, 1, 1)
  refused(states, searched.try, searched, other, 1)
  for _, wrong in ipairs { { walk, other, walk_trace }, { native_search, other, trace }, { native_search, set, walk_trace },
    { native_search, set, unfinished } } do
    refused("a trace of", wrong[1].new, wrong[3], wrong[2], 2, {})
  end
  refused("a trace of", walk.new, other_trace, set, 3, {}) -- moves
  refused("the trace that the search is made of", searched.specialise, searched, (select(4, counter(set, false))))
  trace:given_board(board.new(1, 1))
  refused("the trace that the search is made of", searched.specialise, searched, trace)
  luaunit.assertEquals(other_walk:program(), walked:program())
end

--- A move leads to a state's values, in their ranges.
function Reentrance.test_traces_of_other_values()
  local trace = tracing.new(false, false)
  local at, range = trace:integer(0, 9), "a trace of a state whose next value has this range"
  local on = trace:flag()
  luaunit.assertStrContains(line_of(trace.put_integer, trace, at, 0, 99), range)
  luaunit.assertStrContains(line_of(trace.put_flag, trace, on), range)
  luaunit.assertStrContains(line_of(trace.put_board, trace, board.new(1, 1), 1, 1), range)
  trace:put_integer(at, 0, 9)
  trace:put_flag(on)
  luaunit.assertStrContains(line_of(trace.put_integer, trace, at, -1, 9), range) -- no estimate
  trace:finish(false)
  luaunit.assertStrContains(line_of(trace.flag, trace), "a trace without values that moves lead to")
  luaunit.assertStrContains(line_of(trace.finish, trace, false), "a trace of moves that lead to as much")
  luaunit.assertStrContains(line_of(trace.choose, trace, at, math.maxinteger, { 1, 2 }), "a list of values")
end

return { Reentrance = Reentrance }
