--- End-to-end tests of comparisons: formulas as arguments, fits, repeats, groups, leaving one out, intervals, faults.
local failing = require "failing"
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local decode = shell.decoded

local Compare = {}

local function names_of(result)
  local names = {}
  for i, row in ipairs(result.rules) do names[i] = row.rule end
  return names
end

--- Both forms say the same; what has a ~ is a formula.
function Compare.test_data_last_or_named()
  local named = shell.printed "compare --folds-by order --data datasets/flow.csv flow 'difficulty ~ size' --weights solved"
  luaunit.assertEquals(shell.printed "compare --folds-by order flow 'difficulty ~ size' datasets/flow.csv --weights solved", named)
  luaunit.assertEquals(shell.printed "compare --folds-by order flow --formula 'difficulty ~ size' datasets/flow.csv --weights solved", named)
  luaunit.assertEquals(shell.printed "compare --folds-by order --formula 'difficulty ~ size' --data datasets/flow.csv",
    shell.printed "compare --folds-by order 'difficulty ~ size' datasets/flow.csv")
end

--- A row for each way to fit each formula; a Lua function is judged once; the column stands only where it says something.
function Compare.test_several_fits()
  local result = decode "compare --folds-by order flow examples/by-hand.lua --fit ols,wls --data datasets/flow.csv"
  luaunit.assertEquals(names_of(result), { "flow", "flow, wls", "by-hand" })
  luaunit.assertEquals({ result.rules[2].fit, result.rules[2].mae }, { "wls", result.rules[1].mae })
  luaunit.assertStrContains(shell.printed "compare --folds-by order flow --fit ols,wls datasets/flow.csv", "rule       terms  fit")
  luaunit.assertNotStrContains(shell.printed "compare --folds-by order flow --fit ols datasets/flow.csv", "fit")
  luaunit.assertEquals(decode("evaluate --folds-by order flow datasets/flow.csv --fit wls").mae, result.rules[1].mae)
end

