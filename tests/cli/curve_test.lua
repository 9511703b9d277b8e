--- End-to-end tests of crux curve: series by hand, intervals of simulated series, and input that is refused.
local dataset = require "crux.data.dataset"
local long = require "long"
local luaunit = require "luaunit"
local normal = require "crux.stats.normal"
local number = require "crux.base.number"
local random = require "libcrux.random"
local shell = require "shell"

local Curve = {}

--- Levels of difficulties log 1, log 3 and log 1: ability 0 succeeds with 1/2, 1/4 and 1/2.
local function levels()
  return shell.file("levels.csv", ("level,difficulty,seconds\na,0,10\nb,%.17g,20\nc,0,40\n"):format(math.log(3)))
end

local function assert_rows(options, expected)
  local rows = shell.decoded(("curve %s %s"):format(levels(), options))
  luaunit.assertEquals(#rows, #expected)
  for i, row in ipairs(rows) do
    for key, value in pairs(expected[i]) do luaunit.assertAlmostEquals(row[key], value, 1e-12, key .. i) end
    luaunit.assertNil(row.finish_low)
  end
end

-- 1/p attempts at each level: 2, 4 and 2, of which all but one are losses.
function Curve.test_players_who_try_until_they_succeed()
  assert_rows("--time seconds", { { chance = 1 / 2, finish = 1, losses = 1, time = 20 },
    { chance = 1 / 4, finish = 1, losses = 4, time = 100 }, { chance = 1 / 2, finish = 1, losses = 5, time = 180 } })
end

-- Level a: 1/2 + 1/4 succeed, 1/2 + 1/4 losses, 3/2 attempts. b: 3/4 come, 3/4 (1 - 9/16) go on, losses 3/4 (3/4 + 9/16),
-- attempts 3/4 (1 + 3/4). c: 21/64 come.
function Curve.test_two_attempts_at_each_level()
  assert_rows("--attempts 2 --time seconds", { { finish = 3 / 4, losses = 3 / 4, time = 15 },
    { finish = 21 / 64, losses = 3 / 4 + 63 / 64, time = 15 + 20 * 21 / 16 },
    { finish = 63 / 256, losses = 3 / 4 + 63 / 64 + 63 / 256, time = 15 + 20 * 21 / 16 + 40 * 63 / 128 } })
end

-- With two lives 1/2 leave level a with both, 1/4 with one. b: 1/2 1/4 pass with both, (1/4 + 1/2 3/4) 1/4 = 5/32 with one;
-- losses 3/4 (1/2 + 5/8). c: 1/8 1/2 and (5/32 + 1/16) 1/2; losses 1/2 (1/8 + 7/32).
function Curve.test_two_lives_in_the_whole_series()
  assert_rows("--lives 2", { { finish = 3 / 4, losses = 3 / 4 }, { finish = 9 / 32, losses = 3 / 4 + 27 / 32 },
    { finish = 11 / 64, losses = 3 / 4 + 27 / 32 + 11 / 64 } })
end

-- The product of the chances; whoever does not finish loses once.
function Curve.test_one_life()
  local product, rows = 1, {}
  for i, odds in ipairs { 1, 3, 1 } do
    product = product / (1 + odds / math.exp(0.7))
    rows[i] = { finish = product, losses = 1 - product }
  end
  assert_rows("--lives 1 --ability 0.7", rows)
  assert_rows("--attempts 1 --ability 0.7", rows)
end

-- The losses at a level are e^(difficulty - ability); of normal differences of variance 0.3^2 + 0.4^2 their mean is e^(0.25 / 2),
-- and the 95 % interval ends at e^(-+1.96 0.5). Bounds: four standard errors of 20,000 draws.
function Curve.test_intervals_of_one_level()
  local path = shell.file("one.csv", "level,difficulty,error\na,0,0.3\n")
  local row = shell.decoded(("curve %s --ability-error 0.4 --draws 20000"):format(path))[1]
  luaunit.assertAlmostEquals(row.losses, math.exp(0.125), 4 * 0.604 / math.sqrt(20000))
  luaunit.assertAlmostEquals(math.log(row.losses_low), -1.96 * 0.5, 0.04)
  luaunit.assertAlmostEquals(math.log(row.losses_high), 1.96 * 0.5, 0.04)
  luaunit.assertEquals({ row.finish, row.finish_low, row.finish_high }, { 1, 1, 1 })
  luaunit.assertEquals(shell.printed(("curve %s --seed 1"):format(path)), shell.printed("curve " .. path))
  luaunit.assertNotEquals(shell.printed(("curve %s --seed 2"):format(path)), shell.printed("curve " .. path))
end

-- Series whose true difficulties and ability lie around the given ones as the errors say: the intervals hold 95 % of the true
-- chances and losses, give or take three standard errors of the share.
function Curve.test_coverage()
  long.leave_out()
  local curve, stream, inside = require "crux.task.curve", random.new(3), { finish = 0, losses = 0 }
  local function last(rows, ability, error)
    local data = dataset.of_texts("series", { "difficulty", "error" }, rows)
    local found = curve.run { data = data, ability = ability, ability_error = error, attempts = 2, draws = 200, seed = 1 }.value
    return found[#found]
  end
  local series <const> = 200
  for _ = 1, series do
    local seen, true_ones = {}, {}
    for i = 1, 8 do
      local difficulty = normal(stream)
      seen[i] = { place = "here", texts = { difficulty = number.exact(difficulty), error = "0.5" } }
      true_ones[i] = { place = "here", texts = { difficulty = number.exact(difficulty + normal(stream, 0.5)), error = "0" } }
    end
    local found, truth = last(seen, 1, 0.4), last(true_ones, 1 + normal(stream, 0.4), 0)
    for key, count in pairs(inside) do
      if truth[key] >= found[key .. "_low"] and truth[key] <= found[key .. "_high"] then inside[key] = count + 1 end
    end
  end
  local margin = 3 * math.sqrt(0.95 * 0.05 / series)
  for key, count in pairs(inside) do luaunit.assertAlmostEquals(count / series, 0.95, margin, key) end
end

function Curve.test_what_is_refused()
  local path = levels()
  for _, case in ipairs {
    { "level,time\na,1\n", "", 1, "bad.csv:1: curve needs the column 'difficulty'" },
    { "level,difficulty\n", "", 1, "bad.csv:1: found a header and no rows, expected at least one row" },
    { "level,difficulty\na,0\nb,NA\n", "", 1,
      "bad.csv:3: level 'b': column 'difficulty': found no number, expected a number from -50 to 50, in logits" },
    { "level,difficulty,error\na,0,-1\n", "", 1, "column 'error': found -1, expected a number from 0 to 20, in logits" },
    { "level,difficulty,s\na,0,-2\n", "--time s", 1, "column 's': found -2, expected a time of at least 0" },
    { "level,difficulty\na,0\n", "--time s", 1, "curve needs the column 's'" },
    { "level,difficulty\na,0\n", "--lives 2 --attempts 2", 2, "found --attempts and --lives, expected one of them" },
    { "level,difficulty\na,0\n", "--lives 1001", 2, "--lives: found 1001, expected a number from 1 to 1000" },
    { "level,difficulty\na,0\n", "--ability 51", 2, "--ability: found 51, expected a number from -50 to 50" },
    { "level,difficulty\na,0\n", "--ability-error=-1", 2, "found -1, expected a number from 0 to 20" },
  } do
    local text, options, status, message = table.unpack(case)
    local result = shell.crux(("curve %s %s"):format(shell.file("bad.csv", text), options))
    luaunit.assertEquals(result.status, status)
    luaunit.assertStrContains(result.err, message)
  end
  luaunit.assertEquals(shell.crux(("curve %s --ability 50 --ability-error 20"):format(path)).status, 0) -- no overflow
end

function Curve.test_plots_have_intervals()
  local path = shell.file("curve.csv", shell.printed(("curve %s --ability-error 1 --attempts 3"):format(levels())))
  local svg = shell.printed(("plot curve %s --y finish --format svg"):format(path))
  luaunit.assertStrContains(svg, "Bars: 95 % intervals.")
  luaunit.assertStrContains(svg, "2 of 2 steps lead down.")
end

return { Curve = Curve }
