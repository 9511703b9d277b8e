--- Tests of what a study script sets: who may begin and for how long, the order of levels, own questions; and of what else comes
--- into a database: personal links and records of terminals.
local http = require "http"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Study = {}

local two = "; one\n@.O\n\n; two\n.@O\n"

local function crux(line) return shell.output(("%s %s"):format(shell.quote(shell.program), line)) end

--- Runs SQL on the database of a server, as time passes in a moment there.
local function run_sql(server, sql)
  local db <close> = require("libcrux.database").open(server.path, false)
  return assert(db:run(sql))
end

--- One player may begin by the public link, others by personal links; each link is for one player, who comes back by it.
function Study.test_personal_links()
  local server <close> = http.serve(http.study("links", "public_players = 1", two), "links.db")
  local links = crux(("study links %s --count 2 --url https://example.org/"):format(server.path))
  local first, second = links:match "^https://example.org/#(%x+)\nhttps://example.org/#(%x+)\n$"
  luaunit.assertEquals({ #first, #second }, { 32, 32 })
  luaunit.assertNil(shell.read(server.path .. "-wal"):find(first, 1, true))
  local token = server:begin()
  local _, view = server:post("/view", {})
  luaunit.assertEquals(view.stage, "enough")
  local status, problem = server:post("/begin", { consent = "yes" })
  luaunit.assertEquals({ status, problem.problem }, { 403, "enough" })
  local _, welcome, headers = server:post("/return", { token = first })
  luaunit.assertEquals({ welcome.stage, headers:match "crux=(%x+)" }, { "welcome", first })
  _, view = server:post("/begin", { consent = "yes" }, first)
  luaunit.assertEquals(view.stage, "play")
  server:act(first, view, "key", "w")
  _, view = server:post("/return", { token = first })
  luaunit.assertEquals({ view.stage, view.acts }, { "play", 1 })
  for _, known in ipairs { token, first } do luaunit.assertEquals(server:post("/begin", { consent = "yes" }, known), 200) end
  luaunit.assertEquals(run_sql(server, "SELECT came_by FROM player ORDER BY id"), { { came_by = "public" }, { came_by = "link" } })
  luaunit.assertEquals(#run_sql(server, "SELECT * FROM link"), 1)
end

function Study.test_personal_links_only()
  local server <close> = http.serve(http.study("only", "public_players = 0", two), "only.db")
  local _, view = server:post("/view", {})
  luaunit.assertEquals(view.stage, "personal")
  luaunit.assertEquals(server:post("/begin", { consent = "yes" }), 403)
end

--- After two days the link of a player who began then shows what is kept, and nothing can be played.
function Study.test_days_of_a_link()
  local path = http.study("days", "link_days = 2", two)
  local token, view
  do
    local server <close> = http.serve(path, "days.db")
    token, view = server:begin()
    run_sql(server, "UPDATE player SET began = began - 2 * 86400000 + 60000")
  end
  do
    local server <close> = http.serve(path, "days.db")
    view = http.solve(server, token, view, 3)
    luaunit.assertEquals(view.stage, "play")
    run_sql(server, "UPDATE player SET began = began - 60000")
  end
  local server <close> = http.serve(path, "days.db")
  local _, after = server:post("/view", {}, token)
  luaunit.assertEquals({ after.stage, after.days }, { "late", 2 })
  local status, late = server:post("/act", { number = view.acts + 1, act = "key", value = "right", time = 0 }, token)
  luaunit.assertEquals({ status, late.stage, late.acts }, { 409, "late", view.acts })
  local _, kept = server:post("/kept", {}, token)
  luaunit.assertEquals(kept.plays[1].rating, 3)
end

--- Players come by links with parameters: those that the study names are kept and exported on request alone, beside personal links;
--- who finishes and who leaves get codes; what is kept about a player says the identifiers, and is deleted with the player.
function Study.test_paid_players()
  local path = http.study("paid", [[identifiers = { 'PROLIFIC_PID', 'SESSION' },
    completion = { finished = 'https://pay.example/?cc=DONE', left = 'LEFT' }]], "; one\n@.O\n")
  local server <close> = http.serve(path, "paid.db")
  local links = shell.crux(("study links %s --count 2"):format(server.path)).out
  local file, second = shell.file("links.txt", links), links:match "#%x+\n.*#(%x+)"
  local token, view = server:begin { consent = "yes", link_PROLIFIC_PID = "5f & é", link_SESSION = "s1", link_OTHER = "no", crux = "no" }
  local _, kept = server:post("/kept", {}, token)
  luaunit.assertEquals(lists.map(kept.answers, function(row) return row.item .. "=" .. row.answer end), { "PROLIFIC_PID=5f & é", "SESSION=s1" })
  local _, thanks = server:post("/leave", {}, token)
  luaunit.assertEquals({ thanks.stage, thanks.completion }, { "thanks", "LEFT" })
  luaunit.assertEquals(http.solve(server, token, view, 5).completion, "https://pay.example/?cc=DONE")
  server:post("/return", { token = second }, nil)
  luaunit.assertEquals((server:post("/begin", { consent = "yes", link_SESSION = "s2" }, second)), 200)
  for _, wrong in ipairs { ("x"):rep(201), "a\nb" } do
    luaunit.assertEquals((server:post("/begin", { consent = "yes", link_SESSION = wrong })), 400)
  end
  local names = shell.path "identifiers.csv"
  local plays = shell.output(("%s study export %s --identifiers %s --links %s"):format(shell.quote(shell.program), server.path, names, file))
  luaunit.assertNil(plays:find "5f")
  luaunit.assertEquals(shell.read(names), "player,link,PROLIFIC_PID,SESSION\n1,,5f & é,s1\n2,2,,s2\n")
  server:post("/forget", {}, token)
  local db <close> = require("libcrux.database").open(server.path, false)
  luaunit.assertEquals(db:run "SELECT * FROM identifier", { { player = 2, name = "SESSION", value = "s2" } })
end

--- A level ends after its seconds, at an act that the page makes then, and counts as skipped; no level begins after those of the study.
function Study.test_the_most_time()
  local path = http.study("most", "level_seconds = 2, study_seconds = 3600", "; one\n@..O\n\n; two\n@..O\n")
  local server <close> = http.serve(path, "most.db")
  local token, view = server:begin()
  luaunit.assertEquals(view.time_left, 2)
  run_sql(server, "UPDATE play SET began = began - 60000")
  server:kill()
  local again <close> = http.serve(path, "most.db")
  view = again:act(token, view, "key", "right", 1500)
  luaunit.assertEquals({ view.time_left, view.moves }, { 1, 1 })
  luaunit.assertEquals((again:post("/act", { number = 2, act = "key", value = "right", time = 500 }, token)), 409)
  view = again:act(token, view, "key", "x", 500)
  luaunit.assertEquals({ view.stage, view.position, view.time_left }, { "play", 2, 2 })
  again:kill()
  run_sql(again, "UPDATE player SET began = began - 3600000")
  local last <close> = http.serve(path, "most.db")
  luaunit.assertEquals(http.solve(last, token, view, 5).stage, "thanks")
  luaunit.assertStrContains(shell.output(("%s study export %s"):format(shell.quote(shell.program), last.path)), ",1,1,,2,1,0,1,0,,0,0,1,")
end

--- Own questions come behind the ratings; an answer may be left out, and one that is not allowed is refused.
function Study.test_own_questions()
  local server <close> = http.serve(http.study("own", [[questions = { 'enjoyment' }, ask_after = { 'again: yes, no',
    'luck: 1..5', 'remark' }, labels = { again = '<b>Again?</b>' }]], "; one\n@.O\n\n; two\n@.O\n"), "own.db")
  local token, view = server:begin()
  view = http.solve(server, token, view, 3)
  luaunit.assertEquals({ view.asked, tostring(view.item) }, { "enjoyment", "null" })
  view = server:act(token, view, "answer", 4)
  luaunit.assertEquals({ view.asked, view.item.label, view.item.choices }, { "again", "<b>Again?</b>", { "yes", "no" } })
  for _, wrong in ipairs { "maybe", "Yes", " yes", "nil" } do
    luaunit.assertEquals(server:post("/act", { number = view.acts + 1, act = "answer", value = wrong, time = 0 }, token), 409, wrong)
  end
  view = server:act(token, view, "answer", "yes")
  luaunit.assertEquals({ view.asked, view.item.low, view.item.high }, { "luck", 1, 5 })
  luaunit.assertEquals(server:post("/act", { number = view.acts + 1, act = "answer", value = "6", time = 0 }, token), 409)
  view = server:act(token, view, "answer", "")
  luaunit.assertEquals(view.item.label, "remark")
  for _, wrong in ipairs { ("a"):rep(401), "\xff", " a" } do
    luaunit.assertEquals(server:post("/act", { number = view.acts + 1, act = "answer", value = wrong, time = 0 }, token), 409, wrong)
  end
  view = server:act(token, view, "answer", 'Hm, "so"')
  luaunit.assertEquals({ view.stage, view.position }, { "play", 2 })
  for _, key in ipairs { "right", "r" } do view = server:act(token, view, "key", key) end
  view = http.solve(server, token, view, 5)
  for _, answer in ipairs { "2", "no", "4", "" } do view = server:act(token, view, "answer", answer) end
  luaunit.assertEquals(view.stage, "thanks")
  local text = crux("study export " .. server.path)
  luaunit.assertStrMatches(text, "player,level,position,attempt,rating,enjoyment,time,moves_used,solved,skipped,losses,lost_by,"
    .. 'tutorial,abandoned,version,began,ended,input,again,luck,remark\n'
    .. '1,%l+,1,1,3,4,[%d.]+,%d,1,0,0,,0,0,1,[^,]+,[^,]+,,yes,,"Hm, ""so"""\n'
    .. "1,%l+,2,1,,,[%d.]+,1,0,0,0,,0,0,1,[^,]+,[^,]+,,,,\n1,%l+,2,2,5,2,[%d.]+,%d,1,0,0,,0,0,1,[^,]+,[^,]+,,no,4,\n")
  local _, kept = server:post("/kept", {}, token)
  luaunit.assertEquals(#kept.answers, 4)
end

--- Until a player goes on, answers can be changed: the row of the attempt has the last ones, and the acts all. An answer stays
--- until there is another one, after a restart of the server, too. There is nothing to change in a level, or without a question.
function Study.test_answers_are_changed()
  local path = http.study("changed", "tutorial = { 'lesson.txt' }, ask_after = { 'again: yes, no' }", "; one\n@.O\n")
  local server = http.serve(path, "changed.db")
  local token, view = server:begin()
  local function says(act, value)
    local status, after = server:post("/act", { number = view.acts + 1, act = act, value = value, time = 0 }, token)
    if status == 200 then view = after end
    return status
  end
  local function refuses() luaunit.assertEquals(says("back", ""), 409) end
  local function expect(asked, answer, given)
    luaunit.assertEquals({ view.stage, tostring(view.asked), tostring(view.answer) }, { "question", asked, answer })
    luaunit.assertEquals(lists.map(view.given, function(one) return tostring(one.label) .. " " .. one.answer end), given)
  end
  refuses()
  says("key", "right")
  refuses() -- a lesson has no questions
  says("key", "enter")
  for _ = 1, 2 do says("key", "right") end
  expect("rating", "null", {})
  refuses()
  says("answer", 6)
  expect("again", "null", { "null 6" })
  says("back", "")
  expect("rating", "6", {})
  server:kill()
  server = http.serve(path, "changed.db")
  local _, same = server:post("/view", {}, token)
  luaunit.assertEquals(same, view)
  luaunit.assertStrContains(crux("study export " .. server.path), "\n1,one,2,1,6,")
  says("answer", 3)
  says("answer", "yes")
  expect("null", "null", { "null 3", "again yes" })
  says("back", "")
  expect("again", "yes", { "null 3" })
  says("back", "")
  says("answer", 4)
  expect("null", "null", { "null 4", "again yes" })
  says("back", "")
  says("answer", "")
  says("key", "enter")
  luaunit.assertEquals(view.stage, "thanks")
  refuses()
  server:kill()
  luaunit.assertStrMatches(crux("study export " .. server.path), ".*\n1,one,2,1,4,[^\n]*,\n")
  local db <close> = require("libcrux.database").open(server.path)
  local acts = lists.map(db:run "SELECT act, value FROM act WHERE position = 2 ORDER BY number", function(row) return row.act .. " " .. row.value end)
  luaunit.assertEquals(table.concat(acts, ", "), "key right, key right, answer 6, back , answer 3, answer yes, back , back , "
    .. "answer 4, back , answer , key enter")
end

--- Who knows the game plays no tutorial; the answer is in the table of players.
function Study.test_who_knows_the_game()
  local server <close> = http.serve(http.study("knows", "tutorial = { 'lesson.txt' }, per_player = 2, ask = { 'town' }", two), "knows.db")
  local _, welcome = server:post("/view", {})
  luaunit.assertEquals(welcome.lessons, 1)
  local _, view = server:begin { consent = "yes", knows_game = "yes", town = "Ulm" }
  luaunit.assertEquals({ view.tutorial, view.position, view.count }, { false, 1, 2 })
  _, view = server:begin()
  luaunit.assertEquals({ view.tutorial, view.position, view.count }, { true, 1, 3 })
  local players = shell.path "knows-players.csv"
  crux(("study export %s --players-file %s"):format(server.path, players))
  luaunit.assertEquals(shell.read(players), "player,came_by,knows_game,outcome,town\n1,public,1,,Ulm\n2,public,0,,\n")
end

--- A player may see how others fared at any time, and go on.
function Study.test_leaving_and_going_on()
  local server <close> = http.serve(http.study("leave", "", two), "leave.db")
  local token, view = server:begin()
  view = http.solve(server, token, view, 3)
  local status, thanks = server:post("/leave", {}, token)
  luaunit.assertEquals({ status, thanks.stage, thanks.outcome, #thanks.levels }, { 200, "thanks", "left", 1 })
  luaunit.assertEquals(http.solve(server, token, view, 4).outcome, "finished")
  luaunit.assertEquals(server:post("/leave", {}), 401)
end

local exit = "; l%d\n@%sO\n"

--- Six levels, each longer by one square than the one behind it.
local function shrinking()
  local levels = {}
  for i = 1, 6 do levels[i] = exit:format(i, ("."):rep(6 - i)) end
  return table.concat(levels, "\n")
end

--- The levels that players get, in their orders.
local function levels_of(fields, players)
  local server <close> = http.serve(http.study("order", fields, shrinking()), "order.db")
  local orders = {}
  for player = 1, players do
    local token, view = server:begin()
    while view.stage ~= "thanks" do view = http.solve(server, token, view, 5) end
    local rows = run_sql(server, "SELECT level FROM play WHERE player = " .. player .. " ORDER BY position")
    for i, row in ipairs(rows) do rows[i] = row.level end
    orders[player] = table.concat(rows, " ")
  end
  server:kill()
  shell.run(("rm %s*"):format(server.path))
  return orders
end

--- In the order of the files; with three levels a player, each third of the files gives one, and two players have them all.
function Study.test_order_of_the_files()
  luaunit.assertEquals(levels_of("order = 'given'", 1), { "l1 l2 l3 l4 l5 l6" })
  local orders = levels_of("order = 'given', per_player = 3", 2)
  for i = 1, 3 do
    local pair = {}
    for player = 1, 2 do pair[player] = orders[player]:sub(3 * i - 2, 3 * i - 1) end
    table.sort(pair)
    luaunit.assertEquals(pair, { "l" .. 2 * i - 1, "l" .. 2 * i })
  end
end

--- A rule that rates a level by the states of its search, one for each square: the last level of the file has the least rating.
--- It is the easiest one, or the hardest one if the target falls with difficulty.
function Study.test_order_of_rising_ratings()
  long.only()
  for target, order in pairs { [""] = "l6 l5 l4 l3 l2 l1", ["target = { 'rating', falls = true },"] = "l1 l2 l3 l4 l5 l6" } do
    local path = shell.file("states.lua", "return crux.rule { " .. target .. "formula = 'rating ~ states', coefficients = "
      .. "{ ['(intercept)'] = 1, states = 2 } }")
    luaunit.assertEquals(levels_of(("order = 'rising', rule = '%s'"):format(path), 1), { order })
  end
end

--- All are solved. Of the levels that the first player has not had a play tells more. An easier one, as those that were solved,
--- is nearer to a chance of 0.7; without plays the chance is 0.5.
function Study.test_orders_by_outcomes()
  local orders = levels_of("order = 'variance', per_player = 3", 2)
  local all = {}
  for name in table.concat(orders, " "):gmatch "%S+" do table.insert(all, name) end
  table.sort(all)
  luaunit.assertEquals(all, { "l1", "l2", "l3", "l4", "l5", "l6" })
  orders = levels_of("order = 'ability', per_player = 1", 3)
  luaunit.assertEquals({ orders[2], orders[3] }, { orders[1], orders[1] })
end

--- 40 players of a study in random order, one level each: a level has 6 or 7 plays only by a chance below 1 in 1000.
function Study.test_random_order()
  local server <close> = http.serve(http.study("random", "order = 'random', per_player = 1", shrinking()), "random.db")
  local seen = {}
  for _ = 1, 40 do server:begin() end
  for _, row in ipairs(run_sql(server, "SELECT count(*) AS n FROM play GROUP BY level")) do seen[row.n] = true end
  seen[6], seen[7] = nil, nil
  luaunit.assertNotNil(next(seen))
end

local head = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"

--- Records of terminals come beside the plays of browsers, once; a longer record adds its end.
function Study.test_import()
  local server <close> = http.serve(http.study("import", "tutorial = { 'lesson.txt' }", two), "import.db")
  local token, view = server:begin { consent = "yes", knows_game = "yes" }
  http.solve(server, token, view, 3)
  local rows = { "ann,lesson,1,1,,2.5,1,1,0,0,,1\n", "ann,one,2,1,,30,4,0,0,1,spike,0\n", "ann,one,2,2,7,12.5,2,1,0,0,,0\n" }
  local function import(text)
    local result = shell.run(("%s study import %s %s"):format(shell.quote(shell.program), server.path, shell.file("ann.csv", text)))
    return result.err:gsub(shell.path "", "")
  end
  luaunit.assertEquals(import(head .. rows[1] .. rows[2]), "import.db: 2 attempts added, 0 there before\n")
  luaunit.assertEquals(import(head .. table.concat(rows)), "import.db: 1 attempt added, 2 there before\n")
  local text = crux("study export " .. server.path)
  for i = 1, 3 do luaunit.assertStrContains(text, "2" .. rows[i]:sub(4, -2) .. ",0,,,,\n") end
  luaunit.assertEquals(select(2, text:gsub("\n", "")), 5)
  luaunit.assertEquals(run_sql(server, "SELECT id, came_by FROM player"), { { id = 1, came_by = "public" }, { id = 2, came_by = "import" } })
  luaunit.assertNil(shell.read(server.path .. "-wal"):find("ann", 1, true))
  local before = text
  for row, message in pairs {
    ["ann,one,2,2,8,12.5,2,1,0,0,,0"] = "column 'rating': found 8, expected 7, as in import.db",
    ["ann,two,2,1,8,12.5,2,1,0,0,,0"] = "found level 'two' at position 2, expected level 'one' at position 2, as before",
    ["bob,on,1,1,8,12.5,2,1,0,0,,0"] = "column 'level': found the unknown level 'on'; did you mean 'one'?",
    ["bob,one,1,1,8,12.5,2,1,0,0,,1"] = "column 'tutorial': found 1, expected 0, as level 'one' in import.db",
    ["bob,one,0,1,8,12.5,2,1,0,0,,0"] = "column 'position': found 0, expected an integer of at least 1",
    ["bob,one,1,1,8,,2,1,0,0,,0"] = "column 'time': found an empty field, expected a number",
    [",one,1,1,8,1,2,1,0,0,,0"] = "column 'player': found an empty field, expected a name",
    ["bob,one,1,1,8,1,2,1,0,0,,0\nbob,one,1,2,8,1,2,1,0,0,,0"] =
      "found player 'bob' and level 'one' again, as in ann.csv:3, expected no row behind that of the level solved or skipped",
  } do
    local said = import(head .. "cid,two,1,1,3,2,1,1,0,0,,0\n" .. row .. "\n")
    luaunit.assertStrContains(said, message)
    luaunit.assertStrMatches(said, "ann.csv:[34]: .*")
  end
  luaunit.assertStrContains(import "player,level,rating\nann,one,3\n", "ann.csv:1: an import needs the column 'position'")
  luaunit.assertEquals(crux("study export " .. server.path), before)
end

--- An export comes into another database of the same levels with its own questions. Versions are those of a database. What a
--- player has done since an export comes with the next one.
function Study.test_import_of_an_export()
  local path = http.study("again", "ask_after = { 'remark' }", two)
  local server <close> = http.serve(path, "from.db")
  local token, view = server:begin()
  server:act(token, http.solve(server, token, view, 3), "answer", "good")
  local plays, other = shell.path "from.csv", http.serve(path, "to.db")
  other:kill()
  local function import()
    crux(("study export %s -o %s"):format(server.path, plays))
    local said = shell.run(("%s study import %s %s"):format(shell.quote(shell.program), other.path, plays)).err
    luaunit.assertEquals(crux("study export " .. other.path), (shell.read(plays):gsub(",([01]),1,20", ",%1,,20")))
    return said:match ": (.*)\n"
  end
  luaunit.assertEquals(import(), "1 attempt added, 0 there before")
  local _, next_level = server:post("/view", {}, token)
  view = server:act(token, next_level, "key", "left")
  luaunit.assertEquals(import(), "1 attempt added, 1 there before")
  luaunit.assertEquals(import(), "0 attempts added, 2 there before")
  while view.stage == "play" do view = server:act(token, view, "key", "right") end
  luaunit.assertEquals(import(), "1 attempt added, 1 there before")
  view = server:act(token, view, "answer", 4)
  luaunit.assertEquals(import(), "1 attempt added, 1 there before")
  server:act(token, view, "answer", "bad")
  luaunit.assertEquals(import(), "0 attempts added, 2 there before")
  shell.file("from.csv", (shell.read(plays):gsub(",4,", ",5,")))
  luaunit.assertStrContains(shell.run(("%s study import %s %s"):format(shell.quote(shell.program), other.path, plays)).err,
    "from.csv:3: column 'rating': found 5, expected 4, as in ")
end

--- The summary and the fitted rule, again when somebody has played.
function Study.test_watch()
  local path = http.study("watch", "rule = 'states.lua'", shrinking())
  shell.file("watch/states.lua", "return crux.rule { formula = 'difficulty ~ states' }")
  local server <close> = http.serve(path, "watch/study.db")
  local out = shell.file("watched", "")
  local pid = shell.run(("%s study watch %s > %s 2>&1 & echo $!"):format(shell.quote(shell.program), server.path, out)).out:match "%d+"
  local function wait(count)
    shell.wait(pid, function() return select(2, shell.read(out):gsub("Ctrl%-C", "")) >= count end)
  end
  wait(1)
  luaunit.assertStrContains(shell.read(out), "found no play, expected at least one")
  local rows = { head }
  for i = 1, 6 do rows[i + 1] = ("ann,l%d,%d,1,%d,1,1,1,0,0,,0\n"):format(i, i, 9 - i) end -- longer ones are harder
  shell.run(("%s study import %s %s"):format(shell.quote(shell.program), server.path, shell.file("plays.csv", table.concat(rows))))
  wait(2)
  shell.run("kill " .. pid)
  shell.wait(pid, function() end)
  local text = shell.read(out)
  luaunit.assertStrContains(text, "study.db has changed\n")
  luaunit.assertStrContains(text, "6 plays of 6 levels by 1 player: 6 solved")
  luaunit.assertStrMatches(text, ".*states.lua, refitted to the mean ratings of levels\n\nterm .*\nstates +%d.*")
end

function Study.test_wrong_scripts()
  if not package.preload["libcrux.database"] then luaunit.skip "built without crux serve" end
  local function says(fields, message)
    local path = http.study("wrong", fields, two)
    luaunit.assertStrContains(shell.crux("check " .. path).err, message)
  end
  says("order = 'up'", "field 'order': found 'up', expected one of fewest, random, given, rising, variance, ability")
  says("success = 1", "field 'success': found 1, expected a number between 0 and 1")
  says("order = 'rising'", "field 'order': found 'rising' without a field 'rule', expected the rule whose rating rises")
  says("rule = 'flow'", "game 'walk': found the unknown measure")
  says("ask_after = { 'time' }", "field 'ask_after': found 'time', expected a name that no other question and no column of an export has")
  says("ask = { 'a' }, ask_after = { 'a' }", "field 'ask_after': found 'a', expected a name that no other question")
  says("ask = { 'age' }, labels = { aga = 'x' }", "field 'labels': found the unknown question 'aga'; did you mean 'age'?")
  says("public_players = -1", "field 'public_players': found -1, expected an integer of at least 0")
  says("link_days = 'x'", "field 'link_days': found 'x', expected a number of days")
end

return { Study = Study }
