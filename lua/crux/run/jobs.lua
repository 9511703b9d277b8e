--- Spreads long work over workers, which are threads or processes: applies a function of a module to items and returns the
--- results in the order of the items.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local worker = require "crux.run.worker"
local workers = require "libcrux.workers"

local jobs = {}

--- The number of items per worker that are in flight: enough that no worker waits while one item takes 256 times as long as the
--- others, and few enough to bound memory.
local in_flight = 256

--- The value that a worker returned; raises a worker's fault, with its traceback.
function jobs.value(result)
  if not result.fault then return result.value end
  error(fault.new(result.fault), 0)
end

---@class Staff       workers that remain for several calls of map
---@field module string
---@field setup any    plain
---@field call nil|fun(item: any): table   of the only worker, which runs in this Lua state
---@field pool userdata?                   of several
---@field count integer
local Staff = {}
Staff.__index = Staff

--- Starts workers for jobs.map. Use with <close>.
---@param count integer?   of workers; the number of processors unless given; ignored with MPI
---@return Staff
function jobs.open(count, module, setup)
  local work = { module = module, setup = setup }
  local self = setmetatable({ setup = setup, count = workers.count(count) }, Staff)
  if self.count == 1 then
    self.call = worker(work)
  else
    work.limits = budget.settings()
    self.pool = fault.check(workers.new(self.count, "crux.run.worker", work))
  end
  return self
end

function Staff:__close()
  local closing <close> = self.pool -- luacheck: no unused
end

local function map_here(call, items)
  return function()
    local item = items()
    if item ~= nil then return item, jobs.value(call(item)) end
  end
end

--- Staff:map without a journal.
local function map(staff, items)
  if staff.call then return map_here(staff.call, items) end
  local pool = staff.pool
  local queue, first, last, problem = {}, 1, 0, nil
  local is_open = true
  local function read()
    local ok, item = pcall(items)
    if not ok then problem = item end
    is_open = ok and item ~= nil
    if is_open then
      pool:put(item)
      last = last + 1
      queue[last] = item
    end
  end
  return function()
    while is_open and last - first < in_flight * staff.count - 1 do read() end
    local item = queue[first]
    if item ~= nil then
      queue[first], first = nil, first + 1
      local result, lost = pool:take()
      return item, result and jobs.value(result), lost
    end
    if problem then error(problem, 0) end
  end
end

--- Iterates over items and results as jobs.map does. The loop must end before the next one begins.
---@param items fun(): any   an iterator
---@param log Journal?
function Staff:map(items, log)
  if not log then return map(self, items) end
  return log:map(self.setup, items, function(missing) return map(self, missing) end)
end

--- Calls the function that require(module)(setup) returns with every item, and iterates over items and results, in order:
---
---     for item, result, lost in jobs.map(2, "crux.module", setup, items) do ... end
---
--- Errors of the function or of `items` are raised in order; the loop sees the same for every count. With a count of 1 the
--- function runs in this Lua state; else each worker has its own state, and setup, items and results are copied: nil,
--- booleans, numbers, strings, and tables of these without metatables. When a worker dies, its item has no result, and `lost`
--- says why. Leaving the loop stops the workers.
---@param count integer?     of workers; the number of processors unless given; ignored with MPI
---@param items fun(): any   an iterator
---@param log Journal?       has the results of items that are done, and gets those of the others
function jobs.map(count, module, setup, items, log)
  local staff = jobs.open(count, module, setup)
  if not log then return map(staff, items), nil, nil, staff end
  return log:map(setup, items, function(missing) return map(staff, missing), nil, nil, staff end)
end

return jobs
