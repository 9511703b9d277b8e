-- Tests of all bindings: what scripts reach, and the engine's own, called with what they do not expect. `make fuzz` makes more such
-- calls, and others.
local hostile = require "hostile"
local long = require "long"
local shell = require "shell"

--- Calls in rounds, each with values of its own: a trace that has grown too large takes no more.
local ROUNDS <const>, CALLS <const> = long.choose(2, 8), long.choose(2000, 5000)

local Bindings = {}

local function check(attack, ...)
  math.randomseed(1)
  for _ = 1, ROUNDS do attack(...) end
end

function Bindings.test_what_scripts_reach()
  long.leave_out()
  check(hostile.scripts, shell.path "reachable.lua", CALLS)
end

function Bindings.test_what_scripts_reach_in_a_step() check(hostile.steps, shell.path "reachable.lua", CALLS // 5) end

function Bindings.test_what_the_engine_reaches()
  long.leave_out()
  check(hostile.engine, CALLS)
end

return { Bindings = Bindings }
