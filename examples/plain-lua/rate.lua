-- Measures, solves and rates levels from a plain Lua program: lua5.4 examples/plain-lua/rate.lua FLOW_LEVELS (see docs/lua.md)
local crux = require "crux"

local flow, rule = crux.load_game "flow", crux.load_rule "flow"
local ok, problem = pcall(function()
  local levels, names = crux.levels(flow, arg[1])
  for i, level in ipairs(levels) do
    local solution = crux.solve(flow, level)
    print(("%s: %s, rated %.2f of 10"):format(names[i], solution.status, crux.rating(rule, crux.measure(flow, level))))
    io.write(crux.draw(flow, level, solution))
  end
end)
if not ok then
  io.stderr:write(tostring(problem), "\n") -- one line: file, line, what was found and what was expected
  os.exit(1)
end
