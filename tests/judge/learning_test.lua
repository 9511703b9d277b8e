--- Learning curves: a brute force written apart, and what can be said beforehand.
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local learning = require "crux.judge.learning"
local luaunit = require "luaunit"
local memory = require "memory"
local random = require "libcrux.random"

local Learning = {}

--- The curve of `y ~ x`, or another formula, on a dataset in memory.
local function curve(columns, text, partition, weights)
  local data = memory(columns)
  local frames = design.new(data, { response = "y", formula = formula.parse(text), weights = weights, who = "a test" })
  local kept = frames:keep()
  local assignments = crossval.assignments(kept.rows, partition, "data")
  return learning.curve({ formula = frames.formula, where = "data" }, fits.default(), kept, assignments, 1), assignments
end

local function sizes(points)
  local list = {}
  for i, point in ipairs(points) do list[i] = point.n end
  return list
end

--- 20 rows of x, y and weights w.
local function rows()
  local generator, columns = random.new(3), { x = {}, y = {}, w = {} }
  for i = 1, 20 do
    columns.x[i], columns.w[i] = generator:real() * 10, generator:integer(1, 5)
    columns.y[i] = 2 + 0.5 * columns.x[i] + generator:real()
  end
  return columns
end

--- Of 20 rows, 16 are outside of a fold of 5: 8 points from 2 terms + 2 to 16, 12 / 7 apart.
function Learning.test_sizes()
  luaunit.assertEquals(sizes(curve(rows(), "y ~ x", { folds = 5, repeats = 1 })), { 4, 6, 7, 9, 11, 13, 14, 16 })
  luaunit.assertEquals(sizes(curve(rows(), "y ~ x", { folds = 2, repeats = 1 })), { 4, 5, 6, 7, 8, 9, 10 })
end

--- A weighted line through some rows, in closed form.
local function line_through(columns, chosen)
  local weight, x, y, xx, xy = 0, 0, 0, 0, 0
  for _, i in ipairs(chosen) do weight, x, y = weight + columns.w[i], x + columns.w[i] * columns.x[i], y + columns.w[i] * columns.y[i] end
  x, y = x / weight, y / weight
  for _, i in ipairs(chosen) do
    xx = xx + columns.w[i] * (columns.x[i] - x) ^ 2
    xy = xy + columns.w[i] * (columns.x[i] - x) * (columns.y[i] - y)
  end
  return y - xy / xx * x, xy / xx, y
end

function Learning.test_brute_force()
  local columns = rows()
  local points, assignments = curve(columns, "y ~ x", { folds = 5, repeats = 3, seed = 1 }, "w")
  for _, point in ipairs(points) do
    local error, baseline, whole, stream = 0, 0, 0, 0
    for _, assigned in ipairs(assignments) do
      for fold = 1, 5 do
        local others = {}
        for i = 1, 20 do
          if assigned[i] ~= fold then table.insert(others, i) end
        end
        others = random.new(1, stream):shuffle(others)
        stream = stream + 1
        local intercept, slope, mean = line_through(columns, table.move(others, 1, point.n, 1, {}))
        for i = 1, 20 do
          if assigned[i] == fold then
            error = error + columns.w[i] * math.abs(columns.y[i] - intercept - slope * columns.x[i])
            baseline, whole = baseline + columns.w[i] * math.abs(columns.y[i] - mean), whole + columns.w[i]
          end
        end
      end
    end
    luaunit.assertAlmostEquals(point.mae, error / whole, 1e-12)
    luaunit.assertAlmostEquals(point.baseline, baseline / whole, 1e-12)
  end
end

function Learning.test_a_line_is_learned_at_once()
  local columns = rows()
  for i, x in ipairs(columns.x) do columns.y[i] = 3 - 2 * x end
  for _, point in ipairs(curve(columns, "y ~ x", { folds = 4, repeats = 2, seed = 9 })) do
    luaunit.assertAlmostEquals(point.mae, 0, 1e-12)
    luaunit.assertAlmostEquals(point.std_error, 0, 1e-12)
    luaunit.assertTrue(point.baseline > 1)
  end
end

function Learning.test_the_mean_is_the_baseline()
  for _, point in ipairs(curve(rows(), "y ~ 1", { folds = 5, repeats = 2, seed = 4 })) do
    luaunit.assertAlmostEquals(point.mae, point.baseline, 1e-12)
  end
end

function Learning.test_too_few_rows()
  luaunit.assertErrorMsgEquals("data: found 3 complete rows outside of a fold, expected at least 4, two more than terms", function()
    local ok, problem = pcall(curve, { x = { 1, 2, 3, 4 }, y = { 1, 3, 2, 5 } }, "y ~ x", { folds = 4, repeats = 1 })
    error(ok or problem.message, 0)
  end)
end

return { Learning = Learning }
