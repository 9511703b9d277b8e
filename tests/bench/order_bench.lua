-- Orders of levels beside levels made at random: order_bench.lua [GAME]. For each game 1,000 levels are made at random; then
-- * for each tenth of the ratings between their 5th and 95th percentile 20 levels are ordered, written, read and rated again,
--   and their mean distance is divided by that of 20 random levels in the same range;
-- * for Move, Flow and Lazors, levels above the 99th percentile are ordered, and the number found is divided by the number that
--   random levels have for the same number of calls of the solver.
local distance = require "crux.order.distance"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local lists = require "crux.base.lists"
local request = require "crux.order.request"
local order = require "crux.order.order"
local process = require "libcrux.process"
local random = require "libcrux.random"
local rules = require "crux.rule.rule"
local trials = require "crux.order.trials"

local only = arg and arg[1] or ...
local pool_size <const>, count <const>, tenths <const>, tries <const> = 1000, 20, 10, 50000

local cases = {
  { game = "move", rule = "move", compared = true }, { game = "flow", rule = "flow", compared = true },
  { game = "lazors", rule = "lazors", compared = true }, { game = "sokoban", rule = "sokoban" },
  { game = "sprinkfield", rule = "sprinkfield-v2" }, { game = "dungeongrams", rule = "roguelike-difficulty" },
}

--- A game that counts the calls of its solver in `calls`.
local function counting(name)
  local game = games.load(name)
  local solve = game.solution
  game.calls = 0
  function game.solution(...)
    game.calls = game.calls + 1
    return solve(...)
  end
  return game
end

local function asked_of(game, range, wanted)
  return { rating = range, count = wanted, seed = 2, tries = tries, own = generator.options(game, {}),
    limits = { bytes = 1 << 30 } }
end

--- Fills an order in this process.
local function fill(game, rule, range, wanted)
  local order_wanted, setup = request.read(game, rule, asked_of(game, range, wanted))
  setup.rule = rule
  local run = trials.new(setup, game)
  return order.fill(game, order_wanted, setup.production.measures, function(items)
    return function()
      local trial = items()
      if trial then return trial, run(trial) end
    end
  end)
end

--- Levels at random with their ratings.
local function random_levels(game, rule)
  local _, setup = request.read(game, rule, asked_of(game, { least = -math.huge, greatest = math.huge, tolerance = 0 }, 1))
  setup.production.seed, setup.production.changes, setup.production.steps = 1, 50000, nil -- as `crux generate`
  setup.rule = rule
  local run, found = trials.new(setup, game), {}
  for stream = 0, pool_size - 1 do table.insert(found, run { stream = stream, count = 1 }.found[1]) end
  return found, setup
end

local function quantile(levels, share) return levels[math.max(1, math.ceil(share * #levels))].rating end

--- The mean distance of 20 levels, over 200 draws of 20 random levels; nil of fewer.
local function mean_of_random(levels)
  if #levels < count then return nil end
  local rng, sum, draws = random.new(3), 0, 200
  for _ = 1, draws do
    sum = sum + distance.summary(lists.copy(rng:shuffle(lists.field(levels, "point")), count))
  end
  return sum / draws
end

--- The number of levels whose text is rated in the range when it is read again.
local function inside(game, rule, setup, levels, range)
  local judge, right = trials.judge(setup, game, rule), 0
  for _, level in ipairs(levels) do
    local again = judge:judge({}, game:only_level(level.text))
    if again and again.rating >= range.least and again.rating <= range.greatest then right = right + 1 end
  end
  return right
end

local function show(...) print(string.format(...)) end

for _, case in ipairs(cases) do
  if not only or only == case.game then
    local game, rule = counting(case.game), rules.load(case.rule)
    local start = process.seconds()
    local made, setup = random_levels(game, rule)
    local calls_of_random = game.calls
    lists.sort(made, function(level) return level.rating end)
    local scales = distance.scales(made, setup.production.measures)
    for _, level in ipairs(made) do level.point = scales:point(level) end
    local low, high, top = quantile(made, 0.05), quantile(made, 0.95), quantile(made, 0.99)
    show("%s: %d levels at random, %d calls of the solver, %.1f s; ratings: 5 %% %.3f, 95 %% %.3f, 99 %% %.3f", case.game, #made,
      calls_of_random, process.seconds() - start, low, high, top)
    for tenth = 1, tenths do
      local range = { least = low + (tenth - 1) * (high - low) / tenths, greatest = low + tenth * (high - low) / tenths,
        tolerance = 0 }
      start, game.calls = process.seconds(), 0
      local filled = fill(game, rule, range, count)
      local calls, seconds = game.calls, process.seconds() - start
      local chosen = filled.chosen[1]
      local apart = distance.summary(lists.map(chosen, function(level) return scales:point(level) end))
      local within = lists.select(made, function(level) return level.rating >= range.least and level.rating <= range.greatest end)
      local expected = mean_of_random(within)
      show("  %6.3f..%6.3f: %d of %d, %d inside when read again, %d calls, %.1f s, distance %.2f%s", range.least, range.greatest,
        #chosen, count, inside(game, rule, setup, chosen, range), calls, seconds, apart or 0,
        expected and (", %.2f of that of %d random ones"):format(apart / expected, #within) or "")
    end
    if case.compared then
      game.calls = 0
      local filled = fill(game, rule, { least = top, greatest = math.huge, tolerance = 0 }, 200)
      local found = 0
      for _ in pairs(filled.seen) do found = found + 1 end
      local above = #lists.select(made, function(level) return level.rating > top end)
      local expected = above / calls_of_random * game.calls
      show("  above %.3f: %d levels in %d calls; random levels: %d in %d, so %.1f in as many; ratio %.0f", top, found, game.calls,
        above, calls_of_random, expected, found / expected)
    end
  end
end
