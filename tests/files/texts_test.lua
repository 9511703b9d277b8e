-- Tests of libcrux.texts: columns of text, and numbers of names.
local csv = require "libcrux.csv"
local luaunit = require "luaunit"
local texts = require "libcrux.texts"
local vector = require "libcrux.vector"

local function list(values) return table.move(values, 1, #values, 1, {}) end

local Texts = {}

function Texts.test_elements()
  local column = texts.of { "a", "", "two\nlines", "größe" }
  luaunit.assertEquals(list(column), { "a", "", "two\nlines", "größe" })
  luaunit.assertEquals({ column[0], column[5], column.other }, {})
  luaunit.assertEquals(list(column:gather(vector.of { 4, 1, 1 })), { "größe", "a", "a" })
  luaunit.assertEquals(list(texts.concat { column, texts.of {}, texts.of { "b" } }), { "a", "", "two\nlines", "größe", "b" })
  luaunit.assertErrorMsgContains("element 2 is no text", texts.of, { "a", 1 })
  luaunit.assertErrorMsgContains("index outside the column", column.gather, column, vector.of { 5 })
end

function Texts.test_numbers()
  local numbers, wrong = texts.of { " 1.5 ", "", "NA", "x", "1e999" }:numbers()
  luaunit.assertEquals({ numbers[1], numbers[4], wrong }, { 1.5, 0, 4 })
  luaunit.assertTrue(numbers[2] ~= numbers[2] and numbers[3] ~= numbers[3])
  luaunit.assertEquals(select("#", texts.of { "1" }:numbers()), 1)
end

-- More names than the table of numbers has slots at first.
function Texts.test_names()
  local names, words, expected = texts.names(), {}, {}
  luaunit.assertEquals(list(names:numbers(texts.of { "b", "a", "b", "" })), { 1, 2, 1, 3 })
  for i = 1, 1000 do words[i], expected[i] = "name " .. i % 500, 3 + i % 500 end
  expected[500], expected[1000] = 503, 503
  for i = 1, 499 do expected[i], expected[500 + i] = 3 + i, 3 + i end
  luaunit.assertEquals(list(names:numbers(texts.of(words))), expected)
  local all = names:texts()
  luaunit.assertEquals({ #all, all[1], all[2], all[3], all[4], all[503] }, { 503, "b", "a", "", "name 1", "name 0" })
end

function Texts.test_exact()
  luaunit.assertEquals({ csv.exact(nil), csv.exact(0 / 0), csv.exact(3), csv.exact(0.1), csv.exact(-1 / 0) },
    { "", "", "3", "0.1", "-Inf" })
end

return { Texts = Texts }
