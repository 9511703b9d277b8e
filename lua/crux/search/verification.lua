--- Whether a search can be trusted: natively and in Lua a level comes out the same, and the heuristic is admissible.
local fault = require "crux.base.fault"
local Problem = require "crux.search.problem"
local search = require "crux.search.search"

local verification = {}

--- What must be the same of a SearchSolution; lists are compared as text.
local compared = { "status", "limit", "length", "moves", "solutions", "solutions_overflow", "expanded", "generated",
  "duplicates", "lost", "beyond", "states", "depth", "frontiers" }

local function shown(value) return type(value) == "table" and table.concat(value, " ") or tostring(value) end

---@class Comparison
---@field status "solved"|"unsolvable"|"unknown"
---@field states integer               that were compared
---@field engine "native"|"interpreted"   the latter when step cannot be traced
---@field untraced string?             why not
---@field heuristic "admissible"|"unknown"|nil   unknown when a limit kept states from being seen; nil without a heuristic

--- Searches a level natively and in Lua. Raises when the results differ or the heuristic is not admissible.
---@param spec SearchSpec
---@param level table
---@param options SearchOptions   limits on seconds and bytes end the comparison with what was found by then
---@return Comparison
function verification.run(spec, level, options)
  local function solve(engine)
    return search.solve(spec, level, { engine = engine, count = true, states = options.states, bytes = options.bytes,
      seconds = options.seconds, check_heuristic = engine == "interpreted" })
  end
  local native, interpreted = solve "native", solve "interpreted"
  local is_cut = native.limit == "seconds" or interpreted.limit == "seconds"
  for _, name in ipairs(is_cut and {} or compared) do
    if shown(native[name]) ~= shown(interpreted[name]) then
      fault.raise(("%s does something else when it is traced: %s is %s, but %s in Lua"):format(Problem.label(spec, "step"),
        name, shown(native[name]), shown(interpreted[name])))
    end
  end
  local result = { status = interpreted.status, states = math.min(native.states, interpreted.states),
    engine = native.program and "native" or "interpreted", untraced = native.untraced }
  if spec.heuristic then result.heuristic = interpreted.unchecked and "unknown" or "admissible" end
  return result
end

return verification
