--- Breadth-first search: native, if the script can be traced, or state by state.
---
--- States are found in the order of their lexicographically first shortest ways, so that the first winning move found
--- ends the first of all shortest solutions, and the move that finds a state is the last of that way.
local native = require "crux.search.native"
local Problem = require "crux.search.problem"
local ways = require "crux.search.ways"

local WON, LOST = Problem.WON, Problem.LOST

local breadth_first = {}

--- What is noted with each state.
local PARENT, MOVE = 1, 2

function breadth_first.notes() return 2 end

---@class Frontier          the states at one depth
---@field first integer
---@field last integer
---@field ways integer[]?   how many shortest ways lead to each, when that is asked

---@class Outcome           what a search found
---@field moves string[]?   the solution
---@field solutions integer?   number of shortest solutions, when it is known; ways.many
---@field limit string?     what ended the search early
---@field frontiers integer[]  the number of states at each depth
---@field untraced string?    why it was not native though that was asked
---@field wrong string?       why nothing of this can be trusted: the traced script differs from the script
---@field program table?      of the native search
---@field step_seconds number?   of a native search that is timed: what step took,
---@field set_seconds number?    and the set of states

--- Tries the moves of one state. Once there is a goal, it only counts further ways to win.
---@param goal table?          the first winning move
---@param next_ways integer[]? those of the next frontier, by place
---@return table? goal
---@return string? limit
local function expand(problem, index, frontier, next_ways, goal)
  local set = problem.set
  local origin = set:state(index)
  local leading = frontier.ways and frontier.ways[index - frontier.first + 1]
  problem.statistics.expanded = problem.statistics.expanded + 1
  for move = 1, #problem.moves do
    local successor = problem:successor(origin, move)
    if successor == WON then
      goal = goal or { index = index, move = move, solutions = 0, statistics = problem:take_statistics() }
      if not leading then return goal end
      goal.solutions = ways.sum(goal.solutions, leading)
    elseif successor ~= LOST and not goal then
      if not successor then
        local limit
        successor, limit = problem:add()
        if limit then return nil, limit end
        set:set_note(successor, PARENT, index)
        set:set_note(successor, MOVE, move)
      end
      local place = successor - frontier.last
      if leading and place > 0 then next_ways[place] = ways.sum(next_ways[place] or 0, leading) end
    end
  end
  return goal
end

--- Searches natively, if the script can be traced.
---@param count boolean?
---@param outcome Outcome
---@return boolean is_done
---@return table? goal
---@return string? limit
local function run_natively(problem, count, outcome)
  local program <close>, reason = native.program(problem)
  outcome.untraced = reason
  if not program then return false end
  local goal, limit
  goal, limit, outcome.wrong = native.run(problem, program, outcome, count, { parent = PARENT, move = MOVE })
  if not outcome.wrong then outcome.program = program.about end
  return true, goal, limit
end

--- Searches state by state.
---@param frontier Frontier
---@param outcome Outcome
---@return table? goal
---@return string? limit
local function run_in_lua(problem, frontier, outcome)
  local set, count, goal, limit = problem.set, frontier.ways, nil, nil
  while frontier.first <= frontier.last and not goal and not limit do
    table.insert(outcome.frontiers, frontier.last - frontier.first + 1)
    local next_ways = count and {}
    for index = frontier.first, frontier.last do
      if problem:is_late() then limit = "seconds" end
      if limit or goal and not count then break end
      goal, limit = expand(problem, index, frontier, next_ways, goal)
    end
    frontier = { first = frontier.last + 1, last = #set, ways = next_ways }
  end
  if frontier.first <= frontier.last then table.insert(outcome.frontiers, frontier.last - frontier.first + 1) end
  return goal, limit
end

---@param problem Problem
---@param count boolean?   the number of shortest solutions, too
---@param is_native boolean?  run by C, if the script can be traced
---@return Outcome
function breadth_first.run(problem, count, is_native)
  local frontier = { first = 1, last = 1, ways = count and { 1 } }
  local is_done, goal, limit = false, nil, nil
  local outcome = { frontiers = {} }
  if is_native then is_done, goal, limit = run_natively(problem, count, outcome) end
  if not is_done then goal, limit = run_in_lua(problem, frontier, outcome) end
  if goal then
    problem.statistics = goal.statistics or problem.statistics
    outcome.moves = problem:path(goal.index, PARENT, MOVE)
    table.insert(outcome.moves, problem.moves[goal.move])
    outcome.solutions = count and not limit and goal.solutions or nil
  end
  outcome.limit = limit
  return outcome
end

return breadth_first
