-- Tests of all bindings: what scripts reach, and the engine's own, called with what they do not expect. Each call returns, or
-- raises one clean line. CRUX_BINDINGS_CALLS and CRUX_BINDINGS_SEED of the environment make more and others of them.
local board = require "libcrux.board"
local legend = require "libcrux.legend"
local level_shape = require "libcrux.level_shape"
local luaunit = require "luaunit"
local nasty = require "nasty"
local random = require "libcrux.random"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"
local shell = require "shell"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local tracing = require "libcrux.trace"
local vector = require "libcrux.vector"

local CALLS <const> = math.tointeger(os.getenv "CRUX_BINDINGS_CALLS") or 40000
--- Calls in rounds, each with values of its own: a trace that has grown too large takes no more.
local ROUND <const> = 5000
local SEED <const> = math.tointeger(os.getenv "CRUX_BINDINGS_SEED") or 1

--- What problems, grids, legends and states look like.
local templates = {
  { width = 3, height = 2, cells = { 1, 0, 1, 2, 0, 2 } },
  { paths = true, bytes = 1 << 20, seconds = 1 },
  { items = 4, options = { { 1, 2 }, { 3, 4 }, { 1, 3 }, { 2, 4 }, { 1 } } },
  { count = true, nodes = 100, seconds = 1, bytes = 1 << 20 },
  { width = 3, height = 2, tiles = "oox oAo", emitters = { { 0, 1, 1, 1 } }, targets = { { 3, 4 } }, blocks = { A = 1, C = 1 } },
  { { ".", }, { "#", "wall" }, { "@", "player" }, pad = ".", comment = ";", expected = "a cell" },
  { { "o", "ball" }, { "goal", "goal", "ball" }, separated = true },
  { { 1, 1 }, { 2, 2 }, { 3, 1 } },
  { name = "at", kind = "integer", low = 1, high = 9 },
  { { name = "at", kind = "integer", low = 1, high = 9 }, { name = "b", kind = "board", width = 3, height = 2, count = 2 } },
  { 0.5, 9 },
}

local fields = {
  { name = "at", kind = "integer", low = 1, high = 9 }, { name = "awake", kind = "flag" },
  { name = "ball", kind = "board", width = 13, height = 7 }, { name = "list", kind = "integer", low = 0, high = 3, count = 2 },
}

local function some_boards()
  local full = ~board.new(13, 7)
  return { board.new(1, 1), ~board.new(3, 2), ~board.new(8, 8), full, full:sample(random.new(7), 0.5), board.new(3, 2, { { 2, 1 } }),
    board.new(32, 32, { { 1, 1 }, { 32, 32 } }) }
end

--- Values of which a step gets some while it is traced.
local function traced()
  local trace, ball = tracing.new(true, false), ~board.new(13, 7)
  local list = { 4, 5, 6, [math.maxinteger] = 1, [math.maxinteger - 1] = 2, [math.mininteger] = 3 }
  local level = { width = 3, ball = ball, list = list, deep = { { 1 }, { true } }, name = "x", [0.5] = 1, [true] = list }
  local shape, view = level_shape.new(trace, level, function() end, true)
  local given = { trace:flag(), trace:integer(-3, 9), trace:integer(math.mininteger, math.maxinteger),
    trace:integer(math.maxinteger - 1, math.maxinteger), trace:board(13, 7), trace:board(1, 1), view, view.list, view.deep,
    pairs(view) }
  return trace, shape, given
end

