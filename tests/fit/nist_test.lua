-- Tests of fits against NIST's Statistical Reference Datasets: how many certified digits crux reaches.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local ols = require "crux.fit.ols"
local formula = require "crux.formula.formula"
local luaunit = require "luaunit"

-- Largest relative error of an estimate and of a standard error that is allowed. The certified values have 15 digits;
-- filip's powers of x are rounded before the fit begins, which its condition of 1e15 magnifies.
-- sigma, r_squared: certified (https://www.itl.nist.gov/div898/strd/lls/lls.shtml).
local sets = {
  norris = { 2e-14, 5e-14, sigma = 0.884796396144373, r_squared = 0.999993745883712 },
  pontius = { 1e-13, 5e-14, sigma = 0.205177424076185e-3, r_squared = 0.999999900178537 },
  noint1 = { 1e-14, 1e-14, sigma = 3.56753034006338, r_squared = 0.999365492298663 },
  filip = { 5e-8, 5e-8, sigma = 0.334801051324544e-2, r_squared = 0.996727416185620 },
  longley = { 1e-14, 1e-14, sigma = 304.854073561965, r_squared = 0.995479004577296 },
  wampler1 = { 1e-15, 1e-15, sigma = 0, r_squared = 1 },
  wampler2 = { 1e-13, 1e-14, sigma = 0, r_squared = 1 },
  wampler3 = { 1e-15, 5e-14, sigma = 2360.14502379268, r_squared = 0.999995559025820 },
  wampler4 = { 1e-15, 5e-14, sigma = 236014.502379268, r_squared = 0.957478440825662 },
  wampler5 = { 1e-15, 5e-14, sigma = 23601450.2379268, r_squared = 0.224668921574940e-2 },
}

--- Certified terms of each set, in order.
local function certified()
  local result = {}
  local data = dataset.open "tests/reference/nist/certified.csv"
  for block in data:blocks { texts = { "dataset", "term" }, numbers = { "estimate", "std_error" } } do
    for row = 1, block.rows do
      local name = block.texts.dataset[row]
      result[name] = result[name] or {}
      table.insert(result[name], { term = block.texts.term[row], estimate = block.numbers.estimate[row],
        std_error = block.numbers.std_error[row] })
    end
  end
  return result
end

--- Fits the certified terms; the response is the first column.
local function fitted(name, terms, tolerance)
  local data = dataset.open(("tests/reference/nist/%s.csv"):format(name))
  local names = {}
  for i, row in ipairs(terms) do names[i] = row.term == "(intercept)" and "1" or row.term end
  local parsed = formula.parse(("%s ~ 0 + %s"):format(data.columns[1], table.concat(names, " + ")))
  local frames = design.new(data, { response = parsed.response, formula = parsed, who = name })
  return ols.fit { formula = parsed, frames = frames, tolerance = tolerance, where = name }
end

local Nist = {}

local terms_of = certified()

for name, expected in pairs(sets) do
  Nist["test_" .. name] = function()
    local result = fitted(name, terms_of[name], 1e-14)
    luaunit.assertEquals(result.aliased, {})
    for i, row in ipairs(terms_of[name]) do
      local term = result.terms[i]
      luaunit.assertEquals(term.term, row.term)
      luaunit.assertAlmostEquals(term.estimate, row.estimate, expected[1] * math.abs(row.estimate), row.term)
      luaunit.assertAlmostEquals(term.std_error, row.std_error, row.std_error == 0 and 1e-14 or expected[2] * row.std_error,
        row.term)
    end
    luaunit.assertAlmostEquals(result.sigma, expected.sigma, math.max(1e-14, expected[2] * expected.sigma))
    luaunit.assertAlmostEquals(result.r_squared, expected.r_squared, name == "filip" and 1e-9 or 2e-15)
  end
end

-- R 4.2.2: lm with its default tolerance leaves out x^10.
function Nist.test_filip_with_the_usual_tolerance()
  local result = fitted("filip", terms_of.filip)
  luaunit.assertEquals(result.aliased, { "I(x^10)" })
  luaunit.assertEquals(#result.terms, 10)
end

-- The others keep all their terms at the usual tolerance.
function Nist.test_the_others_with_the_usual_tolerance()
  for name, terms in pairs(terms_of) do
    if name ~= "filip" then luaunit.assertEquals(fitted(name, terms).aliased, {}, name) end
  end
end

return { Nist = Nist }
