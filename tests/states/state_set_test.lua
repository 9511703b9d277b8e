-- Tests of libcrux.state_set: states to keys and back, the tables that scripts get, and what is refused.
local board = require "libcrux.board"
local luaunit = require "luaunit"
local state_set = require "libcrux.state_set"

local function new(fields, notes, bytes) return assert(state_set.new(fields, notes or 0, bytes or 1 << 30)) end

local mixed = {
  { name = "ball", kind = "board", width = 13, height = 7, count = 2 },
  { name = "wall", kind = "board", width = 8, height = 8 },
  { name = "open", kind = "flag" },
  { name = "switch", kind = "flag", count = 3 },
  { name = "at", kind = "integer", low = -3, high = 900 },
  { name = "any", kind = "integer", low = math.mininteger, high = math.maxinteger },
  { name = "enemy", kind = "integer", low = 1, high = 9, count = 4 },
  { name = "nobody", kind = "integer", low = 1, high = 9, count = 0 },
}

local function random_board(width, height)
  local cells = {}
  for y = 1, height do
    for x = 1, width do
      if math.random(2) == 1 then table.insert(cells, { x, y }) end
    end
  end
  return board.new(width, height, cells)
end

local function random_state()
  local function flag() return math.random(2) == 1 end
  return {
    ball = { random_board(13, 7), random_board(13, 7) }, wall = random_board(8, 8), open = flag(),
    switch = { flag(), flag(), flag() }, at = math.random(-3, 900), any = math.random(0),
    enemy = { math.random(9), math.random(9), math.random(9), math.random(9) }, nobody = {},
  }
end

local StateSet = {}

