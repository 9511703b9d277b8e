--- Breadth-first search, native if the script can be traced, else state by state; with a heuristic, within a rising bound.
---
--- States whose depth plus estimate is above the bound are left out; if there is no solution within the bound, the search
--- starts again with a higher one (Zhou and Hansen, Breadth-first heuristic search, 2006). No state of a solution within the
--- bound is left out, and longer solutions are not found, as an estimate counts as at least 1: the solutions are the same as
--- without a heuristic.
---
--- States are found in the order of their lexicographically first shortest paths. So the first winning move found ends the
--- first of all shortest solutions, and the move that finds a state is the last of its path.
local expander = require "crux.search.expander"
local native = require "crux.search.native"
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local Shortest = require "crux.search.shortest"
local ways = require "crux.search.ways"

local WON, LOST = Problem.WON, Problem.LOST

local breadth_first = {}

---@class Frontier          the states at one depth
---@field depth integer
---@field bound integer?
---@field beyond integer?   the least depth plus estimate that was left out up to this depth
---@field first integer
---@field last integer
---@field ways integer[]?   the number of shortest paths to each, if solutions are counted

---@class Outcome                the result of a search
---@field moves string[]?        the solution
---@field way table[]?           the states on it, from the start to the win
---@field index integer?         the last state before a win, of a native search
---@field move integer?          that wins
---@field solutions integer?     number of shortest solutions, if it is known, or ways.many
---@field shortest Shortest?     all shortest solutions, if asked for
---@field limit string?          that ended the search early
---@field frontiers integer[]    the number of states at each depth
---@field least integer?         no solution has fewer moves, by the heuristic or by layers on disk
---@field states integer?        that were found, if not those of the set
---@field bits integer?          of such a state
---@field bytes integer?         of all these
---@field untraced string?       why the search was not native although that was asked for
---@field wrong string?          how the traced script differs from the script: the outcome cannot be trusted
---@field program table?         of the native search
---@field step_seconds number?   time in step, of a native search that is timed
---@field set_seconds number?    time in the set of states, of the same

--- Counts a state that is beyond the bound; returns true for it.
local function leave_out(problem, frontier, successor, after)
  if not frontier.bound then return false end
  local sum, statistics = frontier.depth + 1 + math.max(1, problem:estimate(after)), problem.statistics
  if sum <= frontier.bound then return false end
  frontier.beyond, statistics.beyond = math.min(frontier.beyond or sum, sum), statistics.beyond + 1
  if successor then statistics.duplicates = statistics.duplicates - 1 end -- it is counted as left out instead
  return true
end

--- Tries the moves of one state. After a goal is found, only further ways to win are counted.
---@param next_ways integer[]?   the ways of the next frontier, by place
---@param goal table?            the first winning move
---@return table? goal
---@return string? limit
local function expand(problem, index, frontier, next_ways, goal)
  local origin = problem.set:state(index)
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
        successor, limit = problem:add(index, move)
        if limit then return nil, limit end
      end
      local place = successor - frontier.last
      if leading and place > 0 then next_ways[place] = ways.sum(next_ways[place] or 0, leading) end
    end
  end
  return goal
end

--- Tries the moves of one state, without a bound and without counting.
---@return table? goal
---@return string? limit
local function expand_plainly(problem, index)
  problem.statistics.expanded = problem.statistics.expanded + 1
  local move = 0
  while move < #problem.moves do
    local limit, successor
    move, limit, successor = problem:expand(index, move + 1)
    if limit then return nil, limit end
    if successor == WON then return { index = index, move = move, solutions = 0, statistics = problem:take_statistics() } end
  end
end

--- Searches state by state.
---@param bound integer?
---@return table? goal
---@return string? limit
---@return integer? beyond
local function run_in_lua(problem, count, bound, outcome)
  local frontier = { first = 1, last = 1, depth = 0, bound = bound, ways = count and { 1 } }
  local set, goal, limit, is_plain = problem.set, nil, nil, not count and not bound
  outcome.frontiers = {}
  problem:steps()
  while frontier.first <= frontier.last and not goal and not limit do
    table.insert(outcome.frontiers, frontier.last - frontier.first + 1)
    local next_ways = count and {}
    for index = frontier.first, frontier.last do
      if problem:is_late() then limit = "seconds" end
      if limit or goal and not count then break end
      if is_plain then
        goal, limit = expand_plainly(problem, index)
      else
        goal, limit = expand(problem, index, frontier, next_ways, goal)
      end
    end
    frontier = { first = frontier.last + 1, last = #set, depth = frontier.depth + 1, bound = bound, beyond = frontier.beyond,
      ways = next_ways }
  end
  problem:end_steps()
  if frontier.first <= frontier.last then table.insert(outcome.frontiers, frontier.last - frontier.first + 1) end
  return goal, limit, frontier.beyond
end

--- The heuristic is dropped if it leaves out less than one of this many states that are not known.
local STATES_PER_CUT <const> = 8

local function is_useless(statistics)
  return statistics.beyond * STATES_PER_CUT < statistics.generated - statistics.duplicates - statistics.lost
end

--- Searches with rising bounds while the heuristic leaves out enough states.
---@param bound integer?   the first
---@return table? goal
---@return string? limit
---@return boolean? is_open   the search has to be repeated without the heuristic
local function search_within(bound, problem, count, is_native, outcome)
  local made = is_native and expander.of(problem, count)
  if made then return expander.run(made, problem, outcome) end
  local program, reason
  if is_native then program, reason = programs.of(problem) end
  local alone <close> = program and not program.shape and program or nil -- luacheck: no unused
  outcome.untraced = reason
  local goal, limit, beyond
  local rise, states = 1, nil
  while true do
    if program then
      goal, limit, beyond = native.run(problem, program, outcome, count, bound)
      outcome.program = not outcome.wrong and program.about or nil
    else
      goal, limit, beyond = run_in_lua(problem, count, bound, outcome)
    end
    if goal or limit or not beyond then return goal, limit end
    local grew = states and 2 * #problem.set >= 3 * states
    states, outcome.least = #problem.set, beyond
    problem:restart()
    if is_useless(problem.statistics) then return nil, nil, true end
    rise = grew and 1 or rise
    bound, rise = math.max(beyond, bound + rise), 2 * rise
  end
end

---@param options SearchOptions
---@return Outcome
function breadth_first.run(problem, options)
  local outcome = { moves = nil, way = nil, index = nil, move = nil, solutions = nil, frontiers = nil } -- makes room
  local count, is_native = options.count, options.engine ~= "interpreted"
  local first = problem.spec.heuristic and problem:estimate(problem.set:state(1)) or nil
  outcome.least = first
  local goal, limit, is_open = search_within(first, problem, count, is_native, outcome)
  if is_open then
    problem:drop_heuristic()
    goal, limit = search_within(nil, problem, count, is_native, outcome)
  end
  if goal then
    problem.statistics = goal.statistics or problem.statistics
    outcome.way = options.way and {} or nil
    outcome.moves = problem:path(goal.index, outcome.way)
    outcome.moves[#outcome.moves + 1] = problem.moves[goal.move]
    if options.way then
      local last = problem.set:state(goal.index)
      problem.spec.step(last, problem.moves[goal.move], problem.level)
      table.insert(outcome.way, last)
    end
    outcome.solutions = count and not limit and goal.solutions or nil
    if options.shortest then
      outcome.shortest = Shortest.new(problem, outcome.frontiers, #outcome.moves)
      if not outcome.shortest then outcome.moves, outcome.way, limit = nil, nil, "seconds" end
    end
  end
  outcome.limit = limit
  return outcome
end

return breadth_first
