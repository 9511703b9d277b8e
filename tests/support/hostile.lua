--- Calls of all bindings, what scripts reach and the engine's own, with what they do not expect: closed values, values of other
--- states, callbacks that call back. Each call returns, or raises one clean line.
local board = require "libcrux.board"
local csv = require "libcrux.csv"
local deductions = require "libcrux.deductions"
local errors = require "libcrux.errors"
local fault = require "crux.base.fault"
local folds = require "libcrux.folds"
local legend = require "libcrux.legend"
local level_shape = require "libcrux.level_shape"
local native_search = require "libcrux.native_search"
local mixed = require "libcrux.mixed"
local nasty = require "nasty"
local ols = require "libcrux.ols"
local penalised = require "libcrux.penalised"
local random = require "libcrux.random"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"
local search = require "crux.search.search"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local subsets = require "libcrux.subsets"
local tracing = require "libcrux.trace"
local vector = require "libcrux.vector"
local vocabulary = require "crux.symbolic.vocabulary"
local walk = require "libcrux.walk"

local hostile = {}

local fields = {
  { name = "at", kind = "integer", low = 1, high = 9 }, { name = "awake", kind = "flag" },
  { name = "ball", kind = "board", width = 13, height = 7 }, { name = "list", kind = "integer", low = 0, high = 3, count = 2 },
}

--- What problems, grids, legends, states and what the engine calls functions with look like.
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
  { by = "simplex", start = vector.of { 1, 2 }, low = vector.of { -9, -9 }, high = vector.of { 9, 9 }, residuals = 2, most_evaluations = 50,
    evaluate = function(at) return at end },
  { matrix = { vector.of { 1, 1 }, vector.of { 1, -1 } }, objective = vector.of { 1, 2 }, lower = vector.of { 0, 0 }, upper = vector.of { 9, 9 },
    row_lower = vector.of { 1, -2 }, row_upper = vector.of { 5, 2 }, most_iterations = 50 },
  { family = "normal", response = vector.of { 1, 2, 4, 0 }, columns = { vector.of { 1, 1, 1, 1 } },
    groupings = { { groups = 2, group = vector.of { 1, 1, 2, 2 }, columns = { vector.of { 1, 1, 1, 1 } }, blocks = vector.of { 1 } } } },
  { theta = vector.of { 1 }, beta = vector.of { 2 }, extras = vector.of {}, restricted = true, most_evaluations = 50 },
  fields,
}

local function some_boards()
  local full = ~board.new(13, 7)
  return { board.new(1, 1), ~board.new(3, 2), ~board.new(8, 8), full, full:sample(random.new(7), 0.5), board.new(3, 2, { { 2, 1 } }),
    board.new(32, 32, { { 1, 1 }, { 32, 32 } }) }
end

--- Values of which a step gets some while it is traced.
local function traced()
  local trace, ball = tracing.new(function() return "" end, false), ~board.new(13, 7)
  local list = { 4, 5, 6, [math.maxinteger] = 1, [math.maxinteger - 1] = 2, [math.mininteger] = 3 }
  local level = { width = 3, ball = ball, list = list, deep = { { 1 }, { true } }, name = "x", [0.5] = 1, [true] = list }
  local shape = level_shape.new(trace, level)
  local given = { trace:flag(), trace:integer(-3, 9), trace:integer(math.mininteger, math.maxinteger),
    trace:integer(math.maxinteger - 1, math.maxinteger), trace:board(13, 7), trace:board(1, 1), shape:read(1, "list"),
    shape:read(1, "ball") }
  return trace, shape, given
end

--- A search of two moves, or a walk, with the level that it is for; the shape, the trace.
local function traced_moves(set, varies)
  local trace, level = tracing.new(false, varies), { ball = board.new(3, 2) }
  local shape = level_shape.new(trace, level)
  local at, awake, ball = trace:integer(1, 9), trace:flag(), trace:board(13, 7)
  local first, second = trace:integer(0, 3), trace:integer(0, 3)
  local _ = varies and trace:integer(0, 1)
  for _ = 1, varies and 1 or 2 do
    trace:put_integer((trace:lookup({ 2, 3, 4, 5, 6, 7, 8, 9, 1 }, at)), 1, 9)
    trace:put_flag(~awake)
    trace:put_board(~ball, 13, 7)
    trace:put_integer(second, 0, 3)
    trace:put_integer(tracing.words.where(awake, first, tracing.words.count(shape:read(1, "ball"))), 0, 3)
    trace:finish(false)
  end
  shape:finish()
  shape:fits(level)
  return (varies and walk or native_search).new(trace, set, 2, varies and {}), shape, trace
