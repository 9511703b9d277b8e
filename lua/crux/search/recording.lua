--- Records in a trace the operations of a script's step on symbolic values, for each move.
local fault = require "crux.base.fault"
local loss = require "crux.search.loss"
local Problem = require "crux.search.problem"

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
---@param problem Problem   with a state
function recording.state_of(problem, values)
  local state, next_value = problem.set:state(1), 0
  for _, field in ipairs(problem.fields) do
    local to, first = state, field.name
    if field.count then to, first = state[field.name], 1 end
    for i = 0, (field.count or 1) - 1 do
      next_value = next_value + 1
      to[field.count and first + i or first] = values[next_value]
    end
  end
  return state
end

local function count_keys(list)
  local count = 0
  for _ in next, list do count = count + 1 end
  return count
end

--- The values of a state after a hook, in order; raises when the table is no state.
function recording.values_of(problem, after, hook)
  local values, count = {}, 0
  if count_keys(after) ~= #problem.fields then fault.raise(hook .. ": found other fields than the state's") end
  for _, field in ipairs(problem.fields) do
    local value = rawget(after, field.name)
    local list = field.count and value or { value }
    if type(list) ~= "table" or field.count and count_keys(list) ~= field.count then
      fault.raise(("%s: field '%s': found no list of %d"):format(hook, field.name, field.count))
    end
    for i = 1, field.count or 1 do values[count + i] = rawget(list, i) end
    count = count + (field.count or 1)
  end
  return values
end

--- Notes the values of a state, in order, as the result of a move; raises when they are of other kinds.
function recording.put(problem, trace, values, hook)
  local count = 0
  for _, field in ipairs(problem.fields) do
    for _ = 1, field.count or 1 do
      count = count + 1
      local value, fits = values[count]
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

--- Records one move; raises when it cannot be traced.
local function record(problem, trace, values, move, view)
  local after = recording.state_of(problem, values)
  local won, lost = problem.spec.step(after, move, view)
  lost = loss.any(lost)
  recording.put(problem, trace, recording.values_of(problem, after, "step"), "step")
  if problem.spec.heuristic and not trace:put_integer(problem.spec.heuristic(after, view), 0, Problem.MOST_MOVES) then
    fault.raise "heuristic: found no integer"
  end
  if lost == false then lost = nil end
  if not trace:finish(won, lost) then fault.raise "step: found results that are not truth values" end
end

--- Records all moves; raises when one cannot be traced.
---@param view table   the level that step gets
function recording.run(problem, trace, view)
  local values = recording.symbols(problem.fields, trace)
  for _, move in ipairs(problem.moves) do record(problem, trace, values, move, view) end
end

return recording
