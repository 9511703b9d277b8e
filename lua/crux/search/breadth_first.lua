--- Breadth-first search, native if the script can be traced, or state by state; with a heuristic, within a bound that rises.
---
--- States whose depth and estimate add up to more than the bound are left out; when there is no solution within it, the search
--- begins anew with a higher one (Zhou and Hansen, Breadth-first heuristic search, 2006). No state of a solution that is as
--- short as the bound, or shorter, is left out, and longer ones are not found, as the estimate counts as 1 at least: so all
--- that is said of solutions is as without a heuristic.
---
--- States are found in the order of their lexicographically first shortest ways, so that the first winning move found
--- ends the first of all shortest solutions, and the move that finds a state is the last of that way.
local expander = require "crux.search.expander"
local native = require "crux.search.native"
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local ways = require "crux.search.ways"

local WON, LOST = Problem.WON, Problem.LOST

local breadth_first = {}

--- What is noted with each state.
local PARENT, MOVE = 1, 2

function breadth_first.notes() return 2 end

---@class Frontier          the states at one depth
---@field depth integer
---@field bound integer?
---@field beyond integer?   the least sum of depth and estimate that was left out here or before
---@field first integer
---@field last integer
---@field ways integer[]?   how many shortest ways lead to each, when that is asked

---@class Outcome           what a search found
---@field moves string[]?   the solution
---@field way table[]?      the states on its way, from the start to the win
---@field solutions integer?   number of shortest solutions, when it is known; ways.many
---@field limit string?     what ended the search early
---@field frontiers integer[]  the number of states at each depth
---@field untraced string?    why it was not native though that was asked
---@field wrong string?       why nothing of this can be trusted: the traced script differs from the script
---@field program table?      of the native search
---@field step_seconds number?   of a native search that is timed: what step took,
---@field set_seconds number?    and the set of states

--- Whether a state is beyond the bound.
local function leave_out(problem, frontier, successor, after)
  if not frontier.bound then return false end
  local sum, statistics = frontier.depth + 1 + math.max(1, problem:estimate(after)), problem.statistics
  if sum <= frontier.bound then return false end
  frontier.beyond, statistics.beyond = math.min(frontier.beyond or sum, sum), statistics.beyond + 1
  if successor then statistics.duplicates = statistics.duplicates - 1 end -- it counts as left out
  return true
end

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
    local successor, after = problem:successor(origin, move)
    if successor == WON then
      goal = goal or { index = index, move = move, solutions = 0, statistics = problem:take_statistics() }
      if not leading then return goal end
      goal.solutions = ways.sum(goal.solutions, leading)
    elseif successor ~= LOST and not goal and not leave_out(problem, frontier, successor, after) then
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

--- Searches state by state.
---@param bound integer?
---@param outcome Outcome
---@return table? goal
---@return string? limit
---@return integer? beyond
local function run_in_lua(problem, count, bound, outcome)
  local frontier = { first = 1, last = 1, depth = 0, bound = bound, ways = count and { 1 } }
  local set, goal, limit = problem.set, nil, nil
  outcome.frontiers = {}
  while frontier.first <= frontier.last and not goal and not limit do
    table.insert(outcome.frontiers, frontier.last - frontier.first + 1)
    local next_ways = count and {}
    for index = frontier.first, frontier.last do
      if problem:is_late() then limit = "seconds" end
      if limit or goal and not count then break end
      goal, limit = expand(problem, index, frontier, next_ways, goal)
    end
    frontier = { first = frontier.last + 1, last = #set, depth = frontier.depth + 1, bound = bound, beyond = frontier.beyond,
      ways = next_ways }
  end
  if frontier.first <= frontier.last then table.insert(outcome.frontiers, frontier.last - frontier.first + 1) end
  return goal, limit, frontier.beyond
end

--- The heuristic is dropped when it keeps out less than one in so many states that moves lead to.
local WORTH_IT <const> = 8

local notes = { parent = PARENT, move = MOVE }

---@return Program?
---@return string? reason   why there is none though it was wanted
local function program_for(problem, is_native)
  if is_native then return programs.of(problem) end
end

--- Searches with one bound after the other, as long as the heuristic is worth it.
---@param bound integer?   the first
---@param outcome Outcome
---@return table? goal
---@return string? limit
---@return boolean? is_open   the search should go on without the heuristic
local function search_within(bound, problem, count, is_native, outcome)
  local made = expander.of(problem)
  if made and is_native and not count then return expander.run(made, problem, outcome) end
  local program <close>, reason = program_for(problem, is_native and not made)
  outcome.untraced = reason
  local goal, limit, beyond
  local rise = 1
  while true do
    if program then
      goal, limit, beyond = native.run(problem, program, outcome, count, bound, notes)
      outcome.program = not outcome.wrong and program.about or nil
    else
      goal, limit, beyond = run_in_lua(problem, count, bound, outcome)
    end
    if goal or limit or not beyond then return goal, limit end
    problem:restart()
    if problem.statistics.beyond * WORTH_IT < problem.statistics.generated then return nil, nil, true end
    bound, rise = math.max(beyond, bound + rise), 2 * rise
  end
end

---@param problem Problem
---@param options SearchOptions
---@return Outcome
function breadth_first.run(problem, options)
  local outcome, count, is_native = { frontiers = {} }, options.count, options.engine ~= "interpreted"
  local first = problem.spec.heuristic and problem:estimate(problem.set:state(1)) or nil
  local goal, limit, is_open = search_within(first, problem, count, is_native, outcome)
  if is_open then
    problem:drop_heuristic()
    goal, limit = search_within(nil, problem, count, is_native, outcome)
  end
  if goal then
    problem.statistics = goal.statistics or problem.statistics
    outcome.way = options.way and {} or nil
    outcome.moves = problem:path(goal.index, PARENT, MOVE, outcome.way)
    table.insert(outcome.moves, problem.moves[goal.move])
    if options.way then
      local last = problem.set:state(goal.index)
      problem.spec.step(last, problem.moves[goal.move], problem.level)
      table.insert(outcome.way, last)
    end
    outcome.solutions = count and not limit and goal.solutions or nil
  end
  outcome.limit = limit
  return outcome
end

return breadth_first
