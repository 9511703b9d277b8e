--- The front of `crux serve`: takes requests, gives each to the worker that has the player, and sends the answers.
---
--- Workers are threads, each with a Lua state and a connection to the database: a game that takes long makes only the players
--- of one worker wait.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local jobs = require "crux.run.jobs"
local lists = require "crux.base.lists"
local process = require "libcrux.process"
local Server = require "crux.serve.server"
local workers = require "libcrux.workers"

---@class Front
---@field private http userdata           of libcrux.http_server
---@field private workers FrontWorker[]
---@field private descriptors integer[]   readable when a worker has a result
---@field private is_secure boolean       players reach it by https
---@field private most_joins integer      players who may begin in a minute
---@field private joins integer[]         times of the latest begins, ms
local Front = {}
Front.__index = Front

---@class FrontWorker
---@field pool userdata                   of libcrux.workers, with one thread
---@field waiting BrowserRequest[]        for the worker
---@field given BrowserRequest[]?         to the worker, which answers them now

local epoch = process.time() - process.seconds()

--- Milliseconds since 1970; never runs backwards while the server runs.
local function now() return math.floor(1000 * (epoch + process.seconds())) end

--- The result of a worker; raises what it raised.
local function result_of(worker) return jobs.value(fault.check(worker.pool:take())) end

--- Gives the same item to all workers, and waits until each has done it.
function Front:tell(item)
  for _, worker in ipairs(self.workers) do worker.pool:put(item) end
  for _, worker in ipairs(self.workers) do result_of(worker) end
end

--- Starts workers, which open the database. Use with <close>.
---@param path string      of the database
---@param http userdata
---@param count integer?   of workers; that of the processors unless given, but two at least
---@param options { is_secure: boolean, most_joins: integer }
---@return Front
function Front.new(path, http, count, options)
  local self = setmetatable({ http = http, workers = {}, descriptors = {}, is_secure = options.is_secure,
    most_joins = options.most_joins, joins = {} }, Front)
  for i = 1, count or math.max(2, workers.count()) do
    local pool = fault.check(workers.new(1, "crux.run.worker", { module = "crux.serve.worker", setup = path }))
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

local headers = {
  { "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
      .. "frame-ancestors 'none'" },
  { "X-Content-Type-Options", "nosniff" }, { "Referrer-Policy", "no-referrer" }, { "Cache-Control", "no-store" },
}

---@param answer Answer
function Front:send(number, answer)
  local list = lists.concat(headers, { { "Content-Type", answer.type } })
  if answer.cookie then
    table.insert(list, { "Set-Cookie", ("crux=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s"):format(answer.cookie,
      answer.cookie == "" and 0 or 31536000, self.is_secure and "; Secure" or "") })
  end
  self.http:answer(number, answer.status, answer.body, list)
end

--- Tells whether a player more may begin in this minute.
function Front:may_join(time)
  while self.joins[1] and self.joins[1] <= time - 60000 do table.remove(self.joins, 1) end
  if #self.joins >= self.most_joins then return false end
  table.insert(self.joins, time)
  return true
end

--- The token of the player whom a request is about.
local function token_of(request)
  return request.path == "/return" and ("&" .. request.body):match "&token=(%x+)" or request.cookie
end

--- The worker of a request: by the player's token; without one the worker with the fewest requests.
---@return FrontWorker
function Front:worker_of(request)
  local digits = token_of(request):match "^%x%x%x%x%x%x%x%x"
  if digits then return self.workers[tonumber(digits, 16) % #self.workers + 1] end
  local best = self.workers[1]
  for _, worker in ipairs(self.workers) do
    if #worker.waiting + #(worker.given or {}) < #best.waiting + #(best.given or {}) then best = worker end
  end
  return best
end

--- Gives a request to its worker.
function Front:accept(request)
  request.time = now()
  if request.path == "/begin" and not self:may_join(request.time) then
    return self:send(request.number, Server.refused(429, "many"))
  end
  table.insert(self:worker_of(request).waiting, request)
end

--- Sends the answers of a worker.
function Front:finish(worker)
  for i, answer in ipairs(result_of(worker)) do
    local request = worker.given[i]
    if request.path == "/begin" and answer.status ~= 200 then table.remove(self.joins) end -- nobody began
    self:send(request.number, answer)
  end
  worker.given = nil
end

--- Gives a worker that is free what waits for it, but only one request of each player.
local function give(worker)
  local has, later = {}, {}
  worker.given = {}
  for _, request in ipairs(worker.waiting) do
    local token = token_of(request)
    table.insert(has[token] and later or worker.given, request)
    has[token] = token ~= ""
  end
  worker.waiting = later
  worker.pool:put(worker.given)
end

--- Tells the workers to load a study.
---@param study string     a script or a game
---@param levels string[]
---@param names string[]?   the order of its levels, if it is not that of the study
function Front:load(study, levels, names)
  self:tell { study = study, levels = levels, names = names, limits = budget.settings() }
end

--- Serves until the program is ended.
function Front:run()
  collectgarbage("incremental", 200, 1) -- as in crux.serve.worker
  while true do
    local requests, is_done = self.http:wait(1000, self.descriptors)
    for _, request in ipairs(fault.check(requests, is_done)) do self:accept(request) end
    for i, worker in ipairs(self.workers) do
      if is_done[i] then self:finish(worker) end
      if not worker.given and worker.waiting[1] then give(worker) end
    end
  end
end

return Front