end

--- Sets of states, of which the second is empty, and what is made of them.
local function searches(add)
  local full = ~board.new(13, 7)
  local set, closed, longer = state_set.new(fields, 2, 1 << 20), state_set.new(fields, 1, 1 << 20), state_set.new({ fields[1] }, 2, 1 << 20)
  set:find { at = 1, awake = true, ball = full, list = { 1, 2 } }
  set:add()
  longer:find { at = 1 }
  longer:add()
  closed:close()
  local searched, searched_shape, searched_trace = traced_moves(set, false)
  local walked, walked_shape, walked_trace = traced_moves(set, true)
  searched:bind(searched_shape)
  if math.random(2) == 1 then searched:begin(set, 1, 1 << 20, true) end
  walked:enter(set, 1, walked_shape, random.new(1))
  add(set, closed, longer, searched, searched_shape, searched_trace, walked, walked_shape, walked_trace)
  return set
end

--- What is made of vectors.
local function statistics(add)
  local a, b, c = vector.of { 1, 2, 3, 4 }, vector.of { 1, 0, 1, 0.5 }, vector.of { 1, 1, 1, 1 }
  local solver, split = ols.new(2), folds.new(4, 2, 1)
  solver:add({ c, a }, b)
  local sums = errors.new(4, 1, true)
  sums:add({ a }, { 0.5 }, b, c, split, 0, 1, 1)
  add(a, b, c, vector.fill(4, 0.5), vector.fill(0, 1), solver, split, sums, penalised.new(solver, "centred"))
  add(mixed.new(templates[14]), mixed.new(templates[14]))
  add(subsets.splits({ solver }, { solver }, 1e-7), csv.open("datasets/flow.csv", ","))
end

