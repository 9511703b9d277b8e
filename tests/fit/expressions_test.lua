--- Expressions of measures, and the sums of them that fit best, beside slow searches by definition.
local expressions = require "libcrux.expressions"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local Expressions = {}

--- The expressions of lists of numbers, as texts in the order of the search.
local function made(columns, nodes, ranges, most, units)
  local vectors, low, high = {}, {}, {}
  for i, column in ipairs(columns) do
    vectors[i] = vector.of(column)
    low[i], high[i] = vectors[i]:range()
    if ranges then low[i], high[i] = table.unpack(ranges[i]) end
  end
  return assert(expressions.new(vectors, vector.of(low), vector.of(high),
    units and vector.of(units) or vector.fill(#columns, 0 / 0), nodes, most or 10000))
end

local function text(list, index)
  local kind, left, right = list:at(index)
  if kind == "measure" then return ("abc"):sub(left, left) end
  if #kind == 1 then return ("(%s%s%s)"):format(text(list, left), kind, text(list, right)) end
  return ("%s(%s)"):format(kind, text(list, left))
end

local function texts(list)
  local found = {}
  for i = 1, (list:size()) do found[i] = text(list, i) end
  return table.concat(found, " ")
end

local a, b = { 1, 2, 4, 7, 3 }, { 5, 2, 3, 4, 9 }

function Expressions.test_all_of_three_nodes_but_lines_of_earlier_ones()
  -- square(sqrt(a)) and sqrt(square(a)) are a, log(sqrt(a)) is a line of log(a), b-a of a-b; log(log(a)) is infinite for 1;
  -- of four nodes there are functions of sums, differences, products and quotients, where log(b/a) is a line of log(a/b)
  luaunit.assertEquals(texts(made({ a, b }, 3)), "a b log(a) sqrt(a) square(a) log(b) sqrt(b) square(b) "
    .. "sqrt(log(a)) square(log(a)) sqrt(sqrt(a)) square(square(a)) log(log(b)) sqrt(log(b)) square(log(b)) sqrt(sqrt(b)) "
    .. "square(square(b)) (a+b) (a-b) (a*b) (a/b) (b/a) log((a+b)) sqrt((a+b)) square((a+b)) square((a-b)) log((a*b)) "
    .. "sqrt((a*b)) square((a*b)) log((a/b)) sqrt((a/b)) square((a/b)) sqrt((b/a)) square((b/a))")
end

function Expressions.test_what_ranges_could_make_infinite_is_left_out()
  luaunit.assertEquals(texts(made({ a, b }, 3, { { 0, 7 }, { -1, 9 } })),
    "a b sqrt(a) square(a) increment(a) square(b) sqrt(sqrt(a)) square(square(a)) log(increment(a)) "
    .. "sqrt(increment(a)) square(increment(a)) square(square(b)) (a+b) (a-b) (a*b) square((a+b)) square((a-b)) "
    .. "square((a*b))")
  -- the difference that is above 0 has a logarithm; (5e199)^2 is more than the largest double
  luaunit.assertStrContains(texts(made({ { 1, 2, 3, 5 }, { 10, 17, 12, 40 } }, 4)), "log((b-a))")
  luaunit.assertEquals(texts(made({ { 1, 2, 3, 5 } }, 2, { { 1, 5e199 } })), "a log(a) sqrt(a)")
end

function Expressions.test_1_is_added_to_what_may_be_0()
  -- 1 + a is a line of a: it is listed for log(1 + a), and its own increment is not, as it cannot be 0
  luaunit.assertEquals(texts(made({ { 0, 1, 3, 4 } }, 2)), "a sqrt(a) square(a) increment(a)")
  luaunit.assertStrContains(texts(made({ { 0, 1, 3, 4 } }, 3)), "log(increment(a)) sqrt(increment(a)) square(increment(a))")
  -- b is at most a in each row, though their ranges meet: a-b is at least 0, and 1/(1 + a-b) is finite
  local list = texts(made({ { 3, 5, 4, 9, 8 }, { 3, 2, 4, 4, 6 } }, 5))
  luaunit.assertStrContains(list, "log(increment((a-b)))")
  luaunit.assertNotStrContains(texts(made({ { 3, 5, 4, 6, 8 }, { 3, 2, 9, 6, 6 } }, 5)), "increment((a-b))")
end

function Expressions.test_sums_of_unlike_units_are_left_out()
  local nan, columns = 0 / 0, { a, b, { 3, 8, 2, 6, 5 } }
  luaunit.assertStrContains(texts(made(columns, 3, nil, nil, { 1, 2, nan })),
    " (a*b) (a/b) (a+c) (a-c) (a*c) (a/c) (b/a) (b+c) (b-c) (b*c) (b/c) (c/a) (c/b)")
  -- a*b has the unit of a times that of b
  local list = texts(made({ a, b, { 3, 8, 2, 6, 5 } }, 5, nil, nil, { 1, 2, 3 }))
  luaunit.assertStrContains(list, "(c+(a*b))")
  luaunit.assertNotStrContains(list, "(a+(b*c))")
end

function Expressions.test_columns_that_are_the_same_and_lines_of_others_are_left_out()
  luaunit.assertEquals(texts(made({ a, { 3, 3, 3, 3, 3 }, { 9, 8, 6, 3, 7 } }, 1)), "a")
end

function Expressions.test_too_many_leave_those_of_fewer_nodes()
  -- tried: 2 measures, 6 functions of them, 17 of these (all but log(log(a))), 5 of both measures
  luaunit.assertEquals({ made({ a, b }, 3, nil, 21):size() }, { 8, 30, 2 })
  -- and 13 functions of the operations: all three of + * / /, the square of -
  luaunit.assertEquals({ made({ a, b }, 3, nil, 33):size() }, { 22, 43, 3 })
  luaunit.assertEquals({ made({ a, b }, 3, nil, 34):size() }, { 34, 43, 4 })
end

--- The weighted squared error of the least-squares fit of columns and ones, over that of ones: by Gram-Schmidt.
local function error_of(columns, weights, response)
  local function product(x, y)
    local sum = 0
    for i, weight in ipairs(weights) do sum = sum + weight * x[i] * y[i] end
    return sum
  end
  local basis = {}
  local function rest(column)
    local left = { table.unpack(column) }
    for _, along in ipairs(basis) do
      local part = product(along, left)
      for i in ipairs(left) do left[i] = left[i] - part * along[i] end
    end
    return left
  end
  local function add(column)
    local left = rest(column)
    local size = math.sqrt(product(left, left))
    for i in ipairs(left) do left[i] = left[i] / size end
    table.insert(basis, left)
  end
  local ones = {}
  for i in ipairs(weights) do ones[i] = 1 end
  add(ones)
  local before = rest(response)
  for _, column in ipairs(columns) do add(column) end
  local after = rest(response)
  return product(after, after) / product(before, before)
end

local function values(list, index, columns)
  local kind, left, right = list:at(index)
  if kind == "measure" then return columns[left] end
  local x, y, result = values(list, left, columns), #kind == 1 and values(list, right, columns), {}
  for i in ipairs(x) do
    result[i] = kind == "+" and x[i] + y[i] or kind == "-" and x[i] - y[i] or kind == "*" and x[i] * y[i]
      or kind == "/" and x[i] / y[i] or kind == "square" and x[i] ^ 2 or math[kind](x[i])
  end
  return result
end

function Expressions.test_sums_of_one_and_two_are_the_best_of_all()
  local draw = random.new(5)
  for _ = 1, 20 do
    local columns, weights, response = { {}, {}, {} }, {}, {}
    for row = 1, 15 do
      for i = 1, 3 do columns[i][row] = 1 + 9 * draw:real() end
      weights[row], response[row] = draw:integer(0, 3), draw:real()
    end
    local list = made(columns, 2)
    local best, nodes = {}, { 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2 }
    local function try(size, ...)
      local taken = {}
      for i, index in ipairs { ... } do taken[i] = values(list, index, columns) end
      local found = error_of(taken, weights, response)
      if not best[size] or found < best[size].error then best[size] = { error = found, terms = { ... } } end
    end
    for i = 1, 12 do
      try(nodes[i], i)
      for j = i + 1, 12 do try(nodes[i] + nodes[j] + 1, i, j) end
    end
    local sums = list:search({ { weights = vector.of(weights), response = vector.of(response) } }, 1)[1]
    luaunit.assertEquals(#sums, 8)
    for _, size in ipairs { 1, 2, 4 } do -- of 3 and 5 nodes there are sums of two and of three terms
      luaunit.assertEquals(sums[size].nodes, size)
      luaunit.assertAlmostEquals(sums[size].error, best[size].error, 1e-5)
      if size < 4 then luaunit.assertEquals({ table.unpack(sums[size]) }, best[size].terms) end
    end
  end
end

function Expressions.test_a_sum_of_three_is_found()
  local draw, columns, response = random.new(3), { {}, {}, {} }, {}
  for row = 1, 60 do
    for i = 1, 3 do columns[i][row] = 1 + 9 * draw:real() end
    response[row] = 2 * columns[1][row] / columns[2][row] - math.log(columns[3][row]) + columns[2][row] * columns[3][row] / 8
  end
  local list = made(columns, 3)
  local sum = list:search({ { weights = vector.fill(60, 1), response = vector.of(response) } }, 2)[1][10]
  luaunit.assertEquals({ text(list, sum[1]), text(list, sum[2]), text(list, sum[3]) }, { "log(c)", "(a/b)", "(b*c)" })
  luaunit.assertAlmostEquals(sum.error, 0, 1e-9)
end

return Expressions
