--- Runs searches in C for games without a step in Lua. They find the same states in the same order as a search in Lua.
local fault = require "crux.base.fault"
local Problem = require "crux.search.problem"
local process = require "libcrux.process"

local expander = {}

local STRETCH <const> = 8 -- states expanded between two checks of the time limit: a turn may take milliseconds

---@class Expander
---@field expand fun(self: Expander, set: userdata, most: integer, states: integer): string?, string?   the ending:
---                     "paused", "through", "won", "states", "bytes"; or nil and a message
---@field statistics fun(self: Expander): integer, integer, integer, number, integer?, integer?, integer?   states expanded,
---                     moves tried, moves that led to known states, seconds in the set; after a win, the numbers of the state
---                     and the move that won, and of shortest solutions, as in crux.search.ways

--- Functions that make the Expander of a level, by the step of its game. The table is local so that no script can set one.
---@type table<function, fun(level: table, count: boolean?): Expander>
local makers = setmetatable({}, { __mode = "k" })

--- Registers the function that makes the Expander of each level of a search.
---@param spec SearchSpec
---@param make fun(level: table, count: boolean?): Expander   count: it counts the shortest solutions
function expander.register(spec, make) makers[spec.step] = make end

--- Returns the Expander of a problem; nil if its search has none.
---@param count boolean?   count the shortest solutions
---@return Expander?
function expander.of(problem, count)
  local make = makers[Problem.original(problem.spec.step)]
  return make and make(problem.level, count)
end

--- Searches from the start, which must be the only state in the set.
---@param self Expander
---@return table? goal
---@return string? limit
function expander.run(self, problem, outcome)
  local ending
  local began = process.seconds()
  repeat
    ending = problem:is_late() and "seconds" or fault.check(self:expand(problem.set, STRETCH, problem.states))
  until ending ~= "paused"
  local expanded, generated, duplicates, set_seconds, index, move, solutions = self:statistics()
  problem:add_statistics(expanded, generated, duplicates, 0, 0)
  outcome.step_seconds, outcome.set_seconds = process.seconds() - began - set_seconds, set_seconds
  outcome.frontiers, outcome.program = problem:layers(), { is_shared = true }
  local limit = ending ~= "through" and ending ~= "won" and ending or nil
  return index and { index = index, move = move, solutions = solutions }, limit
end

return expander
