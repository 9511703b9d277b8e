--- Tests of `crux workbench` over HTTP: who may ask, what is written where, and what goes on when scripts, disks and messages do not.
local http = require "http"
local json = require "crux.base.json"
local json_reader = require "crux.base.json_reader"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Workbench = {}

local two = "; one\nA . a\n\n; two\nA a\n"

--- A workbench of the game Move with one file, in a folder of its own.
local function move(name, before)
  shell.folder(name, { ["levels.txt"] = two })
  return http.workbench("move levels.txt --jobs 2", shell.path(name), before)
end

local function level(text) return { kind = "level", game = "move", rule = "move", text = text } end

function Workbench.test_the_page_and_an_answer()
  local server <close> = move "page"
  shell.file("page/a.csv", "level,moves,difficulty\n")
  local status, headers, page = server:get "/"
  luaunit.assertEquals(status, 200)
  luaunit.assertStrContains(headers, "Content-Security-Policy: default-src 'none'; script-src 'self';")
  for script in page:gmatch 'src="(.-)"' do
    luaunit.assertEquals(server:get("/" .. script), 200, script)
  end
  luaunit.assertStrContains(select(3, server:get "/workbench.css"), ".crux-level")
  local desk = server:ask { kind = "desk" }
  luaunit.assertEquals({ desk.named.game, desk.named.rule, desk.files, desk.tables }, { "move", "move", { "levels.txt" }, { "a.csv" } })
  luaunit.assertAlmostEquals(server:ask(level "A . a\n").rating, 1.24002, 1e-5)
  luaunit.assertEquals(server:ask({ kind = "fit", game = "move", variant = { formula = "difficulty ~ moves" } }).fault.message,
    "found no data, expected a CSV file with ratings: --data FILE.csv of crux workbench, or one of its folder at Data, or Fit to my order")
end

--- The command refuses levels, scripts and data that do not exist, in one line, before it prints a link.
function Workbench.test_what_is_missing_is_refused_at_the_start()
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux workbench" end
  local folder = shell.folder("missing", { ["levels.txt"] = two, ["move.csv"] = "level,moves,difficulty\n" })
  local cannot = ": cannot be opened: No such file or directory"
  for words, said in pairs {
    ["move levles.txt"] = "levles.txt" .. cannot .. "; did you mean 'levels.txt'?",
    ["move levels.txt nowhere/levels"] = "nowhere/levels" .. cannot,
    ["move levels.txt --data moves.csv"] = "moves.csv" .. cannot .. "; did you mean 'move.csv'?",
    ["move levels.txt --rule moev"] = "found the unknown rule 'moev'; did you mean 'move'?",
    ["moev levels.txt"] = "found the unknown game 'moev'; did you mean 'move'?",
    ["mine.lua levels.txt"] = "mine.lua" .. cannot,
  } do
    local result = shell.run(("cd %s && timeout 20 %s workbench %s"):format(folder, shell.quote(shell.program), words))
    luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", said .. "\n" }, words)
  end
end

