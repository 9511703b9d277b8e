--- Tests of studies of several blocks: their pages, questions with right answers, orders and conditions; and of previews.
local http = require "http"
local json = require "json_reader"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local Blocks = {}

--- Writes a study of the games `walk` and `lights` and returns the path of its script. Both have levels of the name `one`.
local function study(name, fields)
  shell.folder(name, { ["walk.lua"] = shell.read(playing.game "walk"), ["lights.lua"] = shell.read(playing.game "lights"),
    ["walk.txt"] = "; one\n@.O\n\n; two\n.@O\n", ["lights.txt"] = "; one\n..\n", ["lesson.txt"] = "; lesson\n@O\n",
    ["study.lua"] = ("return crux.study { %s }\n"):format(fields) })
  return shell.path(name .. "/study.lua")
end

local walk = "{ name = 'walk', game = 'walk.lua', levels = { 'walk.txt' }, per_player = 1 }"
local lights = "{ name = 'lights', game = 'lights.lua', levels = { 'lights.txt' } }"

--- Solves the level by its key and rates it.
local function play(server, token, view, key)
  while view.stage == "play" do view = server:act(token, view, "key", key) end
  return server:act(token, view, "answer", 4)
end

--- Pages, a tutorial and levels of two games, in which the names of levels may be the same; a page at the end. The server ends
--- between them.
function Blocks.test_a_study_of_blocks()
  local path = study("all", [[title = 'Two games', blocks = {
    { name = 'walk', game = 'walk.lua', levels = { 'walk.txt' }, tutorial = { 'lesson.txt' }, per_player = 1,
      pages = { 'Go to the exit.', { text = 'Like this:', pictures = { 'lesson.txt' }, ask = { 'played: often, never' } } } },
    ]] .. lights .. [[, { name = 'end', pages = { { text = 'Thank you', ask = { { 'liked: walk, lights', label = 'Which?',
      required = true } } } } } }]])
  local server <close> = http.serve(path, "all.db")
  local _, welcome = server:post("/view", {})
  luaunit.assertEquals({ welcome.stage, welcome.title, welcome.lessons }, { "welcome", "Two games", 0 })
  local token, view = server:begin()
  luaunit.assertEquals({ view.stage, view.text, view.pictures, view.items }, { "page", "Go to the exit.", {}, {} })
  view = server:act(token, view, "page", "")
  luaunit.assertEquals({ view.text, #view.pictures, view.items[1].name, view.items[1].required },
    { "Like this:", 1, "played", false })
  luaunit.assertStrContains(view.pictures[1], "<svg")
  server:kill()
  local again <close> = http.serve(path, "all.db")
  local _, same = again:post("/view", {}, token)
  luaunit.assertEquals({ same.text, same.subject }, { view.text, view.subject })
  luaunit.assertEquals((again:post("/act", { number = 2, act = "page", value = "played=now", time = 1 }, token)), 409)
  view = again:act(token, view, "page", "played=often")
  luaunit.assertEquals({ view.stage, view.tutorial, view.position }, { "play", true, 1 })
  view = again:act(token, again:act(token, view, "key", "right"), "key", "enter")
  luaunit.assertEquals({ view.tutorial, view.position }, { false, 2 })
  view = play(again, token, view, "right")
  luaunit.assertEquals({ view.stage, view.position, view.tutorial }, { "play", 3, false })
  view = play(again, token, view, "a")
  luaunit.assertEquals({ view.stage, view.items[1].label, view.items[1].required }, { "page", "Which?", true })
  luaunit.assertEquals((again:post("/act", { number = view.acts + 1, act = "page", value = "liked=", time = 1 }, token)), 409)
  view = again:act(token, view, "page", "liked=walk")
  luaunit.assertEquals({ view.stage, view.outcome, #view.levels }, { "thanks", "finished", 2 })
  local players = shell.path "all-players.csv"
  local plays = shell.printed(("study export %s --players-file %s"):format(again.path, players))
  luaunit.assertEquals({ plays:match "\n1,(walk/%w+),2,", plays:match "\n1,(%S-),3,", plays:match "input,block\n" },
    { plays:match "\n1,(walk/%w+),2,", "lights/one", "input,block\n" })
  luaunit.assertEquals(shell.read(players), "player,came_by,knows_game,outcome,checks_failed,liked,played\n"
    .. "1,public,0,finished,0,walk,often\n")
  luaunit.assertStrContains(shell.printed(("study export %s --block lights"):format(again.path)), "\n1,one,3,1,4,")
  luaunit.assertStrContains(shell.crux(("study export %s --block light"):format(again.path)).err, "did you mean 'lights'?")
  local pages = shell.printed(("study jsonl %s"):format(again.path)):match '[^\n]*"act": "page"[^\n]*liked=walk[^\n]*'
  luaunit.assertStrContains(pages, '"level": null')
end

--- A wrong answer screens out, shows the page again up to a number of times, or is noted.
function Blocks.test_right_answers()
  local path = study("right", [[completion = { finished = 'F', screened = 'S', left = 'L' },
    ask = { { 'age: 1..120', right = '18..120', wrong = 'end' } }, blocks = { { name = 'rules', pages = {
      { text = 'Be awake.', ask = { { 'colour: red, blue', right = 'blue' }, 'town' } },
      { text = 'Go to O.', tries = 2, ask = { { 'goal', right = 'O, o', wrong = 'again' } } } } }, ]] .. walk .. "}")
  local server <close> = http.serve(path, "right.db")
  luaunit.assertEquals((server:post("/begin", { consent = "yes" })), 400)
  local _, child = server:begin { consent = "yes", age = "17" }
  luaunit.assertEquals({ child.stage, child.outcome, child.completion }, { "thanks", "screened", "S" })
  local token, view = server:begin { consent = "yes", age = "18" }
  view = server:act(token, view, "page", "colour=red&town=%C3%96")
  luaunit.assertEquals({ view.text, view.is_again }, { "Go to O.", false })
  view = server:act(token, view, "page", "goal=X")
  luaunit.assertEquals({ view.text, view.is_again }, { "Go to O.", true })
  local _, left = server:post("/leave", {}, token)
  luaunit.assertEquals({ left.outcome, left.completion }, { "left", "L" })
  luaunit.assertEquals(server:act(token, view, "page", "goal=o").stage, "play")
  token, view = server:begin { consent = "yes", age = "19" }
  view = server:act(token, view, "page", "colour=blue&town=")
  view = server:act(token, server:act(token, view, "page", "goal=1"), "page", "goal=2")
  luaunit.assertEquals({ view.stage, view.outcome, view.completion }, { "thanks", "screened", "S" })
  local players = shell.path "right-players.csv"
  shell.printed(("study export %s --players-file %s"):format(server.path, players))
  luaunit.assertEquals(shell.read(players), "player,came_by,knows_game,outcome,checks_failed,age,colour,goal,town\n"
    .. "1,public,0,screened,1,17,,,\n2,public,0,,2,18,red,o,Ö\n3,public,0,screened,2,19,blue,2,\n")
end

--- Players are spread evenly over the conditions, without those who were screened out; each gets the blocks of the condition in
--- its order. Where the order is random, pages alone keep their places.
function Blocks.test_conditions_and_orders()
  local path = study("between", [[ask = { { 'fit: yes, no', right = 'yes', wrong = 'end' } }, blocks = { ]] .. walk .. ", " .. lights
    .. ", { name = 'talk', pages = { 'Well?' } } }, conditions = { a = { 'walk', 'talk', 'lights' }, b = { 'lights', 'talk' } }")
  local server <close> = http.serve(path, "between.db")
  local function sql(text) return assert(require("libcrux.database").open(server.path, false):run(text)) end
  for i = 1, 9 do server:begin { consent = "yes", fit = i % 3 == 0 and "no" or "yes" } end
  local counts = sql "SELECT condition, count(*) AS n FROM player WHERE outcome IS NULL GROUP BY 1 ORDER BY 1"
  luaunit.assertEquals(counts, { { condition = "a", n = 3 }, { condition = "b", n = 3 } })
  luaunit.assertEquals(sql "SELECT DISTINCT condition, blocks FROM player ORDER BY 1", {
    { condition = "a", blocks = '["walk", "talk", "lights"]' }, { condition = "b", blocks = '["lights", "talk"]' } })
  local random = study("random", "block_order = 'random', blocks = { { name = 'hello', pages = { 'Hi' } }, " .. walk .. ", " .. lights .. " }")
  local other <close> = http.serve(random, "random.db")
  for _ = 1, 12 do other:begin() end
  local db <close> = require("libcrux.database").open(other.path, false)
  local orders = lists.field(db:run "SELECT DISTINCT blocks FROM player ORDER BY 1", "blocks")
  luaunit.assertEquals(orders, { '["hello", "lights", "walk"]', '["hello", "walk", "lights"]' }) -- alike with a chance of 2^-11
end

--- A preview goes through every page with wrong answers and none, and through every level by skipping; it leaves no file behind.
function Blocks.test_a_preview()
  local path = study("preview", [[public_players = 0, blocks = { { name = 'rules', pages = { { text = 'Rules',
    ask = { { 'goal', right = 'O', wrong = 'end' } } }, 'More' } }, ]] .. walk .. ", " .. lights
    .. " }, conditions = { a = { 'rules', 'walk' }, b = { 'lights' } }")
  luaunit.assertStrContains(shell.crux(("serve %s --preview --database x.db"):format(path)).err, "takes no --database")
  local server <close> = http.serve(path .. " --preview", nil)
  local seen = {}
  for _ = 1, 2 do
    local token, view = server:begin()
    seen[view.preview[1]] = view.stage
    if view.preview[1] == "a" then
      luaunit.assertEquals(view.preview, { "a", "rules" })
      view = server:act(token, server:act(token, view, "page", ""), "page", "")
    end
    luaunit.assertEquals({ view.stage, view.skip_in }, { "play", 0 })
    luaunit.assertEquals(server:act(token, view, "key", "x").outcome, "finished")
    luaunit.assertEquals(select(2, server:post("/forget", {}, token)).stage, "welcome")
  end
  luaunit.assertEquals(seen, { a = "page", b = "play" })
  luaunit.assertEquals(shell.run("find . -name '*.db*'").out, "")
end

--- Messages of a game of PuzzleScript are shown with the level behind them.
function Blocks.test_messages_of_puzzlescript()
  local game = shell.read "examples/magnet.txt":gsub("\nLEVELS.*", "\nLEVELS\n\nmessage Go on\nmessage Now\n\n#####\n#P*O#\n#####\n\n#####\n#P*O#\n#####\n")
  local server <close> = http.serve(shell.file("messages.txt", game), "messages.db")
  local token, view = server:begin()
  local message = { [view.message] = true }
  view = play(server, token, view, "right")
  message[view.message] = true
  luaunit.assertEquals(message, { ["Go on\nNow"] = true, [json.null] = true })
end

function Blocks.test_wrong_scripts()
  if not package.preload["libcrux.database"] then luaunit.skip "built without crux serve" end
  local function says(fields, message)
    luaunit.assertStrContains(shell.crux("check " .. study("wrong", fields)).err, message)
  end
  local one = "game = 'walk.lua', levels = { 'walk.txt' }"
  says("blocks = { { game = 'walk.lua' } }", "block 1: found no field 'name', expected one")
  says("blocks = { { name = 'a' } }", "block 1: found no field 'game', expected one, or 'pages'")
  says("blocks = { { name = 'a', game = 'walk.lua' } }", "block 1: found no field 'levels', expected one")
  says(("blocks = { { name = 'a', %s } }, game = 'flow'"):format(one), "field 'game': found one beside 'blocks', expected it in a block")
  says(("blocks = { { name = 'a', %s }, { name = 'a', %s } }"):format(one, one), "block 2: found the name 'a' again")
  says(("blocks = { { name = 'a', %s } }, conditions = { x = { 'b' } }"):format(one), "condition 'x': found the unknown block 'b'")
  says(one .. ", pages = { { txt = 'x' } }", "page 1: found the unknown field 'txt'; did you mean 'text'?")
  says(one .. ", pages = { {} }", "page 1: found no field 'text', expected one")
  says(one .. ", ask = { { 'a', right = '1', wrong = 'again' } }", "field 'ask': found 'again' for question 'a'")
  says(one .. ", ask = { { 'a', wrong = 'die' } }", "question 'a': field 'wrong': found 'die', expected one of end, again, note")
  says(one .. ", ask = { 'a' }, pages = { { text = 'x', ask = { 'a' } } }", "page 1: field 'ask': found 'a', expected a name that")
end

return { Blocks = Blocks }
