--- Answers requests of the page of a study, each when what it did is on the disk.
---
--- Requests that come together share a transaction, and thus the time of one write. Scripts of games run before and after it:
--- one that takes long keeps no other server from the database.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local forms = require "crux.serve.forms"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local pages = require "crux.serve.pages"
local process = require "libcrux.process"
local Player = require "crux.serve.player"
local random = require "libcrux.random"
local sinks = require "crux.out.sinks"
local progress = require "crux.serve.progress"
local questions = require "crux.serve.questions"
local tokens = require "crux.serve.tokens"
local versions = require "crux.serve.versions"
local view = require "crux.serve.view"

---@class Server
---@field private study Study
---@field private store Store
---@field private players table<string, BrowserPlayer>   by digest; those of the last requests
---@field private earlier table<string, BrowserPlayer>   those of the requests before
---@field private size integer             of `players`, as Player:size() counts it
---@field private must_clean boolean       a player was deleted
---@field private template string         of the page for researchers
---@field private researcher string       its token
---@field private random userdata          of libcrux.random
---@field private files table<string, PageFile>   by path
local Server = {}
Server.__index = Server

--- The greatest size of `players`, and of `earlier`: some 50 MB each.
Server.most_size = 100000

--- Notes the levels in the database; raises a fault if it has another level of the same name.
local function note_levels(study, store)
  local function note(block, list, tutorial)
    for _, level in ipairs(list) do
      store:run("INSERT INTO level VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", block.name, level.name, level.checksum,
        tutorial)
      local known = store:first("SELECT checksum FROM level WHERE block = ? AND name = ?", block.name, level.name).checksum
      if known ~= level.checksum then
        fault.at(("%s: level '%s'"):format(store.path, level.name), "another level of that name",
          "the same levels as before, or another --database")
      end
    end
  end
  for _, block in ipairs(study.blocks) do
    note(block, block.tutorial, true)
    note(block, block.list, false)
  end
end

--- The translations of the games, as a constant for the page: texts by language, and by the English text.
local function translations_of(study)
  local languages = {}
  for _, block in ipairs(study.blocks) do
    for language, texts in pairs(block.game and block.game.translations or {}) do
      languages[language] = lists.merge(languages[language] or {}, texts)
    end
  end
  for language, texts in pairs(languages) do languages[language] = json.by_name(texts) end
  return ("const translations = %s;\n"):format(json.encode(json.by_name(languages)))
end

---@param may_differ boolean?   the scale and the questions, from those of plays in the database
---@return Server
function Server.new(study, store, may_differ)
  local numbers, now = random.new(tonumber(tokens.new():sub(1, 15), 16)), 1000 * os.time()
  store:atomically(function()
    note_levels(study, store)
    study.version = versions.note(store, study.described, may_differ, now)
    Player.complete(study, store, numbers, now)
  end)
  local progress_files = pages.files("study", "progress.html")
  local template = progress_files[""].text
  local files = lists.merge(progress_files, pages.files("study", "page.html", { ["translations.js"] = translations_of(study) }))
  return setmetatable({ study = study, store = store, players = {}, earlier = {}, size = 0, must_clean = false,
    random = numbers, files = files, template = template, researcher = store:researcher() }, Server)
end

---@class Answer
---@field status integer
---@field body string
---@field type string
---@field cookie string?   token to set; "" removes it

---@class BrowserRequest   of libcrux.http_server
---@field method string
---@field path string
---@field cookie string    token of the player; "" without one
---@field body string
---@field time integer     ms since 1970
---@field token string     of the player whom the request is about; "" without one
---@field fresh string?    of /begin: the token of somebody who begins without a personal link
---@field failure string?  why the level of the player fails: this request ended the process of its worker
---@field acts integer?    of the player, when the script ran

---@return Answer
local function said(value, status, cookie)
  return { status = status or 200, body = json.encode(value), type = "application/json", cookie = cookie }
end

local function refused(status, problem) return said(json.object { { "problem", problem } }, status) end
Server.refused = refused

--- Keeps a player in memory for the next requests.
function Server:keep(digest, player)
  self.size = self.size + (self.players[digest] and 1 or player:size())
  if self.size > self.most_size then self.players, self.earlier, self.size = {}, self.players, player:size() end
  self.players[digest] = player
  return player
end

--- The player of a token; nil if there is none.
---@param acts integer?     the number of the player's last act, which may be that of another worker
---@param failure string?   why the player's level fails
---@return BrowserPlayer?
function Server:player(token, acts, now, failure)
  if not acts then return nil end
  local digest = tokens.digest(token)
  local player = self.players[digest] or self.earlier[digest]
  if failure or not player or player.acts ~= acts then
    player = Player.load(self.study, self.store, self.random, digest, now, failure)
  end
  return player and self:keep(digest, player)
