--- The run of a function for all states at once: in which states the current path runs, and where paths end with an error.
---
--- A set of states is a mask, an integer (src/trace/mask.h): NONE, ALL, or between; mask ~ 1 is its opposite.
local fault = require "crux.base.fault"
local tracing = require "libcrux.trace"

--- `is_partial` tells of the last run whether something was refused in some states alone.
local paths = { NONE = 0, ALL = 1, is_partial = false }

local NONE <const>, ALL <const> = paths.NONE, paths.ALL

---@class Run
---@field trace userdata       that is recorded
---@field shape userdata?      of the level, if the program can serve other levels
---@field masks userdata
---@field mask integer         the states of the current path
---@field alive integer        the states in which no path has ended with an error
---@field dead table<integer, boolean>      by mask: whether no state of it is alive, as far as it is known
---@field within table<integer, integer>    by mask: a simpler one with the same states alive
---@field at table?            the node that is run
---@field rounds integer       of loops in this move whose end depends on the state, and calls
---@field writes integer       to tables and upvalues in this move, and functions made
---@field killed integer[]     masks of the states in which paths of this move have ended with an error
---@field repeats table<table, Repeat>   by loop
---@field waiting integer?      the states that wait for a later round of the loop that begins one
---@field is_lenient boolean?   states in which something cannot be compiled are given up: Lua runs them
---@field reason table?         why the first were
---@field write table?          where a function that the call found assigns to what outlives the call
---@field known table<table, table>       values by table and key that were read of what outlives the call
---@field numbers table<table, integer>   of the level's tables, if there is a shape
---@field born table<table, integer>      of the tables made in the call: the states in which they exist
---@field functions table<function, table>   closures of functions that the call made or found
local run = {}
paths.run = run

local masks

--- Begins to record calls in a trace.
---@param shape userdata?
---@param is_lenient boolean?
function paths.begin(trace, shape, is_lenient)
  run.trace, run.shape, run.known, run.numbers, run.is_lenient = trace, shape, {}, {}, is_lenient
  run.functions, run.born = {}, {}
  run.held, run.depth = {}, 0
  paths.is_partial = false
end

--- Begins a move.
function paths.restart()
  if not masks or not masks:are_few() then
    masks = run.trace:masks()
    run.masks, run.repeats = masks, {}
  end
  run.mask, run.alive, run.depth, run.rounds, run.at = ALL, ALL, 0, 0, nil
  run.dead, run.within, run.killed, run.writes = {}, {}, {}, 0
end

--- Ends the recording.
function paths.finish()
  masks = nil
  for key in pairs(run) do run[key] = nil end
end

function paths.both(a, b)
  if a == b or b == ALL then return a end
  if a == ALL then return b end
  if a == NONE or b == NONE then return NONE end
  return masks:both(a, b)
end

local both = paths.both

function paths.either(a, b) return both(a ~ 1, b ~ 1) ~ 1 end

function paths.without(a, b) return both(a, b ~ 1) end

--- True if no state of a mask is alive.
function paths.is_none(mask)
  if mask == NONE then return true end
  if run.alive == ALL then return false end
  local is_dead = run.dead[mask]
  if is_dead == nil then
    is_dead = both(mask, run.alive) == NONE
    run.dead[mask] = is_dead
  end
  return is_dead
end

--- A mask, simpler where it can be, that has the same states that are alive.
function paths.living(mask)
  if run.alive == ALL or mask == NONE then return mask end
  local within = run.within[mask]
  if not within then
    within = masks:within(mask, run.alive)
    run.within[mask] = within
  end
  return within
end

--- The truth value of a mask among the states of another.
function paths.truth_within(mask, whole)
  return masks:symbol(masks:within(mask, both(whole, run.alive)))
end

--- Raises that something cannot be compiled, at the current node unless another is given.
function paths.refuse(found, expected, at)
  error({ refused = ("found %s, expected %s"):format(found, expected), at = at or run.at, is_local = true }, 0)
end

--- Raises that the script writes to what outlives the call. No state may be given up to Lua then: C would not see what Lua
--- writes.
function paths.refuse_write(found, expected, at)
  error({ refused = ("found %s, expected %s"):format(found, expected), at = at or run.at }, 0)
end

--- Refuses a write where states were given up: Lua may come to it in these, which were not followed any further.
function paths.check_given_up()
  if not (run.reason and run.write) then return end
  paths.refuse_write("a write to what outlives the call", "step to change nothing but the state", run.write)
end

--- Raised when no state of the current path is left.
local ended = {}

--- Notes that the script raises an error in the states of a mask, and takes them from the current path.
function paths.kill(mask)
  run.trace:refuse(masks:symbol(both(mask, run.alive)))
  table.insert(run.killed, mask)
  run.alive, run.dead, run.within = both(run.alive, mask ~ 1), {}, {}
  run.mask = paths.living(both(run.mask, mask ~ 1))
end

--- Gives up the states of a mask, where something was refused, if there are others and Lua may run them. Else raises that.
function paths.give_up(mask, problem)
  local is_partial = problem.is_local and not paths.is_none(mask ~ 1)
  paths.is_partial = paths.is_partial or is_partial
  if not (run.is_lenient and is_partial) then error(problem, 0) end
  run.reason = run.reason or problem
  paths.kill(mask)
end

--- Ends the current path with an error of the script.
function paths.raise()
  paths.kill(run.mask)
  error(ended, 0)
end

--- Ends the evaluation of an expression without a state that is left.
function paths.leave() error(ended, 0) end

--- Ends the current path after an error that pcall caught. Raises the error again if the script did not cause it and the path's
--- states cannot be given up.
---@param mask integer   the states in which the path began
function paths.fail(problem, mask)
  local is_own = type(problem) == "string" and problem ~= "not enough memory" or rawequal(problem, ended)
  if type(problem) == "table" and problem.refused then
    problem.at = problem.at or run.at
    paths.give_up(mask, problem)
  elseif not is_own then
    error(problem, 0)
  end
  if run.mask ~= NONE then paths.kill(run.mask) end
end

--- Calls f(...) on the current path; where it raises an error of the script, no state is left.
function paths.guard(f, ...)
  local depth, mask = run.depth, run.mask
  local ok, problem = pcall(f, ...)
  if ok then return problem end
  run.depth = depth
  paths.fail(problem, mask)
end

--- A refusal as a message: "script:line: column N: found ...".
function paths.message(problem)
  if fault.is(problem) then return problem.message end
  if rawequal(problem, ended) then problem = run.reason or { refused = "found an error in all states", at = run.at } end
  if type(problem) ~= "table" or not problem.refused then return tostring(problem) end
  return paths.place(problem.at or run.at) .. problem.refused
end

function paths.place(at) return at and ("%s:%d: column %d: "):format(at.path, at.line, at.column) or "" end

--- "script:line: " of the current node.
function paths.line() return run.at and ("%s:%d: "):format(run.at.path, run.at.line) or "" end

--- Operations on symbols, by name.
paths.words = tracing.words

return paths
