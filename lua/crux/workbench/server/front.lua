--- The front of `crux workbench`: takes the requests of the page, gives each to a worker, and sends the answers.
---
--- All paths begin with a secret, which is in the link. GET SECRET/FILE is a file of the page. A message to an engine is
--- POST SECRET/ask/TAB/SUBJECT/ROUND; TAB are hexadecimal digits of a page's own. It overtakes those of the same page and
--- subject and of earlier rounds: they are answered by { "overtaken": true }, and a worker that is at such a one for long is
--- ended. None of the subject "now" is overtaken. POST SECRET/stop/TAB/SUBJECT/ROUND only overtakes. POST
--- SECRET/finish/TAB/SUBJECT/0 lets those that are under way be answered with what there is.
--- POST SECRET/progress/TAB/SUBJECT/0 tells how far the messages of a subject are: a list of { seconds, done }.
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local jobs = require "crux.run.jobs"
local lists = require "crux.base.lists"
local pages = require "crux.serve.pages"
local process = require "libcrux.process"
local sinks = require "crux.out.sinks"
local workers = require "libcrux.workers"

---@class WorkbenchFront
---@field http userdata
---@field secret string
---@field hosts table<string, true>     that a browser on this machine may name
---@field setup WorkbenchSetup
---@field files table<string, PageFile>
---@field workers WorkbenchWorker[]     the first one is for messages that one waits for: "now", and the level that is drawn
---@field descriptors integer[]         of the workers
---@field disk userdata                 the process that writes files
---@field waiting WorkbenchRequest[]
---@field rounds table<string, integer> the latest round by page and subject
local Front = {}
Front.__index = Front

---@class WorkbenchWorker
---@field pool userdata                 a process of libcrux.workers
---@field request WorkbenchRequest?     that it is at
---@field since number?                 s
---@field is_halted boolean?

---@class WorkbenchRequest              of libcrux.http_server
---@field subject string               of its page
---@field about string                 page and subject
---@field round integer
---@field is_answered boolean?

--- Seconds for which a worker goes on with what was overtaken, as ending it costs loading the game again.
local PATIENCE <const> = 0.1

--- Seconds between two looks for that.
local LOOK <const> = 0.02

--- Subjects for which a worker is kept free.
local urgent = { now = true, level = true }

local orders = { ask = true, stop = true, progress = true, finish = true }

--- Starts the processes. Use with <close>.
---@param folder string   below which files are written
---@param count integer   of workers
---@return WorkbenchFront
function Front.new(http, secret, folder, count)
  local self = setmetatable({ http = http, secret = secret, hosts = {}, waiting = {}, rounds = {}, workers = {},
    descriptors = {}, files = lists.merge(pages.files("workbench", "index.html"), pages.editor()) }, Front)
  for _, host in ipairs { "127.0.0.1", "localhost" } do self.hosts[("%s:%d"):format(host, http:port())] = true end
  self.disk = fault.check(workers.process("crux.run.worker", { module = "crux.workbench.server.disk", setup = folder }))
  for i = 1, count do
    local pool = fault.check(workers.process("crux.run.worker", { module = "crux.workbench.server.worker" }))
    self.workers[i], self.descriptors[i] = { pool = pool }, fault.check(pool:descriptor())
  end
  return self
end

function Front:__close()
  local disk <close> = self.disk -- luacheck: no unused
  for _, worker in ipairs(self.workers) do
    local pool <close> = worker.pool -- luacheck: no unused
  end
end

function Front:link() return ("http://127.0.0.1:%d/%s/"):format(self.http:port(), self.secret) end

---@param body string
function Front:send(request, status, body, type)
  if request.is_answered then return end
  request.is_answered = true
  self.http:answer(request.number, status, body,
    lists.concat(pages.headers, { { "Content-Type", (type or "application/json") .. "; charset=utf-8" } }))
end

local function fault_of(message) return json.encode(json.object { { "fault", json.object { { "message", message } } } }) end

--- Answers what is overtaken: by this request, or this request by one that came before it.
function Front:overtake(request)
  if request.subject == "now" then return end
  local latest = math.max(request.round, self.rounds[request.about] or 0)
  self.rounds[request.about] = latest
  local function answer(one, worker)
    if not one or one.about ~= request.about or one.round >= latest then return end
    one.is_overtaken = true
    self:send(one, 200, '{"overtaken": true}')
    if worker then worker.pool:halt(true) end
  end
  answer(request)
  for _, one in ipairs(self.waiting) do answer(one) end
  for _, worker in ipairs(self.workers) do answer(worker.request, worker) end
  self.waiting = lists.select(self.waiting, function(one) return not one.is_answered end)
