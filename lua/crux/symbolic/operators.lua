--- Lua's operators on plain values, symbols and unions.
local paths = require "crux.symbolic.paths"
local unions = require "crux.symbolic.unions"

local refuse, run, words = paths.refuse, paths.run, paths.words
local each, each_pair, is_symbol, is_union, kind_of = unions.each, unions.each_pair, unions.is_symbol, unions.is, unions.kind_of
local math_type, type = math.type, type

local operators = {}

--- The widest range of values for which a division is computed beforehand.
local MOST_VALUES <const> = 65536

--- True if values need more than Lua's own operator.
local function are_special(a, b)
  local s, t = type(a), type(b)
  return s == "table" or t == "table" or s == "userdata" or t == "userdata"
end

--- The comparison of two plain values or symbols.
local function equal(a, b)
  if not is_symbol(a) and not is_symbol(b) then return a == b end
  local kind, other = kind_of(a), kind_of(b)
  if kind == other then return words.eq(a, b) end
  if math_type(a) == "float" or math_type(b) == "float" then
    refuse("a fraction compared with a value of the state", "an integer")
  end
  return false
end

function operators.equal(a, b)
  if not are_special(a, b) then return a == b end
  if is_union(a) or is_union(b) then return each_pair(equal, a, b) end
  return equal(a, b)
end

local function opposite(v)
  if type(v) == "boolean" then return not v end
  return ~v
end

function operators.unequal(a, b)
  local same = operators.equal(a, b)
  if type(same) == "boolean" then return not same end
  return each(same, opposite)
end

--- a < b or a <= b by a word on symbols, or by Lua.
local function ordered(word, plain)
  local function one(a, b)
    if not is_symbol(a) and not is_symbol(b) then return plain(a, b) end
    local kind, other = kind_of(a), kind_of(b)
    if kind == "integer" and other == "integer" then return word(a, b) end
    if math_type(a) == "float" or math_type(b) == "float" then
      refuse("a fraction compared with a value of the state", "an integer")
    end
    error("attempt to compare two values", 0)
  end
  return function(a, b)
    if not are_special(a, b) then return plain(a, b) end
    if is_union(a) or is_union(b) then return each_pair(one, a, b) end
    return one(a, b)
  end
end

operators.less = ordered(words.lt, function(a, b) return a < b end)
operators.at_most = ordered(words.le, function(a, b) return a <= b end)

--- The division of a symbol by a known integer: by a shift, or by a table of all results.
local function divided(x, n, plain, is_quotient)
  if not is_symbol(x) and not is_symbol(n) then return plain(x, n) end
  local kind, low, high = run.trace:look(x)
  if kind_of(n) ~= "integer" or kind ~= "integer" then
    if math_type(n) == "float" or type(n) == "string" then refuse("a division by a fraction", "an integer") end
    error("attempt to perform arithmetic on another value", 0)
  end
  if is_symbol(n) then refuse("a division by a value of the state", "a known integer, or a table's field") end
  if n == 0 then error("attempt to perform 'n//0'", 0) end
  if n > 0 and n & n - 1 == 0 and (low >= 0 or not is_quotient) then
    if not is_quotient then return x & n - 1 end
    local bits = 0
    while 1 << bits < n do bits = bits + 1 end
    return x >> bits
  end
  if low < 0 and low + MOST_VALUES < high or high - low >= MOST_VALUES or high - low < 0 then
    refuse(("a division of a value from %d to %d"):format(low, high), "a range of at most 65536 values")
  end
  local results = {}
  for v = low, high do results[v] = plain(v, n) end
  return (run.trace:lookup(results, x))
end

local function division(plain, is_quotient)
  return function(a, b)
    if not are_special(a, b) then return plain(a, b) end
    return each_pair(function(x, n) return divided(x, n, plain, is_quotient) end, a, b)
  end
end

operators.quotient = division(function(a, b) return a // b end, true)
operators.remainder = division(function(a, b) return a % b end, false)

--- not a
local function negation(a)
  if type(a) == "userdata" and is_symbol(a) and run.trace:look(a) == "truth" then return ~a end
  return not a
end

function operators.negation(a)
  if is_union(a) then return each(a, negation) end
  return negation(a)
end

return operators
