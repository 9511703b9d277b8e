--- Lua's operators on plain values, symbols, unions, and tables with metatables.
local fractions = require "crux.symbolic.fractions"
local paths = require "crux.symbolic.paths"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local refuse, run, words = paths.refuse, paths.run, paths.words
local each, each_pair, each_value = unions.each, unions.each_pair, unions.each_value
local is_symbol, is_union, kind_of = unions.is_symbol, unions.is, unions.kind_of
local math_type, type = math.type, type

local operators = {}

--- The widest range of values for which a division is computed beforehand.
local MOST_VALUES <const> = 65536

--- True if values need more than Lua's own operator.
local function are_special(a, b)
  local s, t = type(a), type(b)
  return s == "table" or t == "table" or s == "userdata" or t == "userdata"
end

--- True, and what the metamethod of an event gives, if one of two tables has it.
local function by_metatable(event, a, b)
  for _, t in ipairs { a, b } do -- stops at nil
    local meta = type(t) == "table" and tables.metatable(t)
    local f = meta and tables.get(meta, event)
    if f then return true, tables.call(f, { n = 2, a, b })[1] end
  end
  return false
end

local function negation(a)
  if type(a) == "userdata" and is_symbol(a) and run.trace:look(a) == "truth" then return ~a end
  return not a
end

--- not a
local function negated(a)
  if is_union(a) then return each(a, negation) end
  return negation(a)
end

--- The comparison of two plain values or symbols.
local function equal(a, b)
  if rawequal(a, b) then return true end
  if fractions.all[a] or fractions.all[b] then fractions.refuse() end
  if type(a) == "table" and type(b) == "table" then
    local is_done, same = by_metatable("__eq", a, b)
    return is_done and negated(negated(same))
  end
  if not is_symbol(a) and not is_symbol(b) then return a == b end
  a, b = math.tointeger(a) or a, math.tointeger(b) or b
  local kind, other = kind_of(a), kind_of(b)
  if kind == "integer" and type(other) == "number" or other == "integer" and type(kind) == "number" then -- a board's kind
    refuse("a comparison of a board with a number, which are never equal", "#BOARD, the number of its squares")
  end
  return kind == other and words.eq(a, b)
end

local function are_equal(a, b)
  if not are_special(a, b) then return a == b end
  if is_union(a) or is_union(b) then return each_pair(equal, a, b) end
  return equal(a, b)
end

operators.equal = are_equal

function operators.unequal(a, b) return negated(are_equal(a, b)) end

--- a < b or a <= b by a word on symbols, or by Lua. An integer is compared with a fraction rounded down or up.
local function ordered(event, word, plain, round_left, round_right)
  local function one(a, b)
    if type(a) == "table" or type(b) == "table" then
      local is_done, result = by_metatable(event, a, b)
      if is_done then return negated(negated(result)) end
    end
    if not is_symbol(a) and not is_symbol(b) then return plain(a, b) end
    if math_type(a) == "float" then a = round_left(a) end
    if math_type(b) == "float" then b = round_right(b) end
    if math_type(a) == "float" and kind_of(b) == "integer" then return plain(a, 0) end -- beyond all integers
    if math_type(b) == "float" and kind_of(a) == "integer" then return plain(0, b) end
    if kind_of(a) == "integer" and kind_of(b) == "integer" then return word(a, b) end
    error("attempt to compare two values", 0)
  end
  return function(a, b)
    if not are_special(a, b) then return plain(a, b) end
    if is_union(a) or is_union(b) then return each_pair(one, a, b) end
    return one(a, b)
  end
end

operators.less = ordered("__lt", words.lt, function(a, b) return a < b end, math.floor, math.ceil)
operators.at_most = ordered("__le", words.le, function(a, b) return a <= b end, math.ceil, math.floor)

--- The division of an integer of the state by a known integer: by a shift, or by a table of all results.
local function divided(x, n, plain, is_quotient)
  local _, low, high = run.trace:look(x)
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

--- Operators whose results for integers are no integers: each value of a symbol has a path of its own.
local by_values = { ["/"] = true, ["^"] = true, [".."] = true }

local function binary(sign, event)
  local plain = load(("local a, b = ... return a %s b"):format(sign), "=operator")
  local is_quotient = sign == "//"
  local is_division = is_quotient or sign == "%"
  local function one(a, b)
    if type(a) == "table" or type(b) == "table" then
      local is_done, result = by_metatable(event, a, b)
      if is_done then return result end
    end
    if not is_symbol(a) and not is_symbol(b) then return plain(a, b) end
    local s, t = kind_of(a), kind_of(b)
    if is_division and s == "integer" and t == "integer" then
      if is_symbol(a) then return each_value(b, function(n) return divided(a, n, plain, is_quotient) end) end
      return each_value(b, function(n) return plain(a, n) end)
    end
    local is_mixed = (s == "integer" or t == "integer") and s ~= t and type(s) ~= "number" and type(t) ~= "number"
    if by_values[sign] or is_mixed then
      local fraction = fractions.binary(sign, a, b)
      if fraction then return fraction end
      return each_value(a, function(x) return each_value(b, function(y) return plain(x, y) end) end)
    end
    return plain(a, b)
  end
  local is_of_symbols = not is_division and not by_values[sign]
  return function(a, b)
    local s, t = type(a), type(b)
    if s == "number" and t == "number" then return plain(a, b) end
    if is_of_symbols and (s == "userdata" or math_type(a) == "integer") and (t == "userdata" or math_type(b) == "integer") then
      return plain(a, b)
    end
    if is_union(a) or is_union(b) then return each_pair(one, unions.defined(a), unions.defined(b)) end
    return one(a, b)
  end
end

--- By sign: a function of two values.
operators.binary = { ["=="] = operators.equal, ["~="] = operators.unequal, ["<"] = operators.less, ["<="] = operators.at_most,
  [">"] = function(a, b) return operators.less(b, a) end, [">="] = function(a, b) return operators.at_most(b, a) end }
for event, sign in pairs { add = "+", sub = "-", mul = "*", div = "/", pow = "^", idiv = "//", mod = "%", band = "&", bor = "|",
  bxor = "~", shl = "<<", shr = ">>", concat = ".." } do
  operators.binary[sign] = binary(sign, "__" .. event)
end

local function unary(event, plain)
  local function one(a)
    if type(a) == "table" then
      local is_done, result = by_metatable(event, a, a)
      if is_done then return result end
    end
    return plain(a)
  end
  return function(a)
    if type(a) == "table" then return each(a, one) end
    return plain(a)
  end
end

local function length(v)
  if type(v) == "table" then return tables.length(v) end
  if is_symbol(v) and type(run.trace:look(v)) == "number" then return words.count(v) end
  return #v
end

--- By sign: a function of a value.
operators.unary = { ["-"] = unary("__unm", function(a) return -a end), ["~"] = unary("__bnot", function(a) return ~a end),
  ["#"] = unary("__len", length), ["not"] = negated }

return operators
