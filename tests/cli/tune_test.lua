--- End-to-end tests of params: crux rate, fit and the script that it writes, evaluate, compare, and what is refused.
local failing = require "failing"
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local Tune = {}

-- R: nls(time ~ start * exp(growth * size) + turn * corners, flow, weights = solved), summary, AIC, BIC, logLik
function Tune.test_fit()
  local printed = shell.printed "fit examples/tuned.lua datasets/flow.csv":gsub("%d+ times", "some times")
  luaunit.assertEquals(printed, [[
term    estimate  std_error         t         p       low      high
growth   0.01942   0.004217   4.60605  4.73e-05   0.01088   0.02796
start   10.66529   5.426626   1.96536    0.0569  -0.33010  21.66068
turn    -0.06827   0.957223  -0.07132    0.9435  -2.00779   1.87125

time ~ a Lua function, 40 rows, weighted by solved, fitted by tune
Minimised sum of squared errors: 286065
Residual standard error: 87.93 on 37 degrees of freedom
AIC: 337.9, BIC: 344.7, log-likelihood: -165.0
Rated all rows some times
]])
  local fit = shell.decoded "fit examples/tuned.lua datasets/flow.csv --fit tune"
  luaunit.assertEquals(fit[json.keys], { "formula", "target", "n", "weights", "fit", "terms", "aliased", "sigma", "df", "log_likelihood",
    "aic", "bic", "objective", "converged" })
  luaunit.assertEquals({ fit.converged, fit.df, fit.n, fit.fit }, { true, 37, 40, "tune" })
end

