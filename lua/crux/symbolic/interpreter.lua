--- Runs the functions of a script once for all states, on a trace.
local calls = require "crux.symbolic.calls"
local fault = require "crux.base.fault"
local expressions = require "crux.symbolic.expressions"
local iteration = require "crux.symbolic.iteration"
local paths = require "crux.symbolic.paths"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local run = paths.run
expressions.later.call, expressions.later.make, expressions.later.keys = calls.call, calls.make, iteration.pairs

local interpreter = {}

--- Calls a function during which the interpreter records in a trace; faults name the place in the script.
---@param shape userdata?   of the level, if the program can serve other levels
---@param is_lenient boolean?   Lua may run states in which something cannot be compiled
---@return string? reason   why there are such states
function interpreter.run(trace, level, shape, f, is_lenient)
  paths.begin(trace, shape, is_lenient)
  if shape then run.numbers[level] = 1 end
  local ok, problem = pcall(function()
    f()
    paths.check_given_up()
  end)
  local message = not ok and paths.message(problem)
  local reason = run.reason and paths.message(run.reason)
  paths.finish()
  if message then fault.raise(message) end
  return reason
end

--- Begins a move from a state, a table with symbols that functions may change.
function interpreter.restart(state)
  paths.restart()
  run.metatables, run.born = {}, {}
  run.born[state] = paths.ALL
  for _, v in next, state do
    if type(v) == "table" then run.born[v] = paths.ALL end
  end
end

--- Lets a function in Lua that knows of symbols be called in the current run, as it is.
function interpreter.allow(f)
  run.functions[f] = { native = function(given) return table.pack(f(table.unpack(given, 1, given.n))) end }
end

--- The first two results of a function that is called in the states of a mask: unions, if they differ between paths.
function interpreter.call(mask, f, ...)
  run.mask = paths.living(mask)
  local results = calls.call(f, table.pack(...))
  return results[1], results[2]
end

--- The value at a key of a table, or of each table of a union; nil where there are not `count` elements.
---@param count integer?
function interpreter.element(list, key, count)
  local v = type(list) == "table" and not unions.all[list] and debug.getmetatable(list) and rawget(list, key)
  if v and not unions.all[v] then return v end
  run.mask = paths.living(paths.ALL)
  return unions.each(list, function(t)
    if type(t) ~= "table" then return nil end
    local has_more = count and not debug.getmetatable(t) and tables.raw(t, count + 1)
    return unions.each(has_more, function(more)
      if more then return nil end
      return tables.raw(t, key)
    end)
  end)
end

--- A value in states in which it is of a kind. In others of a mask, Lua raises.
---@param kind string|integer   as unions.kind_of tells it
---@param otherwise any          a value of that kind for the others
function interpreter.of_kind(v, kind, mask, otherwise)
  if rawequal(v, otherwise) then return v end
  local found, list = otherwise, unions.narrow(v, paths.ALL)
  if not unions.is(list) then list = { paths.ALL, list, n = 2 } end
  for i = 1, list.n, 2 do
    local states = paths.both(list[i], mask)
    if unions.kind_of(list[i + 1]) == kind then found = list[i + 1] elseif not paths.is_none(states) then paths.kill(states) end
  end
  return found
end

--- True in the states in which a truth value of a table is. In others of a mask, a value but nil and truth values raises.
function interpreter.any(t, mask)
  local found = false
  for k in next, t do
    local value = unions.each(tables.raw(t, k), function(own)
      if own == nil then return false end
      return own
    end)
    found = found | interpreter.of_kind(value, "truth", mask, false)
  end
  return found
end

return interpreter
