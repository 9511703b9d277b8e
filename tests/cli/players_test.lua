--- End-to-end tests of mixed models: crux players, crux levels, crux aggregate --adjust, crux rate --player, crux fit -o, and
--- folds by level.
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local crux, decode = shell.printed, shell.decoded

-- Two strict players and two mild ones, who rate 2 less; the strict ones rate a and b, the mild ones b and c; all rate d. Levels
-- are 5, 4, 7 and 3 for the players in the middle, with errors of 0.1 that add up to 0 for each player and each level but d.
local study = [[
player,level,rating,size
ann,a,6.1,10
ann,b,4.9,8
ann,d,4,6
bob,a,5.9,10
bob,b,5.1,8
bob,d,4,6
cas,b,2.9,8
cas,c,6.1,14
cas,d,2,6
dan,b,3.1,8
dan,c,5.9,14
dan,d,2,6
]]

local function near(rows, key, expected, margin)
  luaunit.assertEquals(#rows, #expected)
  for i, value in ipairs(expected) do luaunit.assertAlmostEquals(rows[i][key], value, margin, key .. " " .. i) end
end

local Players = {}

function Players.test_levels_are_adjusted_for_who_played_them()
  local rows = decode("levels " .. shell.file("study.csv", study))
  near(rows, "plays", { 2, 4, 2, 4 }, 0)
  near(rows, "mean", { 6, 4, 6, 3 }, 1e-12) -- a and c look alike
  near(rows, "adjusted", { 5, 4, 7, 3 }, 0.05) -- shrunk by little, as noise is small
  luaunit.assertEquals({ rows[1].level, rows[1].difficulty }, { "a", rows[1].adjusted })
end

function Players.test_abilities()
  local rows = decode("players " .. shell.file("study.csv", study))
  near(rows, "ability", { -1, -1, 1, 1 }, 0.05)
  near(rows, "plays", { 3, 3, 3, 3 }, 0)
  luaunit.assertEquals(crux("players " .. shell.path "study.csv"):match "^[^\n]*", "player,plays,ability,error")
end

function Players.test_aggregate_with_adjusted_ratings()
  local rows = json.decode(shell.crux(("aggregate --adjust %s --format json"):format(shell.file("study.csv", study))).out)
  near(rows, "difficulty", { 5, 4, 7, 3 }, 0.05)
  near(rows, "solved", { 2, 4, 2, 4 }, 0)
end

-- 12 players at levels a to d; player k skips b if 3 divides k, c if k is even, d if k is 5; nobody skips a.
function Players.test_aggregate_with_adjusted_skips()
  local lines = { "player,level,rating,skipped" }
  for k = 1, 12 do
    for level, skipped in pairs { a = false, b = k % 3 == 0, c = k % 2 == 0, d = k == 5 } do
      table.insert(lines, ("p%d,%s,%s,%d"):format(k, level, skipped and "" or level:byte() - 94 + k % 3, skipped and 1 or 0))
    end
  end
  local path = shell.file("skips.csv", table.concat(lines, "\n") .. "\n")
  local function adjusted(words) return json.decode(shell.crux("aggregate --adjust --format json " .. words .. path).out) end
  local rows = adjusted ""
  near(rows, "skipped", { 0, 4, 6, 1 }, 0)
  near(rows, "skip_rate", { 0, 4 / 12, 6 / 12, 1 / 12 }, 0.03) -- all met all levels: a player in the middle is about the mean
  luaunit.assertEquals(rows[1].skip_rate, 0)
  luaunit.assertTrue(adjusted "--skipped-as 10 "[3].difficulty > rows[3].difficulty + 1)
end

function Players.test_a_fitted_rule_rates_for_players()
  local path, rule = shell.file("study.csv", study), shell.path "rule.lua"
  local printed = crux(("fit --formula 'rating ~ size + (1 | player) + (1 | level)' %s -o %s"):format(path, rule))
  luaunit.assertStrContains(printed, "Groups: 4 of player, 4 of level")
  luaunit.assertStrContains(printed, "Variance components")
  local new = shell.file("new.csv", "level,size\ne,8\n")
  local middle = decode(("rate %s %s"):format(rule, new))[1].rating
  local ann = decode(("rate %s --player ann %s"):format(rule, new))[1].rating
  luaunit.assertAlmostEquals(ann - middle, 1, 0.05)
  luaunit.assertEquals(shell.crux(("rate %s --player anne %s"):format(rule, new)).err:match "[^\n]*",
    rule .. ": found the unknown player 'anne'; did you mean 'ann'?")
  local eve = shell.file("eve.csv", "player,level,rating,size\neve,a,9,10\neve,b,8,8\neve,d,7,6\n") -- 4 above the middle
  local for_eve = decode(("rate %s --plays %s %s"):format(rule, eve, new))[1].rating
  luaunit.assertTrue(for_eve > middle + 3 and for_eve < middle + 4, for_eve - middle)
  luaunit.assertAlmostEquals(decode(("players %s %s"):format(eve, rule))[1].ability, middle - for_eve, 1e-9)
  luaunit.assertEquals(shell.crux(("rate %s --plays %s %s"):format(rule, path, new)).err:match "[^\n]*",
    path .. ": found 4 players, expected one, or --player NAME")
end

-- Slopes: ann and bob grow stricter with size, cas and dan milder.
function Players.test_slopes_of_players()
  local lines = { "player,level,rating,size" }
  for player, slope in pairs { ann = 0.5, bob = 0.4, cas = -0.4, dan = -0.5 } do
    for size = 1, 8 do
      table.insert(lines, ("%s,l%d,%.2f,%d"):format(player, size, 5 + slope * size + (size * 3 % 4 - 1.5) / 10, size))
    end
  end
  table.sort(lines, function(a, b) return a > b end) -- the header first
  local path, rule = shell.file("slopes.csv", table.concat(lines, "\n") .. "\n"), shell.path "slopes.lua"
  local rows = decode(("players %s --formula 'rating ~ 1 + (size | player)'"):format(path))
  near(rows, "size", { -0.5, -0.4, 0.4, 0.5 }, 0.03)
  crux(("fit --formula 'rating ~ size + (size | player)' %s -o %s"):format(path, rule))
  local new = shell.file("new.csv", "level,size\nx,2\ny,6\n")
  local found = decode(("rate %s --player ann %s"):format(rule, new))
  luaunit.assertAlmostEquals(found[2].rating - found[1].rating, 4 * 0.5, 0.1)
end

-- The interval of an unseen play of an unseen level: that of the normal distribution around the prediction, of the variances of
-- players, levels, residuals and the prediction together. R: lmer as below, sqrt(sum of variances + x' vcov x).
function Players.test_intervals_of_new_plays()
  local path, rule = shell.file("study.csv", study), shell.path "rule.lua"
  local fitted = decode(("fit --formula 'rating ~ size + (1 | player)' %s -o %s"):format(path, rule))
  local new = shell.file("new.csv", "level,size\ne,9\n")
  local row = decode(("rate %s --interval 0.9 %s"):format(rule, new))[1]
  local total = 0
  for _, component in ipairs(fitted.components) do total = total + component.variance end
  local t = 1.8124611228 -- R: qt(0.95, 10)
  luaunit.assertTrue(row.high - row.rating > t * math.sqrt(total))
  luaunit.assertTrue(row.high - row.rating < t * math.sqrt(total * (1 + 1 / 2)))
end

function Players.test_folds_by_level()
  local path = shell.file("study.csv", study)
  local found = decode(("evaluate --formula 'rating ~ size + (1 | player)' %s --group level --folds 4 --repeats 1"):format(path))
  luaunit.assertEquals(#found.folds, 4)
  luaunit.assertNotNil(found.log_score)
  local both = crux(("compare --formula 'rating ~ size + (1 | player)' --formula 'rating ~ size' %s --group level --folds 4")
    :format(path))
  luaunit.assertStrContains(both, "groups of level kept whole")
end

-- All means of players are 5.
function Players.test_singular_fits_are_said()
  local path = shell.file("flat.csv", "player,level,rating\nann,a,1\nann,b,9\nbob,a,2\nbob,b,8\ncas,a,3\ncas,b,7\n")
  local warning = "Singular: a variance is 0, or a correlation 1 or -1; the plays cannot tell these effects"
  local printed = crux("fit --formula 'rating ~ 1 + (1 | player) + (1 | level)' " .. path)
  luaunit.assertStrContains(printed, warning)
  luaunit.assertStrMatches(printed, ".*player +%(intercept%) +0[.0]* +0[.0]* +true\n.*")
  local done = shell.crux("levels " .. path)
  luaunit.assertEquals({ done.status, done.err }, { 0, ("%s: %s\n"):format(path, warning) })
end

function Players.test_what_is_refused()
  local path = shell.file("study.csv", study)
  for line, expected in pairs {
    ["players --formula 'rating ~ size' " .. path] =
      "formula 'rating ~ size': found the fit 'ols', expected mixed, with a grouping term such as (1 | player)",
    ["levels --formula 'rating ~ 1 + (1 | player)' " .. path] =
      "formula 'rating ~ 1 + (1 | player)': found no grouping term by level, expected one, such as (1 | level)",
    ["fit --formula 'rating ~ size + (1 | player)' --fit ols " .. path] =
      path .. ": found a grouping term by player and the fit 'ols', expected the fit 'mixed'",
    ["rate flow --player ann datasets/flow.csv"] =
      "rule 'flow': found no players, expected a rule fitted with a grouping term by player",
    ["fit --formula 'rating ~ size + (1 | player)' --fit 'mixed(censored = size)' " .. path] =
      path .. ": found censored rows and the family 'linear', expected lognormal",
  } do
    local done = shell.crux(line)
    luaunit.assertEquals({ done.status, done.err:match "[^\n]*" }, { 1, expected }, line)
  end
end

return { Players = Players }
