--- Tests of the fits rasch, 2pl and lltm, and of libcrux.item_response: published figures, R, integrals on grids, simulated
--- studies, what is refused.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"
local shell = require "shell"

local tables, reference = dofile "tests/reference/lsat.lua", dofile "tests/reference/item_response_reference.lua"

--- A CSV file of plays: rows of player, level, solved and further columns.
local function plays_file(name, rows, further)
  local lines = { "player,level,solved" .. (further and "," .. further or "") }
  for i, row in ipairs(rows) do lines[i + 1] = table.concat(row, ",") end
  return shell.file(name .. ".csv", table.concat(lines, "\n") .. "\n")
end

--- The plays of a table of response patterns.
local function lsat(name)
  local rows, people = {}, 0
  for pattern, count in pairs(tables[name]) do
    for _ = 1, count do
      people = people + 1
      for level = 1, 5 do table.insert(rows, { "person " .. people, level, pattern:sub(level, level) }) end
    end
  end
  luaunit.assertEquals(people, 1000)
  return plays_file(name, rows)
end

local crossed = " --formula 'solved ~ (1 | player) + (1 | level)' "
local fit_of = { one = "'rasch(discrimination = one)'", common = "rasch", own = "2pl" }

local function column(rows, key)
  local list = {}
  for i, row in ipairs(rows) do list[i] = row[key] end
  return list
end

