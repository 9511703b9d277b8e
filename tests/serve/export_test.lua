--- Tests of what is exported: each answer when it is given, levels that players left, times and kinds of input.
local http = require "http"
local luaunit = require "luaunit"
local shell = require "shell"

local Export = {}

local function crux(line) return shell.output(("%s %s"):format(shell.quote(shell.program), line)) end

--- The rows of a database, by column.
local function rows_of(server)
  local names, rows = nil, {}
  for line in crux("study export " .. server.path):gmatch "[^\n]+" do
    local row, at = {}, 0
    for cell in (line .. ","):gmatch "([^,]*)," do
      at = at + 1
      row[names and names[at] or at] = cell
    end
    if names then table.insert(rows, row) else names = row end
  end
  return rows
end

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
  local path = http.study("answers", "questions = { 'enjoyment' }, ask_after = { 'again: yes, no', 'remark' }", "; one\n@.O\n")
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
  luaunit.assertEquals(again:act(token, same, "answer", "hm").stage, "thanks")
  luaunit.assertEquals(exported(), { "6,3,1,0,no,hm" })
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

return { Export = Export }
