--- Expressions as functions of a frame that give their values: each tree is turned into them once.
---
--- A frame has the values of a function's variables by variable; `up` has those of its upvalues, `extra` its further arguments.
--- In place of the value of a variable that is assigned to is a cell: { v = its value, birth = the states in which it exists }.
local operators = require "crux.symbolic.operators"
local paths = require "crux.symbolic.paths"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local both, is_none, living, run = paths.both, paths.is_none, paths.living, paths.run
local get, is_union, NOTHING = tables.get, unions.all, tables.NOTHING

local expressions = {}

--- Functions of modules that need this one.
---@type { call: fun(f: any, given: table): table, make: fun(node: table, cells: table): function, method: function }
local later = {}
expressions.later = later

local fn -- the function whose expressions are turned
local E = {} -- by kind of node

--- Turns the following expressions as those of a function; returns the one before.
function expressions.enter(node)
  local outer = fn
  fn = node
  return outer
end

--- An expression as a function of a frame.
---@param e table
---@return fun(frame: table): any
local function compile(e)
  e.path = fn.path
  return E[e.kind](e)
end
expressions.compile = compile

--- The function of a frame that gives what is there for a variable.
function expressions.place(variable)
  if variable.owner == fn then return function(frame) return frame[variable] end end
  return function(frame) return frame.up[variable] end
end

--- Gives a variable its first value, in states of a mask.
function expressions.declare(frame, variable, v, mask)
  if variable.is_assigned then v = { v = v, birth = mask } end
  frame[variable] = v
end

function E.value(e)
  local value = e.value
  return function() return value end
end

function E.group(e) return compile(e[1]) end

function E.varargs() return function(frame) return frame.extra[1] end end

function E.variable(e)
  local variable = e.variable
  local is_own = variable.owner == fn
  if variable.is_assigned then
    return function(frame)
      local cell = (is_own and frame or frame.up)[variable]
      local v = cell.v
      if not is_union[v] then return v end
      return unions.read(cell, "v")
    end
  end
  return function(frame)
    local holder = is_own and frame or frame.up
    local v = holder[variable]
    if not is_union[v] then return v end
    return unions.read(holder, variable)
  end
end

--- An expression of two operands, by a function of their values.
local function applied(e, operator, first, second)
  local left, right = compile(first), compile(second)
  return function(frame)
    local a, b = left(frame), right(frame)
    run.at = e
    return operator(a, b)
  end
end

--- A field that is known to have a value is the most frequent expression.
function E.index(e)
  local plain = applied(e, get, e.object, e.key)
  if e.key.kind ~= "value" then return plain end
  local object, key = compile(e.object), e.key.value
  return function(frame)
    local t = object(frame)
    local known = run.known[t]
    local v = known and known[key]
    if v ~= nil and v ~= NOTHING then return v end
    run.at = e
    return get(t, key)
  end
end

function E.binary(e) return applied(e, operators.binary[e.sign], e[1], e[2]) end

function E.unary(e)
  local operand, operator = compile(e[1]), operators.unary[e.sign]
  return function(frame)
    local a = operand(frame)
    run.at = e
    return operator(a)
  end
end

--- Where the first value of `and` or `or` is kept, a truth value of the state is known.
local function settled(v, is_true)
  if unions.kind_of(v) == "truth" then return is_true end
  return v
end

--- a and b, a or b: the second is evaluated in the states in which it is asked for.
local function choice(e, wants)
  local left, right = compile(e[1]), compile(e[2])
  return function(frame)
    local a = left(frame)
    local mask = run.mask
    run.at = e
    local truth = unions.truth(a)
    local asked = both(mask, wants and truth or truth ~ 1)
    if is_none(asked) then return a end
    local kept = both(mask, asked ~ 1)
    if is_none(kept) then return right(frame) end
    local list, b = { n = 0 }, nil
    run.mask = living(asked)
    paths.guard(function() b = right(frame) end)
    local after = run.mask
    run.mask = living(kept)
    a = unions.each(a, settled, not wants)
    unions.add(list, after, b)
    unions.add(list, kept, a)
    run.mask = living(paths.either(after, kept))
    return unions.of(list)
  end
end

E["and"] = function(e) return choice(e, true) end
E["or"] = function(e) return choice(e, false) end

local list_of

E["table"] = function(e)
  local fields, last = {}, nil
  for i, field in ipairs(e.fields) do
    if i == #e.fields and not field.key then last = list_of { field.value }
    else fields[i] = { field.key and compile(field.key), compile(field.value) } end
  end
  return function(frame)
    local t, n = {}, 0
    run.born[t] = run.mask
    for _, field in ipairs(fields) do
      local key = field[1] and field[1](frame)
      if not field[1] then
        n = n + 1
        key = n
      end
      local value = field[2](frame)
      run.at = e
      tables.put(t, key, value)
    end
    local values = last and last(frame) or { n = 0 }
    for j = 1, values.n do tables.put(t, n + j, values[j]) end
    return t
  end
end

E["function"] = function(e)
  local sources = {}
  for _, variable in ipairs(e.free) do sources[variable] = expressions.place(variable) end
  return function(frame)
    local cells = {}
    for variable, place_of in next, sources do cells[variable] = place_of(frame) end
    return later.make(e, cells)
  end
end

--- Expressions of several values, as functions of a frame that give a list with n.
local several = {}

function several.varargs() return function(frame) return frame.extra end end

function several.call(e)
  e.path = fn.path
  local of, arguments = compile(e.of), list_of(e.arguments)
  return function(frame)
    local f = of(frame)
    local given = arguments(frame)
    run.at = e
    return later.call(f, given)
  end
end

function several.method(e)
  e.path = fn.path
  local of, arguments, name = compile(e.object), list_of(e.arguments), e.name
  return function(frame)
    local object = of(frame)
    local given = arguments(frame)
    run.at = e
    return unions.each_results(object, later.method, name, given)
  end
end

function E.call(e)
  local results = several.call(e)
  return function(frame) return results(frame)[1] end
end

function E.method(e)
  local results = several.method(e)
  return function(frame) return results(frame)[1] end
end

--- A list of expressions as a function of a frame that gives their values, a list with n.
function list_of(list)
  local single, n = {}, #list
  local last = n > 0 and several[list[n].kind] and several[list[n].kind](list[n])
  if last then n = n - 1 end
  for i = 1, n do single[i] = compile(list[i]) end
  local first, second = single[1], single[2]
  if not last and n == 0 then return function() return { n = 0 } end end
  if not last and n == 1 then return function(frame) return { first(frame), n = 1 } end end
  if not last and n == 2 then
    return function(frame)
      local a = first(frame)
      return { a, second(frame), n = 2 }
    end
  end
  return function(frame)
    local values = { n = n }
    for i = 1, n do values[i] = single[i](frame) end
    if last then
      local more = last(frame)
      for j = 1, more.n do values[n + j] = more[j] end
      values.n, values.count = n + more.n, more.count and n + more.count
    end
    return values
  end
end
expressions.list_of = list_of

--- A condition as a function of a frame that gives the mask in which it holds.
function expressions.condition(e)
  local value = compile(e)
  return function(frame) return unions.truth(value(frame)) end
end

return expressions
