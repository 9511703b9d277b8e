-- Tests of lua/crux/symbolic/vocabulary.lua: what each word makes of plain values, what it refuses, and that scripts see it.
local board = require "libcrux.board"
local fault = require "crux.base.fault"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local script = require "crux.script.script"
local shell = require "shell"
local state = require "crux.search.state"
local vocabulary = require "crux.symbolic.vocabulary"

vocabulary.enable()
local words = vocabulary.words

local two, other, small = board.new(3, 2, { { 1, 1 }, { 3, 2 } }), board.new(3, 2, { { 1, 1 } }), board.new(2, 2)
local empty = board.new(3, 2)

local Vocabulary = {}

function Vocabulary.test_words()
  local most, least = math.maxinteger, math.mininteger
  for i, case in ipairs {
    { "where", { true, 5, two }, 5 }, { "where", { false, 5, two }, two }, { "where", { false, 5 }, nil },
    { "any", { 0 }, false }, { "any", { -8 }, true }, { "any", { two }, true }, { "any", { empty }, false },
    { "none", { 0 }, true }, { "none", { 1 }, false }, { "none", { two }, false }, { "none", { empty }, true },
    { "eq", { 3, 3 }, true }, { "eq", { 3, 4 }, false }, { "eq", { true, true }, true }, { "eq", { true, false }, false },
    { "eq", { two, other | board.new(3, 2, { { 3, 2 } }) }, true }, { "eq", { two, other }, false },
    { "ne", { 3, 3 }, false }, { "ne", { 3, 4 }, true }, { "ne", { true, true }, false }, { "ne", { false, true }, true },
    { "ne", { two, two }, false }, { "ne", { two, other }, true },
    { "lt", { 2, 3 }, true }, { "lt", { 3, 3 }, false }, { "lt", { 4, 3 }, false }, { "lt", { least, most }, true },
    { "le", { 2, 3 }, true }, { "le", { 3, 3 }, true }, { "le", { 4, 3 }, false },
    { "gt", { 2, 3 }, false }, { "gt", { 3, 3 }, false }, { "gt", { 4, 3 }, true }, { "gt", { most, least }, true },
    { "ge", { 2, 3 }, false }, { "ge", { 3, 3 }, true }, { "ge", { 4, 3 }, true },
    { "min", { 4, 2 }, 2 }, { "min", { 2, 4 }, 2 }, { "min", { 4, 5, 3, 7 }, 3 }, { "min", { 4 }, 4 },
    { "max", { 4, 2 }, 4 }, { "max", { 2, 4 }, 4 }, { "max", { 4, 5, 3, 7 }, 7 }, { "max", { least, most }, most },
    { "abs", { -4 }, 4 }, { "abs", { 4 }, 4 }, { "abs", { 0 }, 0 }, { "abs", { least }, least },
    { "sgn", { -4 }, -1 }, { "sgn", { 0 }, 0 }, { "sgn", { most }, 1 }, { "sgn", { least }, -1 },
    { "count", { 0 }, 0 }, { "count", { -1 }, 64 }, { "count", { 0xF0F }, 8 },
    { "count", { two }, 2 }, { "count", { empty }, 0 },
    { "lookup", { { 7, 8 }, 2 }, 8 }, { "lookup", { { [0] = false }, 0 }, false }, { "lookup", { { two }, 1 }, two },
  } do
    luaunit.assertIs(words[case[1]](table.unpack(case[2])), case[3], ("case %d: %s"):format(i, case[1]))
  end
end

function Vocabulary.test_operators_of_truth_values()
  for _, a in ipairs { true, false } do
    luaunit.assertIs(~a, not a)
    for _, b in ipairs { true, false } do
      luaunit.assertIs(a & b, a and b)
      luaunit.assertIs(a | b, a or b)
      luaunit.assertIs(a ~ b, a ~= b)
    end
  end
end

-- What is raised, after the line that is at fault.
function Vocabulary.test_what_is_refused()
  local function line_of(f, ...)
    local ok, message = pcall(f, ...)
    luaunit.assertFalse(ok)
    return message:match "^tests/trace/vocabulary_test.lua:(%d+): (.*)$"
  end
  local function word(name, ...)
    local result = words[name](...)
    return result
  end
  local line = debug.getinfo(word, "S").linedefined + 1
  for _, case in ipairs {
    { "where", { 1, 2, 3 }, "where: found 1, expected a truth value first" },
    { "where", {}, "where: found nothing, expected a truth value first" },
    { "where", { two, 2, 3 }, "where: found a board of 3 x 2, expected a truth value first" },
    { "any", { true }, "any: found true, expected an integer or a board" },
    { "any", { 1.0 }, "any: found 1.0, expected an integer or a board" },
    { "any", {}, "any: found nothing, expected an integer or a board" },
    { "none", { {} }, "none: found a table, expected an integer or a board" },
    { "none", { random.new(1) }, "none: found a userdata, expected an integer or a board" },
    { "eq", { 1, true }, "eq: found 1 and true, expected two integers, truth values or boards" },
    { "eq", { 1, 1.0 }, "eq: found 1 and 1.0, expected two integers, truth values or boards" },
    { "eq", { "a", "a" }, "eq: found 'a' and 'a', expected two integers, truth values or boards" },
    { "eq", { two }, "eq: found a board of 3 x 2 and nothing, expected two integers, truth values or boards" },
    { "ne", { two, 4 }, "ne: found a board of 3 x 2 and 4, expected two integers, truth values or boards" },
    { "lt", { 1 }, "lt: found 1 and nothing, expected two integers" },
    { "lt", { 1, 2.5 }, "lt: found 1 and 2.5, expected two integers" },
    { "le", { true, 2 }, "le: found true and 2, expected two integers" },
    { "gt", { "1", "2" }, "gt: found '1' and '2', expected two integers" },
    { "ge", { 1, two }, "ge: found 1 and a board of 3 x 2, expected two integers" },
    { "min", {}, "min: found nothing, expected integers" },
    { "min", { 1, 2, 0.5 }, "min: found 1 and 2 and 0.5, expected integers" },
    { "max", { true, 2 }, "max: found true and 2, expected integers" },
    { "abs", { 1.5 }, "abs: found 1.5, expected an integer" },
    { "sgn", { "a\nb" }, "sgn: found a string, expected an integer" },
    { "sgn", { ("x"):rep(41) }, "sgn: found a string, expected an integer" },
    { "count", { false }, "count: found false, expected an integer or a board" },
    { "lookup", { 5, 5 }, "lookup: found 5 and 5, expected a table of the level and an integer" },
    { "lookup", { {}, 1.5 }, "lookup: found a table and 1.5, expected a table of the level and an integer" },
    { "lookup", { { 7 }, 2 }, "lookup: found a table and 2, expected an index at which the table has a value" },
  } do
    local at, message = line_of(word, case[1], table.unpack(case[2]))
    luaunit.assertEquals({ message, tonumber(at) }, { case[3], line })
  end