end

--- Tells how far the messages of a page's subject are.
function Front:progress(about, now)
  local list = {}
  for _, worker in ipairs(self.workers) do
    if worker.request and worker.request.about == about then
      table.insert(list, json.object { { "seconds", now - worker.since }, { "done", math.max(0, worker.pool:noted()) } })
    end
  end
  return json.encode(list)
end

--- Lets the workers that are at a page's subject answer soon.
function Front:finish_soon(request)
  for _, worker in ipairs(self.workers) do
    if worker.request and worker.request.about == request.about then worker.pool:halt(true) end
  end
  self:send(request, 200, "{}")
end

--- What a request asks for, or a refusal. A page of another site knows no secret; nor can it read an answer, as its Origin is
--- refused; nor can a name that leads to this machine, as it is not this Host.
function Front:accept(request, now)
  if not self.hosts[request.host] or request.origin ~= "" and request.origin ~= "http://" .. request.host then
    return self:send(request, 403, fault_of "found another site, expected the link that crux workbench printed")
  end
  local secret, path = request.path:match "^/(%x+)/(.*)$"
  if secret ~= self.secret then return self:send(request, 404, fault_of "expected the link that crux workbench printed") end
  local file = self.files[path]
  local what, tab, subject, round = path:match "^(%l+)/(%x+)/(%l+)/(%d+)$"
  if request.method == "GET" and file then return self:send(request, 200, file.text, file.type) end
  if request.method ~= "POST" or not orders[what] then
    return self:send(request, 404, fault_of "expected a path of the page")
  end
  request.subject, request.about, request.round = subject, tab .. " " .. subject, tonumber(round)
  if what == "progress" then return self:send(request, 200, self:progress(request.about, now)) end
  if what == "finish" then return self:finish_soon(request) end
  self:overtake(request)
  if what == "stop" then return self:send(request, 200, "{}") end
  if not request.is_answered then table.insert(self.waiting, request) end
end

--- The answer with what came of writing its file.
function Front:written(answer)
  self.disk:put(answer.write)
  local result, problem = self.disk:take()
  local ok, version = pcall(function() return jobs.value(fault.check(result, problem)) end)
  return ok and json.encode(json.object { { "version", version } }) or fault_of(fault.message(version))
end

--- Sends what a worker has done.
function Front:finish(worker)
  local request = worker.request
  local result, problem = worker.pool:take()
  if not result then
    self:send(request, 200, fault_of("a script ended its process: " .. problem))
  elseif result.fault then
    if not request.is_overtaken then sinks.say(result.fault.message) end
    self:send(request, 200, fault_of(result.fault.message))
  else
    self:send(request, 200, result.value.write and self:written(result.value) or result.value.body)
  end
  worker.request, worker.is_halted = nil, nil
end

--- Gives waiting messages to workers that are free: the urgent ones first, and others never to the first worker.
function Front:give(now)
  for _, is_first in ipairs { true, false } do
    for i, worker in ipairs(self.workers) do
      for place, request in ipairs(worker.request and {} or self.waiting) do
        if (urgent[request.subject] or false) == is_first and (is_first or i > 1) then
          table.remove(self.waiting, place)
          worker.request, worker.since = request, now
          worker.pool:put { setup = self.setup, message = request.body }
          break
        end
      end
    end
  end
end

--- Ends workers that are at what was overtaken for long. Tells whether to look again soon.
function Front:relieve(now)
  local is_watched = false
  for _, worker in ipairs(self.workers) do
    if worker.request and worker.request.is_overtaken and not worker.is_halted then
      is_watched = true
      if now - worker.since > PATIENCE then
        worker.pool:halt()
        worker.is_halted = true
      end
    end
  end
  return is_watched
end

--- Serves until the program is ended.
---@param setup WorkbenchSetup   of the engines
function Front:run(setup)
  self.setup = setup
  local is_watched = false
  while true do
    local requests, is_done = self.http:wait(is_watched and 1000 * LOOK // 1 | 0 or 1000, self.descriptors)
    local now = process.seconds()
    for _, request in ipairs(fault.check(requests, is_done)) do self:accept(request, now) end
    for i, worker in ipairs(self.workers) do
      if is_done[i] and worker.request then self:finish(worker) end
    end
    self:give(now)
    is_watched = self:relieve(now)
  end
end

return Front
