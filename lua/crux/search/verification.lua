--- Checks a search: the results in C and in Lua are the same, and the heuristic is admissible.
local fault = require "crux.base.fault"
local Problem = require "crux.search.problem"
local search = require "crux.search.search"

local verification = {}

--- The fields of a SearchSolution that must be equal; lists are compared as text.
local compared = { "status", "limit", "length", "moves", "solutions", "solutions_overflow", "expanded", "generated",
  "duplicates", "lost", "beyond", "states", "depth", "frontiers" }

local function shown(value) return type(value) == "table" and table.concat(value, " ") or tostring(value) end

---@class Verification
---@field status "solved"|"unsolvable"|"unknown"
---@field states integer               that were compared
---@field engine "native"|"interpreted"   interpreted if step cannot be traced
---@field untraced string?             why it cannot be traced
---@field alone string?                why its program can serve no other level
---@field heuristic "admissible"|"unknown"|nil   unknown if a limit left states out; nil without a heuristic

--- Searches a level in C and in Lua. Raises a fault if the results differ or the heuristic is not admissible.
---@param spec SearchSpec
---@param options SearchOptions   if the limit on seconds is met, the results are not compared
---@return Verification
function verification.run(spec, level, options)
  local function solve(engine)
    return search.solve(spec, level, { engine = engine, count = true, states = options.states, bytes = options.bytes,
      seconds = options.seconds, check_heuristic = engine == "interpreted" })
  end
  local native, interpreted = solve "native", solve "interpreted"
  local is_cut = native.limit == "seconds" or interpreted.limit == "seconds"
  for _, name in ipairs(is_cut and {} or compared) do
    if shown(native[name]) ~= shown(interpreted[name]) then
      fault.raise(("%s does something else when it is compiled: %s is %s, but %s in Lua"):format(Problem.label(spec, "step"),
        name, shown(native[name]), shown(interpreted[name])))
    end
  end
  local result = { status = interpreted.status, states = math.min(native.states, interpreted.states),
    engine = native.program and "native" or "interpreted", untraced = native.untraced, alone = native.alone }
  if spec.heuristic then result.heuristic = interpreted.unchecked and "unknown" or "admissible" end
  return result
end

return verification
