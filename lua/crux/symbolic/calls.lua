--- Calls of functions: those in Lua are run from their trees, those in C by crux.symbolic.library.
local compile = require "crux.symbolic.statements"
local expressions = require "crux.symbolic.expressions"
local library = require "crux.symbolic.library"
local paths = require "crux.symbolic.paths"
local sources = require "crux.symbolic.sources"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local run, NONE <const> = paths.run, paths.NONE
local type = type

local calls = {}

--- The most calls inside each other.
local MOST_CALLS <const> = 40

--- Calls deeper than the first number are counted as rounds of a loop are. After the second number of both in a move, another
--- such call is refused, as its recursion may have no end.
local DEEP_CALLS <const>, MOST_DEEP_CALLS <const> = 6, 3000

--- The tree and upvalues of a function in Lua that the call did not make.
local function find(f)
  local original = sources.original(f)
  local node, cells = sources.node_of(original), {}
  for i, variable in ipairs(node.free) do
    local v = tables.fixed(original, i)
    if variable.is_assigned then v = { v = v, is_outer = true } end
    cells[variable] = v
  end
  local closure, target = { fn = node, cells = cells }, node.outside_target
  run.functions[f] = closure
  run.write = run.write or target and { path = node.path, line = target.line, column = target.column }
  return closure
end

--- Runs a function from its tree.
---@param given table   arguments, a list with n
---@return table results   a list with n
local function run_function(closure, given)
  local node, mask, alive, depth = closure.fn, run.mask, run.alive, run.depth + 1
  local frame = { up = closure.cells, returns = { n = 0 }, broken = NONE }
  local parameters = node.parameters
  for i = 1, #parameters do expressions.declare(frame, parameters[i], given[i], mask) end
  if node.is_vararg then
    frame.extra = table.pack(table.unpack(given, #parameters + 1, given.n))
    frame.extra.count = given.count and paths.words.max(given.count - #parameters, 0)
  end
  if depth > MOST_CALLS or depth > DEEP_CALLS and run.rounds > MOST_DEEP_CALLS then
    paths.refuse(("more than %d calls inside each other, or %d in all"):format(MOST_CALLS, MOST_DEEP_CALLS),
      "a recursion whose end is known, or a loop")
  end
  if depth > DEEP_CALLS then run.rounds = run.rounds + 1 end
  run.depth = depth
  paths.guard(compile(node), frame)
  run.depth = depth - 1
  local returns = frame.returns
  if not paths.is_none(run.mask) then
    returns[returns.n + 1], returns[returns.n + 2], returns.n = run.mask, { n = 0 }, returns.n + 2
  end
  run.mask = mask
  if run.alive ~= alive then
    run.mask = NONE
    for i = 1, returns.n, 2 do run.mask = paths.either(run.mask, returns[i]) end
    run.mask = paths.living(run.mask)
  end
  if returns.n == 0 or paths.is_none(run.mask) then
    run.mask = NONE
    paths.leave()
  end
  return unions.merge_results(returns)
end

--- Calls a value.
---@param given table   arguments, a list with n
---@return table results   a list with n
function calls.call(f, given)
  if type(f) == "function" then
    local closure = run.functions[f]
    if closure then return (closure.native or run_function)(closure.native and given or closure, given) end
    local handler = library.functions[f]
    if handler then return handler(given) end
    if debug.getinfo(f, "S").what == "C" then return library.call(f, given) end
    return run_function(find(f), given)
  end
  if unions.is(f) then return unions.each_results(f, calls.call, given) end
  local meta = type(f) == "table" and tables.metatable(f)
  local own = meta and tables.get(meta, "__call")
  if not own then error(("attempt to call a %s value"):format(type(f)), 0) end
  return calls.call(own, { n = given.n + 1, f, table.unpack(given, 1, given.n) })
end

function tables.call(f, given) return calls.call(f, given) end

--- A function that the call makes. It can be called by functions in C, too.
---@param node FunctionNode
function calls.make(node, cells)
  local function f(...)
    local results = calls.call(f, table.pack(...))
    return table.unpack(results, 1, results.n)
  end
  run.writes, run.functions[f] = run.writes + 1, { fn = node, cells = cells }
  return f
end

return calls
