-- Tests of lua/crux/judge/comparison.lua and intervals.lua: standard errors and intervals against R's, the bootstrap by hand.
local bootstrap = require "libcrux.bootstrap"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local formula = require "crux.formula.formula"
local intervals = require "crux.stats.intervals"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local reference = dofile "tests/reference/comparison.lua"
local vector = require "libcrux.vector"

local function near(actual, expected, what) luaunit.assertAlmostEquals(actual, expected, 1e-10 * math.max(1, math.abs(expected)), what) end

local function evaluate(text, study)
  local parsed = formula.parse(text)
  local frame = design.new(dataset.open(study.data), { response = parsed.response, formula = parsed, weights = "solved",
    who = "test" }):keep()
  return crossval.evaluate(parsed, frame, crossval.folds(frame.rows, study.folds, nil, "data"),
    { where = "data", details = true }), frame
end

local Comparison = {}

function Comparison.test_errors_and_differences_are_those_of_r()
  for _, study in ipairs(reference) do
    local evaluations, frame = {}, nil
    for i, rule in ipairs(study.rules) do
      evaluations[i], frame = evaluate(rule.formula, study)
      local std_errors = comparison.errors(evaluations[i])
      for key, value in pairs(rule.errors) do
        near(evaluations[i].errors[key], value, rule.formula .. ": " .. key)
        near(std_errors[key], rule.std_errors[key], rule.formula .. ": standard error of " .. key)
      end
    end
    local found = comparison.difference(evaluations[1], evaluations[2], { by = "weighted_mae", draws = 4000, seed = 3,
      weights = frame.weights })
    for key, value in pairs(study.difference) do near(found[key], value, study.data .. ": " .. key) end
    -- the two kinds of interval are about the same thing
    luaunit.assertTrue(found.bootstrap_low < found.estimate and found.estimate < found.bootstrap_high)
  end
end

function Comparison.test_quantiles_of_t_are_those_of_r()
  for i, df in ipairs { 1, 4, 35, 1000, 1.5 } do near(intervals.t(0.9, df), reference.t[i], df) end
  near(intervals.t(0, 3), 0)
end

-- The same rows drawn one by one from the same generator.
function Comparison.test_bootstrap_draws_rows()
  local a, b = { 1, -2, 3, 0.5, 8 }, { 1, 2, 1, 4, 3 }
  local found, generator = bootstrap.ratios(vector.of(a), vector.of(b), 17, 50), random.new(17)
  for draw = 1, 50 do
    local above, below = 0, 0
    for _ = 1, 5 do
      local row = generator:integer(1, 5)
      above, below = above + a[row], below + b[row]
    end
    near(found[draw], above / below)
  end
  luaunit.assertEquals(#bootstrap.ratios(vector.of(a), vector.of(b), 1, 0), 0)
end

--- Groups that are of one row each are drawn as rows; one rule is compared with itself.
function Comparison.test_groups_of_one()
  local one, frame = evaluate("difficulty ~ size", reference[1])
  local other = evaluate("difficulty ~ corners", reference[1])
  local names = {}
  for row = 1, one.n do names[row] = "group " .. row end
  local function difference(groups, of)
    return comparison.difference(one, of, { by = "weighted_mae", draws = 100, seed = 3, weights = frame.weights, groups = groups })
  end
  luaunit.assertEquals(difference(names, other), difference(nil, other))
  luaunit.assertEquals(difference(names, one), { estimate = 0, std_error = 0, low = 0, high = 0, bootstrap_low = 0,
    bootstrap_high = 0 })
end

--- Of 2 repeats of 2 folds: numbers 1, 2, 3, 6 have variance 14 / 3 and are corrected by 1 / 4 + 4 / 4.
function Comparison.test_standard_error_by_hand()
  local folds = {}
  for i = 1, 4 do folds[i] = { n_test = 4, n_train = 4 } end
  near(comparison.error({ 1, 2, 3, 6 }, folds), math.sqrt(1.25 * 14 / 3))
end

function Comparison.test_sentences()
  local function sentence(estimate, low, high)
    return comparison.sentence("flow", "flow-solver", { estimate = estimate, low = low, high = high }, "weighted_mae")
  end
  luaunit.assertEquals(sentence(0.0683, 0.0161, 0.1205),
    "flow-solver predicts better than flow: 0.07 points of weighted mae, 95 % interval 0.02 to 0.12")
  luaunit.assertEquals(sentence(0.0683, -0.0161, 0.1527),
    "flow does not differ from flow-solver: 0.07 points of weighted mae, 95 % interval -0.02 to 0.15")
  luaunit.assertEquals(sentence(0.117, 0.00419, 0.23), -- what is not 0 is not rounded to it
    "flow-solver predicts better than flow: 0.117 points of weighted mae, 95 % interval 0.004 to 0.230")
  luaunit.assertEquals(sentence(0.1855, -0.00498, 0.3759), -- but for the end of an interval around it, which has no sign then
    "flow does not differ from flow-solver: 0.19 points of weighted mae, 95 % interval 0.00 to 0.38")
  luaunit.assertEquals(sentence(0, 0, 0),
    "flow does not differ from flow-solver: 0.0000 points of weighted mae, 95 % interval 0.0000 to 0.0000")
  luaunit.assertEquals(sentence(300.4, 110, 512),
    "flow-solver predicts better than flow: 300 points of weighted mae, 95 % interval 110 to 512")
end

return { Comparison = Comparison }
