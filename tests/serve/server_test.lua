--- Tests of crux serve over HTTP: protocol, order of acts, hostile clients, a server that is killed.
local http = require "http"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local Server = require "crux.serve.server"
local shell = require "shell"
local wall = require "libcrux.wall"

local Serve = {}

local solve, study = http.solve, http.study

local two = "; one\n@.O\n\n; two\n.@O\n"

--- The rows of a database, by the columns that terminals have, but for the time.
local function exported(server)
  local text = shell.output(("%s study export %s"):format(shell.quote(shell.program), server.path))
  return (text:gsub(",abandoned,version,began,ended,input", "")
    :gsub(",[%d.]+(,%d+,[01],[01],%d+,[^,]*,[01]),[01],1,[%dTZ:.-]+,[%dTZ:.-]+,[%a+]*", ",T%1"))
end

function Serve.test_a_study_from_consent_to_thanks()
  local path = study("whole", [[tutorial = { 'lesson.txt' }, consent = 'Do you?', ask = { 'age: 1..120' }, title = '<b>T</b>',
    questions = { 'enjoyment' }, scale = { 1, 7 }, ends = { 'easy', 'hard' }, contact = 'me']], two)
  local server <close> = http.serve(path, "whole.db")
  local _, welcome = server:post("/view", {})
  luaunit.assertEquals({ welcome.stage, welcome.title, welcome.consent, welcome.items[1].name }, { "welcome", "<b>T</b>", "Do you?", "age" })
  luaunit.assertEquals(server:post("/begin", { age = 20 }), 400)
  luaunit.assertEquals(server:post("/begin", { consent = "yes", age = 121 }), 400)
  local token, view = server:begin { consent = "yes", age = 20 }
  luaunit.assertEquals({ view.stage, view.position, tostring(view.count), view.tutorial, view.skip_in }, { "play", 1, "null", true, 0 })
  view = server:act(token, view, "key", "right")
  luaunit.assertEquals({ view.stage, view.outcome, tostring(view.asked) }, { "question", "Solved", "null" })
  view = server:act(token, view, "key", "enter")
  luaunit.assertEquals({ view.stage, view.position, view.tutorial, view.skip_in > 0 }, { "play", 2, false, true })
  for position = 2, 3 do -- in a random order
    while view.stage == "play" do view = server:act(token, view, "key", "right") end
    luaunit.assertEquals({ view.asked, view.low, view.high, view.ends }, { "rating", 1, 7, { "easy", "hard" } })
    view = server:act(token, view, "answer", 6)
    luaunit.assertEquals({ view.stage, view.asked, view.position }, { "question", "enjoyment", position })
    view = server:act(token, view, "answer", position)
  end
  luaunit.assertEquals({ view.stage, #view.levels, view.levels[1].rating }, { "thanks", 2, 6 })
  local text = exported(server)
  luaunit.assertStrContains(text, "player,level,position,attempt,rating,enjoyment,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"
    .. "1,lesson,1,1,,,T,1,1,0,0,,1\n")
  local first = text:match "1,(%l+),2,"
  for level, moves in pairs { one = 2, two = 1 } do
    local position = level == first and 2 or 3
    luaunit.assertStrContains(text, ("1,%s,%d,1,6,%d,T,%d,1,0,0,,0\n"):format(level, position, position, moves))
  end
end

--- An act that is sent again is made once; one that is not the next is refused, and the answer says what is next.
function Serve.test_acts_are_made_in_order_and_once()
  local server <close> = http.serve(study("order", "", "; far\n@.....O\n"), "order.db")
  local token = server:begin()
  local function send(number, key, time)
    local status, view = server:post("/act", { number = number, act = "key", value = key or "right", time = time or 0 }, token)
    return { status, view.acts, view.moves }
  end
  luaunit.assertEquals(send(1), { 200, 1, 1 })
  luaunit.assertEquals(send(1), { 200, 1, 1 })
  luaunit.assertEquals(send(3), { 409, 1, 1 })
  luaunit.assertEquals(send(2), { 200, 2, 2 })
  luaunit.assertEquals(send(1), { 200, 2, 2 })
  for _, number in ipairs { 0, 1, 2 } do -- of another window
    luaunit.assertEquals({ send(number, "left"), send(number, "right", 80) }, { { 409, 2, 2 }, { 409, 2, 2 } })
  end
end

--- The server alone knows when a level is solved, how much time has passed, and what may be done.
function Serve.test_what_the_client_says_is_not_believed()
  local server <close> = http.serve(study("claims", "skip_losses = 2, skip_seconds = 100000", "; trap\n^@.O\n"), "claims.db")
  local token, view = server:begin()
  local function refuses(act, value, time)
    local status, after = server:post("/act", { number = view.acts + 1, act = act, value = value, time = time or 0 }, token)
    luaunit.assertEquals({ status, after.acts }, { 409, view.acts }, act .. " " .. value)
  end
  refuses("answer", "10")
  refuses("solved", "1")
  refuses("key", "x", 1000000000)
  refuses("key", "q")
  refuses("key", "?")
  refuses("key", "enter\nup")
  refuses("point", "1,1")
  for _ = 1, 2 do
    view = server:act(token, view, "key", "left")
    luaunit.assertEquals({ view.stage, view.lost }, { "play", true })
    view = server:act(token, view, "key", "u", 1000000000)
  end
  luaunit.assertTrue(view.seconds < 1000) -- the page said a million
  view = server:act(token, view, "key", "right")
  view = server:act(token, view, "key", "right")
  luaunit.assertEquals(view.stage, "question")
  for _, rating in ipairs { "0", "11", "07", "5.5", "", "-1", "1e1", "five" } do refuses("answer", rating) end
  refuses("key", "right")
  refuses("key", "enter")
  luaunit.assertEquals(server:act(token, view, "answer", 10).stage, "thanks")
  local _, thanks = server:post("/view", {}, token)
  view = thanks
  refuses("key", "right")
end

--- A pointer goes to a square with the cursor; a drag draws a path, which ends at its endpoint: there is nothing left to drop.
function Serve.test_points_and_drags()
  local server <close> = http.serve("flow " .. shell.file("flow.txt", "A.A\nB.B\n"), "flow.db")
  local token, view = server:begin()
  luaunit.assertEquals({ view.has_cursor, view.click }, { true, "space" })
  for row, text in ipairs { "A───A\nB · B\n", "A───A\nB───B\n" } do
    view = server:act(token, view, "point", "1," .. row)
    view = server:act(token, view, "key", "space")
    luaunit.assertTrue(view.holds)
    view = server:act(token, view, "point", "2," .. row)
    view = server:act(token, view, "point", "9," .. row) -- there are three squares
    if view.stage == "play" then view = server:act(token, view, "drop", "") end
    luaunit.assertEquals({ view.holds, view.text }, { false, text })
  end
  luaunit.assertEquals({ view.stage, view.moves }, { "question", 2 })
end

--- A gesture is one act: undo takes all of it back, redo makes it again, and the moves that stand fall and rise.
function Serve.test_gestures_undo_and_redo()
  local server <close> = http.serve("flow " .. shell.file("gestures.txt", "A..A\nB..B\n"), "gestures.db")
  local token, view = server:begin()
  local function seen() return { view.text, view.moves, view.can_undo, view.can_redo } end
  local drawn, empty = "A─────A\nB · · B\n", "A · · A\nB · · B\n"
  view = server:act(token, view, "gesture", "drop 1,1 space 2,1+80 3,1+95 4,1+5 drop")
  luaunit.assertEquals(seen(), { drawn, 1, true, false })
  luaunit.assertEquals(view.hand.paths, { { "1,1", "2,1", "3,1", "4,1" }, {} })
  view = server:act(token, view, "key", "u")
  luaunit.assertEquals(seen(), { empty, 0, false, true })
  view = server:act(token, view, "key", "redo")
  luaunit.assertEquals(seen(), { drawn, 1, true, false })
  for _, wrong in ipairs { "", "1,1 u", "x", "1,1 redo", "9999,1", "space+", ("1,1 "):rep(20001) } do
    luaunit.assertNotEquals(server:post("/act", { number = 4, act = "gesture", value = wrong, time = 0 }, token), 200, wrong)
  end
  server:kill()
  local later <close> = http.serve("flow " .. shell.path "gestures.txt", "gestures.db")
  local _, again = later:post("/view", {}, token)
  view = later:act(token, again, "gesture", "1,2 space 4,2+300 drop")
  luaunit.assertEquals({ again.text, view.stage, view.moves }, { drawn, "question", 2 })
end

--- A request has all acts that were not answered: each is made once, in order; those about a level that is solved are left out.
function Serve.test_several_acts_in_a_request()
  local server <close> = http.serve(study("several", "", "; far\n@...O\n\n; near\n@O\n"), "several.db")
  local token, view = server:begin()
  local function send(number, keys, subject)
    local fields = { number = number }
    for i, key in ipairs(keys) do
      local n = i == 1 and "" or i
      fields["act" .. n], fields["value" .. n], fields["time" .. n], fields["subject" .. n] = "key", key, 80, subject
    end
    local status, after = server:post("/act", fields, token)
    return { status, after.acts, after.moves, after.stage }
  end
  local subject, to_exit = view.subject, view.text == "@O\n" and 1 or 4
  if to_exit == 4 then
    luaunit.assertEquals(send(1, { "right", "right" }, subject), { 200, 2, 2, "play" })
    luaunit.assertEquals(send(1, { "right", "right", "right" }, subject), { 200, 3, 3, "play" }) -- sent again, with one more
    luaunit.assertEquals(send(2, { "right", "left" }, subject), { 409, 3, 3, "play" }) -- of another window
  end
  luaunit.assertEquals(send(to_exit, { "right", "enter", "right" }, subject), { 200, to_exit, to_exit, "question" })
  luaunit.assertEquals(send(to_exit + 1, { "right", "right" }, subject), { 200, to_exit, to_exit, "question" })
  local db <close> = require("libcrux.database").open(server.path, false)
  luaunit.assertEquals(db:run("SELECT count(*) AS n, max(number) AS last FROM act"), { { n = to_exit, last = to_exit } })
  luaunit.assertEquals(db:run("SELECT moves_used, solved FROM attempt"), { { moves_used = to_exit, solved = 1 } })
end

--- A button of a game's own that is wrong, or whose picture takes for ever, ends the level of the player, and the server goes on.
function Serve.test_wrong_buttons()
  for row, reason in pairs { ["5"] = "found 5, expected rows { key =", ["{ key = 'a', doc = 'x', paint = function() end }"] = "found no size",
    ["{ key = 'a', doc = 'x', paint = function() while true do end end }"] = "ran for more than 1 s" } do
    local path = shell.file("buttons.lua", ([[
      local game = crux.game "buttons"
      function game.parse(text) return { text = text } end function game.solve() return { status = "solved" } end function game.format() return "x" end
      game.play = { keys = { { "a", "end" } }, start = function() return 1 end, step = function() return 2 end,
        done = function(now) return now == 2 end, draw = function() return "x" end, pad = function() return { %s } end }
      return game]]):format(row))
    local server <close> = http.serve(("%s %s --limit-time 1"):format(path, shell.file("buttons.txt", "; one\nx\n")), "buttons.db")
    local _, view = server:begin()
    luaunit.assertEquals(view.stage, "failed", row)
    luaunit.assertStrContains(shell.read(server.said), reason)
    server:kill()
    shell.run("rm -f " .. server.path .. "*")
  end
end

--- A script that fails at a later act of a request: what it made before was not answered, and the failure takes its place.
function Serve.test_a_failure_after_other_acts_of_a_request()
  local path = playing.game("walk", { ["local here ="] = "if now.x == 3 then error 'broken' end; local here =" })
  local server <close> = http.serve(("%s %s"):format(path, shell.file("later.txt", "; one\n@....O\n")), "later.db")
  local token, view = server:begin()
  local fields = { number = 1 }
  for i, n in ipairs { "", 2, 3, 4 } do
    fields["act" .. n], fields["value" .. n], fields["time" .. n], fields["subject" .. n] = "key", "right", i, view.subject
  end
  local status, after = server:post("/act", fields, token)
  luaunit.assertEquals({ status, after.stage, after.acts }, { 200, "failed", 1 })
  luaunit.assertEquals(server:act(token, after, "key", "x").stage, "thanks")
end

function Serve.test_skips_after_losses()
  local server <close> = http.serve(study("skips", "skip_losses = 1, questions = { 'skipped' }", "; trap\n^@.O\n"), "skips.db")
  local token, view = server:begin()
  view = server:act(token, view, "key", "left")
  luaunit.assertEquals(view.skip_in, 0)
  view = server:act(token, view, "key", "x")
  luaunit.assertEquals({ view.stage, view.outcome, view.asked }, { "question", "Skipped", "rating" })
  luaunit.assertEquals(server:act(token, view, "answer", 9).stage, "thanks")
  luaunit.assertStrContains(exported(server), "1,trap,1,1,9,T,1,0,1,1,,0\n")
end

--- Strangers get nothing; each wrong request is refused by its status, and the server goes on.
function Serve.test_hostile_requests()
  local server <close> = http.serve(study("hostile", "", two), "hostile.db")
  local token, view = server:begin()
  for _, wrong in ipairs { ("0"):rep(32), "", "x", token:upper(), token .. "0", "' OR 1=1 --", ("a"):rep(4000) } do
    local fields = { number = view.acts + 1, act = "key", value = "right", time = 0 }
    luaunit.assertEquals(server:post("/act", fields, wrong), 401, wrong)
    luaunit.assertEquals(server:post("/kept", {}, wrong), 401, wrong)
    luaunit.assertEquals(server:post("/forget", {}, wrong), 401, wrong)
    luaunit.assertEquals(server:post("/return", { token = wrong }), 401, wrong)
  end
  for _, path in ipairs { "/..", "/../../etc/passwd", "/page.css/../../study.lua", "/%2e%2e/walk.lua", "//", "/hostile.db",
    "/page.html", "/actions" } do
    luaunit.assertEquals((server:get(path)), 404, path)
  end
  for path, method in pairs { ["/"] = "POST", ["/page.js"] = "PUT", ["/act"] = "GET", ["/view"] = "DELETE", ["/kept"] = "HEAD" } do
    local status = server:get(path, method == "HEAD" and "-I" or "-X " .. method)
    luaunit.assertEquals(status, 405, path)
  end
  for _, fields in ipairs { { number = "1" }, { number = "x", act = "key", value = "up", time = 0 },
    { number = -1, act = "key", value = "up", time = 0 }, { number = 1, act = "key", value = "up", time = "1e9" },
    { number = ("9"):rep(30), act = "key", value = "up", time = 0 } } do
    luaunit.assertEquals(server:post("/act", fields, token), 400)
  end
  local large = shell.file("large", "value=" .. ("a"):rep(10000))
  luaunit.assertEquals((server:get("/act", "-d @" .. large)), 413)
  luaunit.assertEquals((server:get("/act", "-H 'Transfer-Encoding: chunked' -d @" .. large)), 0) -- closed
  luaunit.assertEquals((server:get("/" .. ("a"):rep(40000))), 414)
  luaunit.assertEquals(solve(server, token, view, 3).stage, "play")
end

function Serve.test_headers_and_tokens()
  local path = study("headers", "", two)
  local server <close> = http.serve(path .. " --url https://example.org/", "headers.db")
  local _, headers = server:get "/"
  luaunit.assertStrContains(headers, "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ")
  luaunit.assertStrContains(headers, "X-Content-Type-Options: nosniff")
  local _, _, begun = server:post("/begin", { consent = "yes" })
  local token = begun:match "crux=(%x+)"
  luaunit.assertEquals(#token, 32)
  luaunit.assertStrContains(begun, ("Set-Cookie: crux=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000; Secure"):format(token))
  local status, view, again = server:post("/return", { token = token })
  luaunit.assertEquals({ status, view.stage, again:match "crux=(%x+)" }, { 200, "play", token })
  for _, ending in ipairs { "", "-wal" } do
    luaunit.assertNil(shell.read(server.path .. ending):find(token, 1, true))
  end
end

function Serve.test_what_is_kept_is_shown_and_deleted()
  local server <close> = http.serve(study("rights", "ask = { 'town' }", two), "rights.db")
  local token, view = server:begin { consent = "yes", town = "<i>Köln</i>" }
  local other = server:begin()
  solve(server, token, view, 3)
  local _, kept = server:post("/kept", {}, token)
  luaunit.assertEquals({ kept.player, kept.token, kept.answers[1].answer, kept.plays[1].rating }, { 1, token, "<i>Köln</i>", 3 })
  local status, welcome, headers = server:post("/forget", {}, token)
  luaunit.assertEquals({ status, welcome.stage, headers:match "crux=([^;]*)" }, { 200, "welcome", "" })
  for _, ending in ipairs { "", "-wal" } do luaunit.assertNil(shell.read(server.path .. ending):find("Köln", 1, true), ending) end
  luaunit.assertEquals(server:post("/kept", {}, token), 401)
  luaunit.assertEquals(server:post("/kept", {}, other), 200)
  server:kill()
  local db <close> = require("libcrux.database").open(server.path)
  for _, table_name in ipairs { "answer", "play", "act", "attempt" } do
    luaunit.assertEquals(db:run(("SELECT * FROM %s WHERE player = 1"):format(table_name)), {}, table_name)
  end
  luaunit.assertEquals(db:run "SELECT id FROM player", { { id = 2 } })
end

function Serve.test_a_flood_of_players()
  local server <close> = http.serve(study("flood", "", two) .. " --sessions-per-minute 2", "flood.db")
  local token, view = server:begin()
  server:begin()
  luaunit.assertEquals(server:post("/begin", { consent = "yes" }), 429)
  luaunit.assertEquals(solve(server, token, view, 3).stage, "play")
end

--- The next level is one with the fewest plays that are rated or go on: 12 plays of 6 levels are 2 of each.
function Serve.test_levels_are_balanced()
  local levels = {}
  for i = 1, 6 do levels[i] = ("; %d\n@O\n"):format(i) end
  local server <close> = http.serve(study("balance", "per_player = 2", table.concat(levels, "\n")), "balance.db")
  for player = 1, 6 do
    local token, view = server:begin()
    local count = player % 2 == 0 and 2 or 1 -- others leave at their second level, which goes on
    for _ = 1, count do view = solve(server, token, view, 5) end
    luaunit.assertEquals({ view.stage, view.position }, count == 2 and { "thanks" } or { "play", 2 })
  end
  server:kill()
  local db <close> = require("libcrux.database").open(server.path)
  luaunit.assertEquals(db:run "SELECT DISTINCT count(*) AS n FROM play GROUP BY level", { { n = 2 } })
  luaunit.assertEquals(db:run "SELECT count(*) AS n FROM play", { { n = 12 } })
  luaunit.assertEquals(db:run "SELECT 1 FROM play GROUP BY player, level HAVING count(*) > 1", {})
end

--- Plays of players who have gone do not count: with an away time of 0, all choose among the levels that nobody has rated.
function Serve.test_abandoned_plays_do_not_count()
  local server <close> = http.serve(study("away", "away_seconds = 0, per_player = 1", two), "away.db")
  local token, view = server:begin()
  solve(server, token, view, 5)
  for _ = 1, 4 do server:begin() end
  server:kill()
  local db <close> = require("libcrux.database").open(server.path)
  local counts = db:run "SELECT count(*) AS n FROM play GROUP BY level ORDER BY n"
  luaunit.assertEquals(counts, { { n = 1 }, { n = 4 } })
end

--- The acts as JSON; players who have done nothing for 0 days are deleted, while the server runs.
function Serve.test_jsonl_and_forget()
  local server <close> = http.serve(study("lines", "", "; one\n@.O\n"), "lines.db")
  local token, view = server:begin()
  server:act(token, view, "key", "right")
  local program = shell.quote(shell.program)
  local line = shell.output(("%s study jsonl %s"):format(program, server.path)):gsub("_ms\": %d+", "_ms\": 0")
  luaunit.assertEquals(line, '{"player": 1, "number": 1, "level": "one", "position": 1, "act": "key", "value": "right", "result": "", '
    .. '"client_ms": 0, "server_ms": 0, "input": null}\n')
  local function forget(days) return shell.run(("%s study forget %s --older-than %s"):format(program, server.path, days)).err end
  luaunit.assertEquals(forget(1), server.path .. ": 0 players deleted\n")
  luaunit.assertEquals(forget(0), server.path .. ": 1 player deleted\n")
  luaunit.assertEquals(server:post("/act", { number = 2, act = "key", value = "left", time = 0 }, token), 401)
end

--- After kill -9 each acknowledged act is there, and players go on where they were.
function Serve.test_a_server_that_is_killed()
  local path = study("killed", "", "; one\n@.....O\n\n; two\n.@....O\n")
  local token, view
  do
    local server <close> = http.serve(path, "killed.db")
    token, view = server:begin()
    view = solve(server, token, view, 7)
    view = server:act(token, view, "key", "right")
    view = server:act(token, view, "key", "w")
  end
  local server <close> = http.serve(path, "killed.db")
  local _, after = server:post("/view", {}, token)
  for _, field in ipairs { "acts", "stage", "position", "moves", "text" } do luaunit.assertEquals(after[field], view[field], field) end
  after = solve(server, token, after, 2)
  luaunit.assertEquals(after.stage, "thanks")
  luaunit.assertEquals({ after.levels[1].rating, after.levels[2].rating }, { 7, 2 })
end

--- A second server on the same database, here by a link to it, is refused; commands that read it are not. The lock ends with
--- the process.
function Serve.test_one_server_of_a_database()
  local path, link = study("locked", "", two), shell.path "link.db"
  do
    local server <close> = http.serve(path, "locked.db")
    shell.run(("ln -s %s %s"):format(server.path, link))
    luaunit.assertEquals(shell.run(("%s serve %s --database %s --port 0"):format(shell.quote(shell.program), path, link)),
      { status = 1, out = "", err = link .. ": another 'crux serve' uses this database\n" })
    local token, view = server:begin()
    solve(server, token, view, 5)
    luaunit.assertStrContains(exported(server), "\n1,%a+,1,1,5,T", true)
  end
  local server <close> = http.serve(path, "link.db")
  server:begin()
end

function Serve.test_a_database_that_is_no_file()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  local path = shell.folder "folder.db"
  luaunit.assertEquals(shell.run(("%s serve %s --database %s --port 0"):format(shell.quote(shell.program), study("nowhere", "", two), path)).err,
    path .. ": found no plain file, expected a database, or none yet\n")
end

--- A full disk, made so by a command of the shell: players are told, what was acknowledged stays, and the server goes on when
--- another command has made space.
local function check_full_disk(server, fill, free)
  local token, view = server:begin()
  view = server:act(token, view, "key", "right")
  local function act() return server:post("/act", { number = 2, act = "key", value = "right", time = 0 }, token) end
  shell.run(fill)
  for _ = 1, 2 do
    local status, said = act()
    luaunit.assertEquals({ status, said.problem }, { 503, "full" })
  end
  luaunit.assertEquals((server:post("/begin", { consent = "yes" })), 503)
  luaunit.assertEquals((server:get "/"), 200)
  local _, same = server:post("/view", {}, token)
  luaunit.assertEquals({ same.acts, same.text }, { 1, view.text })
  luaunit.assertEquals((server:post("/forget", {}, token)), 503)
  luaunit.assertEquals((server:post("/kept", {}, token)), 200)
  shell.run(free)
  local status, after = act()
  luaunit.assertEquals({ status, after.acts, after.moves }, { 200, 2, 2 })
  server:kill()
  local db <close> = require("libcrux.database").open(server.path)
  luaunit.assertEquals(db:run "SELECT number FROM act", { { number = 1 }, { number = 2 } })
  luaunit.assertEquals(db:run "SELECT id FROM player", { { id = 1 } })
end

--- No file can get longer than 4,096 bytes (EFBIG).
function Serve.test_a_file_that_cannot_grow()
  if shell.run("command -v prlimit").out == "" then luaunit.skip "prlimit is missing" end
  local server <close> = http.serve(study("full", "", "; one\n@....O\n"), "full.db", "trap '' XFSZ; ")
  local function limit(size)
    return ("for pid in %s; do prlimit --fsize=%s: --pid $pid; done"):format(table.concat(server:processes(), " "), size)
  end
  check_full_disk(server, limit(4096), limit "unlimited")
end

--- A file system without space (ENOSPC).
function Serve.test_a_full_disk()
  local disk = shell.folder "disk"
  luaunit.skipIf(shell.run("mount -t tmpfs -o size=1m crux " .. disk).status > 0, "may not mount a file system")
  local ok, problem = pcall(function()
    local server <close> = http.serve(study("space", "", "; one\n@....O\n"), "disk/full.db")
    check_full_disk(server, ("head -c 2000000 /dev/zero > %s/filler"):format(disk), ("rm %s/filler"):format(disk))
  end)
  shell.run("umount -l " .. disk)
  if not ok then error(problem, 0) end
end

--- A study in which a piece of the game is replaced by another.
local function changed_study(name, levels, from, to)
  local path = study(name, "", levels)
  shell.file(name .. "/walk.lua", (shell.read(shell.path(name .. "/walk.lua")):gsub(from, to)))
  return path
end

--- A study of which a step downwards does something before.
local function study_with_step(name, levels, deed)
  return changed_study(name, levels, "step = function%(state, move, level%)", ("%%0 if move == 'D' then %s end"):format(deed))
end

--- A script that fails ends the level for the player, who goes on with the next one; others play the same level. The server says
--- so in one line. After a limit the script is loaded again: what it was changing is as before.
function Serve.test_a_game_that_fails()
  long.only()
  for i, case in ipairs {
    { "by.busy = true while true do end end if by.busy then error 'half done'", "time 0.5", "the script ran for more than 0.5 s; --limit-time SECONDS allows more" },
    { "pcall(function() while true do end end)", "time 0.5", "the script ran for more than 0.5 s; --limit-time SECONDS allows more" },
    { "local text = ('x'):rep(2e8)", "memory 50", "the script took more than 50 MB; --limit-memory MB allows more" },
    { "for _ = 1, 1e9 do end", "instructions 2", "the script took more than 2 million instructions; --limit-instructions MILLIONS allows more" },
    { "error 'broken'", "time 100", "broken" },
  } do
    local deed, limit, message = table.unpack(case)
    local path = study_with_step("fails", "; one\n@..O\n\n; two\n@..O\n", deed)
    local server <close> = http.serve(("%s --limit-%s --jobs 1"):format(path, limit), ("fails%d.db"):format(i))
    local other, view = server:begin()
    local token, mine = server:begin()
    server:act(other, view, "key", "right")
    view = server:act(token, mine, "key", "right")
    view = server:act(token, view, "key", "down")
    luaunit.assertEquals({ view.stage, view.position, view.acts, view.picture }, { "failed", 1, 2 }, deed)
    local _, again = server:post("/view", {}, token)
    luaunit.assertEquals(again.stage, "failed")
    luaunit.assertEquals((server:post("/act", { number = 3, act = "key", value = "right", time = 0 }, token)), 409)
    view = server:act(token, view, "key", "x")
    luaunit.assertEquals({ view.stage, view.position, view.moves }, { "play", 2, 0 })
    luaunit.assertEquals(solve(server, token, view, 7).stage, "thanks")
    local _, theirs = server:post("/view", {}, other)
    luaunit.assertEquals({ theirs.acts, theirs.moves }, { 1, 1 })
    luaunit.assertEquals(solve(server, other, theirs, 3).position, 2)
    luaunit.assertStrMatches(shell.read(server.said), "[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*; level '%l+' ends for player 2\n")
    luaunit.assertStrContains(shell.read(server.said), "walk.lua:23: " .. message .. "; level '")
    server:kill()
    local db <close> = require("libcrux.database").open(server.path)
    luaunit.assertEquals(db:run "SELECT number, act, result FROM act WHERE player = 2 AND position = 1", {
      { number = 1, act = "key", result = "" }, { number = 2, act = "fail", result = "failed" },
      { number = 3, act = "key", result = "" } })
    luaunit.assertEquals(db:run "SELECT position, rating FROM attempt WHERE player = 2", { { position = 1 }, { position = 2, rating = 7 } })
  end
end

--- A position that cannot be shown ends the level as well, after a restart of the server, too.
function Serve.test_a_drawing_that_fails()
  local path = changed_study("undrawn", "; one\n@.O\n\n; two\n@.O\n", "function game.draw%(level, _, state%)",
    "%0 if state and state.at[1] == 2 then error 'no picture' end")
  local token, view
  do
    local server <close> = http.serve(path, "undrawn.db")
    token, view = server:begin()
    view = server:act(token, view, "key", "right")
    luaunit.assertEquals({ view.stage, view.acts }, { "failed", 2 })
  end
  local server <close> = http.serve(path, "undrawn.db")
  local _, same = server:post("/view", {}, token)
  luaunit.assertEquals({ same.stage, same.acts }, { "failed", 2 })
  luaunit.assertEquals(server:act(token, same, "key", "x").stage, "play")
end

--- A game that fails from the start leaves players who can go on.
function Serve.test_a_start_that_fails()
  local path = changed_study("unstarted", "; one\n@.O\n", "start = function%(level%)", "%0 error 'no start'")
  local server <close> = http.serve(path, "unstarted.db")
  local token, view = server:begin()
  luaunit.assertEquals({ view.stage, view.acts }, { "failed", 1 })
  luaunit.assertEquals(server:act(token, view, "key", "x").stage, "thanks")
end

--- Players of each worker of a server with two, by the worker that has them.
local function players_of_both(server)
  local tokens, views = {}, {}
  repeat
    local token, view = server:begin()
    local worker = 1 + tonumber(token:sub(1, 8), 16) % 2
    tokens[worker], views[worker] = token, view
  until tokens[1] and tokens[2]
  return tokens, views
end

--- Sends an act whose step takes long, waits until the step runs, and returns the path of a file that gets the answer.
local function start_slow_act(server, token)
  --- The processor time of the server, in hundredths of a second.
  local function ticks()
    local sum = 0
    for _, pid in ipairs(server:processes()) do
      local user, system = shell.read(("/proc/%s/stat"):format(pid)):match("%) " .. ("%S+ "):rep(11) .. "(%d+) (%d+)")
      sum = sum + user + system
    end
    return sum
  end
  local slow, before = shell.file("slow", ""), ticks()
  shell.run(("curl -q -s --noproxy '*' -b crux=%s -d 'number=1&act=key&value=down&time=0' %s/act > %s 2>&1 &"):format(token,
    server.url, slow))
  shell.wait(server.pid, function() return ticks() > before + 20 end)
  return slow
end

--- While the game does not come back for a player, all others go on, those of the same worker, too.
function Serve.test_a_game_that_takes_long()
  local server <close> = http.serve(study_with_step("long", "; one\n@....O\n", "while true do end") .. " --jobs 2 --limit-time 1000",
    "long.db")
  local tokens, views = players_of_both(server)
  local busy = server:begin()
  local slow = start_slow_act(server, busy)
  for worker = 1, 2 do luaunit.assertEquals(server:act(tokens[worker], views[worker], "key", "right").moves, 1) end
  luaunit.assertEquals(shell.read(slow), "")
end

--- A script that hangs in C ends its process: the level fails for its player, who can go on, also when the act comes again. All
--- others go on meanwhile, and nothing is lost.
function Serve.test_a_script_that_does_not_yield()
  local hangs = "local _ = ('a'):rep(40):find(('a*'):rep(30) .. 'b')"
  local path = study_with_step("hangs", "; one\n@.......................O\n\n; two\n@..O\n", hangs) .. " --jobs 2 --limit-time 1"
  local server <close> = http.serve(path, "hangs.db")
  local tokens, views = players_of_both(server)
  local busy = server:begin()
  local slow = start_slow_act(server, busy)
  local again = shell.file("again", "")
  shell.run(("curl -q -s --noproxy '*' -b crux=%s -d 'number=1&act=key&value=down&time=0' %s/act > %s 2>&1 &"):format(busy,
    server.url, again))
  local count = 0
  repeat
    for worker = 1, 2 do views[worker] = server:act(tokens[worker], views[worker], "key", count % 2 == 0 and "right" or "left") end
    count = count + 1
  until shell.read(slow) ~= "" or shell.read(again) ~= ""
  shell.wait(server.pid, function() return shell.read(slow) ~= "" and shell.read(again) ~= "" end)
  for _, answer in ipairs { slow, again } do luaunit.assertStrContains(shell.read(answer), '"stage": "failed"') end
  for worker = 1, 2 do
    local _, view = server:post("/view", {}, tokens[worker])
    luaunit.assertEquals({ view.stage, view.acts, view.text }, { "play", count, views[worker].text })
  end
  local _, failed = server:post("/view", {}, busy)
  luaunit.assertEquals({ failed.stage, failed.acts }, { "failed", 1 })
  local view = server:act(busy, failed, "key", "x")
  luaunit.assertEquals({ view.stage, view.position }, { "play", 2 })
  luaunit.assertEquals(solve(server, busy, view, 7).stage, "thanks")
  luaunit.assertStrMatches(shell.read(server.said), "[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*walk.lua ran for more than 1 s and does not "
    .. "yield; %-%-limit%-time SECONDS allows more\n"
    .. "a script ended the process: its worker ended with status 1; level '%l+' ends for player %d+\n")
  luaunit.assertEquals(#server:processes(), 5) -- the server, two keepers and two workers
end

--- The command line of clients that browsers are not (tests/support/clients.py); skips the test without Python.
local function clients(server, words)
  if shell.run("command -v python3").out == "" then luaunit.skip "python3 is missing" end
  return ("python3 tests/support/clients.py %s"):format(words:gsub("PORT", server.port))
end

--- A thousand connections that say nothing, or never end their request, keep nobody from playing.
function Serve.test_slow_clients()
  local server <close> = http.serve(study("idle", "", two), "idle.db")
  local said = shell.file("idle.said", "")
  local pid = shell.run(("%s > %s 2>&1 & echo $!"):format(clients(server, "idle PORT 1000"), said)).out:match "%d+"
  luaunit.assertTrue(shell.wait(pid, function() return shell.read(said) == "open\n" end), shell.read(said))
  local token, view = server:begin()
  luaunit.assertEquals(solve(server, token, view, 3).stage, "play")
  shell.run("kill " .. pid)
end

--- Requests with seeded mistakes: none makes the server fail, and it goes on.
function Serve.test_the_parser_of_requests()
  local server <close> = http.serve(study("raw", "", two) .. " --sessions-per-minute 100000", "raw.db")
  local statuses = shell.output(clients(server, ("raw PORT %d 1"):format(long.choose(300, 10000))))
  for status in statuses:gmatch "(%w+):%d+" do
    luaunit.assertStrContains("0 100 200 400 401 404 405 409 411 413 414 417 429 431 501 505 waits", status, statuses)
  end
  luaunit.assertEquals(select(2, shell.read(server.said):gsub("\n", "")), 3, shell.read(server.said))
  local token, view = server:begin()
  luaunit.assertEquals(solve(server, token, view, 3).stage, "play")
end

--- The seeds of the fuzzer of requests, with lines of each in the others.
function Serve.test_mixed_requests()
  if not package.preload["libcrux.token"] then luaunit.skip "built without crux serve" end
  shell.run "mkdir -p build/fuzz"
  local sinks = require "crux.out.sinks"
  local say = sinks.say -- which the fuzzer replaces
  local try, lines = dofile "tests/fuzz/serve_fuzz.lua", shell.lines(shell.read "tests/fuzz/serve_fuzz.seeds")
  local draw = require("libcrux.random").new(7)
  for _ = 1, long.choose(20, 500) do
    local mixed = {}
    for i = 1, 15 do mixed[i] = draw:pick(lines) end
    try(table.concat(mixed, "\n"))
  end
  sinks.say = say
end

--- A server within the test, in which the test says when a request comes.
---@return fun(path: string, token: string, body: string, now: integer?): Answer ask
---@return Server
local function inside(name, levels)
  if not package.preload["libcrux.token"] then luaunit.skip "built without crux serve" end
  local server = Server.new(require("crux.serve.study").load(study(name, "", levels)), require("crux.serve.store").open(":memory:", true))
  return function(path, token, body, now)
    return server:answer_all({ Server.addressed { method = "POST", path = path, cookie = token, body = body, time = now or 0 } })[1]
  end, server
end

--- Keys that were pressed 80 ms apart count 80 ms each, though their answers take 300 ms each, or they arrive at once; the level
--- takes no longer than the server saw.
function Serve.test_times_of_keys()
  for _, arrivals in ipairs { { 150, 450, 750, 1050 }, { 1000, 1001, 1002, 1003 } } do
    local ask, server = inside("times", "; one\n@.....O\n")
    local token = ask("/begin", "", "consent=yes").cookie
    local function seconds(number, client, now)
      ask("/act", token, ("number=%d&act=key&value=right&time=%d"):format(number, client), now)
      return server:player(token, server:acts_of(token), now).participation.session.seconds
    end
    for number, now in ipairs(arrivals) do luaunit.assertAlmostEquals(seconds(number, 80, now), 0.08 * number, 1e-9) end
    luaunit.assertAlmostEquals(seconds(5, 1000000, 5000), 5, 1e-9)
  end
end

--- A server keeps few players in memory if their levels take many acts; those who come back are read from the database.
function Serve.test_memory_is_bounded()
  local ask, server = inside("small", "; one\n@....O\n")
  server.most_size = 100 -- a player takes 20, and 1 for each act
  local tokens = {}
  for i = 1, 12 do tokens[i] = ask("/begin", "", "consent=yes").cookie end
  for number = 1, 3 do
    for _, token in ipairs(tokens) do
      luaunit.assertEquals(ask("/act", token, ("number=%d&act=key&value=right&time=0"):format(number)).status, 200)
      local count = #lists.keys(server.players) + #lists.keys(server.earlier)
      luaunit.assertTrue(count <= 2 * 100 // 20, count)
    end
  end
  luaunit.assertStrContains(ask("/view", tokens[1], "").body, '"text": "...@.O\\n"')
end

--- Players see and change what is theirs: a token is the only name of a play, and it is in no request of another player.
function Serve.test_plays_of_others()
  local server <close> = http.serve(study("others", "ask = { 'town' }", two), "others.db")
  local mine, view = server:begin { consent = "yes", town = "<script>" }
  local theirs, other = server:begin { consent = "yes", town = "Rome", token = mine, player = 1 }
  server:act(theirs, other, "key", "right")
  server:post("/act", { number = 1, act = "key", value = "right", time = 0, token = mine, player = 1, crux = mine }, theirs)
  local _, same = server:post("/view", { token = theirs, player = 2 }, mine)
  luaunit.assertEquals({ same.acts, same.text }, { view.acts, view.text })
  local _, kept = server:post("/kept", { token = theirs, player = 2 }, mine)
  luaunit.assertEquals({ kept.player, kept.acts, #kept.answers, kept.answers[1].answer }, { 1, 0, 1, "<script>" })
  luaunit.assertEquals((server:post("/forget", { token = theirs, player = 2 }, mine)), 200)
  luaunit.assertEquals((server:post("/kept", {}, theirs)), 200)
  local _, headers = server:get("/kept", "-X POST -b crux=" .. theirs)
  luaunit.assertStrContains(headers, "Content-Type: application/json")
end

--- In a server whose Lua has every right, what breaks out can do nothing but what serving takes; in a worker neither, which may
--- write its database.
function Serve.test_behind_the_wall()
  luaunit.skipIf(wall.missing, wall.missing)
  do
    local server <close> = http.serve(study("wall", "", two) .. " --jobs 2", "wall.db")
    local walled = {}
    for i, pid in ipairs(server:processes()) do
      for task in shell.output(("cat /proc/%s/task/*/status | grep Seccomp:"):format(pid)):gmatch "%d+" do
        walled[i] = (walled[i] or "") .. task
      end
    end
    luaunit.assertStrMatches(walled[1], "2+")
    luaunit.assertEquals(table.move(walled, 2, 5, 1, {}), { "0", "0", "22", "22" }) -- two keepers, which run no Lua, and two workers
  end
  local there = shell.file("there", "text")
  for _, case in ipairs { { "study", "open" }, { "server", "new" } } do
    local module, name = table.unpack(case)
    local home, database = shell.folder "broken", shell.path "broken.db"
    shell.run(("cp -r lua games rules %s; rm -f %s"):format(home, database))
    shell.file(("broken/lua/crux/serve/%s.lua"):format(module), ([[
      return { %s = function()
        local said = {}
        for _, probe in ipairs(require("libcrux.wall").probes()) do table.insert(said, tostring(probe[2])) end
        for _, mode in ipairs { "w", "a", "r+" } do table.insert(said, (select(2, io.open(%q, mode)))) end
        table.insert(said, (select(2, require("libcrux.database").open(%q, true))))
        table.insert(said, (select(2, require("libcrux.http_server").open("127.0.0.1", 0, 8192))))
        error(table.concat(said, "\n"), 0)
      end }
    ]]):format(name, there, shell.path "new.db"))
    local result = shell.run(("CRUX_HOME=%s %s serve move datasets/levels/move --port 0 --database %s"):format(home,
      shell.quote(shell.program), database))
    local refused = "Operation not permitted\n"
    luaunit.assertEquals(result.err, "crux: internal error: " .. refused:rep(6) .. (there .. ": " .. refused):rep(3)
      .. shell.path "new.db" .. ": unable to open database file\n127.0.0.1, port 0: " .. refused)
    luaunit.assertEquals(shell.read(there), "text")
  end
end

--- The page gets what the game's script says in other languages; # in a text is as it is written.
function Serve.test_translations()
  local path = changed_study("translated", two, "return game", [[game.translations = { de = { ["a \"#\""] = "ein </script>" } } return game]])
  local server <close> = http.serve(path, "translated.db")
  local status, headers, body = server:get "/translations.js"
  luaunit.assertEquals({ status, headers:match "Content%-Type: ([^\r]*)", body },
    { 200, "text/javascript; charset=utf-8", 'const translations = {\n  "de": {"a \\"#\\"": "ein </script>"}\n};\n' })
end

--- 192.0.2.1 is an address for documentation, which no machine has.
function Serve.test_address_of_another_machine()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  local result = shell.crux("serve move datasets/levels/move --address 192.0.2.1 --port 8080 --database " .. shell.path "none.db")
  luaunit.assertEquals(result, { status = 1, out = "",
    err = "192.0.2.1, port 8080: Cannot assign requested address; --address and --port choose others\n" })
end

function Serve.test_wrong_studies()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  local function says(fields, message)
    local path = study("wrong", fields, two)
    local result = shell.run(("cd %s && CRUX_HOME=$OLDPWD %s serve study.lua --port 0"):format(shell.path "wrong", shell.quote(shell.program)))
    luaunit.assertEquals({ result.status, result.err }, { 1, message .. "\n" }, path)
    luaunit.assertFalse(shell.exists(shell.path "wrong/study.db"))
  end
  says("title = ''", "study.lua: field 'title': found '', expected a text")
  says("scale = { 7, 1 }", "study.lua: field 'scale': found a table, expected { LOWEST, HIGHEST }, two integers from 0 on")
  says("titel = 'x'", "study.lua: found the unknown field 'titel'; did you mean 'title'?")
  says("per_player = 3", "study.lua: field 'per_player': found 3, expected at most 2, the levels beside the tutorial")
end

--- A database is for one set of levels.
function Serve.test_other_levels()
  local path = study("other", "", two)
  http.serve(path, "other.db"):kill()
  shell.file("other/levels.txt", "; one\n@O\n\n; two\n.@O\n")
  local result = shell.run(("%s serve %s --database %s --port 0"):format(shell.quote(shell.program), path, shell.path "other.db"))
  luaunit.assertEquals({ result.status, result.err }, { 1, shell.path "other.db"
    .. ": level 'one': found another level of that name, expected the same levels as before, or another --database\n" })
end

return { Serve = Serve }
