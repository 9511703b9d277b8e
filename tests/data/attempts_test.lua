--- Tests of lua/crux/data/attempts.lua and summary.lua: a small study of a row an attempt, worked out by hand.
local attempts = require "crux.data.attempts"
local dataset = require "crux.data.dataset"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"
local summary = require "crux.data.summary"

local header = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"

--- Ann loses level a before she solves it, skips c and rates it; Cid has restarted a and gone.
local text = header .. [[
ann,t,1,1,,3,1,1,0,0,,1
ann,a,2,1,,4.5,2,0,0,1,spike,0
ann,a,2,2,2,6,3,1,0,0,,0
ann,b,3,1,5,20,6,1,0,2,enemy,0
ann,c,4,1,8,60,9,0,1,1,spike,0
bob,b,1,1,3,15,5,1,0,0,,0
bob,a,2,1,1,5,3,1,0,0,,0
bob,c,3,1,9,,12,1,0,0,,0
cid,a,1,1,,9,3,0,0,0,,0
]]

local function open(content) return dataset.open(shell.file("plays.csv", content)) end

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

local Attempts = {}

function Attempts.test_plays()
  local plays = attempts.plays(open(text))
  local found = {}
  for i, play in ipairs(plays) do
    found[i] = ("%s %s %d %s %s %s %g %g"):format(play.player, play.level, play.attempts, play.solved, play.skipped,
      play.tutorial, play.time, play.losses)
  end
  luaunit.assertEquals(found, { "ann t 1 true false true 3 0", "ann a 2 true false false 10.5 1",
    "ann b 1 true false false 20 2", "ann c 1 false true false 60 1", "bob b 1 true false false 15 0",
    "bob a 1 true false false 5 0", found[7], "cid a 1 false false false 9 0" })
  luaunit.assertEquals(plays[2].causes, { spike = 1 })
  luaunit.assertEquals({ plays[2].rating, plays[2].moves_used, plays[2].position }, { 2, 5, 2 })
  luaunit.assertNaN(plays[7].time)
end

--- A row a play, without plays that did not end. Messages name the row of the last attempt.
function Attempts.test_merged()
  local merged, unfinished = attempts.merged(open(text))
  luaunit.assertEquals(unfinished, 1)
  luaunit.assertEquals(merged.columns, { "player", "level", "position", "rating", "time", "moves_used", "skipped", "losses",
    "tutorial", "attempts" })
  for block in merged:blocks { numbers = { "time", "attempts" }, texts = { "level", "time" }, levels = true } do
    luaunit.assertEquals({ block.rows, block.levels[2], block.texts.time[2], block.numbers.attempts[2] }, { 7, "a", "10.5", 2 })
    luaunit.assertStrContains(block:place(2), "plays.csv:4")
  end
  luaunit.assertStrContains(message(function() merged:blocks { numbers = { "level" } }() end),
    "plays.csv:2: column 'level': found 't', expected a number")
end

--- A study with a row a play remains as it is.
function Attempts.test_a_row_a_play()
  local data = open "player,level,rating,skipped\nann,a,2,0\n"
  luaunit.assertEquals({ attempts.merged(data) }, { data, 0 })
  local plays = attempts.plays(open "player,level,rating,skipped\nann,a,2,\nbob,a,3,1\n")
  luaunit.assertEquals({ plays[1].solved, plays[2].solved, plays[2].skipped, plays[2].time }, { true, false, true })
end

--- Without the column `attempt`, rows with `solved` are attempts in their order.
function Attempts.test_attempts_without_numbers()
  local data = open "player,level,rating,solved\nann,a,2,0\nann,a,3,1\nbob,a,4,0\ncid,a,5,1\n"
  local plays = attempts.plays(data)
  luaunit.assertEquals(lists.map(plays, function(play) return { play.player, play.attempts, play.solved, play.rating } end),
    { { "ann", 2, true, 3 }, { "bob", 1, false, 4 }, { "cid", 1, true, 5 } })
  luaunit.assertEquals({ select(2, attempts.merged(data)) }, { 1, { attempts = 4, plays = 3 } })
  for block in attempts.solved(data):blocks { numbers = { "rating" } } do
    luaunit.assertEquals({ block.numbers.rating[1], block.numbers.rating[2], block.rows }, { 3, 5, 2 })
  end
