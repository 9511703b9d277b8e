--- End-to-end tests of fits that are linear programs: crux fit, the rule that it writes, crux evaluate.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local LinearFits = {}

-- R: rq(difficulty ~ size + colours + distance + corners, weights = solved, data = flow), sum(solved * abs(resid(...)))
function LinearFits.test_fit_lad()
  luaunit.assertEquals(shell.printed "fit flow datasets/flow.csv --fit lad --draws 0", [[
term         estimate
(intercept)   1.38660
size          0.08476
colours      -0.28249
distance     -0.31102
corners       0.06329

difficulty ~ size + colours + distance + corners, 40 rows, weighted by solved, fitted by lad
Minimised sum of absolute errors: 444.7
]])
end

--- The same as quantreg for tau = 0.9; the intervals hold the estimates, and are the same on every run.
function LinearFits.test_fit_quantile()
  local line = "fit flow datasets/flow.csv --fit 'quantile(tau = 0.9)' --draws 50"
  local fit = shell.decoded(line)
  luaunit.assertEquals({ fit.fit, fit.converged, fit.aliased }, { "quantile(tau = 0.9)", true, {} })
  local expected = { 1.3391221258231, 0.0696866695400, -0.0408630503142, -0.3039181769161, 0.0473025981380 }
  for i, term in ipairs(fit.terms) do
    luaunit.assertEquals(term[json.keys], { "term", "estimate", "std_error", "low", "high" })
    luaunit.assertAlmostEquals(term.estimate, expected[i], 1e-11)
    luaunit.assertTrue(term.low < term.estimate and term.estimate < term.high and term.std_error > 0, term.term)
  end
  luaunit.assertEquals(fit.objective.what, "sum of absolute errors, those above times 0.9, below times 0.1")
  luaunit.assertEquals(shell.decoded(line), fit)
end

--- A rule keeps its fit: written, read and fitted again, it is the same bytes, and rates by its coefficients.
function LinearFits.test_rules_keep_their_fit()
  local first, second = shell.path "order.lua", shell.path "again/order.lua"
  shell.folder "again"
  for _, method in ipairs(long.some(2, { "order", "order(logistic)", "minimax", "margin(margin = 0.25)" })) do
    shell.printed(("fit flow datasets/flow.csv --fit '%s' --draws 0 -o %s"):format(method, first))
    luaunit.assertStrContains(shell.read(first), ('fit = "%s",'):format(method))
    shell.printed(("fit %s datasets/flow.csv --draws 0 -o %s"):format(first, second))
    luaunit.assertEquals(shell.read(second), shell.read(first))
    luaunit.assertEquals(shell.printed(("rate %s datasets/flow.csv"):format(second)),
      shell.printed(("rate %s datasets/flow.csv"):format(first)))
  end
end

--- Folds by hand: the margin of 3 holds every rating, so each fold's fit is that of lad, refitted without it.
function LinearFits.test_evaluate_margin()
  local wide = shell.decoded "evaluate --folds-by order flow datasets/flow.csv --fit 'margin(margin = 3)'"
  local lad = shell.decoded "evaluate --folds-by order flow datasets/flow.csv --fit lad"
  luaunit.assertEquals(#wide.folds, 5)
  luaunit.assertAlmostEquals(wide.mae, lad.mae, 1e-9)
  local narrow = shell.decoded "evaluate --folds-by order flow datasets/flow.csv --fit margin"
  luaunit.assertNotAlmostEquals(narrow.mae, lad.mae, 1e-3)
  luaunit.assertTrue(narrow.mae < narrow.baseline.mae / 2)
end

function LinearFits.test_what_is_refused()
  local same = shell.file("same.csv", "a,y\n1,3\n2,3\n4,3\n")
  for line, expected in pairs {
    ["y~a --fit order"] = "fit 'order': found ratings that are all equal, expected convergence; --unconverged takes it as "
      .. "it is",
    ["'y ~ a - 1' --fit order"] = "found a formula without (intercept), expected one with it: the fit 'order' knows no zero of "
      .. "the ratings",
    ["'y ~ a + I(a^2) + I(a^3)' --fit lad"] = "found 3 complete rows, expected at least as many as the formula has terms, 4; "
      .. "fits that do with fewer: ridge, lasso, elastic-net",
  } do
    local result = shell.crux(("fit --formula %s %s"):format(line, same))
    luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", ("%s: %s\n"):format(same, expected) })
  end
  luaunit.assertStrContains(shell.printed("fit --formula y~a --fit order --unconverged --draws 0 " .. same),
    "Did not converge: ratings that are all equal\n")
end

return { LinearFits = LinearFits }
