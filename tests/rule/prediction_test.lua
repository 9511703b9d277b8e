-- Tests of lua/crux/rule/prediction.lua and ranges.lua: intervals against R's, coverage of new levels, what a rule keeps.
local conformal = require "crux.judge.conformal"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local errors = require "libcrux.errors"
local fits = require "crux.fit.fits"
local long = require "long"
local luaunit = require "luaunit"
local prediction = require "crux.rule.prediction"
local random = require "libcrux.random"
local ranges = require "crux.data.ranges"
local reference = dofile "tests/reference/comparison.lua"
local rule = require "crux.rule.rule"
local vector = require "libcrux.vector"

local function near(actual, expected, what) luaunit.assertAlmostEquals(actual, expected, 1e-10 * math.max(1, math.abs(expected)), what) end

--- A rule fitted to a dataset, with intervals of a kind.
local function fitted_rule(text, data, weights, kind, method)
  local self = rule.from_formula(text, weights)
  local frames = design.new(data, { response = self.predicts, formula = self.formula, weights = weights, who = "test" })
  local problem = { formula = frames.formula, frames = frames:keep(), where = "test" }
  method = method or fits.default()
  local fitted = method:solve(problem)
  local kept = kind == "fit" and prediction.of_fit(fitted) or conformal.intervals(method, problem, 1)
  return self:fitted(fitted):with { intervals = kept, ranges = frames.ranges }
end

local Prediction = {}

function Prediction.test_intervals_of_fits_are_those_of_r()
  for _, study in ipairs(reference) do
    local self = fitted_rule(study.rules[1].formula, dataset.open(study.data), "solved", "fit")
    local block = dataset.open(study.data):blocks { numbers = self.formula.variables }()
    for i, row in ipairs(study.rows) do
      local one = { rows = 1, numbers = {} }
      for _, name in ipairs(self.formula.variables) do
        one.numbers[name] = vector.of { block.numbers[name][row] * (study.doubled[i] and 2 or 1) }
      end
      local rating, _, low, high = self:rate(one, 0.9)
      near(low[1], study.low[i], study.data)
      near(high[1], study.high[i], study.data)
      near((low[1] + high[1]) / 2, rating[1])
    end
  end
end

--- A dataset of 80 levels of two measures, and 20 to predict; errors are normal, so that both kinds are right.
local function levels(generator, count)
  local lists = { a = {}, b = {}, y = {} }
  for i = 1, count do
    local normal = 0
    for _ = 1, 12 do normal = normal + generator:real() end
    lists.a[i], lists.b[i] = 10 * generator:real(), generator:real()
    lists.y[i] = 1 + 0.5 * lists.a[i] - 2 * lists.b[i] + 0.8 * (normal - 6)
  end
  local vectors = {}
  for name, list in pairs(lists) do vectors[name] = vector.of(list) end
  return dataset.of_vectors("levels", { "a", "b", "y" }, vectors, count)
end

--- The share of new levels inside of their intervals of level 0.9.
local function coverage(kind, sets, method)
  local inside, all = 0, 0
  for seed = 1, sets do
    local generator = random.new(seed)
    local self = fitted_rule("y ~ a + b", levels(generator, 80), nil, kind, method)
    local block = levels(generator, 50):blocks { numbers = { "a", "b", "y" } }()
    local _, _, low, high = self:rate(block, 0.9)
    for row = 1, block.rows do
      local y = block.numbers.y[row]
      inside, all = inside + (y >= low[row] and y <= high[row] and 1 or 0), all + 1
    end
  end
  return inside / all
end

-- 200 data sets, or 60, of 80 levels, 50 new levels each: 0.9 with a standard error of about 0.004; found are 0.8988, 0.9025, 0.9027.
function Prediction.test_coverage()
  long.leave_out()
  for _, case in ipairs { { "fit" }, { "conformal" }, { "conformal", fits.parse("lad", "test")[1] } } do
    local share = coverage(case[1], long.choose(60, 200), case[2])
    luaunit.assertTrue(share > 0.88 and share < 0.92, ("%s: %.4f"):format(case[1], share))
  end
end

