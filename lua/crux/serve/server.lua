--- Serves a study: requests of the page, each answered when what it did is on the disk.
---
--- Requests that come together share a transaction, and thus the time of one write.
local canvas = require "crux.show.canvas"
local fault = require "crux.base.fault"
local home = require "libcrux.home"
local interview = require "crux.play.interview"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local Player = require "crux.serve.player"
local process = require "libcrux.process"
local random = require "libcrux.random"
local sinks = require "crux.out.sinks"
local studies = require "crux.serve.study"
local svg = require "crux.show.svg"
local tokens = package.preload["libcrux.token"] and require "libcrux.token" -- an optional part of the build

---@class Server
---@field private study Study
---@field private store Store
---@field private http userdata            of libcrux.http_server
---@field private is_secure boolean        players reach it by https
---@field private most_joins integer       players who may begin in a minute
---@field private joins integer[]          times of the latest begins, ms
---@field private players table<string, BrowserPlayer>   by digest; those of the last requests
---@field private earlier table<string, BrowserPlayer>   those of the requests before
---@field private count integer            of `players`
---@field private must_clean boolean       a player was deleted
---@field private random userdata          of libcrux.random
---@field private files table<string, { type: string, text: string }>   by path
local Server = {}
Server.__index = Server

local most_players = 1000 -- of `players`, and of `earlier`

local started, epoch = process.seconds(), os.time()

--- Milliseconds since 1970; never runs backwards.
local function now() return math.floor(1000 * (epoch + process.seconds() - started)) end

local headers = {
  { "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
      .. "frame-ancestors 'none'" },
  { "X-Content-Type-Options", "nosniff" }, { "Referrer-Policy", "no-referrer" }, { "Cache-Control", "no-store" },
}

--- The text of a file of the page.
local function page_file(name)
  local file <close> = fault.check(io.open(("%s/lua/crux/serve/page/%s"):format(home, name), "r"))
  return file:read "a"
end

--- Notes the levels in the database; raises a fault if it has another level of the same name.
local function note_levels(study, store)
  local function note(list, tutorial)
    for _, level in ipairs(list) do
      store:run("INSERT INTO level VALUES (?, ?, ?) ON CONFLICT DO NOTHING", level.name, level.checksum, tutorial)
      local known = store:first("SELECT checksum FROM level WHERE name = ?", level.name).checksum
      if known ~= level.checksum then
        fault.at(("%s: level '%s'"):format(store.path, level.name), "another level of that name",
          "the same levels as before, or another --database")
      end
    end
  end
  note(study.tutorial, true)
  note(study.list, false)
end

---@param study Study
---@param store Store
---@param http userdata
---@param options { is_secure: boolean, most_joins: integer }
---@return Server
function Server.new(study, store, http, options)
  store:atomically(note_levels, study, store)
  local seed = tonumber(tokens.new():sub(1, 15), 16)
  return setmetatable({ study = study, store = store, http = http, is_secure = options.is_secure,
    most_joins = options.most_joins, joins = {}, players = {}, earlier = {}, count = 0, must_clean = false,
    random = random.new(seed),
    files = {
      ["/"] = { type = "text/html", text = page_file "page.html" },
      ["/page.js"] = { type = "text/javascript", text = page_file "page.js" },
      ["/page.css"] = { type = "text/css",
        text = table.concat({ page_file "page.css", svg.style, canvas.style }, "\n") },
    } }, Server)
end

