--- End-to-end tests of a player study: planned, played on a pseudo-terminal by simulated players, aggregated, fitted.
local dataset = require "crux.data.dataset"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local program = shell.quote(shell.program)

--- A folder with levels of Move: in a row, a ball as many steps from its goal as the level's name says.
local function folder(name, lengths)
  local files = {}
  for _, steps in ipairs(lengths) do files[steps .. ".txt"] = ("a %sA\n"):format((". "):rep(steps - 1)) end
  return shell.folder(name, files)
end

--- Runs crux in a folder and expects that all is well.
local function crux(path, line) return shell.output(("cd %s && %s %s"):format(path, program, line)) end

--- The rows of a player in the plan of a folder.
local function planned(path, player)
  local rows = {}
  for block in dataset.open(path .. "/plan.csv"):blocks { texts = { "player", "level", "tutorial" } } do
    for i = 1, block.rows do
      if block.texts.player[i] == player then
        table.insert(rows, { level = block.texts.level[i], tutorial = block.texts.tutorial[i] == "1" })
      end
    end
  end
  return rows
end

--- What a player types who solves the levels first to last of his rows; he rates as many steps, at most 10, and enjoys 3 of 7.
local function keys(rows, first, last)
  local steps = {}
  for i = first, last do
    local row = rows[i]
    table.insert(steps, ("see level %d of %d"):format(i, #rows))
    table.insert(steps, "type " .. ("\27C"):rep(tonumber(row.level)))
    if row.tutorial then
      table.insert(steps, "see Solved. Enter goes on")
      table.insert(steps, "type \r")
    else
      table.insert(steps, "see How hard was it, from 1 (very easy) to 10 (very hard)?")
      table.insert(steps, ("type %s\r"):format(row.level))
      table.insert(steps, "see How enjoyable was it")
      table.insert(steps, "type 3\r")
    end
  end
  return steps
end

--- Runs crux play in a folder with what is typed, and returns what is printed in the end.
local function play_line(path, line, steps)
  return playing.run(("sh -c %s"):format(shell.quote(("cd %s && exec %s play %s"):format(path, program, line))), steps)
end

--- Lets a player play and expects what is printed.
local function play(path, player, steps, printed)
  luaunit.assertEquals(play_line(path, ("--plan plan.csv --player %s --record %s.csv"):format(player, player), steps), printed)
end

--- The rows of a record, without the times.
local function rows_of(path) return (shell.read(path):gsub("(\n[^,]*,[^,]*,%d+,%d+,%d*,%d*,)[%d.]+", "%1_")) end

local thanks = "see Thank you! All 5 levels are done; the record is "

local Study = {}

--- Must hold 5 of issue 12: plan, play, aggregate, measure, fit and evaluate, without touching a file; a player is killed twice,
--- once in the middle of a line.
function Study.test_from_plan_to_fit()
  long.only()
  local path = folder("study", { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
  crux(path, "study plan --game move . --tutorial 1.txt --players 6 --per-player 4 --enjoyment -o plan.csv")
  for number = 1, 6 do
    local player = "p" .. number
    local rows, begin = planned(path, player), 1
    luaunit.assertEquals({ #rows, rows[1].level, rows[1].tutorial, rows[2].tutorial }, { 5, "1", true, false })
    if number == 2 then
      local steps = keys(rows, 1, 3)
      table.move({ "see level 4 of 5", "type \27C", "see moves 1", "kill 9", "end" }, 1, 5, #steps + 1, steps)
      play(path, player, steps, "signal 9\n")
      local before = rows_of(path .. "/p2.csv")
      luaunit.assertEquals(before, ("player,level,position,attempt,rating,enjoyment,time,moves_used,solved,skipped,losses,"
        .. "lost_by,tutorial\np2,1,1,1,,,_,1,1,0,0,,1\np2,%s,2,1,%s,3,_,%s,1,0,0,,0\np2,%s,3,1,%s,3,_,%s,1,0,0,,0\n"):format(rows[2].level, rows[2].level, rows[2].level, rows[3].level,
        rows[3].level, rows[3].level))
      local file = assert(io.open(path .. "/p2.csv", "ab")) -- as if killed while it wrote
      file:write("p2,", rows[4].level, ",", rows[4].level, ",1")
      file:close()
      steps = keys(rows, 4, 4)
      table.insert(steps, 1, ("written p2.csv: dropped the last line, which was incomplete: 'p2,%s,%s,1'"):format(rows[4].level, rows[4].level))
      table.move({ "see level 5 of 5", "type \3", "end", "see 4 of 5 levels are done; go on with the same command" }, 1, 4, #steps + 1,
        steps)
      play(path, player, steps, "signal 2\n")
      luaunit.assertEquals(rows_of(path .. "/p2.csv"):sub(1, #before), before) -- nothing was asked again
      begin = 5
    end
    local steps = keys(rows, begin, 5)
    table.move({ "end", thanks .. player .. ".csv" }, 1, 2, #steps + 1, steps)
    play(path, player, steps, "exit 0\n")
    play(path, player, { "end", thanks .. player .. ".csv" }, "exit 0\n")
  end
  crux(path, "aggregate p1.csv p2.csv p3.csv p4.csv p5.csv p6.csv -o ratings.csv 2> /dev/null")
  local expected = { "level,position,enjoyment,losses,attempts,solved,skipped,difficulty,scaled,time,moves_used" }
  for level = 2, 9 do expected[level] = ("%d,_,3,0,1,3,0,%d,_,_,%d"):format(level, level, level) end -- 24 ratings of 8 levels
  luaunit.assertEquals(shell.read(path .. "/ratings.csv"):gsub("(\n%d,)[%d.]+(,3,0,1,3,0,%d,)[%d.]+,[%d.]+", "%1_%2_,_"),
    table.concat(expected, "\n") .. "\n")
  crux(path, "measure move . --measures moves -o measures.csv")
  luaunit.assertStrContains(crux(path, "fit --formula 'difficulty ~ moves' --weights solved ratings.csv --with measures.csv --format csv"),
    "\nmoves,1,")
  luaunit.assertStrContains(crux(path, "evaluate --formula 'difficulty ~ moves' ratings.csv --with measures.csv --folds 4 "
    .. "--folds-by order --format table"), "\nall                     8  0.000 ")
end

--- Consent, instructions and questions about the player come before the levels, once for each player.
function Study.test_consent_and_players()
  local path = folder("consent", { 1, 2 })
  shell.file("consent/consent.md", "We record times.\n")
  shell.file("consent/help.md", "Use the whole scale.\n")
  crux(path, "study plan --game move 1.txt 2.txt --players 2 --per-player 1 --consent consent.md --instructions help.md "
    .. "--ask 'age: 1..120' --ask 'school: primary, secondary' --ask games -o plan.csv")
  local level = planned(path, "p1")[1].level
  local line = "--plan plan.csv --player p1 --record p1.csv"
  luaunit.assertEquals(play_line(path, line, { "written We record times.", "written Do you agree? (yes or no)", "type no\r", "end",
    "see no consent, so nothing is recorded" }), "exit 1\n")
  luaunit.assertEquals(shell.output("ls " .. path), "1.txt\n2.txt\nconsent.md\nhelp.md\nplan.csv\n")
  luaunit.assertEquals(play_line(path, line, { "written Do you agree?", "type yes\r", "written age (1..120): ", "type old\r",
    "written age (1..120): ", "type 31\r", "written school (primary, secondary): ", "type secondary\r", "written games: ",
    "type Flow, Move\r", "written Use the whole scale.", "type \r", "see level 1 of 1", "type q", "end" }), "exit 0\n")
  local players = "player,age,school,games,consent\np1,31,secondary,\"Flow, Move\",1\n"
  luaunit.assertEquals(shell.read(path .. "/players.csv"), players)
  luaunit.assertEquals(play_line(path, line, { "written Use the whole scale.", "type \r", "see level 1 of 1",
    "type " .. ("\27C"):rep(tonumber(level)), "see How hard", "type 2\r", "end" }), "exit 0\n")
  luaunit.assertEquals(shell.read(path .. "/players.csv"), players)
  luaunit.assertEquals(rows_of(path .. "/p1.csv"):match "\np1,%d,1,1,2", ("\np1,%s,1,1,2"):format(level))
end

--- Who quits at the question has solved the level: it is not played again, and its rating is missing.
function Study.test_quits_at_the_question()
  local path = folder("quits", { 1, 2 })
  crux(path, "study plan --game move 1.txt 2.txt --players 1 --per-player 2 --seed 1 -o plan.csv")
  local rows, line = planned(path, "p1"), "--plan plan.csv --player p1 --record p1.csv"
  luaunit.assertEquals(play_line(path, line, { "see level 1 of 2", "type " .. ("\27C"):rep(tonumber(rows[1].level)), "see How hard",
    "type q", "end", "see 1 of 2 levels are done; go on with the same command" }), "exit 0\n")
  luaunit.assertEquals(play_line(path, line, { "see level 2 of 2", "type " .. ("\27C"):rep(tonumber(rows[2].level)), "see How hard",
    "type 7\r", "end", "see Thank you! All 2 levels" }), "exit 0\n")
  luaunit.assertEquals(shell.read(path .. "/p1.csv"):gsub("(,7?,)[%d.]+,(%d,1,0)", "%1_,%2"), ("player,level,position,attempt,"
    .. "rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\np1,%s,1,1,,_,%s,1,0,0,,0\np1,%s,2,1,7,_,%s,1,0,0,,0\n"):format(
    rows[1].level, rows[1].level, rows[2].level, rows[2].level))
  luaunit.assertEquals(crux(path, "aggregate p1.csv 2> p1.txt | cut -d, -f1,5"), "level,solved\n1,1\n2,1\n")
  luaunit.assertEquals(shell.read(path .. "/p1.txt"), "p1.csv: 1 row neither rated nor skipped: counted as solved\n")
end

--- The next level is one with the fewest ratings; it is played as a plan of one level.
function Study.test_next()
  local path = folder("next", { 1, 2, 3 })
  local line = "study next --game move 1.txt 2.txt 3.txt --player ann --record bob.csv --record ann.csv -o next.csv"
  shell.file("next/bob.csv", "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"
    .. "bob,3,1,1,4,9,3,1,0,0,,0\nbob,1,2,1,1,9,3,1,0,0,,0\n")
  crux(path, line)
  luaunit.assertStrContains(shell.read(path .. "/next.csv"), "\nann,1,2,2.txt,")
  luaunit.assertEquals(play_line(path, "--plan next.csv --player ann --record ann.csv", { "see level 1 of 1", "type \27C\27C",
    "see How hard", "type 7\r", "end" }), "exit 0\n")
  crux(path, line)
  local second = shell.read(path .. "/next.csv"):match "\nann,2,([13]),"
  luaunit.assertEquals(play_line(path, "--plan next.csv --player ann --record ann.csv", { "see level 2 of 2",
    "type " .. ("\27C"):rep(tonumber(second)), "see How hard", "type 7\r", "end", "see Thank you! All 2 levels" }), "exit 0\n")
  crux(path, line)
  luaunit.assertStrContains(shell.read(path .. "/next.csv"), ("\nann,3,%d,"):format(4 - second))
  luaunit.assertStrContains(shell.run(("cd %s && %s %s"):format(path, program, line:gsub("[13]%.txt", ""))).err,
    "ann: found a player who has played all levels, expected one with a level left")
end

local Refused = {}

local function refuse(path, line, message, status)
  local result = shell.run(("cd %s && %s %s"):format(path, program, line))
  luaunit.assertEquals({ result.status, result.out }, { status or 1, "" }, line)
  luaunit.assertEquals(result.err:match "([^\n]*)\n$", message, line)
end

local function refuse_to_play(path, line, said)
  luaunit.assertStrMatches(play_line(path, line, { "end", "see " .. said }), "exit [12]\n", nil, nil, line)
end

function Refused.test_plans()
  local path = folder("plans", { 1, 2, 3 })
  local plan = "study plan --players 4 --per-player 2 "
  refuse(path, "study plan --game move . --per-player 2", "expected --players", 2)
  refuse(path, "study plan --game move . --players 2", "expected --per-player", 2)
  refuse(path, plan .. ".", "expected --game", 2)
  refuse(path, plan .. "--game move . --tutorial 1.txt --tutorial 2.txt",
    "--per-player: found 2, expected at most 1, the levels that are there beside the tutorial's")
  refuse(path, plan .. "--game move 1.txt ./1.txt 2.txt", "./1.txt: found a level '1', as in 1.txt, expected different names, to record them")
  refuse(path, plan .. "--game move - < 1.txt", "LEVELS: found standard input, expected files, which players can read again")
  refuse(path, plan .. "--game move nowhere.txt", "nowhere.txt: No such file or directory")
  refuse(path, plan .. "--game move . --scale 7", "--scale: found '7', expected LOW..HIGH, two integers from 0 on", 2)
  refuse(path, plan .. "--game move . --scale 1..2.5", "--scale: found '1..2.5', expected LOW..HIGH, two integers from 0 on", 2)
  refuse(path, plan .. "--game " .. playing.game("lights", { ["game.play ="] = "local _ =" }) .. " .", shell.path "lights.lua"
    .. ": found neither search nor play, expected one of them, to play it")
  shell.file("plans/4.txt", "a ? A\n")
  luaunit.assertStrContains(shell.run(("cd %s && %s %s --game move ."):format(path, program, plan)).err, "4.txt:1: column 3: found '?'")
end

function Refused.test_players()
  local path = folder("players", { 1, 2, 3 })
  crux(path, "study plan --game move . --players 4 --per-player 2 -o plan.csv")
  refuse(path, "play --plan plan.csv --player p1 --record p1.csv < /dev/null",
    "crux play: found no terminal, expected one as standard input and output")
  for line, said in pairs {
    ["--plan plan.csv --player p7 --record p7.csv"] = "plan.csv: found the unknown player 'p7'; did you mean 'p1'?",
    ["--plan plan.csv --player p1"] = "found --plan without --player or --record, expected --plan PLAN",
    ["move --plan plan.csv --player p1 --record p1.csv"] = "found 'move' and --plan, expected one of them",
    ["move"] = "expected GAME and LEVELS, or --plan PLAN",
  } do
    refuse_to_play(path, line, said)
  end
  for _, level in ipairs { 1, 2, 3 } do shell.file(("players/%d.txt"):format(level), "a A\n. .\n") end
  refuse_to_play(path, "--plan plan.csv --player p1 --record p1.csv", "found a changed level")
  luaunit.assertFalse(shell.exists(path .. "/p1.csv"))
end

--- A file of another player, or of other columns, is not written to.
function Refused.test_records()
  local path = folder("records", { 1, 2, 3 })
  crux(path, "study plan --game move . --players 4 --per-player 2 -o plan.csv")
  local header = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"
  for text, said in pairs {
    [header .. "ann,1,1,1,2,3,4,1,0,0,,0\n"] = "p1.csv:2: found player 'ann', expected 'p1' alone",
    ["level,size\n1,25\n"] = "p1.csv:1: found 'level,size', expected the columns",
  } do
    shell.file("records/p1.csv", text)
    play(path, "p1", { "end", "see " .. said }, "exit 1\n")
    luaunit.assertEquals(shell.read(path .. "/p1.csv"), text)
  end
end

return { Study = Study, Refused = Refused }
