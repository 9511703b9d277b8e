--- Tests of crux.sitting and crux.question: a plan is followed without a terminal; time goes by as the tests say.
local game = require "crux.game.game"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local Question = require "crux.play.question"
local record = require "crux.play.record"
local shell = require "shell"
local Sitting = require "crux.play.participation"

local texts = { "@O", "@.O\n.^.", "@..O" }

--- A sitting with three levels of `walk`, the first of which is the tutorial's.
local function sit(changes, path)
  local planned = { low = 1, high = 7, enjoyment = true }
  for key, value in pairs(changes or {}) do planned[key] = value end
  if not path then
    path = shell.path "sitting.csv"
    os.remove(path)
  end
  local self, levels = game.load(playing.game "walk"), {}
  for i, text in ipairs(texts) do
    levels[i] = { name = "level " .. i, level = self.parse(text, {}), tutorial = i == 1, place = "plan.csv:" .. i + 1 }
  end
  return Sitting.new(play.rules(self), planned, levels, record.open(path, "ann", Sitting.columns(planned))), path
end

--- Presses keys and expects what the last of them returns.
local function press(sitting, keys, goes_on)
  local last
  for key in keys:gmatch "%S+" do last = sitting:key(key) end
  luaunit.assertEquals(last, goes_on ~= false, keys)
end

local header = "player,level,rating,time,moves_used,skipped,enjoyment,tutorial\n"

local Way = {}

function Way.test_whole_plan()
  local sitting, path = sit()
  luaunit.assertEquals(sitting:title(), "level 1 of 3  (to learn the game)")
  luaunit.assertEquals(sitting:commands(), "u undo  r restart  q quit")
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
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,,2.5,1,0,,1\n")
  sitting:pass(1)
  luaunit.assertEquals(sitting.question.typed, "3") -- time does not ask again
  press(sitting, "enter")
  luaunit.assertEquals(tostring(sitting.question), "How enjoyable was it, from 1 (not at all) to 7 (very)? ")
  press(sitting, "6 enter right right right 7 enter 1")
  luaunit.assertFalse(sitting:is_over())
  press(sitting, "enter", false)
  luaunit.assertTrue(sitting:is_over())
  luaunit.assertEquals(sitting:farewell(), "Thank you! All 3 levels are done; the record is " .. path)
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,,2.5,1,0,,1\nann,level 2,3,4,2,0,6,0\nann,level 3,7,0,3,0,1,0\n")
end

function Way.test_difficulty_alone()
  local sitting, path = sit { enjoyment = false, high = 10 }
  press(sitting, "right enter right right 1 0 enter")
  luaunit.assertEquals(sitting:title(), "level 3 of 3")
  luaunit.assertEquals(shell.read(path):match "\n(ann,level 2.*)$", "ann,level 2,10,0,2,0,0\n")
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
  press(sitting, "right enter right right 5 q", false)
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,,0,1,0,,1\n")
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
  luaunit.assertEquals(shell.read(path), header .. "ann,level 1,,0,1,0,,1\nann,level 2,,61,1,1,,0\n")
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
  sitting:pass(60)
  press(sitting, "x right right 1 enter 1 enter")
  sitting:pass(60)
  press(sitting, "x", false)
  luaunit.assertTrue(sitting:is_over())
end

local Refused = {}

--- What the record's rows of this plan would be, with a change.
local function refuse(changes, rows, message)
  local path = shell.file("sitting.csv", header .. rows)
  luaunit.assertErrorMsgEquals(path .. message, sit, changes, path)
end

function Refused.test_records_of_something_else()
  local first = "ann,level 1,,1,1,0,,1\n"
  refuse({}, "bob,level 1,,1,1,0,,1\n", ":2: found player 'bob', expected 'ann' alone")
  refuse({}, first .. "ann,level 3,1,1,1,0,1,0\n", ":3: found level 'level 3', expected 'level 2', as in plan.csv:3")
  refuse({ high = 5 }, first .. "ann,level 2,6,1,1,0,1,0\n", ":3: column 'rating': found 6, expected 1 to 5")
  refuse({}, first .. "ann,level 2,1,1,1,0,1,0\nann,level 3,1,1,1,0,1,0\nann,level 4,1,1,1,0,1,0\n",
    ":5: found a level more, expected the 3 of the plan")
  refuse({ enjoyment = false }, first, (":1: found '%s', expected the columns %s"):format(header:gsub("\n", ""),
    "player,level,rating,time,moves_used,skipped,tutorial"))
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

return { Way = Way, Skip = Skip, Refused = Refused, Asked = Asked }