end

--- The number of the last act of a player; nil if there is no such player.
function Server:acts_of(token)
  local row = token ~= "" and self.store:first("SELECT acts FROM player WHERE token = ?", tokens.digest(token))
  return row and row.acts
end

function Server:drop(token)
  local digest = tokens.digest(token)
  self.players[digest], self.earlier[digest] = nil, nil
end

--- Tells whether a token is that of a personal link with which nobody has begun.
function Server:is_invited(token) return self.store:first("SELECT 1 FROM link WHERE token = ?", tokens.digest(token)) ~= nil end

--- The reason why somebody without a personal link cannot begin; nil if they can.
function Server:closed()
  local most = self.study.public_players
  if not most or self.study.is_preview then return nil end
  local count = self.store:first("SELECT count(*) AS n FROM player WHERE came_by = 'public'").n
  return count >= most and (most == 0 and "personal" or "enough") or nil
end

--- All that the page shows to somebody who has not begun.
---@param token string   of the cookie or link
function Server:welcome(token)
  local study = self.study
  return json.object { { "stage", not self:is_invited(token) and self:closed() or "welcome" }, { "title", study.title },
    { "consent", study.consent }, { "contact", study.contact }, { "items", lists.map(study.items, questions.shown) },
    { "lessons", study.blocks[2] and 0 or #study.blocks[1].tutorial }, { "preview", study.is_preview and {} or nil } }
end

--- The functions that answer the requests of the page, by path. A function gets the form, the player of the cookie, if there is
--- one, the time, and the cookie. It returns the answer; or a function that is called in a transaction, and returns the answer
--- or a function that returns it after the transaction.
local actions = {}

actions["/view"] = function(self, _, player, time, token)
  return said(player and view.of(player, time) or self:welcome(token))
end

actions["/leave"] = function(_, _, player, time)
  return player and said(view.of(player, time, true)) or refused(401, "unknown")
end

local most_identifier <const> = 200 -- bytes of an identifier of a link

actions["/begin"] = function(self, form, player, time, token)
  -- pressed twice, in another window, or sent to a second worker
  if player then return said(view.of(player, time), 200, token) end
  if form.consent ~= "yes" then return refused(400, "consent") end
  local answers = questions.answers(self.study.items, form, self.study.is_preview)
  if not answers then return refused(400, "answer") end
  local identifiers = {}
  for _, name in ipairs(self.study.identifiers) do
    identifiers[name] = form["link_" .. name]
    if identifiers[name] and (#identifiers[name] > most_identifier or identifiers[name]:find "%c") then
      return refused(400, "identifier")
    end
  end
  return function()
    local is_invited = self:is_invited(token)
    local closed = not is_invited and self:closed()
    if closed then return refused(403, closed) end
    local digest = tokens.digest(token)
    self.store:run("DELETE FROM link WHERE token = ?", digest)
    local begun = Player.new(self.study, self.store, self.random, digest,
      { answers = answers, identifiers = identifiers, came_by = is_invited and "link" or "public",
        knows_game = form.knows_game == "yes" }, time)
    return function() return said(view.of(begun, time), 200, token) end -- the server of the token keeps the player
  end
end

actions["/return"] = function(self, _, player, time, token)
  if not player and not self:is_invited(token) then return refused(401, "unknown") end
  return said(player and view.of(player, time) or self:welcome(token), 200, token)
end

local function integer(text, most)
  local value = text and text:find "^%d+$" and math.tointeger(tonumber(text))
  return value and value <= most and value or nil
end

--- The i-th act of a request; nil without one, false if it is no act. The fields of the first are named "act", "value" and so
--- on, those of the next ones "act2", "value2".
local function act_of(form, i)
  local act = {}
  for _, name in ipairs { "act", "value", "time", "input", "subject" } do act[name] = form[i == 1 and name or name .. i] end
  if i > 1 and not act.act then return nil end
  act.time = integer(act.time, 1 << 40)
  local is_known = not act.input or lists.contains(Player.inputs, act.input)
  return act.act and act.value and act.time and is_known and act or false
end

local most_acts <const> = 50 -- of a request

-- The page sends its acts from `number` on that were not answered, so those that it sent before come again. An act is left out
-- if what it was about is over.
actions["/act"] = function(_, form, player, time)
  if not player then return refused(401, "unknown") end
  local number, records, is_right = integer(form.number, 1 << 31), {}, true
  if not number then return refused(400, "act") end
  for i = 1, most_acts do
    local act = act_of(form, i)
    if act == false then return refused(400, "act") end
    if not act or number > player.acts and act.subject and act.subject ~= player:subject() then break end
    local is_next, record = player:act(number, act.act, act.value, act.time, time, act.input)
    is_right = is_next
    if not is_right then break end
    table.insert(records, record)
    number = number + 1
  end
  local function answer() return said(view.of(player, time), is_right and 200 or 409) end
  return records[1] and function()
    player:save()
    for _, record in ipairs(records) do record() end
    return answer
  end or answer()
end

actions["/kept"] = function(_, _, player, _, token)
  return player and said(view.kept(player, token)) or refused(401, "unknown")
end

actions["/forget"] = function(self, _, player, _, token)
  if not player then return refused(401, "unknown") end
  return function()
    if not self.study.is_preview then player:forget() end -- who begins a preview again gets the next condition
    self:drop(token)
    self.must_clean = true
    return said(self:welcome "", 200, "")
  end
end

--- Notes in a request whom it is about. Who begins without a personal link chooses the token, so that a page that got no answer
--- and begins again does not begin twice; a worker that gets the request after another one knows by `fresh` who has begun.
---@param request BrowserRequest
function Server.addressed(request)
  request.token = request.path == "/return" and (("&" .. request.body):match "&token=(%x+)" or "") or request.cookie
  if request.path == "/begin" then
    local chosen = ("&" .. request.body):match "&fresh=(%x+)" or ""
    request.fresh = #chosen == #tokens.digest "" // 2 and chosen or fault.check(tokens.new())
  end
  return request
end

--- The answer to a request, or a function as those of `actions` return.
---@param request BrowserRequest
function Server:answer(request)
  local file, action = self.files[request.path:sub(2)], actions[request.path]
  if request.path == "/progress/" .. self.researcher and request.method == "GET" then
    local page = progress.page(self.study, self.store, self.template, request.time)
    return { status = 200, body = page, type = "text/html; charset=utf-8" }
  end
  if not file and not action then return refused(404, "path") end
  if request.method ~= (file and "GET" or "POST") then return refused(405, "method") end
  if file then return { status = 200, body = file.text, type = file.type .. "; charset=utf-8" } end
  request.acts = self:acts_of(request.token)
  if request.fresh and not request.acts and not self:is_invited(request.token) then
    request.token, request.acts = request.fresh, self:acts_of(request.fresh)
  end
  local player = self:player(request.token, request.acts, request.time, request.failure)
  return action(self, forms.read(request.body), player, request.time, request.token)
end

--- Saves what a request did, in a transaction; false if another worker has done something for this player since the script ran.
function Server:save(request, save)
  if self:acts_of(request.token) == request.acts then return self:try(request, self.store.atomically, self.store, save) end
  self:drop(request.token)
  return false
end

--- The result of a function; what it raises becomes an answer, and the player of the request is read from the database again.
function Server:try(request, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if budget.stopped() then error(result, 0) end
  self:drop(request.token)
  sinks.say(fault.message(result))
  return refused(500, "failed")
end

local function is_function(value) return type(value) == "function" end

--- Removes deleted players from the disk; if it is full, after the next requests.
function Server:clean()
  local ok, problem = pcall(self.store.clean, self.store)
  if not ok then sinks.say(fault.message(problem)) end
  self.must_clean = not ok
end

--- Answers requests, at most one of each player.
---@param requests BrowserRequest[]
---@return (Answer|false)[]   false: ask again
function Server:answer_all(requests)
  local results = {}
  for i, request in ipairs(requests) do
    process.note(i)
    results[i] = self:try(request, self.answer, self, request)
  end
  process.note(0)
  if lists.select(results, is_function)[1] then
    local ok, problem = pcall(self.store.atomically, self.store, function()
      for i, result in ipairs(results) do
        if is_function(result) then results[i] = self:save(requests[i], result) end
      end
    end)
    if not ok then -- the players in memory have done what is not on the disk
      if budget.stopped() then error(problem, 0) end
      self.players, self.earlier, self.size = {}, {}, 0
      sinks.say(fault.message(problem))
      for i in ipairs(requests) do results[i] = refused(503, "full") end
    end
  end
  if self.must_clean then self:clean() end
  for i, result in ipairs(results) do
    process.note(#requests + i)
    if is_function(result) then results[i] = self:try(requests[i], result) end
  end
  process.note(0)
  return results
end

return Server
