--- Records in a trace the numbers by which a best-first search orders states, as libcrux.best_first computes them.
local fractions = require "crux.symbolic.fractions"
local interpreter = require "crux.symbolic.interpreter"
local paths = require "crux.symbolic.paths"
local unions = require "crux.symbolic.unions"

local priorities = {}

--- An integer that is not larger is the same as a fraction.
local MOST_EXACT <const> = 1 << 53

---@class Ranks
---@field expressions table[]   { operation, operands... }: "number" of a number, "integer" of the number of one that the trace
---                             puts, or an operation on earlier expressions, and for "where" on a truth value that it puts
---@field places table[]        of each rank: { expression, the truth value that tells whether the list goes so far, or nil }

--- Functions that add a value to the ranks, each once, and return its number: an expression, and an integer or truth value of
--- the state that expressions use.
---@param ranks Ranks
local function adders(ranks, trace)
  local put, count, known = {}, 0, {}
  local function put_once(v)
    if not put[v] then
      trace:put_rest(v)
      count = count + 1
      put[v] = count
    end
    return put[v]
  end
  local function expression(v)
    if math.type(v) then return { "number", v } end
    if not unions.is_symbol(v) then return nil end
    local _, low, high = trace:look(v)
    if low < -MOST_EXACT or high > MOST_EXACT then
      paths.refuse(("a priority from %d to %d"):format(low, high), ("integers up to %d"):format(MOST_EXACT))
    end
    return { "integer", put_once(v) }
  end
  local function add(v)
    if known[v] then return known[v] end
    local made = expression(v)
      or { v[1], add(v[2]), v[3] ~= nil and add(v[3]) or nil, v[4] ~= nil and put_once(v[4]) or nil }
    table.insert(ranks.expressions, made)
    known[v] = #ranks.expressions
    return known[v]
  end
  return add, put_once
end

--- The values of a union as expressions that choose by the states; those that are no numbers, and none, raise in Lua.
---@return any value     a number, integer of the state or fraction; nil if it is none in all states
---@return integer mask   the states in which it is one
local function number_of(v)
  if not unions.is(v) then v = { paths.ALL, v, n = 2 } end
  local found, mask
  for i = 1, v.n, 2 do
    local part, one = v[i], v[i + 1]
    local kind = unions.kind_of(one)
    if kind == "integer" or kind == "fraction" then
      found = found == nil and one or fractions.new("where", one, found, paths.truth_within(part, paths.ALL))
      mask = paths.either(mask or paths.NONE, part)
    elseif one ~= nil then
      paths.kill(part)
    end
  end
  return found, mask or paths.NONE
end

--- Records the priority of a state.
---@param length any    symbol of the number of moves to it
---@return Ranks
function priorities.record(problem, trace, state, length)
  local ranks = { expressions = {}, places = {} }
  local add, put_once = adders(ranks, trace)
  interpreter.restart(state)
  fractions.allow()
  local list = interpreter.call(paths.ALL, problem.spec.priority, state, length, problem.level)
  local goes_on = paths.ALL -- the states in which the list has had no end yet
  for place = 1, math.huge do
    local v, mask = number_of(unions.narrow(interpreter.element(list, place), paths.ALL))
    if place == 1 then paths.kill(mask ~ 1) end
    paths.kill(paths.without(mask, goes_on)) -- a list with a hole
    goes_on = paths.both(goes_on, mask)
    if v == nil or paths.is_none(goes_on) then break end
    local present = paths.is_none(goes_on ~ 1) and true or paths.truth_within(goes_on, paths.ALL)
    ranks.places[place] = { add(v), present ~= true and put_once(present) or nil }
  end
  trace:finish_rest()
  return ranks
end

return priorities
