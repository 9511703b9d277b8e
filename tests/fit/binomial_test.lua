--- Tests of lua/crux/fit/binomial.lua and of counts on the left side of formulas: the numbers of R's glm, closed forms, what is
--- refused.
local dataset = require "crux.data.dataset"
local fitting = require "fitting"
local json = require "json_reader"
local luaunit = require "luaunit"
local rules = require "crux.rule.rule"
local shell = require "shell"

local reference = dofile "tests/reference/binomial_reference.lua"
local assert_near = fitting.near

--- The fit of a formula to a dataset.
local function fitted(case)
  local rule = rules.from_formula(case.formula, case.weights):fitted_by(rules.method_of(case.fit, "test"))
  return rule:estimate(dataset.open(case.data), {})
end

local Binomial = {}

function Binomial.test_fits_are_those_of_R()
  luaunit.assertEquals(#reference, 10)
  for _, case in ipairs(reference) do
    local found, problem = fitted(case)
    local what = ("%s, %s of %s"):format(case.formula, case.fit, case.data)
    for _, figure in ipairs { "deviance", "df", "null_deviance", "null_df", "dispersion" } do
      assert_near(found[figure], case[figure], 1e-8, what)
    end
    for _, figure in ipairs { "log_likelihood", "aic", "bic" } do
      if case[figure] then assert_near(found[figure], case[figure], 1e-8, what) else luaunit.assertNil(found[figure]) end
    end
    luaunit.assertEquals(#found.terms, #case.estimates, what)
    for i, row in ipairs(found.terms) do
      assert_near(row.estimate, case.estimates[i], 1e-8, what)
      assert_near(row.std_error, case.errors[i], 1e-8, what)
      assert_near(row.p, case.p[i], 1e-8, what)
    end
    local frames = problem.frames:keep()
    local shares = found.method:predict(found, frames.columns, frames.rows, frames.offset)
    for i, expected in ipairs(case.expected) do assert_near(shares[i], expected, 1e-8, what) end
  end
end

--- A CSV file of some lines.
local function csv(lines) return shell.file("counts.csv", table.concat(lines, "\n") .. "\n") end

--- By hand: the logits of the shares of two groups, their errors by the four counts, and the probability of the counts.
function Binomial.test_two_groups_have_the_logits_of_their_shares()
  local path = csv { "level,x,failed,tried,solved", "a,0,1,4,3", "b,1,4,5,1", "c,1,2,3,1" }
  for _, counts in ipairs { "cbind(failed, tried - failed)", "cbind(failed, solved)" } do
    local fit = shell.decoded(("fit --formula '%s ~ x' %s"):format(counts, path))
    luaunit.assertEquals(fit.fit, "binomial") -- the fit of counts, unless another is named
    luaunit.assertEquals(fit.n, 3)
    assert_near(fit.terms[1].estimate, math.log(1 / 3), 1e-12)
    assert_near(fit.terms[2].estimate, math.log(3) - math.log(1 / 3), 1e-12)
    assert_near(fit.terms[1].std_error, math.sqrt(1 / 1 + 1 / 3), 1e-12)
    assert_near(fit.terms[2].std_error, math.sqrt(1 / 1 + 1 / 3 + 1 / 6 + 1 / 2), 1e-12)
    assert_near(fit.log_likelihood, math.log(4 * 0.25 * 0.75 ^ 3 * 5 * 0.75 ^ 4 * 0.25 * 3 * 0.75 ^ 2 * 0.25), 1e-12)
  end
end

--- Two rows and two terms leave no degrees of freedom.
function Binomial.test_dispersion_without_degrees_of_freedom()
  local path = csv { "level,x,failed,solved", "a,0,1,3", "b,1,3,1" }
  luaunit.assertStrContains(shell.printed("fit --format table --formula 'cbind(failed, solved) ~ x' " .. path),
    " on 0 degrees of freedom, without terms: 2.093 on 1; dispersion: undefined\n")
end

--- A rule rates a level by the share, and is fitted again to the same bytes.
function Binomial.test_rules_of_counts()
  local path, rule, again = csv { "level,x,failed,solved", "a,0,1,3", "b,1,3,1" }, shell.path "counts.lua", shell.path "again.lua"
  shell.printed(("fit --fit binomial --formula 'cbind(failed, solved) ~ x' %s -o %s --intervals none"):format(path, rule))
  luaunit.assertEquals(shell.printed(("rate %s %s"):format(rule, path)), "level,rating\na,0.25\nb,0.75\n")
  shell.printed(("fit %s %s -o %s --intervals none"):format(rule, path, again))
  luaunit.assertEquals(shell.read(again):gsub("again", "counts"), (shell.read(rule)))
end

--- crux check finds the counts of a rule in a dataset, and says what is missing.
function Binomial.test_check_of_counts()
  local path, rule = csv { "level,x,failed,solved", "a,0,1,3", "b,1,3,1", "c,2,1,1" }, shell.path "counts.lua"
  shell.printed(("fit --formula 'cbind(failed, solved) ~ x' %s -o %s --intervals none"):format(path, rule))
  luaunit.assertEquals(shell.crux(("check --strict %s %s"):format(rule, path)).err, "")
  local without = shell.file("without.csv", "level,x,failed\na,0,1\nb,1,3\nc,2,1\n")
  luaunit.assertStrContains(shell.crux(("check %s %s"):format(rule, without)).err, "column 'solved' of ")
end

--- R: p[fold == k] from glm(cbind(skipped, solved) ~ size + reflections, binomial, d[fold != k, ]); the means of
--- dbinom(skipped, skipped + solved, p, log = TRUE) and of abs(skipped / (skipped + solved) - p), this also by skipped + solved.
function Binomial.test_errors_in_folds_are_those_of_R()
  local errors = shell.decoded(
    "evaluate --folds-by order --formula 'cbind(skipped, solved) ~ size + reflections' datasets/lazors.csv --fit binomial")
  luaunit.assertAlmostEquals(errors.log_score, -2.095628711650, 1e-10)
  luaunit.assertIs(errors.baseline.log_score, json.null)
  luaunit.assertAlmostEquals(errors.mae, 0.148392358666, 1e-10)
  luaunit.assertAlmostEquals(errors.weighted_mae, 0.148803936731, 1e-10)
  local best = shell.decoded("compare --folds-by order --formula 'cbind(skipped, solved) ~ size' "
    .. "--formula 'cbind(skipped, solved) ~ size + reflections' --fit binomial --data datasets/lazors.csv").rules[1]
  luaunit.assertEquals(best.rule, "cbind(skipped, solved) ~ size + reflections, binomial")
end

--- A level that nobody tried counts for nothing, as in R; `.` stands for no count, and a count is no term.
function Binomial.test_counts_are_no_measures()
  local path = csv { "level,failed,tried,size", "a,1,4,3", "b,4,5,1", "c,2,3,1", "d,0,0,7" }
  local ran = shell.crux("fit --fit binomial --formula 'cbind(failed, tried - failed) ~ .' --format json " .. path)
  luaunit.assertEquals(ran.err, path .. ": 1 row left out: the weight is 0\n")
  local fit = json.decode(ran.out)
  luaunit.assertEquals({ #fit.terms, fit.terms[2].term, fit.weights, fit.n }, { 2, "size", "failed + tried - failed", 3 })
end

function Binomial.test_what_is_refused()
  local path = csv { "level,failed,tried,size,most", "a,1,4,3,5", "b,5,4,1,5" }
  for line, message in pairs {
    ["--fit ols --formula 'cbind(skipped, solved) ~ size' datasets/flow.csv"] = "datasets/flow.csv: found two counts, "
      .. "cbind(skipped, solved), for the fit 'ols', expected the fit 'binomial': --fit binomial, or the rule's field 'fit'",
    ["--fit binomial --formula 'cbind(failed, tried - failed) ~ size' " .. path] = path
      .. ":3: level 'b': term 'tried - failed': found -1 (tried = 4, failed = 5), expected a count",
    ["--fit binomial --formula 'cbind(failed, lost) ~ size' " .. path] = path .. ":1: formula 'cbind(failed, lost) ~ size' "
      .. "needs the target 'lost', which is not among the columns",
    ["--fit binomial --formula 'cbind(failed, tried) ~ tried' " .. path] =
      "formula 'cbind(failed, tried) ~ tried': found the target 'tried' on the right side, expected measures",
    ["--fit binomial --weights most --formula 'cbind(failed, tried) ~ size' " .. path] =
      "formula 'cbind(failed, tried) ~ size': found the weights 'most', expected none: failed + tried weighs the rows",
    ["--fit binomial --formula 'cbind(failed) ~ size' " .. path] = "formula 'cbind(failed) ~ size': column 1: found "
      .. "1 argument of 'cbind', expected cbind(solved, skipped)",
    ["--fit binomial --formula 'tried ~ size' " .. path] = path .. ":2: found the outcome 4, expected 0, 1 or a share between; or "
      .. "counts, as in cbind(solved, skipped) ~ ...",
    ["--fit binomial --formula 'log(tried) ~ size' " .. path] = path .. ": found a transformed target, expected the target "
      .. "itself, whose logit the fit 'binomial' takes",
    ["--fit 'binomial(dispersion = 2)' --formula 'tried ~ size' " .. path] =
      "--fit: option 'dispersion': found '2', expected one or estimated",
  } do
    local ran = shell.crux("fit " .. line)
    luaunit.assertStrContains(ran.err, message)
  end
end

--- No likelihood is greatest where a measure tells the solved levels from the others: R warns that shares of 0 or 1 occurred.
function Binomial.test_separated_levels_have_no_greatest_likelihood()
  local path = csv { "level,x,solved", "a,0,0", "b,1,0", "c,2,1", "d,3,1" }
  local line = ("fit --fit binomial --formula 'solved ~ x' %s"):format(path)
  luaunit.assertStrContains(shell.crux(line).err, "no greatest likelihood, as where a term tells all solved levels from the others")
  luaunit.assertFalse(shell.decoded(line .. " --unconverged").converged)
end

return { Binomial = Binomial }
