--- Values that differ between paths and cannot be one symbol: of several kinds, or texts, tables, functions and nil.
---
--- A union lists masks and the values in their states: { mask, value, mask, value, n = 4 }. An operation on a union is done for
--- each of its values. Integers, truth values and boards of one size are merged to a symbol when a variable is read on a path
--- that has several of them.
local fractions = require "crux.symbolic.fractions"
local paths = require "crux.symbolic.paths"
local vocabulary = require "crux.symbolic.vocabulary"

local both, either, is_none, living, run, words = paths.both, paths.either, paths.is_none, paths.living, paths.run, paths.words
local NONE <const>, ALL <const> = paths.NONE, paths.ALL
local math_type, rawequal, type = math.type, rawequal, type

local unions = {}

--- True by union: a look here takes a tenth of the time of asking for a metatable.
---@type table<any, boolean>
local all = setmetatable({}, { __mode = "k" })
unions.all = all

vocabulary.operands[words] = true

local function is_union(v) return all[v] == true end
unions.is = is_union

function unions.is_symbol(v) return type(v) == "userdata" and debug.getmetatable(v) == words end

--- The kind of a value that can be merged: "integer", "truth", a number for boards of one size or, where fractions may depend
--- on the state, "fraction".
local function kind_of(v)
  local t = type(v)
  if t == "userdata" then return (run.trace:look(v)) end
  if t == "boolean" then return "truth" end
  if t == "number" and math_type(v) == "integer" then return "integer" end
  return run.has_fractions and (t == "number" or fractions.all[v]) and "fraction" or nil
end
unions.kind_of = kind_of

local function are_mergeable(a, b)
  if rawequal(a, b) then return math_type(a) == math_type(b) and (a ~= 0 or math_type(a) ~= "float") end
  local kind = kind_of(a)
  return kind ~= nil and kind == kind_of(b)
end

--- condition and a or b, of a symbol's values or plain ones.
local function where(condition, a, b)
  if condition == true then return a end
  if condition == false then return b end
  if kind_of(a) == "fraction" then return fractions.new("where", a, b, condition) end
  return words.where(condition, a, b)
end

unions.where = where

--- Adds a value in the states of a mask to a list; merges it if it can.
local function add(list, mask, v)
  for i = 2, list.n, 2 do
    local other = list[i]
    if are_mergeable(other, v) then
      local whole = either(list[i - 1], mask)
      if not rawequal(other, v) then list[i] = where(paths.truth_within(list[i - 1], whole), other, v) end
      list[i - 1] = whole
      return
    end
  end
  local n = list.n
  list[n + 1], list[n + 2], list.n = mask, v, n + 2
end

--- Adds a value, perhaps a union, in the states of a mask.
local function add_all(list, mask, v)
  if not all[v] then
    if not is_none(mask) then add(list, mask, v) end
    return
  end
  for i = 1, v.n, 2 do
    local part = both(v[i], mask)
    if not is_none(part) then add(list, part, v[i + 1]) end
  end
end
unions.add = add_all

--- The most values of a union, and of an integer of the state of which each has a path of its own.
local MOST_VALUES <const> = 256

--- The value of a list.
local function of(list)
  if list.n == 2 then return list[2] end
  if list.n > 2 * MOST_VALUES then
    paths.refuse(("a value of more than %d kinds"):format(MOST_VALUES), "fewer texts or fractions")
  end
  all[list] = true
  return list
end
unions.of = of

--- A value in the states of a mask, merged as far as it can be.
local function narrow(v, mask)
  if not all[v] then return v end
  local list = { n = 0 }
  add_all(list, mask, v)
  return of(list)
end
unions.narrow = narrow

local function append(list, mask, v)
  if not all[v] then v = { mask, v, n = 2 } end
  for i = 1, v.n, 2 do
    local part = both(v[i], mask)
    if not is_none(part) then
      local n = list.n
      list[n + 1], list[n + 2], list.n = part, v[i + 1], n + 2
    end
  end
end

--- The new value in the states of a mask, the old one in others; not merged before it is read.
function unions.layer(mask, new, others, old)
  if rawequal(new, old) and math_type(new) == math_type(old) then return new end
  local list = { n = 0 }
  append(list, mask, new)
  append(list, others, old)
  return of(list)
end

--- The value t[k], a union, on the current path: its own if it is one, else all of the union merged, once for all paths.
function unions.read(t, k)
  local v, mask, own, count = rawget(t, k), run.mask, nil, 0
  for i = 1, v.n, 2 do
    if not is_none(both(v[i], mask)) then
      if count == 0 or not rawequal(own, v[i + 1]) or math_type(own) ~= math_type(v[i + 1]) then count = count + 1 end
      own = v[i + 1]
    end
  end
  if count == 1 then return own end
  local merged = narrow(v, ALL)
  rawset(t, k, merged)
  return narrow(merged, mask)
