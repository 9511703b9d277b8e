-- Tests of libcrux.minimise: problems solved by hand and NIST's Misra1a, bounds that hold, limits, functions that raise or have no numbers.
local luaunit = require "luaunit"
local minimise = require "libcrux.minimise"
local vector = require "libcrux.vector"

local Minimise = {}

local inf <const> = math.huge

--- Solves a problem: residuals(x) returns their list.
---@return string status
---@return number[] x
---@return integer evaluations
local function solve(by, start, count, residuals, options)
  local free = vector.fill(#start, inf)
  local asked = { by = by, start = vector.of(start), low = -free, high = free, residuals = count, most_evaluations = 100000,
    evaluate = function(x) return vector.of(residuals(x)) end }
  for name, value in pairs(options or {}) do asked[name] = type(value) == "table" and vector.of(value) or value end
  return minimise.squares(asked)
end

--- Calls a function with both methods.
local function by_both(check)
  for _, by in ipairs { "gradient", "simplex" } do check(by) end
end

--- Rosenbrock's valley: (1, 1) is the one place where all residuals are 0.
local function valley(x) return { 10 * (x[2] - x[1] ^ 2), 1 - x[1] } end

function Minimise.test_valley()
  by_both(function(by)
    local status, x, evaluations = solve(by, { -1.2, 1 }, 2, valley)
    luaunit.assertEquals(status, "converged")
    luaunit.assertAlmostEquals(x[1], 1, 1e-6)
    luaunit.assertAlmostEquals(x[2], 1, 1e-6)
    luaunit.assertTrue(evaluations > 0 and evaluations < 10000)
  end)
end

--- NIST, Statistical Reference Datasets, nonlinear regression: Misra1a, y = a (1 - exp(-b x)).
local misra_y = { 10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78 }
local misra_x = { 77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0 }

local function misra(b)
  local residuals = {}
  for i, x in ipairs(misra_x) do residuals[i] = misra_y[i] - b[1] * (1 - math.exp(-b[2] * x)) end
  return residuals
end

function Minimise.test_misra()
  for _, bounds in ipairs { {}, { low = { 0, 0 } }, { low = { 0, 0 }, high = { 1000, 1 } } } do -- none is met
    local status, b = solve("gradient", { 500, 0.0001 }, 14, misra, bounds)
    luaunit.assertEquals(status, "converged")
    luaunit.assertAlmostEquals(b[1] / 2.3894212918E+02, 1, 1e-9)
    luaunit.assertAlmostEquals(b[2] / 5.5015643181E-04, 1, 1e-9)
  end
end

--- Derivatives of a (1 - exp(-b x)) against those by hand; on one side at a bound.
function Minimise.test_jacobian()
  for _, bounds in ipairs { { -inf, inf, -inf, inf, 1e-9 }, { 240, 1000, 0, 5e-4, 1e-5 } } do
    local columns = minimise.jacobian { start = vector.of { 240, 5e-4 }, low = vector.of { bounds[1], bounds[3] },
      high = vector.of { bounds[2], bounds[4] }, residuals = 14, evaluate = function(x) return vector.of(misra(x)) end }
    for i, x in ipairs(misra_x) do
      local rest = math.exp(-5e-4 * x)
      luaunit.assertAlmostEquals(columns[1][i] / (rest - 1), 1, bounds[5])
      luaunit.assertAlmostEquals(columns[2][i] / (-240 * x * rest), 1, bounds[5])
    end
  end
end

--- The valley with x at most 0.5: the best is (0.5, 0.25), where the bound is met.
function Minimise.test_met_bound()
  for _, low in ipairs { { -inf, -inf }, { -2, -inf } } do
    by_both(function(by)
      local status, x = solve(by, { -1.2, 1 }, 2, valley, { low = low, high = { 0.5, inf } })
      luaunit.assertTrue(status == "converged" and x[1] <= 0.5)
      luaunit.assertAlmostEquals(x[1], 0.5, 5e-5)
      luaunit.assertAlmostEquals(x[2], 0.25, 5e-5)
    end)
  end
end

--- A corner where gradients mislead. The best is (3, 0).
function Minimise.test_corner()
  local function corner(x) return { math.sqrt(math.abs(x[1] - 3) + 2 * math.abs(x[2] - x[1] + 3)) } end
  local status, x, evaluations = solve("simplex", { 10, -4 }, 1, corner)
  luaunit.assertEquals(status, "converged")
  luaunit.assertAlmostEquals(x[1], 3, 3e-6)
  luaunit.assertAlmostEquals(x[2], 0, 1e-6)
  local _, again, same = solve("simplex", { 10, -4 }, 1, corner)
  luaunit.assertEquals({ again[1], again[2], same }, { x[1], x[2], evaluations })
  luaunit.assertEquals({ solve("gradient", { 10, -4 }, 1, corner) }, { nil, "too many residuals, or too few" })
end

--- log(x) - log(2) has no numbers below 0, where the first steps lead from far away.
local function logarithm(x) return { math.log(x[1]) - math.log(2), math.log(x[1]) - math.log(2) } end

function Minimise.test_no_numbers()
  by_both(function(by)
    local status, x = solve(by, { 50 }, 2, logarithm)
    luaunit.assertEquals(status, "converged")
    luaunit.assertAlmostEquals(x[1], 2, 2e-6)
  end)
end

function Minimise.test_ends()
  by_both(function(by)
    for most = 1, 7 do
      local calls = 0
      luaunit.assertErrorMsgEquals("enough", solve, by, { 50 }, 2, function(x)
        calls = calls + 1
        if calls == most then error("enough", 0) end
        return logarithm(x)
      end)
      luaunit.assertEquals(calls, most)
      local status, x, evaluations = solve(by, { 50 }, 2, logarithm, { most_evaluations = most })
      luaunit.assertEquals({ status, evaluations }, { "limit", most })
      luaunit.assertTrue(x[1] > 0 and x[1] < inf)
    end
  end)
end

--- a x / (x + b) for x^2, which curves the other way: the larger a and b, the better.
function Minimise.test_growth_without_end()
  local function saturation(b)
    local residuals = {}
    for x = 1, 10 do residuals[x] = x * x - b[1] * x / (x + b[2]) end
    return residuals
  end
  for _, low in ipairs { { 0, 0 }, { -inf, -inf } } do
    by_both(function(by)
      local status, b, evaluations = solve(by, { 10, 5 }, 10, saturation, { low = low })
      luaunit.assertEquals(status, "away")
      luaunit.assertTrue(b[2] > 5000 and evaluations < 3000)
    end)
  end
end

return { Minimise = Minimise }
