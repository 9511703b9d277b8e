-- Tests of lua/crux/fit/fits.lua and fits/*.lua: the numbers of R's summary(lm), random fits by another method, aliased terms, blocks.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local fitting = require "fitting"
local ols = require "crux.fit.ols"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"
local memory = require "memory"
local vector = require "libcrux.vector"

local reference = dofile "tests/reference/r_reference.lua"
local assert_near, message, formula_of = fitting.relatively_near, fitting.message, fitting.formula_of

local function fitted(data, text, weights, tolerance)
  local parsed = formula.parse(text)
  local frames = design.new(data, { response = parsed.response, formula = parsed, weights = weights, who = "test" })
  return ols.fit { formula = parsed, frames = frames, where = data.name, tolerance = tolerance }, frames
end

local Fit = {}

-- 1e-12: R's QR without refinement is the less exact side.
function Fit.test_all_numbers_are_those_of_r()
  luaunit.assertTrue(#reference.fits >= 20)
  for _, case in ipairs(reference.fits) do
    local data = type(case.data) == "string" and dataset.open(case.data) or memory(case.data)
    local result = fitted(data, case.formula, case.weights)
    luaunit.assertEquals(result.aliased, case.aliased, case.formula)
    luaunit.assertEquals(#result.terms, #case.terms)
    for i, row in ipairs(case.terms) do
      luaunit.assertEquals(result.terms[i].term, row.term)
      luaunit.assertEquals(result.coefficients[row.term], result.terms[i].estimate)
      for _, key in ipairs { "estimate", "std_error", "t", "p" } do
        assert_near(result.terms[i][key], row[key], 1e-12, ("%s: %s of %s"):format(case.formula, key, row.term))
      end
    end
    for _, term in ipairs(case.aliased) do luaunit.assertNil(result.coefficients[term]) end
    for _, key in ipairs { "sigma", "df", "r_squared", "adj_r_squared", "f", "f_p", "log_likelihood", "aic", "bic", "n" } do
      if case[key] and case[key] ~= 0 then
        assert_near(result[key], case[key], 1e-12, case.formula .. ": " .. key)
      else
        luaunit.assertEquals(result[key], case[key], case.formula .. ": " .. key) -- R gives no F without a measure
      end
    end
  end
end

--- Weighted least squares with an intercept by modified Gram-Schmidt, each column orthogonalised twice.
---@return number[] estimates, number[] errors, number rss, number tss
local function gram_schmidt(columns, k)
  local n, q, r = #columns.y, {}, {}
  local function scaled(values)
    local result = {}
    for i = 1, n do result[i] = math.sqrt(columns.w[i]) * (values and values[i] or 1) end
    return result
  end
  local function dot(a, b)
    local sum = 0
    for i = 1, n do sum = sum + a[i] * b[i] end
    return sum
  end
  local function project(v, last)
    local shares = {}
    for _ = 1, 2 do
      for j = 1, last do
        local share = dot(q[j], v)
        shares[j] = (shares[j] or 0) + share
        for i = 1, n do v[i] = v[i] - share * q[j][i] end
      end
    end
    return shares
  end
  for j = 1, k + 1 do
    local v = scaled(columns["x" .. j - 1])
    r[j] = project(v, j - 1)
    r[j][j] = math.sqrt(dot(v, v))
    for i = 1, n do v[i] = v[i] / r[j][j] end
    q[j] = v
  end
  local function back(right)
    local x = {}
    for j = k + 1, 1, -1 do
      x[j] = right[j]
      for l = j + 1, k + 1 do x[j] = x[j] - r[l][j] * x[l] end
      x[j] = x[j] / r[j][j]
    end
    return x
  end
  local y = scaled(columns.y)
  local effects = project(y, k + 1)
  local squares, tss = {}, dot(y, y)
  for j = 1, k + 1 do
    local unit = {}
    for l = 1, k + 1 do unit[l] = l == j and 1 or 0 end
    for i, x in ipairs(back(unit)) do squares[i] = (squares[i] or 0) + x * x end
    if j > 1 then tss = tss + effects[j] * effects[j] end
  end
  return back(effects), squares, dot(y, y), tss
end

function Fit.test_random_weighted_fits()
  math.randomseed(2014)
  for case = 1, 40 do
    local k = math.random(1, 6)
    local n = k + 2 + math.random(0, 300)
    local columns = fitting.random_rows(n, k)
    local estimates, squares, rss, tss = gram_schmidt(columns, k)
    local result = fitted(memory(columns), formula_of(k), "w")
    local what = ("case %d, %d rows, %d measures"):format(case, n, k)
    luaunit.assertEquals({ result.n, result.df, result.aliased }, { n, n - k - 1, {} }, what)
    local sigma = math.sqrt(rss / (n - k - 1))
    assert_near(result.sigma, sigma, 1e-9, what)
    assert_near(result.r_squared, 1 - rss / tss, 1e-9, what)
    for j, row in ipairs(result.terms) do
      luaunit.assertAlmostEquals(row.estimate, estimates[j], 1e-9 * (1 + math.abs(estimates[j])), what)
      assert_near(row.std_error, sigma * math.sqrt(squares[j]), 1e-9, what)
    end
  end
end

-- A column that is a combination of others makes the last of them, in formula order, the aliased one, wherever it is put.
function Fit.test_a_combination_is_named()
  math.randomseed(31)
  for case = 1, 40 do
    local k = math.random(3, 6)
    local columns = fitting.random_rows(25, k)
    local place, last, others = math.random(1, k), 0, {}
    for i = 1, 25 do columns["x" .. place][i] = 0.5 end
    for j = 1, k do
      if j ~= place and (math.random(2) == 1 or j == place % k + 1) then
        local share = math.random(-8, 8) + 0.5
        for i = 1, 25 do columns["x" .. place][i] = columns["x" .. place][i] + share * columns["x" .. j][i] end
        last = j
      end
    end
    local aliased = "x" .. math.max(place, last)
    for j = 1, k do
      if "x" .. j ~= aliased then table.insert(others, "x" .. j) end
    end
    local result = fitted(memory(columns), formula_of(k), "w")
    luaunit.assertEquals(result.aliased, { aliased }, "case " .. case)
    local without = fitted(memory(columns), "y ~ " .. table.concat(others, " + "), "w")
    for i, row in ipairs(without.terms) do
      luaunit.assertEquals(result.terms[i].term, row.term)
      assert_near(result.terms[i].estimate, row.estimate, 1e-12, "case " .. case)
      assert_near(result.terms[i].std_error, row.std_error, 1e-9, "case " .. case)
    end
    assert_near(result.aic, without.aic, 1e-12)
  end
end

--- The same rows in blocks of one size.
local function in_blocks(kept, size)
  return { blocks = function()
    local first = 1
    return function()
      if first > kept.rows then return nil end
      local rows = {}
      for row = first, math.min(kept.rows, first + size - 1) do table.insert(rows, row) end
      first = first + size
      return kept:select(vector.of(rows))
    end
  end }
end

function Fit.test_blocks_do_not_matter()
  math.randomseed(8)
  local _, frames = fitted(memory(fitting.random_rows(3000, 5)), formula_of(5), "w")
  local kept = frames:keep()
  local whole = ols.fit { formula = frames.formula, frames = kept, where = "data" }
  for _, size in ipairs { 1, 7, 255, 256, 257, 1000 } do
    local result = ols.fit { formula = frames.formula, frames = in_blocks(kept, size), where = "data" }
    for i, row in ipairs(result.terms) do
      luaunit.assertEquals(row.estimate, whole.terms[i].estimate, "blocks of " .. size)
      assert_near(row.std_error, whole.terms[i].std_error, 1e-12)
    end
    assert_near(result.log_likelihood, whole.log_likelihood, 1e-12)
  end
end

function Fit.test_degenerate_fits()
  local exact = fitted(memory { x = { 0, 1, 2, 3 }, y = { 1, 3, 5, 7 } }, "y ~ x")
  luaunit.assertEquals({ exact.terms[1].estimate, exact.terms[2].estimate, exact.sigma, exact.r_squared }, { 1, 2, 0, 1 })
  -- residuals 1/6, -1/3, 1/6; the squares around the mean add up to 14/3
  local least = fitted(memory { x = { 0, 1, 2 }, y = { 0, 1, 3 } }, "y ~ x")
  luaunit.assertAlmostEquals({ least.sigma ^ 2, least.r_squared, least.adj_r_squared, least.f }, { 1 / 6, 27 / 28, 13 / 14, 27 },
    1e-13)
  luaunit.assertEquals({ least.f_df, least.perfect, exact.perfect }, { { 1, 1 }, false, true })
  local saturated = fitted(memory { x = { 0, 2 }, y = { 1, 5 } }, "y ~ x")
  luaunit.assertEquals({ saturated.df, saturated.terms[1].estimate, saturated.terms[2].estimate }, { 0, 1, 2 })
  for _, value in ipairs { saturated.sigma, saturated.adj_r_squared, saturated.terms[2].std_error, saturated.terms[2].p } do
    luaunit.assertIsNaN(value)
  end
  local constant = fitted(memory { x = { 3, 3, 3 }, z = { 0, 0, 0 }, y = { 1, 5, 9 } }, "y ~ x + z")
  luaunit.assertEquals(constant.aliased, { "x", "z" })
  luaunit.assertAlmostEquals(constant.terms[1].estimate, 5, 1e-14)
end

function Fit.test_tolerance()
  local columns = memory { x = { 1, 2, 3, 4 }, z = { 1, 2, 3, 4 + 1e-5 }, y = { 1, 0, 2, 5 } }
  luaunit.assertEquals(fitted(columns, "y ~ x + z").aliased, {})
  luaunit.assertEquals(fitted(columns, "y ~ x + z", nil, 1e-4).aliased, { "z" })
end

function Fit.test_what_is_refused()
  local columns = { x = { 1, 2, 3 }, y = { 1, 5, 0 / 0 }, w = { 1, -2, 1 }, zero = { 0, 1, 0 }, none = { 0, 0, 0 } }
  for _, case in ipairs {
    { "y ~ x + I(x^2)", nil,
      "data: found 2 complete rows, expected at least as many as the formula has terms, 3"
        .. "; fits that do with fewer: ridge, lasso, elastic-net" },
    { "y ~ x", "zero",
      "data: found 1 complete row, expected at least as many as the formula has terms, 2"
        .. "; fits that do with fewer: ridge, lasso, elastic-net" },
    { "y ~ x", "none", "data: column 'none': found no weight above 0, expected at least one" },
    { "y ~ x", "w", "data: row 2: column 'w': found -2, expected a weight that is not negative" },
    { "x ~ log(zero)", nil, "data: row 1: term 'log(zero)': found -Inf (zero = 0), expected a finite number" },
  } do
    luaunit.assertEquals(message(fitted, memory(columns), case[1], case[2]), case[3])
  end
  luaunit.assertStrContains(message(fitted, memory(columns), "y ~ q"), "data:1: test needs the measure 'q', which is not")
  luaunit.assertStrContains(message(fitted, memory(columns), "q ~ x"), "data:1: test needs the target 'q', which is not")
  luaunit.assertStrContains(message(fitted, memory(columns), "y ~ x", "q"), "data:1: test needs the weights 'q', which")
end

local Methods = {}

-- Shapes of what is read, by hand; option texts come back as they were written.
function Methods.test_parse()
  local methods = fits.parse(" ols , wls()", "here")
  luaunit.assertEquals({ #methods, methods[1].text, methods[2].text }, { 2, "ols", "wls" })
  luaunit.assertTrue(methods[2].fit.needs_weights)
end

function Methods.test_bad_methods()
  for text, expected in pairs {
    ["osl"] = "here: found the unknown fit 'osl'; did you mean 'ols'?",
    ["ols("] = "here: found 'ols(', expected a fit such as ols, or with options ridge(lambda = 0.5)",
    [""] = "here: found '', expected a fit such as ols, or with options ridge(lambda = 0.5)",
    ["ols(a = 1)"] = "here: fit 'ols': found 'a = 1', expected no options",
  } do
    luaunit.assertEquals(message(fits.parse, text, "here"), expected)
  end
end

--- wls is ols on weighted rows, and refuses others.
function Methods.test_wls()
  local data = memory(fitting.random_rows(30, 2))
  local parsed = formula.parse "y ~ x1 + x2"
  local function solve(name, weights)
    return fits.parse(name, "here")[1]:solve { formula = parsed, where = "data",
      frames = design.new(data, { response = "y", formula = parsed, weights = weights, who = "test" }) }
  end
  luaunit.assertEquals(solve("wls", "w").coefficients, solve("ols", "w").coefficients)
  luaunit.assertEquals(message(solve, "wls"),
    "data: found no case weights, expected some for the fit 'wls': --weights COLUMN, or the rule's field 'weights'")
end

return { Fit = Fit, Methods = Methods }
