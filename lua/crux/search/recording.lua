--- What a script's step does to symbolic values, move after move: recorded in a trace.
local fault = require "crux.fault"
local Problem = require "crux.search.problem"

local recording = {}

--- A symbolic value for each value of a state, in order.
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

--- The start with these values.
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

--- Raises unless the value is one of the field.
local function put(trace, field, value)
  local fits
  if field.kind == "flag" then
    fits = trace:put_flag(value)
  elseif field.kind == "integer" then
    fits = trace:put_integer(value, field.low, field.high)
  else
    fits = trace:put_board(value, field.width, field.height)
  end
  if not fits then fault.raise(("step: field '%s': found another kind of value"):format(field.name)) end
end

--- Records what a move leads to; raises when that cannot be traced.
local function record(problem, trace, values, move, view)
  local after = recording.state_of(problem, values)
  local won, lost = problem.spec.step(after, move, view)
  if count_keys(after) ~= #problem.fields then fault.raise "step: found other fields than the state's" end
  for _, field in ipairs(problem.fields) do
    local value = rawget(after, field.name)
    if field.count then
      if type(value) ~= "table" or count_keys(value) ~= field.count then
        fault.raise(("step: field '%s': found no list of %d"):format(field.name, field.count))
      end
      for i = 1, field.count do put(trace, field, rawget(value, i)) end
    else
      put(trace, field, value)
    end
  end
  if problem.spec.heuristic and not trace:put_integer(problem.spec.heuristic(after, view), 0, Problem.MOST_MOVES) then
    fault.raise "heuristic: found no integer"
  end
  if lost == false then lost = nil end
  if not trace:finish(won, lost) then fault.raise "step: found results that are not truth values" end
end

--- Records what all moves lead to; raises when that cannot be traced.
---@param view table   what step gets for the level
function recording.run(problem, trace, view)
  local values = recording.symbols(problem.fields, trace)
  for _, move in ipairs(problem.moves) do record(problem, trace, values, move, view) end
end

return recording
