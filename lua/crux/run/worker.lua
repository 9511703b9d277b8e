--- Runs the function of a module in a worker and returns its results and errors as plain values.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"

--- An error as a plain table: the fields of a fault; any other error is a mistake in crux.
local function describe(err)
  if fault.is(err) then return { message = err.message, status = err.status, traceback = err.traceback } end
  return fault.of_crux(err)
end

---@class Work
---@field module string   returns a function of the setup, which returns the function of an item
---@field setup any       plain
---@field limits table?    as libcrux.budget sets them

--- The result of a function as { value = ... }, or its error as { fault = ... }.
local function try(f, ...)
  local ok, result = xpcall(f, describe, ...)
  local stopped, status = budget.stopped()
  if stopped then return { fault = { message = stopped, status = status, is_stop = true } } end
  if ok then return { value = result } end
  return { fault = type(result) == "table" and result or describe(result) } -- without memory Lua does not call describe
end

--- A function that returns the result for an item as { value = ... } or { fault = ... }. The module is loaded before the first
--- item; an error in loading it is the fault of each item.
return function(work)
  if work.limits then budget.set(work.limits) end
  local made = try(function() return require(work.module)(work.setup) end)
  return function(item)
    if made.fault then return made end
    return try(made.value, item)
  end
end
