--- Requests of the page of a study, a line each: PATH, COOKIE and BODY with tabs between them. A cookie `a` or `b`, and {a} and {b}
--- in a body, are the tokens of two players; {n} is the number of the next act. Answers are JSON with an expected status, and a
--- server that reads the database shows the same as the one that had the requests.
package.path = "tests/support/?.lua;" .. package.path
local json = require "json_reader"
local Server = require "crux.serve.server"
local sinks = require "crux.out.sinks"
local store = require "crux.serve.store"
local studies = require "crux.serve.study"
local digest = require("libcrux.token").digest

local folder = os.getenv "CRUX_TEST_FOLDER" or "build/fuzz"
local script, levels, lesson = folder .. "/serve_fuzz.study.lua", folder .. "/serve_fuzz.txt", folder .. "/serve_fuzz.lesson.txt"

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

write(levels, "; one\nA.A\nB.B\n\n; two\nA.\n.A\n\n; three\nAA\nBB\n")
write(lesson, "; lesson\nAA\n")
write(script, [[return crux.study { game = "flow", levels = { "serve_fuzz.txt" }, tutorial = { "serve_fuzz.lesson.txt" },
  questions = { "enjoyment", "skipped" }, ask = { "age: 1..120", "town" }, ask_after = { "again: yes, no" },
  skip_seconds = 2, per_player = 2, public_players = 3, order = "given" }]])
local study, opened = studies.load(script), store.open(":memory:", true)
function sinks.say(message) error(message, 0) end -- the server says what goes wrong

local statuses = { [200] = true, [400] = true, [401] = true, [403] = true, [404] = true, [405] = true, [409] = true }

return function(text)
  opened:run "DELETE FROM player"
  local server, tokens, time = Server.new(study, opened), {}, 1000000
  local function ask(to, path, cookie, body)
    time = time + 700
    local request = { method = "POST", path = path, cookie = cookie, body = body, time = time }
    if path:find "^/page" or path == "/" then request.method = "GET" end
    local answer = to:answer_all({ Server.addressed(request) })[1]
    assert(statuses[answer.status], answer.status)
    if path == "/kept" then json.decode(answer.body) end -- the answers to acts are long to read
    return answer
  end
  for _, name in ipairs { "a", "b" } do tokens[name] = ask(server, "/begin", "", "consent=yes&age=9").cookie end
  local function view(of, name) return ask(of, "/view", tokens[name], "").body end
  for line in text:gmatch "[^\n]+" do
    local path, cookie, body = line:match "^([^\t]*)\t?([^\t]*)\t?(.*)$"
    body = body:gsub("{(%l)}", function(name)
      if name ~= "n" then return tokens[name] end
      local player = opened:first("SELECT acts FROM player WHERE token = ?", digest(tokens[cookie] or cookie))
      return player and tostring(player.acts + 1)
    end)
    local answer = ask(server, path, tokens[cookie] or cookie, body)
    if answer.status == 200 and tokens[cookie] and answer.cookie == "" then tokens[cookie] = ("0"):rep(32) end
  end
  local other = Server.new(study, opened)
  for name in pairs(tokens) do assert(view(server, name) == view(other, name), "a player who is read again differs") end
  assert(not opened:first "SELECT 1 FROM play GROUP BY player, level HAVING count(*) > 1", "a level twice")
  assert(not opened:first "SELECT 1 FROM player WHERE acts <> (SELECT count(*) FROM act WHERE player = id)", "acts are missing")
end
