--- Tests of lua/crux/fit/mixed.lua and of libcrux.mixed: published figures of lme4 and ordinal, what R estimates where it is
--- installed, likelihoods by brute force, and what is refused.
local dataset = require "crux.data.dataset"
local long = require "long"
local luaunit = require "luaunit"
local memory = require "memory"
local plays = require "crux.rule.plays"
local random = require "libcrux.random"
local rules = require "crux.rule.rule"
local shell = require "shell"

local function fitted(data, formula, fit, options)
  local rule = rules.from_formula(formula)
  if fit then rule = rule:fitted_by(rules.method_of(fit, "fit")) end
  return rule:estimate(data, options or {}), rule
end

local function assert_terms(found, expected, margin)
  luaunit.assertEquals(#found.terms, #expected)
  for i, value in ipairs(expected) do luaunit.assertAlmostEquals(found.terms[i].estimate, value, margin, found.terms[i].term) end
end

local Mixed = {}

-- Bates, Maechler, Bolker and Walker (2015); the data are those of Belenky et al. (2003), 18 subjects after nights of 3 hours of
-- sleep: milliseconds of reaction, days, subject.
function Mixed.test_sleepstudy()
  local data = dataset.open "tests/reference/sleepstudy.csv"
  local found = fitted(data, "reaction ~ days + (days | subject)")
  assert_terms(found, { 251.405, 10.467 }, 1e-3)
  local subject, days, residual = table.unpack(found.components)
  luaunit.assertAlmostEquals(subject.deviation, 24.741, 1e-3)
  luaunit.assertAlmostEquals(days.deviation, 5.922, 1e-3)
  luaunit.assertAlmostEquals(days.correlation, 0.066, 1e-3)
  luaunit.assertAlmostEquals(residual.deviation, 25.592, 1e-3)
  luaunit.assertAlmostEquals(-2 * found.log_likelihood, 1743.628, 1e-3)
  luaunit.assertFalse(found.singular)
end

-- Christensen's ordinal: the data are those of Randall (1989), the bitterness of wine.
function Mixed.test_wine()
  local data = dataset.open "tests/reference/wine.csv"
  local found = fitted(data, "rating ~ factor(temp) + factor(contact) + (1 | judge)", "mixed(family = ordinal)")
  luaunit.assertAlmostEquals(found.coefficients["factor(temp)warm"], 3.062997, 1e-4)
  luaunit.assertAlmostEquals(found.coefficients["factor(contact)yes"], 1.834885, 1e-4)
  luaunit.assertAlmostEquals(found.components[1].variance, 1.279461, 1e-4)
  luaunit.assertAlmostEquals(found.log_likelihood, -81.565409, 1e-5)
end

--- The text that R's script prints; skips the test without R.
local function printed_by_r(words)
  local run = shell.run(("Rscript tests/r/mixed.R %s %s"):format(shell.path "", words))
  luaunit.skipIf(run.status == 127 or run.status == 3, "Rscript with lme4 and ordinal is not installed")
  luaunit.assertEquals(run.status, 0, run.err)
  return run.out
end

-- Laplace's approximation; De Boeck and Wilson (2004).
function Mixed.test_verbal_aggression()
  long.only()
  printed_by_r ""
  local found = fitted(dataset.open(shell.path "verbagg.csv"), "yes ~ Anger + factor(Gender) + factor(btype) + factor(situ) + "
    .. "(1 | id) + (1 | item)", "mixed(family = logistic)")
  assert_terms(found, { 0.19926, 0.05741, 0.32061, -1.05864, -2.10505, -1.05528 }, 1e-3)
  luaunit.assertAlmostEquals(found.components[1].variance, 1.79436, 1e-2)
  luaunit.assertAlmostEquals(found.components[2].variance, 0.24527, 1e-2)
  luaunit.assertAlmostEquals(-2 * found.log_likelihood, 8151.40, 5e-3)
end

local rush_hour = "datasets/rushhour-plays.csv"

-- The solved attempts of 77 players, by lmer: an attempt that failed has the weight 0.
function Mixed.test_times_of_rush_hour()
  luaunit.skipIf(not shell.exists(rush_hour), rush_hour .. " is not there")
  local rule = rules.from_formula("log(seconds) ~ shortest + (1|player) + (1|level)", "solved")
  local found = rule:estimate(dataset.open(rush_hour), {})
  luaunit.assertEquals({ found.n, found.counts }, { 2527, { 77, 70 } })
  assert_terms(found, { 1.819974, 0.148268 }, 1e-6)
  luaunit.assertAlmostEquals(found.terms[1].std_error, 0.100501, 1e-6)
  luaunit.assertAlmostEquals(found.terms[2].std_error, 0.007592, 1e-6)
  for i, variance in ipairs { 0.094136, 0.037802, 0.292982 } do
    luaunit.assertAlmostEquals(found.components[i].variance, variance, 1e-6)
  end
  luaunit.assertAlmostEquals(-2 * found.log_likelihood, 4358.417, 1e-3)
end

-- Of t tests, by lmerTest 3.1-3 (Satterthwaite): with crossed groupings, by the likelihood, with slopes (18 subjects of the same days:
-- 17; lmerTest, whose search stops earlier, says 16.9997).
function Mixed.test_degrees_of_freedom()
  luaunit.skipIf(not shell.exists(rush_hour), rush_hour .. " is not there")
  for _, case in ipairs {
    { rush_hour, "log(seconds) ~ shortest + (1|player) + (1|level)", "mixed", 85.46103457, 67.37376374 },
    { rush_hour, "log(seconds) ~ shortest + position + (1|player) + (1|level)", "mixed(reml = 0)", 88.43841640, 68.97668618,
      2480.80336153 },
    { "tests/reference/sleepstudy.csv", "reaction ~ days + (days | subject)", "mixed", 17, 17 },
  } do
    local rule = rules.from_formula(case[2], case[1] == rush_hour and "solved" or nil):fitted_by(rules.method_of(case[3], "fit"))
    for i, row in ipairs(rule:estimate(dataset.open(case[1]), {}).terms) do
      luaunit.assertAlmostEquals(row.df, case[3 + i], 1e-5 * case[3 + i], case[2])
    end
  end
end

-- Levels fixed, players random: R's lmer(log(seconds) ~ level + (1 | player)) and emmeans 1.8.4 of the levels; with a term that
-- differs within levels, lmerTest.
function Mixed.test_fixed_levels_of_rush_hour()
  luaunit.skipIf(not shell.exists(rush_hour), rush_hour .. " is not there")
  local function rule_of(formula, fit)
    return rules.from_formula(formula, "solved"):fitted_by(rules.method_of(fit or "mixed(fixed = level)", "fit"))
  end
  local rule = rule_of "log(seconds) ~ shortest + (1|player) + (1|level)"
  local rows = plays.levels(rule, dataset.open(rush_hour), { errors = "conditional" })
  for i, case in ipairs { { "343", 4.276477, 0.10488663 }, { "717", 3.580233, 0.09825700 }, { "1267", 4.465722, 0.10797963 } } do
    luaunit.assertEquals(rows[i].level, case[1])
    luaunit.assertAlmostEquals(rows[i].difficulty, case[2], 1e-6)
    luaunit.assertAlmostEquals(rows[i].error, case[3], 1e-6)
  end
  local function fitted_to(formula, fit) return rule_of(formula, fit):estimate(dataset.open(rush_hour), {}) end
  local found = fitted_to "log(seconds) ~ position + (1|player) + (1|level)"
  luaunit.assertEquals(found.terms[1].term, "position")
  luaunit.assertAlmostEquals(found.terms[1].estimate, -0.003685336142, 1e-8)
  luaunit.assertAlmostEquals(found.terms[1].std_error, 0.0006478243736, 1e-8)
  luaunit.assertAlmostEquals(found.terms[1].df, 2453.401756, 1e-2)
  -- AIC and BIC of lme4 1.1-31, of lmer(... level + (1 | player)), count 70 levels and 2 variances, and position if it is there; for
  -- times rather than logarithms, 2 * sum(log(seconds)) is added.
  for _, case in ipairs {
    { "log(seconds) ~ 1 + (1|player) + (1|level)", "mixed(fixed = level)", 4506.777875, 4926.882619 },
    { "log(seconds) ~ 1 + (1|player) + (1|level)", "mixed(reml = 0, fixed = level)", 4506.777875, 4926.882619 },
    { "log(seconds) ~ position + (1|player) + (1|level)", "mixed(reml = 0, fixed = level)", 4490.0301307, 4915.9696625 },
    { "seconds ~ 1 + (1|player) + (1|level)", "mixed(family = lognormal, fixed = level)", 21741.940599, 22162.045343 },
  } do
    found = fitted_to(case[1], case[2])
    luaunit.assertAlmostEquals(found.aic, case[3], 1e-4, case[2])
    luaunit.assertAlmostEquals(found.bic, case[4], 1e-4, case[2])
  end
end

-- Without censored rows the lognormal model with fixed levels is the linear one: Laplace's approximation is exact.
function Mixed.test_fixed_levels_of_other_families()
  local stream, columns = random.new(3), { y = {}, log = {}, grade = {}, solved = {}, player = {}, puzzle = {} }
  for player = 1, 15 do
    for puzzle = 1, 8 do
      local eta = player % 4 + puzzle / 2 + 2 * stream:real()
      table.insert(columns.player, player)
      table.insert(columns.puzzle, puzzle)
      table.insert(columns.log, eta)
      table.insert(columns.y, math.exp(eta))
      table.insert(columns.solved, puzzle < 8 and eta > 4 and 1 or 0) -- nobody solves the last
      table.insert(columns.grade, math.min(3, eta // 2))
    end
  end
  local data = memory(columns)
  local formula = " ~ 1 + (1 | player) + (1 | puzzle)"
  local linear = fitted(data, "log" .. formula, "mixed(fixed = puzzle)")
  local lognormal = fitted(data, "y" .. formula, "mixed(family = lognormal, fixed = puzzle)")
  luaunit.assertAlmostEquals(lognormal.residual, linear.residual, 1e-4)
  luaunit.assertAlmostEquals(lognormal.components[1].deviation, linear.components[1].deviation, 1e-3)
  local logistic = fitted(data, "solved" .. formula, "mixed(family = logistic, fixed = puzzle)")
  luaunit.assertEquals({ logistic.n, logistic.left_out, logistic.counts }, { 90, { "7", "8" }, { 15, 6 } }) -- everybody solves 7
  -- With two categories the ordinal model is the logistic one.
  local ordinal = fitted(data, "solved" .. formula, "mixed(family = ordinal, fixed = puzzle)")
  luaunit.assertAlmostEquals(ordinal.components[1].deviation, logistic.components[1].deviation, 1e-3)
  luaunit.assertEquals(#fitted(data, "grade" .. formula, "mixed(family = ordinal, fixed = puzzle)").parameters.thresholds, 3)
end

function Mixed.test_refused_fixed_effects()
  local data = memory { player = { 1, 1, 2, 2, 3, 3 }, puzzle = { 1, 2, 1, 2, 1, 2 }, y = { 1, 3, 3, 5, 8, 10 } }
  for formula, expected in pairs {
    ["y ~ 1 + (1 | player)"] = "data: option 'fixed': found the unknown grouping 'puzzle'; there are: player",
    ["y ~ 1 + (1 | puzzle)"] = "data: found fixed effects of puzzle alone, expected another grouping, such as (1 | player)",
    ["y ~ 1 + (1 | player) + (y | puzzle)"] = "data: found slopes by puzzle, whose effects are fixed, expected (1 | puzzle)",
  } do
    local ok, problem = pcall(fitted, data, formula, "mixed(fixed = puzzle)")
    luaunit.assertEquals({ ok, ok or problem.message }, { false, expected })
  end
end

-- Solved in any attempt, by glmer.
function Mixed.test_solved_at_all_of_rush_hour()
  luaunit.skipIf(not shell.exists(rush_hour), rush_hour .. " is not there")
  local columns, place, count = { solved = {}, shortest = {}, player = {}, puzzle = {} }, {}, 0
  for block in dataset.open(rush_hour):blocks { numbers = { "solved", "shortest" }, texts = { "player", "level" } } do
    for i = 1, block.rows do
      local player, level = tonumber(block.texts.player[i]:sub(2)), tonumber(block.texts.level[i])
      local key = player .. " " .. level
      if not place[key] then
        count = count + 1
        place[key] = count
        columns.player[count], columns.puzzle[count], columns.solved[count] = player, level, 0
        columns.shortest[count] = block.numbers.shortest[i]
      end
      columns.solved[place[key]] = math.max(columns.solved[place[key]], block.numbers.solved[i])
    end
  end
  luaunit.assertEquals(count, 2853)
  local found = fitted(memory(columns), "solved ~ scale(shortest) + (1 | player) + (1 | puzzle)", "mixed(family = logistic)")
  assert_terms(found, { 2.585614, -1.344627 }, 1e-4)
  luaunit.assertAlmostEquals(found.components[1].variance, 4.349, 1e-3)
  luaunit.assertAlmostEquals(found.components[2].variance, 0.678, 1e-3)
  luaunit.assertAlmostEquals(found.log_likelihood, -869.291, 1e-3)
end

local function sorted(list)
  table.sort(list)
  return list
end

function Mixed.test_estimates_are_those_of_r()
  long.only()
  local cases = load(printed_by_r "fits")()
  local data = dataset.open(shell.path "plays.csv")
  luaunit.assertEquals(#cases, 9)
  for _, case in ipairs(cases) do
    local found, rule = fitted(data, case.formula, case.fit)
    local is_linear, what = not case.fit:find "family", case.formula .. " by " .. case.fit
    luaunit.assertAlmostEquals(found.log_likelihood, case.log_likelihood, is_linear and 1e-5 or 1e-3, what)
    local deviations = {}
    for i, value in ipairs(case.estimates) do
      local error = case.errors[i]
      luaunit.assertAlmostEquals(found.terms[i].estimate, value, (is_linear and 1e-3 or 1e-2) * error, what)
      luaunit.assertAlmostEquals(found.terms[i].std_error, error, (is_linear and 1e-3 or 1e-2) * error, what)
    end
    for i, component in ipairs(found.components) do deviations[i] = component.deviation end
    luaunit.assertEquals(#deviations, #case.deviations)
    for i, value in ipairs(sorted(case.deviations)) do luaunit.assertAlmostEquals(sorted(deviations)[i], value, 2e-3, what) end
    luaunit.assertEquals(found.singular, case.singular, what)
    local known, ease = {}, case.fit:find "logistic" and 1 or -1
    for _, row in ipairs(case.players and plays.players(rule:fitted(found), data, {}) or {}) do known[row.player] = row end
    for i, name in ipairs(case.players and case.players.names or {}) do
      luaunit.assertAlmostEquals(ease * known[name].ability, case.players.effects[i], 2e-3, what)
      luaunit.assertAlmostEquals(known[name].error, case.players.errors[i], 2e-3, what)
    end
  end
end

--- Plays of 12 players, 6 each, of seed 5: a measure, and what the functions of its linear predictor give.
local function simulated(outcome)
  local stream, columns = random.new(5), { x = {}, y = {}, player = {}, late = {} }
  for player = 1, 12 do
    local own = 2 * stream:real() - 1
    for _ = 1, 6 do
      local x = stream:real()
      table.insert(columns.x, x)
      table.insert(columns.player, player)
      local y, late = outcome(x + own, stream)
      table.insert(columns.y, y)
      table.insert(columns.late, late or 0)
    end
  end
  return columns
end

--- The integral over a player's effect, of the normal distribution, of the product of densities: the rule of rectangles, which
--- converges faster than any power of the width here.
local function integral(deviation, density)
  local sum, width = 0, 0.1
  for i = -90, 90 do
    local u = i * width
    sum = sum + width * math.exp(-u * u / 2) / math.sqrt(2 * math.pi) * density(deviation * u)
  end
  return sum
end

--- The log-likelihood at estimates by brute force.
local function log_likelihood(columns, deviation, density)
  local sum = 0
  for player = 1, 12 do
    sum = sum + math.log(integral(deviation, function(own)
      local product = 1
      for i = 1, #columns.x do
        if columns.player[i] == player then product = product * density(i, own) end
      end
      return product
    end))
  end
  return sum
end

local function logistic(x) return 1 / (1 + math.exp(-x)) end

--- The tail of the normal distribution above z, by Simpson's rule.
local function tail(z)
  local sum, width = 0, 0.05
  for i = 0, 200 do
    local x = z + i * width
    sum = sum + ((i == 0 or i == 200) and 1 or i % 2 == 1 and 4 or 2) * math.exp(-x * x / 2)
  end
  return sum * width / 3 / math.sqrt(2 * math.pi)
end

--- Checks the log-likelihood of a fit by quadrature against brute force at the estimates, and that it is the greatest: it falls
--- when a parameter is moved, by its square.
local function check_likelihood(columns, fit, density_of)
  local found = fitted(memory(columns), "y ~ x + (1 | player)", fit)
  local estimates = {}
  for i, row in ipairs(found.terms) do estimates[i] = row.estimate end
  table.insert(estimates, found.components[1].deviation)
  table.insert(estimates, found.residual)
  local function at(moved, by)
    local values = table.move(estimates, 1, #estimates, 1, {})
    if moved then values[moved] = values[moved] + by end
    return log_likelihood(columns, values[#found.terms + 1], function(i, own) return density_of(values, i, own) end)
  end
  local greatest = at()
  luaunit.assertAlmostEquals(found.log_likelihood, greatest, 1e-7 * math.abs(greatest))
  for i = 1, #estimates do
    for _, by in ipairs { -0.01, 0.01 } do luaunit.assertTrue(at(i, by) < greatest, ("parameter %d %+g"):format(i, by)) end
  end
end

function Mixed.test_logistic_likelihood_by_brute_force()
  local columns = simulated(function(eta, stream) return stream:real() < logistic(2 * eta - 1) and 1 or 0 end)
  check_likelihood(columns, "mixed(family = logistic, quadrature = 40)", function(values, i, own)
    local p = logistic(values[1] + values[2] * columns.x[i] + own)
    return columns.y[i] == 1 and p or 1 - p
  end)
end

function Mixed.test_ordinal_likelihood_by_brute_force()
  local columns = simulated(function(eta, stream) return math.min(2, math.floor(1 + eta + stream:real())) end)
  check_likelihood(columns, "mixed(family = ordinal, quadrature = 40)", function(values, i, own)
    local eta, category = values[1] * columns.x[i] + own, columns.y[i]
    local low = category > 0 and logistic(values[1 + category] - eta) or 0
    local high = category < 2 and logistic(values[2 + category] - eta) or 1
    return high - low
  end)
end

function Mixed.test_censored_likelihood_by_brute_force()
  long.only()
  local columns = simulated(function(eta, stream)
    local time = math.exp(eta + 2 * (stream:real() + stream:real() + stream:real() - 1.5))
    return math.min(time, 4), time > 4 and 1 or 0
  end)
  check_likelihood(columns, "mixed(family = lognormal, censored = late, quadrature = 40)", function(values, i, own)
    local sigma = values[4]
    local z = (math.log(columns.y[i]) - values[1] - values[2] * columns.x[i] - own) / sigma
    if columns.late[i] == 1 then return tail(z) end
    return math.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * sigma * columns.y[i])
  end)
end

function Mixed.test_completed_is_the_opposite_of_censored()
  local columns = simulated(function(eta, stream)
    local time = math.exp(eta + 2 * stream:real())
    return math.min(time, 4), time > 4 and 1 or 0
  end)
  columns.solved = {}
  for i, late in ipairs(columns.late) do columns.solved[i] = 1 - late end
  local data, formula = memory(columns), "y ~ x + (1 | player)"
  local censored = fitted(data, formula, "mixed(family = lognormal, censored = late)")
  local completed, rule = fitted(data, formula, "mixed(family = lognormal, completed = solved)")
  luaunit.assertEquals(completed.coefficients, censored.coefficients)
  luaunit.assertEquals(#plays.players(rule:fitted(completed), data, {}), 12)
end

-- Without censored rows the two models are one, but that the density is of times rather than of their logarithms.
function Mixed.test_lognormal_without_censored_rows_is_linear()
  local columns = simulated(function(eta, stream) return math.exp(eta + stream:real()) end)
  local data, logarithms = memory(columns), 0
  for _, y in ipairs(columns.y) do logarithms = logarithms + math.log(y) end
  local times = fitted(data, "y ~ x + (1 | player)", "mixed(family = lognormal)")
  local linear = fitted(data, "log(y) ~ x + (1 | player)", "mixed(reml = 0)")
  luaunit.assertAlmostEquals(times.log_likelihood, linear.log_likelihood - logarithms, 1e-7)
  assert_terms(times, { linear.terms[1].estimate, linear.terms[2].estimate }, 1e-4)
  luaunit.assertAlmostEquals(times.residual, linear.residual, 1e-4)
end

-- In a balanced table the estimates are those of the analysis of variance: here 3 players of means 2, 4 and 9 with plays at 1
-- below and above. Mean square between 2 * 13 = 26, within 6 / 3 = 2: variance of players (26 - 2) / 2 = 12; the effect is
-- shrunk by 12 / (12 + 2 / 2).
function Mixed.test_balanced_table_by_hand()
  local data = memory { player = { 1, 1, 2, 2, 3, 3 }, y = { 1, 3, 3, 5, 8, 10 } }
  local found, rule = fitted(data, "y ~ 1 + (1 | player)")
  luaunit.assertAlmostEquals(found.coefficients["(intercept)"], 5, 1e-12)
  luaunit.assertAlmostEquals(found.components[1].variance, 12, 1e-5)
  luaunit.assertAlmostEquals(found.components[2].variance, 2, 1e-6)
  local rows = plays.players(rule:fitted(found), data, {})
  luaunit.assertAlmostEquals(rows[1].ability, 3 * 12 / 13, 1e-5)
  luaunit.assertAlmostEquals(rows[1].error, math.sqrt(12 * 1 / 13), 1e-5) -- 1 / (1 / 12 + 2 / 2)
  luaunit.assertEquals({ rows[3].player, rows[3].plays }, { "3", 2 })
end

-- From a start of 1 for each theta the search takes 12 evaluations here, from this one 5.
function Mixed.test_linear_models_start_near_the_optimum()
  local stream, able, columns = random.new(1), {}, { player = {}, level = {}, rating = {} }
  for player = 1, 100 do able[player] = 6 * stream:real() end
  for level = 1, 40 do
    local hard = 9 * stream:real()
    for player = 1, 100 do
      if stream:real() < 0.5 then
        table.insert(columns.player, player)
        table.insert(columns.level, level)
        table.insert(columns.rating, hard - able[player] + 3 * stream:real())
      end
    end
  end
  luaunit.assertTrue(fitted(memory(columns), plays.formula).iterations <= 6)
end

function Mixed.test_singular_fits_are_said()
  local data = memory { player = { 1, 1, 2, 2, 3, 3 }, y = { 1, 9, 2, 8, 3, 7 } } -- all means 5
  local found = fitted(data, "y ~ 1 + (1 | player)")
  luaunit.assertTrue(found.singular)
  luaunit.assertEquals({ found.components[1].variance, found.components[1].singular }, { 0, true })
end

--- Where effects of groups are the values, one sentence says so.
function Mixed.test_no_residuals()
  local columns = { player = {}, level = {}, y = {} }
  for i = 0, 29 do columns.player[i + 1], columns.level[i + 1], columns.y[i + 1] = i // 5, i % 5, i // 5 + 2 * (i % 5) end
  local found = fitted(memory(columns), "y ~ 1 + (1 | player) + (1 | level)")
  luaunit.assertEquals({ found.converged, #found.warnings, found.warnings[1] },
    { false, 1, "Did not converge: the effects of groups tell all values, and leave no residuals" })
end

function Mixed.test_without_a_greatest_likelihood()
  local data = memory { player = { 1, 1, 1, 2, 2, 2, 3, 3, 3 }, x = { 1, 2, 3, 1, 2, 3, 1, 2, 3 }, y = { 0, 0, 1, 0, 0, 1, 0, 0, 1 } }
  local found = fitted(data, "y ~ x + (1 | player)", "mixed(family = logistic)")
  luaunit.assertEquals({ found.converged, found.warnings[1] },
    { false, "Did not converge: no greatest likelihood, as where a term tells all outcomes" })
end

-- 2 estimated coefficients, 3 thetas and the variance of residuals; lme4: AIC 1755.628.
function Mixed.test_criteria()
  local found = fitted(dataset.open "tests/reference/sleepstudy.csv", "reaction ~ days + (days | subject)")
  luaunit.assertAlmostEquals(found.aic, 1743.628 + 2 * 6, 1e-3)
end

function Mixed.test_what_is_refused()
  local data = memory { player = { 1, 1, 2, 2, 3, 3 }, one = { 1, 1, 1, 1, 1, 1 }, each = { 1, 2, 3, 4, 5, 6 }, size = { 3, 3, 5, 5, 4, 4 },
    turns = { 1, 1, 7, 7, 2, 2 }, y = { 1, 3, 3, 5, 8, 10 }, solved = { 0, 1, 2, 0, 1, 1 } }
  for _, case in ipairs {
    { "y ~ 1 + (1 | players)", nil, "data:1: formula 'y ~ 1 + (1 | players)' needs the groups 'players', which is not among the "
      .. "columns; did you mean 'player'?" },
    { "y ~ 1 + (1 | one)", nil, "data: column 'one': found '1' in all rows, expected groups that differ" },
    { "y ~ 1 + (1 | each)", nil, "data: column 'each': found 6 effects of 6 groups in 6 rows, expected fewer effects than rows, to tell "
      .. "their variance from that of the residuals" },
    { "y ~ size + turns + (1 | player)", nil, "data: column 'player': found 3 groups and 3 terms that are the same in all rows of a group, "
      .. "expected more groups than such terms" },
    { "solved ~ 1 + (1 | player)", "mixed(family = logistic)", "data: row 3: found the solved 2, expected the outcome 0 or 1" },
    { "one ~ 1 + (1 | player)", "mixed(family = logistic)", "data: found the one 1, expected both outcomes, 0 and 1" },
    { "y ~ 0 + (1 | player)", nil, "formula 'y ~ 0 + (1 | player)': found no terms, expected at least one" },
    { "y ~ 1 + (1 | player)", "ols", "data: found a grouping term by player and the fit 'ols', expected the fit 'mixed'" },
    { "y ~ 1", "mixed", "data: found no grouping term for the fit 'mixed', expected one such as (1 | player) in the formula" },
    { "solved ~ 1 + (1 | player)", "mixed(family = lognormal)", "data: row 1: found the solved 0, expected times above 0" },
    { "y ~ 1 + (1 | player)", "mixed(censored = solved)", "data: found censored rows and the family 'linear', expected lognormal" },
    { "y ~ 1 + (1 | player)", "mixed(quadrature = 9)", "data: found quadrature for a linear model, expected quadrature = 1, or one "
      .. "grouping of one effect" },
    { "y ~ 1 + (1 | player)", "mixed(family = poisson)", "fit: option 'family': found 'poisson', expected linear or logistic or ordinal or "
      .. "lognormal" },
  } do
    local ok, problem = pcall(fitted, data, case[1], case[2])
    luaunit.assertFalse(ok, case[1])
    luaunit.assertEquals(tostring(problem), case[3])
  end
end

-- The effects of one grouping are eliminated; those of the other would need a triangle of 13,000 columns.
function Mixed.test_too_many_groups()
  local columns = { y = {}, one = {}, other = {} }
  for i = 1, 26000 do columns.y[i], columns.one[i], columns.other[i] = i % 7, i % 13000, (i * 7 + i // 13000) % 13000 end
  local ok, problem = pcall(fitted, memory(columns), "y ~ 1 + (1 | one) + (1 | other)")
  luaunit.assertEquals({ ok, tostring(problem) }, { false, "data: found a mixed model of more than 12,000 effects, expected at most "
    .. "12,000 effects" })
end

return { Mixed = Mixed }