end

--- The values that f gives for each value of a union, on the path of its states; f(v, ...) for another value.
---@param merge fun(list: table): any   of a list { mask, result, ..., n }
local function split(merge, v, f, ...)
  local whole, list, left, alive = run.mask, { n = 0 }, NONE, run.alive
  for i = 1, v.n, 2 do
    run.mask = living(v[i])
    if not is_none(run.mask) then
      local depth, mask = run.depth, run.mask
      local ok, result = pcall(f, v[i + 1], ...)
      if ok then
        list[list.n + 1], list[list.n + 2], list.n = run.mask, result, list.n + 2
        left = either(left, run.mask)
      else
        run.depth = depth
        paths.fail(result, mask)
      end
    end
  end
  run.mask = run.alive == alive and whole or living(left)
  if is_none(run.mask) then
    run.mask = NONE
    paths.leave()
  end
  return merge(list)
end

local function merge_values(list)
  local merged = { n = 0 }
  for i = 1, list.n, 2 do add_all(merged, list[i], list[i + 1]) end
  return of(merged)
end

--- Results of calls, lists with n, merged one by one; `count` is their number, a symbol, if it differs between paths.
function unions.merge_results(list)
  if list.n == 2 then return list[2] end
  local results, differs, counts = { n = 0 }, false, { n = 0 }
  for i = 2, list.n, 2 do
    results.n = math.max(results.n, list[i].n)
    differs = differs or list[i].count or list[i].n ~= list[2].n
  end
  for i = 1, differs and list.n or 0, 2 do add_all(counts, list[i], list[i + 1].count or list[i + 1].n) end
  results.count = differs and of(counts) or nil
  for j = 1, results.n do
    local merged = { n = 0 }
    for i = 1, list.n, 2 do add_all(merged, list[i], list[i + 1][j]) end
    results[j] = of(merged)
  end
  return results
end

--- f(v, ...) for each value of v on the current path, merged.
function unions.each(v, f, ...)
  if type(v) ~= "table" then return f(v, ...) end
  v = narrow(v, run.mask)
  if not all[v] then return f(v, ...) end
  return split(merge_values, v, f, ...)
end

--- The same for a function that returns a list of results.
function unions.each_results(v, f, ...)
  v = narrow(v, run.mask)
  if not all[v] then return f(v, ...) end
  return split(unions.merge_results, v, f, ...)
end

--- f(a, b) for each value of two.
local function each_pair(f, a, b)
  if not all[a] and not all[b] then return f(a, b) end
  return unions.each(a, function(x) return unions.each(b, function(y) return f(x, y) end) end)
end
unions.each_pair = each_pair

--- The states in which a value is neither nil nor false.
local function truth(v)
  if v == nil or v == false then return NONE end
  if v == true then return ALL end
  if type(v) == "userdata" and run.trace:look(v) == "truth" then return run.masks:of(v) end
  if not all[v] then return ALL end
  local found = NONE
  for i = 1, v.n, 2 do found = either(found, both(v[i], truth(v[i + 1]))) end
  return found
end
unions.truth = truth

--- A value of an operation that raises where it is nil.
local function defined(v)
  if not all[v] then return v end
  local list, mask = { n = 0 }, run.mask
  for i = 1, v.n, 2 do
    local part = both(v[i], mask)
    if v[i + 1] ~= nil then
      append(list, part, v[i + 1])
    elseif not is_none(part) then
      paths.kill(part)
    end
  end
  if run.mask == NONE or list.n == 0 then paths.leave() end
  return of(list)
end
unions.defined = defined

--- A symbol of an integer or truth value as a union of all plain values that it can have; nil for other values.
local function spread(v)
  if type(v) ~= "userdata" then return nil end
  local kind, low, high = run.trace:look(v)
  if kind == "truth" then
    local holds = run.masks:of(v)
    return { both(run.mask, holds), true, both(run.mask, holds ~ 1), false, n = 4 }
  elseif kind ~= "integer" then
    return nil
  end
  if high - low >= MOST_VALUES or high - low < 0 then
    paths.refuse(("a value from %d to %d where each value needs a path of its own"):format(low, high),
      ("at most %d values"):format(MOST_VALUES))
  end
  local list = { n = 0 }
  for value = low, high do append(list, both(run.mask, truth(words.eq(v, value))), value) end
  return list
end

local function spread_one(v, merge, f)
  local values = spread(v)
  if not values then return f(v) end
  return split(merge, values, f)
end

--- f(v) for each value of v, and for each plain value of a symbol of an integer or truth value.
function unions.each_value(v, f)
  if type(v) ~= "table" and type(v) ~= "userdata" then return f(v) end
  return unions.each(v, spread_one, merge_values, f)
end

--- The same for a function that returns a list of results.
function unions.each_value_results(v, f) return unions.each_results(v, spread_one, unions.merge_results, f) end

return unions
