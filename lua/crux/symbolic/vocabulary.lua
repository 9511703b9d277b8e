--- Words for integers, truth values and boards, which scripts see in `crux`, and the operators &, | and ~ of truth values.
---
--- They raise at the script's line. library.lua has the same words for values of all states at once.
local board = require "libcrux.board"

local vocabulary = { words = {} }

--- Metatables of values that have the operators together with truth values.
---@type table<table, boolean>
vocabulary.operands = {}

local words, Board = vocabulary.words, debug.getmetatable(board.new(1, 1))
local math_type, getmetatable = math.type, debug.getmetatable

--- The longest text, and the most values, that a message shows.
local LONGEST <const>, MOST <const> = 40, 8

local function shown(v)
  if v == nil then return "nothing" end
  if getmetatable(v) == Board then return Board.__shown(v) end
  if type(v) == "string" and #v <= LONGEST and not v:find "%c" then return ("'%s'"):format(v) end
  return (type(v) == "number" or type(v) == "boolean") and tostring(v) or "a " .. type(v)
end

--- Raises: found these first `count` values, expected others.
local function refuse(name, expected, count, ...)
  local found = {}
  for i = 1, math.min(count, MOST) do found[i] = shown((select(i, ...))) end
  if count > MOST then found[MOST] = found[MOST] .. (" and %d more"):format(count - MOST) end
  error(("%s: found %s, expected %s"):format(name, count == 0 and "nothing" or table.concat(found, " and "), expected), 3)
end

--- The first value where a condition holds, else the second.
function words.where(condition, a, b)
  if condition == true then return a end
  if condition == false then return b end
  refuse("where", "a truth value first", 1, condition)
end

--- True if an integer is not 0, or if a board has a cell.
function words.any(x)
  if math_type(x) == "integer" then return x ~= 0 end
  if getmetatable(x) == Board then return x:any() end
  refuse("any", "an integer or a board", 1, x)
end

function words.none(x)
  if math_type(x) == "integer" then return x == 0 end
  if getmetatable(x) == Board then return x:none() end
  refuse("none", "an integer or a board", 1, x)
end

local function kind_of(x)
  if math_type(x) == "integer" then return "integer" end
  if type(x) == "boolean" then return "boolean" end
  return getmetatable(x) == Board and Board or nil
end

function words.eq(a, b)
  local kind = kind_of(a)
  if kind == nil or kind ~= kind_of(b) then refuse("eq", "two integers, truth values or boards", 2, a, b) end
  return a == b
end

function words.ne(a, b)
  local kind = kind_of(a)
  if kind == nil or kind ~= kind_of(b) then refuse("ne", "two integers, truth values or boards", 2, a, b) end
  return a ~= b
end

for name, sign in pairs { lt = "<", le = "<=", gt = ">", ge = ">=" } do
  words[name] = load(([[
    local refuse, math_type = ...
    return function(a, b)
      if math_type(a) ~= "integer" or math_type(b) ~= "integer" then refuse("%s", "two integers", 2, a, b) end
      return a %s b
    end]]):format(name, sign), "=vocabulary")(refuse, math_type)
end

for name, f in pairs { min = math.min, max = math.max } do
  words[name] = function(...)
    local count = select("#", ...)
    for i = 1, count do
      if math_type((select(i, ...))) ~= "integer" then refuse(name, "integers", count, ...) end
    end
    if count == 0 then refuse(name, "integers", 0) end
    return f(...)
  end
end

function words.abs(x)
  if math_type(x) ~= "integer" then refuse("abs", "an integer", 1, x) end
  return math.abs(x)
end

--- -1, 0 or 1
function words.sgn(x)
  if math_type(x) ~= "integer" then refuse("sgn", "an integer", 1, x) end
  return x < 0 and -1 or x > 0 and 1 or 0
end

--- The 1 bits of an integer, the cells of a board.
function words.count(x)
  if getmetatable(x) == Board then return #x end
  if math_type(x) ~= "integer" then refuse("count", "an integer or a board", 1, x) end
  local count = 0
  while x ~= 0 do x, count = x & x - 1, count + 1 end
  return count
end

--- The value of a table at an index; raises where there is none.
function words.lookup(t, index)
  if type(t) ~= "table" or math_type(index) ~= "integer" then
    refuse("lookup", "a table of the level and an integer", 2, t, index)
  end
  local value = t[index]
  if value == nil then refuse("lookup", "an index at which the table has a value", 2, t, index) end
  return value
end

--- An operator of two truth values, or of one and another operand.
local function operator(sign, event, plain)
  return function(a, b)
    if type(a) == "boolean" and type(b) == "boolean" then return plain(a, b) end
    for _, v in ipairs { a, b } do
      local meta = getmetatable(v)
      if vocabulary.operands[meta] then return meta[event](a, b) end
    end
    refuse(sign, "two truth values", 2, a, b)
  end
end

--- Gives truth values their operators, in the whole Lua state.
function vocabulary.enable()
  local meta = getmetatable(true) or {}
  meta.__band = operator("&", "__band", function(a, b) return a and b end)
  meta.__bor = operator("|", "__bor", function(a, b) return a or b end)
  meta.__bxor = operator("~", "__bxor", function(a, b) return a ~= b end)
  meta.__bnot = function(a) return not a end
  debug.setmetatable(true, meta)
end

return vocabulary
