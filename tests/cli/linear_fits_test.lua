--- End-to-end tests of fits that are linear programs: crux fit, the rule that it writes, crux evaluate.
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local LinearFits = {}

-- R: rq(difficulty ~ size + colours + distance + corners, weights = solved, data = flow), sum(solved * abs(resid(...)))
function LinearFits.test_bootstrap_is_named()
  local line = "fit flow datasets/flow.csv --fit lad --draws 20 --seed 3"
  luaunit.assertStrContains(shell.printed(line), "\nStandard errors and 95 % intervals by bootstrap: 20 draws of the rows, seed 3\n")
  local bootstrap = shell.decoded(line).bootstrap
  luaunit.assertEquals({ bootstrap.draws, bootstrap.seed }, { 20, 3 })
end

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

function LinearFits.test_unconverged()
  local same = shell.file("same.csv", "a,y\n1,3\n2,3\n4,3\n")
  luaunit.assertStrContains(shell.printed("fit --formula y~a --fit order --unconverged --draws 0 " .. same),
    "Did not converge: ratings that are all equal\n")
end

return { LinearFits = LinearFits }
