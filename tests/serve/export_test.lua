--- Tests of what is exported: each answer when it is given, levels that players left, times and kinds of input.
local http = require "http"
local luaunit = require "luaunit"
local shell = require "shell"

local Export = {}

local function crux(line) return shell.output(("%s %s"):format(shell.quote(shell.program), line)) end

--- The rows of a database, by column.
local function rows_of(server) return shell.rows(crux("study export " .. server.path)) end

--- Some fields of each row, in a line.
local function fields(rows, ...)
  local lines = {}
  for i, row in ipairs(rows) do
    local words = {}
    for j, name in ipairs { ... } do words[j] = row[name] or "?" end
    lines[i] = table.concat(words, ",")
  end
  return lines
end

--- A player closes the page at an optional question, after a rating: all answers so far are exported, and count.
function Export.test_each_answer_at_once()
  local path = http.study("answers", "questions = { 'enjoyment' }, ask_after = { 'again: yes, no', 'remark', 'number' }", "; one\n@.O\n")
  local server <close> = http.serve(path, "answers.db")
  local token, view = server:begin()
  local function exported() return fields(rows_of(server), "rating", "enjoyment", "solved", "abandoned", "again", "remark") end
  luaunit.assertEquals(exported(), {})
  view = server:act(token, view, "key", "right")
  luaunit.assertEquals(exported(), { ",?,0,1,?,?" })
  view = server:act(token, view, "key", "right")
  luaunit.assertEquals(exported(), { ",?,1,0,?,?" })
  view = server:act(token, view, "answer", 6)
  luaunit.assertEquals(exported(), { "6,?,1,0,?,?" })
  local _, kept = server:post("/kept", {}, token)
  luaunit.assertEquals({ #kept.plays, kept.plays[1].rating }, { 1, 6 })
  local _, thanks = server:post("/leave", {}, token)
  luaunit.assertEquals({ thanks.stage, #thanks.levels }, { "thanks", 0 }) -- no mean of others before all is answered
  view = server:act(token, view, "answer", 3)
  view = server:act(token, view, "answer", "no")
  luaunit.assertEquals(exported(), { "6,3,1,0,no,?" })
  server:kill()
  luaunit.assertStrContains(crux("study summary " .. server.path), "1 play of 1 level by 1 player: 1 solved")
  local again <close> = http.serve(path, "answers.db")
  local _, same = again:post("/view", {}, token)
  luaunit.assertEquals({ same.asked, same.acts }, { "remark", view.acts })
  same = again:act(token, same, "answer", "hm")
  luaunit.assertEquals(again:act(token, same, "answer", "7").stage, "thanks")
  luaunit.assertEquals(exported(), { "6,3,1,0,no,hm" })
  luaunit.assertEquals(fields(rows_of(server), "number"), { "7" })
end

--- Seven players leave the level, after a loss, after a restart and after restarts and losses: what they have done is exported,
--- with the attempts that a restart ended; who did nothing has no row. Each command uses what it can.
function Export.test_levels_that_players_left()
  local server <close> = http.serve(http.study("left", "", "; trap\n^@..O\n"), "left.db")
  for _, keys in ipairs { "right right", "left", "left u right", "right r", "left r right", "right u r left", "" } do
    local token, view = server:begin()
    for key in keys:gmatch "%S+" do view = server:act(token, view, "key", key) end
  end
  local rows = rows_of(server)
  luaunit.assertEquals(fields(rows, "player", "attempt", "rating", "moves_used", "losses", "solved", "skipped", "abandoned"), {
    "1,1,,2,0,0,0,1", "2,1,,1,1,0,0,1", "3,1,,2,1,0,0,1", "4,1,,1,0,0,0,1", "5,1,,1,1,0,0,0", "5,2,,1,0,0,0,1", "6,1,,2,1,0,0,1" })
  local token, view = server:begin()
  http.solve(server, token, view, 7)
  local plays = shell.path "left.csv"
  crux(("study export %s -o %s"):format(server.path, plays))
  luaunit.assertStrContains(crux("study summary " .. plays), "7 plays of 1 level by 7 players: 1 solved, 0 skipped (0.0%), 6 neither")
  local result = shell.crux("aggregate " .. plays)
  luaunit.assertStrMatches(result.out, "level,[^\n]*\ntrap,[^\n]*,1,0,7,[^\n]*\n")
  luaunit.assertStrContains(result.err, "left.csv: 6 plays left out: neither solved nor skipped\n")
end

--- Times are in UTC, each attempt begins where the one before ended, and input is that of the acts in the level.
function Export.test_times_and_input()
  local before = os.time() - 1
  local server <close> = http.serve(http.study("input", "", "; one\n@...O\n"), "input.db")
  local token, view = server:begin()
  local function act(input, name, value)
    local status, after = server:post("/act", { number = view.acts + 1, act = name, value = value, time = 0, input = input }, token)
    if status == 200 then view = after end
    return status
  end
  luaunit.assertEquals(act("pen", "key", "right"), 400)
  for _, input in ipairs { "touch", "keys", "touch" } do luaunit.assertEquals(act(input, "key", "right"), 200) end
  act("keys", "key", "r")
  for _ = 1, 4 do act("mouse", "key", "right") end
  act("keys", "answer", "5")
  local rows = rows_of(server)
  luaunit.assertEquals(fields(rows, "attempt", "input"), { "1,keys+touch", "2,mouse" })
  luaunit.assertEquals(rows[1].ended, rows[2].began)
  local last
  for _, row in ipairs(rows) do
    for _, name in ipairs { "began", "ended" } do
      luaunit.assertStrMatches(row[name], "%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%dZ")
      luaunit.assertTrue(row[name] >= (last or os.date("!%Y-%m-%dT%H:%M:%S", before)) and row[name] <= os.date("!%Y-%m-%dT%H:%M:%SZ",
        os.time() + 1))
      last = row[name]
    end
  end
  luaunit.assertStrContains(crux("study jsonl " .. server.path), '"input": "touch"}')
end

--- Three players, two of whom left level c after 30 s and 1 s. Their rows count as outcomes and as lower bounds, and else are left out.
--- Means by hand: of c 9, (30 + 90 + 1) / 3, 1 / 3 and 90.
function Export.test_methods_use_levels_that_players_left()
  local head = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial,abandoned,version,began,ended,input\n"
  local lines, of_play = {}, ",4,%d,0,0,,0,%d,1,x,x,keys\n"
  for i, row in ipairs { "1,a,1,1,3,10", "1,b,2,1,6,20", "1,c,3,1,,30", "2,a,1,1,4,12", "2,b,2,1,8,25", "2,c,3,1,9,90", "3,a,1,1,4,15",
    "3,b,2,1,8,25", "3,c,3,1,,1" } do
    local left = row:find ",c,3,1,," and 1 or 0
    lines[i] = row .. of_play:format(1 - left, left)
  end
  local path = shell.file("methods.csv", head .. table.concat(lines))
  local left_out = path .. ": 2 rows left out: the player left the level\n"
  for _, case in ipairs {
    { "", 1, "9", left_out },
    { "--formula 'log(time) ~ 1 + (1 | player) + (1 | level)'", 1, "90", left_out },
    { "--formula 'time ~ 1 + (1 | player) + (1 | level)' --fit 'mixed(family = lognormal, completed = solved)'", 3, "40.3333333", "" },
    { "--formula 'solved ~ 1 + (1 | player) + (1 | level)' --fit 'mixed(family = logistic)'", 3, "0.3333333", "Singular" },
  } do
    local levels, players = shell.crux(("levels %s %s"):format(path, case[1])), shell.crux(("players %s %s"):format(path, case[1]))
    luaunit.assertStrContains(levels.out, ("\nc,%d,%s"):format(case[2], case[3]))
    luaunit.assertStrMatches(players.out, ("player,plays[^\n]*\n1,%d,[^\n]*\n2,3,[^\n]*\n3,%d,[^\n]*\n"):format(2 + case[2] // 3, 2 + case[2] // 3))
    for _, said in ipairs { levels.err, players.err } do
      luaunit.assertStrContains(said, case[4])
      luaunit.assertEquals(said:find("left out", 1, true) ~= nil, case[4] == left_out)
    end
  end
  local result = shell.crux("aggregate " .. path)
  luaunit.assertStrMatches(result.out, "level,position,losses,attempts,solved,skipped,difficulty,scaled,time,moves_used\n.*\nc,3,0,1,1,0,9,10,90,4\n")
  luaunit.assertStrContains(result.err, path .. ": 2 plays left out: neither solved nor skipped\n")
  luaunit.assertEquals(shell.crux("aggregate --plays " .. path).out:match "^[^\n]*",
    "level,player,position,losses,attempts,solved,skipped,rated,difficulty,scaled,time,moves_used")
  local by_play = shell.file("by-play.csv", (shell.read(path):gsub("attempt,", ""):gsub("solved,", ""):gsub("(%d,%l,%d),1", "%1")
    :gsub(",4,[01],", ",4,"))) -- a row a play
  luaunit.assertEquals(shell.crux("aggregate " .. by_play).out:match "\nc,.*", "\nc,3,0,,1,0,9,10,90,4\n")
  luaunit.assertNil(shell.crux("correlate --plays " .. path .. " --x position").out:find "version")
end

--- Two versions of a study may ask for ratings on other scales: who averages both is told, and nobody else. The level that the third
--- player left has no rating, so its version does not count.
function Export.test_ratings_of_several_versions()
  local text = [[
player,level,rating,abandoned,version
1,a,3,0,1
2,a,5,0,1
3,a,,1,3
]]
  local path = shell.file("one.csv", text)
  luaunit.assertEquals(shell.crux("aggregate " .. path).err, "")
  path = shell.file("several.csv", text .. "4,a,100,0,2\n")
  luaunit.assertEquals(shell.crux("aggregate " .. path), { status = 0, out = "level,solved,skipped,difficulty,scaled\na,3,0,36,36\n",
    err = path .. ": averages are over ratings of several versions of the study: 1, 2\n" })
  luaunit.assertEquals(shell.crux("aggregate --plays " .. path).err, "")
end

--- A codebook has a row for each column of both exports, with the values that each version of the study allowed.
function Export.test_codebook()
  local levels = "; one\n@.O\n\n; two\n.@O\n"
  local function study(more) return http.study("codebook", "questions = { 'enjoyment', 'skipped' }, " .. more, levels) end
  do
    local server <close> = http.serve(study "ask = { 'age: 1..120' }, ask_after = { 'again: yes, no', 'remark' }, labels = { again = 'Again?' }",
      "codebook.db")
    local token, view = server:begin { consent = "yes", age = 30 }
    view = http.solve(server, token, view, 9)
    for _, answer in ipairs { 4, "yes", "so|so" } do view = server:act(token, view, "answer", answer) end
  end
  local server <close> = http.serve(study "scale = { 0, 5 }, ends = { 'low', 'high' }" .. " --new-version", "codebook.db")
  local token, view = server:begin()
  http.solve(server, token, view, 3)
  local plays, players, csv, md = shell.path "p.csv", shell.path "q.csv", shell.path "codebook.csv", shell.path "codebook.md"
  for _, path in ipairs { csv, md } do
    crux(("study export %s -o %s --players-file %s --codebook %s"):format(server.path, plays, players, path))
  end
  local text, expected = shell.read(csv), {}
  for _, part in ipairs { { "plays", plays }, { "players", players } } do
    for column in shell.read(part[2]):match "^[^\n]*":gmatch "[^,]+" do table.insert(expected, part[1] .. "," .. column) end
  end
  local found = {}
  for name in text:gmatch "\n(%l+,[%l_]+)," do table.insert(found, name) end
  luaunit.assertEquals(found, expected)
  for _, line in ipairs {
    'plays,rating,"how hard the player found the level, in the row of the attempt that ends it: asked after solved and skipped levels '
      .. '(version 1); low .. high, asked after solved and skipped levels (version 2)",points,1..10 (version 1); 0..5 (version 2); empty: '
      .. "no answer\n",
    'plays,again,"answer of the player: Again?, asked after solved and skipped levels",,"yes, no; empty: no answer"\n',
    "plays,time,time that the attempt took while the page was visible,s,numbers from 0 on\n",
    'players,age,"answer of the player: age, asked before the first level",,1..120; empty: no answer\n' } do
    luaunit.assertStrContains(text, line)
  end
  luaunit.assertStrContains(shell.read(md), "| table | column | meaning | unit | values |\n| --- | --- | --- | --- | --- |\n| plays | player |")
  luaunit.assertStrContains(shell.read(md), "| plays | remark | answer of the player: remark, asked after solved and skipped levels |  | text; empty: no answer |")
end

return { Export = Export }