--- The limit on memory counts what the rule keeps, not the 10,000 rows that crux holds, more than 5 MB. The program runs alone, as
--- other commands in the same process would count.
function Tune.test_rows_are_no_memory_of_the_rule()
  local rule = [[
local kept = {}
return crux.rule { name = "long", predicts = "y", params = { k = 1 }, formula = function(m, p)
  for i = 1, %d do kept[#kept + 1] = i end
  return p.k * m.a
end }
]]
  local line = ("%s fit %%s %s --limit-memory 5"):format(shell.quote(shell.program), shell.file("long.csv", "a,y\n" .. ("1,2\n2,5\n3,6\n4,8\n"):rep(2500)))
  luaunit.assertStrContains(shell.output(line:format(shell.file("long.lua", rule:format(0)))), "10,000 rows, fitted by tune")
  local refused = shell.run(line:format(shell.file("keeps.lua", rule:format(100))))
  luaunit.assertStrMatches(refused.err, ".*keeps.lua:3: the script took more than 5 MB; .*")
end

--- The written script differs in the numbers alone, and rates as they say.
function Tune.test_written_script()
  local path = shell.path "tuned.lua"
  local fit = shell.decoded("fit examples/tuned.lua datasets/flow.csv -o " .. path)
  local text = shell.read "examples/tuned.lua"
  local numbers = {}
  for _, term in ipairs(fit.terms) do
    numbers[term.term] = term.estimate
    local count
    text, count = text:gsub("(    " .. term.term .. " = {? ?)[%d.]+", function(before)
      return before .. ("%.17g"):format(term.estimate)
    end)
    luaunit.assertEquals(count, 1)
  end
  local written = shell.read(path)
  local function without_digits(script) return (script:gsub("%-?%d+%.%d%d%d%d%d+", "N")) end
  luaunit.assertEquals(without_digits(written), without_digits(text))
  local rows = shell.decoded(("rate %s datasets/flow.csv --append"):format(path))
  for _, row in ipairs(rows) do
    luaunit.assertAlmostEquals(row.rating, numbers.start * math.exp(numbers.growth * row.size) + numbers.turn * row.corners, 1e-9)
  end
  -- fitted again from there, nothing moves
  for _, again in ipairs(shell.decoded(("fit %s datasets/flow.csv"):format(path)).terms) do
    luaunit.assertAlmostEquals(again.estimate, numbers[again.term], 1e-6 * math.abs(numbers[again.term]))
  end
end

--- Each fold by a fit to a file of the others; --as-is takes the numbers of the script.
function Tune.test_evaluate_is_a_fit_in_each_fold()
  local evaluation = shell.decoded "evaluate --folds-by order examples/tuned.lua datasets/flow.csv --folds 4"
  luaunit.assertEquals({ evaluation.refitted, #evaluation.folds }, { true, 4 })
  local lines = shell.lines(shell.read "datasets/flow.csv")
  for number, fold in ipairs(evaluation.folds) do
    local kept = { lines[1] }
    for i = 2, 41 do
      if (i - 2) // 10 + 1 ~= number then table.insert(kept, lines[i]) end
    end
    local path = shell.file("others.csv", table.concat(kept, "\n") .. "\n")
    for _, term in ipairs(shell.decoded("fit examples/tuned.lua " .. path).terms) do
      luaunit.assertAlmostEquals(fold.coefficients[term.term], term.estimate, 1e-9)
    end
  end
  local as_is = shell.decoded "evaluate --folds-by order examples/tuned.lua datasets/flow.csv --as-is"
  local sum = 0
  for _, row in ipairs(shell.decoded "rate examples/tuned.lua datasets/flow.csv --append") do
    sum = sum + math.abs(row.rating - row.time)
  end
  luaunit.assertEquals(as_is.refitted, false)
  luaunit.assertAlmostEquals(as_is.mae, sum / 40, 1e-9)
end

--- Rows that the function cannot rate for want of a measure are left out, by all commands.
function Tune.test_missing_values()
  local data = shell.file("gaps.csv", "level,x,z,y\na,1,5,2\nb,2,,3\nc,,1,5\nd,4,2,9\ne,5,NA,9\nf,6,1,14\n")
  local script = shell.file("gaps.lua", "return crux.rule { predicts = 'y', params = { a = 1, b = 0 },\n"
    .. "  formula = function(v, p) return p.a * v.x + p.b end }\n")
  local result = shell.crux(("fit %s %s --format json"):format(script, data))
  luaunit.assertEquals(result.err, data .. ": 1 row left out: a value is missing\n")
  luaunit.assertEquals(json.decode(result.out).n, 5)
  luaunit.assertAlmostEquals(json.decode(result.out).terms[1].estimate, 199 / 86, 1e-8) -- least squares by hand
  local evaluated = shell.crux(("evaluate --folds-by order %s %s --folds 2 --format json"):format(script, data))
  luaunit.assertEquals(evaluated.err, data .. ": 1 row left out: a measure is missing\n")
  luaunit.assertEquals(json.decode(evaluated.out).n, 5)
end

--- Numbers that are best on a bound, in all folds: the rule is tuned there, and compared. The rule predicts the mean.
function Tune.test_a_bound_in_a_fold()
  local hand = shell.file("hand.lua", [[return crux.rule { predicts = "difficulty", weights = "solved",
    params = { base = 2, width = { 2, low = 0 }, gain = { 3, low = 0 } },
    formula = function(m, p) return p.base - p.gain * math.min(m.size, p.width) end }]])
  local rows = {}
  for _, row in ipairs(shell.decoded(("compare --folds-by order %s flow datasets/flow.csv --draws 0"):format(hand)).rules) do
    rows[row.rule] = row
  end
  local baseline = shell.decoded("evaluate --folds-by order flow datasets/flow.csv").baseline
  luaunit.assertAlmostEquals(rows.hand.weighted_mae, baseline.weighted_mae, 1e-9)
  local found = shell.decoded(("evaluate --folds-by order %s datasets/flow.csv"):format(hand)).coefficients
  luaunit.assertEquals({ found.width, found.gain }, { 0, 0 })
end

local data = "level,a,y,t\nA,1,2,1\nB,2,3,4\nC,3,5,9\nD,4,4,16\nE,-1,2,1\n"
local script = "return crux.rule { predicts = 'y', params = { k = 1 }, formula = function(v, p) return p.k * v.a end }\n"

function Tune.test_refusals()
  local function fails(line, said, text)
    failing.check { line, said, files = { ["data.csv"] = data, ["rule.lua"] = text or script }, once = true }
  end
  local function with(from, to) return (script:gsub(from, to)) end
  fails("fit --formula y~a data.csv --fit tune",
    "data.csv: found the formula 'y~a', expected a Lua function with params for the fit 'tune'")
  fails("rate rule.lua data.csv", "rule.lua: field 'params': found a number, expected a table", with("{ k = 1 }", "3"))
  fails("rate rule.lua data.csv", "rule.lua: found params, expected none, as the formula is no function",
    "return crux.rule { formula = 'y ~ a', params = { k = 1 } }")
  fails("rate rule.lua data.csv", "rule.lua: found fit, expected none, as the formula is a function without params",
    "return crux.rule { fit = 'tune', formula = function() return 1 end }")
  fails("rate rule.lua data.csv", "rule.lua:1: found the unknown param 'q'; there are: k", with("p.k", "p.q"))
end

function Tune.test_faults_name_the_level()
  failing.check { "fit rule.lua data.csv", "data.csv:6: level 'E': rule.lua: found ", starts = true, once = true,
    files = { ["data.csv"] = data, ["rule.lua"] = script:gsub("p.k %* v.a", "v.a ^ (p.k / 2)") } }
end

--- A script whose numbers cannot be found, or that would say something else, is not written.
function Tune.test_scripts_that_are_not_written()
  local function fails(text, line, said)
    failing.check { line, said, files = { ["data.csv"] = data, ["rule.lua"] = text }, once = true }
  end
  local plain = "it once, each param as NAME = NUMBER or NAME = { NUMBER, low = NUMBER, high = NUMBER }, to write numbers into"
  fails(script:gsub("k = 1", "k = 2 / 2"), "fit rule.lua data.csv -o new.lua",
    "rule.lua: found no params = { ... } of plain numbers, expected " .. plain)
  fails(script, "fit rule.lua data.csv --target t -o new.lua",
    "rule.lua: found a rule that predicts 'y', expected one of 't', to write the numbers into")
end

--- What did not converge says so, and is taken only when asked.
function Tune.test_unconverged()
  failing.check { "fit rule.lua data.csv", "data.csv: fit 'tune(evaluations = 2)': found none after rating all rows 2 times, "
    .. "expected convergence; --unconverged takes it as it is", once = true,
    files = { ["data.csv"] = data, ["rule.lua"] = script:gsub("formula", "fit = 'tune(evaluations = 2)', %0") } }
  local fit = shell.decoded "fit examples/tuned.lua datasets/flow.csv --fit 'tune(evaluations = 9)' --unconverged"
  luaunit.assertEquals({ fit.converged, #fit.terms }, { false, 3 })
  luaunit.assertStrContains(shell.printed "fit examples/tuned.lua datasets/flow.csv --fit 'tune(evaluations = 9)' --unconverged",
    "Did not converge: none after rating all rows 9 times\n")
end

return { CommandsTune = Tune }
