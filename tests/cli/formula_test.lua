--- End-to-end tests of what formulas can do: rules that keep what they have learned, transformed targets, offsets.
local luaunit = require "luaunit"
local number = require "crux.base.number"
local shell = require "shell"

local crux = shell.printed

local Formulas = {}

local rows = [[
level,size,theme,y,time
A,1,cave,1,1
B,2,sea,2,4
C,3,cave,2,16
D,4,forest,5,64
E,5,sea,4,256
F,6,forest,7,1024
]]

--- Rated by a rule that was fitted to the same rows, each level has its fitted value, also alone and in another order: with
--- theme and size^2 free, hand-checked by their normal equations: residuals sum to 0 within each theme.
function Formulas.test_rates_new_levels_as_it_was_fitted()
  local data, rule = shell.file("levels.csv", rows), shell.path "rule.lua"
  crux(("fit --formula 'y ~ poly(size, 2) + factor(theme)' %s -o %s"):format(data, rule))
  local all = shell.decoded(("rate %s %s"):format(rule, data))
  local y = { 1, 2, 2, 5, 4, 7 }
  for _, pair in ipairs { { 1, 3 }, { 2, 5 }, { 4, 6 } } do
    local a, b = table.unpack(pair)
    luaunit.assertAlmostEquals(all[a].rating + all[b].rating, y[a] + y[b], 1e-12)
  end
  local some = shell.file("some.csv", "theme,level,size\nforest,F,6\nNA,?,2\ncave,C,3\n,?,1\n")
  local rated = shell.crux(("rate %s %s"):format(rule, some))
  luaunit.assertEquals(rated.out, ("level,rating\nF,%s\n?,\nC,%s\n?,\n"):format(number.exact(all[6].rating),
    number.exact(all[3].rating)))
  luaunit.assertEquals(rated.err, some .. ":3: level '?' has no rating: theme is missing\n"
    .. some .. ":5: level '?' has no rating: theme is missing\n")
  luaunit.assertEquals(crux(("rate --append %s %s"):format(rule, data)):match "\nA[^\n]*,", "\nA,1,cave,1,1,")
end

-- R: lm(difficulty ~ scale(size) * corners, flow, weights = solved). The rule keeps mean and spread, so that it rates as the same
-- formula without scale.
function Formulas.test_scale()
  local line = "fit --formula 'difficulty ~ %s * corners' --weights solved datasets/flow.csv -o %s"
  local scaled, plain = shell.path "scaled.lua", shell.path "plain.lua"
  local found = shell.decoded(line:format("scale(size)", scaled))
  crux(line:format("size", plain))
  for i, expected in ipairs { 2.9061323070960667, 1.3990665710510095, 0.0348921512990662, -0.02826452629617 } do
    luaunit.assertAlmostEquals(found.terms[i].estimate, expected, 1e-12, found.terms[i].term)
  end
  local one = shell.file("one.csv", "size,corners\n60,11\n")
  luaunit.assertAlmostEquals(shell.decoded(("rate %s %s"):format(scaled, one))[1].rating,
    shell.decoded(("rate %s %s"):format(plain, one))[1].rating, 1e-12)
end

--- A fitted rule is fitted again to other data by what it says, not by what it has learned.
function Formulas.test_a_fitted_rule_learns_anew()
  local data, rule, again = shell.file("levels.csv", rows), shell.path "rule.lua", shell.path "again.lua"
  crux(("fit --formula 'y ~ factor(theme)' %s -o %s"):format(data, rule))
  local other = shell.file("other.csv", "theme,y\nmoor,1\nbog,3\nmoor,2\n")
  crux(("fit %s %s -o %s"):format(rule, other, again))
  luaunit.assertStrContains(shell.read(again), [[values = { "bog", "moor" }]])
end

--- By hand: the prediction of a fold is exp of the mean of log over the others, 32 (of 16 and 64) and 2 (of 1 and 4), while the
--- baseline predicts 40 and 2.5, the means; errors are those of the target itself.
function Formulas.test_errors_of_a_transformed_target_are_its_own()
  local data = shell.file("levels.csv", "level,y\nA,1\nB,4\nC,16\nD,64\n")
  local found = shell.decoded("evaluate --formula 'log(y) ~ 1' --folds 2 --folds-by order " .. data)
  luaunit.assertAlmostEquals(found.mae, (31 + 28 + 14 + 62) / 4, 1e-12)
  luaunit.assertAlmostEquals(found.baseline.mae, (39 + 36 + 13.5 + 61.5) / 4, 1e-12)
  luaunit.assertAlmostEquals(found.folds[1].coefficients["(intercept)"], math.log(32), 1e-14)
  local compared = shell.decoded("compare --formula 'log(y) ~ 1' --formula 'y ~ 1' --formula 'sqrt(y) ~ 1' --folds 2 "
    .. "--folds-by order " .. data)
  local mae = {}
  for _, row in ipairs(compared.rules) do mae[row.rule] = row.mae end
  luaunit.assertAlmostEquals(mae["log(y) ~ 1"], 33.75, 1e-12)
  luaunit.assertAlmostEquals(mae["y ~ 1"], 37.5, 1e-12)
  luaunit.assertAlmostEquals(mae["sqrt(y) ~ 1"], (35 + 32 + 13.75 + 61.75) / 4, 1e-12) -- predictions 6^2 and 1.5^2
  luaunit.assertEquals(compared.target, "y")
end

--- By hand: y - size is 0, 1, 2, 5; without the fold its mean is 3.5 and 0.5.
function Formulas.test_an_offset_is_added()
  local data, rule = shell.file("levels.csv", "level,size,y\nA,1,1\nB,2,3\nC,3,5\nD,4,9\n"), shell.path "rule.lua"
  luaunit.assertAlmostEquals(shell.decoded("evaluate --formula 'y ~ offset(size)' --folds 2 --folds-by order " .. data).mae,
    (3.5 + 2.5 + 1.5 + 4.5) / 4, 1e-12)
  crux(("fit --formula 'y ~ offset(size)' %s -o %s"):format(data, rule))
  luaunit.assertEquals(crux(("rate --explain %s %s"):format(rule, data)):match "^.-\nA,rating,%d+\n",
    "level,part,value\nA,(intercept),2\nA,offset,1\nA,rating,3\n")
  luaunit.assertAlmostEquals(shell.decoded(("evaluate --as-is %s --folds 2 %s"):format(rule, data)).mae, 1.5, 1e-12)
end

--- A dot is written out in the rule, and in what is reported.
function Formulas.test_a_dot()
  local data, rule = shell.file("levels.csv", rows), shell.path "rule.lua"
  local fitted = shell.decoded(("fit --formula 'time ~ . - y' %s -o %s"):format(data, rule))
  luaunit.assertEquals(fitted.formula, "time ~ size + y - y")
  luaunit.assertStrContains(shell.read(rule), 'formula = "time ~ size + y - y"')
  luaunit.assertEquals(shell.decoded("evaluate --formula 'time ~ .' --weights y --folds 2 " .. data).formula, "time ~ size")
end

return { Formulas = Formulas }
