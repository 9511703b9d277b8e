--- End-to-end tests of comparisons: formulas as arguments, fits, repeats, groups, leaving one out, intervals, faults.
local failing = require "failing"
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
  local named = shell.printed "compare --data datasets/flow.csv flow 'difficulty ~ size' --weights solved"
  luaunit.assertEquals(shell.printed "compare flow 'difficulty ~ size' datasets/flow.csv --weights solved", named)
  luaunit.assertEquals(shell.printed "compare flow --formula 'difficulty ~ size' datasets/flow.csv --weights solved", named)
  luaunit.assertEquals(shell.printed "compare --formula 'difficulty ~ size' --data datasets/flow.csv",
    shell.printed "compare 'difficulty ~ size' datasets/flow.csv")
end

--- A row for each way to fit each formula; a Lua function is judged once; the column stands only where it says something.
function Compare.test_several_fits()
  local result = decode "compare flow examples/by-hand.lua --fit ols,wls --data datasets/flow.csv"
  luaunit.assertEquals(names_of(result), { "flow", "flow, wls", "by-hand" })
  luaunit.assertEquals({ result.rules[2].fit, result.rules[2].mae }, { "wls", result.rules[1].mae })
  luaunit.assertStrContains(shell.printed "compare flow --fit ols,wls datasets/flow.csv", "rule       terms  fit")
  luaunit.assertNotStrContains(shell.printed "compare flow --fit ols datasets/flow.csv", "fit")
  luaunit.assertEquals(decode("evaluate flow datasets/flow.csv --fit wls").mae, result.rules[1].mae)
end

--- The mean of what each shuffle alone has; and the folds of all times in a row.
function Compare.test_repeats()
  local result = decode "evaluate flow datasets/flow.csv --folds 4 --repeats 3 --seed 5"
  luaunit.assertEquals({ #result.folds, result.folds[5]["repeat"], result.folds[5].fold }, { 12, 2, 1 })
  local sum = 0
  for _, fold in ipairs(result.folds) do sum = sum + fold.mae / 12 end
  luaunit.assertAlmostEquals(result.mae, sum, 1e-12) -- folds of 10 each
  local first = decode "evaluate flow datasets/flow.csv --folds 4 --shuffle --seed 5"
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
  luaunit.assertEquals({ #result.folds, result.mae }, { 3, (3 + 1.5 + 4.5) / 3 })
  luaunit.assertEquals(decode(("compare y~1 %s --loo"):format(data)).rules[1].mae, 3)
end

--- Groups a, b and c are left out one after the other: of y = 1 3, 5, 9 the others' means are 7, 13/3 and 3.
function Compare.test_groups_are_left_out_whole()
  local data = shell.file("packs.csv", "y,pack\n1,a\n5,b\n3,a\n9,c\n")
  for _, options in ipairs { "--loo", "--folds 3" } do
    local result = decode(("evaluate --formula y~1 %s --group pack %s"):format(data, options))
    luaunit.assertEquals(#result.folds, 3)
    luaunit.assertAlmostEquals(result.mae, (6 + 2 / 3 + 4 + 6) / 4, 1e-12)
  end
  local text = shell.printed(("compare y~1 %s --group pack --folds 2"):format(data))
  luaunit.assertStrContains(text, "for 4 levels in 2 folds, groups of pack kept whole, best first by mae.\n")
end

function Compare.test_the_sentences_and_intervals()
  local result = decode "compare flow flow-solver 'difficulty ~ corners' --data datasets/flow.csv --repeats 20 --folds 10"
  local best = result.rules[1]
  luaunit.assertEquals({ best.rule, result.by, #result.sentences }, { "flow-solver", "weighted_mae", 3 })
  for i, row in ipairs(result.rules) do
    local difference = row.difference
    if i > 1 then
      luaunit.assertEquals(difference.to, "flow-solver")
      luaunit.assertAlmostEquals(difference.estimate, row.weighted_mae - best.weighted_mae, 1e-12)
      luaunit.assertAlmostEquals(difference.high - difference.estimate, difference.estimate - difference.low, 1e-12)
      luaunit.assertIs(difference.differs, difference.low > 0)
      luaunit.assertStrContains(result.sentences[i - 1], difference.differs and "predicts better than" or "does not differ from")
    end
  end
  local rows, head = {}, nil
  for line in shell.printed("compare flow flow-solver datasets/flow.csv --format csv"):gmatch "[^\n]+" do
    head = head or line
    table.insert(rows, line)
  end
  luaunit.assertStrContains(head, ",weighted_mae_se,")
  luaunit.assertStrContains(head, ",difference,low,high,bootstrap_low,bootstrap_high")
  luaunit.assertStrMatches(rows[2], "flow%-solver,.*,,,,,")
end

local Faults = {}

local data = { ["same.csv"] = "y,a,pack\n3,1,p\n3,2,p\n3,4,p\n", ["few.csv"] = "y,a,pack\n3,1,p\n2,2,p\n3,4,p\n",
  ["hand.lua"] = 'return crux.rule { name = "hand", predicts = "y", formula = function(m) return m.a end }\n' }

for name, case in pairs {
  ratings_all_equal = { "compare y~a same.csv --folds 2",
    "same.csv: column 'y': found 3 in all 3 rows, expected values that differ" },
  ratings_all_equal_evaluate = { "evaluate --formula y~a same.csv --folds 2", once = true,
    "same.csv: column 'y': found 3 in all 3 rows, expected values that differ" },
  a_way_to_fit_a_function = { "evaluate hand.lua few.csv --fit lad",
    "rule 'hand': found a Lua function without params as its formula, expected a formula string or params, which can be fitted" },
  one_group = { "compare y~a few.csv --group pack --loo",
    "few.csv: column 'pack': found 1 group, expected at least 2, as no group is divided between folds" },
  one_group_in_folds = { "evaluate --formula y~a few.csv --group pack", once = true,
    "few.csv: column 'pack': found 1 group, expected at least 5, as no group is divided between folds" },
  fewer_rows_than_folds = { "compare y~a few.csv", "few.csv: found 3 complete rows, expected at least one for each of the 5 folds" },
  no_such_group = { "compare y~a few.csv --group park", "few.csv:1: formula 'y~a' needs the groups 'park', which is not among the "
    .. "columns; did you mean 'pack'?" },
  loo_and_repeats = { "compare y~a few.csv --loo --repeats 2", "found --loo and --repeats, expected one of them", status = 2 },
  fit_and_as_is = { "compare y~a few.csv --fit wls --as-is", "found --fit and --as-is, expected one of them", status = 2 },
  no_rule = { "compare few.csv", "expected at least one rule (RULE or FORMULA) and the dataset (--data DATA, or DATA last)",
    status = 2 },
  no_such_fit = { "compare y~a few.csv --fit ols,wsl", "--fit: found no fit 'wsl'; ", starts = true },
} do
  Faults["test_" .. name] = function()
    case.files = data
    failing.check(case)
  end
end

return { CompareLines = Compare, CompareFaults = Faults }
