--- Tests of lua/crux/play/chooser.lua: values by hand, and simulated players who get one level after the other.
local chooser = require "crux.play.chooser"
local long = require "long"
local luaunit = require "luaunit"
local normal = require "crux.stats.normal"
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

--- The chance of success at a level of a player of deviation 1 after some plays, by sums over abilities from -8 to 8.
local function expected_chance(difficulties, plays, level)
  local sum, successes = 0, 0
  for step = -800, 800 do
    local ability = step / 100
    local weight = math.exp(-ability ^ 2 / 2)
    for _, play in ipairs(plays) do
      local chance = 1 / (1 + math.exp(difficulties[play.level] - ability))
      weight = weight * (play.solved and chance or 1 - chance)
    end
    sum, successes = sum + weight, successes + weight / (1 + math.exp(difficulties[level] - ability))
  end
  return successes / sum
end

-- By hand: without plays the chance at -1 is 1 / (1 + exp(-1 / sqrt(1 + 3 / pi^2))) = 0.705935, and that of 0.7 is at
-- -log(0.7 / 0.3) * sqrt(1 + 3 / pi^2) = -0.967540.
function Chooser.test_next_without_plays()
  local found = chooser.next("next", { 0, -1, -2, -1 }, {})
  luaunit.assertEquals(found.level, 2)
  luaunit.assertAlmostEquals(found.chance, 0.705935, 1e-6)
  luaunit.assertAlmostEquals(found.difficulty, -0.967540, 1e-6)
  found = chooser.next("next", { 0, -1, -2, -1 }, {}, 0.5)
  luaunit.assertEquals({ found.level, found.chance }, { 1, 0.5 })
  luaunit.assertAlmostEquals(found.difficulty, 0, 1e-15)
  local wider = chooser.next("next", { 0 }, {}, 0.7, 2).difficulty
  luaunit.assertAlmostEquals(wider, -math.log(0.7 / 0.3) * math.sqrt(1 + 12 / math.pi ^ 2), 1e-12)
end

--- For random levels and plays, no level is chosen twice, and no other level is nearer to the wanted chance by more than 0.03, the
--- error of the approximations.
function Chooser.test_next_of_random_records()
  for seed = 1, 20 do
    local stream, difficulties, plays, played = random.new(seed), {}, {}, {}
    for level = 1, 12 do difficulties[level] = 6 * stream:real() - 3 end
    for _ = 1, seed % 12 do
      local level = chooser.next("next", difficulties, plays).level
      luaunit.assertNil(played[level])
      table.insert(plays, { level = level, solved = stream:real() < 0.6 })
      played[level] = true
    end
    local found, nearest = chooser.next("next", difficulties, plays), math.huge
    for level = 1, 12 do
      if not played[level] then nearest = math.min(nearest, math.abs(expected_chance(difficulties, plays, level) - 0.7)) end
    end
    local chance = expected_chance(difficulties, plays, found.level)
    luaunit.assertAlmostEquals(found.chance, chance, 0.03)
    luaunit.assertTrue(math.abs(chance - 0.7) < nearest + 0.03, ("seed %d"):format(seed))
  end
end

--- The first play of a level counts, and of no levels, or where all are played, none is next.
function Chooser.test_next_at_the_ends()
  local once = chooser.next("next", { 0 }, { { level = 1, solved = true } })
  luaunit.assertNil(once.level)
  luaunit.assertNil(once.chance)
  luaunit.assertEquals(chooser.next("next", { 0 }, { { level = 1, solved = true }, { level = 1.0, solved = false } }), once)
  luaunit.assertAlmostEquals(chooser.next("next", {}, {}).difficulty, -0.967540, 1e-6)
  local far = chooser.next("next", { 1e308, -1e308 }, { { level = 1, solved = true } }, 1e-300, 9e5)
  luaunit.assertEquals({ far.level, far.chance, far.difficulty < math.huge }, { 2, 1, true })
end

function Chooser.test_next_refuses()
  local function refuses(expected, ...) luaunit.assertErrorMsgEquals(expected, chooser.next, "next", ...) end
  refuses("next: difficulty 2: found NaN, expected a finite number", { 0, 0 / 0 }, {})
  refuses("next: difficulty 1: found 'hard', expected a finite number", { "hard" }, {})
  refuses("next: success: found 1, expected a number between 0 and 1", { 0 }, {}, 1)
  refuses("next: spread: found 0, expected a number between 0 and 1e6", { 0 }, {}, 0.7, 0)
  refuses("next: play 1: found level 2, expected one of 1 to 1", { 0 }, { { level = 2, solved = true } })
  local forms = "{ level = 3, solved = true } or { level = 3, solved = false }"
  refuses("next: play 1: found solved = 1, expected " .. forms, { 0 }, { { level = 1, solved = 1 } })
  refuses("next: play 1: found 7, expected " .. forms, { 0 }, { 7 })
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
      local level = chooser.least(values, played[player], stream)
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
