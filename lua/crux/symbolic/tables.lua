--- Reads and writes of tables: those made in the call, and those that outlive it, such as the level's.
local paths = require "crux.symbolic.paths"
local sealed = require "crux.base.sealed"
local unions = require "crux.symbolic.unions"

local both, is_none, refuse, run, words = paths.both, paths.is_none, paths.refuse, paths.run, paths.words
local each, is_symbol, is_union = unions.each, unions.is_symbol, unions.is
local NONE <const>, ALL <const> = paths.NONE, paths.ALL
local all_unions, getmetatable, rawget, rawset, type = unions.all, getmetatable, rawget, rawset, type

local tables = {}

--- The most keys among which a key of the state may choose where a table's values cannot be one symbol.
local MOST_KEYS <const> = 4096

local NOTHING = {} -- in place of nil among known values
tables.NOTHING = NOTHING

--- A value that outlives the call: t[k], an upvalue of a function, or with the key META a metatable. Noted for other levels,
--- unless it never changes. The key LENGTH stands for the length of a table of the level.
local META, LENGTH = {}, {}

local function held(holder, k)
  if run.shape and not sealed.has(holder) then return (run.shape:held(holder, k ~= META and k or nil, run.at)) end
  if k == META then return debug.getmetatable(holder) end
  if type(holder) == "function" then return select(2, debug.getupvalue(holder, k)) end
  return rawget(holder, k)
end

local function first_read(holder, k)
  local number = run.numbers[holder]
  if number and k ~= META then
    local v, other = run.shape:read(number, k, run.at)
    if other and run.held[v] then error({ refused = "found a table of the level that step reaches by another way" }, 0) end
    if other then run.numbers[v] = other end
    return v
  elseif number then
    return nil
  end
  local v = held(holder, k)
  if type(v) == "table" and run.shape then
    if run.numbers[v] then error({ refused = "found a table of the level that step reaches by another way" }, 0) end
    run.held[v] = true
  end
  return v
end

--- The values that were read of a table or function that outlives the call, by key.
local function known_of(holder)
  local known = run.known[holder] or {}
  run.known[holder] = known
  return known
end

local function fixed(holder, k)
  local known = known_of(holder)
  local v = known[k]
  if v == nil then
    v = first_read(holder, k)
    known[k] = v == nil and NOTHING or v
  end
  if v == NOTHING then return nil end
  return v
end
tables.fixed = fixed

--- The metatable that step gave to a table of the call, or that of a table that outlives it; nil for the state: see raiser_of.
function tables.metatable(t)
  if run.born[t] then return run.metatables[t] end
  return fixed(t, META)
end

function tables.set_metatable(t, meta) run.writes, run.metatables[t] = run.writes + 1, meta end

--- The value at a known key, without metatables.
function tables.raw(t, k)
  if k == nil then return nil end
  if not run.born[t] then return fixed(t, k) end
  local v = rawget(t, k)
  if is_union(v) then return unions.read(t, k) end
  return v
end

local get

--- The function that raises at fields that the state has not; nil or false for other tables.
local function raiser_of(t)
  local meta = run.born[t] and debug.getmetatable(t)
  return meta and meta.__index
end

--- The value that a table's metatable gives for a key without a value.
local function inherited(t, k)
  local raise = raiser_of(t)
  if raise then raise(t, k) end
  local meta = tables.metatable(t)
  local index = meta and get(meta, "__index")
  if index == nil then return nil end
  if type(index) == "function" then return tables.call(index, { n = 2, t, k })[1] end
  return get(index, k)
end

--- t[k] of a table and a known key.
local function plain_get(t, k)
  local v = tables.raw(t, k)
  if v == nil then return inherited(t, k) end
  if is_union(v) and (tables.metatable(t) or raiser_of(t)) then
    return each(v, function(own)
      if own == nil then return inherited(t, k) end
      return own
    end)
  end
  return v
end

--- t[k] for an integer of the state, key by key.
local function choose(t, k, low, high)
  if high - low >= MOST_KEYS or high - low < 0 then
    refuse(("a key from %d to %d of a table of several kinds of values"):format(low, high), "fewer keys")
  end
  local list, mask = { n = 0 }, run.mask
  for i = low, high do
    run.mask = both(mask, unions.truth(words.eq(k, i)))
    if not is_none(run.mask) then
      local v
      paths.guard(function() v = get(t, i) end)
      unions.add(list, run.mask, v)
    end
  end
  run.mask = paths.living(mask)
  if list.n == 0 then paths.leave() end
  return unions.of(list)
end

--- t[k] for a key of the state, and the states of the path in which there is no value.
local function look_up(t, k)
  local number = run.numbers[t]
  if number then return run.trace:lookup_level(run.shape, number, k, run.at) end
  local _, low, high = run.trace:look(k)
  if run.shape and high - low < MOST_KEYS then
    for i = low, high do fixed(t, i) end
  end
  return run.trace:lookup(t, k)
end

local function get_at(t, k)
  local kind, low, high = run.trace:look(k)
  if kind == "truth" then return unions.each_value(k, function(known) return get(t, known) end) end
  if kind ~= "integer" then refuse("a board of the state as a key", "an integer") end
  if run.born[t] then return choose(t, k, low, high) end
  local value, missing = look_up(t, k)
  if missing == nil then return choose(t, k, low, high) end
  if missing == false then return value end
  local list, gone = { n = 0 }, unions.truth(missing)
  unions.add(list, both(run.mask, gone ~ 1), value)
  unions.add(list, both(run.mask, gone), nil)
  return unions.of(list)
