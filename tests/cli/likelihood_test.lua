--- End-to-end tests of the fits by maximum likelihood: crux fit, the rule that it writes, crux rate, crux evaluate.
local luaunit = require "luaunit"
local shell = require "shell"

local Likelihoods = {}

-- R: summary(polr(factor(rating) ~ x1 + x2 + x3, weights = w)); the digits are those of tests/reference/likelihood_reference.lua
function Likelihoods.test_fit_ordinal()
  luaunit.assertEquals(
    shell.printed "fit --formula 'rating ~ x1 + x2 + x3' --weights w tests/reference/ratings_2.csv --fit ordinal", [[
term  estimate  std_error       z         p
x1      0.3637    0.02812  12.933    <2e-16
x2      0.1424    0.04467   3.187    0.0014
x3     -0.8269    0.13673  -6.048  1.47e-09
1|2     1.6462    0.32606
2|3     2.4973    0.33415
3|4     3.0901    0.34395
4|5     3.7390    0.35349
5|6     4.6831    0.37446
6|7     5.3719    0.39388

rating ~ x1 + x2 + x3, 80 rows, weighted by w, fitted by ordinal
Minimised minus the log-likelihood: 800.2
Thresholds k|l between 7 categories from 1 to 7: logits of a rating of at most k where the terms sum to 0
AIC: 1618, BIC: 1656, log-likelihood: -800.2
]])
end

--- A written rule rates by the formulas of its fit, here by hand from what stands in it.
function Likelihoods.test_rules_rate_by_their_parameters()
  local first, second = shell.path "likelihood.lua", shell.path "again/likelihood.lua"
  shell.folder "again"
  for _, method in ipairs { "ordinal(round = 1)", "beta" } do
    shell.printed(("fit flow datasets/flow.csv --fit '%s' -o %s"):format(method, first))
    shell.printed(("fit %s datasets/flow.csv -o %s"):format(first, second))
    luaunit.assertEquals(shell.read(second), shell.read(first))
    luaunit.assertStrContains(shell.read(first), ('fit = "%s",'):format(method))
    local rule = load(shell.read(first), "rule", "t", { crux = { rule = function(spec) return spec end } })()
    local of, parameters = rule.coefficients, rule.parameters
    local function by_hand(size, colours, distance, corners)
      local sum = of["(intercept)"] + of.size * size + of.colours * colours + of.distance * distance + of.corners * corners
      if method == "beta" then return parameters.low + (parameters.high - parameters.low) / (1 + math.exp(-sum)) end
      local expected, below = 0, 0
      for k, category in ipairs(parameters.categories) do
        local up_to = 1 / (1 + math.exp(sum - (parameters.thresholds[k] or math.huge)))
        expected, below = expected + category * (up_to - below), up_to
      end
      return expected
    end
    local rated = shell.decoded(("rate %s datasets/flow.csv"):format(first))
    luaunit.assertAlmostEquals(rated[1].rating, by_hand(81, 6, 6.833, 12), 1e-12)
    luaunit.assertAlmostEquals(rated[2].rating, by_hand(49, 7, 4.571, 12), 1e-12)
  end
end

function Likelihoods.test_what_is_refused()
  local order = shell.file("ordered.csv", "a,y\n1,1\n2,1\n3,2\n4,3\n5,3\n")
  local result = shell.crux("fit --formula y~a --fit ordinal " .. order)
  luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", order .. ": fit 'ordinal': found no greatest "
    .. "likelihood, as where a term orders all ratings, expected convergence; --unconverged takes it as it is\n" })
  luaunit.assertStrContains(shell.printed("fit --formula y~a --fit ordinal --unconverged " .. order),
    "Did not converge: no greatest likelihood, as where a term orders all ratings\n")
  local rule_path = shell.path "torn.lua"
  for parameters, expected in pairs {
    ["{}"] = rule_path .. ": parameters: found no 'categories', expected it as crux fit -o writes it",
    ["{ categories = { 1, 2, 3 } }"] = rule_path .. ": parameters: found no 'thresholds', expected it as crux fit -o writes it",
    ["{ categories = { 1, 2, 3 }, thresholds = { 0 } }"] = "parameter 'thresholds': found 1 number, expected one less than in "
      .. "'categories'",
  } do
    local rule = shell.file("torn.lua", ([[return crux.rule { name = "torn", formula = "y ~ a", fit = "ordinal",
      coefficients = { ["(intercept)"] = 0, a = 1 }, parameters = %s }]]):format(parameters))
    local rated = shell.crux(("rate %s %s"):format(rule, order))
    luaunit.assertEquals({ rated.status, rated.out, rated.err }, { 1, "", expected .. "\n" })
  end
end

--- R's mtcars: the ratings of cars of 4 cylinders are above those of 8. On the way to thresholds without end a column of the
--- information is lost, and a step has a hole in it.
function Likelihoods.test_a_factor_that_all_but_orders_ratings()
  local cars = "6 2.62 21; 6 2.875 21; 4 2.32 22.8; 6 3.215 21.4; 8 3.44 18.7; 6 3.46 18.1; 8 3.57 14.3; 4 3.19 24.4; "
    .. "4 3.15 22.8; 6 3.44 19.2; 6 3.44 17.8; 8 4.07 16.4; 8 3.73 17.3; 8 3.78 15.2; 8 5.25 10.4; 8 5.424 10.4; "
    .. "8 5.345 14.7; 4 2.2 32.4; 4 1.615 30.4; 4 1.835 33.9; 4 2.465 21.5; 8 3.52 15.5; 8 3.435 15.2; 8 3.84 13.3; "
    .. "8 3.845 19.2; 4 1.935 27.3; 4 2.14 26; 4 1.513 30.4; 8 3.17 15.8; 6 2.77 19.7; 8 3.57 15; 4 2.78 21.4;"
  local file = shell.file("cars.csv", "cyl wt mpg\n" .. cars:gsub("; ?", "\n"))
  local result = shell.crux("fit --formula 'mpg ~ factor(cyl) + wt' --fit 'ordinal(round = 1)' --delimiter ' ' " .. file)
  luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", file .. ": fit 'ordinal(round = 1)': found no greatest "
    .. "likelihood, as where a term orders all ratings, expected convergence; --unconverged takes it as it is\n" })
end

return { Likelihoods = Likelihoods }
