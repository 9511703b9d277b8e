--- Native breadth-first search: C runs a traced step on batches of states and finds the same states in the same order as a
--- search in Lua.
local Problem = require "crux.search.problem"
local programs = require "crux.search.programs"
local sampling = require "crux.search.sampling"

local native = {}

local STRETCH <const> = 16384 -- states that are expanded between two looks at the time

--- After this number of states a program is specialised for states with the same value of a flag.
native.warm = 4096

--- Makes the program for states with the same value of a flag.
---@param program Program   whose trace was kept
function native.specialise(program)
  program.search:specialise(program.trace)
  if program.shape then program.search:bind(program.shape) end
  program.trace:close()
  program.trace = nil
end

--- Makes in Lua the move of which the program does not know what it does.
local function settle(problem, search, index, move)
  local statistics = problem:take_statistics()
  local ok, successor, after = pcall(problem.successor, problem, problem.set:state(index), move, true)
  local ends = { [Problem.WON] = "won", [Problem.LOST] = "lost" }
  local outcome = ok and successor ~= nil and (ends[successor] or "state") or "refused"
  local estimate
  if outcome == "state" and problem.spec.heuristic then ok, estimate = pcall(problem.estimate, problem, after) end
  problem.statistics = statistics
  search:settle(problem.set, outcome, ok and estimate or nil)
end

--- Expands states until there is a win, a limit is met, or none is left.
---@param count boolean?
---@param bound integer?
---@return string? wrong    how the program differs from the script
---@return string? ending   "violation", a limit or another reason of libcrux.native_search
---@return integer last     the last expanded state
local function expand(problem, program, count, bound)
  local search, set, last, most = program.search, problem.set, 0, problem.states
  local is_late = problem.began and problem:is_late()
  local stretch = is_late and 0 or program.trace and native.warm or STRETCH
  local expanded, ending, index, move = search:begin(set, stretch, most, count, problem.is_timed, bound)
  if is_late then return nil, "seconds", last end
  while true do
    program.expanded, last = program.expanded + expanded - last, expanded
    if program.trace and program.expanded >= native.warm then native.specialise(program) end
    if ending == "violation" then
      local state, step = search:place()
      local wrong = sampling.check_way(problem, math.huge, state)
      if not wrong then -- one of both raises
        local _, after = problem:successor(set:state(state), step)
        if problem.spec.heuristic then problem:estimate(after) end
      end
      return wrong or sampling.describe(problem, step), nil, last
    end
    if ending == "open" then
      settle(problem, search, index, move)
    else
      local wrong = sampling.check(problem, program, last)
      if wrong or ending then return wrong, ending, last end
    end
    if problem:is_late() then return nil, "seconds", last end
    expanded, ending, index, move = search:expand(set, program.trace and native.warm or STRETCH, most)
  end
end

local limits = { states = true, bytes = true, seconds = true }

--- Why Lua made some of the moves: a text if it made at least 1 %.
local function share_in_lua(reason, generated, settled)
  local percent = math.min(100, 100 * settled // math.max(generated, 1))
  return percent > 0 and ("for %d %% of the moves: %s"):format(percent, reason) or nil
end

--- Searches from the start, the only state so far.
---@param outcome Outcome   gets the sizes of the frontiers, and the win
---@param count boolean?    count the ways to win
---@param bound integer?    states whose depth plus estimate is above it are left out
---@return Outcome? goal   the outcome, if a move wins
---@return string? limit
---@return integer? beyond   the least depth plus estimate that was left out
function native.run(problem, program, outcome, count, bound)
  local search, reason = program.search, program.about.reason
  local wrong, ending, last = expand(problem, program, count, bound)
  local goal, beyond
  if not wrong then
    local expanded, generated, duplicates, lost, cut, settled
    outcome.frontiers, expanded, generated, duplicates, lost, cut, settled, beyond, outcome.index, outcome.move,
      outcome.solutions = search:outcome(problem.set)
    problem:add_statistics(expanded, generated, duplicates, lost, cut)
    outcome.untraced = reason and share_in_lua(reason, generated, settled) or outcome.untraced
    if problem.is_timed then
      local step_seconds, set_seconds = search:times()
      outcome.step_seconds = (outcome.step_seconds or 0) + step_seconds
      outcome.set_seconds = (outcome.set_seconds or 0) + set_seconds
    end
    goal = outcome.index and outcome
    wrong = goal and sampling.check_goal(problem, program, last, outcome.index)
  end
  if wrong then
    outcome.wrong = wrong
    programs.refuse(problem, wrong)
  end
  return goal, limits[ending] and ending, not wrong and beyond or nil
end

return native
