--- End-to-end tests of crux ablate: R's numbers, the test part, what is printed, and what is refused.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local crux, decode = shell.printed, shell.decoded

-- R: the mean of (difficulty - predict(lm(...)))^2 over folds 1 + (0:39 * 5) %/% 40 of datasets/flow.csv, all subsets
local flow = {
  { "size colours distance", 0.2823543326958407 },
  { "size colours distance corners", 0.28346943551136672 },
  { "size colours", 0.32575839256464517 },
  { "size colours corners", 0.33656935078867428 },
  { "size distance", 0.33914426346849813 },
  { "size distance corners", 0.3417400646528142 },
  { "size", 0.34596542623205007 },
  { "size corners", 0.35194625828190906 },
  { "colours corners", 0.64741896013889233 },
  { "corners", 0.65906710809154379 },
  { "colours distance corners", 0.67042891562761686 },
  { "distance corners", 0.68507806249745118 },
  { "colours distance", 0.79207755791948475 },
  { "colours", 0.91291690814414683 },
  { "distance", 1.0290168467653946 },
}

local Ablate = {}

function Ablate.test_json_is_what_r_says()
  local result = decode "ablate --folds-by order datasets/flow.csv --test-share 0 --top 4"
  luaunit.assertEquals(result[json.keys], { "target", "metric", "n", "n_train", "n_test", "folds", "repeats", "top", "subsets",
    "share", "baseline", "best" })
  luaunit.assertEquals({ result.target, result.metric, result.n, result.n_train, result.n_test, result.folds, result.top },
    { "difficulty", "mse", 40, 40, 0, 5, 4 })
  luaunit.assertEquals(#result.subsets, #flow)
  for i, subset in ipairs(result.subsets) do
    luaunit.assertEquals(subset[json.keys], { "measures", "terms", "mse" })
    luaunit.assertEquals({ table.concat(subset.measures, " "), subset.terms }, { flow[i][1], #subset.measures + 1 })
    luaunit.assertAlmostEquals(subset.mse, flow[i][2], 1e-12)
  end
  luaunit.assertAlmostEquals(result.baseline.mse, 1.7635398828124997, 1e-12)
  luaunit.assertEquals(result.share[json.keys], { "size", "colours", "distance", "corners" })
  luaunit.assertEquals({ result.share.size, result.share.colours, result.share.distance, result.share.corners },
    { 1, 1, 0.5, 0.5 })
  luaunit.assertEquals(result.best.measures, { "size", "colours", "distance" })
  luaunit.assertEquals(result.best.weights[json.keys], { "(intercept)", "size", "colours", "distance" })
  luaunit.assertEquals({ result.best.test, result.baseline.test }, { json.null, json.null })
end

local test_keys = { "n", "mse", "rmse", "mae", "median_squared_error", "max_squared_error", "overestimates", "underestimates" }

--- 64 levels to train, 16 to test; the same seed draws the same.
function Ablate.test_test_part()
  local result = decode "ablate --folds-by order datasets/move.csv"
  luaunit.assertEquals({ result.n, result.n_train, result.n_test, #result.subsets }, { 80, 64, 16, 127 })
  luaunit.assertEquals(result.baseline.test[json.keys], test_keys)
  local test = result.best.test
  luaunit.assertEquals(test[json.keys], { "n", "mse", "rmse", "mae", "median_squared_error", "max_squared_error",
    "overestimates", "underestimates", "histogram" })
  luaunit.assertEquals({ test.n, test.overestimates + test.underestimates }, { 16, 16 })
  luaunit.assertTrue(test.median_squared_error < test.max_squared_error)
  local count = 0
  for _, bin in ipairs(test.histogram) do count = count + bin.count end
  luaunit.assertEquals(count, 16)
  luaunit.assertEquals(crux "ablate datasets/move.csv --seed 1 --repeats 10", crux "ablate datasets/move.csv")
  luaunit.assertNotEquals(crux "ablate datasets/move.csv --seed 2", crux "ablate datasets/move.csv")
  luaunit.assertEquals(decode("ablate --folds-by order datasets/move.csv --test-share 0.5").n_test, 40)
end

--- Folds are those of crux evaluate; over all times the squared errors of all levels have one mean.
function Ablate.test_folds()
  local line, sum = "ablate datasets/flow.csv --test-share 0 --measures size", 0
  luaunit.assertEquals(crux(line .. " --folds-by order --seed 7"), crux(line .. " --folds-by order"))
  local folds = decode("evaluate --formula 'difficulty ~ size' datasets/flow.csv --seed 7 --folds 4 --repeats 3").folds
  for _, fold in ipairs(folds) do sum = sum + fold.rmse ^ 2 / #folds end -- of 10 levels each
  local found = decode(line .. " --seed 7 --folds 4 --repeats 3")
  luaunit.assertEquals({ found.folds, found.repeats }, { 4, 3 })
  luaunit.assertAlmostEquals(found.subsets[1].mse, sum, 1e-12)
end

--- z is 2 x, y is 1 + x. The baselines are 25/3 for 2, 3, 5 and 10/3 for 9, 10, 6: the mean square is 163.33 / 6.
function Ablate.test_table()
  local data = shell.file("ablate.csv", "level,x,z,y,note\nA,1,2,2,n\nB,2,4,3,n\nC,4,8,5,n\nD,8,16,9,n\nE,9,18,10,n\nF,5,10,6,n\n")
  luaunit.assertEquals(crux(("ablate --folds-by order %s --target y --folds 2 --test-share 0 --top 9"):format(data)), [[
  mse  terms  measures
 0.00      2  x
 0.00      2  z
 0.00      3  x + z
27.22      1  baseline

Mean squared errors of predicting y for 6 levels in 2 folds, best first, of 3 subsets of 2 measures.

Share of the best 3 that use a measure

measure   share
x        0.6667
z        0.6667

Weights of the best, fitted to the whole training part

term         weight
(intercept)       1
x                 1
]])
  local csv = crux(("ablate --folds-by order %s --target y --folds 2 --test-share 0 --top 1 --format csv"):format(data))
  luaunit.assertEquals(csv:match "[^\n]*\n[^\n]*\n", "mse,terms,measures\n0,2,x\n")
  local out = crux "ablate --folds-by order datasets/move.csv --top 2"
  for _, line in ipairs { "\nShare of the best 2 that use a measure\n", "\nErrors in the test part\n\nrule ",
    "\nLevels of the test part by the error of the best, true minus predicted\n" } do
    luaunit.assertStrContains(out, line)
  end
end

--- Measures and ratings in files of their own; names need no quotes; incomplete levels are left out, and said to be.
function Ablate.test_joined_files_and_missing_values()
  local measures, ratings = { "level,path-length,food density" }, { "level,difficulty,enjoyment" }
  for i = 1, 30 do
    table.insert(measures, ("l%d,%d,%s"):format(i, i * 7 % 31, i == 4 and "" or i * i % 17))
    if i % 10 > 0 then table.insert(ratings, ("l%d,%d,3"):format(i, 1 + i * 5 % 7)) end
  end
  local data = shell.file("measures.csv", table.concat(measures, "\n") .. "\n")
  local line = ("ablate --folds-by order %s --with %s --format json"):format(data, shell.file("ratings.csv", table.concat(ratings, "\n") .. "\n"))
  local result = shell.crux(line)
  luaunit.assertEquals(result.err, ("%s: 3 rows left out: no such level in %s\n%s: 1 row left out: a value is missing\n"):format(
    data, shell.path "ratings.csv", data))
  local found = json.decode(result.out)
  luaunit.assertEquals({ found.n, found.n_test }, { 26, 5 })
  luaunit.assertEquals(found.share[json.keys], { "path-length", "food density" })
end

--- 13 measures have 8,191 subsets: JSON lists 4,095, or as many as are asked for.
function Ablate.test_many_subsets()
  long.only()
  local lines, head = {}, { "difficulty" }
  for i = 1, 13 do table.insert(head, "m" .. i) end
  math.randomseed(5)
  for row = 1, 40 do
    local cells = {}
    for i = 1, #head do cells[i] = math.random(1000) end
    lines[row] = table.concat(cells, ",")
  end
  local data = shell.file("many.csv", table.concat(head, ",") .. "\n" .. table.concat(lines, "\n") .. "\n")
  local result = decode("ablate --folds-by order " .. data)
  luaunit.assertEquals(#result.subsets, 4095)
  luaunit.assertEquals(#decode(("ablate --folds-by order %s --top 5000"):format(data)).subsets, 5000)
  local shares = 0
  for _, share in pairs(result.share) do shares = shares + (type(share) == "number" and share or 0) end
  local terms = 0
  for i = 1, 10 do terms = terms + #result.subsets[i].measures end
  luaunit.assertAlmostEquals(shares, terms / 10, 1e-12)
end

return { Ablate = Ablate }
