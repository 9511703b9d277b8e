--- Best-first search: of the states that were reached, the one of the least priority is next to be expanded.
---
--- A script's `paths` may have, by name, such searches beside the shortest solution:
---
---     level(level) -> level                      optional: the level to search in place of the given one
---     priority(state, length, level) -> numbers  of a state that was reached by `length` moves: a list; the first number that
---                                                differs decides between two states
---
--- A state is queued when it is reached for the first time, and again when it is reached by fewer moves. The search ends when a
--- won state is taken from the queue. Its solution need not be shortest.
local fault = require "crux.base.fault"
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local sampling = require "crux.search.sampling"

local WON, LOST = Problem.WON, Problem.LOST

local best_first = {}

---@class Queued              a state in the queue
---@field priority number[]
---@field index integer       of the state, or of the one before a win
---@field win integer?        the move that wins
---@field state table?        the won state
---@field order integer       equal priorities are taken in the order in which they were queued

---@param a Queued
---@param b Queued
local function is_before(a, b)
  local left, right = a.priority, b.priority
  for i, number in ipairs(left) do
    local other = right[i]
    if number ~= other then return other ~= nil and number < other end
  end
  if #left ~= #right then return true end
  return a.order < b.order
end

--- Adds an entry to a heap.
---@param heap Queued[]
local function push(heap, entry)
  local at = #heap + 1
  while at > 1 and is_before(entry, heap[at // 2]) do
    heap[at] = heap[at // 2]
    at = at // 2
  end
  heap[at] = entry
end

--- Removes the first entry of a heap.
---@param heap Queued[]
---@return Queued?
local function pop(heap)
  local first, last = heap[1], table.remove(heap)
  if #heap == 0 then return first end
  local at = 1
  while true do
    local child = 2 * at
    if heap[child + 1] and is_before(heap[child + 1], heap[child]) then child = child + 1 end
    if not heap[child] or not is_before(heap[child], last) then break end
    heap[at] = heap[child]
    at = child
  end
  heap[at] = last
  return first
end

local function priority_of(path, where, state, length, level)
  local ok, priority = pcall(path.priority, state, length, level) -- fault.guard takes as long as a short priority
  if not ok then fault.guard(where, error, priority, 0) end
  if type(priority) ~= "table" or #priority == 0 then fault.at(where, fault.show(priority), "a list of numbers") end
  for _, number in ipairs(priority) do
    if math.type(number) == nil or number ~= number then fault.at(where, fault.show(number), "a number") end
  end
  return priority
end

--- The moves and states to a win: the move from a state.
local function won(problem, index, move, last)
  local way = {}
  local moves = problem:path(index, way)
  table.insert(moves, problem.moves[move])
  table.insert(way, last)
  return { moves = moves, way = way, frontiers = {} }
end

--- Searches state by state.
---@return Outcome
local function run_in_lua(problem, path, where)
  local set, heap, lengths, pushed = problem.set, {}, { 0 }, 0
  local function queue(state, length, index, win)
    pushed = pushed + 1
    push(heap, { priority = priority_of(path, where, state, length, problem.level), index = index, win = win,
      state = win and set:copy(state), order = pushed })
  end
  queue(set:state(1), 0, 1)
  while #heap > 0 do
    local next = pop(heap)
    if next.win then return won(problem, next.index, next.win, next.state) end
    if problem:is_late() then return { limit = "seconds", frontiers = {} } end
    local origin, length = set:state(next.index), lengths[next.index] + 1
    problem.statistics.expanded = problem.statistics.expanded + 1
    for move = 1, #problem.moves do
      local successor, after = problem:successor(origin, move)
      if successor == WON then
        queue(after, length, next.index, move)
      elseif successor ~= LOST then
        if not successor then
          local limit
          successor, limit = problem:add(next.index, move)
          if limit then return { limit = limit, frontiers = {} } end
          lengths[successor] = math.huge
        end
        if length < lengths[successor] then
          lengths[successor] = length
          set:set_note(successor, Problem.PARENT, next.index)
          set:set_note(successor, Problem.MOVE, move)
          queue(after, length, successor)
        end
      end
    end
  end
  return { frontiers = {} }
end

--- True if the ranks of the start in C are those of the script.
local function are_same(problem, path, where, ranks)
  local priority = priority_of(path, where, problem.set:state(1), 0, problem.level)
  for i, number in ipairs(priority) do
    if number ~= ranks[i] then return false end
  end
  return #priority == #ranks
end

local STRETCH <const> = 1024 -- states that are expanded between two looks at the time

local limits = { states = true, bytes = true, seconds = true }

--- Searches in C. It gives up where a program does not know what a function of the script does.
---@return Outcome? outcome
---@return string? wrong       how the program differs from the script
local function run_native(problem, path, where, program)
  local search, set = program.search, problem.set
  local ending = search:begin(set)
  if not ending and not are_same(problem, path, where, search:ranks()) then
    return nil, where .. " does something else when it is compiled"
  end
  while not ending do
    ending = problem:is_late() and "seconds" or search:expand(set, STRETCH, problem.states)
  end
  if ending == "open" then return nil end
  local expanded, generated, duplicates, lost, index, move = search:outcome()
  problem:add_statistics(expanded, generated, duplicates, lost, 0)
  if ending ~= "won" then return { limit = limits[ending] and ending, frontiers = {}, program = program.about } end
  local last, statistics = set:state(index), problem:take_statistics()
  local wrong = sampling.check_way(problem, sampling.moves_tried, index)
  local successor, after = problem:successor(last, move)
  problem.statistics = statistics
  if successor ~= WON then wrong = sampling.describe(problem, move) end
  if wrong then return nil, wrong end
  local outcome = won(problem, index, move, set:copy(after))
  outcome.program = program.about
  return outcome
end

---@param problem SearchProblem   with the start
---@param path crux.Path
---@param is_native boolean?   in C, if it can be
---@return Outcome
function best_first.run(problem, path, is_native)
  local where, outcome, reason = Problem.label(path, "priority"), nil, nil
  problem:drop_heuristic(path.priority)
  if is_native and problem.states <= Problem.MOST_LENGTH then
    local program <close>, untraced = programs.of(problem)
    if program then
      outcome, reason = run_native(problem, path, where, program)
      if reason then programs.refuse(problem, reason) end
    end
    if outcome then return outcome end
    reason = reason or untraced
    problem:restart()
    problem:take_statistics()
  end
  outcome = run_in_lua(problem, path, where)
  outcome.untraced = reason
  return outcome
end

return best_first
