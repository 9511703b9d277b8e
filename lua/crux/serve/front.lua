--- The front of `crux serve`: takes requests, gives each to the worker that has the player, and sends the answers.
---
--- Workers are processes, each with a Lua state and a connection to the database. A player stays with a worker, which keeps the
--- player in memory; while a script takes long there, other workers serve its other players. A script that does not yield ends
--- the process: the level fails for the player of that request, and a new process takes its place.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local jobs = require "crux.run.jobs"
local lists = require "crux.base.lists"
local pages = require "crux.serve.pages"
local process = require "libcrux.process"
local Server = require "crux.serve.server"
local sinks = require "crux.out.sinks"
local workers = require "libcrux.workers"

---@class Front
---@field private http userdata           of libcrux.http_server
---@field private workers FrontWorker[]
---@field private descriptors integer[]   readable when a worker has a result
---@field private is_secure boolean       players reach it by https
---@field private most_joins integer      players who may begin in a minute
---@field private joins integer[]         times of the latest begins, ms
---@field private study Served            that the workers load
---@field private pace number             a typical time of a request, s
local Front = {}
Front.__index = Front

---@class FrontWorker
---@field pool userdata                   of libcrux.workers, a process
---@field waiting BrowserRequest[]        for the worker
---@field given BrowserRequest[]?         to the worker, which answers them now; empty while it loads the study
---@field since number?                   time at which they were given, s
---@field noted integer?                  how far it was, and
---@field noted_since number?             the time at which it came there, s
---@field is_late boolean?                others get its requests
---@field held string?                    the token of the player whose script takes long
---@field load_at number?                 time at which it is to load the study, s

--- Shortest time without progress after which a worker is late, in seconds, and in typical times of a request: what moves to
--- another worker costs rebuilding the player there.
local patience, patience_paces = 0.015, 10
--- Seconds between two looks for that.
local look = 0.005
--- Seconds after which a worker that could not load the study tries it again.
local retry = 1

local epoch = process.time() - process.seconds()

--- Milliseconds since 1970; never runs backwards while the server runs.
local function now() return math.floor(1000 * (epoch + process.seconds())) end

--- Gives the same item to all workers, and waits until each has done it; raises what one of them raised.
function Front:tell(item)
  for _, worker in ipairs(self.workers) do worker.pool:put(item) end
  for _, worker in ipairs(self.workers) do jobs.value(fault.check(worker.pool:take())) end
end

--- Starts workers, which open the database. Use with <close>.
---@param path string      of the database
---@param count integer?   of workers; that of the processors unless given, but two at least
---@param options { is_secure: boolean, most_joins: integer }
---@return Front
function Front.new(path, http, count, options)
  local self = setmetatable({ http = http, workers = {}, descriptors = {}, is_secure = options.is_secure,
    most_joins = options.most_joins, joins = {}, pace = 0.001 }, Front)
  for i = 1, count or math.max(2, workers.count()) do
    local pool = fault.check(workers.process("crux.run.worker", { module = "crux.serve.worker", setup = path }))
    self.workers[i], self.descriptors[i] = { pool = pool, waiting = {} }, fault.check(pool:descriptor())
  end
  self:tell(true)
  return self
end

function Front:__close()
  for _, worker in ipairs(self.workers) do
    local closing <close> = worker.pool -- luacheck: no unused
  end
end

--- Answers a request, unless it was answered: a request that was moved is answered by the first worker.
function Front:send(request, answer)
  if request.is_answered then return end
  request.is_answered = true
  if request.has_joined and answer.status ~= 200 then table.remove(self.joins) end -- nobody began
  local list = lists.concat(pages.headers, { { "Content-Type", answer.type } })
  if answer.cookie then
    table.insert(list, { "Set-Cookie", ("crux=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s"):format(answer.cookie,
      answer.cookie == "" and 0 or 31536000, self.is_secure and "; Secure" or "") })
  end
  self.http:answer(request.number, answer.status, answer.body, list)
end

--- Tells whether a player more may begin in this minute.
function Front:may_join(time)
  while self.joins[1] and self.joins[1] <= time - 60000 do table.remove(self.joins, 1) end
  if #self.joins >= self.most_joins then return false end
  table.insert(self.joins, time)
  return true
end

--- The worker of a request: by the player's token; the next one if that is late. What a player asks for whose script takes long
--- waits until it ends.
function Front:worker_of(request)
  local count, home = #self.workers, tonumber(request.token:match "^%x%x%x%x%x%x%x%x" or "", 16) or request.number
  for _, worker in ipairs(self.workers) do
    if worker.held and worker.held == request.token then return worker end
  end
  for i = home, home + count - 1 do
    local worker = self.workers[i % count + 1]
    if not worker.is_late then return worker end
  end
  return self.workers[home % count + 1]