--- Other sites reach a server of this machine by its address, or by a name of theirs that leads to it; neither is answered, with the
--- secret or without.
function Workbench.test_who_may_not_ask()
  local server <close> = move "who"
  local secret = server.url:match "[^/]+$"
  luaunit.assertEquals(#secret, 32)
  local origin = "http://127.0.0.1:" .. server.port
  for words, expected in pairs {
    [""] = 200, ["-H 'Origin: " .. origin .. "'"] = 200, ["-H 'Host: localhost:" .. server.port .. "'"] = 200,
    ["-H 'Origin: http://evil.example'"] = 403, ["-H 'Origin: null'"] = 403, ["-H 'Origin: https://127.0.0.1:" .. server.port .. "'"] = 403,
    ["-H 'Origin: http://127.0.0.1'"] = 403, ["-H 'Host: evil.example'"] = 403, ["-H 'Host: evil.example:" .. server.port .. "'"] = 403,
    ["-H 'Host:'"] = 403, ["-H 'Host: 127.0.0.1'"] = 403,
  } do
    local answer, status = server:ask({ kind = "desk" }, "now", 1, words)
    luaunit.assertEquals({ status, answer.named ~= nil }, { expected, expected == 200 }, words)
  end
  local root = setmetatable({ url = origin }, { __index = server })
  for _, path in ipairs { "/", "/" .. ("0"):rep(32) .. "/", "/" .. secret, "/" .. secret:sub(1, 31) .. "/", "/ask/now/1", "/level.js",
    ("/%s/../%s/"):format(secret, secret), "/" .. secret .. "/page.html", "/" .. secret .. "/../../README.md" } do
    luaunit.assertEquals((root:get(path)), 404, path)
  end
  for _, path in ipairs { "/ask/a/now/x", "/ask/now/1", "/ask/a//1", "/tell/a/now/1", "/" } do
    luaunit.assertEquals((server:get(path, "-d {}")), 404, path)
  end
end

function Workbench.test_files_are_written_below_the_folder_and_never_over_others()
  local server <close> = move "writes"
  local folder = shell.path "writes"
  local file = server:ask { kind = "file", game = "move", path = "levels.txt" }
  local function save(fields)
    return server:ask(lists.merge({ kind = "save", game = "move", path = "levels.txt", version = file.version, place = 2, text = "; two\nA . . a\n" },
      fields))
  end
  local saved = save {}
  luaunit.assertEquals(shell.read(folder .. "/levels.txt"), "; one\nA . a\n\n; two\nA . . a\n")
  luaunit.assertStrContains(save({}).fault.message, "a file that changed meanwhile")
  luaunit.assertEquals(server:ask({ kind = "file", game = "move", path = "levels.txt" }).version, saved.version)
  shell.file("writes/other.txt", "A a\n")
  local new = { kind = "save", game = "move", text = "A a\n" }
  luaunit.assertStrContains(server:ask(lists.merge(new, { path = "other.txt" })).fault.message, "a file that changed meanwhile")
  luaunit.assertNotNil(server:ask(lists.merge(new, { path = "new.txt" })).version)
  luaunit.assertEquals(shell.read(folder .. "/new.txt"), "A a\n")
  shell.file("read-only.txt", "A a\n")
  shell.run(("ln -s .. %s/up; ln -s ../read-only.txt %s/link.txt"):format(folder, folder))
  for _, path in ipairs { "../outside.txt", shell.path "outside.txt", "up/outside.txt", "none/new.txt", "link.txt", "a\nb.txt", "", ".." } do
    luaunit.assertNotNil(server:ask(lists.merge(new, { path = path })).fault, path)
  end
  luaunit.assertEquals({ shell.exists(shell.path "outside.txt"), #shell.list(folder) }, { false, 5 })
end

function Workbench.test_a_full_disk_leaves_the_file_as_it_was()
  local server <close> = move("full", "ulimit -f 1; trap '' XFSZ; exec ")
  local file = server:ask { kind = "file", game = "move", path = "levels.txt" }
  local answer = server:ask { kind = "save", game = "move", path = "levels.txt", version = file.version, place = 2, text = ("; long\n"):rep(1000) .. "A . . a\n" }
  luaunit.assertStrContains(answer.fault.message, "levels.txt")
  luaunit.assertEquals(shell.read(shell.path "full/levels.txt"), two)
  luaunit.assertAlmostEquals(server:ask(level "A . a\n").rating, 1.24002, 1e-5)
end

--- Starts a question without waiting for its answer; returns a function that waits for it.
local function begin(server, message, subject, round)
  local out = shell.path(("answer-%s-%d"):format(subject, round))
  local path = shell.file(("begun-%s-%d"):format(subject, round), json.encode(json.of(message)))
  local pid = shell.run(("curl -q -s --noproxy '*' --max-time 60 --data-binary @%s '%s/ask/a/%s/%d' > %s & echo $!"):format(path, server.url,
    subject, round, out)).out:match "%d+"
  return function()
    shell.wait(pid, function() end)
    return shell.read(out)
  end
end

local endless = [[
local game = crux.game "endless"
function game.parse(text) return { text = text } end
function game.solve(level)
  while level.text:find "loop" do end
  return { status = "solved" }
end
function game.draw(level) return level.text end
return game
]]

local function endless_level(text) return { kind = "level", game = "endless.lua", text = text } end

function Workbench.test_what_is_overtaken_is_ended_and_the_rest_goes_on()
  shell.folder("overtaken", { ["endless.lua"] = endless, ["a.txt"] = "x\n" })
  local server <close> = http.workbench("endless.lua a.txt --jobs 2 --limit-time 1000", shell.path "overtaken")
  local first = begin(server, endless_level "loop\n", "level", 1)
  shell.wait(server.pid, function()
    local _, _, body = server:get("/progress/a/level/0", "-d ''")
    return body:find "seconds" ~= nil
  end)
  luaunit.assertEquals(server:ask(endless_level "x\n", "level", 2).solution.status, "solved")
  luaunit.assertEquals(first(), '{"overtaken": true}')
  for round = 1, 3 do -- all processes are busy, and are ended
    local waits = {}
    for i = 1, 3 do waits[i] = begin(server, endless_level "loop\n", "map" .. ("abc"):sub(i, i), round) end
    for i = 1, 3 do
      server:get(("/stop/a/map%s/%d"):format(("abc"):sub(i, i), round + 1), "-d ''")
      luaunit.assertEquals(waits[i](), '{"overtaken": true}')
    end
  end
  luaunit.assertEquals(server:ask(endless_level "x\n", "map", 1).solution.status, "solved")
end

--- A search for levels that cannot be found is told to finish when it has tried some; it would take a minute.
function Workbench.test_what_is_finished_is_answered_with_what_there_is()
  long.leave_out()
  local server <close> = move "finished"
  local answered = begin(server, { kind = "make", game = "move", rule = "move", wanted = { "2..9", "1.0001..1.0002" }, seconds = 60 }, "set", 1)
  shell.wait(server.pid, function()
    local _, _, body = server:get("/progress/a/set/0", "-d ''")
    return tonumber(body:match '"done":%s*(%d+)') == 1
  end)
  server:get("/finish/a/set/0", "-d ''")
  luaunit.assertEquals(#json_reader.read(answered(), "answer").levels, 1)
end

function Workbench.test_a_script_that_never_ends_is_stopped()
  shell.folder("endless", { ["endless.lua"] = endless, ["a.txt"] = "x\n" })
  local server <close> = http.workbench("endless.lua a.txt --jobs 1 --limit-time 0.2", shell.path "endless")
  for _ = 1, 2 do
    luaunit.assertStrContains(server:ask(endless_level "loop\n").fault.message, "ran for more than 0.2 s")
    luaunit.assertEquals(server:ask(endless_level "x\n").solution.status, "solved")
  end
end

function Workbench.test_messages_that_are_none()
  local server <close> = move "hostile"
  for _, body in ipairs { "", "x", "[]", "1", "null", "{", '{"kind": 1}', '{"kind": "level", "game": 7}', '{"kind": "level", "text": []}',
    '{"kind": "save", "game": "move", "text": "A a"}', '{"kind": "changes", "game": "move", "rule": "move", "text": "A a", "squares": 1}',
    '{"kind": "changes", "game": "move", "rule": "move", "text": "A a", "columns": 2, "rows": 1, "squares": [[9, 9]]}' } do
    local path = shell.file("body", body)
    local _, _, answer = server:get("/ask/a/now/1", "--data-binary @" .. path)
    luaunit.assertStrContains(answer, '"fault"', false, body)
  end
  luaunit.assertEquals((server:get("/ask/a/now/1", ("-H 'Content-Length: 99999999' -d x"))), 413)
  luaunit.assertAlmostEquals(server:ask(level "A . a\n").rating, 1.24002, 1e-5)
  luaunit.assertNotStrContains(shell.read(server.said), "internal")
end

return Workbench
