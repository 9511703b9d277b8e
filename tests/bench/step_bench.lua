-- Times how long crux takes to compile the step of a level: a program for it alone. Prints milliseconds of the processor and the
-- operations, means over the levels.
local game = require "crux.game.game"
local native_search = require "libcrux.native_search"
local Prepared = require "crux.search.prepared"
local Problem = require "crux.search.problem"
local recording = require "crux.search.recording"
local tracing = require "libcrux.trace"

local limits <const> = { states = 1000, bytes = 1 << 28, seconds = math.huge }

for _, name in ipairs { "rushhour", "sokoban", "move" } do
  local self = game.load(name)
  local count, seconds, operations = 0, 0, 0
  for entry in self:entries { "datasets/levels/" .. name } do
    local problem = Problem.new(Prepared.of(self.search), self:level(entry), limits, Problem.NOTES)
    local before, trace <close> = os.clock(), tracing.new(false)
    recording.run(problem, trace)
    local search = native_search.new(trace, problem.set, #problem.moves)
    count, seconds, operations = count + 1, seconds + os.clock() - before, operations + search:program()
    search:close()
    problem.set:close()
  end
  print(("%-10s %4d levels   %7.3f ms   operations %.1f"):format(name, count, seconds / count * 1e3, operations / count))
end