function StateSet.test_states_come_back()
  math.randomseed(3)
  local set, states = new(mixed), {}
  luaunit.assertEquals(select(2, set:size()), 2 * 91 + 64 + 1 + 3 + 10 + 64 + 4 * 4)
  for i = 1, 500 do
    states[i] = random_state()
    luaunit.assertIs(set:find(states[i]), false)
    luaunit.assertEquals(set:add(), i)
    luaunit.assertEquals(set:find(states[i]), i)
  end
  luaunit.assertEquals(#set, 500)
  luaunit.assertEquals(tostring(set), "set of 500 states")
  for i, state in ipairs(states) do
    for _, back in ipairs { set:state(i), set:copy(set:state(i)) } do
      for name, value in pairs(state) do
        if type(value) == "table" then
          luaunit.assertEquals(#back[name], #value)
          for k, element in ipairs(value) do luaunit.assertTrue(back[name][k] == element, name) end
        else
          luaunit.assertTrue(back[name] == value, name)
        end
      end
      luaunit.assertEquals(set:find(back), i)
    end
  end
end

-- One value differs: another state.
function StateSet.test_every_value_counts()
  math.randomseed(4)
  local set, state = new(mixed), random_state()
  set:find(state)
  set:add()
  local function differs(change, back)
    change()
    luaunit.assertIs(set:find(state), false)
    back()
    luaunit.assertEquals(set:find(state), 1)
  end
  for _, name in ipairs { "open", "at", "any", "wall" } do
    local value = state[name]
    differs(function()
      if name == "open" then state.open = not value
      elseif name == "wall" then state.wall = ~value
      else state[name] = value > 0 and value - 1 or value + 1 end
    end, function() state[name] = value end)
  end
  for _, name in ipairs { "switch", "enemy", "ball" } do
    for k, value in ipairs(state[name]) do
      differs(function()
        if name == "switch" then state.switch[k] = not value
        elseif name == "ball" then state.ball[k] = value ~ board.new(13, 7, { { 13, 7 } })
        else state.enemy[k] = value % 9 + 1 end
      end, function() state[name][k] = value end)
    end
  end
end

function StateSet.test_copies_are_of_their_own()
  local set = new(mixed)
  set:find(random_state())
  set:add()
  local origin = set:state(1)
  local copy = set:copy(origin)
  local open, enemy = origin.open, origin.enemy[2]
  copy.open, copy.enemy[2] = not open, enemy % 9 + 1
  luaunit.assertEquals({ origin.open, origin.enemy[2] }, { open, enemy })
  luaunit.assertEquals(set:find(origin), 1)
  luaunit.assertIs(set:find(copy), false)
end

function StateSet.test_notes()
  local set = new({ { name = "at", kind = "integer", low = 0, high = 9 } }, 3)
  for i = 1, 10 do
    set:find { at = i - 1 }
    set:add()
    luaunit.assertEquals({ set:note(i, 1), set:note(i, 2), set:note(i, 3) }, { 0, 0, 0 })
    for note = 1, 3 do set:set_note(i, note, 2 ^ 32 - 10 * i - note | 0) end
  end
  for i = 1, 10 do
    for note = 1, 3 do luaunit.assertEquals(set:note(i, note), 2 ^ 32 - 10 * i - note) end
    luaunit.assertEquals(set:state(i).at, i - 1)
  end
  luaunit.assertErrorMsgContains("no such note", set.note, set, 1, 4)
  luaunit.assertErrorMsgContains("no such note", set.note, set, 1, 0)
  luaunit.assertErrorMsgContains("no such state", set.note, set, 11, 1)
  luaunit.assertErrorMsgContains("no such state", set.state, set, 0)
  luaunit.assertErrorMsgContains("32 bits", set.set_note, set, 1, 1, 2 ^ 32 | 0)
  luaunit.assertErrorMsgContains("32 bits", set.set_note, set, 1, 1, -1)
end

-- The path 1, 4, 2 by moves 7 and 5: a state may have a later one as its parent.
function StateSet.test_path()
  local set = new({ { name = "at", kind = "integer", low = 0, high = 9 } }, 2)
  for i = 1, 5 do
    set:find { at = i }
    set:add()
  end
  for _, row in ipairs { { 4, 1, 7 }, { 2, 4, 5 }, { 5, 5, 1 } } do
    set:set_note(row[1], 1, row[2])
    set:set_note(row[1], 2, row[3])
  end
  local names = { [5] = "five", [7] = "seven" }
  luaunit.assertEquals({ set:path(2, 1, 2, names, true) }, { { "seven", "five" }, { 1, 4, 2 } })
  luaunit.assertEquals({ set:path(1, 1, 2, names, true) }, { {}, { 1 } })
  luaunit.assertEquals({ set:path(2, 1, 2, names) }, { { "seven", "five" } })
  luaunit.assertErrorMsgContains("no path of parents", set.path, set, 3, 1, 2, names) -- it has no parent
  luaunit.assertErrorMsgContains("no path of parents", set.path, set, 5, 1, 2, names) -- it is its own parent
  luaunit.assertErrorMsgContains("no such note", set.path, set, 2, 1, 3, names)
  luaunit.assertErrorMsgContains("no such state", set.path, set, 6, 1, 2, names)
end

-- A wrong value: the message, the field and the element.
function StateSet.test_what_is_no_state()
  local set = new(mixed)
  local small = board.new(3, 2)
  for _, case in ipairs {
    { "at", -4, "found -4, expected an integer from -3 to 900" },
    { "at", 901, "found 901, expected an integer from -3 to 900" },
    { "at", 3.0, "found 3.0, expected an integer from -3 to 900" },
    { "at", "3", "found '3', expected an integer from -3 to 900" },
    { "at", true, "found true, expected an integer from -3 to 900" },
    { "at", nil, "found nothing, expected an integer from -3 to 900" },
    { "at", print, "found a function, expected an integer from -3 to 900" },
    { "open", 1, "found 1, expected true or false" },
    { "open", nil, "found nothing, expected true or false" },
    { "wall", small, "found a board of 3 x 2, expected a board of 8 x 8" },
    { "wall", 5, "found 5, expected a board of 8 x 8" },
    { "wall", io.stdout, "found a userdata, expected a board of 8 x 8" },
    { "enemy", { 1, 2, 10, 3 }, "found 10, expected an integer from 1 to 9", 3 },
    { "enemy", { 1, 2, 3 }, "found a list of 3, expected a list of 4" },
    { "enemy", { 1, 2, 3, 4, 5 }, "found a list of 5, expected a list of 4" },
    { "enemy", { 1, 2, 3, 4, x = 5 }, "found a list of 4 with other fields, expected a list of 4" },
    { "enemy", 7, "found 7, expected a list of 4" },
    { "enemy", nil, "found nothing, expected a list of 4" },
    { "switch", { true, 0, true }, "found 0, expected true or false", 2 },
    { "ball", { board.new(13, 7), small }, "found a board of 3 x 2, expected a board of 13 x 7", 2 },
    { "nobody", { 1 }, "found a list of 1, expected a list of 0" },
    { "bal", 7, "found 7, expected no field of that name" },
    { 1, true, "found true, expected no field of that name" },
  } do
    local name, value, expected, element = table.unpack(case, 1, 4)
    local state = random_state()
    state[name] = value
    luaunit.assertEquals({ set:find(state) }, { nil, expected, tostring(name), element }, expected)
    luaunit.assertErrorMsgContains("the last call of find found its state", set.add, set)
  end
  luaunit.assertErrorMsgContains("table expected", set.find, set, 7)
  luaunit.assertEquals(#set, 0)
end

-- The errors name the line that is at fault.
function StateSet.test_tables_of_the_set_know_their_fields()
  local set = new { { name = "at", kind = "integer", low = 0, high = 9 }, { name = "e", kind = "flag", count = 2 } }
  set:find { at = 3, e = { true, false } }
  set:add()
  local state = set:state(1)
  local line = debug.getinfo(1, "l").currentline
  local fields = "; its fields: at, e"
  for i, case in ipairs {
    { function() return state.ta end, "the state has no field 'ta'" .. fields },
    { function() state.ta = 1 end, "the state has no field 'ta'" .. fields },
    { function() state[1] = 1 end, "the state has no field 1" .. fields },
    { function() state.e[3] = true end, "the list has no element 3, it has 2" },
    { function() state.e.x = true end, "the list has no element 'x', it has 2" },
    { function() table.insert(state.e, true) end, "the list has no element 3, it has 2" },
  } do
    local ok, message = pcall(case[1])
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(message, case[2])
    if i < 6 then luaunit.assertStrContains(message, ("state_set_test.lua:%d: "):format(line + 2 + i)) end
  end
  luaunit.assertErrorMsgContains("protected", setmetatable, state, {})
  luaunit.assertErrorMsgContains("protected", setmetatable, state.e, nil)
  luaunit.assertIs(getmetatable(state), false)
  local n = 0
  for _ in ipairs(state.e) do n = n + 1 end
  luaunit.assertEquals(n, 2)
  luaunit.assertEquals({ table.unpack(state.e) }, { true, false })
  state.e = { false, false } -- a list of the script's own will do
  luaunit.assertIs(set:find(state), false)
  luaunit.assertEquals(set:add(), 2)
  luaunit.assertEquals({ set:state(2).e[1], set:state(2).e[2] }, { false, false })
end

--- What a move may do to a state with the fields `small`; some is for expand's caller to judge: lists of the script's own, values that
--- no state has, wins, and losses by name.
local small = { { name = "at", kind = "integer", low = 0, high = 5 }, { name = "ball", kind = "board", width = 3, height = 2 },
  { name = "list", kind = "integer", low = 0, high = 2, count = 3 }, { name = "on", kind = "flag" } }
local acts = {
  function(now) now.at = (now.at + 1) % 6 return false end,
  function(now) now.list[now.at % 3 + 1] = now.on and 1 or 2 return false end,
  function(now) now.ball, now.on = now.ball:with(now.at % 3 + 1, 2), not now.on return false end,
  function(now) now.at, now.list[1] = 0, 0 return false, true end,
  function() return false, false end,
  function(now) now.list = { now.list[3], 1, now.list[1] } return false end,
  function(now) now.at = now.at + 4 return false end,
  function(now) now.list[2] = nil return false end,
  function(now) now.at = 0 return false, { drowned = true } end,
  function(now) now.on = 1 return true end,
}

--- Makes each move from a state, by successor and find.
local function by_find(set, index, moves)
  local events, duplicates, lost = {}, 0, 0
  for move, name in ipairs(moves) do
    local after = set:successor(set:state(index))
    local won, loses = acts[name](after)
    local found = not won and not loses and set:find(after)
    if loses == true then lost = lost + 1 end
    if name == 6 or won or type(loses) == "table" or found == nil then table.insert(events, move) end
    if found and name ~= 6 then duplicates = duplicates + 1 end
    if found == false and not won and not loses then set:add(index, move) end
  end
  return { events, duplicates, lost }
end

--- The same by expand, which leaves the events to its caller.
local function by_expand(set, index, moves)
  local events, duplicates, lost, move = {}, 0, 0, 0
  repeat
    local more, losses, limit, after, won, loses
    move, more, losses, limit, after, won, loses = set:expand(index, move + 1, 1 << 30)
    duplicates, lost = duplicates + more, lost + losses
    luaunit.assertNil(limit)
    if after then table.insert(events, move) end
    if after and not won and not loses and set:find(after) == false then set:add(index, move) end
  until move == #moves
  return { events, duplicates, lost }
end

local function all_of(set)
  local rows = {}
  for i = 1, #set do
    local state = set:state(i)
    rows[i] = ("%d %s %s %s %d %d"):format(state.at, state.ball, table.concat(state.list, ","), state.on, set:note(i, 1), set:note(i, 2))
  end
  return table.concat(rows, "\n")
end

function StateSet.test_expand_does_what_successor_and_find_do()
  local kinds = {}
  for _ = 1, 40 do
    local one, other, moves, calls = new(small, 2), new(small, 2), {}, 0
    for i = 1, math.random(1, 8) do moves[i] = math.random(#acts) end
    local start = { at = math.random(0, 5), ball = board.new(3, 2), list = { 0, 1, 2 }, on = false }
    for _, set in ipairs { one, other } do set:begin(start, 1 << 30) end
    local level, names = {}, {}
    for i, move in ipairs(moves) do names[i], level["move " .. i] = "move " .. i, move end
    other:steps(function(now, name, given) return acts[given[name] ](now) end, names, level, function() calls = calls + 1 end)
    local index = 1
    while index <= #one and index <= 30 do
      luaunit.assertEquals(by_expand(other, index, moves), by_find(one, index, moves))
      luaunit.assertEquals(calls, index * #moves)
      index = index + 1
    end
    luaunit.assertEquals(all_of(other), all_of(one))
    kinds[#one] = true
  end
  luaunit.assertTrue(next(kinds, next(kinds)) ~= nil) -- not all of one size
end

function StateSet.test_expand_ends_at_limits_and_refuses()
  local function walk(now) now.n = now.n + 1 return false end
  local set = new({ { name = "n", kind = "integer", low = 0, high = 1 << 40 } }, 2)
  set:begin({ n = 0 }, 1 << 30)
  luaunit.assertErrorMsgContains("a set with a step", set.expand, set, 1, 1, 10)
  set:steps(walk, { "on" }, nil, function() end)
  luaunit.assertEquals({ set:expand(1, 1, 2) }, { 1, 0, 0 })
  luaunit.assertEquals({ set:expand(2, 1, 2) }, { 1, 0, 0, "states" })
  luaunit.assertEquals({ set:expand(1, 1, 2) }, { 1, 1, 0 })
  luaunit.assertErrorMsgContains("no such state", set.expand, set, 3, 1, 2)
  luaunit.assertErrorMsgContains("the number of a move", set.expand, set, 1, 2, 2)
  local plain = new { { name = "n", kind = "flag" } }
  plain:begin({ n = true }, 1 << 30)
  luaunit.assertErrorMsgContains("two notes", plain.expand, plain, 1, 1, 2)
  set:begin({ n = 0 }, 5000)
  local last = { set:expand(1, 1, 1 << 30) }
  while not last[4] do last = { set:expand(#set, 1, 1 << 30) } end
  luaunit.assertEquals(last, { 1, 0, 0, "bytes" })
  luaunit.assertTrue(select(3, set:size()) <= 5000)
  set:steps(function() error("a mistake", 0) end, { "on" }, {}, function() end)
  luaunit.assertErrorMsgEquals("a mistake", set.expand, set, 1, 1, 2)
  set:steps(function() set:close() return false end, { "on" }, {}, function() end)
  luaunit.assertErrorMsgContains("the set was closed", set.expand, set, 1, 1, 2)
end

function StateSet.test_limits()
  local flag = { name = "f", kind = "flag" }
  luaunit.assertEquals({ state_set.new({}, 0, 100) }, { nil, "found a state of 0 fields, expected 1 to 10000" })
  local _, message = state_set.new({ { name = "f", kind = "flag", count = 10001 } }, 0, 1 << 30)
  luaunit.assertStrContains(message, "more than 10000 bits")
  luaunit.assertEquals(select(2, new({ { name = "f", kind = "flag", count = 10000 } }):size()), 10000)
  local _, range = state_set.new({ { name = "f", kind = "integer", low = 2, high = 1 } }, 0, 1 << 30)
  luaunit.assertStrContains(range, "the range 2 to 1")
  local set = new({ flag, { name = "n", kind = "integer", low = 0, high = 1 << 40 } }, 2, 5000)
  local n = 0
  repeat
    luaunit.assertIs(set:find { f = true, n = n }, false)
    n = n + 1
  until not set:add()
  luaunit.assertEquals(#set, n - 1)
  luaunit.assertTrue(n > 100 and select(3, set:size()) <= 5000)
  luaunit.assertIs(set:find { f = true, n = n - 1 }, false)
  luaunit.assertEquals(set:find { f = true, n = n - 2 }, n - 1)
end

function StateSet.test_a_closed_set()
  local set = new { { name = "f", kind = "flag" } }
  do
    local closing <close> = set
  end
  luaunit.assertEquals(tostring(set), "set of states (closed)")
  luaunit.assertErrorMsgContains("the set was closed", set.find, set, { f = true })
  luaunit.assertErrorMsgContains("the set was closed", set.size, set)
  set:close()
end

function StateSet.test_wrong_descriptions_raise()
  for _, case in ipairs {
    { { { name = "f", kind = "float" } }, "float" }, { { { kind = "flag" } }, "string expected" }, { { 5 }, "table expected" },
    { { { name = "b", kind = "board", width = 65, height = 1 } }, "1 to 64" },
    { { { name = "b", kind = "board", width = 1, height = 0 } }, "1 to 64" },
    { { { name = "b", kind = "board", width = 1 } }, "field.height" },
    { { { name = "i", kind = "integer", low = 1.5, high = 3 } }, "field.low" },
    { { { name = "i", kind = "flag", count = -1 } }, "field.count" },
  } do
    luaunit.assertErrorMsgContains(case[2], state_set.new, case[1], 0, 100)
  end
end

return { StateSet = StateSet }
