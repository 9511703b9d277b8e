--- End-to-end tests of crux select: R's steps, subsets and nested errors, what is written, and what is refused.
local failing = require "failing"
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local reference = require "reference.selection_reference"
local shell = require "shell"

local printed, decoded = shell.printed, shell.decoded

local function near(found, expected, what)
  luaunit.assertTrue(math.abs(found - expected) <= 1e-9 * math.max(1, math.abs(expected)),
    ("%s: %.17g, expected %.17g"):format(what, found, expected))
end

--- The command line of a case of the reference: the measures and what to do with them.
local function line_of(case)
  local measures, options = {}, {}
  for _, candidate in ipairs(case.candidates) do
    if candidate:find "log" then
      options[1] = " --transforms log"
    elseif candidate:find ":" then
      options[1] = " --interactions"
    else
      table.insert(measures, candidate)
    end
  end
  return ("select --folds-by order %s --target %s%s --by %s --method %s --measures %s%s"):format(case.data, case.target,
    case.weights and " --weights " .. case.weights or "", case.by, case.method or "best", table.concat(measures, ","),
    options[1] or "")
end

local Select = {}

function Select.test_best_subsets_and_the_lassos_are_those_of_r()
  for _, case in ipairs(long.some(4, table.move(reference.lasso, 1, #reference.lasso, #reference.best + 1, reference.best))) do
    local line = ("%s --top %d"):format(line_of(case), #case.sets)
    local result = decoded(line)
    luaunit.assertEquals(result.candidates, case.candidates)
    luaunit.assertEquals(result.choices[1].value, result.value)
    for i, choice in ipairs(result.choices) do
      luaunit.assertEquals(choice.terms, case.sets[i], line)
      near(choice.value, case.values[i], line)
    end
  end
end

--- R keeps a term that may as well go; there is none here.
function Select.test_steps_are_those_of_r()
  for _, case in ipairs(long.some(3, reference.steps)) do
    local line = line_of(case)
    local result = decoded(line)
    luaunit.assertEquals(result.candidates, case.candidates)
    luaunit.assertEquals(#result.choices, #case.changes, line)
    luaunit.assertEquals(result.choices[#result.choices].value, result.value)
    for i, choice in ipairs(result.choices) do
      luaunit.assertEquals(choice.step == json.null and "" or choice.step:gsub(" ", ""), case.changes[i], line)
      near(choice.value, case.values[i], line)
    end
  end
end

function Select.test_nested_errors_are_those_of_r()
  for _, case in ipairs(reference.nested) do
    local line = line_of(case)
    local result = decoded(line)
    for _, key in ipairs { "mae", "weighted_mae", "rmse" } do near(result.nested[key], case[key], line) end
  end
end

--- The naive error and the baseline are what crux evaluate says of the chosen formula on the same folds, the means of the
--- repeats those of each; the rule written is the fitted one.
function Select.test_what_other_commands_say()
  long.only()
  local path = shell.path "chosen.lua"
  local line = "select datasets/lazors.csv --weights solved --transforms log,sqrt --method forward --seed 3"
  local result = decoded(line .. " --repeats 2 -o " .. path)
  local said = decoded(("evaluate %s datasets/lazors.csv --seed 3 --repeats 2"):format(path))
  near(result.naive.weighted_mae, said.weighted_mae, "naive")
  near(result.baseline.weighted_mae, said.baseline.weighted_mae, "baseline")
  local fitted = decoded(("fit --formula '%s' --weights solved datasets/lazors.csv"):format(result.formula))
  for _, term in ipairs(fitted.terms) do near(result.coefficients[term.term], term.estimate, term.term) end
  luaunit.assertEquals(#result.coefficients[json.keys], #fitted.terms)
  luaunit.assertStrContains(shell.read(path), ('formula = "%s"'):format(result.formula))
  luaunit.assertStrContains(shell.read(path), "\n  ranges = {\n") -- as crux fit writes them, for levels unlike these
  luaunit.assertEquals(printed(line), printed(line))
  luaunit.assertEquals(printed "select datasets/flow.csv", printed "select datasets/flow.csv --repeats 10 --seed 1")
end

--- With one measure, which is always chosen, the nested errors and their difference to the baseline are those of its formula,
--- also of a function of the target, whose predictions are on the scale of the target.
function Select.test_the_interval_is_that_of_compare()
  for _, target in ipairs { "difficulty", "log(difficulty)" } do
    local line = ("datasets/flow.csv --weights solved --repeats 3 --seed 4 --target '%s' --measures size"):format(target)
    local result, formula = decoded("select " .. line), target .. " ~ size"
    local compared = decoded(("compare '%s' datasets/flow.csv --weights solved --repeats 3 --seed 4"):format(formula))
    luaunit.assertEquals({ result.formula, result.target, result.difference.by }, { formula, "difficulty", "weighted_mae" })
    near(result.nested.weighted_mae, compared.rules[1].weighted_mae, "nested")
    for _, key in ipairs { "estimate", "std_error", "low", "high" } do
      near(result.difference[key], compared.rules[1].difference[key], key)
    end
    luaunit.assertStrMatches(printed("select " .. line), ".*\nweighted_mae, nested minus baseline: %-[%d.]+, 95 %% interval %-[%d.]+ to "
      .. "%-[%d.]+%. Better than the baseline: nested%.\n.*")
  end
end

--- Nested, naive and baseline have the same measures; naive and baseline are those of crux evaluate.
function Select.test_ranks_and_densities_of_all()
  local result = decoded "select datasets/flow.csv --measures size,corners --weights solved --repeats 3"
  local once = decoded "select datasets/flow.csv --measures size,corners --weights solved --repeats 1"
  local alone = decoded(("evaluate --formula '%s' --weights solved --seed 1 datasets/flow.csv --repeats 1"):format(once.formula))
  for _, key in ipairs { "tau", "spearman", "log_score", "mae" } do
    near(once.naive[key], alone[key], "naive " .. key)
    near(once.baseline[key], alone.baseline[key], "baseline " .. key)
    luaunit.assertEquals({ math.type(result.spread[key]), math.type(result.baseline[key]) }, { "float", "float" })
  end
end

--- The written rule says that its target falls.
function Select.test_falling_target()
  local lines = { "level,size,rate" }
  for size = 1, 8 do table.insert(lines, ("l%d,%d,%g"):format(size, size, 1 - size / 10)) end
  local data, path = shell.file("rates.csv", table.concat(lines, "\n") .. "\n"), shell.path "falling.lua"
  shell.printed(("select %s --target rate --target-falls -o %s"):format(data, path))
  luaunit.assertStrContains(shell.read(path), 'target = { "rate", falls = true }')
end

--- With --game the chosen rule rates level files; without it, rate says that the game is missing.
function Select.test_game()
  long.leave_out()
  local level = shell.file("level.txt", shell.read "datasets/levels/flow/2.txt")
  local function assert_rates(line)
    near(decoded(line)[1].rating, decoded("rate flow " .. level)[1].rating, line)
  end
  for _, line in ipairs { "select --folds-by order datasets/flow.csv --weights solved",
    "fit --formula 'difficulty ~ size + colours + distance + corners' --weights solved datasets/flow.csv" } do
    local path = shell.path "written.lua"
    shell.printed(("%s --game flow -o %s"):format(line, path))
    assert_rates(("rate %s %s"):format(path, level))
    shell.printed(("%s -o %s"):format(line, path))
    luaunit.assertStrContains(shell.crux(("rate %s %s"):format(path, level)).err, ("%s: found no field 'game', expected one, or "
      .. "--game, to measure the levels of %s\n"):format(path, level))
    assert_rates(("rate %s %s --game flow"):format(path, level))
    local wrong = shell.crux(("%s --game flw -o %s"):format(line, shell.path "none.lua"))
    luaunit.assertEquals({ wrong.status, wrong.err }, { 1, "found the unknown game 'flw'; did you mean 'flow'?\n" })
    luaunit.assertFalse(shell.exists(shell.path "none.lua"))
  end
  luaunit.assertStrContains(shell.crux("fit examples/tuned.lua datasets/flow.csv --game flow -o " .. shell.path "none.lua").err,
    "--game: found a Lua function as the formula, expected a field 'game' in its script")
end

--- The best of all that a limit allows is the best that forward may at most find.
function Select.test_limits()
  long.only()
  local all = decoded "select --folds-by order datasets/dungeongrams.csv --top 5000 --by bic"
  luaunit.assertEquals(#all.choices, 4096)
  local expected = {}
  for _, choice in ipairs(all.choices) do
    if #choice.terms <= 3 and #expected < 5 then table.insert(expected, choice) end
  end
  local some = decoded "select --folds-by order datasets/dungeongrams.csv --max-terms 3 --by bic"
  luaunit.assertEquals(some.choices, expected)
  for _, method in ipairs { "forward", "backward" } do
    local steps = decoded(("select --folds-by order datasets/dungeongrams.csv --max-terms 2 --by bic --method %s"):format(method))
    luaunit.assertTrue(#steps.choices[#steps.choices].terms <= 2)
    luaunit.assertTrue(steps.value >= some.value)
  end
end

--- 15 measures that tell nothing: the naive error is below the baseline's all the same, the nested one is not.
function Select.test_noise_is_found_out()
  long.leave_out()
  math.randomseed(5)
  local lines = { "difficulty,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o" }
  for row = 1, 40 do
    local cells = {}
    for i = 1, 16 do cells[i] = ("%.6f"):format(math.random()) end
    lines[row + 1] = table.concat(cells, ",")
  end
  local path = shell.file("noise.csv", table.concat(lines, "\n") .. "\n")
  local result = decoded(("select %s --repeats %d"):format(path, long.choose(2, 5)))
  luaunit.assertTrue(result.naive.rmse < result.baseline.rmse)
  luaunit.assertTrue(result.nested.rmse > result.baseline.rmse)
  luaunit.assertTrue(result.difference.low < 0 and result.difference.high > 0 and not result.difference.differs)
  luaunit.assertTrue(result.spread.rmse > 0)
end

function Select.test_what_is_no_candidate()
  local path = shell.file("odd.csv", "difficulty,a,b,flat,name\n1,1,0,7,x\n3,2,-1,7,y\n2,3,4,7,z\n5,4,1,7,x\n4,6,2,7,y\n7,5,3,7,z\n"
    .. "6,8,0,7,x\n8,7,9,7,y\n3,2,5,7,x\n2,1,7,7,y\n9,7,-3,7,z\n8,9,2,7,x\n")
  local result = decoded(("select --folds-by order %s --transforms square,sqrt,log --interactions --folds 2"):format(path))
  luaunit.assertEquals(result.candidates, { "a", "log(a)", "sqrt(a)", "I(a^2)", "b", "I(b^2)", "a:b" })
  luaunit.assertEquals(result.dropped, { "log of b, as not all values are above 0", "sqrt of b, as not all values are 0 or above",
    "flat, which is the same in all rows" })
  for _, choice in ipairs(result.choices) do
    local terms = table.concat(choice.terms, " ") .. " "
    luaunit.assertTrue(not terms:find "a:b" or (terms:find "^a " and terms:find "b ") ~= nil, terms)
  end
end

--- A target that is exactly a + 2b: criteria of logarithms of nothing, and a choice that is right all the same.
function Select.test_perfect()
  local lines = { "difficulty,a,b,c" }
  math.randomseed(6)
  for row = 1, 20 do
    local a, b, c = math.random(9), math.random(9), math.random(9)
    lines[row + 1] = ("%d,%d,%d,%d"):format(a + 2 * b, a, b, c)
  end
  local path = shell.file("perfect.csv", table.concat(lines, "\n") .. "\n")
  for _, by in ipairs { "cv", "aic", "bic" } do
    luaunit.assertStrContains(printed(("select --folds-by order %s --by %s"):format(path, by)), "Chosen: difficulty ~ a + b\n")
  end
  failing.check { "select --folds-by order perfect.csv --by mallows", "perfect.csv: found a full model that leaves nothing over, expected some "
    .. "variance for --by mallows", files = { ["perfect.csv"] = shell.read(path) }, output = false }
end

local ten = "y,a,b\n1,1,2\n2,2,1\n4,3,5\n3,4,4\n5,5,2\n7,6,8\n6,7,1\n8,8,3\n9,9,2\n9,1,3\n"

local function wide(columns)
  local lines = {}
  for row = 0, 30 do
    local cells = { row == 0 and "y" or tostring(row) }
    for i = 1, columns do cells[i + 1] = row == 0 and "x" .. i or tostring((row * i * i + i) % 97) end
    lines[row + 1] = table.concat(cells, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

function Select.test_faults()
  for _, case in ipairs {
    { "select --folds-by order data.csv", "a,y\n1,2\n", "data.csv:1: select needs the target 'difficulty', which is not among the columns; "
      .. "there are: a, y" },
    { "select --folds-by order data.csv --target y --measures a,c", ten, "data.csv:1: select needs the measure 'c', which is not among the "
      .. "columns; there are: y, a, b" },
    { "select --folds-by order data.csv --target y --weights w", ten, "data.csv:1: select needs the weights 'w', which is not among the "
      .. "columns; there are: y, a, b" },
    { "select --folds-by order data.csv --target y --measures a,y", ten, "data.csv: column 'y': found the target, expected measures that differ" },
    { "select --folds-by order data.csv --target y --measures a,a", ten,
      "data.csv: column 'a': found the measure twice, expected measures that differ" },
    { "select --folds-by order data.csv --target y", "y,name\n1,x\n2,y\n",
      "data.csv: found no measure, expected a column of numbers that is no target and no weights" },
    { "select --folds-by order data.csv --target y", "y,a\n1,4\n2,4\n3,4\n",
      "data.csv: found no measure that varies, expected at least one: choose others with --measures NAME,..." },
    { "select --folds-by order data.csv --target y", "y,a\n3,1\n3,2\n3,4\n",
      "data.csv: column 'y': found 3 in all rows, expected a target that varies" },
    { "select --folds-by order data.csv --target y", "y,a\n1,1\n3,2\n2,4\n",
      "data.csv: found 3 complete rows, expected at least one for each of the 5 folds" },
    { "select --folds-by order data.csv --target y --folds 8", ten,
      "data.csv, all but fold 1: found 8 complete rows, expected at least one for each of the 9 folds", folds = 9 },
    { "select --folds-by order data.csv --target y --folds 2", "y,a\n1,1\n3,2\n2,4\n5,3\n",
      "data.csv: found 2 rows to fit to, expected at least 3, one more than the smallest model has terms" },
    { "select --folds-by order data.csv --target y --by mallows --folds 2", "y,a,b,c\n1,1,3,2\n3,2,1,4\n2,4,5,5\n5,3,7,1\n6,1,1,1\n7,7,7,8\n",
      "data.csv, all but fold 1: found 3 complete rows, expected more than the full model has terms, 4: --by mallows goes by "
      .. "its variance" },
    { "select --folds-by order data.csv --target y", wide(25), "data.csv: found more than 1,048,576 subsets of 25 candidate terms, expected as "
      .. "many or fewer: --method forward, --max-terms N or --measures NAME,..." },
    { "select --folds-by order data.csv --target y --method backward", wide(25), "data.csv: found 25 candidate terms for 24 rows to fit to, "
      .. "expected at most 22 to begin with: --method forward begins without them" },
    { "select --folds-by order data.csv --target y --folds 2", "y,a\n1e300,1\n3,2\n2,4\n5,3\n6,3\n7,8\n8,8\n9,1\n",
      "data.csv: found numbers too large to square, expected others" },
  } do
    local line, text, message = table.unpack(case)
    failing.check { case.folds and line:gsub("folds %d+", "folds " .. case.folds) or line, message, starts = case.starts,
      files = { ["data.csv"] = text }, output = false }
  end
end

function Select.test_usage()
  for _, case in ipairs {
    { "select", "missing argument 'data'" },
    { "select --folds-by order d.csv --by mae", "argument for option '--by' must be one of 'cv', 'aic', 'bic', 'mallows'" },
    { "select --folds-by order d.csv --method all", "argument for option '--method' must be one of", starts = true },
    { "select --folds-by order d.csv --transforms log,cube", "--transforms: found 'cube', expected some of log, sqrt, square" },
    { "select --folds-by order d.csv --max-terms 0", "--max-terms: found '0', expected an integer of at least 1" },
    { "select d.csv --repeats 0", "--repeats: found '0', expected an integer of at least 1" },
  } do
    failing.check { case[1], case[2], starts = case.starts, status = 2, files = {}, output = false, once = true }
  end
end

return { Select = Select }
