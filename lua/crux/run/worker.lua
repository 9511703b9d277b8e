--- What worker threads require: the function of a module, what it raises returned as a plain value.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"

--- A fault without its metatable. Anything else that is raised is an error of crux, which says so on the command line.
local function describe(err)
  if fault.is(err) then return { message = err.message, status = err.status, traceback = err.traceback } end
  return fault.of_crux(err)
end

---@class Work
---@field module string   gives a function of the setup, which gives the function of an item
---@field setup any       plain
---@field limits table?    as libcrux.budget sets them

--- What the function returns as { value = ... }, or what it raises as { fault = ... }.
local function try(f, ...)
  local ok, result = xpcall(f, describe, ...)
  local stopped, status = budget.stopped()
  if stopped then return { fault = { message = stopped, status = status, is_stop = true } } end
  if ok then return { value = result } end
  return { fault = type(result) == "table" and result or describe(result) } -- short of memory, Lua does not describe
end

--- A function that returns the result for an item as { value = ... } or { fault = ... }. The module is required before there
--- are items, while these are read; what goes wrong there is the fault of each of them.
---@param work Work
return function(work)
  if work.limits then budget.set(work.limits) end
  local made = try(function() return require(work.module)(work.setup) end)
  return function(item)
    if made.fault then return made end
    return try(made.value, item)
  end
end