end

function Attempts.test_solved()
  local solved = attempts.solved(open(text))
  for block in solved:blocks { texts = { "player", "level" } } do
    luaunit.assertEquals(table.concat(block.texts.player, " "), "ann ann bob bob bob")
    luaunit.assertEquals(table.concat(block.texts.level, " "), "a b b a c")
  end
  luaunit.assertEquals(solved.columns, { "player", "level", "position", "rating", "time", "moves_used", "losses", "attempts" })
  luaunit.assertErrorMsgContains("found no play that has ended, expected at least one", attempts.solved, open(header .. "ann,a,1,1,,3,1,1,0,0,,1\n"))
end

function Attempts.test_rows_behind_the_end()
  luaunit.assertStrContains(message(attempts.plays, open(text .. "ann,c,4,2,,1,1,1,0,0,,0\n")),
    "plays.csv:11: found player 'ann' and level 'c' again, as in")
  luaunit.assertStrContains(message(attempts.plays, open(text .. "ann,d,4,2,,1,1,maybe,0,0,,0\n")),
    "plays.csv:11: column 'solved': found 'maybe', expected 0 or 1")
end

function Attempts.test_negative_numbers()
  luaunit.assertStrContains(message(attempts.plays, open(text .. "ann,d,4,1,,-400,1,0,0,0,,0\nann,d,4,2,2,1,1,1,0,0,,0\n")),
    "plays.csv:11: column 'time': found -400, expected a number that is not negative")
  luaunit.assertStrContains(message(attempts.merged, open(text .. "ann,d,4,1,2,1,-1,1,0,0,,0\n")),
    "plays.csv:11: column 'moves_used': found -1, expected a number that is not negative")
end

local Summary = {}

--- By hand. Slopes: a has positions 2, 2, b 3, 1 with ratings 5, 3: (1 * 1 + 1 * 1) / 2; c 4, 3 with 8, 9: deviations 0.5,
--- -0.5 of positions and -0.5, 0.5 of ratings. So (2 - 0.5) / (2 + 0.5); times, of solved plays, 20 and 15 at positions 3 and 1.
function Summary.test_by_hand()
  local found = summary.of(attempts.plays(open(text)))
  luaunit.assertEquals({ found.players, found.plays, found.solved, found.skipped, found.attempts, found.losses, found.skip_time },
    { 3, 7, 5, 1, 8, 4, 60 })
  luaunit.assertEquals(found.causes, { { cause = "spike", attempts = 2 }, { cause = "enemy", attempts = 1 } })
  luaunit.assertAlmostEquals(found.rating_slope, 1.5 / 2.5, 1e-15)
  luaunit.assertAlmostEquals(found.time_slope, 5 / 2, 1e-15)
  local levels = found.per_level
  luaunit.assertEquals({ levels.least, levels.greatest, levels.median, levels.n }, { 2, 3, 2, 3 })
  luaunit.assertAlmostEquals(levels.deviation, math.sqrt(1 / 3), 1e-15) -- 3, 2, 2
  luaunit.assertEquals({ found.per_player.least, found.per_player.mean }, { 0, 2 }) -- Ann and Bob 3
  local a = found.levels[1]
  luaunit.assertEquals({ a.level, a.plays, a.solved, a.skipped, a.rated, a.rating, a.time }, { "a", 3, 2, 0, 2, 1.5, 7.75 })
  luaunit.assertAlmostEquals(a.deviation, math.sqrt(0.5), 1e-15)
  local third = found.positions[3]
  luaunit.assertEquals({ third.position, third.plays, third.rating, third.time }, { 3, 2, 7, 20 })
end

--- Of a study with ratings alone only they are summarised.
function Summary.test_ratings_alone()
  local found = summary.of(attempts.plays(open "player,level,rating\nann,a,2\nbob,a,3\n"))
  luaunit.assertEquals({ found.plays, found.solved, #found.positions }, { 2, 2, 0 })
  luaunit.assertNil(found.losses or found.rating_slope or found.skip_time)
end

return { Attempts = Attempts, Summary = Summary }
