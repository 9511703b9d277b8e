--- Tests of lua/crux/fit/censored.lua: R, closed forms, weights as counts, offsets and units, what is refused.
local dataset = require "crux.data.dataset"
local fitting = require "fitting"
local luaunit = require "luaunit"
local memory = require "memory"
local shell = require "shell"

local reference = dofile "tests/reference/censored_reference.lua"
local problem, solve, assert_near, message = fitting.problem, fitting.solve, fitting.near, fitting.message

local function assert_terms(fitted, estimates, errors, tolerance, what)
  luaunit.assertEquals(#fitted.terms, #estimates, what)
  for i, row in ipairs(fitted.terms) do
    assert_near(row.estimate, estimates[i], tolerance, what)
    assert_near(row.std_error, errors[i], tolerance, what)
  end
end

local Censored = {}

function Censored.test_fits_are_those_of_R()
  luaunit.assertEquals(#reference, 11)
  for _, case in ipairs(reference) do
    local what = ("%s of %s in %s, weights %s"):format(case.fit, case.formula, case.data, case.weights)
    local fitted = solve(case.fit, problem(dataset.open(case.data), case.formula, case))
    luaunit.assertTrue(fitted.converged)
    luaunit.assertAlmostEquals(fitted.log_likelihood, case.log_likelihood, 1e-9, what)
    luaunit.assertAlmostEquals(fitted.aic, case.aic, 1e-9, what)
    assert_terms(fitted, case.estimates, case.errors, 1e-7, what)
    luaunit.assertEquals(fitted.terms[#fitted.terms].term, "(sigma)")
  end
end

--- Without a rating beyond the limits: least squares, of the standard deviation sqrt(rss / n). Ratings 1, 2, 6 have the mean 3
--- and rss 14, the standard errors sigma / sqrt(n) and sigma / sqrt(2 n).
function Censored.test_without_censored_ratings()
  local fitted, sigma = solve("censored", problem(memory { y = { 2, 3, 7 } }, "y ~ 1")), (14 / 3) ^ 0.5
  assert_terms(fitted, { 4, sigma }, { sigma / 3 ^ 0.5, sigma / 6 ^ 0.5 }, 1e-10)
  luaunit.assertEquals({ fitted.below, fitted.above }, { 0, 0 })
end

--- Ratings that are symmetric about 5 between limits that are, with as many on either side, have the mean 5.
function Censored.test_sides_are_symmetric()
  local fitted = solve("censored(lower = 2, upper = 8)", problem(memory { y = { 2, 1, 4, 5, 6, 8, 99 } }, "y ~ 1"))
  luaunit.assertAlmostEquals(fitted.terms[1].estimate, 5, 1e-10)
  luaunit.assertEquals({ fitted.below, fitted.above }, { 2, 2 })
end

--- A row of weight w is w rows, and a rating beyond a limit says nothing but the side.
function Censored.test_weights_are_counts()
  local rows, counts = { x = {}, y = {} }, { x = { 1, 2, 3, 4, 5, 6 }, y = { 2, 5, 4, 9, 10, 11 }, n = { 1, 2, 3, 1, 2, 2 } }
  for i, n in ipairs(counts.n) do
    for _ = 1, n do
      table.insert(rows.x, counts.x[i])
      table.insert(rows.y, counts.y[i] > 10 and 1000 or counts.y[i])
    end
  end
  local some = solve("censored(upper = 10)", problem(memory(counts), "y ~ x", { weights = "n" }))
  local all = solve("censored(upper = 10)", problem(memory(rows), "y ~ x"))
  assert_near(some.log_likelihood, all.log_likelihood, 1e-12)
  assert_near(some.bic, all.bic, 1e-12)
  for i, row in ipairs(some.terms) do
    assert_near(row.estimate, all.terms[i].estimate, 1e-9)
    assert_near(row.std_error, all.terms[i].std_error, 1e-9)
  end
end

--- Other units of ratings and measures change nothing but the units; an offset is a term of coefficient 1; terms that are
--- combinations of others have no coefficient.
function Censored.test_units_offsets_and_aliased_terms()
  local base = { x = { 1, 2, 3, 4, 5, 6, 7, 8 }, z = { 3, 1, 4, 1, 5, 9, 2, 6 }, y = { 1, 3, 2, 5, 6, 10, 8, 10 } }
  local free = solve("censored", problem(memory(base), "y ~ x + z"))
  local units = { x = {}, z = {}, y = {}, both = {} }
  for i, y in ipairs(base.y) do
    units.x[i], units.z[i], units.y[i] = base.x[i] * 1e6, base.z[i] / 1e6, -10 * y
    units.both[i] = units.x[i] + units.z[i]
  end
  local turned = solve("censored", problem(memory(units), "y ~ x + z + both", { scale = { -10, -100 } }))
  luaunit.assertEquals(turned.aliased, { "both" })
  assert_near(turned.coefficients.x * -1e5, free.coefficients.x, 1e-8)
  assert_near(turned.coefficients.z / -1e7, free.coefficients.z, 1e-8)
  assert_near(turned.sigma / 10, free.sigma, 1e-8)
  local held = solve("censored", problem(memory(base), ("y ~ x + offset(%.17g * z)"):format(free.coefficients.z)))
  assert_near(held.coefficients.x, free.coefficients.x, 1e-8)
  assert_near(held.log_likelihood, free.log_likelihood, 1e-10)
end

function Censored.test_what_is_refused()
  local data = memory { x = { 1, 2, 3, 5 }, y = { 1, 10, 1, 10 }, z = { 1, 2, 3, 5 } }
  for _, case in ipairs {
    { "censored", "y ~ x", "found no rating between the limits of the fit 'censored', expected some" },
    { "censored(lower = 9, upper = 2)", "z ~ x", "fit 'censored': found lower = 9 and upper = 2, expected a lower limit below "
      .. "the upper one" },
    { "censored", "log(z) ~ x", "found a transformed target, expected the target itself, of which the fit 'censored' knows the "
      .. "limits" },
    { "censored(upper = 4)", "z ~ x", "fit 'censored(upper = 4)': found no greatest likelihood, as where predictions are "
      .. "perfect, expected convergence; --unconverged takes it as it is" },
  } do
    luaunit.assertEquals(message(solve, case[1], problem(data, case[2])), "data: " .. case[3])
  end
end

--- From plays to a rule: a skipped level is harder than 10. R: tobit(c(2, 4, 9, 11, 11, 6) ~ x, right = 10), x = 1, 2, 3, 3, 4, 2; its
--- Log(scale) -0.05558 and 0.36890 are sigma 0.9459 and, times sigma, its standard error 0.3490.
function Censored.test_skipped_levels()
  local plays = shell.file("plays.csv", "player,level,rating,skipped\nann,a,2,0\nann,b,4,0\nann,c,9,0\nbob,c,,1\nbob,d,,1\n"
    .. "bob,b,6,0\n")
  local measures, single = shell.file("measures.csv", "level,x\na,1\nb,2\nc,3\nd,4\n"), shell.path "single.csv"
  shell.printed(("aggregate %s --plays --skipped-as 11 -o %s"):format(plays, single))
  local fit = ("fit --formula 'difficulty ~ x' %s --with %s --fit 'censored(upper = 10)'"):format(single, measures)
  luaunit.assertEquals(shell.printed(fit), [[
term         estimate  std_error       z         p
(intercept)   -2.5484     1.3388  -1.904    0.0570
x              4.0322     0.5911   6.821  9.02e-12
(sigma)        0.9459     0.3490

difficulty ~ x, 6 rows, fitted by censored(upper = 10)
Minimised minus the log-likelihood: 6.336
Censored: 2 rows at least 10; errors are normal, of standard deviation (sigma)
AIC: 18.67, BIC: 18.05, log-likelihood: -6.336
]])
end

return { Censored = Censored }
