--- Native search: the script's step is called once for each move with symbolic values, which yields a program that C runs on
--- whole batches of states: a breadth-first search with the same states, in the same order, as one in Lua.
---
--- What a step does behind the back of symbolic values (if, and, or, not, x == 3, t[x], a memory of its own) makes a program
--- that differs from the script. So the first states, a few of each order of magnitude after them, and the solution are tried
--- in Lua as well; a script that differs is searched in Lua. Once a script has passed on a level, fewer states are tried on
--- levels with the same fields.
local fault = require "crux.fault"
local native_search = require "libcrux.native_search"
local Problem = require "crux.search.problem"
local tracing = require "libcrux.trace"

local native = {}

local STRETCH <const> = 16384 -- states that are expanded before one looks at the time

--- How many of the first states and of the last moves of a solution are tried in Lua, too, and by what factor the number of
--- states grows until another one is.
---@class Care
local careful, trusting = { first = 64, last = math.huge, factor = 2 }, { first = 1, last = 2, factor = 16 }

--- By step, and then by the fields of states, whether the script passed.
---@type table<function, table<string, boolean>>
local passed = setmetatable({}, { __mode = "k" })

--- What is the same for levels with the same fields.
---@param fields StateField[]
local function shape(fields)
  local parts = {}
  for i, field in ipairs(fields) do
    local size = field.kind == "board" and ("%d x %d"):format(field.width, field.height) or field.kind
    parts[i] = ("%s: %s of %s"):format(field.name, field.count or "one", size)
  end
  return table.concat(parts, "\n")
end

--- A symbolic value for each value of a state, in order.
---@param fields StateField[]
local function symbols(fields, trace)
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
local function state_of(problem, values)
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
local function record(problem, trace, values, move)
  local after = state_of(problem, values)
  local won, lost = problem.spec.step(after, move, problem.level)
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
  if lost == false then lost = nil end
  if not trace:finish(won, lost) then fault.raise "step: found results that are not truth values" end
end

---@param problem Problem   with its start
---@return userdata? search
---@return string? reason   why the script cannot be traced
function native.new(problem)
  local trace <close> = tracing.new()
  local ok, result = pcall(function()
    local values = symbols(problem.fields, trace)
    for _, move in ipairs(problem.moves) do record(problem, trace, values, move) end
    return native_search.new(trace, problem.set, #problem.moves)
  end)
  if ok then return result end
  return nil, fault.is(result) and result.message or tostring(result)
end

local names = { [Problem.WON] = "won", [Problem.LOST] = "lost" }

--- The first move of a state that leads elsewhere in Lua; nothing when there is none. States that are not in the set count as
--- the same.
---@param problem Problem
local function differing_move(problem, search, index)
  local successors, origin = search:try(problem.set, index), problem.set:state(index)
  local statistics = problem:take_statistics()
  local differing
  for move, expected in ipairs(successors) do
    local ok, successor = pcall(problem.successor, problem, origin, move)
    if not ok then successor = "wrong" end
    if (names[successor] or successor) ~= expected then
      differing = move
      break
    end
  end
  problem.statistics = statistics
  return differing
end

local function describe(problem, move)
  return ("step with move '%s' does something else when it is traced"):format(problem.moves[move])
end

--- Tries a state in Lua. Returns what is wrong, if anything is.
local function try(problem, search, index)
  local move = differing_move(problem, search, index)
  return move and describe(problem, move)
end

---@class Sampling          which of the states that were expanded are tried in Lua
---@field care Care
---@field checked integer   of the first ones
---@field next integer      how many are to be expanded until another one is tried

--- Tries some states in Lua. Returns what is wrong, if anything is.
---@param sampling Sampling
---@param last integer      the last state that was expanded
local function check(problem, search, sampling, last)
  while sampling.checked < math.min(sampling.care.first, last) do
    sampling.checked = sampling.checked + 1
    local wrong = try(problem, search, sampling.checked)
    if wrong then return wrong end
  end
  if last < sampling.next then return end
  local index = last - last // 3 -- in the middle of those that are new, or so
  sampling.next = last * sampling.care.factor
  return try(problem, search, index)
end

--- Whether the last moves of the way to a goal lead there in Lua, too. Returns what is wrong, if anything is.
---@param care Care
local function check_way(problem, care, index, move, parent_note, move_note)
  local set, expected = problem.set, Problem.WON
  local statistics = problem:take_statistics()
  local wrong, tried = nil, 0
  while index ~= 0 and not wrong and tried < care.last do
    tried = tried + 1
    local ok, successor = pcall(problem.successor, problem, set:state(index), move)
    if not ok or successor ~= expected then
      wrong = describe(problem, move)
    end
    expected, move, index = index, set:note(index, move_note), set:note(index, parent_note)
  end
  problem.statistics = statistics
  return wrong
end

local function add_statistics(problem, search)
  local statistics = problem.statistics
  local expanded, generated, duplicates, lost = search:statistics()
  statistics.expanded, statistics.generated = statistics.expanded + expanded, statistics.generated + generated
  statistics.duplicates, statistics.lost = statistics.duplicates + duplicates, statistics.lost + lost
end

---@class NativeGoal
---@field index integer
---@field move integer
---@field solutions integer

--- Searches from a frontier that is not yet expanded on, and adds the sizes of the frontiers to the outcome.
---@param problem Problem
---@param frontier Frontier
---@param outcome Outcome
---@param parent_note integer
---@param move_note integer
---@return NativeGoal? goal
---@return string? limit
---@return string? wrong     why the results are not to be trusted
function native.run(problem, search, frontier, outcome, parent_note, move_note)
  local step, set, key = problem.spec.step, problem.set, shape(problem.fields)
  passed[step] = passed[step] or {}
  local care = passed[step][key] and trusting or careful
  local sampling = { care = care, checked = 0, next = careful.first * care.factor }
  local wrong
  search:enter(set, frontier.first, frontier.last, frontier.ways or nil)
  local size, last, limit, goal, move = frontier.last - frontier.first + 1, frontier.last, nil, nil, nil
  while size > 0 and not goal and not limit do
    table.insert(outcome.frontiers, size)
    local left, ending
    repeat
      if problem:is_late() then
        limit = "seconds"
        break
      end
      left, ending = search:expand(set, STRETCH, problem.states)
      if ending == "violation" then
        local index, wrong_move = search:place()
        problem:successor(set:state(index), wrong_move) -- raises
        return nil, nil, describe(problem, wrong_move)
      end
      goal, move = search:place()
      if ending == "states" or ending == "bytes" then limit = ending end
      wrong = check(problem, search, sampling, last - left)
      if wrong then return nil, nil, wrong end
    until left == 0 or ending
    size = search:advance(set)
    last = last + size
  end
  if size > 0 then table.insert(outcome.frontiers, size) end
  add_statistics(problem, search)
  passed[step][key] = passed[step][key] or sampling.checked == careful.first
  if not goal then return nil, limit end
  wrong = try(problem, search, goal) or check_way(problem, care, goal, move, parent_note, move_note)
  if wrong then return nil, nil, wrong end
  return { index = goal, move = move, solutions = search:solutions() }, limit
end

return native
