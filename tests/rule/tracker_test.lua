--- Tests of lua/crux/rule/tracker.lua and libcrux.rating_filter: worked examples, integrals by sums, and simulated plays.
local dataset = require "crux.data.dataset"
local long = require "long"
local luaunit = require "luaunit"
local normal = require "crux.stats.normal"
local random = require "libcrux.random"
local rating_filter = require "libcrux.rating_filter"
local rules = require "crux.rule.rule"
local texts = require "libcrux.texts"
local tracker = require "crux.rule.tracker"
local vector = require "libcrux.vector"

local Tracker = {}

local points = 173.7178 -- of Glicko a logit, as Glickman rounds it

-- Glickman, Example of the Glicko-2 system (2013): rating 1500, deviation 200, volatility 0.06, one win and two losses. The paper
-- prints 1464.06 and 151.52, as it rounds on the way (1464.05 without), and 0.05999 of 0.059996.
function Tracker.test_glickmans_example()
  local function scaled(values)
    local list = {}
    for i, value in ipairs(values) do list[i] = (value - 1500) / points end
    return vector.of(list)
  end
  local deviations = vector.of { 30 / points, 100 / points, 300 / points }
  local mean, variance, volatility = rating_filter.glicko2(0, (200 / points) ^ 2, 0.06, scaled { 1400, 1550, 1700 },
    deviations * deviations, vector.of { 1, 0, 0 })
  luaunit.assertAlmostEquals(1500 + points * mean, 1464.06, 0.015)
  luaunit.assertAlmostEquals(points * math.sqrt(variance), 151.52, 0.005)
  luaunit.assertAlmostEquals(volatility, 0.059996, 0.0000005)
end

