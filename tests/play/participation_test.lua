--- Tests of participations, questions and interviews: a plan is followed without a terminal; time goes by as the tests say.
local game = require "crux.game.game"
local interview = require "crux.play.interview"
local luaunit = require "luaunit"
local Participation = require "crux.play.participation"
local play = require "crux.play.play"
local playing = require "playing"
local plays = require "crux.play.plays"
local Question = require "crux.play.question"
local shell = require "shell"

local texts = { "@O", "@.O\n.^.", "@..O" }

--- A sitting with three levels of `walk`, the first of which is the tutorial's.
local function sit(changes, path)
  local planned = { low = 1, high = 7, questions = { enjoyment = true }, before = 0 }
  for key, value in pairs(changes or {}) do planned[key] = value end
  if not path then
    path = shell.path "sitting.csv"
    os.remove(path)
  end
  local self, levels = game.load(playing.game "walk"), {}
  for i, text in ipairs(texts) do
    levels[i] = { name = "level " .. i, level = self.parse(text, {}), tutorial = i == 1, place = "plan.csv:" .. i + 1 }
  end
  return Participation.new(play.rules(self), planned, levels, plays.open(path, "ann", planned)), path
end

--- Presses keys and expects what the last of them returns.
local function press(sitting, keys, goes_on)
  local last
  for key in keys:gmatch "%S+" do last = sitting:key(key) end
  luaunit.assertEquals(last, goes_on ~= false, keys)
end

local header = "player,level,position,attempt,rating,enjoyment,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"

local Way = {}

function Way.test_whole_plan()
  local sitting, path = sit()
  luaunit.assertEquals(sitting:title(), "level 1 of 3  (to learn the game)")
  luaunit.assertEquals(sitting:commands(), "u undo  r restart  x skip  q quit")
  luaunit.assertEquals(sitting.session.message, "x skips this level if you know the game")
  sitting:pass(2.5)
  press(sitting, "right right 7")
  luaunit.assertEquals({ sitting:title(), tostring(sitting.question) }, -- of a tutorial nothing is asked
    { "level 1 of 3  (to learn the game)", "Solved. Enter goes on " })
  press(sitting, "enter")
  luaunit.assertEquals({ sitting:title(), sitting.question }, { "level 2 of 3" })
  luaunit.assertEquals(sitting:farewell(), "1 of 3 levels are done; go on with the same command")
  sitting:pass(4)
  press(sitting, "right right")
  luaunit.assertEquals(tostring(sitting.question), "Solved. How hard was it, from 1 (very easy) to 7 (very hard)? ")
  sitting:pass(100) -- for the question
  press(sitting, "enter x right 8 0 3")
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,1,1,,,2.5,1,1,0,0,,1\n")
  sitting:pass(1)
  luaunit.assertEquals(sitting.question.typed, "3") -- time does not ask again
  press(sitting, "enter")
  luaunit.assertEquals(tostring(sitting.question), "How enjoyable was it, from 1 (not at all) to 7 (very)? ")
  press(sitting, "6 enter right right right 7 enter 1")
  luaunit.assertFalse(sitting:is_over())
  press(sitting, "enter", false)
  luaunit.assertTrue(sitting:is_over())
  luaunit.assertEquals(sitting:farewell(), "Thank you! All 3 levels are done; the record is " .. path)
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,1,1,,,2.5,1,1,0,0,,1\n"
    .. "ann,level 2,2,1,3,6,4,2,1,0,0,,0\nann,level 3,3,1,7,1,0,3,1,0,0,,0\n")
end

--- Own questions come behind the ratings; an answer that is not allowed leaves what was typed.
function Way.test_own_questions()
  local again = interview.parse("again: yes, no", "ask_after")[1]
  again.label = "Again?"
  local sitting = sit { questions = {}, ask_after = { again } }
  press(sitting, "right enter right right 4 enter")
  luaunit.assertEquals({ sitting.asked, tostring(sitting.question) }, { "again", "Again? " })
  luaunit.assertEquals({ sitting.question:take "no", sitting.question:take "nil", sitting.question.typed }, { true, false, "no" })
  press(sitting, "enter")
  luaunit.assertEquals({ sitting:title(), sitting.question }, { "level 3 of 3" })
  press(sitting, "right right right")
  luaunit.assertEquals({ sitting.question:take "8", sitting.question:take "07", sitting.question:take "7" }, { false, false, true })
