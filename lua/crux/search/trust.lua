--- Checks that a traced program does what the script does.
---
--- Operations of a step that symbolic values do not notice (if, and, or, not, x == 3, t[x], variables that outlive the call)
--- make the program differ from the script. So the first states, changed copies of them, a few later states and solutions are
--- tried in Lua as well; if the results differ, the level is searched in Lua.
local divergence = require "crux.search.divergence"
local Problem = require "crux.search.problem"
local random_numbers = require "libcrux.random"
local recording = require "crux.search.recording"
local tracing = require "libcrux.trace"

local trust = {}

--- A step is trusted after this number of tried states with its first kinds of fields, and with each further kinds of fields;
--- until then the paths to wins are tried, too.
local FIRST <const>, NEXT <const> = 64, 16

--- Then one state of each new program is tried, and one more whenever the number of its states has doubled, at least one in
--- 262,144. A trial costs as much as 1,000 native states.
local LONGEST_PAUSE <const> = 262144

--- The number of states of a program after which a later one is tried first.
trust.first_sample = 2 * FIRST

--- With a trusted step, the last two moves of a solution that took at least 8,192 states are tried.
local MOVES_TRIED <const>, WORTH_TRYING <const> = 2, 8192

--- Changed states: the bytes of their set, and the distance from the ends of its range that most values of an integer have.
local CHANGED_BYTES <const>, NEAR <const> = 1 << 26, 3

---@class Trust
---@field tried integer   states
---@field due integer     states to try until the step is trusted

--- The trust in a step with states of some kinds of fields before any is tried.
---@param is_first boolean   these are the first kinds of fields
---@return Trust
function trust.new(is_first) return { tried = 0, due = is_first and FIRST or NEXT } end

--- True if enough states were tried.
---@param program Program
function trust.is_full(program) return program.trust.tried >= program.trust.due end

local names = { [Problem.WON] = "won", [Problem.LOST] = "lost" }

--- Makes a move in Lua; returns nothing when the script raises or the result is no state.
---@return string|integer|false|nil successor
---@return integer? estimate   if there is a heuristic, and the successor is neither won nor lost
local function in_lua(problem, origin, move)
  local ok, successor, after = pcall(problem.successor, problem, origin, move, true)
  if not ok or successor == nil then return end
  if names[successor] or not problem.spec.heuristic then return names[successor] or successor end
  local is_estimated, estimate = pcall(problem.estimate, problem, after)
  if is_estimated then return successor, estimate end
end

--- The first move of a state whose result differs in Lua; nil if there is none. States that are not in the set count as equal.
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

--- A message: with this move of a state, step and program differ.
function trust.describe(problem, index, move)
  local step, name = problem.spec.step, problem.moves[move]
  local trace <close> = tracing.new()
  local line = divergence.line(step, function() step(problem.set:state(index), name, problem.level) end,
    function() step(recording.state_of(problem, recording.symbols(problem.fields, trace)), name, problem.level) end)
  local info = debug.getinfo(step, "S")
  return ("%s:%d: step with move '%s' does something else when it is recorded"):format(info.short_src,
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

--- Adds states of another problem, with a few values changed, to a problem that has its start alone.
---@param last integer   index of the last state to change
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

--- Tries changed states in Lua, which may never occur: a condition that the program does not have may hold so rarely that no
--- other tried state meets it. Moves in which the script raises are not compared.
---@param last integer   the last expanded state
---@param count integer  of states
---@return string? wrong
local function check_changed(problem, program, last, count)
  local limits = { states = problem.states, bytes = CHANGED_BYTES, seconds = math.huge }
  local changed <close> = Problem.new(problem.prepared, problem.level, limits, 0)
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
      if expected[move] and (expected[move] ~= successor or is_other) then return trust.describe(changed, index, move) end
    end
  end
end

--- Tries a state in Lua.
---@return string? wrong
local function try(problem, search, index)
  local move = differing_move(problem, search, index)
  return move and trust.describe(problem, index, move)
end

--- Tries some states in Lua.
---@param program Program
---@param last integer   the last expanded state
---@return string? wrong
function trust.check(problem, program, last)
  local of_step, wrong = program.trust, nil
  if not program.is_new and trust.is_full(program) and program.expanded < program.next then return end
  if program.is_new then wrong = check_changed(problem, program, last, of_step.tried == 0 and of_step.due or FIRST // 16) end
  local count = math.max(of_step.due - of_step.tried, program.is_new and 1 or 0)
  program.is_new = false
  for index = 1, math.min(count, last) do
    if wrong then return wrong end
    of_step.tried = of_step.tried + 1
    wrong = try(problem, program.search, index)
  end
  if wrong or program.expanded < program.next then return wrong end
  program.next = program.expanded + math.min(program.expanded, LONGEST_PAUSE)
  return try(problem, program.search, last - last // 3) -- about the middle of the new states
end

--- Tries in Lua whether the last moves of the path to a state lead there.
---@param limit number   of moves
---@return string? wrong
function trust.check_way(problem, limit, index)
  local set, statistics = problem.set, problem:take_statistics()
  local wrong, tried = nil, 0
  while index ~= 1 and not wrong and tried < limit do
    local parent, move = set:note(index, Problem.PARENT), set:note(index, Problem.MOVE)
    local ok, successor = pcall(problem.successor, problem, set:state(parent), move)
    if not ok or successor ~= index then wrong = trust.describe(problem, parent, move) end
    index, tried = parent, tried + 1
  end
  problem.statistics = statistics
  return wrong
end

--- Tries a solution in Lua.
---@param goal NativeGoal
function trust.check_goal(problem, program, is_trusted, last, goal)
  if is_trusted and last < WORTH_TRYING then return end
  return try(problem, program.search, goal.index)
    or trust.check_way(problem, is_trusted and MOVES_TRIED or math.huge, goal.index)
end

return trust
