--- The rounds of `for`: functions that give for each round the states in which there is one, and the values of its variables.
local boards = require "crux.symbolic.boards"
local expressions = require "crux.symbolic.expressions"
local operators = require "crux.symbolic.operators"
local paths = require "crux.symbolic.paths"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local is_union, run, truth = unions.all, paths.run, unions.truth
local NONE <const>, ALL <const> = paths.NONE, paths.ALL

local iteration = {}

local ipairs_step = ipairs {}

--- A loop's first, last or step: an integer or symbol.
local function number(v)
  v = unions.narrow(v, run.mask)
  if unions.is(v) then paths.refuse("a loop over numbers that may be of several kinds", "integers") end
  if unions.kind_of(v) ~= "integer" then
    if math.type(v) == "float" then paths.refuse("a loop over fractions", "integers") end
    error("'for' value must be a number", 0)
  end
  return v
end

--- for v = first, last, step
---@return fun(round: integer): integer, any
function iteration.count(first, last, step)
  step = number(step)
  if unions.is_symbol(step) then paths.refuse("a loop whose step is a value of the state", "a known step") end
  if step == 0 then error("'for' step is zero", 0) end
  last = unions.each(last, function(v) return math.type(v) == "float" and (step > 0 and math.floor or math.ceil)(v) or v end)
  first, last = number(first), number(last)
  return function(round)
    local v = first + (round - 1) * step
    local is_one = step > 0 and operators.at_most(v, last) or step < 0 and operators.at_most(last, v)
    return truth(is_one), v
  end
end

--- The keys of a table in the order of next.
local function keys_of(t)
  local keys, number_of = {}, run.numbers[t]
  if number_of then return run.shape:keys(number_of, run.at) end
  if run.born[t] then
    local n = 0
    for k in next, t do
      if unions.is(rawget(t, k)) then paths.refuse("pairs over a table whose fields differ between states", "ipairs") end
      if math.type(k) ~= "integer" then paths.refuse("pairs over a table that step makes", "a list, and ipairs") end
      n = n + 1
    end
    for i = 1, n do
      if rawget(t, i) == nil then paths.refuse("pairs over a table that step makes", "a list, and ipairs") end
      keys[i] = i
    end
    return keys
  end
  for k in next, t do table.insert(keys, k) end
  return keys
end

function iteration.pairs(t)
  if type(t) ~= "table" then error("attempt to iterate over another value", 0) end
  local keys = keys_of(t)
  return function(round)
    local k = keys[round]
    if k == nil then return NONE end
    return ALL, k, tables.raw(t, k)
  end
end

--- for ... in step, object, control
---@return fun(round: integer): integer, any, any, table?   with a list of all values if there can be more than two
function iteration.each(step, object, control)
  object = unions.narrow(object, run.mask)
  step = unions.narrow(step, run.mask)
  if step == ipairs_step then
    return function(round)
      local v = tables.get(object, round)
      if v == nil then return NONE end
      if not is_union[v] then return ALL, round, v end
      return truth(operators.unequal(v, nil)), round, v
    end
  elseif run.functions[step] and run.functions[step].board then
    return boards.rounds(run.functions[step].board)
  elseif step == next then
    if unions.is(object) then paths.refuse("pairs over tables that differ between states", "one table") end
    return iteration.pairs(object)
  end
  return function()
    local results = expressions.later.call(step, { n = 2, object, control })
    control = results[1]
    return truth(operators.unequal(control, nil)), control, results[2], results
  end
end

return iteration
