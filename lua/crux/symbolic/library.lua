--- Functions and methods in C on values that may be symbols: Lua's library, the words of crux, and boards.
local board = require "libcrux.board"
local boards = require "crux.symbolic.boards"
local expressions = require "crux.symbolic.expressions"
local fractions = require "crux.symbolic.fractions"
local operators = require "crux.symbolic.operators"
local paths = require "crux.symbolic.paths"
local sources = require "crux.symbolic.sources"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"
local vocabulary = require "crux.symbolic.vocabulary"

local both, refuse, run, words = paths.both, paths.refuse, paths.run, paths.words
local is_symbol, kind_of, truth = unions.is_symbol, unions.kind_of, unions.truth
local pack, unpack = table.pack, table.unpack

local library = {}

--- Functions without a symbol among their arguments that depend on nothing else, and their names.
local pure = { [board.new] = "crux.cells", [tostring] = "tostring", [tonumber] = "tonumber", [rawequal] = "rawequal",
  [table.concat] = "table.concat", [table.sort] = "table.sort", [table.move] = "table.move" }
for name, functions in pairs { math = math, string = string, utf8 = utf8 } do
  for key, f in pairs(functions) do
    if type(f) == "function" then pure[f] = name .. "." .. key end
  end
end
for _, f in ipairs { math.random, math.randomseed, string.dump } do pure[f] = nil end

--- Functions that change their first argument.
local changes = { [table.sort] = true, [table.move] = true }

local is_plain

