--- Tests of lua/crux/judge/calibration.lua: R's isoreg, brute force, lines by hand, and which rules need calibration.
local calibration = require "crux.judge.calibration"
local crossval = require "crux.judge.crossval"
local design = require "crux.data.design"
local fitting = require "fitting"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local memory = require "memory"
local rule = require "crux.rule.rule"
local vector = require "libcrux.vector"

--- A rule whose ratings are the column x, and the frame of its ratings.
local function rated(columns, fields)
  local spec = { name = "test", predicts = not (fields and fields.target) and "y" or nil,
    formula = function(m) return m.x end }
  for key, value in pairs(fields or {}) do spec[key] = value end
  local made = rule.new(spec, "test.lua")
  return made, design.new(memory(columns), { response = "y", weights = columns.w and "w", as_is = made, who = "test" }):keep()
end

--- Predictions of ratings by a fit to a whole frame.
local function predicted(kind, made, frame, ratings)
  local formula, of_ratings, method = calibration.problem(kind, made, frame)
  local fitted = method:solve { formula = formula, frames = of_ratings, where = "data" }
  local sign = kind == "monotone" and calibration.sign(made) or 1
  local found = method:predict(fitted, { vector.fill(#ratings, 1), vector.of(ratings) * sign }, #ratings)
  local list = {}
  for i = 1, #ratings do list[i] = found[i] end
  return list
end

local Calibration = {}

-- R: isoreg(1:8, c(2, 1, 4, 3, 3, 7, 6, 9))$yf; between pools, by hand, linear, and constant beyond them
function Calibration.test_monotone_is_isoreg()
  local columns = { x = { 5, 2, 8, 1, 3, 4, 6, 7 }, y = { 3, 1, 9, 2, 4, 3, 7, 6 } }
  local made, frame = rated(columns)
  fitting.all_near(predicted("monotone", made, frame, { 1, 2, 3, 4, 5, 6, 7, 8 }),
    { 1.5, 1.5, 10 / 3, 10 / 3, 10 / 3, 6.5, 6.5, 9 }, 1e-12)
  fitting.all_near(predicted("monotone", made, frame, { -1, 1.5, 2.5, 4.5, 5.5, 7.25, 99 }),
    { 1.5, 1.5, 29 / 12, 10 / 3, 59 / 12, 7.125, 9 }, 1e-12)
end

--- With ties and weights: the value at a rating is the greatest, over ratings up to it, of the least weighted mean of the values
--- from there to a rating from it on (Barlow and others 1972, the max-min formula).
function Calibration.test_monotone_by_brute_force()
  math.randomseed(21)
  for _ = 1, 50 do
    local columns, sums, weights = { x = {}, y = {}, w = {} }, {}, {}
    for rating = 1, 7 do sums[rating], weights[rating] = 0, 0 end
    for i = 1, 14 do
      local x, y, w = (i - 1) % 7 + 1, math.random(1, 9), math.random(1, 3)
      columns.x[i], columns.y[i], columns.w[i] = x, y, w
      sums[x], weights[x] = sums[x] + w * y, weights[x] + w
    end
    local expected = {}
    for at = 1, 7 do
      expected[at] = -math.huge
      for first = 1, at do
        local least = math.huge
        for last = at, 7 do
          local sum, weight = 0, 0
          for rating = first, last do sum, weight = sum + sums[rating], weight + weights[rating] end
          least = math.min(least, sum / weight)
        end
        expected[at] = math.max(expected[at], least)
      end
    end
    local made, frame = rated(columns)
    fitting.all_near(predicted("monotone", made, frame, { 1, 2, 3, 4, 5, 6, 7 }), expected, 1e-12)
    -- a falling scale: the same of ratings of the other sign
    for i, x in ipairs(columns.x) do columns.x[i] = -x end
    made, frame = rated(columns, { scale = { 0, -8 } })
    fitting.all_near(predicted("monotone", made, frame, { -1, -2, -3, -4, -5, -6, -7 }), expected, 1e-12)
  end
end

--- Each fold by the line of least squares through the others, by hand: y = 12 - 2 x without the first fold's levels.
function Calibration.test_lines_in_folds_by_hand()
  local made, frame = rated({ x = { 1, 2, 3, 4, 5, 5 }, y = { 9, 7, 6, 4, 1, 3 } }, { scale = { 10, 1 } })
  local formula, of_ratings, method = calibration.problem("line", made, frame)
  local assigned = crossval.folds(6, 3, nil, "data")
  local found = crossval.evaluate(formula, of_ratings, assigned, { method = method, where = "data", details = true })
  luaunit.assertAlmostEquals(found.folds[1].coefficients["(intercept)"], 12, 1e-12)
  luaunit.assertAlmostEquals(found.folds[1].coefficients.rating, -2, 1e-12)
  luaunit.assertAlmostEquals(found.folds[1].errors.mae, (1 + 1) / 2, 1e-12) -- 10 beside 9, 8 beside 7
  luaunit.assertTrue(found.errors.tau > 0 and found.errors.log_score ~= nil)
  luaunit.assertEquals(calibration.sentence("line", made, found),
    "test is calibrated by a line in each fold; the smaller its rating, the harder the level.")
  luaunit.assertEquals(calibration.sentence("line", rated({ x = { 1 }, y = { 1 } }), found), "test is calibrated by a line in "
    .. "each fold; the greater its rating, the harder the level, but the line says the opposite in 3 of 3 folds.")
  luaunit.assertEquals(calibration.sentence("monotone", made, found),
    "test is calibrated by a monotone function in each fold; the smaller its rating, the harder the level.")
end

--- Targets that fall with difficulty: evaluated with the errors and correlations of the target turned round, 12 - y, by a rule
--- whose target rises; whichever way the ratings go.
function Calibration.test_falling_targets_are_rising_ones_turned_round()
  math.randomseed(35)
  for _ = 1, 20 do
    local x, y, turned = {}, {}, {}
    for i = 1, 30 do
      x[i] = math.random(1, 40) + i / 64
      y[i] = math.random(0, 10 - x[i] // 5 | 0)
      turned[i] = 12 - y[i]
    end
    for _, scale in ipairs { { 0, 50 }, { 50, 0 } } do
      local falling, low = rated({ x = x, y = y }, { target = { "y", falls = true }, scale = scale })
      local rising, high = rated({ x = x, y = turned }, { scale = scale })
      luaunit.assertEquals({ falling.falls, falling.target_falls, falling:is_opposed() },
        { scale[1] > scale[2], true, scale[1] < scale[2] })
      local assigned = crossval.folds(30, 5, 1, "data")
      for _, kind in ipairs { "line", "monotone" } do
        local function evaluated(made, frame)
          local formula, of_ratings, method = calibration.problem(kind, made, frame)
          local found = crossval.evaluate(formula, of_ratings, assigned, { method = method, where = "data", details = true,
            is_opposed = made:is_opposed() })
          return found, calibration.sentence(kind, made, found)
        end
        local one, said = evaluated(falling, low)
        local other, expected = evaluated(rising, high)
        luaunit.assertEquals(said, expected)
        luaunit.assertStrContains(said, (scale[1] > scale[2] and "smaller" or "greater") .. " its rating, the harder the level")
        for _, key in ipairs { "mae", "rmse", "medae", "r_squared", "tau", "spearman" } do
          luaunit.assertAlmostEquals(one.errors[key], other.errors[key], 1e-9, key)
        end
      end
      fitting.all_near(predicted("monotone", falling, low, { -5, 3, 17.5, 33, 60 }),
        lists.map(predicted("monotone", rising, high, { -5, 3, 17.5, 33, 60 }), function(value) return 12 - value end), 1e-12)
      local of_falling, of_rising = crossval.evaluate(nil, low, assigned, { where = "data", details = true,
        is_opposed = falling:is_opposed() }), crossval.evaluate(nil, high, assigned, { where = "data", details = true,
        is_opposed = rising:is_opposed() })
      luaunit.assertAlmostEquals(of_falling.errors.tau, of_rising.errors.tau, 1e-12)
      luaunit.assertEquals(of_falling.errors.tau > 0, scale[1] < scale[2])
    end
  end
end

--- Ratings that are all the same in the other folds predict their mean.
function Calibration.test_equal_ratings()
  local made, frame = rated { x = { 7, 4, 4, 4 }, y = { 1, 2, 4, 9 } }
  for kind in pairs(calibration.kinds) do
    local formula, of_ratings, method = calibration.problem(kind, made, frame)
    local found = crossval.evaluate(formula, of_ratings, crossval.folds(4, 4, nil, "data"), { method = method, where = "data" })
    luaunit.assertAlmostEquals(found.folds[1].errors.mae, 4, 1e-12)
  end
end

function Calibration.test_which_rules_need_it()
  local columns = { x = { 1, 2, 3 }, y = { 2, 5, 10 } }
  for _, case in ipairs { { nil, false }, { { 1, 10 }, false }, { { 2, 10 }, false }, { { 0, 100 }, false }, { { 1, 7 }, true },
    { { 3, 10 }, true }, { { 10, 1 }, true }, { { math.huge, 0 }, true } } do
    local made, frame = rated(columns, { scale = case[1] })
    luaunit.assertEquals(calibration.is_needed(made, frame), case[2])
    luaunit.assertIs(made:for_target "y", made)
    luaunit.assertTrue(calibration.is_needed(made:with({ predicts = "z" }):for_target "y", frame))
  end
  luaunit.assertFalse(calibration.is_needed(rated({ x = { 0.1, 0.4 }, y = { 0.2, 0.9 } },
    { scale = { 1, 0 }, target = { "y", falls = true } })))
  local falling = rated(columns, { scale = { math.huge, 0 } }):for_target "time"
  luaunit.assertTrue(falling.falls)
  luaunit.assertNil(rule.load("rules/flow.lua"):for_target("time").scale)
end

return { Calibration = Calibration }