end

function Way.test_difficulty_alone()
  local sitting, path = sit { questions = {}, high = 10 }
  press(sitting, "right enter right right 1 0 enter")
  luaunit.assertEquals(sitting:title(), "level 3 of 3")
  luaunit.assertEquals(shell.read(path):match "\n(ann,level 2.*)$", "ann,level 2,2,1,10,0,2,1,0,0,,0\n")
end

--- What is recorded is not played again; the level that was played, or was not rated yet, is, from its start.
function Way.test_goes_on()
  local sitting, path = sit()
  press(sitting, "right enter right right 5 enter") -- killed when enjoyment is asked
  sitting = sit({}, path)
  luaunit.assertEquals({ sitting:title(), sitting.question, sitting.session.moves }, { "level 2 of 3", nil, 0 })
  press(sitting, "right right 5 enter 5 enter right")
  sitting = sit({}, path)
  luaunit.assertEquals({ sitting:title(), sitting.session.moves, sitting.session.seconds }, { "level 3 of 3", 0, 0 })
  press(sitting, "right right right 1 enter 1 enter", false)
  luaunit.assertTrue(sit({}, path):is_over())
end

function Way.test_quits_at_any_time()
  local sitting, path = sit()
  press(sitting, "q", false)
  luaunit.assertFalse(shell.exists(path))
  press(sitting, "right enter right right 5 q", false) -- what has been typed is kept; enjoyment was not asked
  local rows = header .. "ann,level 1,1,1,,,0,1,1,0,0,,1\nann,level 2,2,1,5,,0,2,1,0,0,,0\n"
  luaunit.assertEquals(shell.read(path), rows)
  luaunit.assertEquals(sitting:farewell(), "2 of 3 levels are done; go on with the same command")
  sitting = sit({}, path)
  luaunit.assertEquals({ sitting:title(), sitting.question }, { "level 3 of 3" })
  press(sitting, "right right right q", false)
  luaunit.assertEquals(shell.read(path), rows .. "ann,level 3,3,1,,,0,3,1,0,0,,0\n")
  luaunit.assertTrue(sit({}, path):is_over())
end

--- So are a level of the tutorial, about which nothing is asked, and one that was skipped.
function Way.test_quits_behind_a_level()
  local sitting, path = sit { questions = { skipped = true, enjoyment = true }, skip_seconds = 0 }
  press(sitting, "right q", false)
  sitting = sit({ questions = { skipped = true, enjoyment = true }, skip_seconds = 0 }, path)
  press(sitting, "x 5 enter q", false)
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,1,1,,,0,1,1,0,0,,1\nann,level 2,2,1,5,,0,0,0,1,0,,0\n")
end

function Way.test_no_hints_and_nothing_unseen()
  local sitting = sit()
  press(sitting, "? n p")
  luaunit.assertEquals({ sitting.session.moves, sitting.index }, { 0, 1 })
  sitting.visible = false
  press(sitting, "right")
  luaunit.assertEquals({ sitting.session.moves, sitting.index }, { 0, 1 })
end

local Skip = {}

function Skip.test_after_a_minute()
  local sitting, path = sit()
  press(sitting, "right enter")
  sitting:pass(59.9)
  press(sitting, "x")
  luaunit.assertEquals({ sitting.index, sitting.session.message }, { 2, "" })
  sitting:pass(0.1)
  luaunit.assertEquals(sitting.session.message, "x skips this level now")
  luaunit.assertEquals(sitting:commands(), "u undo  r restart  x skip  q quit")
  press(sitting, "down")
  sitting:pass(1)
  luaunit.assertEquals(sitting.session.message, "") -- told once
  press(sitting, "x")
  luaunit.assertEquals(sitting:title(), "level 3 of 3")
  luaunit.assertEquals(sitting:commands(), "u undo  r restart  q quit") -- a minute for each level
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,1,1,,,0,1,1,0,0,,1\nann,level 2,2,1,,,61,1,0,1,0,,0\n")
end