local function assert_all_near(found, expected, tolerance)
  luaunit.assertEquals(#found, #expected)
  for i, value in ipairs(expected) do luaunit.assertAlmostEquals(found[i], value, tolerance * math.max(1, math.abs(value))) end
end

local ItemResponse = {}

function ItemResponse.test_estimates_are_those_of_R()
  luaunit.assertEquals(#reference, 6)
  for _, case in ipairs(long.some(2, reference)) do
    local fit = shell.decoded("fit " .. lsat(case.data) .. crossed .. "--fit " .. fit_of[case.slopes])
    luaunit.assertAlmostEquals(fit.log_likelihood, case.log_likelihood, 1e-5)
    assert_all_near(column(fit.levels, "difficulty"), case.difficulties, 1e-5)
    local errors = column(fit.levels, "std_error")
    if case.slopes == "own" then
      assert_all_near(column(fit.levels, "discrimination"), case.slopes_of, 1e-5)
      table.move(column(fit.levels, "discrimination_error"), 1, 5, 6, errors)
    elseif case.slopes == "common" then
      luaunit.assertAlmostEquals(fit.components[1].deviation, case.slopes_of[1], 1e-6)
      errors[6] = fit.components[1].std_error
    end
    assert_all_near(errors, case.errors, 1e-4)
    luaunit.assertAlmostEquals(fit.aic, -2 * fit.log_likelihood + 2 * #case.errors, 1e-9)
    luaunit.assertAlmostEquals(fit.bic, -2 * fit.log_likelihood + math.log(1000) * #case.errors, 1e-9)
  end
end

--- Figures that are printed elsewhere: ltm's for LSAT6, mirt's for LSAT7, whose search stops at changes of 1e-4.
function ItemResponse.test_published_figures()
  long.only()
  local one = shell.decoded("fit " .. lsat "lsat6" .. crossed .. "--fit " .. fit_of.one)
  assert_all_near(column(one.levels, "difficulty"), { -2.87197, -1.06303, -0.25761, -1.38806, -2.21878 }, 1e-5)
  luaunit.assertAlmostEquals(one.log_likelihood, -2473.054, 1e-3)
  local common = shell.decoded("fit " .. lsat "lsat6" .. crossed .. "--fit rasch")
  luaunit.assertAlmostEquals(common.components[1].deviation, 0.75513, 1e-5)
  luaunit.assertAlmostEquals(common.log_likelihood, -2466.938, 1e-3)
  luaunit.assertAlmostEquals(shell.decoded("fit " .. lsat "lsat6" .. crossed .. "--fit 2pl").log_likelihood, -2466.653, 1e-3)
  local own = shell.decoded("fit " .. lsat "lsat7" .. crossed .. "--fit 2pl")
  assert_all_near(column(own.levels, "discrimination"), { 0.988, 1.081, 1.706, 0.765, 0.736 }, 1e-3)
end

--- Plays by players of normal ability, each of `each` levels drawn with replacement, so that some are played again.
local function study(seed, players, easiness, each, ability)
  local rows, draw = {}, random.new(seed)
  for level, value in ipairs(easiness) do
    if type(value) == "table" then easiness[level] = value[1] + value[2] * normal(draw) end
  end
  for player = 1, players do
    local able = ability * normal(draw)
    for _ = 1, each do
      local level = draw:integer(1, #easiness)
      local is_solved = draw:chance(1 / (1 + math.exp(-(easiness[level] + able))))
      table.insert(rows, { "p" .. player, level, is_solved and 1 or 0 })
    end
  end
  return rows
end

--- For each player the logarithm of the likelihood, and mean and variance of the ability, by sums over a grid.
local function on_grid(rows, easiness, slope, step)
  local plays, found = {}, {}
  for _, row in ipairs(rows) do
    plays[row[1]] = plays[row[1]] or {}
    table.insert(plays[row[1]], row)
  end
  for player, list in pairs(plays) do
    local sum, first, second = 0, 0, 0
    for ability = -8, 8, step do
      local chance = step * math.exp(-ability ^ 2 / 2) / math.sqrt(2 * math.pi)
      for _, row in ipairs(list) do
        local p = 1 / (1 + math.exp(-(easiness[row[2]] + slope * ability)))
        chance = chance * (row[3] == 1 and p or 1 - p)
      end
      sum, first, second = sum + chance, first + chance * ability, second + chance * ability ^ 2
    end
    found[player] = { value = math.log(sum), mean = first / sum, variance = second / sum - (first / sum) ^ 2 }
  end
  return found
end

--- Players with many plays, whose ability is known well, need nodes around it: the likelihood and the abilities are those of sums
--- over a grid.
function ItemResponse.test_likelihood_is_that_of_a_grid()
  long.only()
  local rows = study(7, 20, { 2, 1, 0, -1, -2 }, 40, 2)
  local fit = shell.decoded("fit " .. plays_file("long", rows) .. crossed .. "--fit rasch")
  local easiness, slope = {}, fit.components[1].deviation
  for i, row in ipairs(fit.levels) do easiness[i] = -row.difficulty end
  local function likelihood()
    local value, found = 0, on_grid(rows, easiness, slope, 0.02)
    for _, one in pairs(found) do value = value + one.value end
    return value, found
  end
  local value, found = likelihood()
  luaunit.assertAlmostEquals(fit.log_likelihood, value, 1e-8)
  for _, row in ipairs(fit.players) do
    luaunit.assertAlmostEquals(row.ability, slope * found[row.player].mean, 1e-7)
    luaunit.assertAlmostEquals(row.std_error, slope * math.sqrt(found[row.player].variance), 1e-7)
  end
  for i, row in ipairs(fit.levels) do -- a standard error away in one estimate, the likelihood is lower by at least 1 / 2
    for _, side in ipairs { -1, 1 } do
      easiness[i] = -row.difficulty + side * row.std_error
      luaunit.assertTrue(likelihood() < value - 0.45)
    end
    easiness[i] = -row.difficulty
  end
end

--- The likelihood of lltm leaves out abilities by quadrature, but levels' residuals by Laplace's approximation. Exact are sums over
--- grids of both: of two levels' easiness in steps of its standard error.
function ItemResponse.test_likelihood_of_lltm_is_near_the_exact_one()
  local rows = study(3, 15, { 1.5, -1 }, 12, 1)
  local fit = shell.decoded("fit " .. plays_file("small", rows) .. " --fit lltm --formula 'solved ~ 1 + (1 | player) + (1 | level)'")
  local mean, spread, deviation, exact = fit.terms[1].estimate, fit.components[1].deviation, fit.components[2].deviation, 0
  local first, second = table.unpack(fit.levels)
  for a = -5, 5 do
    for b = -5, 5 do
      local easiness, value = { a * first.std_error - first.difficulty, b * second.std_error - second.difficulty }, 0
      for _, one in pairs(on_grid(rows, easiness, spread, 0.25)) do value = value + one.value end
      for _, at in ipairs(easiness) do value = value - ((at - mean) / deviation) ^ 2 / 2 end
      exact = exact + math.exp(value - fit.log_likelihood) * first.std_error * second.std_error / (2 * math.pi * deviation ^ 2)
    end
  end
  luaunit.assertAlmostEquals(math.log(exact), 0, 0.02)
end

--- All pairs of player and level of Rush Hour: whether the player ever solved the level.
local function solved_at_all()
  local known, rows = {}, {}
  for _, row in ipairs(shell.rows(shell.read "datasets/rushhour-plays.csv")) do
    local key = row.player .. " " .. row.level
    if not known[key] then
      known[key] = { row.player, row.level, 0, row.shortest }
      table.insert(rows, known[key])
    end
    if row.solved == "1" then known[key][3] = 1 end
  end
  return rows
end

--- lme4 has for these 2,853 pairs, by Laplace's approximation alone and without restriction: standardised coefficients 2.585614 and
--- -1.344627, variances 4.349 and 0.678, log-likelihood -869.291. With abilities integrated out the variance of players is larger.
function ItemResponse.test_lltm_on_rush_hour()
  long.only()
  local path = plays_file("pairs", solved_at_all(), "shortest")
  local model = ("fit %s --formula 'solved ~ shortest + (1 | player) + (1 | level)' --fit "):format(path)
  local fit, laplace = shell.decoded(model .. "lltm"), shell.decoded(model .. "'mixed(family = logistic)'")
  luaunit.assertEquals(fit.n, 2853)
  for i, row in ipairs(fit.terms) do
    luaunit.assertAlmostEquals(row.estimate, laplace.terms[i].estimate, 0.05 * row.std_error)
    luaunit.assertAlmostEquals(row.std_error, laplace.terms[i].std_error, 0.02 * row.std_error)
  end
  luaunit.assertAlmostEquals(fit.components[1].variance, 4.349, 0.3)
  luaunit.assertAlmostEquals(fit.components[2].variance, 0.678 * 69 / 68, 0.02) -- restricted: of 70 levels 2 terms take 2
  luaunit.assertTrue(fit.log_likelihood > -869.291 and fit.log_likelihood < -866)
  luaunit.assertAlmostEquals(fit.explained, 1 - fit.components[2].variance / fit.level_variance, 1e-12)
  luaunit.assertTrue(fit.explained > 0.69 and fit.explained < 0.73)
end

--- Simulated studies of 30 levels, easiness of 1 - 0.5 x and a residual of standard deviation 0.5 for x from 0 to 6: of the variance
--- of easiness, 1.06 and 0.25, the measure explains 0.81.
function ItemResponse.test_lltm_recovers_known_numbers()
  long.only()
  local seeds, sums = 50, { 0, 0, 0, 0, 0 }
  for seed = 1, seeds do
    local easiness, measure = {}, {}
    for level = 1, 30 do
      measure[level] = level % 7
      easiness[level] = { 1 - 0.5 * measure[level], 0.5 }
    end
    local rows = study(seed, 60, easiness, 20, 1.5)
    for _, row in ipairs(rows) do row[4] = measure[row[2]] end
    local fit = shell.decoded(("fit %s --fit lltm --formula 'solved ~ x + (1 | player) + (1 | level)'"):format(
      plays_file("known", rows, "x")))
    local miss = (fit.terms[2].estimate + 0.5) / fit.terms[2].std_error
    for i, value in ipairs { fit.terms[2].estimate, fit.components[1].deviation, fit.components[2].deviation, fit.explained,
      math.abs(miss) < 1.96 and 1 or 0 } do
      sums[i] = sums[i] + value / seeds
    end
  end
  luaunit.assertAlmostEquals(sums[1], -0.5, 0.015)
  luaunit.assertAlmostEquals(sums[2], 1.5, 0.05)
  luaunit.assertAlmostEquals(sums[3], 0.5, 0.05)
  luaunit.assertAlmostEquals(sums[4], 0.81, 0.04)
  luaunit.assertTrue(sums[5] >= 0.9)
end

local small = { { "a", 1, 1 }, { "a", 2, 0 }, { "b", 1, 1 }, { "b", 2, 1 }, { "c", 1, 0 }, { "c", 2, 0 }, { "c", 3, 1 }, { "a", 3, 1 },
  { "d", 1, 1 }, { "d", 2, 0 } }

--- Level 3, which all plays solved, has no finite difficulty. Two levels tell Rasch's difficulties apart, not discriminations.
function ItemResponse.test_levels_that_all_or_none_solved_are_left_out()
  local path = plays_file("extreme", small)
  local fit = shell.decoded("fit " .. path .. crossed .. "--fit " .. fit_of.one)
  luaunit.assertEquals(column(fit.levels, "level"), { "1", "2" })
  luaunit.assertEquals({ fit.n, column(fit.levels, "plays"), column(fit.levels, "solved") }, { 8, { 4, 4 }, { 3, 1 } })
  luaunit.assertEquals(column(fit.players, "player"), { "a", "b", "c", "d" })
  luaunit.assertStrContains(shell.printed("fit " .. path .. crossed .. "--format table --fit " .. fit_of.one),
    "Left out, as all or none of the plays solved them: level 3\n")
  local many = table.move(small, 1, #small, 1, {})
  for level = 4, 14 do table.insert(many, { "a", level, 1 }) end
  luaunit.assertStrContains(shell.printed("fit " .. plays_file("many", many) .. crossed .. "--format table --fit " .. fit_of.one),
    "solved them: levels 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more\n")
end

--- Each player solves one of two levels, each level is solved by half of the players: abilities explain nothing.
function ItemResponse.test_players_who_do_not_differ()
  local path = plays_file("equal", { { "a", 1, 1 }, { "a", 2, 0 }, { "b", 1, 0 }, { "b", 2, 1 }, { "c", 1, 0 }, { "c", 2, 1 },
    { "d", 1, 1 }, { "d", 2, 0 } })
  luaunit.assertStrContains(shell.printed("fit " .. path .. crossed .. "--fit rasch --format table"),
    "Singular: the variance of player is 0; these plays tell no difference\n")
  local both = shell.printed("fit " .. path .. " --formula 'solved ~ 1 + (1 | player) + (1 | level)' --fit lltm --format table")
  luaunit.assertStrContains(both, "Singular: the variance of player is 0; these plays tell no difference\nSingular: the variance "
    .. "of level is 0; these plays tell no difference\n")
end

function ItemResponse.test_what_is_printed()
  local printed = shell.printed("fit " .. lsat "lsat6" .. crossed .. "--fit rasch --format table")
  luaunit.assertStrContains(printed, [[
Levels

level  plays  solved  difficulty  std_error
1       1000     924     -2.7300    0.13044
2       1000     709     -0.9986    0.07918
3       1000     553     -0.2399    0.07177
4       1000     763     -1.3065    0.08464
5       1000     870     -2.0994    0.10545

solved ~ (1 | player) + (1 | level), 5,000 rows, fitted by rasch
Minimised minus the log-likelihood: 2467
Groups: 1,000 players, 5 levels; a player whose ability is a level's difficulty solves it with probability 0.5
AIC: 4946, BIC: 4975, log-likelihood: -2467

Variance components

group   term         variance  deviation  std_error
player  (intercept)    0.5702     0.7551    0.06943

Players
]])
end

--- A rule of lltm rates levels by the probability that a player in the middle solves them, or a known player, and other commands
--- take it.
function ItemResponse.test_rules_of_lltm()
  long.only()
  local easiness, rule = {}, shell.path "lltm.lua"
  for level = 1, 12 do easiness[level] = 2 - 0.4 * level end
  local rows = study(5, 20, easiness, 12, 1)
  for _, row in ipairs(rows) do row[4] = row[2] end
  local path = plays_file("rule", rows, "x")
  local formula = "'solved ~ x + (1 | player) + (1 | level)'"
  local fit = json.decode(shell.printed(("fit %s --fit lltm --formula %s -o %s --format json"):format(path, formula, rule)))
  local new = shell.file("new.csv", "level,x\nq,2\nr,5\n")
  local function expected(ability)
    local shares = {}
    for i, x in ipairs { 2, 5 } do
      shares[i] = 1 / (1 + math.exp(-(fit.terms[1].estimate + fit.terms[2].estimate * x + ability)))
    end
    return shares
  end
  assert_all_near(column(shell.decoded(("rate %s %s"):format(rule, new)), "rating"), expected(0), 1e-9)
  local player = fit.players[1]
  assert_all_near(column(shell.decoded(("rate %s %s --player %s"):format(rule, new, player.player)), "rating"),
    expected(player.ability), 1e-9)
  local levels = shell.decoded(("levels %s %s"):format(path, rule))
  for i, row in ipairs(fit.levels) do luaunit.assertAlmostEquals(levels[i].difficulty, row.difficulty, 0.05) end
  local errors = shell.decoded(("evaluate %s %s --group level"):format(rule, path))
  luaunit.assertTrue(errors.log_score > -0.7 and errors.log_score < -0.4) -- a coin has -0.69
end

--- Each line of output would be wrong without its message.
function ItemResponse.test_what_is_refused()
  local path = plays_file("refused", small)
  local function of(rows, further) return plays_file("other", rows, further) end
  for _, case in ipairs {
    { path .. crossed .. "--fit " .. fit_of.one .. " -o " .. shell.path "no.lua",
      "-o: found the fit 'rasch(discrimination = one)', which knows the levels of the data alone, expected one that rates others, as lltm" },
    { path .. " --formula 'solved ~ 1 + (1 | player)' --fit rasch",
      ": found the formula solved ~ 1 + (1 | player), expected the grouping terms (1 | player) + (1 | level)" },
    { path .. crossed .. "--fit rasch", ": fit 'rasch': found no greatest likelihood, as few plays may have, expected "
      .. "convergence; --unconverged takes it as it is" },
    { function() return of({ { "a", 1, 1, 3 }, { "a", 2, 0, 4 }, { "b", 1, 1, 5 }, { "b", 2, 1, 4 } }, "x")
      .. " --formula 'solved ~ x + (1 | player) + (1 | level)' --fit lltm" end,
      ": level '1': found the term 'x' with 3 and 5, expected one value for all plays of a level" },
    { function() return of({ { "a", 1, 1, 3 }, { "a", 2, 0, 4 }, { "b", 1, 1, 3 }, { "b", 2, 1, 4 } }, "x")
      .. " --formula 'solved ~ x + (1 | player) + (1 | level)' --fit lltm" end,
      ": found 2 levels, expected more than the formula has terms, 2" },
    { function() return of({ { "a", 1, 1, 3 }, { "a", 2, 0, 4 } }, "x")
      .. " --formula 'solved ~ x + (1 | player) + (1 | level)' --fit rasch" end,
      ": found the term 'x', expected (1 | player) + (1 | level) alone; the fit lltm explains difficulties by terms" },
    { function() return of { { "a", 1, 1 }, { "a", 2, 0 }, { "b", 1, 2 } } .. crossed .. "--fit rasch" end,
      ": player 'b', level '1': column 'solved': found 2, expected 0 or 1" },
    { function() return of { { "a", 1, 1 }, { "a", 1, 0 }, { "b", 1, 1 } } .. crossed .. "--fit rasch" end,
      ": column 'level': found '1' in all rows, expected at least 2 different ones" },
    { function() return of { { "a", 1, 1 }, { "a", 1, 0 }, { "a", 2, 0 }, { "a", 2, 1 } } .. crossed .. "--fit rasch" end,
      ": column 'player': found 'a' in all rows, expected at least 2 different ones" },
    { function() return of { { "a", 1, 1 }, { "b", 1, 0 }, { "c", 2, 1 }, { "d", 2, 0 } } .. crossed .. "--fit rasch" end,
      ": column 'player': found one play of each player, expected players with several, which tell ability from chance" },
    { function() return of { { "a", 1, 1 }, { "a", 2, 0 }, { "b", 1, 1 }, { "b", 2, 0 } } .. crossed .. "--fit rasch" end,
      ": found levels that all or none of the plays solved, expected levels that some plays solved, others not" },
    { path .. crossed .. "--fit rasch --weights level", ": found case weights, expected none: each row is a play" },
    { path .. crossed .. "--fit 'rasch(discrimination = own)'",
      "--fit: option 'discrimination': found 'own', expected common or one" },
  } do
    local arguments = type(case[1]) == "function" and case[1]() or case[1]
    local ran = shell.crux("fit " .. arguments)
    luaunit.assertNotEquals(ran.status, 0, arguments)
    luaunit.assertStrContains(ran.err, case[2])
  end
  luaunit.assertStrContains(shell.crux("evaluate " .. crossed .. path .. " --fit 2pl").err,
    ": found the fit '2pl', which knows the levels of the data alone, expected one that rates others, as lltm")
end

return { ItemResponse = ItemResponse }
