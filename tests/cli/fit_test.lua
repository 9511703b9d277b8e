--- End-to-end tests of crux fit: JSON, fitted rule scripts, where data come from, weights and missing values.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local process = require "libcrux.process"

local crux = shell.printed

local Fit = {}

function Fit.test_json_names_aliased_terms_and_leaves_out_a_missing_f()
  local data = shell.file("line.csv", "a,y\n1,2\n2,3\n3,5\n") -- by hand: slope 3/2, intercept 10/3 - 3/2 * 2 = 1/3
  local fit = json.decode(crux(("fit --formula 'y ~ a + I(2 * a) + a:a' %s --format json"):format(data)))
  luaunit.assertEquals(fit[json.keys], { "formula", "target", "n", "weights", "fit", "terms", "aliased", "sigma", "df", "r_squared",
    "adj_r_squared", "f", "f_p", "log_likelihood", "aic", "bic" })
  luaunit.assertEquals(fit.terms[1][json.keys], { "term", "estimate", "std_error", "t", "p" })
  luaunit.assertEquals(fit.aliased, { "I(2 * a)" })
  luaunit.assertAlmostEquals(fit.terms[1].estimate, 1 / 3, 1e-15)
  luaunit.assertAlmostEquals(fit.terms[2].estimate, 3 / 2, 1e-15)
  luaunit.assertAlmostEquals(fit.sigma ^ 2, 1 / 6, 1e-15) -- residuals 1/6, -1/3, 1/6 on one degree of freedom
  local mean = json.decode(crux(("fit --formula 'y ~ 1' %s --format json"):format(data)))
  luaunit.assertIs(mean.f, json.null)
  luaunit.assertIs(mean.f_p, json.null)
  luaunit.assertIs(mean.weights, json.null)
  luaunit.assertEquals(mean.aliased, {})
end