function Skip.test_after_two_losses()
  local sitting = sit()
  press(sitting, "right enter right down")
  luaunit.assertEquals(sitting.session.message, "lost: u undoes, r restarts")
  press(sitting, "left up x r u") -- lost still, and once; a loss that comes back is no other
  luaunit.assertEquals({ sitting.index, sitting:may_skip() }, { 2, false })
  press(sitting, "r right down")
  luaunit.assertEquals(sitting.session.message, "x skips this level now; lost: u undoes, r restarts")
  press(sitting, "u right x")
  luaunit.assertEquals(sitting.index, 2) -- solved after all: to be rated
  press(sitting, "4 enter 4 enter")
  luaunit.assertEquals({ sitting.index, sitting:may_skip() }, { 3, false })
end

function Skip.test_tutorial_and_last_level()
  local sitting = sit()
  press(sitting, "x right right 1 enter 1 enter")
  sitting:pass(60)
  press(sitting, "x", false)
  luaunit.assertTrue(sitting:is_over())
end

--- A restart ends an attempt, which is recorded at once; a new program goes on with the next attempt.
function Way.test_attempts()
  local sitting, path = sit { questions = {} }
  press(sitting, "x right down")
  sitting:pass(4)
  press(sitting, "r right r r")
  local rows = header:gsub("enjoyment,", "") .. "ann,level 1,1,1,,0,0,0,1,0,,1\nann,level 2,2,1,,4,2,0,0,1,,0\nann,level 2,2,2,,0,1,0,0,0,,0\n"
  luaunit.assertEquals(shell.read(path), rows)
  sitting = sit({ questions = {} }, path)
  luaunit.assertEquals(sitting:title(), "level 2 of 3")
  press(sitting, "right right 5 enter")
  luaunit.assertEquals(shell.read(path), rows .. "ann,level 2,2,3,5,0,2,1,0,0,,0\n")
end

--- A record of an earlier version, a row a level, goes on.
function Way.test_earlier_record()
  local earlier = "player,level,rating,time,moves_used,skipped,enjoyment,tutorial\nann,level 1,,2.5,1,0,,1\n"
  local sitting, path = sit({}, shell.file("sitting.csv", earlier))
  press(sitting, "right r right right 3 enter 6 enter")
  luaunit.assertEquals(sitting:title(), "level 3 of 3")
  luaunit.assertEquals(shell.read(path), earlier .. "ann,level 2,3,0,3,0,6,0\n")
end

--- A plan that begins behind what the player has finished, as `crux study next` writes it.
function Way.test_begins_at_a_position()
  local rows = header .. "ann,old,1,1,,,1,1,1,0,0,,1\nann,older,2,1,9,9,1,1,0,0,0,,0\nann,older,2,2,9,9,1,1,1,0,0,,0\n"
  local sitting, path = sit({ before = 2 }, shell.file("sitting.csv", rows))
  luaunit.assertEquals(sitting:title(), "level 3 of 5  (to learn the game)")
  press(sitting, "x")
  luaunit.assertEquals({ sitting:title(), sitting:farewell() },
    { "level 4 of 5", "3 of 5 levels are done; go on with the same command" })
  luaunit.assertEquals(shell.read(path), rows .. "ann,level 1,3,1,,,0,0,0,1,0,,1\n")
  luaunit.assertEquals(sit({ before = 2 }, path):title(), "level 4 of 5")
end

local Questions = {}

--- Asked after a level that was skipped, but not after one of the tutorial.
function Questions.test_after_skips()
  local sitting, path = sit { questions = { enjoyment = true, skipped = true } }
  press(sitting, "x")
  sitting:pass(60)
  press(sitting, "x")
  luaunit.assertEquals(tostring(sitting.question), "Skipped. How hard was it, from 1 (very easy) to 7 (very hard)? ")
  press(sitting, "7 enter 2 enter")
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,1,1,,,0,0,0,1,0,,1\nann,level 2,2,1,7,2,60,0,0,1,0,,0\n")
end