--- Values that scripts get, alive and dead, and those that they do not get.
local function values()
  local boards, shown, hidden = some_boards(), {}, {}
  local function adder(list)
    return function(...) table.move({ ... }, 1, select("#", ...), #list + 1, list) end
  end
  local show, hide = adder(shown), adder(hidden)
  show(table.unpack(boards))
  show(random.new(1), random.new(2, 3), boards[4]:cells(), boards[1]:cells())
  show(legend.new(templates[6]), legend.new(templates[7]), deductions.new { { boards[2] } })
  local set = searches(hide)
  statistics(hide)
  show(set:state(1), set:state(1).list)
  local trace, shape, given = traced()
  local dead_trace, dead_shape, dead = traced()
  dead_shape:finish()
  dead_trace:close()
  show(table.unpack(given))
  show(table.unpack(dead))
  hide(trace, shape, dead_trace, dead_shape)
  return shown, hidden
end

--- All that a script sees as `crux`, and the functions of its environment that are crux's own.
---@param path string   of a file to write
local function reachable(path)
  local file = assert(io.open(path, "wb"))
  assert(file:write [[
    local raw = { next = next, rawget = rawget, rawlen = rawlen, rawset = rawset, setmetatable = setmetatable }
    local lists = { concat = table.concat, insert = table.insert, move = table.move, remove = table.remove, sort = table.sort }
    return { crux = crux, raw = raw, lists = lists, rep = string.rep, pcall = pcall, xpcall = xpcall, measure = crux.game("reachable").measure }]])
  file:close()
  return sandbox.run(path, script.fields())
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

--- Whether what a primitive raised is one line that says which argument is wrong, if one is. (Options are the engine's: luaL_checkoption
--- repeats what it got.)
local is_clean
function is_clean(message)
  if type(message) == "table" and type(message.refused) == "string" then return is_clean(message.refused) end -- of a step
  if type(message) ~= "string" or message == "" then return false end
  message = message:gsub("%(invalid option '.*'%)$", "")
  if message:find "%c" or #message > 2000 then return false end
  return not message:find("expected, got", 1, true) or message:find "bad argument #%-?%d+ to '" or message:find "^calling "
end

local function stop() error("raised on purpose: too many instructions", 0) end

--- What functions expect, by module or type and name, or by name: a kind a letter, as in `kinds`.
local signatures = {
  cells = "nnl", board = "nn", integer = "nn", array = "nk", legend = "l", shift = "sdnt", has = "snn", with = "snn",
  without = "snn", nth = "sn", pick = "sr", sample = "srp", flood = "sb", distances = "sb", rings = "sn", parse = "swn",
  format = "sl", chance = "sp", shuffle = "sl", solve = "lll", trace = "ll", place = "ll", courses = "ll", passes = "ll",
  where = "tsy", any = "s", eq = "sy", lt = "yi", min = "yii", abs = "y", count = "s", lookup = "vy", __band = "sb", __bor = "bs",
  __sub = "sb", __add = "yi", __mul = "yy", __shl = "yn", __shr = "yn", __unm = "y", next = "vw", get = "vw", rawget = "vw",
  rawlen = "v", rectangles = "b", owners = "l", refuse = "wwnn", pcall = "c", xpcall = "cc", sort = "lc",
  enter = "sS1Hr", expand = "sSnn", begin = "sSnntt", ["crux.state_set.begin"] = "sqB", steps = "sclvc", ["crux.state_set.expand"] = "s11B", try = "sS1", outcome = "sS", bind = "sH", specialise = "sT", run = "sn",
  put_flag = "sy", put_integer = "syin", put_board = "sbnn", choose = "syny", finish = "stt",
  ["native_search.new"] = "TS2", ["walk.new"] = "TS2l", ["crux.walk.state"] = "sS1", ["level_shape.new"] = "Tlct",
  ["crux.state_set.state"] = "s1", ["crux.state_set.find"] = "sq", ["crux.state_set.copy"] = "sq", note = "s1n", set_note = "s1nn",
  ["state_set.new"] = "l2B", ["ols.new"] = "2", ["crux.ols.add"] = "sLVV", residuals = "sLVV", merge = "sO", ["crux.ols.solve"] = "sp",
  distribute = "ALVVF0", ["penalised.new"] = "OE", ["crux.penalised.solve"] = "spn", bounded = "sVV", path = "sppn", ["crux.penalised.errors"] = "sOpV",
  ["crux.errors.add"] = "sLGVVF01", ["errors.new"] = "nntt", ["folds.new"] = "nnnn", spread = "VF", ["crux.folds.rows"] = "s1", others = "s1",
  splits = "AAp", ["ols.spread"] = "VLn", covariances = "VV", best = "VVnn", ["crux.splits.errors"] = "s2", ["crux.splits.neighbours"] = "slt", ["subsets.count"] = "nn",
  ["quadrature.normal"] = "n", ["item_response.fit"] = "l", ["mixed.new"] = "l", estimate = "sl", modes = "sl", ["crux.csv.select"] = "s1K", numbers = "s1", texts = "s1", squares = "l", jacobian = "l", ["linear_program.solve"] = "l", ratios = "VVnn",
  ["rank.order"] = "VV", ranks = "V", gather = "VV", ["walk.draw"] = "rn", ["walk.throw"] = "rpnn", ["board.new"] = "nn", given_board = "sb",
  bound = "Ec", draw = "ll", start = "l", done = "l", hint = "l", cursor = "l", step = "llw",
}

local function signature_of(target)
  local name = target.name:match "[^.]*$"
  return signatures[target.type and ("%s.%s"):format(target.type, name) or target.name] or signatures[name]
end

--- What makes arguments of those kinds, of lists of values.
local function kinds_of(shown, by_type)
  local views = {}
  for _, value in ipairs(shown) do
    if type(value) == "table" then views[#views + 1] = value end
  end
  local function one_of(list) return function() return list and list[math.random(#list)] end end
  return {
    n = function() return math.random(-1, 6) end, i = function() return math.random(math.mininteger, math.maxinteger) end,
    t = function() return math.random(2) == 1 end, p = math.random, d = one_of { "U", "L", "D", "R" },
    w = one_of { "#.\n.#", "@#", "o goal", "list", "name", "deep", "" }, l = function() return nasty.copy(one_of(templates)()) end,
    b = one_of(by_type["crux.board"]), r = one_of(by_type["crux.random"]), y = one_of(by_type["crux.symbol"]), v = one_of(views),
    k = function() return state.kinds.flag end, S = one_of(by_type["crux.state_set"]), T = one_of(by_type["crux.trace"]),
    H = one_of(by_type["crux.level_shape"]), V = one_of(by_type["crux.vector"]), O = one_of(by_type["crux.ols"]), F = one_of(by_type["crux.folds"]),
    L = function() return { one_of(by_type["crux.vector"])(), one_of(by_type["crux.vector"])() } end,
    A = function() return { one_of(by_type["crux.ols"])(), one_of(by_type["crux.ols"])() } end, G = function() return { 0.5, 2 } end,
    E = one_of { "centred", "deviation", "norm", "list", "join", "repeat" }, K = one_of { "skip", "number", "text", "guess" },
    B = function() return 1 << 20 end, q = one_of { { at = 2, awake = true, ball = board.new(13, 7), list = { 1, 2 } }, { at = 7 } },
    ["0"] = function() return 0 end, ["1"] = function() return 1 end, ["2"] = function() return 2 end,
  }
end

---@class Attack
---@field targets Target[]
---@field make fun(): any
---@field own any[]                          values of which it makes some
---@field by_type table<string, any[]>       of them, those that are userdata
---@field kinds table<string, fun(): any>
---@field depth integer                      calls in which the one at hand is
---@field finding string?

local MOST_DEPTH <const> = 3

--- Functions that leave others nothing to do are called more rarely.
local closing = { close = true, __close = true, __gc = true }

--- Has values take part in what comes, some in the place of those that were added before.
local function adopt(attack, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if value ~= nil then attack.own[#attack.own < attack.room and #attack.own + 1 or math.random(attack.first, attack.room)] = value end
    local metatable = debug.getmetatable(value)
    local name = type(value) == "userdata" and metatable and metatable.__name
    if name then
      local list = attack.by_type[name] or {}
      attack.by_type[name] = list
      list[#list < 100 and #list + 1 or math.random(100)] = value
    end
  end
end

--- Calls a function with such values, in a coroutine; returns what it returns.
local function call(attack)
  local target, arguments = attack.targets[math.random(#attack.targets)], { n = math.random(0, 6) }
  if closing[target.name:match "[^.]*$"] and math.random(8) > 1 then return end
  local own = attack.by_type[target.type]
  local signature = math.random(2) == 1 and signature_of(target) or ""
  for i = 1, math.max(arguments.n, #signature) do
    local kind = math.random(8) > 1 and attack.kinds[signature:sub(i, i)]
    arguments[i] = kind and kind() or attack.make()
  end
  arguments.n = math.max(arguments.n, #signature)
  if own and math.random(4) > 1 then arguments[1], arguments.n = own[math.random(#own)], math.max(1, arguments.n) end
  local thread = coroutine.create(target.call)
  debug.sethook(thread, stop, "", 1000000)
  attack.depth = attack.depth + 1
  local results = table.pack(coroutine.resume(thread, table.unpack(arguments, 1, arguments.n)))
  attack.depth = attack.depth - 1
  if results[1] then return table.unpack(results, 2, results.n) end
  if debug.getinfo(target.call, "S").what == "C" and not is_clean(results[2]) then
    attack.finding = attack.finding or describe(target, arguments, results[2])
  end
end

--- An attack with values on functions, among them one that calls back.
---@param room integer   for further values
local function new_attack(targets, own, room, sizes)
  table.sort(targets, function(a, b) return a.name < b.name end)
  local attack = { targets = targets, own = {}, by_type = {}, depth = 0, room = math.huge }
  adopt(attack, function()
    if attack.depth < MOST_DEPTH then return call(attack) end
  end, coroutine.yield)
  adopt(attack, table.unpack(own))
  attack.first = #attack.own + 1
  attack.room = #attack.own + room
  attack.make = nasty.source(attack.own, templates, sizes)
  attack.kinds = kinds_of(own, attack.by_type)
  attack.kinds.c = function() return attack.own[math.random(2)] end
  return attack
end

--- Calls that number of functions; raises an error that lists the faults it found.
local function run(attack, calls, take)
  for _ = 1, calls do
    if take then
      take(attack, call(attack))
    else
      call(attack)
    end
    if attack.finding then error(attack.finding, 0) end
  end
end

--- The types of which scripts have values; those of views and states are tables.
local shown_types = { "crux.board", "crux.legend", "crux.random" }

--- An attack on what scripts reach.
local function on_scripts_side(path, own)
  local targets = {}
  add_functions(targets, "", reachable(path))
  for _, name in ipairs(shown_types) do add_methods(targets, name, metatable_of(name)) end
  for i, value in ipairs(own) do
    if type(value) == "function" then table.insert(targets, { name = "iterator " .. i, call = value }) end
    if type(value) == "table" and debug.getmetatable(value) then add_methods(targets, "table " .. i, debug.getmetatable(value)) end
  end
  return new_attack(targets, own, 20, true)
end

--- What scripts reach.
---@param path string     of a file to write
function hostile.scripts(path, calls)
  local shown = values()
  run(on_scripts_side(path, shown), calls)
end

--- The same from within the step of a search, with the values that it gets.
function hostile.steps(path, calls)
  local attack, left = on_scripts_side(path, (values())), calls
  local spec = { moves = { "up", "down" } }
  function spec.state()
    return { at = state.kinds.integer(0, 9), awake = state.kinds.flag, ball = state.kinds.board(3, 2),
      list = state.kinds.array(2, state.kinds.integer(0, 3)) }
  end
  function spec.start() return { at = 4, awake = false, ball = board.new(3, 2, { { 1, 1 } }), list = { 0, 3 } } end
  function spec.step(s, move, level)
    adopt(attack, s, s.at, s.awake, s.ball, s.list, s.list[1], level, level.ball, level.list, level.deep)
    local some = math.min(left, 10)
    left = left - some
    run(attack, some)
    s.at = vocabulary.words.max(0, vocabulary.words.min(9, s.at + (move == "up" and 1 or -1)))
    if math.random(20) == 1 then s[({ "at", "awake", "ball", "list" })[math.random(4)]] = attack.make() end
    return math.random(50) == 1 and attack.make() or vocabulary.words.eq(s.at, 9)
  end
  local level = { ball = board.new(3, 2), list = { 1, 2, 3 }, deep = { { 1 }, { true } } }
  local ok, problem = pcall(search.solve, spec, level, { states = 30, count = true, way = true })
  if attack.finding then error(attack.finding, 0) end
  if not ok and not fault.is(problem) then error(problem, 0) end
end

--- Functions that start threads or other programs, change files, or set limits of the whole process.
local spared = { budget = "guards rearm set limit_bytes", journal = "open", process = "run sleep", screen = "open",
  files = "create_beside clean make_folder keep rename remove sync allow_files", wall = "raise", workers = "new",
  database = "open", http_server = "open" }

--- Takes the spared functions out of a list of targets; each must be there.
local function spare(targets)
  local places = {}
  for i, target in ipairs(targets) do places[target.name] = i end
  for module, names in pairs(spared) do
    if not package.preload["libcrux." .. module] then names = "" end -- an optional part of the build
    for name in names:gmatch "%S+" do
      local place = assert(places[("%s.%s"):format(module, name)], name)
      targets[place].is_spared = true
    end
  end
  for i = #targets, 1, -1 do
    if targets[i].is_spared then table.remove(targets, i) end
  end
end

--- The engine's own modules, and what they return.
function hostile.engine(calls)
  local targets, own, hidden = {}, values()
  table.move(hidden, 1, #hidden, #own + 1, own)
  for name in pairs(package.preload) do
    local module = name:match "^libcrux%.(.*)"
    if module then add_functions(targets, module, require(name)) end
  end
  for name, metatable in pairs(debug.getregistry()) do
    if type(name) == "string" and name:find "^crux%." then add_methods(targets, name, metatable) end
  end
  spare(targets)
  run(new_attack(targets, own, 60), calls, function(attack, ...)
    for i = 1, select("#", ...) do
      if type((select(i, ...))) == "userdata" then adopt(attack, (select(i, ...))) end
    end
  end)
end

return hostile
