--- End-to-end tests of crux track: ratings at the end and over time, clocks, states, and input that is refused.
local luaunit = require "luaunit"
local shell = require "shell"

local crux, decode = shell.printed, shell.decoded

local Track = {}

--- A fitted rule with these fields.
local function rule(name, formula, fit, coefficients, parameters)
  return shell.file(name .. ".lua", ("return crux.rule { name = %q, predicts = %q, formula = %q, fit = %q, coefficients = { %s }, "
    .. "parameters = { %s } }\n"):format(name, formula:match "%a+", formula, fit, coefficients, parameters))
end

local function outcomes()
  return rule("outcomes", "solved ~ size + (1 | player) + (1 | level)", "mixed(family = logistic)", "['(intercept)'] = 2, size = -0.5",
    "theta = { 1, 1.5 }")
end

local function plays(text) return shell.file("plays.csv", text) end

-- Elo by hand: ann wins 16 points from level a, of which 400 are odds of ten to one; then bob is expected to win 1 of
-- 1 + 10^(16/400) plays, wins, and a loses as much again.
function Track.test_elo()
  local rows = decode("track --model elo " .. plays "player,level,solved\nann,a,1\nbob,a,1\n")
  local point = math.log(10) / 400
  local bob = 32 * (1 - 1 / (1 + 10 ^ (-16 / 400)))
  local expected = { { "player", "ann", 16 }, { "player", "bob", bob }, { "level", "a", -16 - bob } }
  for i, row in ipairs(expected) do
    luaunit.assertEquals({ rows[i].side, rows[i].name }, { row[1], row[2] })
    luaunit.assertAlmostEquals(rows[i].rating, row[3] * point, 1e-12)
  end
  luaunit.assertEquals(#rows, 3)
end

-- 1 - (1 + 1 / (4 + 1 + 4)) of the variances, as in tests/rule/tracker_test.lua: of numbers a larger one is a harder level.
function Track.test_ratings_of_a_linear_model()
  local path = rule("numbers", "rating ~ 1 + (1 | player) + (1 | level)", "mixed", "['(intercept)'] = 10", "sigma = 2, theta = { 1, 0.5 }")
  local rows = decode(("track %s %s"):format(plays "player,level,rating\nann,a,19\n", path))
  luaunit.assertEquals({ rows[1].rating, rows[2].rating, rows[2].plays }, { -4, 11, 1 })
  luaunit.assertAlmostEquals(rows[1].error ^ 2, 20 / 9, 1e-12)
  local printed = crux(("track %s %s --format table"):format(shell.path "plays.csv", path))
  local loss = 0.5 * math.log(2 * math.pi * 9) + 4.5
  luaunit.assertStrContains(printed, ("\n1 play; mean log loss of what was expected before each: %.4f\n"):format(loss))
end

-- A level that nobody has played is as hard as its rule says, 0.5 size - 2 logits, give or take 1.5: the chance of success at size 4
-- is one half.
function Track.test_a_new_level_starts_at_its_rule()
  local path = plays "player,level,solved,size\nann,a,1,4\n"
  local row = decode(("track --over-time %s %s"):format(path, outcomes()))[1]
  luaunit.assertAlmostEquals(row.expected, 0.5, 1e-12)
  luaunit.assertTrue(row.difficulty < 0 and row.difficulty_error < 1.5 and row.ability > 0)
  luaunit.assertAlmostEquals(row.difficulty / row.ability, -1.5 ^ 2, 1e-9) -- shares in proportion to the variances
end

local mixed_up = "player,level,solved,size,day\nann,a,1,4,5\nann,a,1,4,5\nann,b,0,2,4\nbob,b,0,2,1\nbob,b,,2,2\nann,b,1,2,9999\n"

function Track.test_clocks_are_said()
  local path = plays(mixed_up)
  local result = shell.crux(("track --over-time --clock day --drift 0.1 --format csv %s %s"):format(path, outcomes()))
  luaunit.assertEquals(result.status, 0)
  local said = ([[
PLAYS: 1 play left out: a value is missing
PLAYS: 1 play left out: the clock is that of the player's last play, the first at PLAYS:3
PLAYS: 1 play left out: the clock is before the player's last play, the first at PLAYS:4
PLAYS: 1 play came so long after the player's last that the player counts as new, the first at PLAYS:7
]]):gsub("PLAYS", (path:gsub("^'(.*)'$", "%1")))
  luaunit.assertEquals(result.err, said)
  local expected = {}
  for line in result.out:gmatch "[^\n]+" do table.insert(expected, line:match "^[^,]*,[^,]*,([^,]*)" ~= "") end
  luaunit.assertEquals(expected, { true, true, false, false, true, true })
end

--- The plays of Rush Hour's first players, in two parts.
local function parts()
  local lines, count = { {}, {} }, 0
  for line in shell.read("datasets/rushhour-plays.csv"):gmatch "[^\n]+\n" do
    count = count + 1
    for part = 1, 2 do
      if count == 1 or count <= 600 and (count <= 200) == (part == 1) then table.insert(lines[part], line) end
    end
  end
  return shell.file("first.csv", table.concat(lines[1])), shell.file("second.csv", table.concat(lines[2])),
    shell.file("both.csv", table.concat(lines[1]) .. table.concat(lines[2], "", 2))
end

local function fresh_state()
  local path = shell.path "state.csv"
  os.remove((path:gsub("^'(.*)'$", "%1")))
  return path
end

function Track.test_a_state_goes_on_as_if_it_had_not_stopped()
  local first, second, both = parts()
  for _, model in ipairs { "elo", "glicko2" } do
    local state, options = fresh_state(), " --model " .. model
    crux(("track %s --state %s%s"):format(first, state, options))
    luaunit.assertEquals(crux(("track %s --state %s%s"):format(second, state, options)), crux(("track %s%s"):format(both, options)))
  end
end

function Track.test_a_state_that_cannot_be_used()
  local first, second = parts()
  local state = fresh_state()
  crux(("track %s --state %s"):format(first, state))
  local whole = shell.read(state)
  local function refused(text, options, pattern)
    shell.file("state.csv", text)
    local result = shell.crux(("track %s --state %s%s"):format(second, state, options))
    luaunit.assertEquals({ result.status, result.out, shell.read(state) }, { 1, "", text })
    luaunit.assertStrMatches(result.err, pattern)
  end
  for _, bytes in ipairs { #whole // 2, whole:find "end," - 1 } do
    local text = whole:sub(1, bytes):match "^(.*\n)"
    refused(text, "", ".*state%.csv: found no row 'end', expected one at the end: the state was cut short\n")
  end
  refused(whole:sub(1, -4), "", ".*state%.csv:%d+: .*\n") -- in the middle of the last row
  refused(whole, " --model elo", ".*state%.csv: found the state of 'solved, drift = 0, .*, expected that of 'solved, drift = 0, .*\n")
end

-- The second play is wrong: neither a result nor a state.
function Track.test_a_failure_keeps_the_former_state()
  local state = fresh_state()
  crux(("track %s --state %s"):format(plays "player,level,solved\nann,a,1\n", state))
  local before = shell.read(state)
  local result = shell.crux(("track %s --state %s"):format(plays "player,level,solved\nann,a,1\nann,b,3\n", state))
  luaunit.assertEquals({ result.status, result.out, shell.read(state) }, { 1, "", before })
  luaunit.assertStrContains(result.err, "plays.csv:3: column 'solved': found 3, expected the outcome 0 or 1")
end

function Track.test_refused()
  local path = plays "player,level,solved,size,time\nann,a,1,4,0\n"
  local unfitted = shell.file("unfitted.lua", "return crux.rule { name = 'u', formula = 'solved ~ size + (1 | player) + (1 | level)', "
    .. "fit = 'mixed(family = logistic)' }\n")
  local times = rule("times", "time ~ 1 + (1 | player) + (1 | level)", "mixed(family = lognormal)", "['(intercept)'] = 1",
    "sigma = 1, theta = { 1, 1 }")
  local alone = rule("alone", "solved ~ 1 + (1 | player)", "mixed(family = logistic)", "['(intercept)'] = 1", "theta = { 1 }")
  for _, case in ipairs {
    { unfitted, "found no coefficients, expected a rule fitted by crux fit -o" },
    { "flow", "rule 'flow': found another fit, expected a rule fitted by mixed with (1 | player) + (1 | level)" },
    { alone, "found other groups, expected a rule fitted by mixed with (1 | player) + (1 | level)" },
    { times .. " --model elo", "found the family lognormal and --model elo, expected the family logistic, or --model kalman" },
    { times, "plays.csv:2: column 'time': found 0, expected a time above 0" },
    { "--clock when", "which is not among the columns" },
    { "--period 0", "found '0', expected a number above 0" },
  } do
    local result = shell.crux(("track %s %s"):format(path, case[1]))
    luaunit.assertTrue(result.status > 0, case[1])
    luaunit.assertStrContains(result.err, case[2])
  end
end

return { Track = Track }
