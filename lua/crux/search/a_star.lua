--- A*, for games with a heuristic: admissible, and for the rest as it likes.
---
--- States wait in lists by their depth plus the estimate of what is left. The list with the least sum is worked off by
--- depth; a state that is then found nearer to the start is worked off again, from the successors noted the first time, so
--- that step is called once for each state and move. The first sum with a winning move is the length of the solutions: by
--- then every state that lies on one has its true depth and successors, so that the ways to win are counted backwards
--- through these, and the first move that has any is taken at each state.
local Problem = require "crux.search.problem"
local ways = require "crux.search.ways"

local WON, LOST = Problem.WON, Problem.LOST

local a_star = {}

--- What is noted with each state: the depth at which it was last found, the estimate, then its successors, the first of
--- them being 0 until step was called.
local DEPTH, ESTIMATE, SUCCESSORS = 1, 2, 2

function a_star.notes(moves) return SUCCESSORS + #moves end

---@class AStar
---@field problem Problem
---@field sum integer         the one that is worked off
---@field waiting table<integer, integer[]>   lists of states, by greater sums
---@field current table<integer, integer[]>   those of this sum and below, by depth
---@field deepest integer     depth in current
---@field length integer?     of the solutions, once a move wins

--- Notes at which depth a state lies, and lets it wait.
---@param search AStar
local function put(search, index, depth)
  local set = search.problem.set
  set:set_note(index, DEPTH, depth)
  local sum = depth + set:note(index, ESTIMATE)
  local lists, key = search.waiting, sum
  if sum <= search.sum then
    lists, key = search.current, depth
    search.deepest = math.max(search.deepest, depth)
  end
  if not lists[key] then lists[key] = {} end
  table.insert(lists[key], index)
end

--- Notes the estimate that counts: at least 1, as a state that is entered is not won, and no more than a note holds.
local function note_estimate(problem, index, state)
  problem.set:set_note(index, ESTIMATE, math.max(1, math.min(problem:estimate(state), LOST)))
end

--- Calls step for every move of a state and notes the successors.
---@return string? limit
local function find_successors(problem, index)
  local set = problem.set
  local origin = set:state(index)
  problem.statistics.expanded = problem.statistics.expanded + 1
  for move = 1, #problem.moves do
    local successor, state = problem:successor(origin, move)
    if not successor then
      local limit
      successor, limit = problem:add()
      if limit then return limit end
      note_estimate(problem, successor, state)
    end
    set:set_note(index, SUCCESSORS + move, successor)
  end
end

--- Passes on that a state lies at a depth: to its successors, which may be nearer to the start than was known.
---@param search AStar
---@return string? limit
local function follow(search, index, depth)
  local problem, set, limit = search.problem, search.problem.set, nil
  if problem:is_late() then return "seconds" end
  if set:note(index, SUCCESSORS + 1) == 0 then limit = find_successors(problem, index) end
  for move = 1, #problem.moves do
    local successor = set:note(index, SUCCESSORS + move)
    if successor == WON then
      search.length = search.length or depth + 1
    elseif successor ~= LOST and successor > 1 then
      local known = set:note(successor, DEPTH)
      if known == 0 or depth + 1 < known then put(search, successor, depth + 1) end
    end
  end
  return limit
end

--- Works off the states that wait with the least sum, by depth, and those that this brings to that sum or below.
---@param search AStar
---@return string? limit
local function work_off(search)
  local set, waiting = search.problem.set, search.waiting[search.sum]
  search.waiting[search.sum], search.current, search.deepest = nil, {}, 0
  for _, index in ipairs(waiting) do put(search, index, set:note(index, DEPTH)) end
  local depth = 0
  while depth <= search.deepest do
    for _, index in ipairs(search.current[depth] or {}) do
      local limit = set:note(index, DEPTH) == depth and follow(search, index, depth)
      if limit then return limit end
    end
    depth = depth + 1
  end
end

--- The states that were worked off: lists by depth, from 0 to length - 1.
---@param search AStar
local function layers(search)
  local set, layer, all, seen = search.problem.set, { 1 }, {}, {}
  for depth = 0, search.length - 1 do
    all[depth] = layer
    local deeper = {}
    for _, index in ipairs(layer) do
      for move = 1, #search.problem.moves do
        local successor = set:note(index, SUCCESSORS + move)
        if successor < LOST and not seen[successor] and set:note(successor, SUCCESSORS + 1) ~= 0 then
          seen[successor] = true
          table.insert(deeper, successor)
        end
      end
    end
    layer = deeper
  end
  return all
end

--- The first of the shortest solutions, and how many there are.
---@param search AStar
local function solution(search)
  local set, moves, all = search.problem.set, search.problem.moves, layers(search)
  local winning = { [search.length] = { [WON] = 1 } } -- by depth and state: the ways to win in just the moves that are left
  for depth = search.length - 1, 0, -1 do
    winning[depth] = {}
    for _, index in ipairs(all[depth]) do
      local total = 0
      for move = 1, #moves do
        total = ways.sum(total, winning[depth + 1][set:note(index, SUCCESSORS + move)] or 0)
      end
      if total ~= 0 then winning[depth][index] = total end
    end
  end
  local names, index = {}, 1
  for depth = 1, search.length do
    local move = 1
    while not winning[depth][set:note(index, SUCCESSORS + move)] do move = move + 1 end
    table.insert(names, moves[move])
    index = set:note(index, SUCCESSORS + move)
  end
  return names, winning[0][1]
end

--- The number of states at each depth.
local function frontiers(set)
  local sizes = { 1 }
  for index = 2, #set do
    local depth = set:note(index, DEPTH)
    for missing = #sizes + 1, depth + 1 do sizes[missing] = 0 end
    sizes[depth + 1] = sizes[depth + 1] + 1
  end
  return sizes
end

--- The least sum with which states wait.
local function least(waiting)
  local sum
  for other in pairs(waiting) do sum = math.min(sum or other, other) end
  return sum
end

--- It always knows the number of shortest solutions.
---@param problem Problem
---@return Outcome
function a_star.run(problem)
  local search = { problem = problem, waiting = {}, sum = 0 }
  local outcome = {}
  note_estimate(problem, 1, problem.set:state(1))
  put(search, 1, 0)
  while not search.length and not outcome.limit and next(search.waiting) do
    search.sum = least(search.waiting)
    outcome.limit = work_off(search)
  end
  outcome.frontiers = frontiers(problem.set)
  if search.length and not outcome.limit then outcome.moves, outcome.solutions = solution(search) end
  return outcome
end

return a_star
