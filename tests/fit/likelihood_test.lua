--- Tests of lua/crux/fit/likelihood.lua and the fits ordinal and beta: R, weights as counts, closed forms, what has no greatest
--- likelihood, what is refused.
local crossval = require "crux.judge.crossval"
local dataset = require "crux.data.dataset"
local fits = require "crux.fit.fits"
local fitting = require "fitting"
local luaunit = require "luaunit"
local memory = require "memory"

local reference = dofile "tests/reference/likelihood_reference.lua"
local problem, solve, assert_near, message = fitting.problem, fitting.solve, fitting.near, fitting.message

local function estimates(fitted)
  local list = {}
  for i, row in ipairs(fitted.terms) do list[i] = row.estimate end
  return list
end

local Likelihood = {}

function Likelihood.test_fits_are_those_of_R()
  luaunit.assertEquals(#reference, 24)
  for _, case in ipairs(reference) do
    local what = ("%s of %s in %s, weights %s"):format(case.fit, case.formula, case.data, case.weights)
    local of = problem(dataset.open(case.data), case.formula, case)
    local fitted = solve(case.fit, of)
    luaunit.assertTrue(fitted.converged)
    luaunit.assertAlmostEquals(fitted.log_likelihood, case.log_likelihood, 1e-8, what)
    luaunit.assertEquals(fitted.objective, { "minus the log-likelihood", -fitted.log_likelihood })
    if case.bic then assert_near(fitted.bic, case.bic, 1e-9, what) end
    luaunit.assertEquals(#fitted.terms, #case.terms, what)
    for i, row in ipairs(fitted.terms) do
      luaunit.assertEquals(row.term, case.terms[i])
      assert_near(row.estimate, case.estimates[i], 1e-8, what)
      assert_near(row.std_error, case.errors[i], 1e-7, what)
    end
    local predictions = fitted.method:predict(fitted, of.frames.columns, of.frames.rows)
    for i, expected in ipairs(case.expected) do assert_near(predictions[i], expected, 1e-8, what) end
  end
end

--- z and p by hand: 2 (1 - Phi(1.959964)) = 0.05; AIC of 2 terms, 2 thresholds.
function Likelihood.test_what_is_told()
  local fitted = solve("ordinal", problem(memory { x = { 1, 2, 3, 4, 5, 6 }, y = { 1, 2, 1, 3, 2, 3 } }, "y ~ x"))
  local x = fitted.terms[1]
  luaunit.assertEquals({ x.term, x.z }, { "x", x.estimate / x.std_error })
  luaunit.assertEquals({ fitted.terms[2].term, fitted.terms[3].term, fitted.terms[4] }, { "1|2", "2|3" })
  luaunit.assertEquals({ fitted.terms[2].z, fitted.terms[2].p }, {})
  luaunit.assertTrue(x.p > 0.1 and x.p < 0.2)
  assert_near(fitted.aic, 6 - 2 * fitted.log_likelihood, 1e-12)
  assert_near(fitted.bic, 3 * math.log(6) - 2 * fitted.log_likelihood, 1e-12)
  luaunit.assertEquals(fitted.coefficients["(intercept)"], 0)
  luaunit.assertEquals(fitted.parameters.categories, { 1, 2, 3 })
end

--- Random ratings on 1 to 7 and shares of them, which depend on k measures; w are weights.
local function random_rows(n, k)
  local columns = { y = {}, mean = {}, w = {} }
  for j = 1, k do columns["x" .. j] = {} end
  for i = 1, n do
    local sum = 0
    for j = 1, k do
      columns["x" .. j][i] = math.random() * 10
      sum = sum + (columns["x" .. j][i] - 5) * (j % 2 == 0 and -0.2 or 0.3)
    end
    local noise = math.random()
    columns.y[i] = math.max(1, math.min(7, math.floor(4.5 + sum + math.log(noise / (1 - noise)))))
    columns.mean[i] = 1 + 6 / (1 + math.exp(-sum / 2 - (noise - 0.5)))
    columns.w[i] = math.random(1, 5)
  end
  return columns
end

--- A row of weight w is w rows: the counts of a level's ratings are as good as the ratings.
function Likelihood.test_weights_are_counts()
  math.randomseed(71)
  for _ = 1, 5 do
    local columns, repeated = random_rows(60, 2), { y = {}, mean = {}, x1 = {}, x2 = {} }
    for i, weight in ipairs(columns.w) do
      for _ = 1, weight do
        for name, values in pairs(repeated) do table.insert(values, columns[name][i]) end
      end
    end
    for method, target in pairs { ordinal = "y", beta = "mean" } do
      local text = target .. " ~ x1 + x2"
      local whole = solve(method, problem(memory(columns), text, { weights = "w", scale = { 1, 7 } }))
      local other = solve(method, problem(memory(repeated), text, { scale = { 1, 7 } }))
      assert_near(whole.log_likelihood, other.log_likelihood, 1e-10, method)
      for i, row in ipairs(whole.terms) do
        assert_near(row.estimate, other.terms[i].estimate, 1e-8, method)
        assert_near(row.std_error, other.terms[i].std_error, 1e-8, method)
      end
    end
  end
end

--- Without terms thresholds are the logits of the shares, the expected rating is the mean, and the log-likelihood the
--- entropy: ratings 1, 1, 2, 4 have the thresholds log(1) and log(3).
function Likelihood.test_no_terms()
  local of = problem(memory { y = { 4, 1, 2, 1 } }, "y ~ 1")
  local fitted = solve("ordinal", of)
  fitting.all_near(fitted.parameters.thresholds, { 0, math.log(3) }, 1e-12)
  luaunit.assertEquals(fitted.parameters.categories, { 1, 2, 4 })
  luaunit.assertAlmostEquals(fitted.log_likelihood, 2 * math.log(0.5) + 2 * math.log(0.25), 1e-12)
  luaunit.assertAlmostEquals(fitted.method:predict(fitted, of.frames.columns, 4)[3], 2, 1e-12)
end

--- Two categories are the logistic regression of a 2 x 2 table: its coefficient is the log of the odds ratio.
function Likelihood.test_two_categories()
  local fitted = solve("ordinal", problem(memory { x = { 0, 0, 1, 1 }, y = { 3, 4, 3, 4 }, n = { 5, 2, 3, 8 } }, "y ~ x",
    { weights = "n" }))
  fitting.all_near(estimates(fitted), { math.log(8 / 3 / (2 / 5)), math.log(5 / 2) }, 1e-12)
  assert_near(fitted.terms[1].std_error, math.sqrt(1 / 5 + 1 / 2 + 1 / 3 + 1 / 8), 1e-9)
end

--- The direction and unit of the scale, and that of the measures, change nothing but what they must.
function Likelihood.test_scales_and_units()
  math.randomseed(72)
  local columns = random_rows(50, 2)
  local turned = { y = {}, mean = {}, x1 = {}, x2 = {} }
  for i, y in ipairs(columns.y) do
    turned.y[i], turned.mean[i] = -10 * y, -10 * columns.mean[i]
    turned.x1[i], turned.x2[i] = columns.x1[i] * 1e6, columns.x2[i] / 1e6 + 3
  end
  for method, target in pairs { ordinal = "y", beta = "mean" } do
    local of = problem(memory(columns), target .. " ~ x1 + x2", { scale = { 1, 7 } })
    local base = solve(method, of)
    for _, scale in ipairs { { -10, -70 }, { -70, -10 } } do
      local other_of = problem(memory(turned), target .. " ~ x1 + x2", { scale = scale })
      local other = solve(method, other_of)
      local sign = method == "beta" and scale[1] == -10 and 1 or -1
      assert_near(other.coefficients.x1 * 1e6 * sign, base.coefficients.x1, 1e-7, method)
      assert_near(other.coefficients.x2 / 1e6 * sign, base.coefficients.x2, 1e-7, method)
      luaunit.assertAlmostEquals(other.log_likelihood, base.log_likelihood, 1e-8, method)
      luaunit.assertAlmostEquals(other.method:predict(other, other_of.frames.columns, 50)[7],
        -10 * base.method:predict(base, of.frames.columns, 50)[7], 1e-6)
    end
  end
end

--- An offset is a term of coefficient 1, on the scale of the logit.
function Likelihood.test_offsets()
  math.randomseed(73)
  local columns = random_rows(60, 2)
  for method, target in pairs { ordinal = "y", beta = "mean" } do
    local free_of = problem(memory(columns), target .. " ~ x1 + x2")
    local free = solve(method, free_of)
    local of = problem(memory(columns), ("%s ~ x1 + offset(%.17g * x2)"):format(target, free.coefficients.x2))
    local held = solve(method, of)
    assert_near(held.coefficients.x1, free.coefficients.x1, 1e-8, method)
    assert_near(held.log_likelihood, free.log_likelihood, 1e-10, method)
    local predictions = held.method:predict(held, of.frames.columns, 60, of.frames.offset)
    luaunit.assertAlmostEquals(predictions[5], free.method:predict(free, free_of.frames.columns, 60)[5], 1e-7)
  end
end

--- Values on a bound move all shares by (y (n - 1) + 1/2) / n; others none.
function Likelihood.test_bounds()
  local function fitted(y) return solve("beta", problem(memory { y = y }, "y ~ 1", { scale = { 0, 1 } })) end
  local squeezed = fitted { 0.125, (0.3 * 3 + 0.5) / 4, (0.6 * 3 + 0.5) / 4, 0.875 }
  fitting.all_near(estimates(fitted { 0, 0.3, 0.6, 1 }), estimates(squeezed), 1e-9)
end

--- A fold whose training rows lack a category predicts those of its rows that have it all the same.
function Likelihood.test_category_unseen_in_training()
  local columns = { x = {}, y = {} }
  for i = 1, 30 do columns.x[i], columns.y[i] = i * 7 % 10, 1 + (i * 7 % 10 + i % 4) // 5 end
  columns.y[3] = 10
  local of = problem(memory(columns), "y ~ x")
  local evaluation = crossval.evaluate(of.formula, of.frames, crossval.folds(30, 5, nil, "data"),
    { method = fits.parse("ordinal", "test")[1], where = "data", predictions = true })
  local low, high = evaluation.predictions:range()
  luaunit.assertTrue(low >= 1 and high <= 10)
  luaunit.assertTrue(evaluation.predictions[3] <= 3) -- of ratings from 1 to 3
end

function Likelihood.test_aliased_terms()
  math.randomseed(74)
  local columns = random_rows(40, 2)
  columns.x3 = {}
  for i, x in ipairs(columns.x1) do columns.x3[i] = 2 * x - columns.x2[i] + 1 end
  for method, target in pairs { ordinal = "y", beta = "mean" } do
    local fitted = solve(method, problem(memory(columns), target .. " ~ x1 + x2 + x3"))
    luaunit.assertEquals(fitted.aliased, { "x3" })
    luaunit.assertEquals(fitted.coefficients, solve(method, problem(memory(columns), target .. " ~ x1 + x2")).coefficients)
  end
end

--- Terms that order all ratings, or some: the likelihood grows with the coefficients for ever.
function Likelihood.test_no_greatest_likelihood()
  local none = "data: fit 'ordinal': found no greatest likelihood, as where a term orders all ratings, expected convergence; "
    .. "--unconverged takes it as it is"
  local ordered = memory { x = { 1, 2, 3, 4, 5, 6 }, z = { 0, 1, 0, 1, 0, 1 }, y = { 1, 1, 2, 2, 3, 3 } }
  local some = memory { x = { 0, 0, 0, 0, 1, 1 }, z = { 1, 3, 2, 4, 2, 3 }, y = { 1, 2, 1, 2, 3, 3 } } -- x = 1 where y is 3
  for _, data in ipairs { ordered, some } do
    luaunit.assertEquals(message(solve, "ordinal", problem(data, "y ~ x + z")), none)
    local of = problem(data, "y ~ x + z", { unconverged = true })
    local fitted = solve("ordinal", of)
    luaunit.assertFalse(fitted.converged)
    local predictions = fitted.method:predict(fitted, of.frames.columns, 6)
    luaunit.assertTrue(predictions[1] < predictions[5] and predictions[5] <= 3)
  end
  local straight = { x = {}, y = {} }
  for i = 1, 9 do straight.x[i], straight.y[i] = i, 1 + 9 / (1 + math.exp(3 - i / 2)) end
  luaunit.assertEquals(message(solve, "beta", problem(memory(straight), "y ~ x")), "data: fit 'beta': found no greatest "
    .. "likelihood, as predictions are perfect, expected convergence; --unconverged takes it as it is")
end

function Likelihood.test_what_is_refused()
  local data = memory { x = { 1, 2, 3, 5 }, same = { 5, 5, 5, 5 }, y = { 1, 2.5, 4, 11 }, whole = { 1, 3, 2, 12 } }
  for _, case in ipairs {
    { "ordinal", "same ~ x", "ratings that are all equal, expected 2 to 100 different ones" },
    { "beta", "same ~ x", "ratings that are all equal, expected at least 2 different ones" },
    { "ordinal", "y ~ x", "the rating 2.5, expected integers; means are rounded by ordinal(round = 1)", row = 2 },
    { "ordinal", "whole ~ x", "the rating 12, expected ratings on the scale from 10 to 1 (the rule's field 'scale')", { 10, 1 },
      row = 4 },
    { "beta", "y ~ x", "the rating 11, expected ratings on the scale from 1 to 10 (the rule's field 'scale')", row = 4 },
    { "ordinal", "whole ~ x - 1", "a formula without (intercept), expected one with it: thresholds between categories "
      .. "take its place" },
    { "ordinal", "log(whole) ~ x", "a transformed target, expected the target itself, whose values are categories" },
    { "beta", "log(whole) ~ x", "a transformed target, expected the target itself, of which the fit 'beta' knows the scale" },
  } do
    luaunit.assertEquals(message(solve, case[1], problem(data, case[2], { scale = case[4] })),
      ("data: %sfound %s"):format(case.row and ("row %d: "):format(case.row) or "", case[3]))
  end
  local many = { y = {}, x = {} }
  for i = 1, 101 do many.y[i], many.x[i] = i, i % 7 end
  luaunit.assertEquals(message(solve, "ordinal", problem(memory(many), "y ~ x")),
    "data: found 101 different ratings, expected 2 to 100 different ones")
  luaunit.assertEquals(message(fits.parse, "ordinal(round = 2)", "here"),
    "here: option 'round': found '2', expected an integer of at least 0 and at most 1")
end

return { Likelihood = Likelihood }
