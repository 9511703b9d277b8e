--- Tests of lua/crux/rule/plays.lua on simulated studies whose truth is known.
local correlation = require "crux.stats.correlation"
local draw_normal = require "crux.stats.normal"
local intervals = require "crux.stats.intervals"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local memory = require "memory"
local plays = require "crux.rule.plays"
local random = require "libcrux.random"
local rules = require "crux.rule.rule"
local shell = require "shell"
local texts = require "libcrux.texts"
local vector = require "libcrux.vector"

--- A function that draws from the normal distribution around 0.
local function normal_of(stream)
  return function(deviation) return draw_normal(stream, deviation) end
end

local function add(columns, row)
  for name, value in pairs(row) do table.insert(columns[name], value) end
end

---@class Truth
---@field columns table<string, number[]>   player, puzzle, size and rating of the plays that were not given up
---@field all table<string, number[]>       player, puzzle, size, time and gave_up of all plays
---@field difficulty number[]               of each level

--- A study: difficulty = 0.3 size + the level's own part; a player rates difficulty minus ability, with noise, and gives up where
--- that is above a limit.
---@param spread { players: number, levels: number, noise: number, limit: number }   standard deviations of abilities, of own
---                                          parts and of noise; the limit
---@return Truth
local function study(seed, players, levels, per_player, spread)
  local stream = random.new(seed)
  local normal = normal_of(stream)
  local difficulty, size, columns, order = {}, {}, { player = {}, puzzle = {}, size = {}, rating = {} }, {}
  local all = { player = {}, puzzle = {}, size = {}, time = {}, gave_up = {} }
  for level = 1, levels do
    size[level] = stream:integer(5, 15)
    difficulty[level], order[level] = 0.3 * (size[level] - 10) + normal(spread.levels), level
  end
  for player = 1, players do
    local ability = normal(spread.players)
    for _, level in ipairs { table.unpack(stream:shuffle(order), 1, per_player) } do
      local felt = difficulty[level] - ability + normal(spread.noise)
      add(all, { player = player, puzzle = level, size = size[level], time = math.exp(math.min(felt, spread.limit)),
        gave_up = felt < spread.limit and 0 or 1 })
      if felt < spread.limit then
        add(columns, { player = player, puzzle = level, size = size[level], rating = 5.5 + felt })
      end
    end
  end
  return { columns = columns, all = all, difficulty = difficulty }
end

--- The plain means and the adjusted difficulties of the levels that somebody rated, and their true difficulties.
local function estimates(truth, formula)
  local data = memory(truth.columns)
  data.has.level = true
  table.insert(data.columns, "level")
  data.texts.level = texts.of(lists.map(truth.columns.puzzle, tostring))
  local means, adjusted, true_ones = {}, {}, {}
  for i, row in ipairs(plays.levels(rules.from_formula(formula or plays.formula), data, {})) do
    means[i], adjusted[i], true_ones[i] = row.mean, row.adjusted, truth.difficulty[tonumber(row.level)]
  end
  return vector.of(means), vector.of(adjusted), vector.of(true_ones)
end

