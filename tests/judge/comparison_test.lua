-- Tests of lua/crux/judge/comparison.lua and intervals.lua: standard errors and intervals against R's, the bootstrap by hand.
local bootstrap = require "libcrux.bootstrap"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local distribution = require "libcrux.distribution"
local formula = require "crux.formula.formula"
local intervals = require "crux.stats.intervals"
local long = require "long"
local luaunit = require "luaunit"
local many_rules = require "many_rules"
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
    local found = comparison.new(evaluations, { by = "weighted_mae", draws = 0, seed = 3, weights = frame.weights })
      :differences_to(2)[1]
    for key, value in pairs(study.difference) do near(found[key], value, study.data .. ": " .. key) end
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

--- Groups that are of one row each are drawn as rows; rules of the same errors do not differ.
function Comparison.test_groups_of_one()
  local one, frame = evaluate("difficulty ~ size", reference[1])
  local other, names = evaluate("difficulty ~ corners", reference[1]), {}
  for row = 1, one.n do names[row] = "group " .. row end
  local function compared(groups, of)
    return comparison.new({ one, of, of }, { by = "weighted_mae", draws = 100, seed = 3, weights = frame.weights, groups = groups })
  end
  luaunit.assertEquals(compared(names, other):differences_to(1), compared(nil, other):differences_to(1))
  luaunit.assertEquals(compared(names, one):differences_to(1)[3], { to = 1, estimate = 0, std_error = 0, low = 0, high = 0,
    differs = false, is_better = false })
  luaunit.assertEquals(compared(names, one):may_be_best { 1, 2, 3 }, { true, true, true })
end

--- Evaluations of rows in 20 folds of 2 rows, of sizes of errors; all rows of a fold have its error.
local function of_sizes(list)
  local evaluations = {}
  for i, sizes in ipairs(list) do
    local folds, sum = {}, 0
    for fold = 1, 20 do
      folds[fold] = { errors = { mae = (sizes[2 * fold - 1] + sizes[2 * fold]) / 2 }, n_test = 2, n_train = 38 }
      sum = sum + folds[fold].errors.mae / 20
    end
    evaluations[i] = { n = 40, sizes = vector.of(sizes), errors = { mae = sum }, folds = folds }
  end
  return evaluations
end

--- The reach is the quantile of the largest difference over the draws, from draws one by one, as a quantile of t with 19 degrees
--- of freedom: the tails beyond both are equal. Rules are left out from the worst on.
function Comparison.test_reach_by_hand()
  local generator, lists = random.new(8), { {}, {}, {}, {} }
  for row = 1, 40 do
    for rule = 1, 4 do lists[rule][row] = generator:integer(0, 1000) / 1000 + ({ 0, 0.02, 0.6, 2 })[rule] end
  end
  local compared = comparison.new(of_sizes(lists), { by = "mae", draws = 200, seed = 17 })
  local function quantile_of(others)
    local drawing, means, largest = random.new(17), {}, {}
    for draw = 1, 200 do
      means[draw] = { 0, 0, 0, 0 }
      for _ = 1, 40 do
        local row = drawing:integer(1, 40)
        for rule = 1, 4 do means[draw][rule] = means[draw][rule] + lists[rule][row] / 40 end
      end
      largest[draw] = 0
    end
    for _, rule in ipairs(others) do
      local mean, square = 0, 0
      for draw = 1, 200 do mean = mean + (means[draw][rule] - means[draw][1]) / 200 end
      for draw = 1, 200 do square = square + (means[draw][rule] - means[draw][1] - mean) ^ 2 / 200 end
      for draw = 1, 200 do
        largest[draw] = math.max(largest[draw], math.abs(means[draw][rule] - means[draw][1] - mean) / math.sqrt(square))
      end
    end
    table.sort(largest)
    return intervals.quantile(largest, 0.95)
  end
  local found = compared:differences_to(1)
  for rule = 2, 4 do
    local reach = (found[rule].high - found[rule].estimate) / found[rule].std_error
    luaunit.assertAlmostEquals(distribution.t(reach, 19), distribution.normal(quantile_of { 2, 3, 4 }), 1e-10)
    luaunit.assertEquals(found[rule].differs, rule > 2)
  end
  luaunit.assertEquals(compared:may_be_best { 1, 2, 3, 4 }, { true, true })
  luaunit.assertEquals(compared:may_be_best { 4 }, { [4] = true })
end

--- How often comparisons of 20 rules find differences that are not there, and that are: bars of `make claims` with fewer studies.
function Comparison.test_many_rules()
  long.only()
  local errors, errors_to_first = many_rules.shares(20, 1, 150, 0, 31)
  luaunit.assertTrue(errors <= 0.1 and errors_to_first <= 0.1, errors .. " " .. errors_to_first)
  luaunit.assertTrue(select(3, many_rules.shares(40, 10, 60, 2, 32)) >= 0.2)
end

--- Of 2 repeats of 2 folds: numbers 1, 2, 3, 6 have variance 14 / 3 and are corrected by 1 / 4 + 4 / 4.
function Comparison.test_standard_error_by_hand()
  local folds = {}
  for i = 1, 4 do folds[i] = { n_test = 4, n_train = 4 } end
  near(comparison.error({ 1, 2, 3, 6 }, folds), math.sqrt(1.25 * 14 / 3))
end

function Comparison.test_sentences()
  luaunit.assertEquals(comparison.best_sentence({ "a" }, 2), "a is the best: the others predict worse (at 95 % confidence).")
  luaunit.assertEquals(comparison.best_sentence({ "a", "b", "c" }, 0), "Any of a, b and c may be the best: no difference shown.")
  luaunit.assertEquals(comparison.best_sentence({ "a", "b" }, 3),
    "Any of a and b may be the best: no difference shown; the 3 other rules are worse.")
  luaunit.assertEquals(comparison.sentences("d", { "a", "b", "c" }, { { differs = true, is_better = true }, { differs = false },
    { differs = true } }), { "Better than d: a.", "No difference to d shown: b.", "Worse than d: c." })
end

return { Comparison = Comparison }
