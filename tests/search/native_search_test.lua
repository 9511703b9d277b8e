-- Tests of lua/crux/search/native.lua: native searches against interpreted ones, and scripts that cannot be traced.
local board = require "libcrux.board"
local engines = require "engines"
local fault = require "crux.base.fault"
local kinds = require("crux.search.state").kinds
local long = require "long"
local luaunit = require "luaunit"
local native = require "crux.search.native"
local recording = require "crux.search.recording"
local reference = require "search_reference"
local search = require "crux.search.search"
local shell = require "shell"
local vocabulary = require "crux.symbolic.vocabulary"

vocabulary.enable()
local solve, words = engines.solve, vocabulary.words
local any, none, eq, lookup, where = words.any, words.none, words.eq, words.lookup, words.where

--- Checks that both engines say the same; returns whether the search was native.
local function check_same(spec, level, options)
  local expected = solve(spec, level, options, "interpreted")
  local found, program, untraced = solve(spec, level, options, "native")
  luaunit.assertNil(untraced)
  luaunit.assertEquals(found, expected)
  return program ~= nil
end

local Native = {}

local function check_random(make, count, seed)
  math.randomseed(seed)
  local traced = 0
  for i = 1, count do
    local puzzle = make()
    local limit = math.random(3) == 1 and math.random(60) or nil
    if check_same(puzzle.spec, puzzle.level, { count = i % 2 == 0, states = limit }) then traced = traced + 1 end
  end
  luaunit.assertTrue(traced > count // 3, traced)
end

--- A heuristic that raises for a state is not asked once a move has won, though further ways to win are counted.
function Native.test_heuristic_after_a_win()
  local function spec_of(...)
    return { moves = { ... }, state = function() return { at = kinds.integer(1, 9) } end, start = function() return { at = 1 } end,
      step = function(now, move)
        if move == "on" then now.at = now.at % 9 + 1 end
        return move == "win"
      end,
      heuristic = function(now, level) return now.at == 2 and level.none.at or 1 end }
  end
  luaunit.assertTrue(check_same(spec_of("win", "on"), {}, { count = true }))
  for _, engine in ipairs { "native", "interpreted" } do
    local ok, problem = pcall(solve, spec_of("on", "win"), {}, { count = true }, engine)
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(problem.message, "attempt to index a nil value (field 'none')")
  end
end

--- A field that is nil on some paths raises where step reads it, also if the move has lost then, or sets the field again.
function Native.test_fields_without_a_value()
  local spec = { moves = { "on", "jump" }, state = function() return { at = kinds.integer(0, 255), b = kinds.integer(0, 1) } end,
    start = function() return { at = 0, b = 1 } end }
  local function raises()
    for _, engine in ipairs { "native", "interpreted" } do
      local ok, problem = pcall(solve, spec, {}, {}, engine)
      luaunit.assertFalse(ok)
      luaunit.assertStrContains(problem.message, "the state has no field 'b'; its fields: at, b")
    end
  end
  function spec.step(now, move)
    now.at = (now.at + (move == "on" and 1 or 3)) & 255
    if now.at == 150 then now.b = nil end
    local is_nothing = now.b == nil
    return false, is_nothing
  end
  raises()
  function spec.step(now, move)
    now.at = (now.at + (move == "on" and 1 or 3)) & 255
    if now.at == 150 then now.b = nil end
    if not now.b then now.b = 0 end
    return false
  end
  raises()
end

--- An element of a list that is nil on some paths can be set again, a field cannot.
function Native.test_elements_that_are_set_again()
  local function spec_of(step)
    return { moves = { "on", "jump" }, start = function() return { at = 0, b = 1, list = { 1, 2 } } end, step = step,
      state = function() return { at = kinds.integer(0, 31), b = kinds.integer(0, 3), list = kinds.array(2, kinds.integer(0, 3)) } end }
  end
  luaunit.assertTrue(check_same(spec_of(function(now, move)
    now.at = now.at + (move == "on" and 1 or 3) & 31
    if now.at == 9 then now.list[1] = nil end
    if now.at == 9 then now.list[1] = nil end
    if now.list[1] == nil then now.list[1] = 3 end
    if now.at & 1 == 0 then now.list[2] = nil end
    if now.at > 5 then now.list[2] = now.list[1] end
    if not now.list[2] then now.list[2] = 0 end
    return now.at == 30
  end), {}, { count = true }))
  for message, step in pairs {
    ["the state has no field 'b'"] = function(now)
      now.at = now.at + 1 & 31
      if now.at > 7 then now.b = nil end
      if now.at > 4 then now.b = 3 end
      return false
    end,
    ["the list has no element 3, it has 2"] = function(now)
      now.at = now.at + 1 & 31
      if now.at > 7 then now.list[3] = nil end
      return false
    end } do
    for _, engine in ipairs { "native", "interpreted" } do
      local ok, problem = pcall(solve, spec_of(step), {}, {}, engine)
      luaunit.assertEquals({ ok, problem.message:find(message, 1, true) ~= nil }, { false, true })
    end
  end
end

--- Conditions of losing that are true, false, or nothing on some paths; on one that no state takes, too.
function Native.test_conditions_of_some_paths()
  local names = { "abc", "b", "abd", "c" }
  local spec = { moves = { "on", "jump" }, state = function() return { at = kinds.integer(0, 7) } end, start = function() return { at = 0 } end }
  function spec.step(now, move)
    now.at = now.at + (move == "on" and 1 or 3) & 7
    return false, { far = now.at == 4, named = (names[now.at] or names[now.at % 4 + 1]) < "abd" }
  end
  luaunit.assertTrue(check_same(spec, {}, { count = true }))
  function spec.step(now, move)
    now.at = now.at + (move == "on" and 1 or 3) & 7
    local lost = { far = now.at == 4 }
    if now.at > 5 then lost.named = move == "jump" end
    return false, lost
  end
  luaunit.assertTrue(check_same(spec, {}, { count = true }))
end

--- A step that writes to what outlives the call is recorded for many levels and for one; one that cannot be compiled in some states
--- once more, so that Lua runs these alone.
function Native.test_recordings_of_a_refused_step()
  local kept, count, record = 0, 0, recording.run
  local function writes(now)
    kept = kept + 1
    return now.x < 0
  end
  local function recurses(now)
    local function f(n) return n > 0 and f(n - 1) end
    if now.x > 3 then f(now.x * 1000) end
    now.x = now.x + 1
    return now.x == 9
  end
  recording.run = function(...)
    count = count + 1
    return record(...)
  end
  for expected, step in pairs { [2] = writes, [3] = recurses } do
    count = 0
    local spec = { moves = { "on" }, state = function() return { x = kinds.integer(0, 9) } end, start = function() return { x = 0 } end,
      step = step }
    local _, program, untraced = solve(spec, {}, {}, "native")
    luaunit.assertEquals({ count, program == nil, untraced ~= nil }, { expected, expected == 2, true })
  end
  recording.run = record
  luaunit.assertEquals(kept, 1)
end

function Native.test_random_graphs() check_random(reference.graph, 300, 1) end
function Native.test_random_sliding() check_random(reference.sliding, long.choose(50, 200), 2) end

--- A puzzle of two numbers and a board, with lines of its own at the end of step.
local function puzzle(extra, environment)
  local text = ([[
local eq, ne, any, none, where, lookup, min, max = ...
return function(state, move, level)
  local by = move == "up" and 1 or move == "down" and -1 or 0
  state.a = max(0, min(9, state.a + by))
  state.b = where(eq(state.a, 7), min(9, state.b + 1), state.b)
  state.on = where(eq(move == "flip", true) & ne(state.a, 3), state.on:shift("R", 1, true), state.on)
  local won, lost = eq(state.b, 4) & any(state.on & level.goal), eq(state.a, 9)
  %s
  return won, lost
end]]):format(extra)
  local load_step = assert(load(text, "@" .. shell.file("step.lua", text), "t", setmetatable(environment or {}, { __index = _G })))
  return {
    moves = { "up", "down", "flip" },
    state = function() return { a = kinds.integer(0, 9), b = kinds.integer(0, 9), on = kinds.board(6, 2) } end,
    start = function() return { a = 5, b = 0, on = board.new(6, 2, { { 1, 1 }, { 3, 2 } }) } end,
    step = load_step(words.eq, words.ne, any, none, where, lookup, words.min, words.max),
  }, { goal = board.new(6, 2, { { 6, 1 } }), numbers = { 3, 1, 4, 1, 5, 9, 2, 6, 5, [0] = 0 }, gap = { [0] = 1, 2, 3, 4, 5, 6, 7 } }
end

function Native.test_puzzle()
  local spec, level = puzzle ""
  luaunit.assertTrue(check_same(spec, level, { count = true }))
  local solution, program = solve(spec, level, {}, nil)
  luaunit.assertEquals({ solution.status, solution.length, program.lane_bits }, { "solved", 7, 16 })
end

-- A program made for a large board is fitted to levels of smaller ones, whose words are fewer.
function Native.test_levels_with_boards_of_other_sizes()
  local spec = {
    moves = { "up", "down" },
    state = function() return { a = kinds.integer(0, 9) } end,
    start = function() return { a = 5 } end,
    step = function(state, move, level)
      state.a = words.max(0, words.min(9, state.a + (move == "up" and 1 or -1)))
      return any(level.wall) & eq(state.a, level.goal)
    end,
  }
  for _, size in ipairs { 32, 1, 8, 32, 2 } do
    for _, goal in ipairs { 0, 9 } do
      luaunit.assertTrue(check_same(spec, { wall = board.new(size, size, { { 1, 1 } }), goal = goal }, { count = true }))
    end
  end
end

-- Each is run by C as Lua runs it, or refused at its place in the script, or raises as in Lua.
function Native.test_traps()
  for _, case in ipairs {
    { "if state.a == 3 then state.b = 0 end" },
    { "if state.a == level.numbers[1] then state.b = 0 end" },
    { "if state.a == state.b then state.b = 0 end" },
    { "if state.a < 3 then state.b = 0 end" },
    { "if 3 >= state.a then state.b = 0 end" },
    { "if eq(state.a, 3) then state.b = 0 end" },
    { "won = won and eq(state.a, 5)" },
    { "lost = not won and lost" },
    { "lost = eq(state.b, 3) or eq(state.a, 0)" },
    { "state.b = level.numbers[state.a] or state.b" },
    { "state.b = state.b // 2" },
    { "state.b = state.b % 5" },
    { "for _ = 1, state.a do state.b = 0 end" },
    { "state.b = #state.on" },
    { "state.b = 1 << state.a >> state.b + 60" },
    { "state.b = where(won, true, state.b)" },
    { "state.b = #(('x'):rep(math.max(state.b, 1)))" },
    { "state.b = #('a' .. state.a * 11)" },
    { "local _ = 'a' .. state.a * 100", "column 17: found a value from 100 to 900 where each value needs a path of its own, expected " },
    { "state.b = state.b + 0.0 | 0" },
    { "state.b = math.floor(state.b / 2 + 0.5)" },
    { "if state.a < 2.5 or 4.5 <= state.a or state.a == 3.0 or state.a <= -math.huge then state.b = 0 end" },
    { "if state.a ~= 2.5 and state.a < 0 / 0 then state.b = 0 end" },
    { "state.b = 5 % (state.a + 1) + 4 // (state.b + 1)" },
    { "state.b = select('#', table.unpack({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }, state.a + 1))" },
    { "state.b = ('012345678'):byte(state.a + 1, state.a + 1) and ('987654321'):sub(state.a + 1, state.a + 1):byte() - 48 or 0" },
    { "state.b = pcall(function() return 1 + (state.a == 3 and {} or 2) end) and 1 or 2" },
    { "local meta = { __add = function(a, b) return a.n + b end, __eq = function(a, b) return a.n == b.n end, "
      .. "__len = function(a) return a.n end } local t = setmetatable({ n = state.a }, meta) state.b = (t + 0) // 2 + (t == setmetatable({ n = 2 }, meta) and #t or 0)" },
    { "local list = { 4, 2 } if state.a > 3 then list[3] = state.b end table.insert(list, 1, state.a) state.b = table.remove(list, #list - 1)" },
    { "for x in state.on:cells() do state.b = x end" },
    { "for x, y in (state.on | level.goal):cells() do if x == state.a then break end state.b = (state.b + x * y) % 7 end" },
    { "state.b = ({ [true] = 4, [false] = state.b })[state.a > 2]" },
    { "local x, y = state.on:first() state.b = x and x + y or 0" },
    { "local x, y = (state.on & level.goal):first() state.b = x and 8 - x or y or 3" },
    { "local list = { state.b, 4, state.a, state.a ~ 1 } table.sort(list) state.b = list[2]" },
    { "state.on = state.on:components()[1] or state.on", "column 14: found 'components' of a board of the state, expected " },
    { "state.b = where(1, 2, state.b)", nil, "where: found 1, expected a truth value first" },
    { "rawset(state, 'b', lost)", nil, "field 'b': found" },
    { "state.c = state.a", nil, "the state has no field 'c'" },
    { "error 'no'", nil, "no" },
  } do
    local spec, level = puzzle(case[1])
    local options = { count = true }
    local ok, expected = pcall(solve, spec, level, options, "interpreted")
    local same, found, program, untraced = pcall(solve, spec, level, options, "native")
    luaunit.assertEquals({ case[1], same }, { case[1], ok })
    luaunit.assertEquals({ case[1], case[3] == nil }, { case[1], ok })
    if ok then
      luaunit.assertEquals({ case[1], found }, { case[1], expected })
      luaunit.assertEquals({ case[1], program == nil }, { case[1], case[2] ~= nil })
      if case[2] then luaunit.assertStrContains(untraced, "step.lua:8: " .. case[2]) end
    else
      luaunit.assertEquals(found.message, expected.message)
      luaunit.assertStrContains(found.message, case[3])
    end
  end
end

-- A memory of its own, or chance: there is no right result, but the search is not native.
function Native.test_impure_steps()
  for _, extra in ipairs {
    "count = (count or 0) + 1 if count > 40 then state.b = 0 end",
    "if math.random() < 0.3 then state.b = 0 end",
    "state.b, kept = kept or 0, where(eq(state.a, 9), 0, state.a)",
  } do
    local spec, level = puzzle(extra, {})
    local ok, _, program, untraced = pcall(solve, spec, level, {}, "native")
    if ok then luaunit.assertEquals({ extra, program, type(untraced) }, { extra, nil, "string" }) end
  end
end

-- Moves that come to what cannot be compiled are made in Lua: they lead on, win, lose or raise as in a search in Lua alone.
function Native.test_open_moves()
  for line, share in pairs {
    ["if state.a == 3 then local t = {} t.x = 7 for _, v in pairs(t) do state.b = v end end"] = "for %d+ %% of the moves: .*step.lua:8: column %d+: found pairs over a table that step makes",
    ["if state.b == 2 then local t = {} t.x = 6 for _, v in pairs(t) do won = state.a == v end end"] = "",
    ["if state.b == 1 then local t = {} t.x = 6 for _, v in pairs(t) do lost = state.a == v end end"] = "",
    ["local n = state.a * 31 % 100 while n > 1 do n = n % 2 == 0 and n // 2 or 3 * n + 1 end state.b = n"] = "for %d+ %% of the moves",
    ["if state.a == 0 then local t = {} t.x = 7 for _, v in pairs(t) do state.b = v + 3 end end"] = "",
  } do
    local spec, level = puzzle(line)
    for _, options in ipairs { {}, { count = true }, { states = 60 }, { states = 7 } } do
      local expected = { pcall(solve, spec, level, options, "interpreted") }
      local found = { pcall(solve, spec, level, options, "native") }
      luaunit.assertEquals(found[1], expected[1])
      if found[1] then
        luaunit.assertEquals(found[2], expected[2])
        luaunit.assertNotNil(found[3])
        if share ~= "" and not options.states then luaunit.assertStrMatches(found[4], ".*" .. share .. ".*") end
      else
        luaunit.assertEquals(found[2].message, expected[2].message)
      end
    end
  end
end

-- What leaves its range, or reads what a table has not, is an error at the script's line in both.
function Native.test_violations()
  for _, case in ipairs {
    { "state.b = state.b + where(eq(state.a, 8), 9, 0)", "step.lua:8: step with move 'up': field 'b': found 1" },
    { "state.a = state.a - where(eq(state.b, 3), 20, 0)", "step.lua:8: step with move 'flip': field 'a': found -13" },
    { "lost = lost | eq(lookup(level.gap, state.a), 1)", "step.lua:8: lookup: found a table and 7, expected an index" },
  } do
    for _, engine in ipairs { "interpreted", "native" } do
      local spec, level = puzzle(case[1])
      local ok, err = pcall(search.solve, spec, level, { engine = engine })
      luaunit.assertFalse(ok, case[1])
      luaunit.assertTrue(fault.is(err), tostring(err))
      luaunit.assertStrContains(err.message, case[2])
    end
  end
end

-- An estimate that no search could add a depth to is an error in both.
function Native.test_estimates_that_are_too_large()
  for _, engine in ipairs { "interpreted", "native" } do
    local spec, level = puzzle ""
    function spec.heuristic(state) return where(eq(state.a, 5), 0, state.a + (math.maxinteger - 6)) end
    local ok, err = pcall(search.solve, spec, level, { engine = engine })
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(err.message, "heuristic: found 9223372036854775807, expected an integer from 0 to 2147483647")
  end
end

-- A value outside its range is of no interest when the move wins or loses.
function Native.test_ends_outside_ranges()
  local spec, level = puzzle "state.b = where(won | lost, state.b + 100, state.b)"
  luaunit.assertTrue(check_same(spec, level, { count = true }))
end

--- Checks every word and operator on random values of a, b, c (integers), p, q (flags), s, t (boards): x is what they
--- give, and the states are walked at random so that many values occur.
local expressions = {
  integer = { "a + b", "a - b", "a * b", "-a", "~a", "a & b", "a | b", "a ~ b", "a << 2", "a >> 1", "a << 70", "a >> -2",
    "(a & 7) >> (b & 3)", "1 << (c & 7)", "min(a, b, c)", "max(c, 3, a)", "abs(a - 5)", "sgn(b)", "count(a)", "count(s)", "count(s - t)",
    "where(p, a, b)", "where(p & q, 3, c)", "lookup(level.list, c & 7)", "where(lt(a, b), lookup(level.list, a & 7), b - 1)" },
  flag = { "p & q", "p | ~q", "p ~ q", "true & p", "q | false", "true ~ p", "lt(a, b)", "le(a, 3)", "gt(b, a)", "ge(2, b)",
    "eq(a, b)", "ne(a, c)", "eq(p, q)", "ne(p, true)", "eq(s, t)", "ne(s, level.board)", "any(a)", "none(b)", "any(s & t)",
    "none(s)", "s:any()", "t:none()", "s:has(2, 1)", "s:has(0, 1)", "where(p, q, lt(a, c))", "lookup(level.flags, c & 7)",
    "eq(s, level.other)" },
  board = { "s & t", "s | t", "s ~ t", "s - t", "~s", "level.board - s", "level.board & t", "s:shift('U')", "s:shift('L', 2)",
    "t:shift('D', -1)", "s:shift('R', 1, true)", "s:shift('D', 2, true)", "t:shift('U', 40)", "s:neighbours()",
    "s:with(1, 1)", "s:without(width, height)", "where(p, s, t)", "where(lt(a, b), s:shift('L'), level.board)",
    "s:flood(t)", "s:flood(level.board)", "level.board:flood(s | t)", "s:frozen(t)", "s:frozen(level.board, t)",
    "level.board:frozen(s)", "t:frozen(level.board, level.other_board)",
    "lookup(level.boards, c & 7)", "s:shift('L', -3)", "t:shift('U', -7, true)" },
}

local function check_expressions(width, height)
  local n = math.random(6)
  local lines = {}
  for i = 1, n do
    local kind = ({ "integer", "flag", "board" })[math.random(3)]
    local of = expressions[kind]
    local target = ({ integer = { "a", "b", "c" }, flag = { "p", "q" }, board = { "s", "t" } })[kind]
    lines[i] = ("%s = %s"):format(target[math.random(#target)], of[math.random(#of)])
  end
  local text = ([[
local any, none, eq, ne, lt, le, gt, ge, where, lookup, min, max, abs, sgn, count, width, height = ...
return function(state, move, level)
  local a, b, c, p, q, s, t = state.a, state.b, state.c, state.p, state.q, state.s, state.t
  if move == "turn" then a, b, c, p, q, s, t = c, a, b, q, ~p, t:shift("R"), s | level.board
  elseif move == "up" then a, b, c = a + 3, b ~ 5, c + 1
  else
    %s
  end
  local list = state.list
  list[1], list[2] = list[2], a & 3
  state.a, state.b, state.c, state.p, state.q, state.s, state.t = a & 31, (b & 63) - 20, c & 7, p, q, s, t
  return eq(a & 31, 17) & p & any(s), eq(count(t), 3) & q
end]]):gsub("%%s", table.concat(lines, "\n    "))
  local w = words
  local function random_board()
    local of = board.new(width, height)
    for x, y in (~of):cells() do
      if math.random(3) == 1 then of = of:with(x, y) end
    end
    return of
  end
  local boards, list, flags = {}, {}, {}
  for i = 0, 7 do boards[i], list[i], flags[i] = random_board(), math.random(-9, 40), math.random(2) == 1 end
  local level = { board = random_board(), other_board = random_board(), boards = boards, list = list, flags = flags, other = board.new(width, height % 32 + 1) }
  local s, t = random_board(), random_board()
  check_same({
    moves = { "turn", "up", "go" },
    state = function()
      return { a = kinds.integer(0, 31), b = kinds.integer(-20, 43), c = kinds.integer(0, 7), p = kinds.flag, q = kinds.flag,
        s = kinds.board(width, height), t = kinds.board(width, height), list = kinds.array(2, kinds.integer(0, 3)) }
    end,
    start = function() return { a = 1, b = 2, c = 3, p = true, q = false, s = s, t = t, list = { 0, 1 } } end,
    step = assert(load(text, "@" .. shell.file("step.lua", text)))(w.any, w.none, w.eq, w.ne, w.lt, w.le, w.gt, w.ge, w.where, w.lookup, w.min,
      w.max, w.abs, w.sgn, w.count, width, height),
  }, level, { states = 300, count = math.random(2) == 1 })
end

-- With programs of their own for states of which a flag is the same.
function Native.test_random_expressions()
  local closing <close> = setmetatable({ native.warm }, { __close = function(self) native.warm = self[1] end })
  native.warm = 1
  math.randomseed(4)
  for _ = 1, long.choose(3, 40) do
    for _, size in ipairs { { 3, 2 }, { 5, 5 }, { 8, 8 }, { 9, 8 }, { 16, 16 }, { 32, 1 }, { 1, 32 }, { 64, 2 }, { 33, 33 } } do
      check_expressions(size[1], size[2])
    end
  end
end

--- A puzzle of 12 moves, most of which change nothing in most states: conditions and values are drawn, of a list, a flag and a
--- board; moves may win or lose where they change nothing.
local function guarded_puzzle()
  local conditions = { "eq(at[i], k)", "lt(at[i], at[3])", "p & ne(at[1], k)", "s:has(x, 1) & ~p", "gt(at[2], k) & s:has(1, y)" }
  local function one_of(list) return list[math.random(#list)] end
  local text = ([[
local eq, ne, lt, gt, any, none, where, board, width, height = ...
return function(state, move, level)
  local number = tonumber(move)
  local i, k, x, y = number %% 3 + 1, number %% 4, number %% width + 1, number %% height + 1
  local at, p, s = state.at, state.p, state.s
  local can = %s
  if number == %d then can = true end
  local other = %s
  local was = at[i]
  at[i] = %s
  state.p = where(can, eq(was, k), p)
  state.s = where(%s, s:with(x, y):flood(level.board), where(can, s:shift("R", 1, true), s))
  return eq(at[1], 5) & %s, %s & none(state.s & level.board)
end]]):format(one_of(conditions), math.random(30), one_of(conditions),
    one_of { "where(can, was + 1 & 7, was)", "was ~ where(can, number & 7, 0)", "where(~can, was, was ~ 3)",
      "was + where(can & lt(was, 7), 1, 0)" },
    one_of { "can", "can & other", "can | other" }, one_of { "true", "other", "p" }, one_of { "false", "any(s)", "other" })
  local width, height, moves = math.random(9), math.random(9), {}
  for number = 1, 12 do moves[number] = tostring(number) end
  local floor = board.new(width, height)
  for x, y in (~floor):cells() do
    if math.random(3) > 1 then floor = floor:with(x, y) end
  end
  local w = words
  local weight = math.random(0, 2)
  return {
    heuristic = math.random(2) == 1 and function(state)
      return weight * (w.count(state.s & floor) >> 1) + where(state.p, w.max(0, 5 - state.at[1]), 0)
    end or nil,
    moves = moves,
    state = function() return { at = kinds.array(3, kinds.integer(0, 7)), p = kinds.flag, s = kinds.board(width, height) } end,
    start = function() return { at = { 1, 2, 3 }, p = true, s = board.new(width, height, { { 1, 1 } }) } end,
    step = assert(load(text, "@" .. shell.file("step.lua", text)))(w.eq, w.ne, w.lt, w.gt, any, none, where, board, width, height),
  }, { board = floor }
end

function Native.test_random_guards()
  long.leave_out()
  math.randomseed(8)
  local guarded, solved, count = 0, 0, long.choose(30, 600)
  for i = 1, count do
    local spec, level = guarded_puzzle()
    local options = { count = i % 2 == 0, states = math.random(4) == 1 and math.random(300) or 2000 }
    luaunit.assertTrue(check_same(spec, level, options))
    local solution, program = solve(spec, level, options, "native")
    guarded, solved = guarded + (program.is_guarded and 1 or 0), solved + (solution.status == "solved" and 1 or 0)
  end
  luaunit.assertTrue(guarded > count * 0.9 and solved > count / 5 and solved < count * 0.9, guarded .. " " .. solved)
end

--- What a step may read of a level, and whether one program then serves all levels; each line is run on levels of which
--- everything differs by chance, one after the other.
local readings = {
  { "x = level.board", true },
  { "x = level.boards[2] | level.boards[1]:shift('L')", true },
  { "for i = 1, #level.boards do x = x ~ level.boards[i] end", true },
  { "for _, board in ipairs(level.boards) do x = x ~ board end", true },
  { "for _, board in ipairs { table.unpack(level.boards) } do x = x ~ board end", true },
  { "x = lookup(level.boards, where(any(a & 2), 1, a))", true },
  { "a = lookup(level.list, a) & 3", true },
  { "a = lookup(level.list, a) & 3 a = lookup(level.list, where(eq(a, 2), 1, a)) & 3", true },
  { "a = where(lookup(level.flags, a), 3, a)", true },
  { "a = lookup(level.gaps, where(any(a & 2), 1, a)) & 3", true },
  { "a = (a + lookup(level.list, 2) + lookup(level.gaps, 1)) & 3", true },
  { "for i = 0, 3 do a = (a * lookup(level.list, i) + 1) & 3 end", true },
  { "x = x | lookup(level.boards, 2) if lookup(level.flags, 1) then a = 1 end", true },
  { "if level.option then x = level.board end", true },
  { "a = level.number & 3", true },
  { "if any(level.board & level.boards[1]) then x = level.board end", true },
  { "if eq(level.board, level.boards[1]) then a = 2 end", true },
  { "a = count(level.board) & 3", true },
  { "for key, board in pairs(level.named) do if key == 'b' then x = x | board end end", true },
  { "local key = next(level.named) if key == 'a' then x = level.named[key] end", true },
  { "if level.named.c then x = level.named.c end", true },
  { "if level.one == level.two then a = 1 end", true },
  { "local t = {} t[level.one], t[level.two] = 1, 2 a = t[level.one]", true },
  { "if rawlen(level.boards) == 2 and rawget(level.boards, 2) then x = level.boards[2] end", true },
  { "if #level.board > 2 then x = level.board end", true },
  { "for x1, y1 in level.board:cells() do x = x | x:with(x1, y1) end", false },
  { "if level.board == level.boards[1] then a = 1 end", true },
  { "x = level.object:get()", false },
  { "x = level.of_class.board", false },
  { "x = held.board", false },
  { "if level == held then x = level.board end", false },
  { "if holder.level.boards == level.boards then x = level.board end", false },
}

local Class = { __index = function(self, key) return self.fields[key] end }

function Native.test_readings_of_levels()
  long.leave_out()
  math.randomseed(7)
  local function random_board()
    local of = board.new(3, 2)
    for x, y in (~of):cells() do
      if math.random(3) == 1 then of = of:with(x, y) end
    end
    return of
  end
  local function random_level()
    local one = { random_board() }
    local level = { board = random_board(), boards = { [0] = random_board(), random_board(), random_board(), random_board() }, one = one,
      two = math.random(2) == 1 and one or { one[1] }, option = math.random(2) == 1, number = math.random(2), list = {}, flags = {},
      gaps = { [0] = 1, 2 }, named = {} }
    if math.random(2) == 1 then level.boards[3] = nil end
    for i = 0, 3 do level.list[i], level.flags[i] = math.random(-5, 9), math.random(2) == 1 end
    for _, name in ipairs { "a", "b", "c" } do level.named[name] = math.random(3) > 1 and random_board() or nil end
    level.gaps[math.random(2, 3)] = 3
    level.of_class = setmetatable({ fields = { board = level.board } }, Class)
    level.object = { get = function() return level.board end }
    return level
  end
  for _, case in ipairs(readings) do
    local environment = { holder = {}, next = next, rawget = rawget, rawlen = rawlen, rawset = rawset, ipairs = ipairs,
      pairs = pairs, table = table, nan = 0 / 0 } -- nan: is unchanged, though it does not equal itself
    local text = ([[
local eq, any, none, where, lookup, count = ...
return function(state, move, level)
  local x, a = state.x, state.a
  if move == "change" then
    %s
  elseif move == "turn" then x = x:shift("R", 1, true)
  else a = a + 1 & 3
  end
  state.x, state.a = x, a
  return eq(x, level.goal) & eq(a, 3)
end]]):format(case[1])
    local step = assert(load(text, "@" .. shell.file("step.lua", text), "t", environment))(eq, any, none, where, lookup, words.count)
    local shared = 0
    for i = 1, 30 do
      local level = random_level()
      level.goal = random_board()
      if case[1]:find "held" or case[1]:find "holder" then environment.held, environment.holder.level = level, level end
      local spec = {
        moves = { "turn", "up", "change" },
        state = function() return { x = kinds.board(3, 2), a = kinds.integer(0, 3) } end,
        start = function() return { x = level.board | level.boards[1], a = 0 } end,
        step = step,
      }
      local expected = solve(spec, level, { count = i % 2 == 0 }, "interpreted")
      local found, program, untraced = solve(spec, level, { count = i % 2 == 0 }, "native")
      luaunit.assertEquals({ case[1], untraced, found }, { case[1], nil, expected })
      if program.is_shared then shared = shared + 1 end
    end
    luaunit.assertEquals({ case[1], shared > 0 }, { case[1], case[2] })
  end
end

-- What a search took, and what made its lanes wide.
function Native.test_records_of_searches()
  local spec, level = puzzle "state.b = where(eq(state.a * 5000, 45000), 0, state.b)"
  local searches = {}
  local solution = search.solve(spec, level, { searches = searches })
  local record = table.remove(searches)
  luaunit.assertEquals({ #searches, record.fields, record.states, record.bits, record.bytes },
    { 0, "a 0..9, b 0..9, on 6 x 2", solution.states, 20, solution.bytes })
  luaunit.assertEquals(record.program.lane_bits, 32)
  luaunit.assertStrMatches(record.program.widest, ".*step.lua:8: %*: 5000 to 45000")
  local taken = { record.step_seconds, record.set_seconds, record.seconds - record.step_seconds - record.set_seconds }
  for _, seconds in ipairs(taken) do luaunit.assertTrue(seconds > 0 and seconds < 10) end
  search.solve(spec, level, { searches = searches, engine = "interpreted" })
  luaunit.assertEquals({ #searches, searches[1].fields, searches[1].program }, { 1, record.fields, nil })
  spec.state = function() return { a = kinds.integer(0, 9), b = kinds.integer(0, 70000), on = kinds.board(6, 2) } end
  search.solve(spec, level, { searches = searches })
  luaunit.assertEquals(searches[2].program.widest, "field 'b': 0 to 70000")
end

-- A level is not for a step to write to, and neither is a global.
function Native.test_writes_to_levels()
  local table_found = "a write to a table that outlives the call"
  for write, found in pairs { ["level.goal = state.on"] = table_found, ["level.numbers[1] = 2"] = table_found,
    ["table.insert(level.numbers, 1)"] = table_found, ["kept = {}"] = "a write to the global 'kept'" } do
    local spec, level = puzzle(write)
    local _, program, untraced = solve(spec, level, {}, "native")
    luaunit.assertNil(program)
    luaunit.assertStrMatches(untraced, ".*step.lua:8: column %d+: found " .. found .. ".*")
  end
end

-- Where Lua runs some states, for a line that cannot be compiled, it may come to a write behind that line.
function Native.test_writes_behind_a_refused_line()
  local line = "if state.a == 6 then for _ in next, { x = 1 } do end %s end state.b = min(9, state.b + kept.count)"
  for write, column in pairs { [""] = 0, ["kept.count = 1"] = 60, ["local function f() kept = { count = 1 } end f()"] = 75,
    ["min = max"] = 56 } do
    local spec, level = puzzle(line:format(write), { kept = { count = 0 }, next = next })
    local _, program, untraced = solve(spec, level, {}, "native")
    luaunit.assertEquals(program == nil, write ~= "")
    luaunit.assertStrContains(untraced, write == "" and "pairs over a table that step makes"
      or ("step.lua:8: column %d: found a write to what outlives the call, expected step to change nothing"):format(column))
  end
end

return { NativeSearch = Native }