--- The root mean square error of the line from estimates to the truth.
local function error_of(found, truth)
  local r = correlation.pearson(found, truth)
  local rest = truth - truth:sum() / #truth
  return math.sqrt((1 - r * r) * (rest * rest):sum() / #truth)
end

local Plays = {}

-- Spreads of players 1.5, levels' own parts 0.8, noise 1; given up above 3: about one play in ten. The formula has no measure.
-- 200 seeds: 0.727 and 0.481.
function Plays.test_adjusted_difficulties_are_nearer_to_the_truth_than_means()
  local seeds, plain, adjusted = long.choose(10, 200), 0, 0
  for seed = 1, seeds do
    local means, levels, truth = estimates(study(seed, 40, 80, 12, { players = 1.5, levels = 0.8, noise = 1, limit = 3 }))
    plain, adjusted = plain + error_of(means, truth), adjusted + error_of(levels, truth)
  end
  luaunit.assertTrue(adjusted <= 0.7 * plain, ("error of means %.3f, adjusted %.3f"):format(plain / seeds, adjusted / seeds))
end

-- Spreads of players 2, levels 1, noise 1; given up above 1.5: weak players leave the hard levels.
-- Better in 100 of 100 seeds, on average by 0.023.
function Plays.test_ranks_are_better_than_those_of_means_where_weak_players_give_up()
  long.only()
  local seeds, better, gain = 100, 0, 0
  for seed = 1, seeds do
    local means, levels, truth = estimates(study(seed, 60, 40, 40, { players = 2, levels = 1, noise = 1, limit = 1.5 }))
    local plain, adjusted = correlation.spearman(means, truth), correlation.spearman(levels, truth)
    better, gain = better + (adjusted > plain and 1 or 0), gain + adjusted - plain
  end
  luaunit.assertTrue(better >= 0.95 * seeds, ("better in %d of %d seeds, by %.3f"):format(better, seeds, gain / seeds))
end

--- Of a target that falls with difficulty, levels and players are those of the target turned round, 12 - rating.
function Plays.test_falling_targets_are_rising_ones_turned_round()
  local truth = study(3, 12, 8, 6, { players = 1, levels = 1, noise = 1, limit = math.huge })
  local formula, turned = "rating ~ 1 + (1 | player) + (1 | puzzle)", {}
  for i, rating in ipairs(truth.columns.rating) do turned[i] = 12 - rating end
  local function found(ratings, falls)
    local columns = lists.merge(truth.columns, { rating = ratings, player = lists.map(truth.columns.player, tostring) })
    local rule, data = rules.from_formula(formula), memory(columns)
    return plays.players(falls and rule:for_falling_target() or rule, data, {})
  end
  local rising, falling = found(truth.columns.rating), found(turned, true)
  luaunit.assertEquals(#falling, 12)
  for i, row in ipairs(rising) do
    luaunit.assertEquals(falling[i].player, row.player)
    luaunit.assertAlmostEquals(falling[i].ability, row.ability, 1e-6)
  end
end

--- How many of the 95 % intervals of the intercept and of size hold the true coefficients in 500 studies.
local function coverage(limit, fit, of_study, intercept)
  local inside, truth = { 0, 0 }, { intercept, 0.3 }
  for seed = 1, 500 do
    local columns, response = of_study(study(seed, 40, 80, 12, { players = 1, levels = 0.8, noise = 1, limit = limit }))
    local rule = rules.from_formula(response .. " ~ size + (1 | player) + (1 | puzzle)"):fitted_by(rules.method_of(fit, "fit"))
    for i, row in ipairs(rule:estimate(memory(columns), {}).terms) do
      if math.abs(row.estimate - truth[i]) < 1.959964 * row.std_error then inside[i] = inside[i] + 1 end
    end
  end
  for i, count in ipairs(inside) do
    luaunit.assertTrue(count >= 0.92 * 500 and count <= 0.98 * 500, ("term %d of %s: %d of 500"):format(i, fit, count))
  end
end

-- Spreads of players 1, levels' own parts 0.8, noise 1. Nobody gives up; then where the logarithm of the time would be above 2, about
-- one play in ten, and the time of giving up is a lower bound.
-- Found: 0.934 and 0.938; 0.942 and 0.932.
function Plays.test_coverage_of_intervals()
  long.only()
  coverage(math.huge, "mixed", function(truth) return truth.columns, "rating" end, 2.5)
  coverage(2, "mixed(family = lognormal, censored = gave_up)", function(truth) return truth.all, "time" end, -3)
end

--- How many studies are simulated: STUDIES of the environment, which `make claims` sets to 400, or 60.
local studies <const> = tonumber(os.getenv "STUDIES") or 60

--- A study of 40 players, of whom each plays each of 30 levels with some chance: eta = 0.5 + 0.5 x + own part (0.8) - ability (1).
---@return Dataset
---@return number[]   eta of each level for a player of ability 0
local function crossed(stream, density, response)
  local normal = normal_of(stream)
  local x, truth, columns, levels = {}, {}, { player = {}, x = {}, y = {} }, {}
  for level = 1, 30 do
    x[level] = normal(1)
    truth[level] = 0.5 + 0.5 * x[level] + normal(0.8)
  end
  for player = 1, 40 do
    local ability = normal(1)
    for level = 1, 30 do
      if stream:real() < density then
        add(columns, { player = player, x = x[level], y = response(truth[level] - ability, stream, normal) })
        table.insert(levels, tostring(level))
      end
    end
  end
  local data = memory(columns)
  data.has.level, data.texts.level = true, texts.of(levels)
  table.insert(data.columns, "level")
  return data, truth
end

local function with_noise(eta, _, normal) return eta + normal(1) end

local function solved(eta, stream) return stream:real() < 1 / (1 + math.exp(eta)) and 1 or 0 end

--- Asserts that a share of intervals holds the truth, with five standard errors of simulation as if 30 of a study were 10.
local function assert_share(inside, count, least, most, what)
  local share = inside / count
  local margin = studies < 400 and 5 * math.sqrt(0.06 / (count / 3)) or 0.005
  luaunit.assertTrue(share >= least - margin and share <= most + margin, ("%s: %.4f"):format(what, share))
end

-- 400 studies: linear 0.95 with plays of every fifth level, and with all; logistic 0.92 and 0.95. Errors that ignore the
-- coefficients and variances: 0.925, 0.94, 0.79 and 0.92.
function Plays.test_coverage_of_difficulties()
  long.only()
  for _, case in ipairs { { "linear", 0.2, with_noise, 0.94, 0.96 }, { "linear", 1, with_noise, 0.94, 0.96 },
    { "logistic", 0.2, solved, 0.92, 0.97 }, { "logistic", 1, solved, 0.94, 0.97 } } do
    local family, density, response, least, most = table.unpack(case)
    local stream, inside, count, smallest = random.new(1), 0, 0, math.huge
    local rule = rules.from_formula "y ~ x + (1 | player) + (1 | level)"
      :fitted_by(rules.method_of(("mixed(family = %s)"):format(family), "fit"))
    for _ = 1, studies do
      local data, truth = crossed(stream, density, response)
      for _, row in ipairs(plays.levels(rule, data, {})) do
        count, smallest = count + 1, math.min(smallest, row.error)
        if math.abs(row.difficulty - truth[tonumber(row.level)]) < 1.959964 * row.error then inside = inside + 1 end
      end
    end
    assert_share(inside, count, least, most, ("%s, density %g"):format(family, density))
    luaunit.assertTrue(smallest > 1e-3, smallest)
  end
end

--- A study of players at `per_player` of 80 levels: rating = 5 + 0.8 x + own part (0.6) + leniency (0.8) + noise. Levels are played
--- by chance or, with `choosy`, lenient players play easy ones.
---@return table<string, number[]>   columns
---@return number[]                  x of each level
local function rated_study(stream, players, per_player, noise, choosy)
  local normal = normal_of(stream)
  local x, own, columns = {}, {}, { player = {}, puzzle = {}, x = {}, rating = {} }
  for level = 1, 80 do
    x[level] = normal(1)
    own[level] = 0.8 * x[level] + normal(0.6)
  end
  for player = 1, players do
    local leniency, keys, order = normal(0.8), {}, {}
    for level = 1, 80 do
      local gumbel = -math.log(-math.log(stream:real() + 1e-300))
      order[level], keys[level] = level, gumbel - (choosy and 1.2 * leniency * own[level] or 0)
    end
    table.sort(order, function(a, b) return keys[a] > keys[b] end)
    for i = 1, per_player do
      local level = order[i]
      add(columns, { player = player, puzzle = level, x = x[level], rating = 5 + own[level] + leniency + normal(noise) })
    end
  end
  return columns, x
end

--- Studies of 40 players with 12 of 80 levels each; of 20 with 8, whose ratings are noisier; of players who choose.
local designs <const> = { { 40, 12, 1 }, { 20, 8, 1.5 }, { 40, 12, 1, true } }

--- Asserts that in each design the mean slope is 0.78 to 0.82, and that a share of the 95 % intervals holds 0.8.
---@param slope_of fun(columns: table<string, number[]>, x: number[]): table   the row of x in a fit
---@param shares number[]   the least share of each design
local function assert_slopes(slope_of, shares)
  local margin = studies < 400 and 0.06 or 0
  for i, design in ipairs(designs) do
    local stream, sum, inside = random.new(2), 0, 0
    for _ = 1, studies do
      local slope = slope_of(rated_study(stream, table.unpack(design, 1, 4)))
      sum = sum + slope.estimate
      inside = inside + (math.abs(slope.estimate - 0.8) < intervals.t(0.95, slope.df or 78) * slope.std_error and 1 or 0)
    end
    local what = ("design %d: slope %.4f, coverage %.4f"):format(i, sum / studies, inside / studies)
    luaunit.assertTrue(math.abs(sum / studies - 0.8) <= 0.02 + margin, what)
    luaunit.assertTrue(inside / studies >= shares[i] - margin, what)
  end
end

-- 400 studies: 0.805, 0.806 and 0.813, with coverage of 0.96, 0.955 and 0.87. Levels that are shrunk towards their mean, as those of
-- `crux levels`, gave 0.68 and 0.36. Where players choose, two errors cancel: random players pull the slope to 0.72, and weights by
-- plays, which extreme levels have more of, to 0.89; the error of weighted least squares is a fifth too small.
function Plays.test_slopes_of_adjusted_levels()
  long.only()
  assert_slopes(function(columns, x)
    local plays_of, measures, levels = { "player,level,rating" }, { "level,x" }, shell.path "levels.csv"
    for row, player in ipairs(columns.player) do
      plays_of[row + 1] = ("p%d,%d,%.6f"):format(player, columns.puzzle[row], columns.rating[row])
    end
    for level, value in ipairs(x) do measures[level + 1] = ("%d,%.9g"):format(level, value) end
    local path = shell.file("study.csv", table.concat(plays_of, "\n") .. "\n")
    local with = shell.file("x.csv", table.concat(measures, "\n") .. "\n")
    luaunit.assertEquals(shell.crux(("aggregate --adjust %s -o %s"):format(path, levels)).status, 0)
    return shell.decoded(("fit --formula 'difficulty ~ x' --weights solved --with %s %s"):format(with, levels)).terms[2]
  end, { 0.91, 0.91, 0.86 })
end

-- 400 studies: 0.805, 0.803 and 0.799, with coverage of 0.968, 0.958 and 0.95.
function Plays.test_slopes_of_plays_with_fixed_players()
  long.only()
  local rule = rules.from_formula "rating ~ x + (1 | player) + (1 | puzzle)"
    :fitted_by(rules.method_of("mixed(fixed = player)", "fit"))
  assert_slopes(function(columns) return rule:estimate(memory(columns), {}).terms[1] end, { 0.91, 0.91, 0.91 })
end

-- 400 studies: 0.95 and 0.95, where z gives 0.89 and 0.92.
function Plays.test_coverage_of_slopes_with_few_levels()
  long.only()
  for _, case in ipairs { { "linear", 20, 8, with_noise }, { "logistic", 40, 12, solved } } do
    local family, players, levels, response = table.unpack(case)
    local stream, inside = random.new(3), 0
    local rule = rules.from_formula "y ~ x + (1 | player) + (1 | puzzle)"
      :fitted_by(rules.method_of(("mixed(family = %s)"):format(family), "fit"))
    for _ = 1, studies do
      local normal, x, own = normal_of(stream), {}, {}
      local columns = { player = {}, puzzle = {}, x = {}, y = {} }
      for level = 1, levels do x[level], own[level] = normal(1), normal(0.8) end
      for player = 1, players do
        local ability = normal(1)
        for level = 1, levels do
          local y = response(0.5 * x[level] + own[level] + ability, stream, normal)
          add(columns, { player = player, puzzle = level, x = x[level], y = y })
        end
      end
      local row, sign = rule:estimate(memory(columns), {}).terms[2], family == "linear" and 1 or -1
      if math.abs(sign * row.estimate - 0.5) < intervals.t(0.95, row.df) * row.std_error then inside = inside + 1 end
    end
    assert_share(inside, studies, 0.93, 0.98, family)
  end
end

-- 400 studies of 30 players: how often a measure that says nothing has p < 0.05. Plays taken as independent gave 0.51 and 0.41.
function Plays.test_correlations_of_a_null_measure()
  long.only()
  for _, levels in ipairs { 20, 80 } do
    local stream, counts = random.new(4), { 0, 0, 0 }
    for _ = 1, studies do
      local normal, x, own = normal_of(stream), {}, {}
      local lines = { "player,level,x,rating" }
      for level = 1, levels do x[level], own[level] = normal(1), normal(0.8) end
      for player = 1, 30 do
        local leniency = normal(1)
        for level = 1, levels do
          table.insert(lines, ("%d,%d,%.9g,%.9g"):format(player, level, x[level], own[level] + leniency + normal(1)))
        end
      end
      local path = shell.file("null.csv", table.concat(lines, "\n") .. "\n")
      local row = shell.decoded(("correlate --plays --x x --y rating %s"):format(path))[1]
      for k, p in ipairs { row.pearson_p, row.kendall_p, row.spearman_p } do counts[k] = counts[k] + (p < 0.05 and 1 or 0) end
    end
    for k, count in ipairs(counts) do
      local margin = studies < 400 and 0.08 or 0
      luaunit.assertTrue(count / studies >= 0.03 - margin and count / studies <= 0.07 + margin,
        ("%d levels, test %d: %.3f"):format(levels, k, count / studies))
    end
  end
end

return { Plays = Plays }
