-- Tests of lua/crux/fit/penalised.lua, bounds.lua and their fits: the numbers of R's glmnet and nnls, folds, what is refused, and
-- the command line. tests/c/fit/coordinate_descent_test.c has the conditions of a minimum on random problems.
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local fits = require "crux.fit.fits"
local fitting = require "fitting"
local long = require "long"
local luaunit = require "luaunit"
local memory = require "memory"
local shell = require "shell"

local reference = dofile "tests/reference/penalised.lua"

local function data_of(name)
  return reference.data[name] and memory(reference.data[name]) or dataset.open(("datasets/%s.csv"):format(name))
end

local function solved(data, text, weights, method)
  return fits.parse(method, "test")[1]:solve(fitting.problem(data, text, weights))
end

local function assert_coefficients(fitted, expected, tolerance, what)
  luaunit.assertEquals(#fitted.terms, #expected, what)
  for i, row in ipairs(fitted.terms) do
    fitting.near(row.estimate, expected[i], tolerance, ("%s: %s"):format(what, row.term))
  end
end

local Penalties = {}

function Penalties.test_coefficients_are_those_of_glmnet()
  luaunit.assertTrue(#reference.penalties >= 30)
  for _, case in ipairs(reference.penalties) do
    local data = data_of(case.data)
    for _, solution in ipairs(case.solutions) do
      local method = ("elastic-net(alpha = %.17g, lambda = %.17g)"):format(case.alpha, solution.lambda)
      local what = ("%s, %s, %s, %s"):format(case.data, case.formula, case.weights, method)
      assert_coefficients(solved(data, case.formula, case.weights, method), solution.coefficients, 1e-6, what)
    end
  end
end

function Penalties.test_the_chosen_penalty_is_that_of_cv_glmnet()
  for _, case in ipairs(reference.penalties) do
    local fitted = solved(data_of(case.data), case.formula, case.weights, ("elastic-net(alpha = %g)"):format(case.alpha))
    local what = ("%s, %s, %s, %g"):format(case.data, case.formula, case.weights, case.alpha)
    luaunit.assertAlmostEquals(fitted.chosen.lambda, case.chosen, 1e-9 * case.chosen, what)
  end
end

function Penalties.test_ridge_and_lasso_are_ends_of_the_elastic_net()
  local data = data_of "seeded"
  for name, alpha in pairs { ridge = 0, lasso = 1 } do
    local end_of_it = solved(data, "y ~ x1 + x2 + x3", "w", ("elastic-net(alpha = %d)"):format(alpha))
    luaunit.assertEquals(solved(data, "y ~ x1 + x2 + x3", "w", name).coefficients, end_of_it.coefficients)
  end
end

-- Coefficients go with the unit of a column, however large or small; powers of 2 round nothing.
function Penalties.test_units_do_not_matter()
  local data = reference.data.seeded
  for _, power in ipairs { -900, -30, 30, 900 } do
    local x1, inverse = {}, {}
    for i, value in ipairs(data.x1) do
      x1[i], inverse[i] = value * 2.0 ^ power, data.x4[i] * 2.0 ^ (power // -2)
    end
    local other = memory { x1 = x1, x2 = data.x2, x4 = inverse, y = data.y, w = data.w }
    for _, method in ipairs { "ridge(lambda = 1)", "lasso", "nnls", "bounded(x2 <= 0.01)" } do
      local expected = solved(memory(data), "y ~ x1 + x2 + x4", "w", method)
      local fitted = solved(other, "y ~ x1 + x2 + x4", "w", method)
      local found, scales = {}, { 1, 2.0 ^ power, 1, 2.0 ^ (power // -2) }
      for i, row in ipairs(fitted.terms) do found[i] = row.estimate * scales[i] end
      assert_coefficients(expected, found, 1e-12, ("2^%d, %s"):format(power, method))
    end
  end
end

local Bounds = {}

function Bounds.test_coefficients_are_those_of_nnls_and_of_all_faces()
  luaunit.assertTrue(#reference.bounds >= 30)
  for _, case in ipairs(reference.bounds) do
    local fitted = solved(data_of(case.data), case.formula, case.weights, case.fit)
    local what = ("%s, %s, %s, %s"):format(case.data, case.formula, case.weights, case.fit)
    assert_coefficients(fitted, case.coefficients, 1e-8, what)
    luaunit.assertAlmostEquals(fitted.objective[2], case.rss, 1e-10 * case.rss, what)
  end
end

-- y = 1 + 2 a without error: with a bound of 1.5 on the slope the best line goes through the means (1, 3).
function Bounds.test_by_hand()
  local data = memory { a = { 0, 1, 2 }, y = { 1, 3, 5 }, b = { 5, 5, 5 } }
  for text, expected in pairs {
    ["bounded(a <= 1.5)"] = { 1.5, 1.5 },
    ["bounded(a<=1.5,a>=-1)"] = { 1.5, 1.5 },
    ["bounded(a >= 0)"] = { 1, 2 },
    ["bounded(a >= 3, a <= 3)"] = { 0, 3 },
    ["bounded((intercept) >= 2)"] = { 2, 1.4 }, -- sum a (y - 2) / sum a^2 = (1 + 6) / 5
  } do
    assert_coefficients(solved(data, "y ~ a", nil, text), expected, 1e-14, text)
  end
  assert_coefficients(solved(data, "y ~ a + b", nil, "bounded(b >= 1)"), { -4, 2, 1 }, 1e-14, "a constant")
  assert_coefficients(solved(data, "y ~ a + b", nil, "nnls"), { 1, 2, 0 }, 1e-14, "a constant")
  luaunit.assertEquals(solved(data, "y ~ a", nil, "bounded(a <= 1.5)").at_bound, { "a" })
end

function Bounds.test_terms_are_named_as_the_formula_names_them()
  local data = data_of "lazors"
  local fitted = solved(data, "difficulty ~ log(size)*mirrors + poly(emitters, 2) + I(courses^2)", "solved",
    "bounded(log(size) <= 0.5, log(size):mirrors >= 0, poly(emitters,2)2 <= 0.25, I(courses^2) >= 1e-5)")
  luaunit.assertTrue(fitted.coefficients["log(size)"] <= 0.5)
  luaunit.assertTrue(fitted.coefficients["log(size):mirrors"] >= 0)
  luaunit.assertTrue(fitted.coefficients["poly(emitters, 2)2"] <= 0.25)
  luaunit.assertTrue(fitted.coefficients["I(courses^2)"] >= 1e-5)
end

local Folds = {}

-- What folds share changes nothing: each is the fit to the rows outside it.
function Folds.test_folds_are_fits_to_the_others()
  math.randomseed(79)
  local columns = fitting.random_rows(40, 4)
  for _, intercept in ipairs { true, false } do
    for _, name in ipairs { "ridge(lambda = 0.2)", "elastic-net", "elastic-net(alpha = 0.3, seed = 3)", "nnls", "bounded(x2 <= 0.1)" } do
      local problem, method = fitting.problem(memory(columns), fitting.formula_of(4) .. (intercept and "" or " - 1"), "w"), fits.parse(name, "test")[1]
      local assigned = crossval.folds(40, 5, 1, "data")
      for fold, fitted in ipairs(method:solve_folds(problem, assigned)) do
        local alone = method:solve(setmetatable({ frames = problem.frames:select(assigned:others(fold)) }, { __index = problem }))
        luaunit.assertEquals(fitted.n, 32)
        for term, estimate in pairs(alone.coefficients) do
          luaunit.assertAlmostEquals(fitted.coefficients[term], estimate, 1e-11 * math.max(1, math.abs(estimate)), name)
        end
      end
    end
  end
end

local Refusals = {}

function Refusals.test_what_is_refused()
  local columns = { a = { 1, 2, 4, 3 }, size = { 1, 3, 2, 7 }, y = { 1, 5, 3, 4 }, same = { 2, 2, 2, 2 } }
  for _, case in ipairs {
    { "y ~ size", "bounded(siez >= 0)", "data: fit 'bounded': found the unknown term 'siez'; did you mean 'size'?" },
    { "y ~ size", "bounded", "data: fit 'bounded': found no bounds, expected some, such as bounded(size >= 0)" },
    { "y ~ size", "bounded(size > 0)", "data: fit 'bounded': found 'size > 0', expected a bound such as size >= 0" },
    { "y ~ size", "bounded(size >= much)", "data: fit 'bounded': found 'size >= much', expected a bound such as size >= 0" },
    { "y ~ size", "bounded(size >= 2, size <= 1.5)",
      "data: fit 'bounded': term 'size': found >= 2 and <= 1.5, expected bounds that some number keeps" },
    { "y ~ size", "lasso(lambda = 0, lambda = 1)", "test: fit 'lasso': found the option 'lambda' twice, expected it once" },
    { "y ~ size", "lasso(alpha = 1)", "test: fit 'lasso': found 'alpha = 1', expected its options, lambda, folds, seed" },
    { "y ~ size", "ridge(lambda = -1)", "test: option 'lambda': found '-1', expected a number of at least 0" },
    { "y ~ size", "elastic-net(alpha = 2)", "test: option 'alpha': found '2', expected a number of at least 0 and at most 1" },
    { "same ~ size", "lasso", "data: found ratings that are all the same, expected some that differ to choose a penalty by, or lambda" },
    { "y ~ size*a + I(a^2) + I(a^3)", "nnls",
      "data: found 4 complete rows, expected at least as many as the formula has terms, 6; "
        .. "fits that do with fewer: ridge, lasso, elastic-net" },
  } do
    luaunit.assertEquals(tostring(select(2, pcall(solved, memory(columns), case[1], nil, case[2]))), case[3])
  end
end

-- All ratings being the same, a penalty of a known size leaves their mean; and nothing to explain.
function Refusals.test_ratings_that_are_all_the_same()
  for _, method in ipairs { "lasso(lambda = 0.1)", "ridge(lambda = 0.1)", "nnls", "bounded(a >= 0)" } do
    local fitted = solved(memory { a = { 1, 2, 4 }, y = { 3, 3, 3 } }, "y ~ a", nil, method)
    luaunit.assertEquals(fitted.coefficients.a, 0)
    luaunit.assertAlmostEquals(fitted.coefficients["(intercept)"], 3, 1e-14)
    luaunit.assertIsNaN(fitted.r_squared)
  end
end

local Commands = {}

-- The coefficients that fit -o writes rate as the fit does; evaluate takes each fit.
function Commands.test_fit_rate_and_evaluate()
  long.only()
  for _, method in ipairs { "lasso", "ridge(seed = 5)", "elastic-net(alpha = 0.3)", "nnls", "bounded(size >= 0, corners <= 0.02)" } do
    local path = shell.path "held.lua"
    local fit = shell.decoded(("fit flow datasets/flow.csv --draws 5 --fit '%s' -o %s"):format(method, path))
    luaunit.assertEquals(fit.fit, method)
    luaunit.assertEquals(fit.converged, true)
    luaunit.assertEquals(fit.chosen ~= nil, method:match "^[rle]" ~= nil)
    luaunit.assertNotNil(fit.terms[2].low)
    luaunit.assertStrContains(shell.read(path), ("fit = %q"):format(method))
    local again = shell.decoded(("fit %s datasets/flow.csv --draws 0"):format(path))
    for i, row in ipairs(fit.terms) do luaunit.assertEquals(again.terms[i].estimate, row.estimate) end
    local rated = shell.decoded(("rate %s datasets/flow.csv"):format(path))
    local level = { size = 81, colours = 6, distance = 6.833, corners = 12 } -- the first of the file
    local sum = 0
    for _, row in ipairs(fit.terms) do sum = sum + row.estimate * (level[row.term] or 1) end
    luaunit.assertAlmostEquals(rated[1].rating, sum, 1e-12 * sum)
    local evaluation = shell.decoded(("evaluate flow datasets/flow.csv --fit '%s'"):format(method))
    luaunit.assertTrue(evaluation.weighted_mae < evaluation.baseline.weighted_mae)
  end
end

-- 12 terms, 8 levels: ols says what still works, and it does.
function Commands.test_more_terms_than_rows()
  local path = shell.file("few.csv", shell.read "datasets/lazors.csv":match("^" .. ("[^\n]*\n"):rep(9)))
  local line = ("fit --formula 'difficulty ~ (size + mirrors + emitters)^2 + log(courses) + poly(reflections, 3) + usable_tiles' %s"):format(path)
  local refused = shell.crux(line)
  luaunit.assertEquals({ refused.status, refused.err }, { 1, path .. ": found 8 complete rows, expected at least as many as "
    .. "the formula has terms, 12; fits that do with fewer: ridge, lasso, elastic-net\n" })
  for _, fit in ipairs { "ridge", "lasso", "elastic-net" } do
    luaunit.assertEquals(#shell.decoded(line .. " --draws 0 --fit " .. fit).terms, 12)
  end
end

return { Penalties = Penalties, Bounds = Bounds, Folds = Folds, Refusals = Refusals, Commands = Commands }
