--- Native search: the script's step is called once for each move with symbolic values, which yields a program that C runs on
--- whole batches of states: a breadth-first search with the same states, in the same order, as one in Lua.
---
--- A program serves all levels on which step would do the same operations (see libcrux.level_shape); where that is not so, or
--- step does with a level's boards what only known ones allow, each level gets a program of its own.
---
--- What a step does behind the back of symbolic values (if, and, or, not, x == 3, t[x], a memory of its own) makes a program
--- that differs from the script. So the first states, states made of these, a few later ones and solutions are tried in Lua
--- as well; a script that differs is searched in Lua.
local divergence = require "crux.search.divergence"
local fault = require "crux.fault"
local level_shape = require "libcrux.level_shape"
local native_search = require "libcrux.native_search"
local Problem = require "crux.search.problem"
local random_numbers = require "libcrux.random"
local tracing = require "libcrux.trace"

local native = {}

local STRETCH <const> = 16384 -- states that are expanded before one looks at the time

--- After so many states of a program it is worth looking for a shorter one for states of which a flag is the same.
native.warm = 4096

--- How many states are tried in Lua, with the ways to the wins on their levels, until a step is trusted with states of these
--- kinds of fields; fewer with the next kinds. Then one is tried of every new program, and one more whenever the number of its
--- states has doubled, but at least once in so many: to try a state in Lua takes the time of a thousand.
local FIRST <const>, NEXT <const>, AT_LEAST <const> = 64, 16, 262144

--- With a trusted step the last moves of a solution are tried if it took so many states to find.
local MOVES_TRIED <const>, WORTH_TRYING <const> = 2, 8192

--- As many states that may not occur are tried until then, and a sixteenth of FIRST for later programs; what their set may
--- take, and how far from the ends of its range most values of an integer are.
local CHANGED_BYTES <const>, NEAR <const> = 1 << 26, 3

--- Programs that are kept for a step, and of them those for states with the same fields.
local MOST_PROGRAMS <const>, MOST_ALIKE <const> = 64, 8

---@class Program
---@field about table         operations, registers, lane_bits, is_shared, and, if that was asked, what widened the lanes
---@field search userdata
---@field shape userdata?     of the levels that it serves, if there can be several
---@field trace userdata?     kept until it is specialised
---@field trust Trust
---@field is_new boolean
---@field expanded integer    states, on all levels
---@field next integer        how many are to be expanded until another one is tried

---@class Family: Program[]   the programs for states with the same fields
---@field served integer      levels
---@field is_single boolean?  each level gets a program of its own
---@field reason string?      why levels are searched in Lua

---@class Trust
---@field tried integer       states,
---@field due integer         of so many

---@class Families
---@field count integer       of programs, at most
---@field trusts table<string, Trust>   by the kinds of fields
---@field alike table<string, Family>   by the fields

--- By step, and then by heuristic, or BLIND without one.
---@type table<function, table<function|table, Families>>
local known, BLIND <const> = setmetatable({}, { __mode = "k" }), {}

local function close(program)
  program.search:close()
  if program.trace then program.trace:close() end
end

--- Programs that serve one level are closed after it.
local Program = {}

function Program:__close()
  if not self.shape then close(self) end
end

local function close_all(family)
  for i, program in ipairs(family) do
    close(program)
    family[i] = nil
  end
end

---@return Families
local function families_of(spec)
  local of_step, heuristic = known[spec.step] or setmetatable({}, { __mode = "k" }), spec.heuristic or BLIND
  local families = of_step[heuristic] or { count = 0, trusts = {}, alike = {} }
  known[spec.step], of_step[heuristic] = of_step, families
  if families.count >= MOST_PROGRAMS then
    for _, family in pairs(families.alike) do close_all(family) end
    families.count, families.alike = 0, {}
  end
  return families
end

---@return Family
local function family_of(problem)
  local alike, key = families_of(problem.spec).alike, problem.key .. "\n" .. table.concat(problem.moves, "\n")
  alike[key] = alike[key] or { served = 0 }
  return alike[key]
end

