-- Tests of lua/crux/judge/diagnostics.lua: R's hatvalues, cooks.distance, rstandard and variance inflation; levels left out by fits.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local diagnostics = require "crux.judge.diagnostics"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"
local memory = require "memory"
local ols = require "crux.fit.ols"
local reference = dofile "tests/reference/comparison.lua"

local function near(actual, expected, what) luaunit.assertAlmostEquals(actual, expected, 1e-9 * math.max(1e-3, math.abs(expected)), what) end

local function problem_of(text, data, weights)
  local parsed = formula.parse(text)
  local frames = design.new(data, { response = parsed.response, formula = parsed, weights = weights, who = "test" })
  return { formula = frames.formula, frames = frames:keep(true), where = "test" }
end

local Diagnostics = {}

function Diagnostics.test_values_are_those_of_r()
  for _, study in ipairs(reference) do
    local problem = problem_of(study.rules[1].formula, dataset.open(study.data), "solved")
    local found = diagnostics.of(problem)
    for i, row in ipairs(found.rows) do
      near(row.leverage, study.leverage[i], study.data .. ": leverage " .. i)
      near(row.cooks_distance, study.cooks_distance[i], study.data .. ": distance " .. i)
      near(row.standardized, study.studentized[i], study.data .. ": standardized " .. i)
      near(row.value - row.prediction, row.residual)
    end
    local count = 0
    for _, row in ipairs(diagnostics.inflation(problem, found.fitted)) do
      near(row.vif, study.vif[row.term], study.data .. ": " .. row.term)
      count = count + 1
    end
    luaunit.assertEquals(count, #problem.formula.terms - 1)
    luaunit.assertEquals(diagnostics.influential(found, 1), { study.worst })
    local without, anew = diagnostics.without_level(problem, found, study.worst), diagnostics.without(problem, { study.worst })
    for term, value in pairs(study.without) do
      near(without.fitted.coefficients[term], value, study.data .. " without the worst: " .. term)
      near(anew.fitted.coefficients[term], value, study.data .. " fitted anew: " .. term)
    end
    near(without.loo_mae, anew.loo_mae)
    local sum, whole = 0, 0 -- of the other levels, by the fit to all but each of them
    for i, row in ipairs(found.rows) do
      local weight = i ~= study.worst and problem.frames.weights[i] or 0
      sum, whole = sum + weight * math.abs(row.left_out), whole + weight
    end
    near(diagnostics.effects(problem, found, { study.worst })[2].loo_mae_with, sum / whole)
  end
end

--- Residuals by fits without the level, and their weighted mean size.
function Diagnostics.test_levels_left_out_are_those_of_other_fits()
  local problem = problem_of("difficulty ~ size + log(corners)", dataset.open "datasets/flow.csv", "solved")
  local found, sum, frame = diagnostics.of(problem), 0, problem.frames
  for row = 1, frame.rows do
    local c = diagnostics.without(problem, { row }).fitted.coefficients
    local prediction = c["(intercept)"] + c.size * frame.columns[2][row] + c["log(corners)"] * frame.columns[3][row]
    near(found.rows[row].left_out, frame.response[row] - prediction, "row " .. row)
    sum = sum + frame.weights[row] * math.abs(frame.response[row] - prediction)
  end
  near(found.loo_mae, sum / frame.weights:sum())
end

--- Terms of several columns have one inflation: R's car::vif of lm(difficulty ~ factor(colours) + size + poly(corners, 2),
--- weights = solved) and, of all columns, of lm(difficulty ~ factor(colours) + size - 1).
function Diagnostics.test_inflation_of_factors_and_polynomials()
  for _, case in ipairs { { "factor(colours) + size + poly(corners, 2)", "solved", {
    { "factor(colours)", 9.10352901459791, 5, 1.24715656758174 }, { "size", 6.85639744073376, 1, 2.61847234866702 },
    { "poly(corners, 2)", 11.9957076677159, 2, 1.86104325982122 } } }, { "factor(colours) + size - 1", nil, {
    { "factor(colours)", 25.2798274811309, 6, 1.30887400410217 }, { "size", 25.2798274811309, 1, 5.02790487988097 } } } } do
    local problem = problem_of("difficulty ~ " .. case[1], dataset.open "datasets/flow.csv", case[2])
    local rows = diagnostics.inflation(problem, ols.fit(problem))
    luaunit.assertEquals(#rows, #case[3])
    for i, row in ipairs(rows) do
      local name, vif, df, adjusted = table.unpack(case[3][i])
      luaunit.assertEquals({ row.term, row.df }, { name, df })
      near(row.vif, vif, name)
      near(row.adjusted_vif, adjusted, name)
    end
  end
end

--- The level D alone decides the coefficient of b: nothing is known of it without D; R: hatvalues 1, cooks.distance NaN.
function Diagnostics.test_a_level_that_decides_alone()
  local problem = problem_of("y ~ a + b", memory { a = { 1, 2, 3, 4, 5 }, b = { 0, 0, 0, 1, 0 }, y = { 1, 3, 2, 9, 6 } })
  local found = diagnostics.of(problem)
  near(found.rows[4].leverage, 1)
  luaunit.assertEquals({ found.rows[4].left_out, found.rows[4].cooks_distance, found.loo_mae }, {})
  luaunit.assertEquals(diagnostics.influential(found, 9)[1], 4)
  local without = diagnostics.without(problem, { 4 })
  luaunit.assertEquals(without.fitted.aliased, { "b" })
  luaunit.assertNil(diagnostics.without(problem, { 1, 2, 3 }))
end

--- y = 2 a exactly, aliased b = 2 a: no level is influential, and the inflation is that of a alone.
function Diagnostics.test_perfect_and_aliased()
  local problem = problem_of("y ~ a + b - 1", memory { a = { 1, 2, 3 }, b = { 2, 4, 6 }, y = { 2, 4, 6 } })
  local found = diagnostics.of(problem)
  luaunit.assertEquals(diagnostics.influential(found, 9), {})
  luaunit.assertNil(found.rows[1].cooks_distance)
  local inflation = diagnostics.inflation(problem, found.fitted)
  luaunit.assertEquals({ #inflation, inflation[1].term }, { 1, "a" })
  near(inflation[1].vif, 1)
end

-- lm(y ~ a + offset(2 * b)): the offset belongs to the prediction, not to what is explained.
function Diagnostics.test_offsets()
  local columns = { a = { 1, 2, 3, 5 }, b = { 4, 1, 0, 2 }, y = { 10, 5, 4, 12 } }
  local with = diagnostics.of(problem_of("y ~ a + offset(2 * b)", memory(columns)))
  local rest = {}
  for i = 1, 4 do rest[i] = columns.y[i] - 2 * columns.b[i] end
  local without = diagnostics.of(problem_of("y ~ a", memory { a = columns.a, y = rest }))
  for i = 1, 4 do
    near(with.rows[i].residual, without.rows[i].residual)
    near(with.rows[i].value, columns.y[i])
    near(with.rows[i].prediction, without.rows[i].prediction + 2 * columns.b[i])
  end
  luaunit.assertEquals(with.fitted.coefficients, ols.fit(problem_of("y ~ a", memory { a = columns.a, y = rest })).coefficients)
end

return { Diagnostics = Diagnostics }