--- The mean of what each shuffle alone has; and the folds of all times in a row.
function Compare.test_repeats()
  local result = decode "evaluate flow datasets/flow.csv --folds 4 --repeats 3 --seed 5"
  luaunit.assertEquals({ #result.folds, result.folds[5]["repeat"], result.folds[5].fold }, { 12, 2, 1 })
  local sum = 0
  for _, fold in ipairs(result.folds) do sum = sum + fold.mae / 12 end
  luaunit.assertAlmostEquals(result.mae, sum, 1e-12) -- folds of 10 each
  local first = decode "evaluate flow datasets/flow.csv --folds 4 --repeats 1 --seed 5"
  luaunit.assertEquals(result.folds[2].mae, first.folds[2].mae)
  local compared = decode "compare flow datasets/flow.csv --folds 4 --repeats 3 --seed 5"
  luaunit.assertEquals({ compared.rules[1].mae, compared.repeats }, { result.mae, 3 })
  luaunit.assertEquals(decode("compare flow datasets/flow.csv --repeats 2").rules,
    decode("compare flow datasets/flow.csv --repeats 2 --seed 1").rules)
  local lines = shell.printed "evaluate flow datasets/flow.csv --folds 4 --repeats 3 --format csv"
  luaunit.assertEquals(lines:gsub(",[^\n]*", ""), "fold\nrepeat 1\nrepeat 2\nrepeat 3\nall\nbaseline\n")
  for _, repeats in ipairs { 2, 9 } do
    luaunit.assertStrContains(shell.printed("evaluate flow datasets/flow.csv --folds 4 --repeats " .. repeats),
      "Coefficients over the folds")
  end
end

--- y = 1, 2, 6 without x: each is predicted by the mean of the other two, 4, 3.5, 1.5.
function Compare.test_leaving_one_out()
  local data = shell.file("three.csv", "y,x\n1,0\n2,1\n6,5\n")
  local result = decode(("evaluate --formula y~1 %s --loo"):format(data))
  luaunit.assertAlmostEquals({ #result.folds, result.mae }, { 3, (3 + 1.5 + 4.5) / 3 }, 1e-14)
  luaunit.assertAlmostEquals(decode(("compare y~1 %s --loo"):format(data)).rules[1].mae, 3, 1e-14)
end

--- Groups a, b and c are left out one after the other: of y = 1 3, 5, 9 the others' means are 7, 13/3 and 3.
function Compare.test_groups_are_left_out_whole()
  local data = shell.file("packs.csv", "y,pack\n1,a\n5,b\n3,a\n9,c\n")
  for _, options in ipairs { "--loo", "--folds 3" } do
    local result = decode(("evaluate --folds-by order --formula y~1 %s --group pack %s"):format(data, options))
    luaunit.assertEquals(#result.folds, 3)
    luaunit.assertAlmostEquals(result.mae, (6 + 2 / 3 + 4 + 6) / 4, 1e-12)
  end
  local text = shell.printed(("compare --folds-by order y~1 %s --group pack --folds 2"):format(data))
  luaunit.assertStrContains(text, "for 4 levels in 2 folds, groups of pack kept whole, best first by mae.\n")
end

--- Differences are to the baseline unless a rule is named; a rule outside of the set of the best is marked.
function Compare.test_the_sentences_and_intervals()
  local line = "compare flow flow-solver 'difficulty ~ corners' --data datasets/flow.csv"
  for _, name in ipairs { "baseline", "flow" } do
    local result = decode(line .. (name == "flow" and " --reference flow" or ""))
    local reference = name == "baseline" and result.baseline or result.rules[2]
    luaunit.assertEquals({ names_of(result), result.best }, { { "flow-solver", "flow", "difficulty ~ corners" },
      { "flow-solver", "flow" } })
    luaunit.assertEquals({ reference.difference, result.rules[1].may_be_best, result.rules[3].may_be_best },
      { json.null, true, false })
    luaunit.assertEquals(result.sentences, { "Any of flow-solver and flow may be the best: no difference shown; the other rule is "
      .. "worse.", table.unpack(name == "baseline" and { "Better than the baseline: flow-solver, flow and difficulty ~ corners." }
      or { "No difference to flow shown: flow-solver.", "Worse than flow: difficulty ~ corners and the baseline." }) })
    for _, row in ipairs(result.rules) do
      local difference = row.difference
      if row ~= reference then
        luaunit.assertEquals({ difference.to, difference.differs }, { name, difference.low > 0 or difference.high < 0 })
        luaunit.assertAlmostEquals(difference.estimate, row.weighted_mae - reference.weighted_mae, 1e-12)
        luaunit.assertAlmostEquals(difference.high - difference.estimate, difference.estimate - difference.low, 1e-12)
      end
    end
  end
  local text = shell.printed(line)
  luaunit.assertStrMatches(text, "rule [^\n]* may_be_best\n.*\ndifficulty ~ corners [^\n]* no\n.*")
  luaunit.assertStrContains(text, "weighted_mae: standard errors, and differences to the baseline with 95 % intervals that hold together")
  local rows = shell.lines(shell.printed(line .. " --format csv"))
  luaunit.assertStrContains(rows[1], ",weighted_mae_se,")
  luaunit.assertStrMatches(rows[1], ".*,may_be_best,.*,difference,low,high")
  luaunit.assertStrMatches(rows[5], "baseline,.*,,,")
end

--- The time does not grow with draws of more than 100,000 levels: the bound of Bonferroni, here of one difference, is t's.
function Compare.test_many_levels()
  local line = "compare y~a --folds-by order --folds 2 --format json --data "
    .. shell.file("many.csv", "a,y\n" .. ("1,2\n2,3\n3,5\n4,7\n"):rep(25001))
  luaunit.assertEquals(shell.printed(line), shell.printed(line .. " --draws 0"))
end

--- Without 9, of fold 1, there is no parabola: its rule is not ranked, and what failed is told. The others are compared as if it
--- were not there, with a journal or not.
function Compare.test_a_fold_that_cannot_be_fitted()
  local file, log = shell.file("lone.csv", "x,y\n9,1\n1,4\n2,2\n1,6\n2,5\n1,3\n"), shell.path "lone.journal"
  os.remove(log)
  local line = ("compare --folds-by order 'y ~ poly(x, 2)' 'y ~ x' --data %s --folds 3"):format(file)
  local alone = ("compare --folds-by order 'y ~ x' --data %s --folds 3"):format(file)
  local failure = ("formula 'y ~ poly(x, 2)': %s, all but fold 1: term 'poly(x, 2)': found 2 different values, expected at least 3")
    :format(file)
  local found = shell.crux(line .. " --format json")
  luaunit.assertEquals({ found.status, found.err }, { 0, "" })
  local result = json.decode(found.out)
  luaunit.assertEquals(result.rules, decode(alone).rules)
  luaunit.assertEquals(result.baseline, decode(alone).baseline)
  local parabola = result.not_ranked[1]
  luaunit.assertEquals({ #result.not_ranked, parabola.rule, parabola.folds_left_out, parabola.failure },
    { 1, "y ~ poly(x, 2)", 1, failure })
  luaunit.assertEquals(shell.printed(line), ("%s\nNot ranked: rules that could not be fitted in every fold\n\n"
    .. "rule            folds   failure\ny ~ poly(x, 2)  2 of 3  %s\n"):format(shell.printed(alone), failure))
  luaunit.assertEquals(shell.crux(line .. " --reference 'y ~ poly(x, 2)'").err, ("--reference: found the rule 'y ~ poly(x, 2)', "
    .. "fitted in 2 of 3 folds (%s), expected a rule that can be fitted in every fold\n"):format(failure))
  luaunit.assertStrMatches(shell.printed(line .. " --format csv"), "rule,[^\n]*,failure\n.*\ny ~ x,[^\n]*\n\"y ~ poly%(x, 2%)\",3,,.*")
  for _ = 1, 2 do luaunit.assertEquals(shell.crux(line .. " --format json --resume " .. log).out, found.out) end
  luaunit.assertEquals(shell.crux(("evaluate --folds-by order --formula 'y ~ poly(x, 2)' %s --folds 3"):format(file)).err,
    failure:gsub("^formula '[^']*': ", "") .. "; 1 of 3 folds left out of the errors\n")
  luaunit.assertStrContains(shell.crux(("compare --folds-by order 'y ~ poly(x, 2)' 'y ~ x' --fit nnls,wls --data %s"):format(file)).err,
    "no case weights")
end

--- The message of a rule for which no fold can be fitted names the rule and a fold. Where this is so for all rules, the message is
--- a fault.
function Compare.test_no_fold_can_be_fitted()
  local file = shell.file("flat.csv", "x,y\n1,1\n1,4\n2,2\n1,6\n2,5\n1,3\n")
  luaunit.assertEquals(shell.crux(("compare --folds-by order 'y ~ factor(x):poly(x, 1)' 'y ~ poly(x, 1)' --data %s --folds 3 --fit nnls")
    :format(file)).status, 0)
  local order = shell.file("order.csv", "x,y\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n")
  local found = shell.crux(("compare --folds-by order 'y ~ x' --fit ols,ordinal --data %s --folds 3"):format(order))
  local problem = ("rule 'y ~ x, ordinal': %s, all but fold 1: fit 'ordinal': found no greatest likelihood, as where a term "
    .. "orders all ratings, expected convergence; --unconverged takes it as it is"):format(order)
  luaunit.assertEquals({ found.status, found.err }, { 0, "" })
  luaunit.assertStrContains(found.out, "\ny ~ x, ordinal  0 of 3  " .. problem .. "\n")
  found = shell.crux(("compare --folds-by order 'y ~ x' 'y ~ 1 + x' --fit ordinal --data %s --folds 3"):format(order))
  luaunit.assertEquals({ found.status, found.out, found.err }, { 1, "", problem .. "\n" })
  for _, times in ipairs { " --folds-by order", " --repeats 2" } do
    local journal = shell.path("order" .. #times .. ".journal")
    os.remove(journal)
    local line = ("compare 'y ~ x' --fit ols,ordinal --data %s --folds 3%s --format csv --resume %s"):format(order, times, journal)
    found = shell.crux(line)
    luaunit.assertStrContains(found.out, "\n\"y ~ x, ordinal\",2,ordinal,,,")
    luaunit.assertEquals(shell.crux(line).out, found.out)
  end
end

--- Values of a factor that the other folds lack are predicted by the mean, told and counted.
function Compare.test_values_of_factors_that_other_folds_lack()
  local file = shell.file("kinds.csv", "kind,y\na,1\nb,2\na,3\nb,4\na,5\nc,6\n")
  local found = shell.crux(("compare --folds-by order 'y ~ factor(kind)' 'y ~ 1' --data %s --folds 2 --format json"):format(file))
  luaunit.assertEquals(found.err, ("formula 'y ~ factor(kind)': %s: 1 row predicted by the mean of the other folds, which lack "
    .. "their value of a factor\n"):format(file))
  for _, row in ipairs(json.decode(found.out).rules) do luaunit.assertEquals(row.rows_by_mean, row.terms == 3 and 1 or 0) end
  local line = "fit --formula 'y ~ factor(kind)' %s --intervals conformal -o " .. shell.path "kinds.lua"
  luaunit.assertEquals(shell.crux(line:format(file)).err,
    file .. ": 1 row predicted by the mean of the other folds, which lack their value of a factor\n")
end

--- Squares of errors that are too large for a double have no mean, and no standard error.
function Compare.test_large_numbers()
  local file = shell.file("large.csv", "a,y\n1,1e300\n2,2e300\n3,-3e300\n4,5e300\n5,1e300\n6,2e300\n")
  luaunit.assertStrContains(shell.printed("evaluate --folds-by order --formula y~a " .. file),
    "\nStandard errors over the folds: relative_percent 66.59\n")
  local text = shell.printed(("compare --folds-by order y~a 'y ~ log(a)' %s"):format(file))
  luaunit.assertStrContains(text, "\nErrors of predicting y for 6 levels in 5 folds, best first by mae.\n")
  luaunit.assertNotStrContains(text, "standard errors")
  luaunit.assertNotStrContains(text:lower(), "nan")
end

--- Where the mean over folds does not estimate a statistic, there is no standard error, and no difference.
function Compare.test_statistics_that_folds_do_not_estimate()
  local no_differences = "No differences are shown: the mean of %s over these folds is no estimate of it.\n"
  for by, options in pairs { max_squared_error = "", rmse = " --loo" } do
    local line = ("compare --by %s flow 'difficulty ~ size' datasets/flow.csv --weights solved%s"):format(by, options)
    local result = decode(line)
    luaunit.assertEquals({ result.rules[1].std_errors[by], result.rules[1].difference, result.rules[1].may_be_best }, { json.null, json.null, json.null })
    local text = shell.printed(line)
    luaunit.assertStrContains(text, no_differences:format(by))
    luaunit.assertNotStrContains(text, "standard errors")
  end
  luaunit.assertStrContains(shell.printed "evaluate --loo flow datasets/flow.csv",
    "\nStandard errors over the folds: mae 0.07694, weighted_mae 0.07694, relative_percent 2.434, weighted_relative_percent 2.434\n")
end

--- Rows of a table of plays are plays, and those of a level are in several folds unless they are kept together.
function Compare.test_plays()
  local line = "compare 'seconds ~ shortest' --folds-by order --data datasets/rushhour-plays.csv"
  local split, whole = shell.crux(line), shell.crux(line .. " --group level")
  luaunit.assertEquals({ split.err, whole.err }, { "datasets/rushhour-plays.csv: plays of a level are in several folds, so measures of levels seem to "
    .. "predict better than they do; --group level keeps them together\n", "" })
  luaunit.assertStrContains(split.out, "Errors of predicting seconds for 3,804 plays in 5 folds, best first by mae.\n")
end

local Faults = {}

local data = { ["same.csv"] = "y,a,pack\n3,1,p\n3,2,p\n3,4,p\n", ["few.csv"] = "y,a,pack\n3,1,p\n2,2,p\n3,4,p\n",
  ["hand.lua"] = 'return crux.rule { name = "hand", predicts = "y", formula = function(m) return m.a end }\n' }

for name, case in pairs {
  ratings_all_equal = { "compare --folds-by order y~a same.csv --folds 2",
    "same.csv: column 'y': found 3 in all 3 rows, expected values that differ" },
  a_way_to_fit_a_function = { "evaluate --folds-by order hand.lua few.csv --fit lad",
    "hand.lua: found a Lua function without params as its formula, expected a formula string or params, which can be fitted" },
  one_group = { "compare y~a few.csv --group pack --loo",
    "few.csv: column 'pack': found 1 group, expected at least 2, as no group is divided between folds" },
  fewer_rows_than_folds = { "compare --folds-by order y~a few.csv", "few.csv: found 3 complete rows, expected at least one for each of the 5 folds" },
  no_such_group = { "compare --folds-by order y~a few.csv --group park", "few.csv:1: formula 'y~a' needs the groups 'park', which is not among the "
    .. "columns; did you mean 'pack'?" },
  no_such_reference = { "compare y~a few.csv --folds 2 --reference b", "--reference: found the unknown rule 'b'; there are: baseline",
    status = 2 },
  order_and_repeats = { "compare y~a few.csv --folds-by order --repeats 2", "found --folds-by order and --repeats, expected one of them",
    status = 2 },
  loo_and_repeats = { "compare y~a few.csv --loo --repeats 2", "found --loo and --repeats, expected one of them", status = 2 },
  fit_and_as_is = { "compare --folds-by order y~a few.csv --fit wls --as-is", "found --fit and --as-is, expected one of them", status = 2 },
  no_rule = { "compare --folds-by order few.csv", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)",
    status = 2 },
  no_such_fit = { "compare --folds-by order y~a few.csv --fit ols,wsl", "--fit: found the unknown fit 'wsl'; ", starts = true },
} do
  Faults["test_" .. name] = function()
    case.files = data
    failing.check(case)
  end
end

return { CompareLines = Compare, CompareFaults = Faults }