end

--- Puts a request into the list of its worker.
function Front:queue(request)
  if not request.is_answered then table.insert(self:worker_of(request).waiting, request) end
end

function Front:accept(request)
  request.time = now()
  if request.path == "/begin" then
    if not self:may_join(request.time) then return self:send(request, Server.refused(429, "many")) end
    request.has_joined = true
  end
  self:queue(Server.addressed(request))
end

--- The request that a worker was at when it noted that number.
local function request_at(worker, noted) return worker.given[(noted - 1) % math.max(1, #worker.given) + 1] end

--- Gives the requests of a worker to others if a script in it takes long, but not that of this script's player.
function Front:relieve(worker, time)
  local noted = worker.pool:noted()
  if noted ~= worker.noted then worker.noted, worker.noted_since = noted, time end
  local request = noted > 0 and request_at(worker, noted)
  if not request or time - worker.noted_since < math.max(patience, patience_paces * self.pace) then return end
  worker.is_late, worker.held = true, request.token ~= "" and request.token or nil
  local moved = lists.concat(worker.given, worker.waiting)
  worker.waiting = {}
  for _, other in ipairs(moved) do
    if other ~= request then self:queue(other) end
  end
end

--- Puts the requests of a worker whose process has ended into the lists of others; that of the script that ended it with the
--- problem, so that it fails.
function Front:lose(worker, problem, time)
  local given, waiting, noted = worker.given, worker.waiting, worker.pool:noted()
  local culprit = noted > 0 and request_at(worker, noted)
  fault.check(worker.pool:descriptor())
  worker.waiting, worker.is_late, worker.held, worker.load_at = {}, true, nil, time + (given[1] and 0 or retry)
  if culprit then
    culprit.failure = "a script ended the process: " .. problem
  else
    sinks.say(problem)
    for _, request in ipairs(given) do self:send(request, Server.refused(500, "failed")) end
  end
  for _, request in ipairs(lists.concat(given, waiting)) do self:queue(request) end
end

--- Takes the result of a worker and sends its answers. It has none for what another worker has done meanwhile.
function Front:finish(worker, time)
  local given = worker.given
  local result, problem = worker.pool:take()
  if not result then
    self:lose(worker, problem, time)
  elseif given[1] then
    local each = (time - worker.since) / #given
    self.pace = self.pace * (each > self.pace and 1.1 or 1 / 1.1) -- follows the median
    worker.is_late, worker.held = false, nil
    for i, answer in ipairs(jobs.value(result)) do
      if answer then self:send(given[i], answer) else self:queue(given[i]) end
    end
  elseif result.fault then
    sinks.say(result.fault.message)
    worker.load_at = time + retry
  else
    worker.is_late = false
  end
  worker.given = nil
end

--- Gives a worker that is free what waits for it, but only one request of each player.
local function give(worker, time)
  local has, later = {}, {}
  worker.given, worker.since, worker.noted = {}, time, nil
  for _, request in ipairs(worker.waiting) do
    table.insert(has[request.token] and later or worker.given, request)
    has[request.token] = request.token ~= ""
  end
  worker.waiting = later
  worker.pool:put(worker.given)
end

---@class Served
---@field study string        a script or a game
---@field levels string[]
---@field names table<string, string[]>   the orders of levels, by block, where they are not those of the study
---@field may_differ boolean?   its scale and questions, from those of plays in the database
---@field is_preview boolean?
---@field limits table?       on scripts

--- Tells the workers to load a study.
---@param served Served
function Front:load(served)
  served.limits = budget.settings()
  self.study = served
  self:tell(served)
end

--- Sends the answers of workers that are done, and gives each worker that is free what waits for it.
---@param is_done boolean[]
---@param time number   s
---@return boolean        a worker may be late soon
function Front:look_after(is_done, time)
  local is_watched = false
  for i, worker in ipairs(self.workers) do
    if is_done[i] then self:finish(worker, time) end
    if worker.given then
      if not worker.is_late then self:relieve(worker, time) end
    elseif worker.load_at and worker.load_at <= time then
      worker.given, worker.load_at = {}, nil
      worker.pool:put(self.study)
    end
  end
  for _, worker in ipairs(self.workers) do
    if not worker.given and not worker.load_at and worker.waiting[1] then give(worker, time) end
    is_watched = is_watched or worker.given ~= nil and not worker.is_late
  end
  return is_watched
end

function Front:run()
  collectgarbage("incremental", 200, 1) -- as in crux.serve.worker
  local is_watched = false
  while true do
    local requests, is_done = self.http:wait(is_watched and 1000 * look or 1000, self.descriptors)
    for _, request in ipairs(fault.check(requests, is_done)) do self:accept(request) end
    is_watched = self:look_after(is_done, process.seconds())
  end
end

return Front
