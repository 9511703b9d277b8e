-- Tests of libcrux.vector: arithmetic on columns, selection, missing values, and what is refused.
local luaunit = require "luaunit"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local nan, inf = 0 / 0, math.huge

--- The elements as a list; NaN as the text "NaN", which can be compared.
local function list(v)
  local values = {}
  for i = 1, #v do values[i] = v[i] == v[i] and v[i] or "NaN" end
  return values
end

local Vector = {}

function Vector.test_elements()
  local v = vector.of { 1, -2.5, nan, inf, "0x10" + 0 }
  luaunit.assertEquals(#v, 5)
  luaunit.assertEquals(list(v), { 1, -2.5, "NaN", inf, 16 })
  luaunit.assertEquals(math.type(v[1]), "float")
  luaunit.assertEquals(v[2.0], -2.5)
  luaunit.assertEquals(tostring(v), "vector of 5")
  for _, outside in ipairs { 0, -1, 6, math.maxinteger, math.mininteger, 1.5, nan } do luaunit.assertNil(v[outside]) end
  luaunit.assertNil(v.nothing)
  luaunit.assertEquals(#vector.of {}, 0)
end

-- Doubles that say how they are computed: integer results are exact, the others are libm's own.
function Vector.test_arithmetic()
  local a, b = vector.of { 4, -9, 0.5 }, vector.of { 2, 3, 8 }
  for _, case in ipairs {
    { a + b, { 6, -6, 8.5 } }, { a + 1, { 5, -8, 1.5 } }, { 1 + a, { 5, -8, 1.5 } },
    { a - b, { 2, -12, -7.5 } }, { a - 1, { 3, -10, -0.5 } }, { 1 - a, { -3, 10, 0.5 } },
    { a * b, { 8, -27, 4 } }, { a * 2, { 8, -18, 1 } }, { 2 * a, { 8, -18, 1 } },
    { a / b, { 2, -3, 0.0625 } }, { a / 2, { 2, -4.5, 0.25 } }, { 18 / b, { 9, 6, 2.25 } },
    { a ^ b, { 16, -729, 0.00390625 } }, { a ^ 2, { 16, 81, 0.25 } }, { 2 ^ b, { 4, 8, 256 } }, { a ^ 0, { 1, 1, 1 } },
    { -a, { -4, 9, -0.5 } }, { -(-a), { 4, -9, 0.5 } },
    { vector.sqrt(b * 2), { 2, math.sqrt(6), 4 } },
    { vector.abs(a), { 4, 9, 0.5 } }, { vector.min(a, b), { 2, -9, 0.5 } }, { vector.max(1, a), { 4, 1, 1 } }, { a:equal(4), { 1, 0, 0 } },
    { vector.exp(b), { math.exp(2), math.exp(3), math.exp(8) } },
    { vector.log_gamma(vector.of { 1, 2, 0 }), { 0, 0, "NaN" } },
    { vector.log(b), { math.log(2), math.log(3), math.log(8) } },
  } do
    luaunit.assertEquals(list(case[1]), case[2])
  end
  luaunit.assertEquals({ list(a), list(b) }, { { 4, -9, 0.5 }, { 2, 3, 8 } }) -- the operands stay as they are
end

function Vector.test_functions_of_numbers()
  luaunit.assertEquals({ vector.log(1), vector.sqrt(9), vector.exp(0) }, { 0, 3, 1 })
  luaunit.assertAlmostEquals(vector.log_gamma(6), math.log(120), 1e-14)
  luaunit.assertAlmostEquals(vector.digamma(3) - vector.digamma(2), 1 / 2, 1e-15)
  luaunit.assertAlmostEquals(vector.trigamma(1), math.pi ^ 2 / 6, 1e-15)
  luaunit.assertIsNaN(vector.sqrt(-1))
end

function Vector.test_squares_are_products()
  math.randomseed(11)
  local values = {}
  for i = 1, 1000 do values[i] = (math.random() - 0.5) * 10.0 ^ math.random(-20, 20) end
  local v = vector.of(values)
  luaunit.assertEquals(list(v ^ 2), list(v * v)) -- to the last bit, as in R
end

-- IEEE 754 decides.
function Vector.test_missing_and_infinite_values()
  local v = vector.of { nan, inf, -inf, 0, -1 }
  for _, case in ipairs {
    { v + 1, { "NaN", inf, -inf, 1, 0 } },
    { v - v, { "NaN", "NaN", "NaN", 0, 0 } },
    { v * 0, { "NaN", "NaN", "NaN", 0, -0.0 } },
    { 1 / v, { "NaN", 0, -0.0, inf, -1 } },
    { v ^ 0.5, { "NaN", inf, inf, 0, "NaN" } },
    { v ^ 0, { 1, 1, 1, 1, 1 } },
    { vector.log(v), { "NaN", inf, "NaN", -inf, "NaN" } },
    { vector.sqrt(v), { "NaN", inf, "NaN", 0, "NaN" } },
    { vector.exp(v), { "NaN", inf, 0, 1, math.exp(-1) } },
  } do
    luaunit.assertEquals(list(case[1]), case[2])
  end
end

--- Rounding is made up for, as in Neumaier's example; what is missing stays missing.
function Vector.test_sum_and_extremes()
  luaunit.assertEquals(vector.of({ 1, 1e100, 1, -1e100, 0.5 }):sum(), 2.5)
  luaunit.assertEquals({ vector.of({}):sum(), vector.of({ 1, inf }):sum() }, { 0, inf })
  luaunit.assertEquals(list(vector.max(vector.of { nan, 1, 5 }, vector.of { 1, nan, 2 })), { "NaN", "NaN", 5 })
  luaunit.assertEquals(list(vector.of({ 2, nan, inf }):equal(2)), { 1, "NaN", "NaN" })
end

function Vector.test_fill()
  luaunit.assertEquals(list(vector.fill(3, 1.5)), { 1.5, 1.5, 1.5 })
  luaunit.assertEquals(#vector.fill(0, 1), 0)
end

function Vector.test_concat()
  luaunit.assertEquals(list(vector.concat { vector.of { 1, 2 }, vector.of {}, vector.of { nan, 4 } }), { 1, 2, "NaN", 4 })
  luaunit.assertEquals(#vector.concat {}, 0)
end

function Vector.test_complete()
  local none = vector.of { 1, 2, 3, 4 }
  luaunit.assertNil(vector.complete { none })
  luaunit.assertNil(vector.complete { none, vector.of { inf, -inf, 0, 0 } }) -- infinite is not missing
  luaunit.assertNil(vector.complete {})
  luaunit.assertNil(vector.complete { vector.of {} })
  for _, case in ipairs {
    { { { nan, 2, 3, 4 } }, { 2, 3, 4 } },
    { { { 1, 2, 3, 4 }, { 1, 2, 3, nan }, { 1, nan, 3, nan } }, { 1, 3 } },
    { { { nan, nan, 3, 4 }, { 1, 2, nan, nan } }, {} },
  } do
    local vectors = {}
    for i, values in ipairs(case[1]) do vectors[i] = vector.of(values) end
    luaunit.assertEquals(list(vector.complete(vectors)), case[2])
  end
end

function Vector.test_signs()
  luaunit.assertNil(vector.of({ 1, 0.5, inf }):positive())
  luaunit.assertNil(vector.of({}):positive())
  luaunit.assertEquals(list(vector.of({ 1, 0, -1, nan, 2 }):positive()), { 1, 5 })
  luaunit.assertNil(vector.of({ 1, 0, -0.0, nan }):first_negative())
  luaunit.assertNil(vector.of({}):first_negative())
  luaunit.assertEquals(vector.of({ 1, nan, -2, -3 }):first_negative(), 3)
end

function Vector.test_spread()
  luaunit.assertEquals(list(vector.of { 10, 20 }:spread(vector.of { 3, 1 }, 4)), { 20, "NaN", 10, "NaN" })
  luaunit.assertErrorMsgContains("index outside the vector", function() vector.of { 1 }:spread(vector.of { 3 }, 2) end)
end

function Vector.test_outside()
  local v, w = vector.of { 1, 0 / 0, 3, 4 }, vector.of { 5, 7, 5, 5 }
  luaunit.assertEquals(list(vector.outside({ v, w }, vector.of { 1, 5 }, vector.of { 3, 6 })), { 2, 4 })
  luaunit.assertEquals(#vector.outside({}, vector.of {}, vector.of {}), 0)
end

function Vector.test_largest()
  local v = vector.of { 2, 7, 1, 7, 3 }
  luaunit.assertEquals(list(v:largest(3)), { 2, 4, 5 })
  luaunit.assertEquals({ #v:largest(9), #v:largest(0), #vector.of({}):largest(1) }, { 5, 0, 0 })
  luaunit.assertEquals(list(vector.of({ 0 / 0, -1, 0 / 0, 5 }):largest(4)), { 4, 2, 1, 3 }) -- NaN is the least
end

--- As sorting by size and place lists them, in long vectors, too.
function Vector.test_largest_of_many()
  local stream = random.new(1)
  for case = 1, 60 do
    local numbers, order, n, count = {}, {}, stream:integer(1, 1000), stream:integer(1, 30)
    for i = 1, n do numbers[i], order[i] = case % 2 == 0 and stream:integer(0, 9) or i, i end
    table.sort(order, function(a, b)
      if numbers[a] ~= numbers[b] then return numbers[a] > numbers[b] end
      return a < b
    end)
    luaunit.assertEquals(list(vector.of(numbers):largest(count)), table.move(order, 1, math.min(n, count), 1, {}))
  end
end

function Vector.test_gather()
  local v = vector.of { 10, 20, nan }
  luaunit.assertEquals(list(v:gather(vector.of { 3, 1, 1, 2 })), { "NaN", 10, 10, 20 })
  luaunit.assertEquals(#v:gather(vector.of {}), 0)
  for _, outside in ipairs { 0, 4, -1, 0.5, nan, inf, -inf } do
    luaunit.assertErrorMsgContains("index outside the vector", v.gather, v, vector.of { 1, outside })
  end
end

function Vector.test_first_nonfinite()
  for _, case in ipairs {
    { {}, nil }, { { 1, 2 }, nil }, { { 1, nan, inf }, 2 }, { { inf }, 1 }, { { 1, 2, -inf }, 3 },
    { { 1.7976931348623157e308, 5e-324 }, nil },
  } do
    luaunit.assertEquals(vector.of(case[1]):first_nonfinite(), case[2])
  end
end

function Vector.test_what_is_refused()
  local v, shorter = vector.of { 1, 2 }, vector.of { 1 }
  for _, case in ipairs {
    { "vectors of different lengths", function() return v + shorter end },
    { "vectors of different lengths", function() return v ^ shorter end },
    { "vectors of different lengths", vector.complete, { v, shorter } },
    { "crux.vector expected", function() return v * {} end },
    { "crux.vector expected", function() return v - "1" end },
    { "crux.vector expected", function() return nil / v end },
    { "crux.vector expected", vector.concat, { v, 1 } },
    { "crux.vector expected", vector.complete, { v, {} } },
    { "crux.vector expected", vector.log, {} },
    { "crux.vector expected", v.gather, v, { 1 } },
    { "element 2 is no number", vector.of, { 1, {}, 3 } },
    { "element 1 is no number", vector.of, { "one" } },
    { "table expected", vector.of, 1 },
    { "a length is not negative", vector.fill, -1, 0 },
    { "number has no integer representation", vector.fill, 1.5, 0 },
    { "number expected", vector.fill, 1, nil },
    { "does not fit into memory", vector.fill, math.maxinteger, 0 },
  } do
    luaunit.assertErrorMsgContains(case[1], table.unpack(case, 2, 4))
  end
end

return { Vector = Vector }
