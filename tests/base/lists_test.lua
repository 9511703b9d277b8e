--- Tests of lua/crux/base/lists.lua and nearest.lua, by hand.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local vector = require "libcrux.vector"

local Test_Lists = {}

function Test_Lists.test_keys_and_fields()
  luaunit.assertEquals(lists.keys { b = 1, a = false, c = 0 }, { "a", "b", "c" })
  luaunit.assertEquals(lists.field { { name = "x", key = 1 }, { name = "y", key = 2 } }, { "x", "y" })
  luaunit.assertEquals(lists.field({ { key = 1 }, { key = 2 } }, "key"), { 1, 2 })
  luaunit.assertEquals(lists.set { "x", 2 }, { x = true, [2] = true })
  luaunit.assertTrue(lists.contains({ 1, 2 }, 2))
  luaunit.assertFalse(lists.contains({}, 2))
end

function Test_Lists.test_copies_are_new()
  local items = { 1, 2, 3 }
  luaunit.assertEquals({ lists.copy(items), lists.copy(items, 2), lists.copy(items, 9) }, { items, { 1, 2 }, items })
  luaunit.assertNotIs(lists.copy(items), items)
end

function Test_Lists.test_later_fields_take_precedence()
  local lying = setmetatable({ c = 4 }, { __pairs = error, __index = error })
  luaunit.assertEquals(lists.merge({ a = 1, b = 2 }, { b = 3 }, lying), { a = 1, b = 3, c = 4 })
end

function Test_Lists.test_sort_is_stable_and_uses_the_next_key_for_equal_ones()
  local rows = { { "b", 1 }, { "a", 1 }, { "b", 0 }, { "c", 1 } }
  local function first(row) return row[1] end
  local function second(row) return row[2] end
  luaunit.assertEquals(lists.sort(lists.copy(rows), second), { rows[3], rows[1], rows[2], rows[4] })
  luaunit.assertEquals(lists.sort(lists.copy(rows), second, first), { rows[3], rows[2], rows[1], rows[4] })
  luaunit.assertEquals(lists.order(4, function(i) return ({ 3, 1, 3, 0 })[i] end), { 4, 2, 1, 3 })
end

function Test_Lists.test_equal_numbers()
  luaunit.assertTrue(lists.all_equal {})
  luaunit.assertTrue(lists.all_equal(vector.of { 2, 2, 2 }))
  luaunit.assertFalse(lists.all_equal { 2, 2, 3 })
end

function Test_Lists.test_lines_break_between_words()
  local function fits(line) return #line <= 7 end
  local function cut(word) return word:sub(1, 7) end
  luaunit.assertEquals(lists.wrap("a bcd efg  incomparable h", fits, cut), { "a bcd", "efg", "incompa", "h" })
  luaunit.assertEquals(lists.wrap("", fits, cut), {})
  luaunit.assertEquals(lists.widest({ "a", "bcd", "ef" }, string.len), 3)
  luaunit.assertEquals(lists.widest({}, string.len), 0)
end

function Test_Lists.test_unknown_names()
  local names = { "size", "colours" }
  luaunit.assertErrorMsgContains("here: found the unknown measure 'sise'; did you mean 'size'?", fault.unknown, "here", "measure",
    "sise", names)
  luaunit.assertErrorMsgContains("found the unknown measure '7'; there are: size, colours", fault.unknown, nil, "measure", 7, names)
  luaunit.assertErrorMsgContains("found no measure; there are: size, colours", fault.unknown, nil, "measure", nil, names)
end

function Test_Lists.test_select_and_concat()
  luaunit.assertEquals(lists.select({ 3, 1, 4, 1 }, function(x) return x > 1 end), { 3, 4 })
  luaunit.assertEquals(lists.select({}, error), {})
  local first = { 1, 2 }
  luaunit.assertEquals(lists.concat(first, {}, { "a" }), { 1, 2, "a" })
  luaunit.assertEquals({ first, lists.concat() }, { { 1, 2 }, {} })
end

--- The first list as it stands, then what is new of the second, once.
function Test_Lists.test_union()
  luaunit.assertEquals(lists.union({ "a", "b", "a" }, { "b", "c", "c" }), { "a", "b", "a", "c" })
  luaunit.assertEquals(lists.union({}, {}), {})
end

--- Keys that are numbers are none; others are told as texts, the least first.
function Test_Lists.test_stranger()
  luaunit.assertEquals(lists.stranger({ "x", [0.5] = 1, a = 1, d = false, c = 2 }, { "a", "b" }), "c")
  luaunit.assertEquals(lists.stranger({ a = 1, [true] = 1 }, { "a" }), "true")
  luaunit.assertNil(lists.stranger({ 1, 2, a = 1 }, { "a", "b" }))
end

return { Test_Lists = Test_Lists }