--- The fields of a form, application/x-www-form-urlencoded.
local function form_of(body)
  local fields = {}
  local function decoded(text)
    return (text:gsub("%+", " "):gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
  end
  for name, value in body:gmatch "([^&=]+)=([^&]*)" do fields[decoded(name)] = decoded(value) end
  return fields
end

---@class Answer
---@field status integer
---@field body string
---@field type string
---@field cookie string?   token to set; "" removes it

---@return Answer
local function said(value, status, cookie)
  return { status = status or 200, body = json.encode(value), type = "application/json", cookie = cookie }
end

local function refused(status, problem) return said(json.object { { "problem", problem } }, status) end

--- Keeps a player in memory for the next requests.
function Server:keep(digest, player)
  if not self.players[digest] then
    self.count = self.count + 1
    if self.count > most_players then self.players, self.earlier, self.count = {}, self.players, 1 end
  end
  self.players[digest] = player
  return player
end

--- The player of a token; nil if there is none.
---@return BrowserPlayer?
function Server:player(token)
  if not token:find("^" .. ("%x"):rep(32) .. "$") then return nil end
  local digest = tokens.digest(token)
  local player = self.players[digest] or self.earlier[digest] or Player.load(self.study, self.store, self.random, digest)
  return player and self:keep(digest, player)
end

--- Removes a player from memory.
function Server:drop(token)
  local digest = tokens.digest(token)
  self.players[digest], self.earlier[digest] = nil, nil
end

--- Tells whether a token is that of a personal link with which nobody has begun.
function Server:is_invited(token) return self.store:first("SELECT 1 FROM link WHERE token = ?", tokens.digest(token)) ~= nil end

--- The reason why somebody without a personal link cannot begin; nil if they can.
function Server:closed()
  local most = self.study.public_players
  if not most then return nil end
  local count = self.store:first("SELECT count(*) AS n FROM player WHERE came_by = 'public'").n
  return count >= most and (most == 0 and "personal" or "enough") or nil
end

--- All that the page shows to somebody who has not begun.
---@param token string   of the cookie or link
function Server:welcome(token)
  local study = self.study
  return json.object { { "stage", not self:is_invited(token) and self:closed() or "welcome" }, { "title", study.title },
    { "consent", study.consent }, { "contact", study.contact }, { "items", lists.map(study.items, studies.shown) },
    { "lessons", #study.tutorial } }
end

--- Tells whether a player more may begin in this minute.
function Server:may_join(time)
  while self.joins[1] and self.joins[1] <= time - 60000 do table.remove(self.joins, 1) end
  if #self.joins >= self.most_joins then return false end
  table.insert(self.joins, time)
  return true
end

--- The functions that answer the requests of the page, by path. A function gets the form, the player of the cookie, if there is
--- one, the time, and the cookie.
local actions = {}

actions["/view"] = function(self, _, player, time, token) return said(player and player:view(time) or self:welcome(token)) end

actions["/leave"] = function(_, _, player, time)
  return player and said(player:view(time, true)) or refused(401, "unknown")
end

actions["/begin"] = function(self, form, player, time, cookie)
  if player then return said(player:view(time)) end -- pressed twice, or in another window
  if form.consent ~= "yes" then return refused(400, "consent") end
  local answers = {}
  for _, item in ipairs(self.study.items) do
    answers[item.name] = interview.value(item, form[item.name] or "")
    if not answers[item.name] then return refused(400, "answer") end
  end
  local is_invited = self:is_invited(cookie)
  local closed = not is_invited and self:closed()
  if closed then return refused(403, closed) end
  if not self:may_join(time) then return refused(429, "many") end
  local token = is_invited and cookie or fault.check(tokens.new())
  local digest = tokens.digest(token)
  self.store:run("DELETE FROM link WHERE token = ?", digest)
  player = Player.new(self.study, self.store, self.random, digest,
    { answers = answers, came_by = is_invited and "link" or "public", knows_game = form.knows_game == "yes" }, time)
  self:keep(digest, player)
  return said(player:view(time), 200, token)
end

actions["/return"] = function(self, form, _, time)
  local token = form.token or ""
  local player = self:player(token)
  if not player and not self:is_invited(token) then return refused(401, "unknown") end
  return said(player and player:view(time) or self:welcome(token), 200, token)
end

local function integer(text, most)
  local value = text and text:find "^%d+$" and math.tointeger(tonumber(text))
  return value and value <= most and value or nil
end

actions["/act"] = function(_, form, player, time)
  if not player then return refused(401, "unknown") end
  local number, client = integer(form.number, 1 << 31), integer(form.time, 1 << 40)
  if not number or not client or not form.act or not form.value then return refused(400, "act") end
  local is_right = player:act(number, form.act, form.value, client, time)
  return said(player:view(time), is_right and 200 or 409)
end

actions["/kept"] = function(_, _, player, _, token)
  return player and said(player:kept(token)) or refused(401, "unknown")
end

actions["/forget"] = function(self, _, player, _, token)
  if not player then return refused(401, "unknown") end
  player:forget()
  self:drop(token)
  self.must_clean = true
  return said(self:welcome "", 200, "")
end

--- The answer to a request.
---@return Answer
function Server:answer(request)
  local file, action = self.files[request.path], actions[request.path]
  if not file and not action then return refused(404, "path") end
  if request.method ~= (file and "GET" or "POST") then return refused(405, "method") end
  if file then return { status = 200, body = file.text, type = file.type .. "; charset=utf-8" } end
  local ok, answer = pcall(self.store.atomically, self.store, function()
    return action(self, form_of(request.body), self:player(request.cookie), now(), request.cookie)
  end)
  if ok then return answer end
  self:drop(request.cookie)
  local problem = fault.is(answer) and answer or fault.of_crux(answer)
  if problem.is_stop then error(problem, 0) end
  sinks.say(problem.message)
  return refused(500, "failed")
end

--- Answers requests, in one transaction.
function Server:answer_all(requests)
  local answers = {}
  local ok, problem = pcall(self.store.atomically, self.store, function()
    for i, request in ipairs(requests) do answers[i] = self:answer(request) end
  end)
  if not ok then -- what the answers say is not on the disk
    if problem.is_stop then error(problem, 0) end
    self.players, self.earlier, self.count = {}, {}, 0
    sinks.say(problem.message or tostring(problem))
    for i in ipairs(requests) do answers[i] = refused(503, "full") end
  end
  if self.must_clean then
    self.store:clean()
    self.must_clean = false
  end
  for i, request in ipairs(requests) do self:send(request.number, answers[i]) end
end

function Server:send(number, answer)
  local list = lists.concat(headers, { { "Content-Type", answer.type } })
  if answer.cookie then
    table.insert(list, { "Set-Cookie", ("crux=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s"):format(answer.cookie,
      answer.cookie == "" and 0 or 31536000, self.is_secure and "; Secure" or "") })
  end
  self.http:answer(number, answer.status, answer.body, list)
end

--- Serves until the program is ended.
function Server:run()
  while true do
    local requests = fault.check(self.http:wait(1000))
    if requests[1] then self:answer_all(requests) end
  end
end

return Server