function Questions.test_about_the_tutorial()
  local sitting, path = sit { questions = { tutorial = true } }
  press(sitting, "right")
  luaunit.assertEquals(tostring(sitting.question), "Solved. How hard was it, from 1 (very easy) to 7 (very hard)? ")
  press(sitting, "1 enter")
  luaunit.assertEquals(shell.read(path), header:gsub("enjoyment,", "") .. "ann,level 1,1,1,1,0,1,1,0,0,,1\n")
end

local Refused = {}

--- What the record's rows of this plan would be, with a change.
local function refuse(changes, rows, message)
  local path = shell.file("sitting.csv", header .. rows)
  luaunit.assertErrorMsgEquals(path .. message, sit, changes, path)
end

function Refused.test_records_of_something_else()
  local function row(level, rating) return ("ann,level %d,%d,1,%s,%s,1,1,1,0,0,,0\n"):format(level, level, rating, rating) end
  local first = row(1, "")
  refuse({}, "bob,level 1,1,1,,,1,1,1,0,0,,1\n", ":2: found player 'bob', expected 'ann' alone")
  refuse({}, first .. row(3, 1), ":3: found level 'level 3', expected 'level 2', as in plan.csv:3")
  refuse({ high = 5 }, first .. row(2, 6), ":3: column 'rating': found 6, expected 1 to 5")
  refuse({}, first .. row(2, 1) .. row(3, 1) .. row(4, 1),
    ":5: found a level more, expected the 3 of the plan")
  refuse({ questions = {} }, first, (":1: found '%s', expected the columns %s"):format(header:gsub("\n", ""),
    (header:gsub("enjoyment,", ""):gsub("\n", ""))))
  local path = shell.file("sitting.csv", header .. first)
  luaunit.assertErrorMsgEquals("plan.csv:2: found position 3, expected 2, behind the levels in the record of player 'ann'", sit,
    { before = 2 }, path)
end

local Asked = {}

--- Keys that are typed, what shows of them, and what answer they are.
function Asked.test_scales()
  for _, case in ipairs {
    { 1, 10, "0 1 0 9", "10", 10 }, { 1, 10, "2 5", "2", 2 }, { 1, 10, "1 0 backspace", "1", 1 },
    { 1, 10, "7 backspace backspace", "" }, { 0, 10, "0 7", "0", 0 }, { 5, 15, "1", "1" }, { 5, 15, "1 5", "15", 15 },
    { 1, 7, "8 a - . up space", "" },
  } do
    local low, high, keys, typed, answer = table.unpack(case)
    local question = Question.new("?", low, high)
    for key in keys:gmatch "%S+" do question:press(key) end
    luaunit.assertEquals({ question.typed, question:answer(), tostring(question) }, { typed, answer, "? " .. typed }, keys)
  end
end

local Interview = {}

function Interview.test_answers()
  local items = interview.parse("age: 1..120;education: school, bachelor of arts ; experience", "here")
  luaunit.assertEquals({ interview.prompt(items[1]), interview.prompt(items[2]), interview.prompt(items[3]) },
    { "age (1..120): ", "education (school, bachelor of arts): ", "experience: " })
  for _, case in ipairs {
    { 1, " 30 ", "30" }, { 1, "0" }, { 1, "121" }, { 1, "old" }, { 1, "", "" }, { 2, "school", "school" },
    { 2, "bachelor of arts", "bachelor of arts" }, { 2, "bachelor" }, { 2, " ", "" }, { 3, "Flow, Move", "Flow, Move" },
  } do
    luaunit.assertEquals(interview.value(items[case[1]], case[2]), case[3], case[2])
  end
  luaunit.assertEquals(interview.parse("", "here"), {})
end

function Interview.test_faults()
  for _, text in ipairs { "age; age", "player", "consent", "how old", "1st", "age: 9..1" } do
    luaunit.assertErrorMsgContains("expected a new NAME, NAME: LOW..HIGH or NAME: CHOICE, CHOICE", interview.parse, text, "here")
  end
end

return { Way = Way, Skip = Skip, Questions = Questions, Refused = Refused, Asked = Asked, Interview = Interview }
