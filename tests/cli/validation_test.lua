--- End-to-end tests of crux evaluate and crux compare: folds, errors against hand-computed and R's numbers, order, JSON.
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local crux, decode = shell.printed, shell.decoded

local function assert_errors(actual, expected, what)
  for key, value in pairs(expected) do
    luaunit.assertAlmostEquals(actual[key], value, 1e-12 * math.abs(value), what .. key)
  end
end

local error_keys = { "mae", "weighted_mae", "relative_percent", "weighted_relative_percent", "rmse", "median_squared_error",
  "max_squared_error", "overestimates", "underestimates", "weighted_rmse", "medae", "r_squared", "slope", "log_score", "tau",
  "spearman" }

--- The names of the errors with other keys before and behind them.
local function keys(before, ...)
  local list = table.move(error_keys, 1, #error_keys, #before + 1, before)
  return table.move({ ... }, 1, select("#", ...), #list + 1, list)
end

-- R: the errors of predict(lm(..., subset = fold != k), ...) on datasets/flow.csv, fold = 1 + (0:39 * 5) %/% 40
local flow_errors = { mae = 0.41037504881491982, weighted_mae = 0.40405945008310123, relative_percent = 13.68961376089846382,
  weighted_relative_percent = 13.63659598024651309, rmse = 0.53103386274281450, median_squared_error = 0.11641479431975038,
  max_squared_error = 2.29532743159265618, overestimates = 20, underestimates = 20 }
local flow_baseline = { mae = 1.1426037207274917, weighted_mae = 1.1146939335740595, relative_percent = 42.3887654243537995,
  weighted_relative_percent = 42.4064546417054515, rmse = 1.3272957199232269, median_squared_error = 1.3870751790719804,
  max_squared_error = 7.9852118740662617, overestimates = 22, underestimates = 18 }
local flow_first_fold = { mae = 0.39669066744667691, weighted_mae = 0.38466275276041995,
  relative_percent = 14.15939089601524437,
  weighted_relative_percent = 14.30320202531312823, rmse = 0.46904715410442527, median_squared_error = 0.13813343440230741,
  max_squared_error = 0.78013111010476477, overestimates = 4, underestimates = 4 }
local flow_first_coefficients = { ["(intercept)"] = 2.367026951614941144, size = 0.092416115624184669,
  colours = -0.323057251024864878, distance = -0.441614906791668871, corners = 0.024645582643266876 }

local Evaluate = {}

function Evaluate.test_json_is_what_r_says()
  local result = decode "evaluate --folds-by order flow datasets/flow.csv"
  luaunit.assertEquals(result[json.keys], keys({ "rule", "formula", "refitted", "calibration", "target", "weights", "n", "folds",
    "folds_left_out", "coefficients" }, "std_errors", "baseline"))
  luaunit.assertEquals(result.baseline[json.keys], error_keys)
  assert_errors(result, flow_errors, "all: ")
  assert_errors(result.baseline, flow_baseline, "baseline: ")
  luaunit.assertEquals({ result.rule, result.refitted, result.target, result.weights, result.n, #result.folds },
    { "flow", true, "difficulty", "solved", 40, 5 })
  local first = result.folds[1]
  luaunit.assertEquals(first[json.keys], keys { "fold", "n_train", "n_test", "coefficients" })
  luaunit.assertEquals({ first.fold, first.n_train, first.n_test }, { 1, 32, 8 })
  luaunit.assertEquals(first.coefficients[json.keys], { "(intercept)", "size", "colours", "distance", "corners" })
  assert_errors(first, flow_first_fold, "fold 1: ")
  for term, value in pairs(flow_first_coefficients) do
    luaunit.assertAlmostEquals(first.coefficients[term], value, 1e-11 * math.abs(value), term)
  end
end

-- The mean of the folds' coefficients is what the paper prints: 0.088, -0.30, -0.40, 0.040 (page 5).
function Evaluate.test_mean_coefficients_are_the_published_ones()
  local means = decode("evaluate --folds-by order flow datasets/flow.csv").coefficients
  local found = ("%.3f %.2f %.2f %.3f"):format(means.size, means.colours, means.distance, means.corners)
  luaunit.assertEquals(found, "0.088 -0.30 -0.40 0.040")
  luaunit.assertStrContains(crux "evaluate --folds-by order flow datasets/flow.csv",
    "\nsize          0.09242   0.08497   0.08471   0.09047   0.08539   0.08759\n")
  luaunit.assertEquals(decode("evaluate --folds-by order examples/by-hand.lua datasets/flow.csv").coefficients[json.keys], {})
end

-- R: for each fold of 8 rows, predict(polr(factor(floor(difficulty + 0.5)) ~ size + colours, others), fold, type = "class")
function Evaluate.test_confusion_of_categories_is_that_of_r()
  local line = "evaluate --folds-by order --formula 'difficulty ~ size + colours' datasets/flow.csv --fit 'ordinal(round = 1)'"
  local result, rows = decode(line), {}
  for i, row in ipairs(result.confusion) do
    luaunit.assertEquals(row.rated, i)
    rows[i] = { row["1"], row["2"], row["3"], row["4"], row["5"], row["6"] }
  end
  luaunit.assertEquals(rows, { { 0, 2, 0, 0, 0, 0 }, { 0, 10, 1, 0, 0, 0 }, { 0, 4, 6, 1, 0, 1 }, { 0, 0, 3, 3, 1, 1 },
    { 0, 0, 0, 2, 1, 1 }, { 0, 0, 0, 0, 3, 0 } })
  luaunit.assertEquals({ result.class_accuracy, result.most_frequent }, { 0.5, 0.3 })
  local text = crux(line)
  luaunit.assertStrContains(text, "\nClass accuracy: 0.5000; share of the most frequent category: 0.3000\n")
  luaunit.assertStrContains(text, "\nrated  1   2  3  4  5  6\n    1  0   2  0  0  0  0\n    2  0  10  1  0  0  0\n")
  -- repeats: the counts of all; a weight of 2 counts twice
  local function total(more)
    local sum = 0
    for _, row in ipairs(decode(line .. more).confusion) do
      for key, count in pairs(row) do sum = sum + (tonumber(key) and count or 0) end
    end
    return sum
  end
  luaunit.assertEquals(total " --folds-by random --repeats 3", 120)
  luaunit.assertEquals(total " --weights colours", 254) -- their sum
  luaunit.assertNil(decode("evaluate --folds-by order flow datasets/flow.csv").confusion)
  -- two levels have a value of a factor that the other fold lacks: they have no category
  local kinds = shell.file("kinds.csv", "kind,y\na,1\nb,2\na,2\nb,1\na,1\nb,1\na,1\nb,2\na,2\nb,1\nc,1\nc,2\n")
  local counted = 0
  for _, row in ipairs(json.decode(shell.crux(("evaluate --folds-by order --formula 'y ~ factor(kind)' %s --folds 2 --fit ordinal --format json")
    :format(kinds)).out).confusion) do counted = counted + row["1"] + row["2"] end
  luaunit.assertEquals(counted, 10)
end

--- The errors that are named, in that order, with the values that all have; tau also for reading.
function Evaluate.test_chosen_statistics()
  local all, result = decode "evaluate --folds-by order flow datasets/flow.csv", decode "evaluate --folds-by order flow datasets/flow.csv --measures tau,mae"
  luaunit.assertEquals(result.baseline[json.keys], { "tau", "mae" })
  luaunit.assertEquals(result.std_errors[json.keys], { "tau", "mae" })
  luaunit.assertEquals({ result.tau, result.mae, result.rmse }, { all.tau, all.mae })
  luaunit.assertStrContains(shell.printed "evaluate --folds-by order flow datasets/flow.csv --statistics tau,mae", "n_test      tau     mae\n")
  local refused = shell.crux "evaluate --folds-by order flow datasets/flow.csv --measures mea"
  luaunit.assertEquals(refused.status, 2)
  luaunit.assertStrContains(refused.err, "--statistics: found the unknown statistic 'mea'; did you mean 'mae'?")
end

--- y = 2, 4, 7, 3 judged by 1 + a = 2, 3, 4, 5 in two folds. Errors 0, -1, -3, 2. Baselines: fold 1 gets the mean of 7
--- and 3, 5 (errors 3, 1); fold 2 that of 2 and 4, 3 (errors -4, 0).
function Evaluate.test_as_it_stands_by_hand()
  local data = shell.file("hand.csv", "level,a,y\nA,1,2\nB,2,4\nC,3,7\nD,4,3\n")
  shell.file("stored.lua", 'return crux.rule { formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 1 } }\n')
  shell.file("function.lua", 'return crux.rule { predicts = "y", formula = function(m) return 1 + m.a end }\n')
  for _, rule in ipairs { "stored.lua --as-is", "function.lua" } do
    local result = decode(("evaluate --folds-by order %s %s --folds 2"):format(shell.path(rule), data))
    assert_errors(result, { mae = 6 / 4, weighted_mae = 6 / 4, relative_percent = 100 * (1 / 4 + 3 / 7 + 2 / 3) / 4,
      weighted_relative_percent = 100 * (1 / 4 + 3 / 7 + 2 / 3) / 4, rmse = math.sqrt(14 / 4), median_squared_error = 5 / 2,
      max_squared_error = 9, overestimates = 1, underestimates = 2 }, rule)
    assert_errors(result.baseline, { mae = 8 / 4, rmse = math.sqrt(26 / 4), max_squared_error = 16, median_squared_error = 5,
      overestimates = 2, underestimates = 1 }, rule)
    assert_errors(result.folds[2], { mae = 5 / 2, n_train = 2, n_test = 2, overestimates = 1, underestimates = 1 }, rule)
    luaunit.assertIs(result.refitted, false)
    luaunit.assertIs(result.weights, json.null)
    luaunit.assertEquals(result.folds[1].coefficients[json.keys], {})
  end
  -- Weights 1, 0, 2, 1: row B is left out, C and D count 2 and 1: (0 + 2 * 3 + 2) / 4.
  local weighted = shell.file("weighted.csv", "level,a,y,w\nA,1,2,1\nB,2,4,0\nC,3,7,2\nD,4,3,1\n")
  local result = shell.crux(("evaluate --folds-by order %s %s --folds 3 --weights w --format json"):format(shell.path "function.lua",
    weighted))
  luaunit.assertEquals(result.err, weighted .. ": 1 row left out: the weight is 0\n")
  assert_errors(json.decode(result.out), { n = 3, weighted_mae = 8 / 4, mae = 5 / 3 }, "weighted: ")
end

function Evaluate.test_target_of_zero_has_no_relative_error()
  local data = shell.file("zero.csv", "a,y\n1,0\n2,3\n3,4\n4,6\n")
  local result = decode(("evaluate --folds-by order --formula y~a %s --folds 2"):format(data))
  luaunit.assertIs(result.relative_percent, json.null)
  luaunit.assertIs(result.folds[1].relative_percent, json.null)
  luaunit.assertIsNumber(result.folds[2].relative_percent)
end

local Compare = {}

function Compare.test_best_first_with_the_baseline_on_the_same_folds()
  local rules = "rules/flow.lua --formula 'difficulty ~ corners' --formula 'difficulty ~ size'"
  local result = decode(("compare --folds-by order %s datasets/flow.csv"):format(rules))
  luaunit.assertEquals(result[json.keys], { "target", "weights", "n", "folds", "repeats", "group", "by", "rules", "baseline",
    "not_ranked", "best", "sentences" })
  luaunit.assertEquals({ result.target, result.weights, result.n, result.folds }, { "difficulty", "solved", 40, 5 })
  local names = {}
  for i, row in ipairs(result.rules) do
    luaunit.assertEquals(row[json.keys], keys({ "rule", "terms", "fit", "calibration" }, "std_errors", "difference", "may_be_best",
      "rows_by_mean"))
    names[i] = row.rule .. " " .. row.terms
    local line = row.rule == "flow" and "flow" or ("--formula '%s' --weights solved"):format(row.rule)
    local alone = decode(("evaluate --folds-by order %s datasets/flow.csv"):format(line))
    for _, key in ipairs(error_keys) do luaunit.assertTrue(row[key] == alone[key], row.rule) end
    for key, value in pairs(alone.baseline) do
      if key ~= json.keys then luaunit.assertEquals(result.baseline[key], value, key) end
    end
  end
  luaunit.assertEquals(names, { "flow 5", "difficulty ~ size 2", "difficulty ~ corners 2" })
  assert_errors(result.rules[1], flow_errors, "flow: ")
  luaunit.assertEquals(crux(("compare --folds-by order %s datasets/flow.csv --format csv"):format(rules)):gsub(",[^\n]*", ""),
    "rule\nflow\ndifficulty ~ size\ndifficulty ~ corners\nbaseline\n")
end

--- Levels that one rule cannot rate are left out for all; a rule worse than the mean stands behind the baseline.
function Compare.test_same_rows_for_all()
  local data = shell.file("gaps.csv", "level,a,b,y\nA,1,,1\nB,2,1,2\nC,3,5,3\nD,4,1,5\nE,5,9,4\nF,6,1,6\n")
  shell.file("far.lua", 'return crux.rule { predicts = "y", formula = function(m) return 100 + 0 * m.b end }\n')
  local result = shell.crux(("compare --folds-by order --formula y~a %s %s --folds 5 --format csv"):format(shell.path "far.lua", data))
  luaunit.assertEquals(result.err, data .. ": 1 row left out: a measure is missing\n")
  luaunit.assertEquals(result.out:gsub(",[^\n]*", ""), "rule\ny~a\nbaseline\nfar\n")
  local alone = shell.file("complete.csv", "a,y\n2,2\n3,3\n4,5\n5,4\n6,6\n")
  local expected = decode(("evaluate --folds-by order --formula y~a %s"):format(alone))
  local row = json.decode(shell.crux(("compare --folds-by order --formula y~a %s %s --format json"):format(shell.path "far.lua",
    data)).out).rules[1]
  luaunit.assertTrue(row.mae == expected.mae)
end

return { Evaluate = Evaluate, Compare = Compare }
