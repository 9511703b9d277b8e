--- Tests of lua/crux/judge/reliability.lua and the lines of crux agreement about it: published tables, R, by hand.
local fitting = require "fitting"
local json = require "json_reader"
local luaunit = require "luaunit"
local reliability = require "crux.judge.reliability"
local shell = require "shell"
local texts = require "libcrux.texts"
local vector = require "libcrux.vector"

--- Ratings of levels (rows) by players (columns); false is a missing one.
local function ratings_of(rows)
  local found = { name = "test", column = "rating", ratings = {}, levels = {}, players = {} }
  for level, row in ipairs(rows) do
    for player, rating in ipairs(row) do
      if rating then
        table.insert(found.ratings, rating)
        table.insert(found.levels, "level " .. level)
        table.insert(found.players, "player " .. player)
      end
    end
  end
  found.ratings, found.levels, found.players = vector.of(found.ratings), texts.of(found.levels), texts.of(found.players)
  return found
end

local Reliability = {}

--- Shrout and Fleiss (1979), Table 2; their Table 4 has 0.17, 0.29, 0.62; the digits by their formulas from the mean squares
--- 11.24, 6.26, 32.49, 1.02.
local shrout_and_fleiss = { { 9, 2, 5, 8 }, { 6, 1, 3, 2 }, { 8, 4, 6, 8 }, { 7, 1, 2, 6 }, { 10, 5, 6, 9 }, { 6, 2, 4, 7 } }

function Reliability.test_table_of_shrout_and_fleiss()
  local found = reliability.of(ratings_of(shrout_and_fleiss))
  fitting.all_near(found, { icc_1 = 0.1657418, icc_2 = 0.2897638, icc_2_k = 0.6200505, k = 4 }, 1e-6)
  luaunit.assertEquals(reliability.players(found.icc_2, 0.9), 23) -- 0.9 * 0.71024 / (0.28976 * 0.1) = 22.06
  luaunit.assertEquals(reliability.players(found.icc_2, 0.62), 4)
end

--- Krippendorff, Computing Krippendorff's alpha-reliability (2011), section C: 0.815 ordinal, 0.849 interval. The last level has
--- one rating and does not count.
function Reliability.test_example_of_krippendorff()
  local found = reliability.of(ratings_of { { 1, 1, false, 1 }, { 2, 2, 3, 2 }, { 3, 3, 3, 3 }, { 3, 3, 3, 3 }, { 2, 2, 2, 2 },
    { 1, 2, 3, 4 }, { 4, 4, 4, 4 }, { 1, 1, 2, 1 }, { 2, 2, 2, 2 }, { false, 5, 5, 5 }, { false, false, 1, 1 },
    { false, 3, false, false } })
  fitting.all_near(found, { alpha_ordinal = 0.815, alpha_interval = 0.849 }, 5e-4)
end

--- By hand: three ratings of one level and two of another, of means 2 and 5.5 and squares 2 and 0.5 within. Between: 14.7; within:
--- 2.5 / 3; k0 = 5 - 13 / 5 = 2.4.
function Reliability.test_levels_with_unequal_numbers_of_ratings()
  local found = ratings_of { { 1, 2, 3 }, { 5, 6 } }
  found.players = nil
  local all = reliability.of(found)
  luaunit.assertAlmostEquals(all.icc_1, (14.7 - 2.5 / 3) / (14.7 + 1.4 * 2.5 / 3), 1e-12)
  luaunit.assertEquals({ all.k, all.icc_2 }, { 2.5 })
end

--- Krippendorff's alpha is below 0 where levels agree less than by chance, and ratings that are all equal have none.
function Reliability.test_extremes()
  local against = reliability.of(ratings_of { { 1, 5 }, { 5, 1 }, { 1, 5 } })
  luaunit.assertAlmostEquals(against.alpha_interval, 1 - 5 * 2 * 24 / (6 * 24), 1e-12) -- n - 1 = 5, m / (m - 1) = 2
  luaunit.assertNil(reliability.players(against.icc_1, 0.9))
  local equal = reliability.of(ratings_of { { 3, 3 }, { 3, 3 } })
  luaunit.assertEquals({ equal.alpha_interval, equal.alpha_ordinal, equal.icc_1 }, {})
  local full = reliability.of(ratings_of { { 1, 1 }, { 2, 2 }, { 4, 4 } })
  luaunit.assertEquals({ full.alpha_interval, full.alpha_ordinal, full.icc_1 }, { 1, 1, 1 })
  luaunit.assertEquals(reliability.players(full.icc_1, 0.9), 1)
  local single = reliability.of(ratings_of { { 1 }, { 2 } })
  luaunit.assertEquals({ single.alpha_interval, single.icc_1, single.icc_2 }, {})
end

function Reliability.test_what_agreement_prints()
  local lines = { "level,player,rating,skipped" }
  for level, row in ipairs(shrout_and_fleiss) do
    for player, rating in ipairs(row) do table.insert(lines, ("%d,%d,%d,0"):format(level, player, rating)) end
    table.insert(lines, ("%d,5,1,1"):format(level)) -- a rating of who gave up does not count
  end
  local line = "agreement " .. shell.file("study.csv", table.concat(lines, "\n") .. "\n") .. " --threshold 5.5 --scale 1..10"
  luaunit.assertStrContains(shell.printed(line .. " --format table"), [[
ICC(1): 0.166, ICC(2,1): 0.290, ICC(2,k): 0.620 for k = 4 ratings a level; Krippendorff's alpha: 0.147 interval, 0.109 ordinal
Means of reliability 0.9 need 23 players a level (Spearman-Brown)
]])
  local found = shell.decoded(line .. " --reliability 0.95")
  luaunit.assertEquals({ found.reliability, found.players_needed }, { 0.95, 47 })
  luaunit.assertAlmostEquals(found.icc_2_1, 0.2897638, 1e-6)
  local alone = shell.file("alone.csv", "level,rating\n1,2\n1,3\n2,7\n2,9\n")
  local without = shell.decoded("agreement " .. alone .. " --threshold 5.5 --scale 1..10")
  luaunit.assertIs(without.icc_2_1, json.null)
  luaunit.assertEquals(without.players_needed, 1)
end

return { Reliability = Reliability }
