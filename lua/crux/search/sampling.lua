--- Samples whether a program does what the script does: some states are tried in Lua, too. If a result differs, the level is
--- searched in Lua. `crux check --game` compares complete searches.
local Problem = require "crux.search.problem"

local sampling = {}

--- The states that are tried of a step's first program; of each further one, one is.
local FIRST <const> = 16

--- A state is tried whenever the number of a program's states has doubled, at least one in 262,144.
local LONGEST_PAUSE <const> = 262144

--- The number of states of a program after which a later one is tried first.
sampling.first = 2 * FIRST

--- The last state and moves of a solution that took at least 8,192 states are tried.
sampling.moves_tried = 2
local WORTH_TRYING <const> = 8192

local names = { [Problem.WON] = "won", [Problem.LOST] = "lost" }

--- Makes a move in Lua; returns "wrong" when the script raises or the result is no state.
---@return string|integer|false successor
---@return integer? estimate   if there is a heuristic, and the successor is neither won nor lost
local function in_lua(problem, origin, move)
  local ok, successor, after = pcall(problem.successor, problem, origin, move, true)
  if not ok or successor == nil then return "wrong" end
  if names[successor] or not problem.spec.heuristic then return names[successor] or successor end
  local is_estimated, estimate = pcall(problem.estimate, problem, after)
  if not is_estimated then return "wrong" end
  return successor, estimate
end

--- A message: with this move, step and program differ.
function sampling.describe(problem, move)
  return ("%s with move '%s' does something else when it is compiled"):format(Problem.label(problem.spec, "step"),
    problem.moves[move])
end

--- Tries a state in Lua. Successors that are not in the set count as equal.
---@return string? wrong
local function try(problem, search, index)
  local successors, estimates = search:try(problem.set, index)
  local origin, statistics, wrong = problem.set:state(index), problem:take_statistics(), nil
  for move, expected in ipairs(successors) do
    local successor, estimate = expected, nil
    if expected ~= "open" then successor, estimate = in_lua(problem, origin, move) end
    if successor ~= expected or estimate and estimate ~= estimates[move] then
      wrong = sampling.describe(problem, move)
      break
    end
  end
  problem.statistics = statistics
  return wrong
end

--- Tries some states in Lua, if some are due.
---@param last integer   the last expanded state
---@return string? wrong
function sampling.check(problem, program, last)
  local families = program.families
  local count = math.max(FIRST - families.tried, program.is_new and 1 or 0)
  program.is_new = false
  for index = 1, math.min(count, last) do
    families.tried = families.tried + 1
    local wrong = try(problem, program.search, index)
    if wrong then return wrong end
  end
  if program.expanded < program.next then return end
  program.next = program.expanded + math.min(program.expanded, LONGEST_PAUSE)
  return try(problem, program.search, last - last // 3) -- about the middle of the new states
end

--- Tries in Lua whether the last moves of the path to a state lead there.
---@param limit number   of moves
---@return string? wrong
function sampling.check_way(problem, limit, index)
  local set, statistics = problem.set, problem:take_statistics()
  local wrong, tried = nil, 0
  while index ~= 1 and not wrong and tried < limit do
    local parent, move = set:note(index, Problem.PARENT), set:note(index, Problem.MOVE)
    local ok, successor = pcall(problem.successor, problem, set:state(parent), move)
    if not ok or successor ~= index then wrong = sampling.describe(problem, move) end
    index, tried = parent, tried + 1
  end
  problem.statistics = statistics
  return wrong
end

--- Tries the end of a solution in Lua.
---@param index integer   the last state
function sampling.check_goal(problem, program, last, index)
  if last < WORTH_TRYING then return end
  return try(problem, program.search, index) or sampling.check_way(problem, sampling.moves_tried, index)
end

return sampling
