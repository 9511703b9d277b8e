--- Tests of libcrux.linear_program: what comes back, and what is refused. tests/c/fit/linear_program_test.c tests the numbers.
local linear_program = require "libcrux.linear_program"
local luaunit = require "luaunit"
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
