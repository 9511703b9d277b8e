--- Checks that a heuristic is admissible: that it never estimates more moves than are needed.
---
--- The states are explored from the start without the heuristic, as far as the limits allow, and the moves to the nearest win
--- are counted backwards from all wins. States beyond the limits can only make these counts too large, so a heuristic that is
--- refused is wrong.
local Problem = require "crux.search.problem"

local WON, LOST = Problem.WON, Problem.LOST

local admissibility = {}

--- The further notes of a state: the successor by each move, 0 if unexplored.
local SUCCESSORS <const> = Problem.NOTES

function admissibility.notes(moves) return SUCCESSORS + #moves end

---@class Violation
---@field moves string[]      from the start to the state
---@field estimate integer    of the heuristic
---@field distance integer    moves from the state to a win

--- Notes the successors of every state that is found within the limits.
---@return string? limit
local function explore(problem)
  local set, reached, index = problem.set, nil, 1
  while index <= #set do
    if problem:is_late() then return "seconds" end
    local origin = set:state(index)
    for move = 1, #problem.moves do
      local successor = problem:successor(origin, move)
      if not successor then
        local limit
        successor, limit = problem:add(index, move)
        reached = reached or limit
      end
      set:set_note(index, SUCCESSORS + move, successor or 0)
    end
    index = index + 1
  end
  return reached
end

--- The number of moves from each state to the nearest win; none for states from which no win was found.
---@return table<integer, integer>
local function distances(problem)
  local set, moves = problem.set, #problem.moves
  local latest, earlier = {}, {} -- by state: the last noted move into it; by move into a state: the one noted before
  local distance, queue = {}, {}
  for index = 1, #set do
    for move = 1, moves do
      local successor = set:note(index, SUCCESSORS + move)
      if successor == WON and not distance[index] then
        distance[index] = 1
        table.insert(queue, index)
      elseif successor > 0 and successor < LOST then
        local edge = (index - 1) * moves + move
        earlier[edge], latest[successor] = latest[successor], edge
      end
    end
  end
  for _, index in ipairs(queue) do
    local edge = latest[index]
    while edge do
      local before = (edge - 1) // moves + 1
      if not distance[before] then
        distance[before] = distance[index] + 1
        table.insert(queue, before)
      end
      edge = earlier[edge]
    end
  end
  return distance
end

--- Checks the states on a solution: none needs more moves than the solution makes from it.
---@param moves string[]
---@return Violation?
local function along(problem, moves)
  local numbers = {}
  for number, name in ipairs(problem.moves) do numbers[name] = number end
  local state = problem.set:state(1)
  for i = 1, #moves do
    local estimate, distance = problem:estimate(problem.set:copy(state)), #moves - i + 1
    if estimate > distance then
      return { moves = table.move(moves, 1, i - 1, 1, {}), estimate = estimate, distance = distance }
    end
    state = problem.set:copy(select(2, problem:successor(state, numbers[moves[i]])))
  end
end

--- Checks every state within the limits.
---@return Violation?
---@return string? limit   if it left states out
local function everywhere(problem)
  local limit = explore(problem)
  local distance = distances(problem)
  for index = 1, #problem.set do
    if distance[index] then
      local estimate = problem:estimate(problem.set:state(index))
      if estimate > distance[index] then
        return { moves = problem:path(index), estimate = estimate, distance = distance[index] }, limit
      end
    end
  end
  return nil, limit
end

--- The first violation: on the solution, if there is one, else on the states within the limits.
---@param moves string[]?   the solution
---@return Violation?
---@return string? limit    if it left states out
function admissibility.find(problem, moves)
  if #problem.set == 0 then return nil, "bytes" end
  if problem.starts_won then return end
  local violation = moves and along(problem, moves)
  if violation then return violation end
  return everywhere(problem)
end

return admissibility