end

function Vocabulary.test_what_operators_refuse()
  for _, case in ipairs {
    { function() return true & 1 end, "&: found true and 1, expected two truth values" },
    { function() return 1 & true end, "&: found 1 and true, expected two truth values" },
    { function() return false | "x" end, "|: found false and 'x', expected two truth values" },
    { function() return true ~ two end, "~: found true and a board of 3 x 2, expected two truth values" },
    { function() return two & true end, "crux.board expected, got boolean" },
    { function() return two == small or two & small end, "boards of different sizes: 3x2 and 2x2" },
  } do
    luaunit.assertErrorMsgContains(case[2], case[1])
  end
end

function Vocabulary.test_kinds_of_fields()
  local kinds = state.kinds
  local fields = state.fields({ c = kinds.flag, a = kinds.integer(-2, 9), d = kinds.array(3, kinds.board(4, 5)),
    b = kinds.array(0, kinds.flag) }, "here")
  luaunit.assertEquals(fields, { { name = "a", kind = "integer", low = -2, high = 9 },
    { name = "b", kind = "flag", count = 0 }, { name = "c", kind = "flag" },
    { name = "d", kind = "board", width = 4, height = 5, count = 3 } })
  luaunit.assertIs(kinds.integer(-2, 9), kinds.integer(-2, 9))
  local again = state.fields({ d = kinds.array(3, kinds.board(4, 5)), b = kinds.array(0, kinds.flag), c = kinds.flag,
    a = kinds.integer(-2, 9) }, "here")
  luaunit.assertEquals(again, fields)
  luaunit.assertEquals(#state.fields({ c = kinds.flag, a = kinds.integer(-2, 9) }, "here"), 2) -- some of the fields
  luaunit.assertEquals(state.fields({ c = kinds.flag, a = kinds.integer(-2, 8) }, "here")[1].high, 8)
  for _, case in ipairs {
    { kinds.integer, { 2, 1 }, "crux.integer: found 2 and 1, expected two integers, the lower first" },
    { kinds.integer, { 2 }, "crux.integer: found 2 and nil, expected two integers, the lower first" },
    { kinds.integer, { 1, 2.5 }, "crux.integer: found 1 and 2.5, expected two integers, the lower first" },
    { kinds.board, { 65, 1 }, "crux.board: found 65 and 1, expected a width and a height from 1 to 64" },
    { kinds.board, { 5 }, "crux.board: found 5 and nil, expected a width and a height from 1 to 64" },
    { kinds.array, { -1, kinds.flag }, "crux.array: found -1, expected a number of elements from 0 to 10000" },
    { kinds.array, { 10001, kinds.flag }, "crux.array: found 10001, expected a number of elements from 0 to 10000" },
    { kinds.array, { 2, 7 }, "crux.array: found an array of 7, expected flags, integers or boards" },
    { kinds.array, { 2 }, "crux.array: found an array of nil, expected flags, integers or boards" },
    { kinds.array, { 2, kinds.array(2, kinds.flag) },
      "crux.array: found an array of arrays, expected flags, integers or boards" },
  } do
    luaunit.assertErrorMsgContains(case[3], case[1], table.unpack(case[2]))
  end
  for _, case in ipairs {
    { 7, "here: found 7, expected a table of fields" },
    { {}, "here: found no field, expected at least one" },
    { { kinds.flag }, "here: found a field without a name, expected names, as in { at = crux.flag }" },
    { { at = kinds.integer }, "here: field 'at': found a function, expected crux.flag, crux.integer(low, high), "
      .. "crux.board(width, height) or crux.array(n, one of these)" },
  } do
    local ok, err = pcall(state.fields, case[1], "here")
    luaunit.assertFalse(ok)
    luaunit.assertTrue(fault.is(err))
    luaunit.assertEquals(err.message, case[2])
  end
end

-- A game script sees the words and kinds, and truth values with their operators, from its first line on.
function Vocabulary.test_scripts_see_the_words()
  local path = shell.file("words.lua", [[
    local names = { "where", "any", "none", "eq", "ne", "lt", "le", "gt", "ge", "lookup", "min", "max", "abs", "sgn",
      "count", "flag", "integer", "board", "array" }
    for _, name in ipairs(names) do assert(crux[name], name) end
    assert(crux.eq(3, 3) & ~crux.lt(3, 3))
    return crux.game "words"
  ]])
  luaunit.assertEquals(script.load("game", path).name, "words")
end

return { Vocabulary = Vocabulary }
