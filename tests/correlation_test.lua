-- Tests of lua/crux/correlation.lua: Pearson's r against R, by hand, and at its limits.
local correlation = require "crux.correlation"
local dataset = require "crux.dataset"
local luaunit = require "luaunit"
local vector = require "libcrux.vector"

local reference = dofile "tests/data/r_reference.lua"
local pearson = correlation.pearson

local Correlation = {}

function Correlation.test_as_in_r()
  luaunit.assertEquals(#reference.correlations, 4)
  for _, case in ipairs(reference.correlations) do
    local numbers = dataset.open(case.data):blocks { numbers = { case.x, case.y, case.weights } }().numbers
    local r = pearson(numbers[case.x], numbers[case.y], case.weights and numbers[case.weights])
    luaunit.assertAlmostEquals(r, case.pearson, 1e-14)
    local reversed = pearson(numbers[case.y], numbers[case.x], case.weights and numbers[case.weights])
    luaunit.assertAlmostEquals(reversed, r, 1e-15)
  end
end

-- x' = -1 0 1, y' = -1 1 0: r = 1 / 2. Weights 1 2 1: means 2 and 10 / 4, sums of squares 2 and 3, of products 1.
function Correlation.test_by_hand()
  luaunit.assertAlmostEquals(pearson({ 1, 2, 3 }, { 1, 3, 2 }), 0.5, 1e-15)
  luaunit.assertAlmostEquals(pearson({ 1, 2, 3 }, { 1, 3, 3 }, { 1, 2, 1 }), 2 / math.sqrt(2 * 3), 1e-15)
  luaunit.assertEquals(pearson({ 1, 2, 1, 2 }, { 1, 1, 2, 2 }), 0)
end

-- A weight counts a row that many times.
function Correlation.test_weights_repeat_rows()
  math.randomseed(4)
  local x, y, w, all_x, all_y = {}, {}, {}, {}, {}
  for i = 1, 30 do
    x[i], y[i], w[i] = math.random(), math.random(), math.random(0, 4)
    for _ = 1, w[i] do
      table.insert(all_x, x[i])
      table.insert(all_y, y[i])
    end
  end
  luaunit.assertAlmostEquals(pearson(x, y, w), pearson(all_x, all_y), 1e-14)
end

function Correlation.test_perfect()
  math.randomseed(5)
  for _ = 1, 100 do
    local x, up, down = {}, {}, {}
    local scale, shift = 10.0 ^ math.random(-12, 12), (math.random() - 0.5) * 100
    for i = 1, 20 do
      x[i] = math.random()
      up[i], down[i] = scale * x[i] + scale * shift, shift - scale * x[i]
    end
    luaunit.assertAlmostEquals(pearson(x, up), 1, 1e-12)
    luaunit.assertTrue(pearson(x, x) <= 1 and pearson(x, x) > 1 - 1e-15)
    luaunit.assertTrue(pearson(x, up) <= 1 and pearson(x, down) >= -1)
  end
  luaunit.assertEquals({ pearson({ 1, 2 }, { 5, 9 }), pearson({ 1, 2 }, { 9, 5 }) }, { 1, -1 })
end

function Correlation.test_no_correlation_of_a_constant()
  for _, n in ipairs { 2, 7, 100, 20000 } do -- however rounding adds up
    local x = {}
    for i = 1, n do x[i] = 0.1 + i / 7 end
    for _, value in ipairs { 0, 1, 0.1, 1 / 3, 4.7, -1e-300 } do
      local constant, what = vector.fill(n, value), ("%d times %g"):format(n, value)
      luaunit.assertIsNaN(pearson(x, constant), what)
      luaunit.assertIsNaN(pearson(constant, x), what)
      luaunit.assertIsNaN(pearson(constant, x, x), what)
    end
  end
end

function Correlation.test_no_correlation_of_fewer_than_two_rows()
  luaunit.assertIsNaN(pearson({ 1 }, { 2 }))
  luaunit.assertIsNaN(pearson({}, {}))
end

-- Nearly constant is not constant: differences of a few units in the eighth digit.
function Correlation.test_small_differences_count()
  luaunit.assertAlmostEquals(pearson({ 1, 2, 3 }, { 1e8 + 1, 1e8 + 3, 1e8 + 2 }), 0.5, 1e-12)
end

return { Correlation = Correlation }
