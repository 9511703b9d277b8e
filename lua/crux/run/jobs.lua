--- Long work spread over workers, threads or processes: a function of a module applied to items, the results in the order of
--- the items.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local worker = require "crux.run.worker"
local workers = require "libcrux.workers"

local jobs = {}

--- Items that are with the workers at a time, for each of them: enough that none waits for the next item while the result
--- of one that takes a thousand times as long is awaited, few enough to bound memory.
local in_flight = 256

--- The value that a worker returned; raises the fault that it met, with the traceback of where it was raised.
local function open(result)
  if not result.fault then return result.value end
  error(fault.new(result.fault), 0)
end

local function map_here(work, items)
  local call = worker(work)
  return function()
    local item = items()
    if item ~= nil then return item, open(call(item)) end
  end
end

--- jobs.map without a journal.
local function map(count, module, setup, items)
  local work = { module = module, setup = setup }
  count = workers.count(count)
  if count == 1 then return map_here(work, items) end
  work.limits = budget.settings()
  local pool = fault.check(workers.new(count, "crux.run.worker", work))
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
  local function step()
    while is_open and last - first < in_flight * count - 1 do read() end
    local item = queue[first]
    if item ~= nil then
      queue[first], first = nil, first + 1
      local result, lost = pool:take()
      return item, result and open(result), lost
    end
    if problem then error(problem, 0) end
  end
  return step, nil, nil, pool
end

--- Calls the function that require(module)(setup) returns with every item, and iterates over items and results, in order:
---
---     for item, result, lost in jobs.map(2, "crux.module", setup, items) do ... end
---
--- What the function or `items` raises is raised when its turn comes; whatever the count, the loop sees the same. With a
--- count of 1 the function runs in this very state; else each worker has a state of its own, and setup, items and results
--- are copied: nil, booleans, numbers, strings, and tables of these without metatables. When a worker dies, its item has no
--- result, and `lost` says why. Leaving the loop stops the workers.
---@param count integer?  workers; nil: as many as there are processors; processes of MPI are as many as they are
---@param module string
---@param setup any
---@param items fun(): any   an iterator
---@param log Journal?       has the results of items that are done, and gets those of the others
function jobs.map(count, module, setup, items, log)
  if not log then return map(count, module, setup, items) end
  return log:map(setup, items, function(missing) return map(count, module, setup, missing) end)
end

return jobs
