--- A server of a study in a process of its own, and requests to it.
local host = require "host"
local json = require "json_reader"
local write = require "crux.base.json"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local http = {}

---@class TestServer
---@field port string
---@field url string
---@field path string      of the database
---@field pid string
---@field said string      path of what it printed
local Server = {}
Server.__index = Server

--- Writes a study of the game `walk` of tests/support/playing.lua and returns the path of its script.
---@param name string     of its folder
---@param fields string   of the script
function http.study(name, fields, levels)
  shell.folder(name, { ["walk.lua"] = shell.read(playing.game "walk"), ["levels.txt"] = levels, ["lesson.txt"] = "; lesson\n@O\n",
    ["study.lua"] = ("return crux.study { game = 'walk.lua', levels = { 'levels.txt' }, %s }\n"):format(fields) })
  return shell.path(name .. "/study.lua")
end

--- Starts a command of crux that serves on a free port, and prints what has the port; skips the test where crux or the machine lack
--- what it needs.
---@param port string       pattern of the port in what it prints
---@param before string?    commands of the shell that starts the server
---@return TestServer
local function start(line, said, port, before)
  if not package.preload["libcrux.http_server"] then luaunit.skip "built without crux serve" end
  if shell.run("command -v curl").out == "" then luaunit.skip "curl is missing" end
  local self = setmetatable({ said = shell.file(said .. ".said", "") }, Server)
  self.pid = shell.run(("%s%s %s --port 0 > %s 2>&1 & echo $!"):format(before or "", shell.quote(shell.program), line,
    self.said)).out:match "%d+"
  self.port = shell.wait(self.pid, function() return shell.read(self.said):match(port) end) or error(shell.read(self.said))
  self.url = "http://127.0.0.1:" .. self.port
  return self
end

--- Starts `crux serve` with these words.
---@param database string?  its name in the tests' folder; none for a preview
---@param before string?    see start
---@return TestServer
function http.serve(words, database, before)
  local path = database and shell.path(database)
  local self = start(("serve %s %s"):format(words, path and "--database " .. path or ""), database or "preview", "port (%d+);", before)
  self.path = path
  return self
end

--- Starts `crux workbench` with these words in a folder; `url` is its link, without the last '/'.
---@param folder string   path
---@param before string?    see start
---@return TestServer
function http.workbench(words, folder, before)
  local self = start("workbench " .. words, "workbench", "127%.0%.0%.1:(%d+)/%x+/\n", ("cd %s; %s"):format(folder, before or ""))
  self.url = shell.read(self.said):match "(http://%S+)/\n"
  return self
end

--- Asks the engine of a workbench; returns the answer and the status.
---@param message table   plain
---@param subject string?   "now" unless given
---@param words string?   of a curl command line
function Server:ask(message, subject, round, words)
  local path = shell.file(("message-%s-%d"):format(subject or "now", round or 1), write.encode(write.of(message)))
  local status, _, body = self:get(("/ask/a/%s/%d"):format(subject or "now", round or 1), ("--data-binary @%s %s"):format(path, words or ""))
  return body ~= "" and json.decode(body) or nil, status
end

--- Ends the server at once, as a power cut would.
function Server:kill()
  if not self.pid then return end
  shell.run("kill -9 " .. self.pid)
  shell.wait(self.pid, function() end)
  self.pid = nil
end

Server.__close = Server.kill

--- The process, those that it has started, and theirs: keepers and workers.
function Server:processes()
  local list = { self.pid }
  for _, pid in ipairs(list) do -- the list grows
    for child in shell.read(("/proc/%s/task/%s/children"):format(pid, pid)):gmatch "%d+" do table.insert(list, child) end
  end
  return list
end

--- The status, the headers and the body of an answer; 0 if there is none.
local function parts_of(answer)
  local headers, body = answer:match "^(.-)\r\n\r\n(.*)$"
  return tonumber((headers or ""):match "^%S+ (%d+)") or 0, headers or "", body or ""
end

--- Sends a request with the end of its headers, and its body; returns what parts_of() does.
local function request(self, method, path, rest)
  local place, folder = self.url:match "^http://([^/]+)(.*)$"
  return parts_of(host.exchange(place:match "%d+$", ("%s %s%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s"):format(method, folder,
    path, place, rest)))
end

--- Asks for a path, with the words of a command line by curl; returns the status, the headers and the body.
---@param words string?
---@return integer, string, string
function Server:get(path, words)
  if words then
    return parts_of(shell.run(("curl -q -s -i --noproxy '*' --path-as-is --max-time 100 %s '%s%s'"):format(words, self.url, path)).out)
  end
  return request(self, "GET", path, "\r\n")
end

local function encoded(text)
  return (text:gsub("[^%w]", function(character) return ("%%%02x"):format(character:byte()) end))
end

--- Sends a form; returns the status, the decoded answer and the headers.
---@param fields table<string, string|integer>
---@param token string?   of the player
function Server:post(path, fields, token)
  local parts = {}
  for name, value in pairs(fields) do table.insert(parts, ("%s=%s"):format(name, encoded(tostring(value)))) end
  local form = table.concat(parts, "&")
  local status, headers, body = request(self, "POST", path,
    ("%sContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s"):format(
    token and ("Cookie: crux=%s\r\n"):format(token) or "", #form, form))
  return status, body ~= "" and json.decode(body) or nil, headers
end

--- A player who begins: the token and the first view.
function Server:begin(fields)
  local status, view, headers = self:post("/begin", fields or { consent = "yes" })
  luaunit.assertEquals(status, 200)
  return headers:match "Set%-Cookie: crux=(%x+);", view
end

--- Makes the next act of a player, goes on if that was the last answer, and returns what the page shows then.
function Server:act(token, view, act, value, time)
  local status, after = self:post("/act", { number = view.acts + 1, act = act, value = value, time = time or 100 }, token)
  luaunit.assertEquals(status, 200, after)
  local waits = act == "answer" and after.stage == "question" and after.asked == json.null
  return waits and self:act(token, after, "key", "enter") or after
end

--- Solves the level, in which the exit is to the right, and rates it. Returns what the page shows then.
function http.solve(server, token, view, rating)
  while view.stage == "play" do view = server:act(token, view, "key", "right") end
  return view.asked == "rating" and server:act(token, view, "answer", rating) or server:act(token, view, "key", "enter")
end

return http