--- Values that scripts get, alive and dead, and those that they do not get.
local function values()
  local boards, shown, hidden = some_boards(), {}, {}
  local function add(list, ...) table.move({ ... }, 1, select("#", ...), #list + 1, list) end
  add(shown, table.unpack(boards))
  add(shown, random.new(1), random.new(2, 3), boards[4]:cells(), boards[1]:cells())
  add(shown, legend.new(templates[6]), legend.new(templates[7]))
  local set, closed = state_set.new(fields, 1, 1 << 20), state_set.new(fields, 1, 1 << 20)
  set:find { at = 1, awake = true, ball = boards[4], list = { 1, 2 } }
  set:add()
  closed:close()
  add(shown, set:state(1), set:state(1).list)
  local trace, shape, given = traced()
  local dead_trace, dead_shape, dead = traced()
  dead_shape:finish()
  dead_trace:close()
  add(shown, table.unpack(given))
  add(shown, table.unpack(dead))
  add(hidden, set, closed, trace, shape, dead_trace, dead_shape, vector.of { 1, 2, 3 }, vector.fill(4, 0.5), vector.fill(0, 1))
  return shown, hidden
end

--- All that a script sees as `crux`, and the functions of its environment that are crux's own.
local function reachable()
  return sandbox.run(shell.file("reachable.lua", [[
    local raw = { next = next, rawget = rawget, rawlen = rawlen, rawset = rawset }
    return { crux = crux, raw = raw, measure = crux.game("reachable").measure }]]), script.fields())
end

---@class Target
---@field name string
---@field call function
---@field type string?   of what it is a method

--- Adds the functions in a table, and in tables in it.
---@param list Target[]
local function add_functions(list, name, from, type_name, known)
  known = known or {}
  known[from] = true
  for key, value in next, from do
    local path = name .. "." .. tostring(key)
    if type(value) == "function" then
      table.insert(list, { name = path, call = value, type = type_name })
    elseif type(value) == "table" and not known[value] then
      add_functions(list, path, value, type_name, known)
    end
  end
end

--- Adds the methods and metamethods of a type.
---@param metatable table
local function add_methods(list, name, metatable)
  add_functions(list, name, metatable, name)
  local hidden = type(metatable.__index) == "function" and debug.getupvalue(metatable.__index, 1)
  if hidden then
    local _, methods = debug.getupvalue(metatable.__index, 1)
    if type(methods) == "table" then add_functions(list, name, methods, name) end
  end
end

local function metatable_of(name) return debug.getregistry()[name] end

--- What was called, for a failure.
local function describe(target, arguments, message)
  local shown = {}
  for i = 1, arguments.n do
    local argument = arguments[i]
    shown[i] = (type(argument) == "string" or math.type(argument)) and ("%q"):format(argument):sub(1, 40) or type(argument)
  end
  return ("%s(%s): %s"):format(target.name, table.concat(shown, ", "), tostring(message))
end

--- Whether what a primitive raised is one line that says which argument is wrong, if one is.
local function is_clean(message)
  if type(message) ~= "string" or message == "" or message:find "%c" or #message > 2000 then return false end
  return not message:find("expected, got", 1, true) or message:find "bad argument #%-?%d+ to '" or message:find "^calling "
end

local function stop() error("raised on purpose: too many instructions", 0) end

--- What functions expect, by their last names: a kind a letter, as in `kinds`.
local signatures = {
  cells = "nnl", board = "nn", integer = "nn", array = "nk", legend = "l", shift = "sdnt", has = "snn", with = "snn",
  without = "snn", nth = "sn", pick = "sr", sample = "srp", flood = "sb", distances = "sb", rings = "sn", parse = "swn",
  format = "sl", chance = "sp", shuffle = "sl", solve = "lll", trace = "ll", place = "ll", courses = "ll", passes = "ll",
  where = "tsy", any = "s", eq = "sy", lt = "yi", min = "yii", abs = "y", count = "s", lookup = "vy", __band = "sb", __bor = "bs",
  __sub = "sb", __add = "yi", __mul = "yy", __shl = "yn", __shr = "yn", __unm = "y", next = "vw", get = "vw", rawget = "vw",
  rawlen = "v", rectangles = "b", owners = "l", refuse = "wwnn",
}

--- What makes arguments of those kinds, of lists of values.
local function kinds_of(shown, by_type)
  local views = {}
  for _, value in ipairs(shown) do
    if type(value) == "table" then views[#views + 1] = value end
  end
  local function one_of(list) return function() return list[math.random(#list)] end end
  return {
    n = function() return math.random(-1, 6) end, i = function() return math.random(math.mininteger, math.maxinteger) end,
    t = function() return math.random(2) == 1 end, p = math.random, d = one_of { "U", "L", "D", "R" },
    w = one_of { "#.\n.#", "@#", "o goal", "list", "name", "deep", "" }, l = one_of(templates),
    b = one_of(by_type["crux.board"]), r = one_of(by_type["crux.random"]), y = one_of(by_type["crux.symbol"]), v = one_of(views),
    k = function() return state.kinds.flag end,
  }
end

--- Calls functions with such values.
---@param targets Target[]
---@param make fun(): any
---@param by_type table<string, any[]>
---@param kinds table<string, fun(): any>
---@param take fun(results: table)?   gets what they return
local function attack(targets, make, by_type, kinds, take)
  table.sort(targets, function(a, b) return a.name < b.name end)
  for _ = 1, ROUND do
    local target, arguments = targets[math.random(#targets)], { n = math.random(0, 6) }
    local own = by_type[target.type]
    local signature = math.random(2) == 1 and signatures[target.name:match "[^.]*$"] or ""
    for i = 1, math.max(arguments.n, #signature) do
      local kind = math.random(8) > 1 and kinds[signature:sub(i, i)]
      arguments[i] = kind and kind() or make()
    end
    arguments.n = math.max(arguments.n, #signature)
    if own and math.random(4) > 1 then arguments[1], arguments.n = own[math.random(#own)], math.max(1, arguments.n) end
    debug.sethook(stop, "", 1000000)
    local results = table.pack(pcall(target.call, table.unpack(arguments, 1, arguments.n)))
    debug.sethook()
    if results[1] then
      if take then take(results) end
    elseif debug.getinfo(target.call, "S").what == "C" and not is_clean(results[2]) then
      luaunit.fail(describe(target, arguments, results[2]))
    end
  end
end

local function sorted_by_type(list, by_type)
  for _, value in ipairs(list) do
    local metatable = debug.getmetatable(value)
    local name = type(value) == "userdata" and metatable and metatable.__name
    if name then
      by_type[name] = by_type[name] or {}
      table.insert(by_type[name], value)
    end
  end
  return by_type
end

local Bindings = {}

--- The types of which scripts have values; those of views and states are tables.
local shown_types = { "crux.board", "crux.legend", "crux.random", "crux.symbol" }

function Bindings.test_what_scripts_reach()
  math.randomseed(SEED)
  local names = reachable()
  for _ = 1, CALLS, ROUND do
    local targets, shown = {}, values()
    local by_type = sorted_by_type(shown, {})
    add_functions(targets, "", names)
    for _, name in ipairs(shown_types) do add_methods(targets, name, metatable_of(name)) end
    for i, value in ipairs(shown) do
      if type(value) == "function" then table.insert(targets, { name = "iterator " .. i, call = value }) end
      if type(value) == "table" then add_methods(targets, "table " .. i, debug.getmetatable(value)) end
    end
    luaunit.assertTrue(#targets > 150)
    attack(targets, nasty.source(shown, templates, true), by_type, kinds_of(shown, by_type))
  end
end

--- Modules whose functions neither start threads nor speak to the terminal or the system.
local modules = { "beams", "board", "bootstrap", "csv", "distribution", "errors", "exact_cover", "folds", "level_shape",
  "linear_program", "minimise", "native_search", "ols", "path_cover", "penalised", "random", "rank", "state_set", "subsets", "trace",
  "vector", "walk" }

--- The same of the engine's own, in which what they return takes part, alive or released.
function Bindings.test_what_the_engine_reaches()
  math.randomseed(SEED)
  for _ = 1, CALLS, ROUND do
    local targets, shown, hidden = {}, values()
    table.move(hidden, 1, #hidden, #shown + 1, shown)
    local by_type, count = sorted_by_type(shown, {}), #shown
    for _, module in ipairs(modules) do add_functions(targets, module, require("libcrux." .. module)) end
    for name, metatable in pairs(debug.getregistry()) do
      if type(name) == "string" and name:find "^crux%." then add_methods(targets, name, metatable) end
    end
    attack(targets, nasty.source(shown, templates), by_type, kinds_of(shown, by_type), function(results)
      for i = 2, results.n do
        if type(results[i]) == "userdata" then
          shown[count + math.random(60)] = results[i]
          sorted_by_type({ results[i] }, by_type)
        end
      end
    end)
  end
end

return { Bindings = Bindings }