--- True if a table holds no symbol. One that the call made gets plain fields; what is read of others is noted.
local function has_plain_fields(t, known)
  if known[t] then return true end
  known[t] = true
  local keys = run.numbers[t] and run.shape:keys(run.numbers[t], run.at)
  if not keys then
    keys = {}
    for k in next, t do keys[#keys + 1] = k end
  end
  for _, k in ipairs(keys) do
    local v = tables.raw(t, k)
    if unions.is(v) then refuse(("a field '%s' of several kinds given to a function in C"):format(tostring(k)), "one kind") end
    if not is_plain(v, known) then return false end
  end
  return true
end

function is_plain(v, known)
  if type(v) == "table" then return has_plain_fields(v, known or {}) end
  return not is_symbol(v)
end

--- The results of f(given) for each value of the arguments that are unions.
local function without_unions(f, given, from)
  if given.count then refuse("arguments whose number differs between states", "the same number") end
  for j = from or 1, given.n do
    local v = unions.narrow(given[j], run.mask)
    given[j] = v
    if unions.is(v) then
      return unions.each_results(v, function(one)
        local own = table.move(given, 1, given.n, 1, { n = given.n })
        own[j] = one
        return without_unions(f, own, j + 1)
      end)
    end
  end
  return f(given)
end

--- The results of f(given) in C. Tables among them belong to the call, and functions, such as iterators, may be called.
local function results_of(f, given)
  local results = pack(f(unpack(given, 1, given.n)))
  for j = 1, results.n do
    local v = results[j]
    if type(v) == "table" and not debug.getmetatable(v) and not run.born[v] then run.born[v] = run.mask end
    if type(v) == "function" and not run.functions[v] then
      run.functions[v] = { native = function(own) return results_of(v, own) end }
    end
  end
  return results
end

--- A call of a function in C.
---@param given table   arguments, a list with n
---@return table results
local call
function call(f, given)
  local original = sources.original(f)
  local name = pure[original]
  if not name then refuse("a call of a function in C that may depend on more than its arguments", "one of Lua's or crux's") end
  for j = 1, given.n do
    if not is_plain(given[j]) then
      if type(kind_of(given[j])) ~= "string" or kind_of(given[j]) == "fraction" then
        refuse(("values of the state given to %s"):format(name), "a loop, or a table's field, that chooses the result")
      end
      return unions.each_value_results(given[j], function(v)
        local own = table.move(given, 1, given.n, 1, { n = given.n })
        own[j] = v
        return call(f, own)
      end)
    end
  end
  if changes[original] then
    run.writes = run.writes + 1
    local birth = run.born[given[1]]
    if not birth or not tables.is_covered(birth) then
      paths.refuse_write(("%s of a table that outlives the call or is made in other states"):format(name),
        "one that step makes there")
    end
  end
  return results_of(f, given)
end

function library.call(f, given)
  return without_unions(function(own) return call(f, own) end, given)
end

--- Handlers of calls by function; those in `raw` get unions, too.
local raw, handlers = {}, {}

local function has_symbol(given)
  for j = 1, given.n do
    if is_symbol(given[j]) then return true end
  end
  return false
end

for name, f in pairs(vocabulary.words) do
  pure[f] = "crux." .. name
  local word = words[name]
  handlers[f] = function(given)
    return { n = 1, (has_symbol(given) and word or f)(unpack(given, 1, given.n)) }
  end
end

handlers[vocabulary.words.lookup] = function(given)
  local t, k = given[1], given[2]
  if type(t) ~= "table" or kind_of(k) ~= "integer" then return { n = 1, vocabulary.words.lookup(t, k) } end
  local v = tables.lookup(t, k)
  if v ~= nil and not unions.is(v) then return { n = 1, v } end
  return { n = 1, unions.each(v, function(own)
    if own == nil then error("lookup: found an index at which the table has no value", 0) end
    return own
  end) }
end

raw[vocabulary.words.where] = function(given)
  return { n = 1, unions.each(given[1], function(condition)
    local a, b = given[2], given[3]
    if not is_symbol(condition) or kind_of(condition) ~= "truth" then return vocabulary.words.where(condition, a, b) end
    if kind_of(a) and kind_of(a) == kind_of(b) then return words.where(condition, a, b) end
    local list, mask, holds = { n = 0 }, run.mask, truth(condition)
    unions.add(list, both(mask, holds), a)
    unions.add(list, both(mask, holds ~ 1), b)
    return unions.of(list)
  end) }
end

--- True if fractions of the state, or they and integers of the state, are among arguments.
local function has_fraction(given)
  local is_one, is_symbolic = false, has_symbol(given)
  for j = 1, run.has_fractions and given.n or 0 do
    is_one = is_one or fractions.all[given[j]] or is_symbolic and math.type(given[j]) == "float"
  end
  return is_one
end

--- min or max of several numbers, or abs of one.
local function of_fractions(name, given)
  local found = given[1]
  for j = 1, given.n do
    if kind_of(given[j]) ~= "fraction" and kind_of(given[j]) ~= "integer" then error "number expected" end
    if j > 1 then found = fractions.new(name, found, given[j]) end
  end
  return name == "abs" and fractions.new(name, found) or found
end

--- Lua's functions on integers of the state, by the words that do the same.
for f, name in pairs { [math.max] = "max", [math.min] = "min", [math.abs] = "abs" } do
  handlers[f] = function(given)
    if has_fraction(given) then return { n = 1, of_fractions(name, given) } end
    if not has_symbol(given) then return call(f, given) end
    return { n = 1, words[name](unpack(given, 1, given.n)) }
  end
end
handlers[math.sqrt] = function(given)
  if not run.has_fractions or is_plain(given[1]) or not kind_of(given[1]) then return call(math.sqrt, given) end
  return { n = 1, fractions.new("sqrt", given[1]) }
end
for _, f in ipairs { math.floor, math.ceil, math.tointeger, tonumber } do
  handlers[f] = function(given)
    if not is_symbol(given[1]) or kind_of(given[1]) ~= "integer" or given.n > 1 then return call(f, given) end
    return { n = 1, given[1] }
  end
end

handlers[type] = function(given)
  local v = given[1]
  local kind = is_symbol(v) and kind_of(v)
  if fractions.all[v] then return { n = 1, "number" } end
  return { n = 1, not kind and type(unpack(given, 1, given.n)) or kind == "integer" and "number"
    or kind == "truth" and "boolean" or "userdata" }
end

handlers[math.type] = function(given)
  if fractions.all[given[1]] then return { n = 1, "float" } end
  if not is_symbol(given[1]) then return { n = 1, math.type(unpack(given, 1, given.n)) } end
  return { n = 1, kind_of(given[1]) == "integer" and "integer" or nil }
end

handlers[rawequal] = function(given) return { n = 1, operators.equal(given[1], given[2]) } end

raw[select] = function(given)
  return unions.each_value_results(given[1], function(n)
    if n == "#" then return { n = 1, (given.count or given.n) - 1 } end
    if given.count and math.type(n) == "integer" and n < 0 then
      refuse("select from the end of a list whose length differs between states", "a number from the beginning")
    end
    local results = pack(select(n, unpack(given, 2, given.n)))
    results.count = given.count and words.max(given.count - n, 0)
    return results
  end)
end

raw[assert] = function(given)
  local missing = both(run.mask, truth(given[1]) ~ 1)
  if missing == run.mask then paths.raise() end
  if not paths.is_none(missing) then paths.kill(missing) end
  return given
end

raw[error] = paths.raise

--- Lua makes the moves in which the function raises an error: its text is not known here.
for f, first in pairs { [pcall] = 2, [xpcall] = 3 } do
  raw[f] = function(given)
    local alive, before = run.alive, first - 1
    local own = { n = math.max(0, given.n - before), count = given.count and given.count - before }
    local results = expressions.later.call(given[1], table.move(given, first, given.n, 1, own))
    if run.alive ~= alive then
      run.reason = run.reason or { refused = "found an error that pcall catches, expected a condition before it", at = run.at }
    end
    return table.move(results, 1, results.n, 2, { true, n = results.n + 1, count = results.count and results.count + 1 })
  end
end

--- Sorts integers of the state, of which equal ones cannot be told from each other, by exchanges of neighbours.
handlers[table.sort] = function(given)
  local t, values = given[1], {}
  local n = given.n == 1 and run.born[t] and tables.length(t)
  if math.type(n) ~= "integer" then return call(table.sort, given) end
  for i = 1, n do
    values[i] = tables.get(t, i)
    if kind_of(values[i]) ~= "integer" then return call(table.sort, given) end
  end
  for last = n - 1, 1, -1 do
    for i = 1, last do
      values[i], values[i + 1] = words.min(values[i], values[i + 1]), words.max(values[i], values[i + 1])
    end
  end
  for i = 1, n do tables.put(t, i, values[i]) end
  return { n = 0 }
end

handlers[ipairs] = function(given)
  if given.n == 0 then error("bad argument to 'ipairs'", 0) end
  return { n = 3, (ipairs {}), given[1], 0 }
end

handlers[pairs] = function(given)
  local meta = type(given[1]) == "table" and tables.metatable(given[1])
  if meta and tables.get(meta, "__pairs") then refuse("pairs over a table with __pairs", "a plain table") end
  return { n = 3, next, given[1], nil }
end

handlers[next] = function(given)
  local t, k = given[1], given[2]
  if type(t) ~= "table" then error("bad argument to 'next'", 0) end
  local rounds_of = expressions.later.keys(t)
  for round = 1, math.huge do
    local mask, key, v = rounds_of(round)
    if mask == paths.NONE then return { n = 1 } end
    if k == nil then return { n = 2, key, v } end
    if rawequal(key, k) then k = nil end
  end
end

handlers[rawget] = function(given)
  local t, k = given[1], given[2]
  if type(t) ~= "table" then error("bad argument #1 to 'rawget' (table expected)", 0) end
  if not is_symbol(k) then return { n = 1, tables.raw(t, k) } end
  if tables.metatable(t) then refuse("rawget of a table with a metatable by a key of the state", "a known key") end
  return { n = 1, tables.get(t, k) }
end

handlers[rawlen] = function(given)
  if type(given[1]) == "table" then return { n = 1, tables.length(given[1]) } end
  return { n = 1, rawlen(given[1]) }
end
raw[rawset] = function(given)
  tables.put(given[1], given[2], given[3])
  return { n = 1, given[1] }
end

handlers[setmetatable] = function(given)
  local t, meta = given[1], given[2]
  local birth = run.born[t]
  if not birth or not tables.is_covered(birth) then
    paths.refuse_write("setmetatable of a table that outlives the call", "one that step makes")
  end
  tables.set_metatable(t, meta)
  return { n = 1, t }
end

--- A list that the call makes.
local function list_of(values, n)
  local t = table.move(values, 1, n, 1, {})
  run.born[t] = run.mask
  return t
end

raw[table.pack] = function(given)
  local t = list_of(given, given.n)
  t.n = given.count or given.n
  return { n = 1, t }
end

handlers[table.unpack] = function(given)
  local t = given[1]
  return unions.each_value_results(given[2] or 1, function(first)
    return unions.each_value_results(given[3] or tables.length(t), function(last)
      local results = { n = math.max(0, last - first + 1) }
      for i = first, last do results[i - first + 1] = tables.get(t, i) end
      return results
    end)
  end)
end

--- f(list, length, place) for each list, each length that it can have, and each place.
local function each_place(list, place, f)
  return unions.each(list, function(t)
    return unions.each_value(tables.length(t), function(n)
      return unions.each_value(place, function(known) return f(t, n, known) end)
    end)
  end)
end

raw[table.insert] = function(given)
  if given.count then refuse("arguments whose number differs between states", "the same number") end
  local at, v = given[2], given[3]
  if given.n == 2 then at, v = nil, given[2] end
  each_place(given[1], at, function(list, n, place)
    place = place or n + 1
    if place < 1 or place > n + 1 then error("bad argument to 'insert' (position out of bounds)", 0) end
    for i = n, place, -1 do tables.put(list, i + 1, tables.get(list, i)) end
    tables.put(list, place, v)
  end)
  return { n = 0 }
end

raw[table.remove] = function(given)
  return { n = 1, each_place(given[1], given[2], function(list, n, place)
    place = place or n
    if n + 1 ~= place and (place < 1 or place > n + 1) and not (n == 0 and place == 0) then
      error("bad argument to 'remove' (position out of bounds)", 0)
    end
    local removed = tables.get(list, place)
    for i = place, n - 1 do tables.put(list, i, tables.get(list, i + 1)) end
    if place >= 1 and place <= n then tables.put(list, n, nil) end
    return removed
  end) }
end

--- Handlers by function.
---@type table<function, fun(given: table): table>
library.functions = setmetatable({}, { __mode = "k", __index = function(self, f)
  local original = sources.original(f)
  local handler = handlers[original]
  self[f] = raw[original] or handler and function(given) return without_unions(handler, given) end or false
  return self[f]
end })

--- object:name(given)
---@param given table   arguments, a list with n
---@return table results
function library.method(object, name, given)
  if type(object) == "userdata" then
    return without_unions(function(own)
      if is_symbol(object) and type(kind_of(object)) ~= "number" then
        error(("attempt to index a value (method '%s')"):format(name), 0)
      end
      if is_symbol(object) or has_symbol(own) then return boards.method(object, name, own) end
      if not kind_of(object) then refuse(("a method '%s' of an object in C"):format(name), "a board") end
      for j = 1, own.n do
        if not is_plain(own[j]) then refuse("a list of values of the state given to a board", "known ones") end
      end
      return results_of(object[name], { n = own.n + 1, object, unpack(own, 1, own.n) })
    end, given)
  end
  return expressions.later.call(tables.get(object, name), { n = given.n + 1, object, unpack(given, 1, given.n) })
end

expressions.later.method = library.method

return library