--- A filter of one player and one level, whose plays have these responses; returns what filter:play returns.
local function one_pair(options, responses, bounds, clocks)
  local filter = rating_filter.new { model = options.model or "kalman", player = options.player or 1, level = options.level or 1,
    drift = options.drift or 0, period = options.period or 1, residual = options.residual }
  local ones = vector.fill(#responses, 1)
  return filter, filter:play(ones, ones, vector.of(responses), options.offsets, bounds, clocks)
end

-- Kalman by hand: variances 4 of the player, 1 of the level, 4 of noise, 9 in all; the response is 9 above what is expected. The
-- player's part is 4 of 9, the level's 1: means 4 and 1, variances 4 - 16/9 and 1 - 1/9.
function Tracker.test_a_number()
  local _, _, surprise, expected, player, player_error, level, level_error = one_pair(
    { player = 2, level = 1, residual = 2, offsets = vector.of { 10 } }, { 19 })
  luaunit.assertEquals({ expected[1], player[1], level[1] }, { 10, 4, 11 })
  luaunit.assertAlmostEquals(player_error[1] ^ 2, 20 / 9, 1e-14)
  luaunit.assertAlmostEquals(level_error[1] ^ 2, 8 / 9, 1e-14)
  luaunit.assertAlmostEquals(surprise[1], 0.5 * math.log(2 * math.pi * 9) + 4.5, 1e-14)
end

--- The probability, and the mean and variance of a normal variable given a likelihood, by sums over a fine grid.
local function moments(mean, variance, likelihood)
  local sum, first, second, step = 0, 0, 0, 1e-3
  local deviation = math.sqrt(variance)
  for i = -10000, 10000 do
    local x = mean + deviation * i * step
    local weight = math.exp(-(i * step) ^ 2 / 2) / math.sqrt(2 * math.pi) * step * likelihood(x)
    sum, first, second = sum + weight, first + weight * x, second + weight * x * x
  end
  return sum, first / sum, second / sum - (first / sum) ^ 2
end

--- Checks a first play against such sums: the player has variance 2.25 of 3.25.
local function check_moments(options, response, bounds, likelihood)
  options.player, options.level, options.offsets = 1.5, 1, vector.of { 0.5 }
  local _, _, surprise, expected, player, player_error, level = one_pair(options, { response }, bounds)
  local probability, mean, variance = moments(0.5, 3.25, likelihood)
  luaunit.assertAlmostEquals(math.exp(-surprise[1]), probability, 1e-5)
  luaunit.assertAlmostEquals(player[1], 2.25 / 3.25 * (mean - 0.5), 1e-5)
  luaunit.assertAlmostEquals(level[1], 0.5 + 1 / 3.25 * (mean - 0.5), 1e-5)
  luaunit.assertAlmostEquals(player_error[1] ^ 2, 2.25 + (2.25 / 3.25) ^ 2 * (variance - 3.25), 1e-5)
  return expected[1], probability
end

function Tracker.test_outcomes()
  for response = 0, 1 do
    local expected, probability = check_moments({}, response, nil, function(x)
      return 1 / (1 + math.exp(response == 1 and -x or x))
    end)
    luaunit.assertAlmostEquals(expected, response == 1 and probability or 1 - probability, 1e-5)
  end
end

-- A lower bound of 1: the likelihood is the probability that a normal variable of deviation 2 lies above it.
function Tracker.test_lower_bounds()
  check_moments({ residual = 2 }, 1, vector.of { 1 }, function(x) return math.exp(vector.normal_log_lower((x - 1) / 2)) end)
end

-- 32 points of Elo's scale, of which 400 are odds of ten to one: half of them, as the outcome was as likely as not.
function Tracker.test_elo()
  local _, _, surprise, expected, player, _, level = one_pair({ model = "elo" }, { 1 })
  luaunit.assertEquals(expected[1], 0.5)
  luaunit.assertAlmostEquals(player[1], 16 * math.log(10) / 400, 1e-15)
  luaunit.assertEquals(level[1], player[1])
  luaunit.assertAlmostEquals(surprise[1], math.log(2), 1e-15)
end

-- The clocks 5, 5, 4, 7: a play again, one before it, and one two periods later, in which the variance grows by 2 * 0.01.
function Tracker.test_clocks()
  local options = { residual = 1, drift = 0.1 }
  local _, results, _, expected, _, errors = one_pair(options, { 1, 1, 1, 1 }, nil, vector.of { 5, 5, 4, 7 })
  luaunit.assertEquals({ results[1], results[2], results[3], results[4] }, { 0, 2, 3, 0 })
  luaunit.assertTrue(expected[2] ~= expected[2] and errors[2] == errors[1] and errors[3] == errors[1])
  local player, level = 2 / 3 + 0.02, 2 / 3 -- 1 - 1 / 3 after the first play
  luaunit.assertAlmostEquals(errors[4] ^ 2, player - player ^ 2 / (player + level + 1), 1e-14)
end

-- After 1000 periods the player counts as new: the variance is 1, not 10 + 2 / 3.
function Tracker.test_a_clock_that_jumps()
  local _, results, _, _, _, errors = one_pair({ residual = 1, drift = 0.1 }, { 1, 1 }, nil, vector.of { 5, 1005 })
  luaunit.assertEquals(results[2], 1)
  luaunit.assertAlmostEquals(errors[2] ^ 2, 1 - 1 / (1 + 2 / 3 + 1), 1e-14)
end

--- A rule of outcomes with these deviations.
local function rule_of(player, level)
  return rules.new { name = "simulated", formula = "solved ~ 1 + (1 | player) + (1 | level)", fit = "mixed(family = logistic)",
    coefficients = { ["(intercept)"] = 0 }, parameters = { theta = { player, level } } }
end

--- Plays of all players at all levels, players in turn; the truth of both sides.
local function simulated(stream, players, levels)
  local truth, columns, solved = { {}, {} }, { player = {}, level = {} }, {}
  for i = 1, players do truth[1][i] = normal(stream) end
  for i = 1, levels do truth[2][i] = 1.5 * normal(stream) end
  for turn = 1, levels do
    for player = 1, players do
      local level = (turn + player) % levels + 1
      table.insert(columns.player, "p" .. player)
      table.insert(columns.level, "l" .. level)
      table.insert(solved, stream:real() < 1 / (1 + math.exp(truth[2][level] - truth[1][player])) and 1 or 0)
    end
  end
  for name, list in pairs(columns) do columns[name] = texts.of(list) end
  return truth, dataset.of_columns("plays", { "player", "level", "solved" }, { solved = vector.of(solved) }, columns, #solved)
end

-- Deviations 1 and 1.5, which the filter knows. Over 200 seeds of 60 players and 40 levels the 95 % intervals
-- held 93.7 % of abilities and 93.0 % of difficulties: that players and levels are known together is left out.
function Tracker.test_errors_hold_the_truth()
  local held, all = { 0, 0 }, { 0, 0 }
  for seed = 1, long.choose(10, 200) do
    local truth, data = simulated(random.new(seed), 60, 40)
    local tracked = tracker.new(rule_of(1, 1.5), { model = "kalman", drift = 0, period = 1 })
    tracked:play(data, function() end)
    for side = 1, 2 do
      local found = tracked:ratings(side)
      for i = 1, #found.plays do
        local at = truth[side][tonumber(found.name[i]:sub(2))]
        held[side] = held[side] + (math.abs(found.rating[i] - at) <= 1.96 * found.error[i] and 1 or 0)
        all[side] = all[side] + 1
      end
    end
  end
  for side = 1, 2 do
    local share = held[side] / all[side]
    luaunit.assertTrue(share > 0.91 and share < 0.96, ("side %d: %.4f"):format(side, share))
  end
end

return { Tracker = Tracker }
