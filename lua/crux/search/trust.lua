--- Whether a traced program can be trusted to do what the script does.
---
--- What a step does behind the back of symbolic values (if, and, or, not, x == 3, t[x], a memory of its own) makes a program
--- that differs from the script. So the first states, states made of these, a few later ones and solutions are tried in Lua
--- as well; a script that differs is searched in Lua.
local divergence = require "crux.search.divergence"
local Problem = require "crux.search.problem"
local random_numbers = require "libcrux.random"
local recording = require "crux.search.recording"
local tracing = require "libcrux.trace"

local trust = {}

--- How many states are tried in Lua, with the ways to the wins on their levels, until a step is trusted with states of these
--- kinds of fields; fewer with the next kinds. Then one is tried of every new program, and one more whenever the number of its
--- states has doubled, but at least once in so many: to try a state in Lua takes the time of a thousand.
local FIRST <const>, NEXT <const>, AT_LEAST <const> = 64, 16, 262144

--- After how many states of a program a later one is tried.
trust.first_sample = 2 * FIRST

--- With a trusted step the last moves of a solution are tried if it took so many states to find.
local MOVES_TRIED <const>, WORTH_TRYING <const> = 2, 8192

--- As many states that may not occur are tried until then, and a sixteenth of FIRST for later programs; what their set may
--- take, and how far from the ends of its range most values of an integer are.
local CHANGED_BYTES <const>, NEAR <const> = 1 << 26, 3

---@class Trust
---@field tried integer       states,
---@field due integer         of so many

--- The trust in a step with states of some kinds of fields, before any is tried.
---@param is_first boolean   there are no other kinds of fields yet
---@return Trust
function trust.new(is_first) return { tried = 0, due = is_first and FIRST or NEXT } end

--- Whether enough states were tried.
---@param program Program
function trust.is_full(program) return program.trust.tried >= program.trust.due end

---@class Notes            which of a state's notes are
---@field parent integer    the state that led to it
---@field move integer      by which move

local names = { [Problem.WON] = "won", [Problem.LOST] = "lost" }

--- What a move makes of a state in Lua, and the estimate then; nothing when the script raises, or makes it no state.
---@return string|integer|false|nil successor
---@return integer? estimate   if there is a heuristic, and the state is neither won nor lost
local function in_lua(problem, origin, move)
  local ok, successor, after = pcall(problem.successor, problem, origin, move, true)
  if not ok or successor == nil then return end
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
function trust.describe(problem, index, move)
  local step, name = problem.spec.step, problem.moves[move]
  local trace <close> = tracing.new()
  local line = divergence.line(step, function() step(problem.set:state(index), name, problem.level) end,
    function() step(recording.state_of(problem, recording.symbols(problem.fields, trace)), name, problem.level) end)
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
      if expected[move] and (expected[move] ~= successor or is_other) then return trust.describe(changed, index, move) end
    end
  end
end

--- Tries a state in Lua. Returns what is wrong, if anything is.
local function try(problem, search, index)
  local move = differing_move(problem, search, index)
  return move and trust.describe(problem, index, move)
end

--- Tries some states in Lua. Returns what is wrong, if anything is.
---@param program Program
---@param last integer      the last state that was expanded
function trust.check(problem, program, last)
  local own, wrong = program.trust, nil
  if program.is_new then wrong = check_changed(problem, program, last, own.tried == 0 and own.due or FIRST // 16) end
  local most = math.max(own.due - own.tried, program.is_new and 1 or 0)
  program.is_new = false
  for index = 1, math.min(most, last) do
    if wrong then return wrong end
    own.tried = own.tried + 1
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
function trust.check_way(problem, most, index, notes)
  local set, statistics = problem.set, problem:take_statistics()
  local wrong, tried = nil, 0
  while index ~= 1 and not wrong and tried < most do
    local parent, move = set:note(index, notes.parent), set:note(index, notes.move)
    local ok, successor = pcall(problem.successor, problem, set:state(parent), move)
    if not ok or successor ~= index then wrong = trust.describe(problem, parent, move) end
    index, tried = parent, tried + 1
  end
  problem.statistics = statistics
  return wrong
end

--- The same for a solution.
---@param goal NativeGoal
---@param notes Notes
function trust.check_goal(problem, program, is_trusted, last, goal, notes)
  if is_trusted and last < WORTH_TRYING then return end
  return try(problem, program.search, goal.index)
    or trust.check_way(problem, is_trusted and MOVES_TRIED or math.huge, goal.index, notes)
end

return trust
