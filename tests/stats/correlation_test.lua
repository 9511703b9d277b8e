-- Tests of lua/crux/stats/correlation.lua: all three against R's cor.test, by hand, and at their limits.
local correlation = require "crux.stats.correlation"
local dataset = require "crux.data.dataset"
local luaunit = require "luaunit"
local vector = require "libcrux.vector"

local reference = dofile "tests/reference/r_reference.lua"
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

--- Columns of a test: lists, or x = 1 .. n and y by a rule.
local function columns(case)
  if case.x then return case.x, case.y end
  local x, y = {}, {}
  for i = 1, case.n do x[i], y[i] = i, i * case.factor % case.prime end
  return x, y
end

function Correlation.test_cor_test_as_in_r()
  luaunit.assertEquals(#reference.tests, 46)
  for i, case in ipairs(reference.tests) do
    local x, y = columns(case)
    local found = { pearson = pearson(x, y) }
    found.pearson_p = correlation.pearson_p(found.pearson, #x)
    found.kendall, found.kendall_p = correlation.kendall(x, vector.of(y))
    found.spearman, found.spearman_p = correlation.spearman(vector.of(x), y)
    for key, value in pairs(found) do
      if case[key] then luaunit.assertAlmostEquals(value, case[key], 1e-13, ("case %d, %s"):format(i, key)) end
      if case[key] and case[key] > 1e-300 and key:find "_p$" then -- small ones have as many digits, unless R loses them
        local lost = key == "kendall_p" and case[key] < 1e-6 or case.pearson == 1 or case.pearson == -1
        luaunit.assertTrue(lost or math.abs(value / case[key] - 1) < 1e-9, ("case %d, %s: %g"):format(i, key, value))
      end
    end
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
      for _, method in ipairs { correlation.kendall, correlation.spearman } do
        local r, p = method(x, constant)
        luaunit.assertIsNaN(r, what)
        luaunit.assertIsNaN(p, what)
      end
    end
  end
end

function Correlation.test_no_correlation_of_fewer_than_two_rows()
  luaunit.assertIsNaN(pearson({ 1 }, { 2 }))
  luaunit.assertIsNaN(pearson({}, {}))
  luaunit.assertIsNaN((correlation.kendall({ 1 }, { 2 })))
  luaunit.assertIsNaN((correlation.spearman({}, {})))
  luaunit.assertIsNaN(correlation.pearson_p(1, 2))
end

-- Nearly constant is not constant: differences of a few units in the eighth digit.
function Correlation.test_small_differences_count()
  luaunit.assertAlmostEquals(pearson({ 1, 2, 3 }, { 1e8 + 1, 1e8 + 3, 1e8 + 2 }), 0.5, 1e-12)
end

return { Correlation = Correlation }
