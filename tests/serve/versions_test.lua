--- Tests of versions of a study in its database.
local http = require "http"
local luaunit = require "luaunit"
local shell = require "shell"

local Versions = {}

local levels = "; one\n@.O\n\n; two\n.@O\n"

local function run_sql(server, sql)
  local db <close> = require("libcrux.database").open(server.path, false)
  return assert(db:run(sql))
end

--- Serves a study of these fields on the same database, lets a function play, and ends the server.
local function serve(name, fields, play, words)
  local server <close> = http.serve(http.study(name, fields, levels) .. (words or ""), name .. ".db")
  return play(server)
end

--- What the server says, which does not start with these fields.
local function refused(fields)
  local path = http.study("changed", fields, levels)
  local result = shell.run(("%s serve %s --database %s --port 0"):format(shell.quote(shell.program), path, shell.path "changed.db"))
  luaunit.assertEquals({ result.status, result.out }, { 1, "" })
  return (result.err:gsub(shell.path "", ""))
end

--- Before anybody plays, all may change. After that the scale and the questions may not, unless that is wanted; what else changes
--- is noted. Each play has the version in which it began.
function Versions.test_what_may_change()
  local function nobody() end
  local before = "changed.db: %s: found %s, expected %s, as in version %d of the study, or --new-version\n"
  serve("changed", "scale = { 1, 5 }, ask = { 'age' }", nobody)
  serve("changed", "scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, consent = 'A'", function(server)
    local token, view = server:begin()
    server:act(token, view, "key", "right")
  end)
  for fields, problem in pairs {
    ["scale = { 1, 5 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, consent = 'A'"] =
      before:format("scale of ratings", "1..5", "1..7", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..99' }, ask_after = { 'again', 'remark' }"] =
      before:format("question 'age'", "a change", "none", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, labels = { again = 'Again?' }"] =
      before:format("question 'again'", "a change", "none", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..120', 'town' }, ask_after = { 'again', 'remark' }"] =
      before:format("question 'town'", "a change", "none", 2),
    ["scale = { 1, 7 }, ask_after = { 'again', 'remark' }"] = before:format("question 'age'", "a change", "none", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'remark', 'again' }"] =
      before:format("questions", "another order", "none", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, questions = { 'skipped' }"] =
      before:format("question 'again'", "a change", "none", 2),
    ["scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, ends = { 'low', 'high' }"] =
      before:format("question 'rating'", "a change", "none", 2),
  } do luaunit.assertEquals(refused(fields), problem) end
  serve("changed", "scale = { 1, 7 }, ask = { 'age: 1..120' }, ask_after = { 'again', 'remark' }, consent = 'B', per_player = 1",
    function(server) server:begin() end)
  serve("changed", "scale = { 1, 5 }, consent = 'B'", function(server)
    server:begin()
    local rows = run_sql(server, [[SELECT id, scale, per_player, consent, length(script) AS digits, began > 1700000000000 AS is_late
      FROM version ORDER BY id]])
    luaunit.assertEquals(rows, {
      { id = 1, scale = "1..5", consent = "", digits = 64, is_late = 1 },
      { id = 2, scale = "1..7", consent = "A", digits = 64, is_late = 1 },
      { id = 3, scale = "1..7", per_player = 1, consent = "B", digits = 64, is_late = 1 },
      { id = 4, scale = "1..5", consent = "B", digits = 64, is_late = 1 } })
    luaunit.assertEquals(run_sql(server, "SELECT player, version FROM play"), { { player = 1, version = 2 }, { player = 2, version = 3 },
      { player = 3, version = 4 } })
    local digest = shell.output("sha256sum " .. shell.path "changed/study.lua"):match "^%x+"
    luaunit.assertEquals(run_sql(server, "SELECT script FROM version WHERE id = 4"), { { script = digest } })
    luaunit.assertEquals(run_sql(server, [[SELECT json_extract(value, '$.asked') AS asked, json_extract(value, '$.name') AS name,
      json_extract(value, '$.values') AS range FROM version, json_each(questions) WHERE version.id = 2]]), {
        { asked = "before", name = "age", range = "1..120" }, { asked = "solved", name = "rating", range = "1..7" },
        { asked = "solved", name = "again", range = "" }, { asked = "solved", name = "remark", range = "" } })
  end, " --new-version")
end

--- Of three players on the former scale, one is in a level, one is asked for the rating, and one has rated: the first two rate on the
--- scale of now, the third is asked nothing more, and all ratings are exported with the version of their scale.
function Versions.test_players_in_the_middle_of_a_change()
  local tokens = serve("middle", "ask_after = { 'remark' }, order = 'given'", function(server)
    local list = {}
    for player = 1, 3 do
      local token, view = server:begin()
      list[player] = token
      while view.stage == "play" and not (player == 1 and view.acts == 1) do view = server:act(token, view, "key", "right") end
      if player == 3 then server:act(token, view, "answer", 9) end
    end
    return list
  end)
  serve("middle", "scale = { 1, 3 }, order = 'given'", function(server)
    local views = {}
    for player = 1, 3 do views[player] = select(2, server:post("/view", {}, tokens[player])) end
    luaunit.assertEquals({ views[1].stage, views[2].asked, views[2].high, views[3].stage, views[3].position }, { "play", "rating", 3, "play", 2 })
    http.solve(server, tokens[1], views[1], 2)
    server:act(tokens[2], views[2], "answer", 3)
    local text = shell.output(("%s study export %s"):format(shell.quote(shell.program), server.path))
    local found = {}
    for player, rating, version in text:gmatch "\n(%d),%l+,1,1,(%d*),[^\n]-,0,0,(%d)," do
      table.insert(found, { player, rating, version })
    end
    luaunit.assertEquals(found, { { "1", "2", "2" }, { "2", "3", "2" }, { "3", "9", "1" } })
  end, " --new-version")
end

return { Versions = Versions }
