--- Searches by an engine, C or Lua, of which both must say the same.
local search = require "crux.search.search"

local engines = {}

--- Solves with one engine. How it was found, which differs by design, is taken out of the solution.
---@return SearchSolution
---@return table? program
---@return string? untraced
function engines.solve(spec, level, options, engine)
  local with_engine = { engine = engine, way = true }
  for name, value in pairs(options) do with_engine[name] = value end
  local solution = search.solve(spec, level, with_engine)
  local program, untraced = solution.program, solution.untraced
  solution.program, solution.untraced, solution.alone = nil, nil, nil
  return solution, program, untraced
end

return engines
