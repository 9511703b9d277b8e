--- Tests of lua/crux/play/chooser.lua: values by hand, and simulated players who get one level after the other.
local chooser = require "crux.play.chooser"
local long = require "long"
local luaunit = require "luaunit"
local plan = require "crux.play.plan"
local random = require "libcrux.random"

local Chooser = {}

-- Even chances tell 1/4: 4 * 4 / 4 / (1 + 4 / 4) = 2 of a variance of 4.
function Chooser.test_values()
  luaunit.assertAlmostEquals(chooser.values.variance(0, 1, 4), -2, 1e-15)
  luaunit.assertAlmostEquals(chooser.values.ability(math.log(3), 0, 0, 0.7), 0.05, 1e-15)
  luaunit.assertAlmostEquals(chooser.values.ability(100, 1e12, 0, 0.7), 0.2, 1e-4)
end

--- A level that somebody plays tells less, and one of another name counts nowhere; a play counts once.
function Chooser.test_plays_that_count()
  local choice = chooser.new { "a", "b" }
  local before = choice:order("variance", "ann", 0.7, {})
  luaunit.assertEquals(before[1], before[2])
  luaunit.assertTrue(choice:order("variance", "ann", 0.7, { a = 1 })[1] > before[1])
  choice:add("ann", "lesson", true)
  luaunit.assertEquals(choice:order("variance", "ann", 0.7, {}), before)
  choice:add("ann", "a", true)
  local after = choice:order("ability", "ann", 0.7, {})
  choice:add("ann", "a", true)
  luaunit.assertEquals(choice:order("ability", "ann", 0.7, {}), after)
  luaunit.assertTrue(after[1] < after[2]) -- a is the easier one, nearer to 0.7 than to 0.5
end

local function normal(stream)
  return math.sqrt(-2 * math.log(1 - stream:real())) * math.cos(2 * math.pi * stream:real()) -- Box and Muller
end

local levels <const> = 80

---@class Simulated
---@field choice Chooser
---@field abilities number[]
---@field difficulties number[]
---@field counts integer[]    plays by level
---@field solved integer

--- Lets players of deviation 1 play some of 80 levels of deviation 1.5, in turn; an order that the chooser has not is a random one.
---@param first integer   number of the first player
---@param study Simulated?   goes on
local function simulate(stream, order, first, last, per_player, success, study)
  local names = {}
  study = study or { abilities = {}, difficulties = {}, counts = {} }
  study.solved = 0
  for level = 1, levels do
    names[level] = tostring(level)
    study.difficulties[level] = study.difficulties[level] or 1.5 * normal(stream)
    study.counts[level] = study.counts[level] or 0
  end
  study.choice = study.choice or chooser.new(names)
  local played = {}
  for player = first, last do study.abilities[player], played[player] = normal(stream), {} end
  for _ = 1, per_player do
    for player = first, last do
      local values = study.counts
      if order == "random" then values = stream:shuffle(table.move(study.counts, 1, levels, 1, {})) end
      if chooser.values[order] then values = study.choice:order(order, player, success, {}) end
      local level = plan.least(values, played[player], stream)
      played[player][level], study.counts[level] = true, study.counts[level] + 1
      local is_solved = stream:real() < 1 / (1 + math.exp(study.difficulties[level] - study.abilities[player]))
      study.solved = study.solved + (is_solved and 1 or 0)
      study.choice:add(player, names[level], is_solved)
    end
  end
  return study
end

local function deviation(list, mean)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + (value - mean) ^ 2 end
  return math.sqrt(sum / #list)
end

--- The standard deviation of the errors of one side.
local function error_of(study, side, truth, sign, first)
  local means, errors, mean = study.choice.filter:ratings(side), {}, 0
  for i = first or 1, #truth do table.insert(errors, sign * means[i] - truth[i]) end
  for _, value in ipairs(errors) do mean = mean + value / #errors end
  return deviation(errors, mean)
end

-- Over 100 seeds the errors were 0.640 with random levels, 0.640 with those of the fewest plays and 0.576 with the order variance, in
-- which plays of levels differed by a standard deviation of 1.22.
function Chooser.test_difficulties()
  local found, spread, seeds = {}, 0, long.choose(2, 40)
  for _, order in ipairs { "random", "fewest", "variance" } do
    found[order], spread = 0, 0
    for seed = 1, seeds do
      local study = simulate(random.new(seed), order, 1, 60, 20, 0.7)
      found[order] = found[order] + error_of(study, 2, study.difficulties, -1) / seeds
      spread = spread + deviation(study.counts, 15) / seeds
    end
  end
  local text = ("random %.3f, fewest %.3f, variance %.3f; %.2f"):format(found.random, found.fewest, found.variance, spread)
  luaunit.assertTrue(found.variance < 0.95 * math.min(found.random, found.fewest) and spread < 2, text)
end

--- The error of abilities, and the share of successes, of 60 players who come after 60 whose random plays tell the difficulties.
local function abilities(order, per_player, success)
  local sum, solved, seeds = 0, 0, long.choose(2, 40)
  for seed = 1, seeds do
    local stream = random.new(seed)
    local study = simulate(stream, "random", 1, 60, 20)
    simulate(stream, order, 61, 120, per_player, success, study)
    sum, solved = sum + error_of(study, 1, study.abilities, 1, 61) / seeds, solved + study.solved / (60 * per_player) / seeds
  end
  return sum, solved
end

-- Over 100 seeds: 20 random plays leave an error of 0.487, 20 at a chance of 0.7 one of 0.468, with 0.685 of successes; 20 at 0.5 one
-- of 0.438, and 14 one of 0.503.
function Chooser.test_abilities()
  long.leave_out()
  local by_chance = abilities("random", 20)
  local at_seventy, share = abilities("ability", 20, 0.7)
  local at_even, even_share = abilities("ability", 20, 0.5)
  local text = ("%.3f %.3f %.3f %.3f"):format(by_chance, at_seventy, at_even, share)
  luaunit.assertTrue(at_even < 0.95 * by_chance and at_even < at_seventy, text)
  luaunit.assertTrue(math.abs(share - 0.7) < 0.05 and math.abs(even_share - 0.5) < 0.05, text)
end

return { Chooser = Chooser }