--- Formats carry the same numbers: CSV to the last digit, tables rounded.
function Fit.test_formats_agree()
  local fit = json.decode(crux "fit flow datasets/flow.csv --format json")
  local rows = shell.lines(crux "fit flow datasets/flow.csv --format csv")
  luaunit.assertEquals(#rows, 1 + #fit.terms)
  luaunit.assertEquals(rows[1], "term,estimate,std_error,t,p")
  for i, term in ipairs(fit.terms) do
    local name, estimate, std_error, t, p = rows[i + 1]:match "^(.-),(.-),(.-),(.-),(.-)$"
    luaunit.assertEquals({ name, tonumber(estimate), tonumber(std_error), tonumber(t), tonumber(p) },
      { term.term, term.estimate, term.std_error, term.t, term.p })
  end
  -- R: print(summary(lm(...))), each column rounded alike
  luaunit.assertEquals(crux "fit flow datasets/flow.csv", [[
term         estimate  std_error       t         p
(intercept)   2.06971    0.58996   3.508    0.0013
size          0.08744    0.01299   6.731  8.53e-08
colours      -0.29540    0.10851  -2.722    0.0100
distance     -0.40075    0.13628  -2.941    0.0058
corners       0.03881    0.03240   1.198    0.2390

difficulty ~ size + colours + distance + corners, 40 rows, weighted by solved
Residual standard error: 2.870 on 35 degrees of freedom
R-squared: 0.8610, adjusted: 0.8452
F-statistic: 54.22 on 4 and 35 degrees of freedom, p-value: 1.61e-14
AIC: 65.92, BIC: 76.06, log-likelihood: -26.96
]])
  luaunit.assertStrContains(crux "fit flow datasets/flow.csv --format md",
    "\n| size | 0.08744 | 0.01299 | 6.731 | 8.53e-08 |\n")
end

local function rounded(text)
  return (text:gsub("^%-%- Fitted by crux %S+", ""):gsub("%d+%.%d+", function(digits) return ("%.10g"):format(digits) end):gsub("%s+", " "))
end

--- Rules that come with crux are what `crux fit` writes, but for the version and the last digits of numbers.
function Fit.test_own_rules_are_fitted_scripts()
  for _, name in ipairs { "flow", "flow-solver", "lazors", "lazors-original", "lazors-solver", "move", "move-original",
    "move-solver", "roguelike-difficulty", "roguelike-enjoyment", "roguelike-authors" } do
    local new, data = shell.path "new.lua", name:match("%a+"):gsub("roguelike", "dungeongrams")
    data = data .. (name:match "-authors" or "")
    luaunit.assertEquals(shell.crux(("fit rules/%s.lua datasets/%s.csv -o %s"):format(name, data, new)).status, 0)
    luaunit.assertEquals(rounded(shell.read(new)), rounded(shell.read(("rules/%s.lua"):format(name))))
  end
end

--- Formulas whose fitted rule loads, rates as the formula says, and is the same bytes after another fit.
function Fit.test_fitted_rule_comes_back()
  local data = shell.file("odd.csv",
    'level,a,if,"b c",w,y\nA,1,4,2,1,3\nB,2,3,7,2,1\nC,3,9,1,1,4\nD,4,1,8,3,1.5\nE,5,7,2,0,9\nF,7,2,5,2,2\n')
  for _, formula in ipairs(long.some(3, { "y ~ a", "y ~ a - 1", "y ~ `b c` + if", "y ~ log(`b c`) * a", "y ~ I(a^2 / 2) + a + I(3 * a)",
    "y ~ 1",
    "`b c` ~ a:if" })) do
    for _, weights in ipairs { "", "--weights w" } do
      local first, second, file = shell.path "first.lua", shell.path "second.lua", shell.path "fit.json"
      local line = ("fit --formula '%s' %s %s -o %s --format json > %s"):format(formula, weights, data, first, file)
      luaunit.assertEquals(shell.crux(line).status, 0, line)
      luaunit.assertEquals(shell.crux(("fit %s %s -o %s"):format(first, data, second)).status, 0)
      luaunit.assertEquals(shell.read(second), shell.read(first), line)
      local sum, fit = 0, json.decode(shell.read(file))
      for _, term in ipairs(fit.terms) do -- level B: a = 2, if = 3, b c = 7
        local known = { ["(intercept)"] = 1, a = 2, ["if"] = 3, ["`b c`"] = 7, ["I(a^2/2)"] = 2,
          ["log(`b c`)"] = math.log(7),
          ["log(`b c`):a"] = 2 * math.log(7), ["a:if"] = 6 }
        sum = sum + term.estimate * known[term.term]
      end
      local rated = json.decode(crux(("rate %s %s --format json"):format(first, data)))
      luaunit.assertAlmostEquals(rated[2].rating, sum, 1e-13, line)
    end
  end
end

function Fit.test_script_of_a_formula()
  local data = shell.file("line.csv", "level,a,y\nA,1,2\nB,2,4\nC,3,6.5\nD,4,8\n") -- by hand: slope 2.05, intercept 0
  crux(("fit --formula 'y ~ I(a * 2) + a' %s -o %s"):format(data, shell.path "my-line.lua"))
  luaunit.assertEquals(shell.read(shell.path "my-line.lua"):gsub("%] = [-%d.e]+,", "] = NUMBER,")
    :gsub("inverse = { [-%d.e, ]+ }", "inverse = { NUMBER }"):gsub("sigma = [%d.e-]+", "sigma = NUMBER"), ([[
-- Fitted by crux %s to 4 rows of %s.
return crux.rule {
  name = "my-line",
  predicts = "y",
  formula = "y ~ I(a * 2) + a",
  coefficients = {
    ["(intercept)"] = NUMBER,
    ["I(a * 2)"] = NUMBER,
  },
  aliased = { "a" },
  ranges = {
    a = { 1, 4 },
  },
  intervals = {
    df = 2,
    inverse = { NUMBER },
    sigma = NUMBER,
    weight = 1,
  },
}
]]):format(process.version, data))
end

function Fit.test_a_formula_in_the_place_of_the_rule()
  luaunit.assertEquals(shell.printed "fit 'difficulty ~ size' datasets/flow.csv", shell.printed "fit --formula 'difficulty ~ size' datasets/flow.csv")
end

function Fit.test_another_target_and_other_weights()
  local fit = json.decode(crux "fit flow datasets/flow.csv --target scaled --weights skipped --format json 2> /dev/null")
  luaunit.assertEquals({ fit.target, fit.weights, fit.formula, fit.n },
    { "scaled", "skipped", "scaled ~ size + colours + distance + corners", 11 }) -- 11 levels were skipped by someone
  local sided = json.decode(crux "fit --formula '~ size' --target time datasets/flow.csv --format json")
  luaunit.assertEquals({ sided.target, sided.formula }, { "time", "time ~ size" })
end

--- The data may come from where they can be read once.
function Fit.test_pipes_are_as_good_as_files()
  local expected = crux "fit flow datasets/flow.csv"
  local program, fifo = shell.quote(shell.program), shell.path "fifo"
  for _, command in ipairs {
    ("%s fit flow - < datasets/flow.csv"):format(program),
    ("cat datasets/flow.csv | %s fit flow -"):format(program),
    ("cat datasets/flow.csv | %s fit flow /dev/stdin"):format(program),
    ("rm -f %s; mkfifo %s; cat datasets/flow.csv > %s & %s fit flow %s; rm %s"):format(fifo, fifo, fifo, program, fifo,
      fifo),
  } do
    luaunit.assertEquals(shell.run(command), { status = 0, out = expected, err = "" }, command)
  end
end

--- Less than a billionth of b is new after a: too little for R's 1e-7, enough for 1e-12.
function Fit.test_tolerance()
  local data = shell.file("near.csv", "a,b,y\n1,1.000000001,1\n2,2,3\n3,3.000000001,2\n4,4,5\n5,5,4\n")
  local line = "fit --formula 'y ~ a + b' " .. data .. " --format json"
  luaunit.assertEquals(json.decode(crux(line)).aliased, { "b" })
  luaunit.assertEquals(json.decode(crux(line .. " --tolerance 1e-7")).aliased, { "b" })
  luaunit.assertEquals(json.decode(crux(line .. " --tolerance 1e-12")).aliased, {})
end

function Fit.test_rows_left_out_are_counted()
  local data = shell.file("gaps.csv",
    "level,a,y,w\nA,1,2,1\nB,,3,1\nC,NA,5,1\nD,4,,1\nE,3,4,\nF,5,7,0\nG,7,8,2\nH,2,3,1\nI,4,6,1\n")
  local plain = shell.crux(("fit --formula y~a %s --format json"):format(data))
  luaunit.assertEquals(plain.err, data .. ": 3 rows left out: a value is missing\n")
  luaunit.assertEquals(json.decode(plain.out).n, 6)
  local weighted = shell.crux(("fit --formula y~a --weights w %s --format json"):format(data))
  luaunit.assertEquals(weighted.err, data .. ": 4 rows left out: a value is missing\n" .. data
    .. ": 1 row left out: the weight is 0\n")
  luaunit.assertEquals(json.decode(weighted.out).n, 4)
end

--- Ratings that are all the same are explained by nothing: refused in every way to fit, unless wanted.
function Fit.test_equal_ratings()
  local data = shell.file("same.csv", "a,y\n1,3\n2,3\n4,3\n,5\n")
  for _, method in ipairs { "ols", "lad", "nnls", "'lasso(lambda = 1)'" } do
    local result = shell.crux(("fit --formula y~a %s --fit %s"):format(data, method))
    luaunit.assertStrContains(result.err, data .. ": column 'y': found 3 in all 3 rows, expected values that differ")
    luaunit.assertEquals(result.status, 1)
  end
  luaunit.assertEquals(shell.crux(("fit --formula y~a %s --unconverged"):format(data)).status, 0)
end

--- Without residual degrees of freedom there is no F.
function Fit.test_as_many_terms_as_rows()
  luaunit.assertStrContains(crux "fit --formula 'difficulty ~ factor(level)' datasets/flow.csv",
    "\nF-statistic: undefined on 39 and 0 degrees of freedom, p-value: undefined\n")
end

--- Numbers whose squares overflow are fitted or refused; never is a rule written that has no numbers in it.
function Fit.test_overflow()
  local data, new = shell.file("huge.csv", "a,y\n1e308,1e308\n-1e308,3\n1e300,1\n3,4\n"), shell.path "huge.lua"
  os.remove(new)
  local result = shell.crux(("fit --formula y~a %s -o %s --format json"):format(data, new))
  luaunit.assertEquals(shell.exists(new), result.status == 0)
  if result.status == 0 then
    for _, term in ipairs(json.decode(result.out).terms) do luaunit.assertIsNumber(term.estimate) end
    luaunit.assertEquals(shell.crux(("rate %s %s"):format(new, data)).status, 0)
  end
end

return { Fit = Fit }
