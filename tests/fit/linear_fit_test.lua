--- Tests of lua/crux/fit/linear_fit.lua and the fits lad, quantile, minimax, margin and order: R's quantreg, exact solutions,
--- conditions of an optimum, weights, ties.
local correlation = require "crux.stats.correlation"
local dataset = require "crux.data.dataset"
local fits = require "crux.fit.fits"
local fitting = require "fitting"
local luaunit = require "luaunit"
local memory = require "memory"

local logistic = dofile "tests/reference/order_reference.lua"
local exact = dofile "tests/reference/linear_fits_reference.lua"
local quantreg = dofile "tests/reference/quantile_reference.lua"

local methods = { "lad", "quantile(tau = 0.9)", "minimax", "margin", "margin(margin = 3)", "order", "order(logistic)" }
local random_rows = fitting.random_rows
local problem, solve, assert_near, message, formula_of = fitting.problem, fitting.solve, fitting.near, fitting.message, fitting.formula_of

local function compare(case, method, tolerance)
  local what = ("%s of %s in %s, weights %s"):format(method, case.formula, case.data, case.weights)
  local fitted = solve(method, problem(dataset.open(case.data), case.formula, case.weights))
  assert_near(fitted.objective[2], case.value, tolerance, what)
  luaunit.assertTrue(fitted.converged)
  luaunit.assertEquals(#fitted.terms, #case.estimates)
  for i, term in ipairs(case.unique and fitted.terms or {}) do
    assert_near(term.estimate, case.estimates[i], tolerance, what .. ", " .. term.term)
    luaunit.assertEquals(fitted.coefficients[term.term], term.estimate)
  end
end

local LinearFit = {}

function LinearFit.test_quantiles_are_those_of_quantreg()
  luaunit.assertTrue(#quantreg >= 40)
  for _, case in ipairs(quantreg) do compare(case, ("quantile(tau = %g)"):format(case.tau), 1e-9) end
end

-- Also where a first sum has many optima: the values are of the sums one after the other.
function LinearFit.test_solutions_are_exact()
  luaunit.assertEquals(#exact, 96)
  for _, case in ipairs(exact) do
    luaunit.assertTrue(case.unique)
    compare(case, case.fit, 1e-9)
  end
end

function LinearFit.test_logistic_order_is_that_of_glm()
  luaunit.assertEquals(#logistic, 12)
  for _, case in ipairs(logistic) do compare(case, case.fit, 1e-9) end
end

--- Errors of a fit: rating minus prediction.
local function errors_of(fitted, of)
  local predictions, list = fitted.method:predict(fitted, of.frames.columns, of.frames.rows), {}
  for i = 1, of.frames.rows do list[i] = of.frames.response[i] - predictions[i] end
  return list
end

--- Koenker (2005), theorem 2.2: at most tau n ratings lie above or so, at most (1 - tau) n below, p on the plane.
function LinearFit.test_shares_of_quantiles()
  math.randomseed(90)
  for case = 1, 60 do
    local k, tau = math.random(1, 5), math.random(1, 19) / 20
    local of = problem(memory(random_rows(math.random(k + 2, 90), k)), formula_of(k))
    local on, below, errors = 0, 0, errors_of(solve(("quantile(tau = %g)"):format(tau), of), of)
    for _, e in ipairs(errors) do
      if math.abs(e) < 1e-9 then on = on + 1 elseif e < 0 then below = below + 1 end
    end
    luaunit.assertTrue(on >= k + 1, "case " .. case)
    luaunit.assertTrue(below <= tau * #errors + 1e-9 and below + on >= tau * #errors - 1e-9, "case " .. case)
  end
end

--- Chebyshev: p + 1 errors are as large as the largest, and some on either side.
function LinearFit.test_largest_errors_of_minimax()
  math.randomseed(91)
  for case = 1, 60 do
    local k = math.random(1, 5)
    local of = problem(memory(random_rows(math.random(k + 2, 90), k)), formula_of(k))
    local fitted = solve("minimax", of)
    local above, below = 0, 0
    for _, e in ipairs(errors_of(fitted, of)) do
      luaunit.assertTrue(math.abs(e) <= fitted.objective[2] + 1e-9)
      if math.abs(e) > fitted.objective[2] - 1e-9 then
        above, below = above + (e > 0 and 1 or 0), below + (e < 0 and 1 or 0)
      end
    end
    luaunit.assertTrue(above + below >= k + 2 and above > 0 and below > 0, "case " .. case)
  end
end

--- What margin minimises, at other coefficients.
local function excess(of, coefficients, margin)
  local sum = 0
  for i, e in ipairs(errors_of({ formula = of.formula, coefficients = coefficients, method = fits.default() }, of)) do
    sum = sum + of.frames.weights[i] * math.max(0, math.abs(e) - margin)
  end
  return sum
end

function LinearFit.test_no_other_coefficients_exceed_the_margin_by_less()
  math.randomseed(92)
  for _ = 1, 30 do
    local k, margin = math.random(1, 4), math.random(0, 8) / 4
    local of = problem(memory(random_rows(math.random(10, 60), k)), formula_of(k), "w")
    local fitted = solve(("margin(margin = %g)"):format(margin), of)
    local least = excess(of, fitted.coefficients, margin)
    assert_near(fitted.objective[2], least, 1e-9)
    for _ = 1, 40 do
      local moved, size = {}, 10 ^ -math.random(0, 6)
      for term, value in pairs(fitted.coefficients) do moved[term] = value + (math.random() - 0.5) * size end
      luaunit.assertTrue(excess(of, moved, margin) >= least - 1e-9)
    end
  end
end

--- A row of weight w is w rows, of half the weights the same; order of rows does not matter.
function LinearFit.test_weights_are_numbers_of_rows()
  math.randomseed(93)
  for _ = 1, 8 do
    local columns, repeated, k = random_rows(25, 2), { y = {}, w = {}, x1 = {}, x2 = {} }, 2
    for i = #columns.y, 1, -1 do
      columns.w[i] = columns.w[i] % 4
      for _ = 1, columns.w[i] do
        for name, values in pairs(repeated) do table.insert(values, name == "w" and 0.5 or columns[name][i]) end
      end
    end
    for _, method in ipairs(methods) do
      local whole = solve(method, problem(memory(columns), formula_of(k), "w"))
      for _, weights in ipairs { false, "w" } do
        local other = solve(method, problem(memory(repeated), formula_of(k), weights or nil))
        for i, term in ipairs(whole.terms) do assert_near(other.terms[i].estimate, term.estimate, 1e-8, method) end
      end
    end
  end
end

--- By hand: the middle of an even number of ratings, ratings within the margin of many lines, pairs that can all be told.
function LinearFit.test_ties()
  local function estimates(method, columns, text)
    local list = {}
    for i, term in ipairs(solve(method, problem(memory(columns), text)).terms) do list[i] = term.estimate end
    return list
  end
  local function check(found, expected) -- assertAlmostEquals takes lists only with this margin
    luaunit.assertEquals(#found, #expected)
    for i, value in ipairs(expected) do luaunit.assertAlmostEquals(found[i], value, 1e-12) end
  end
  check(estimates("lad", { y = { 4, 1, 2, 9 } }, "y ~ 1"), { 2 }) -- 2 to 4: the smallest coefficient
  check(estimates("lad", { y = { -4, -1, -2, -9 } }, "y ~ 1"), { -2 })
  check(estimates("margin(margin = 2)", { y = { 1, 2, 4 } }, "y ~ 1"), { 2 }) -- 2 to 3: nearest to the ratings is the median
  check(estimates("minimax", { y = { 1, 2, 4 }, x = { 0, 0, 0 } }, "y ~ x"), { 2.5 })
  -- any slope from 1 on puts the harder one ahead by 1; the line of least squares is that of ols
  check(estimates("order", { y = { 1, 5, 6 }, x = { 0, 1, 2 } }, "y ~ x"), { 1.5, 2.5 })
  -- z tells the pair that x does not: the slopes of x and z are 1 in scores, and y is -1/6 + 11/6 of the score
  local fitted = solve("order", problem(memory { y = { 0, 1, 4 }, x = { 0, 1, 1 }, z = { 0, 0, 1 } }, "y ~ x + z"))
  luaunit.assertEquals({ fitted.pairs, fitted.tau, fitted.objective[2] }, { 3, 1, 0 })
  check({ fitted.terms[1].estimate, fitted.terms[2].estimate, fitted.terms[3].estimate }, { -1 / 3, 2, 2 })
end

function LinearFit.test_order_is_as_good_as_its_tau_says()
  for _, case in ipairs(exact) do
    if case.fit == "order" then
      local of = problem(dataset.open(case.data), case.formula, case.weights)
      local fitted = solve("order", of)
      local tau = correlation.kendall(fitted.method:predict(fitted, of.frames.columns, of.frames.rows), of.frames.response)
      luaunit.assertAlmostEquals(fitted.tau, tau, 1e-12)
      luaunit.assertTrue(tau > 0, case.data)
    end
  end
end

--- One level far too hard for its measure makes a line fall that all other pairs, and so the scores, make rise.
function LinearFit.test_order_does_not_turn_around()
  local fitted = solve("order", problem(memory { x = { 0, 1, 2, 3, 4, 5 }, y = { 900, 1, 2, 3, 4, 5 } }, "y ~ x"))
  luaunit.assertEquals(fitted.coefficients, { ["(intercept)"] = 915 / 6, x = 0 })
  luaunit.assertEquals(fits.parse("order", "test")[1].fit.notes(fitted), {
    "15 pairs of different ratings, but no line that rises from scores to ratings: predictions are the ratings' mean" })
end

--- By hand: of ratings 1, 2, 3, 9 the measure contradicts that 2 is above 1; so the pairs of difference 1 go, 3 above 2, too.
--- Any slope above 0 then is a score of the other four; the line of least squares is that of ols.
function LinearFit.test_pairs_left_out()
  local fitted = solve("order(drop)", problem(memory { x = { 1, 0, 2, 5 }, y = { 1, 2, 3, 9 } }, "y ~ x"))
  luaunit.assertEquals({ fitted.pairs, fitted.dropped, fitted.least, fitted.objective[2] }, { 6, 2, 2, 2 })
  luaunit.assertAlmostEquals(fitted.coefficients.x, 11 / 7, 1e-12) -- sum of products 22, of squares 14
  luaunit.assertAlmostEquals(fitted.tau, 2 / 3, 1e-12)
  luaunit.assertEquals(fits.parse("order", "test")[1].fit.notes(fitted), { "6 pairs of different ratings, 2 left out, as their "
    .. "ratings differ by less than 2, Kendall's tau of predictions and ratings: 0.6667" })
  local all = solve("order(drop)", problem(memory { x = { 1, 1, 1 }, z = { 0, 0, 0 }, y = { 1, 2, 3 } }, "y ~ x + z"))
  luaunit.assertEquals({ all.dropped, all.least, all.coefficients["(intercept)"] }, { 3, nil, 2 })
  local none = solve("order(drop)", problem(memory { x = { 1, 2, 4 }, y = { 1, 2, 3 } }, "y ~ x"))
  luaunit.assertEquals({ none.dropped, none.least, none.tau }, { 0, 1, 1 })
end

--- Brute force with two measures: pairs have a score in common if, of the directions between those at right angles to a pair,
--- one leads from the lower to the higher level of each.
function LinearFit.test_as_few_pairs_as_can_be_are_left_out()
  math.randomseed(97)
  for _ = 1, 20 do
    local columns = { x = {}, z = {}, y = {} }
    for i = 1, 9 do
      columns.x[i], columns.z[i] = math.random(), math.random()
      columns.y[i] = math.floor(6 * (columns.x[i] + columns.z[i] / 2 + math.random() / 2))
    end
    local pairs_of, angles, fewest = {}, {}, nil
    for i = 1, 9 do
      for j = 1, 9 do
        local x, z, gap = columns.x[i] - columns.x[j], columns.z[i] - columns.z[j], columns.y[i] - columns.y[j]
        if gap > 0 then table.insert(pairs_of, { x = x, z = z, gap = gap }) end
        if i ~= j then table.insert(angles, math.atan(x, -z)) end
      end
    end
    table.sort(angles)
    for least = 0, 10 do
      for i, angle in ipairs(angles) do
        local direction, left_out, holds = (angle + (angles[i + 1] or angles[1] + 2 * math.pi)) / 2, 0, true
        for _, pair in ipairs(pairs_of) do
          local is_left_out = pair.gap < least
          left_out = left_out + (is_left_out and 1 or 0)
          holds = holds and (is_left_out or pair.x * math.cos(direction) + pair.z * math.sin(direction) > 0)
        end
        if holds then fewest = math.min(fewest or left_out, left_out) end
      end
    end
    local fitted = solve("order(drop)", problem(memory(columns), "y ~ x + z"))
    luaunit.assertEquals(fitted.dropped, fewest)
    for i = 1, 9 do
      for j = 1, 9 do
        local lead = fitted.coefficients.x * (columns.x[i] - columns.x[j]) + fitted.coefficients.z * (columns.z[i] - columns.z[j])
        luaunit.assertTrue(columns.y[i] - columns.y[j] < fitted.least or lead > 0)
      end
    end
  end
end

--- The unit of a measure or of the ratings changes coefficients only by that factor, however large.
function LinearFit.test_units_do_not_matter()
  math.randomseed(94)
  local columns = random_rows(40, 3)
  for _, unit in ipairs { 1e-9, 1e9 } do
    local scaled = { y = {}, x1 = {}, x2 = columns.x2, x3 = {}, w = {} }
    for i, y in ipairs(columns.y) do
      scaled.y[i], scaled.w[i] = y * unit, columns.w[i] * unit
      scaled.x1[i], scaled.x3[i] = columns.x1[i] * unit, columns.x3[i] / unit
    end
    for _, method in ipairs { "lad", "quantile(tau = 0.9)", "minimax", "margin(margin = 0)", "order", "order(logistic)" } do
      local base = solve(method, problem(memory(columns), formula_of(3), "w")).coefficients
      local other = solve(method, problem(memory(scaled), formula_of(3), "w")).coefficients
      assert_near(other["(intercept)"] / unit, base["(intercept)"], 1e-8, method)
      assert_near(other.x1, base.x1, 1e-8, method)
      assert_near(other.x2 / unit, base.x2, 1e-8, method)
      assert_near(other.x3 / unit / unit, base.x3, 1e-8, method)
    end
  end
end

--- Errors are those of the left side, an offset being part of the prediction.
function LinearFit.test_left_sides_and_offsets()
  math.randomseed(95)
  local columns = random_rows(40, 2)
  columns.z = {}
  for i, y in ipairs(columns.y) do
    columns.y[i] = math.exp(y)
    columns.z[i] = y - 2 * columns.x1[i]
  end
  for _, method in ipairs { "lad", "minimax", "margin(margin = 0.2)" } do
    local found = solve(method, problem(memory(columns), "log(y) ~ x2 + offset(2 * x1)", "w")).coefficients
    for term, value in pairs(solve(method, problem(memory(columns), "z ~ x2", "w")).coefficients) do
      assert_near(found[term], value, 1e-9, method)
    end
  end
end

function LinearFit.test_aliased_terms()
  local columns = random_rows(30, 2)
  columns.x3 = {}
  for i, x in ipairs(columns.x1) do columns.x3[i] = 2 * x - columns.x2[i] + 1 end
  for _, method in ipairs(methods) do
    local fitted = solve(method, problem(memory(columns), formula_of(3)))
    luaunit.assertEquals(fitted.aliased, { "x3" })
    luaunit.assertEquals(fitted.coefficients, solve(method, problem(memory(columns), formula_of(2))).coefficients, method)
  end
end

function LinearFit.test_what_is_refused()
  local same = memory { x = { 1, 2, 3 }, y = { 5, 5, 5 } }
  for _, method in ipairs { "lad", "quantile", "minimax", "margin" } do
    luaunit.assertEquals(solve(method, problem(same, "y ~ x")).coefficients, { ["(intercept)"] = 5, x = 0 }, method)
    luaunit.assertEquals(message(solve, method, problem(same, "y ~ x + I(x^2) + I(x^3)")),
      "data: found 3 complete rows, expected at least as many as the formula has terms, 4; "
        .. "fits that do with fewer: ridge, lasso, elastic-net")
  end
  luaunit.assertEquals(message(solve, "order", problem(same, "y ~ x")), "data: fit 'order': found ratings that are all equal, "
    .. "expected convergence; --unconverged takes it as it is")
  luaunit.assertEquals(message(solve, "order", problem(same, "y ~ x - 1")),
    "data: found a formula without (intercept), expected one with it: the fit 'order' knows no zero of the ratings")
  luaunit.assertEquals(message(solve, "order(probit)", problem(same, "y ~ x")),
    "data: fit 'order': found 'probit', expected logistic, drop or no option")
  luaunit.assertEquals(message(solve, "order(logistic)", problem(memory { x = { 1, 2, 3 }, y = { 1, 2, 5 } }, "y ~ x")),
    "data: fit 'order(logistic)': found no greatest likelihood, as where a score orders all pairs, expected convergence; "
      .. "--unconverged takes it as it is")
  luaunit.assertEquals(message(solve, "order", problem(same, "y ~ x + offset(x^2)")),
    "data: found an offset, expected none: the fit 'order' knows no unit of the ratings")
  local many = { x = {}, y = {} }
  for i = 1, 1001 do many.x[i], many.y[i] = i % 7, i end
  luaunit.assertEquals(message(solve, "order", problem(memory(many), "y ~ x")),
    "data: found 1,001 rows, expected at most 1000 for the fit 'order', which compares all pairs")
  for text, expected in pairs {
    ["quantile(tau = 1)"] = "here: option 'tau': found '1', expected a number of at least 0.001 and at most 0.999",
    ["margin(margin = -1)"] = "here: option 'margin': found '-1', expected a number of at least 0",
    ["lad(tau = 1)"] = "here: fit 'lad': found 'tau = 1', expected no options",
  } do
    luaunit.assertEquals(message(fits.parse, text, "here"), expected)
  end
end

return { LinearFit = LinearFit }