end

--- The value that words.lookup gives: an error where there is none.
function tables.lookup(t, k)
  local value, missing
  local is_known = not is_symbol(k)
  if is_known and run.numbers[t] and math.type(rawget(t, k)) == "integer" then
    value = run.trace:lookup_level(run.shape, run.numbers[t], k, run.at)
    return value
  end
  if is_known then return plain_get(t, k) end
  if run.born[t] or run.trace:look(k) ~= "integer" then return get_at(t, k) end
  value, missing = look_up(t, k)
  if missing == nil then return get_at(t, k) end
  if missing then run.trace:refuse(run.masks:symbol(both(run.mask, unions.truth(missing)))) end
  return value
end

local strings = getmetatable ""

local function get_one(t, k)
  local kind = type(t)
  if kind == "table" then
    if is_symbol(k) then return get_at(t, k) end
    return plain_get(t, k)
  end
  if kind == "string" then return strings.__index[k] end
  if kind == "userdata" and not is_symbol(k) then
    local meta = debug.getmetatable(t)
    local index = meta and meta.__index
    if type(index) == "table" then return index[k] end
  end
  return t[k] -- raises
end

--- t[k]
function get(t, k)
  local known = run.known[t]
  local v = known and known[k]
  if v ~= nil and v ~= NOTHING then return v end
  if all_unions[t] or all_unions[k] then return unions.each_pair(get_one, unions.defined(t), k) end
  if not run.born[t] or type(k) == "userdata" then return get_one(t, k) end
  v = t[k] -- a state raises where it has none
  if v ~= nil and not all_unions[v] then return v end
  return plain_get(t, k)
end
tables.get = get

--- True if a value of states `birth` is changed in all of them by the current path.
function tables.is_covered(birth)
  local mask = run.mask
  return mask == ALL or birth == mask or is_none(both(birth, mask ~ 1))
end

--- The states in which a table that the call made has a value at a key.
local function present(t, k)
  local v, found = rawget(t, k), NONE
  if not is_union(v) then return v ~= nil and ALL or NONE end
  for i = 1, v.n, 2 do found = v[i + 1] ~= nil and paths.either(found, v[i]) or found end
  return found
end

--- Sets t[k] of a table that the call made, on the current path.
local function set(t, k, v)
  local birth = run.born[t]
  run.writes = run.writes + 1
  local meta = debug.getmetatable(t)
  local missing = meta and both(run.mask, present(t, k) ~ 1)
  if meta and not is_none(missing) then -- that of a state raises, that of a list if it has no such element
    local mask, old = run.mask, rawget(t, k)
    run.mask = missing
    paths.guard(meta.__newindex, t, k, v)
    run.mask = paths.living(mask)
    rawset(t, k, old)
    if run.mask == NONE then paths.leave() end
  end
  if tables.is_covered(birth) then
    rawset(t, k, v)
    return
  end
  local mask = run.mask
  rawset(t, k, unions.layer(mask, v, both(birth, mask ~ 1), rawget(t, k)))
end

local function put_one(t, k, v)
  if type(t) ~= "table" then t[k] = v end -- raises
  if not run.born[t] then
    paths.refuse_write("a write to a table that outlives the call", "step to change nothing but the state")
  end
  local meta = run.metatables[t]
  if meta and tables.get(meta, "__newindex") then refuse("a write to a table with __newindex", "a function") end
  if not is_symbol(k) then
    if k == nil or k ~= k then error("index is nil", 0) end
    set(t, k, v)
    return
  end
  local kind, low, high = run.trace:look(k)
  if kind ~= "integer" or high - low >= MOST_KEYS or high - low < 0 then
    refuse("a key of the state that is no integer of a small range", "one")
  end
  local mask = run.mask
  for i = low, high do
    run.mask = both(mask, unions.truth(words.eq(k, i)))
    if not is_none(run.mask) then paths.guard(set, t, i, v) end
  end
  run.mask = paths.living(mask)
end

--- t[k] = v
function tables.put(t, k, v)
  if not is_union(t) and not is_union(k) then return put_one(t, k, v) end
  each(t, function(one) return each(k, function(key) return put_one(one, key, v) end) end)
end

--- The length of a table. Where a value is missing between others, it depends on how Lua keeps the table.
function tables.length(t)
  local number = run.numbers[t]
  if number then
    local known = known_of(t)
    known[LENGTH] = known[LENGTH] or run.shape:length(number, run.at)
    return known[LENGTH]
  end
  if not run.born[t] then
    local n = #t
    for i = 1, run.shape and n + 1 or 0 do fixed(t, i) end
    return n
  end
  local last, list, mask, left = 0, { n = 0 }, run.mask, run.mask
  for k in next, t do last = math.type(k) == "integer" and k > last and k or last end
  for n = 0, last do
    local more, behind = present(t, n + 1), NONE
    local ends = both(left, more ~ 1)
    for i = n + 2, ends == NONE and 0 or last do behind = paths.either(behind, both(ends, present(t, i))) end
    if not is_none(behind) then
      local message = "found the length of a list with gaps, expected one without nil"
      paths.give_up(behind, { refused = message, at = run.at, is_local = true })
    end
    unions.add(list, ends, n)
    left = both(left, more)
  end
  run.mask = paths.living(mask)
  if list.n == 0 then paths.leave() end
  return unions.of(list)
end

return tables