---@return Trust
local function trust_of(problem)
  local trusts, parts = families_of(problem.spec).trusts, {}
  for i, field in ipairs(problem.fields) do parts[i] = ("%s %s %s"):format(field.name, field.kind, field.count) end
  local key = table.concat(parts, "\n")
  trusts[key] = trusts[key] or { tried = 0, due = next(trusts) and NEXT or FIRST }
  return trusts[key]
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
local function record(problem, trace, values, move, view)
  local after = state_of(problem, values)
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

--- What made the lanes wider than 16 bits: the first value that does not fit.
local function widest(problem, trace, node)
  local origin, low, high = trace:origin(node)
  if type(origin) == "number" then
    local word = 0
    for _, field in ipairs(problem.fields) do
      local words = field.kind == "board" and (field.width * field.height + 63) // 64 or 1
      word = word + words * (field.count or 1)
      if origin <= word then
        origin = ("field '%s'"):format(field.name)
        break
      end
    end
  end
  return ("%s: %d to %d"):format(origin or "a board", low, high)
end

---@param trace userdata
---@param use "shared"|"single"   for how many levels
---@param view table?             what step gets for the level; unless given, what notes what is read
---@return Program?               nothing when there is no such program
local function record_step(problem, trace, use, view)
  local shape
  local step, heuristic = problem.spec.step, problem.spec.heuristic
  local function hooks() return step, heuristic end
  if not view then shape, view = level_shape.new(trace, problem.level, hooks, use == "shared") end
  local values = symbols(problem.fields, trace)
  for _, move in ipairs(problem.moves) do record(problem, trace, values, move, view) end
  if shape and not shape:finish() then return end
  local search = native_search.new(trace, problem.set, #problem.moves)
  local operations, registers, lane_bits, node = search:program()
  local about = { operations = operations, registers = registers, lane_bits = lane_bits, is_shared = use == "shared",
    widest = problem.is_timed and node ~= 0 and widest(problem, trace, node) or nil }
  local program = setmetatable({ search = search, about = about, trace = trace, trust = trust_of(problem), is_new = true,
    expanded = 0, next = 2 * FIRST }, Program)
  if use == "single" then return program end
  program.shape = shape
  if shape:fits(problem.level) and program.search:bind(shape) then return program end
  program.search:close()
end

--- Whether step could be traced; then its program, if there is one of that use, else why not.
local function trace_step(problem, ...)
  local trace = tracing.new(problem.is_timed)
  local ok, result = pcall(record_step, problem, trace, ...)
  if not ok or not result then trace:close() end
  return ok, result
end

--- A program for levels like this one, if there can be one.
---@param family Family
---@return Program?
local function new_shared(problem, family)
  local ok, program = trace_step(problem, "shared")
  family.is_single = not ok or not program
  if family.is_single then return end
  local families = families_of(problem.spec)
  families.count = families.count + 1
  if #family == MOST_ALIKE then close(table.remove(family)) end
  table.insert(family, 1, program)
  return program
end

--- The program for a level; a to-be-closed variable is to hold it.
---@param problem Problem   with its start
---@return Program?
---@return string? reason   why the script cannot be traced
function native.program(problem)
  local family = family_of(problem)
  if family.reason then return nil, family.reason end
  for i, program in ipairs(family) do
    if program.shape:fits(problem.level) and program.search:bind(program.shape) then
      family.served = family.served + 1
      table.insert(family, 1, table.remove(family, i))
      return program
    end
  end
  if #family == MOST_ALIKE and family.served < MOST_ALIKE then
    family.is_single = true
    close_all(family)
  end
  local program = not family.is_single and new_shared(problem, family)
  if program then return program end
  local ok, result = trace_step(problem, "single")
  if ok and not result then ok, result = trace_step(problem, "single", problem.level) end
  if ok then return result end
  return nil, fault.is(result) and result.message or tostring(result)
end

local names = { [Problem.WON] = "won", [Problem.LOST] = "lost" }

--- What a move makes of a state in Lua, and the estimate then; nothing when the script raises.
---@return string|integer|false|nil successor
---@return integer? estimate   if there is a heuristic, and the state is neither won nor lost
local function in_lua(problem, origin, move)
  local ok, successor, after = pcall(problem.successor, problem, origin, move)
  if not ok then return end
  if names[successor] or not problem.spec.heuristic then return names[successor] or successor end
  local is_estimated, estimate = pcall(problem.estimate, problem, after)
  if is_estimated then return successor, estimate end
end

--- The first move of a state that leads elsewhere in Lua; nothing when there is none. States that are not in the set count as
--- the same.
---@param problem Problem
local function differing_move(problem, search, index)
  local successors, estimates = search:try(problem.set, index)
  local origin, statistics = problem.set:state(index), problem:take_statistics()
  local differing
  for move, expected in ipairs(successors) do
    local successor, estimate = in_lua(problem, origin, move)
    if successor == nil then successor = "wrong" end
    if successor ~= expected or estimate and estimate ~= estimates[move] then
      differing = move
      break
    end
  end
  problem.statistics = statistics
  return differing
end

--- What is wrong: with this move of a state step does something else.
local function describe(problem, index, move)
  local step, name = problem.spec.step, problem.moves[move]
  local trace <close> = tracing.new()
  local line = divergence.line(step, function() step(problem.set:state(index), name, problem.level) end,
    function() step(state_of(problem, symbols(problem.fields, trace)), name, problem.level) end)
  local info = debug.getinfo(step, "S")
  return ("%s:%d: step with move '%s' does something else when it is traced"):format(info.short_src,
    line or info.linedefined, name)
end

--- Changes a value of a field at random.
---@param to table            the state, or the list in it
---@param name string|integer
local function change(field, to, name, random)
  if field.kind == "flag" then
    to[name] = not to[name]
  elseif field.kind == "integer" then
    local low, high, end_of_range = field.low, field.high, random:integer(1, 3)
    if end_of_range == 1 then high = math.min(high, low + NEAR) end
    if end_of_range == 2 then low = math.max(low, high - NEAR) end
    to[name] = random:integer(low, high)
  else
    local x, y = random:integer(1, field.width), random:integer(1, field.height)
    local from_x, from_y = to[name]:pick(random)
    if from_x and random:integer(0, 1) == 0 then to[name] = to[name]:without(from_x, from_y) end
    to[name] = to[name]:has(x, y) and to[name]:without(x, y) or to[name]:with(x, y)
  end
end

--- Adds states to a problem that has none but its start: those of another one with a few values changed.
---@param last integer   of the states to change
local function add_changed(problem, from, last, count, random)
  for _ = 1, count do
    local state = from.set:state(random:integer(1, last))
    for _ = 1, random:integer(1, 3) do
      local field = random:pick(problem.fields)
      if not field.count then
        change(field, state, field.name, random)
      elseif field.count > 0 then
        change(field, state[field.name], random:integer(1, field.count), random)
      end
    end
    if problem.set:find(state) == false then problem.set:add() end
  end
end

--- Tries states in Lua that may never occur: a condition that the program does not see may hold so rarely that no state
--- which is tried meets it. Where the script raises, there is nothing to compare. Returns what is wrong, if anything is.
---@param last integer   the last state that was expanded
---@param count integer  how many states
local function check_changed(problem, program, last, count)
  local limits = { states = problem.states, bytes = CHANGED_BYTES, seconds = math.huge }
  local changed <close> = Problem.new(problem.spec, problem.level, limits, 0)
  changed:enter_start()
  add_changed(changed, problem, last, count, random_numbers.new(1))
  for index = 2, #changed.set do
    local origin, expected, guesses = changed.set:state(index), {}, {}
    for move = 1, #changed.moves do
      local successor, estimate = in_lua(changed, origin, move)
      if successor == false then successor = changed.set:add() end
      expected[move], guesses[move] = successor, estimate
    end
    local successors, estimates = program.search:try(changed.set, index)
    for move, successor in ipairs(successors) do
      local is_other = guesses[move] and guesses[move] ~= estimates[move]
      if expected[move] and (expected[move] ~= successor or is_other) then return describe(changed, index, move) end
    end
  end
end

--- Tries a state in Lua. Returns what is wrong, if anything is.
local function try(problem, search, index)
  local move = differing_move(problem, search, index)
  return move and describe(problem, index, move)
end

--- Tries some states in Lua. Returns what is wrong, if anything is.
---@param program Program
---@param last integer      the last state that was expanded
local function check(problem, program, last)
  local trust, wrong = program.trust, nil
  if program.is_new then wrong = check_changed(problem, program, last, trust.tried == 0 and trust.due or FIRST // 16) end
  local most = math.max(trust.due - trust.tried, program.is_new and 1 or 0)
  program.is_new = false
  for index = 1, math.min(most, last) do
    if wrong then return wrong end
    trust.tried = trust.tried + 1
    wrong = try(problem, program.search, index)
  end
  if wrong or program.expanded < program.next then return wrong end
  program.next = program.expanded + math.min(program.expanded, AT_LEAST)
  return try(problem, program.search, last - last // 3) -- in the middle of those that are new, or so
end

--- Whether the last moves of the way to a state lead there in Lua, too. Returns what is wrong, if anything is.
---@param most number   how many moves
---@param notes Notes
---@return string? wrong
local function check_way(problem, most, index, notes)
  local set, statistics = problem.set, problem:take_statistics()
  local wrong, tried = nil, 0
  while index ~= 1 and not wrong and tried < most do
    local parent, move = set:note(index, notes.parent), set:note(index, notes.move)
    local ok, successor = pcall(problem.successor, problem, set:state(parent), move)
    if not ok or successor ~= index then wrong = describe(problem, parent, move) end
    index, tried = parent, tried + 1
  end
  problem.statistics = statistics
  return wrong
end

--- The same for a solution.
---@param goal NativeGoal
---@param notes Notes
local function check_goal(problem, program, is_trusted, last, goal, notes)
  if is_trusted and last < WORTH_TRYING then return end
  return try(problem, program.search, goal.index)
    or check_way(problem, is_trusted and MOVES_TRIED or math.huge, goal.index, notes)
end

---@class Notes            which of a state's notes are
---@field parent integer    the state that led to it
---@field move integer      by which move

---@class NativeGoal
---@field index integer
---@field move integer
---@field solutions integer

local function specialise(program)
  program.search:specialise(program.trace)
  if program.shape then program.search:bind(program.shape) end
  program.trace:close()
  program.trace = nil
end

--- Expands states until there is a win, a limit is met, or none is left. Returns what is wrong, if anything is.
---@return string? wrong
---@return string? ending   what ended it
---@return integer last     the last state that was expanded
---@param notes Notes
local function expand(problem, program, notes)
  local search, set, last, ending = program.search, problem.set, 0
  repeat
    if problem:is_late() then return nil, "seconds", last end
    local before = last
    last, ending = search:expand(set, program.trace and native.warm or STRETCH, problem.states)
    program.expanded = program.expanded + last - before
    if program.trace and program.expanded >= native.warm then specialise(program) end
    if ending == "violation" then
      local index, move = search:place()
      local wrong = check_way(problem, math.huge, index, notes)
      if not wrong then problem:successor(set:state(index), move) end -- raises
      return wrong or describe(problem, index, move), nil, last
    end
    local wrong = check(problem, program, last)
    if wrong then return wrong, nil, last end
  until ending
  return nil, ending, last
end

local limits = { states = true, bytes = true, seconds = true }

--- Searches from the start, the only state so far.
---@param problem Problem
---@param program Program
---@param outcome Outcome   gets the sizes of the frontiers
---@param count boolean?    the ways to win
---@param bound integer?    states whose depth and estimate add up to more are left out
---@param notes Notes
---@return NativeGoal? goal
---@return string? limit
---@return integer? beyond   the least sum that was left out
function native.run(problem, program, outcome, count, bound, notes)
  local search, is_trusted = program.search, program.trust.tried >= program.trust.due
  search:begin(problem.set, count, problem.is_timed, bound)
  local wrong, ending, last = expand(problem, program, notes)
  local goal
  if not wrong then
    outcome.frontiers = search:frontiers(problem.set)
    problem:add_statistics(search:statistics())
    if problem.is_timed then
      local step_seconds, set_seconds = search:times()
      outcome.step_seconds = (outcome.step_seconds or 0) + step_seconds
      outcome.set_seconds = (outcome.set_seconds or 0) + set_seconds
    end
    local index, move = search:place()
    goal = index and { index = index, move = move, solutions = search:solutions() }
    wrong = goal and check_goal(problem, program, is_trusted, last, goal, notes)
  end
  local beyond = search:beyond()
  if wrong then
    family_of(problem).reason, outcome.wrong = wrong, wrong
    close_all(family_of(problem))
  end
  return goal, limits[ending] and ending, not wrong and beyond or nil
end

return native
