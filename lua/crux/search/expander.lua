--- Runs searches that C has for games without a step in Lua, or for those of a kit. They find the same states in the same order
--- as a search in Lua.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local Problem = require "crux.search.problem"
local process = require "libcrux.process"

local expander = {}

local BYTES <const> = 64 -- that a search keeps for a state, at most

---@class ExpanderMaker
---@field make fun(level: table, count: boolean?, set: userdata): Expander?   nil where it does not serve the level. count: it
---                     counts the shortest solutions; set: has the start
---@field solve nil|fun(level: table): integer[]|false|nil, table[]?   the moves of the first shortest solution, and the states
---                     on it, if all states of the level are found in little time; false without one; nil for another level
---@field most integer?     states that solve finds at most
---@field stretch integer   states expanded between two checks of the time limit
---@field is_only boolean   the step cannot be traced

---@class Expander
---@field expand fun(self: Expander, set: userdata, most: integer, states: integer): string?, string?   the ending:
---                     "paused", "through", "won", "states", "bytes"; or nil and a message
---@field statistics fun(self: Expander): integer, integer, integer, number, integer?, integer?, integer?   states expanded,
---                     moves tried, moves that led to known states, seconds in the set; after a win, the numbers of the state
---                     and the move that won, and of shortest solutions, as in crux.search.ways

--- By the step of a game. The table is local so that no script can set one.
---@type table<function, ExpanderMaker>
local makers = setmetatable({}, { __mode = "k" })

--- Registers what makes the Expander of each level of a search.
---@param step function
---@param maker ExpanderMaker
function expander.register(step, maker) makers[step] = maker end

local function maker_of(problem) return makers[Problem.original(problem.spec.step)] end

--- True if the step of a problem cannot be traced.
function expander.is_only(problem)
  local maker = maker_of(problem)
  return maker ~= nil and maker.is_only
end

--- Returns the Expander of a problem; nil if its search has none.
---@param count boolean?   count the shortest solutions
---@return Expander?
function expander.of(problem, count)
  local maker = maker_of(problem)
  return maker and maker.make(problem.level, count, problem.set)
end

--- The first of the shortest solutions, of a level that solve serves; nil if more is asked for, or a limit could be met.
---@param options SolveOptions
---@return Outcome?
function expander.solve(problem, options)
  local maker = maker_of(problem)
  if options.effort ~= false or options.count or options.shortest or options.best_first or options.engine or options.searches
    or not maker or not maker.solve or problem.states <= maker.most or problem.bytes < maker.most * BYTES then
    return nil
  end
  local moves, way = maker.solve(problem.level)
  if moves == nil then return nil end
  return { moves = moves and lists.pick(problem.moves, moves) or nil, way = options.way and way or nil, frontiers = {},
    program = { is_shared = true } }
end

--- Searches from the start, which must be the only state in the set.
---@param self Expander
---@return table? goal
---@return string? limit
function expander.run(self, problem, outcome)
  local ending
  local began, stretch = process.seconds(), maker_of(problem).stretch
  repeat
    ending = problem:is_late() and "seconds" or fault.check(self:expand(problem.set, stretch, problem.states))
  until ending ~= "paused"
  local expanded, generated, duplicates, set_seconds, index, move, solutions = self:statistics()
  problem:add_statistics(expanded, generated, duplicates, 0, 0)
  outcome.step_seconds, outcome.set_seconds = process.seconds() - began - set_seconds, set_seconds
  outcome.frontiers, outcome.program = problem:layers(), { is_shared = true }
  local limit = ending ~= "through" and ending ~= "won" and ending or nil
  return index and { index = index, move = move, solutions = solutions }, limit
end

return expander
