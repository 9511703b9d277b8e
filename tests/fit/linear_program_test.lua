--- Tests of libcrux.linear_program: programs solved by hand, random programs against all their vertices, and what is refused.
--- tests/c/fit/linear_program_test.c tests what happens without memory.
local linear_program = require "libcrux.linear_program"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local huge = math.huge

--- Least x + 2 y where x + y >= 1.5 and both are from 0 to 1: x = 1, y = 1/2.
local function program(changes)
  local fields = { matrix = { vector.of { 1, 1 } }, objective = vector.of { 1, 2 }, lower = vector.of { 0, 0 },
    upper = vector.of { 1, 1 }, row_lower = vector.of { 1.5 }, row_upper = vector.of { huge } }
  for key, value in pairs(changes or {}) do fields[key] = value end
  return fields
end

local LinearProgram = {}

function LinearProgram.test_statuses()
  local status, variables, duals, value = linear_program.solve(program())
  luaunit.assertEquals({ status, variables[1], variables[2], duals[1], value }, { "optimal", 1, 0.5, 2, 2 })
  luaunit.assertEquals({ linear_program.solve(program { row_lower = vector.of { 2.5 } }) }, { "infeasible" })
  luaunit.assertEquals({ linear_program.solve(program { objective = vector.of { -1, 0 }, upper = vector.of { huge, huge } }) },
    { "unbounded" })
end

--- Hillier and Lieberman's Wyndor Glass: 3x + 5y at most, by x = 2, y = 6; in small and large units.
function LinearProgram.test_known()
  for _, scale in ipairs { { 1, 1 }, { 1e-12, 1e12 }, { 1e12, 1e-12 } } do
    local unit, money = table.unpack(scale)
    local status, variables, duals, value = linear_program.solve {
      matrix = { vector.of { unit, 0 }, vector.of { 0, 2 * unit }, vector.of { 3 * unit, 2 * unit } },
      objective = vector.of { -3 * money, -5 * money }, lower = vector.of { 0, 0 }, upper = vector.of { huge, huge },
      row_lower = vector.fill(3, -huge), row_upper = vector.of { 4 * unit, 12 * unit, 18 * unit } }
    luaunit.assertEquals({ status, duals[1] }, { "optimal", 0 })
    for found, expected in pairs { [variables[1]] = 2, [variables[2]] = 6, [value] = -36 * money, [duals[2]] = -1.5 * money / unit,
      [duals[3]] = -money / unit } do
      luaunit.assertAlmostEquals(found / expected, 1, 1e-14)
    end
  end
end

--- The planes that bound a program of three variables and rows: the normal, the distance, and whether it is a lower bound.
local function planes_of(at)
  local planes = {}
  for _, of in ipairs { { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, at.lower, at.upper }, { at.matrix, at.row_lower, at.row_upper } } do
    for i, normal in ipairs(of[1]) do
      table.insert(planes, { normal, of[2][i], true })
      table.insert(planes, { normal, of[3][i], false })
    end
  end
  return planes
end

local function determinant(a, b, c)
  return a[1] * (b[2] * c[3] - b[3] * c[2]) - a[2] * (b[1] * c[3] - b[3] * c[1]) + a[3] * (b[1] * c[2] - b[2] * c[1])
end

local function product(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function is_allowed(planes, point)
  for _, plane in ipairs(planes) do
    local over = product(plane[1], point) - plane[2]
    if plane[3] and over < -1e-9 or not plane[3] and over > 1e-9 then return false end
  end
  return true
end

--- The least objective at any vertex, where three planes meet by Cramer's rule; infinite if there is none.
local function least_at_vertices(at, planes)
  local least = huge
  for a = 1, #planes do
    for b = a + 1, #planes do
      for c = b + 1, #planes do
        local rows, distances = { planes[a][1], planes[b][1], planes[c][1] }, { planes[a][2], planes[b][2], planes[c][2] }
        local whole, point = determinant(table.unpack(rows)), {}
        for i = 1, 3 do
          local replaced = {}
          for k, row in ipairs(rows) do
            replaced[k] = { table.unpack(row) }
            replaced[k][i] = distances[k]
          end
          point[i] = determinant(table.unpack(replaced)) / whole
        end
        if whole ~= 0 and is_allowed(planes, point) then least = math.min(least, product(at.objective, point)) end
      end
    end
  end
  return least
end

function LinearProgram.test_random()
  local rng, rounds, optimal = random.new(2014), 100, 0
  local function draw(low, high) return { rng:integer(low, high), rng:integer(low, high), rng:integer(low, high) } end
  for _ = 1, rounds do
    local at = { objective = draw(-10, 10), lower = draw(-5, 0), upper = draw(0, 5), row_lower = draw(-8, 4), row_upper = draw(0, 6),
      matrix = { draw(-4, 4), draw(-4, 4), draw(-4, 4) } }
    for row, low in ipairs(at.row_lower) do at.row_upper[row] = low + at.row_upper[row] end
    local asked, planes = { matrix = {} }, planes_of(at)
    for name, list in pairs(at) do
      if name ~= "matrix" then asked[name] = vector.of(list) end
    end
    for row, list in ipairs(at.matrix) do asked.matrix[row] = vector.of(list) end
    local status, variables, _, value = linear_program.solve(asked)
    local least = least_at_vertices(at, planes)
    luaunit.assertEquals(status, least == huge and "infeasible" or "optimal")
    if status == "optimal" then
      optimal = optimal + 1
      luaunit.assertAlmostEquals(value, least, 1e-9)
      luaunit.assertTrue(is_allowed(planes, variables))
    end
  end
  luaunit.assertTrue(optimal > rounds / 4 and optimal < rounds * 19 / 20, optimal)
end

function LinearProgram.test_what_is_refused()
  for expected, changes in pairs {
    ["matrix: expected a list of vectors"] = { matrix = 3 },
    ["matrix: vectors of different lengths"] = { matrix = { vector.of { 1, 2, 3 } } },
    ["matrix: expected finite numbers"] = { matrix = { vector.of { 1, huge } } },
    ["objective: expected finite numbers"] = { objective = vector.of { 1, 0 / 0 } },
    ["lower: expected 2 numbers"] = { lower = vector.of { 1 } },
    ["upper: expected no NaN"] = { upper = vector.of { 1, 0 / 0 } },
    ["row_lower: expected 1 numbers"] = { row_lower = vector.of {} },
    ["crux.vector expected, got number"] = { row_upper = 3 },
    ["most_iterations: expected an integer from 1"] = { most_iterations = 0 },
  } do
    local ok, message = pcall(linear_program.solve, program(changes))
    luaunit.assertFalse(ok)
    luaunit.assertStrContains(message, expected)
  end
end

return { LinearProgram = LinearProgram }