--- Sizes of errors 1 .. 9 of 9 levels: 0.5 reaches to the 5th of 10, 0.9 to the 9th, 0.95 to none.
function Prediction.test_conformal_by_hand()
  local self = rule.new { name = "hand", formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 },
    intervals = { errors = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } } }
  local block = { rows = 2, numbers = { a = vector.of { 3, 0 / 0 } } }
  function block.select(_, rows)
    return { rows = #rows, numbers = { a = block.numbers.a:gather(rows) } }
  end
  for level, reach in pairs { [0.5] = 5, [0.9] = 9, [0.05] = 1 } do
    local rating, _, low, high = self:rate(block, level)
    luaunit.assertEquals({ rating[1], low[1], high[1] }, { 7, 7 - reach, 7 + reach })
    luaunit.assertNotEquals(low[2], low[2]) -- missing
  end
  local _, problem = pcall(self.rate, self, block, 0.95)
  luaunit.assertEquals(tostring(problem), "rule 'hand': found 9 errors, expected at least 19 for intervals of level 0.95")
end

--- On the scale of log(y) for fits, of y for errors; both around the same rating.
function Prediction.test_transformed_targets()
  local text = "log(y) ~ a"
  local data = dataset.of_vectors("d", { "a", "y" }, { a = vector.of { 1, 2, 3, 4, 5, 6, 7, 8 },
    y = vector.of { 2, 3, 6, 7, 12, 19, 40, 50 } }, 8)
  local of_fit, of_errors = fitted_rule(text, data, nil, "fit"), fitted_rule(text, data, nil, "conformal")
  local block = { rows = 1, numbers = { a = vector.of { 5 } } }
  local rating, _, low, high = of_fit:rate(block, 0.5)
  near(rating[1] / low[1], high[1] / rating[1])
  rating, _, low, high = of_errors:rate(block, 0.5)
  near(rating[1] - low[1], high[1] - rating[1])
end

--- More than 200 errors are kept as 200 whose shares of ranks are the same.
function Prediction.test_many_errors_are_thinned()
  local generator = random.new(4)
  local data = levels(generator, 1000)
  local kept = fitted_rule("y ~ a + b", data, nil, "conformal").intervals.errors
  luaunit.assertEquals(#kept, 200)
  for i = 2, 200 do luaunit.assertTrue(kept[i] >= kept[i - 1]) end
end

--- Ranks, which nobody would see, are not asked for: they take n log n.
function Prediction.test_conformal_intervals_take_no_ranks()
  local new, details = errors.new, {}
  function errors.new(rows, parts, has_details, ...)
    table.insert(details, has_details or false)
    return new(rows, parts, has_details, ...)
  end
  local ok, problem = pcall(fitted_rule, "y ~ a + b", levels(random.new(4), 50), nil, "conformal")
  errors.new = new
  luaunit.assertTrue(ok, tostring(problem))
  luaunit.assertEquals(details, { false })
end

function Prediction.test_rules_are_read_as_they_were_written()
  for _, kind in ipairs { "fit", "conformal" } do
    local self = fitted_rule("difficulty ~ size + corners", dataset.open "datasets/flow.csv", "solved", kind)
    local again = rule.new(load("local crux = { rule = function(t) return t end }\n" .. self:script "Test")(), "script")
    luaunit.assertEquals(again.intervals, self.intervals)
    luaunit.assertEquals(again.ranges, { size = { 25, 81 }, corners = { 5, 25 } })
    luaunit.assertNil(again:for_target("time").intervals)
  end
end

function Prediction.test_what_is_refused()
  local function refused(field, value)
    local _, problem = pcall(rule.new, { formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 }, [field] = value }, "r.lua")
    return tostring(problem)
  end
  for expected, value in pairs {
    ["found no errors, expected a list of numbers, the smallest first"] = { errors = {} },
    ["found 1, expected errors, the smallest first"] = { errors = { 2, 1 } },
    ["found sigma = nil, expected a number above 0"] = { df = 3, weight = 1, inverse = { 1, 2, 3 } },
    ["found df = 0, expected a number above 0"] = { sigma = 1, df = 0, weight = 1, inverse = { 1, 2, 3 } },
    ["found another 'inverse', expected a list of 3 numbers"] = { sigma = 1, df = 1, weight = 1, inverse = { 1, 2 } },
    ["found 'x', expected numbers"] = { sigma = 1, df = 1, weight = 1, inverse = { 1, 2, "x" } },
  } do
    luaunit.assertEquals(refused("intervals", value), "r.lua: field 'intervals': " .. expected)
  end
  luaunit.assertEquals(refused("ranges", { b = { 1, 2 } }), "r.lua: range 'b': found no measure of the formula, expected one")
  for _, range in ipairs { { 2, 1 }, { 1 }, 3, { 1, 0 / 0 } } do
    luaunit.assertEquals(refused("ranges", { a = range }), "r.lua: range 'a': found something else, expected two numbers, the lower first")
  end
end

local Ranges = {}

function Ranges.test_levels_outside()
  local known, data = { a = { 1, 3 }, b = { 0, 0 } }, { a = vector.of { 1, 3.5, 0 / 0, 0.5 }, b = vector.of { 0, 0, 7, -1 },
    c = vector.of { 9, 9, 9, 9 } }
  local rows, strays_in = ranges.outside(known, { rows = 4, numbers = data }, { "a", "b", "c" })
  luaunit.assertEquals({ #rows, rows[1], rows[2], rows[3] }, { 3, 2, 3, 4 })
  luaunit.assertEquals({ ranges.line("B", strays_in(2)), ranges.line("C", strays_in(3)), ranges.line("D", strays_in(4)) }, {
    "level B is outside the training range in a (3.5, not in 1 to 3)",
    "level C is outside the training range in b (7, not in 0 to 0)",
    "level D is outside the training range in a (0.5, not in 1 to 3), b (-1, not in 0 to 0)" })
  luaunit.assertEquals(#ranges.outside(known, { rows = 4, numbers = data }, { "c" }), 0)
end

return { Prediction = Prediction, Ranges = Ranges }
