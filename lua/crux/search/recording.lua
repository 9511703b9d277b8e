--- Records in a trace what a script's step does in all states, for each move.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local interpreter = require "crux.symbolic.interpreter"
local paths = require "crux.symbolic.paths"
local Problem = require "crux.search.problem"
local priorities = require "crux.search.priorities"
local unions = require "crux.symbolic.unions"

local recording = {}

--- Symbolic values of a state, in the order of its fields.
---@param fields StateField[]
function recording.symbols(fields, trace)
  local list = {}
  for _, field in ipairs(fields) do
    for _ = 1, field.count or 1 do
      local symbol
      if field.kind == "flag" then
        symbol = trace:flag()
      elseif field.kind == "integer" then
        symbol = trace:integer(field.low, field.high)
      else
        symbol = trace:board(field.width, field.height)
      end
      table.insert(list, symbol)
    end
  end
  return list
end

--- A state with these values.
---@param problem SearchProblem   with a state
---@param kept table?   the state [1] and its lists by field, which are taken again
function recording.state_of(problem, values, kept)
  local state, next_value = kept and kept[1] or problem.set:state(1), 0
  for _, field in ipairs(problem.fields) do
    local to, first = state, field.name
    if field.count then
      to, first = kept and kept[field.name] or state[field.name], 1
      rawset(state, field.name, to)
      if kept then kept[field.name] = to end
      for k in next, to do to[k] = nil end
    end
    for i = 0, (field.count or 1) - 1 do
      next_value = next_value + 1
      rawset(to, field.count and first + i or first, values[next_value])
    end
  end
  if kept then kept[1] = state end
  return state
end

--- The values of a state after a hook, in order.
function recording.values_of(problem, after)
  local values, n = {}, 0
  for _, field in ipairs(problem.fields) do
    local v = interpreter.element(after, field.name)
    values[n + 1] = v
    for i = 1, field.count or 0 do values[n + i] = interpreter.element(v, i, field.count) end
    n = n + (field.count or 1)
  end
  return values
end

--- The truth values of a step's results, won and lost; where they are others, Lua raises.
local function outcome_of(won, lost)
  won = interpreter.of_kind(won, "truth", paths.ALL, false)
  local open = unions.truth(won) ~ 1
  lost = unions.each(lost, function(v)
    if type(v) == "table" then return interpreter.any(v, paths.both(paths.run.mask, open)) end
    return v or false
  end)
  return won, interpreter.of_kind(lost, "truth", open, false)
end

--- Notes the values of a state, in order, as the result of a move; raises when they are of other kinds.
---@param before table   the values before it
---@param open integer   the mask of states in which the move neither wins nor loses
function recording.put(problem, trace, before, values, hook, open)
  local count = 0
  for _, field in ipairs(problem.fields) do
    for _ = 1, field.count or 1 do
      count = count + 1
      local value, old, fits = values[count], before[count]
      if not rawequal(value, old) then value = interpreter.of_kind(value, unions.kind_of(old), open, old) end
      if field.kind == "flag" then
        fits = trace:put_flag(value)
      elseif field.kind == "integer" then
        fits = trace:put_integer(value, field.low, field.high)
      else
        fits = trace:put_board(value, field.width, field.height)
      end
      if not fits then fault.raise(("%s: field '%s': found another kind of value"):format(hook, field.name)) end
    end
  end
end

--- Records one move; raises when it cannot be compiled.
local function record(problem, trace, values, kept, move, level)
  local after = recording.state_of(problem, values, kept)
  interpreter.restart(after)
  local won, lost = outcome_of(interpreter.call(paths.ALL, problem.spec.step, after, move, level))
  local has_priority, wins = problem.spec.priority ~= nil, unions.truth(won)
  local open = paths.both(wins ~ 1, unions.truth(lost) ~ 1)
  if has_priority then open = paths.either(wins, open) end
  recording.put(problem, trace, values, recording.values_of(problem, after), "step", open)
  if problem.spec.heuristic then
    local estimate = not paths.is_none(open) and interpreter.call(open, problem.spec.heuristic, after, level) or 0
    if not trace:put_integer(interpreter.of_kind(estimate, "integer", open, 0), 0, Problem.MOST_MOVES) then
      fault.raise "heuristic: found no integer"
    end
  end
  if not trace:finish(won, lost ~= false and lost or nil, has_priority) then
    fault.raise "step: found results that are not truth values"
  end
end

--- Records all moves, and the priority of a best-first search; raises when something cannot be compiled.
---@param shape userdata?       of the level, if the program can serve others
---@param is_lenient boolean?   Lua may run states in which something cannot be compiled
---@return string? reason       why there are such states
---@return Ranks? ranks          if there is a priority
function recording.run(problem, trace, shape, is_lenient)
  local ranks
  return interpreter.run(trace, problem.level, shape, function()
    local values, kept = recording.symbols(problem.fields, trace), {}
    local length = problem.spec.priority and trace:integer(0, Problem.MOST_LENGTH)
    for _, move in ipairs(problem.moves) do
      budget.beat() -- each move has the limit on time for itself
      record(problem, trace, values, kept, move, problem.level)
    end
    if length then ranks = priorities.record(problem, trace, recording.state_of(problem, values), length) end
  end, is_lenient), ranks
end

return recording
