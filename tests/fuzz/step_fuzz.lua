--- Steps: the bytes choose a `step` of all words and operators, and two levels. C, by a program and by those for states of which
--- a flag is known, and Lua say the same of each.
package.path = "tests/support/?.lua;" .. package.path
local board = require "libcrux.board"
local chooser = require "chooser"
local engines = require "engines"
local fault = require "crux.base.fault"
local kinds = require("crux.search.state").kinds
local native = require "crux.search.native"
local vocabulary = require "crux.symbolic.vocabulary"

native.warm = 1
vocabulary.enable()

--- What an expression of a kind may be: capital letters are expressions of their kinds. Those without come first.
local grammar = {
  I = { "a", "b", "c", "list[1]", "K", "(I + I)", "(I - I)", "(I * I)", "-I", "~I", "(I & I)", "(I | I)", "(I ~ I)", "(I << N)", "(I >> N)",
    "(I << (I & 31))", "(I >> (I & 63))", "(1 << (C + C))", "where(F, I, I)", "min(I, I, I)", "max(I, I)", "abs(I)", "sgn(I)", "count(I)", "count(B)",
    "lookup(level.numbers, X)", "lookup(own.numbers, X)", "lookup(own.near, c)" },
  F = { "p", "q", "true", "~F", "(F & F)", "(F | F)", "(F ~ F)", "eq(I, I)", "ne(I, I)", "lt(I, I)", "le(I, I)", "gt(I, I)", "ge(I, I)", "eq(F, F)",
    "eq(B, B)", "ne(B, B)", "any(I)", "none(I)", "any(B)", "none(B)", "B:any()", "B:has(N, N)", "where(F, F, F)", "lookup(level.flags, X)", "lookup(own.flags, X)" },
  B = { "s", "t", "level.board", "own.board", "~B", "(B & B)", "(B | B)", "(B ~ B)", "(B - B)", "B:shift(D)", "B:shift(D, N)", "B:shift(D, N, true)",
    "B:neighbours()", "B:with(1, 1)", "B:without(1, 1)", "where(F, B, B)", "lookup(level.boards, X)", "lookup(own.boards, X)" },
  --- Indices of tables.
  X = { "max(FIRST, min(LAST, I))", "min(LAST, max(FIRST, I))", "where(F, X, X)", "where(F, LAST, X)", "where(p, FIRST, X)", "where(p, X, where(p, 0, X))",
    "(FIRST + (I & (LAST - FIRST >> 1)))" },
  C = { "(I & 7)", "where(F, 0, C)", "where(p, C, 0)", "(C + C)", "count(B)" },
  N = { "1", "0", "2", "-1", "3", "7", "15", "16", "31", "32", "63", "64", "-13" },
  D = { "'u'", "'l'", "'d'", "'r'" }, -- in capitals later
  K = { "0", "1", "-1", "5", "16", "63", "255", "-100", "1000", "32767", "-32768", "65535", "1 << 31", "1 << 40", "-1 << 40", "math.maxinteger",
    "math.mininteger" },
}

--- Ends of the ranges of integers, and first and last indices of tables.
local ranges = { { 0, 15 }, { -4, 12 }, { 0, 1 }, { 5, 5 }, { -8, 25 }, { 100, 65536 }, { -1 << 31, 1 << 31 }, { 0, 1 << 53 }, { math.mininteger, math.maxinteger } }
local spans = { { 0, 15 }, { 1, 4 }, { -3, 9 }, { -20, -19 }, { 0, 255 } }
local sides = { 3, 1, 8, 9, 16, 32 }

local text_of = [[
local own, any, none, eq, ne, lt, le, gt, ge, where, lookup, min, max, abs, sgn, count = ...
return function(state, move, level)
  local a, b, c, p, q, s, t, list = state.a, state.b, state.c, state.p, state.q, state.s, state.t, state.list
  if move == "one" then
%s
  elseif move == "two" then
%s
  else
%s
  end
  state.a, state.b, state.c, state.p, state.q, state.s, state.t, list[1] = a, b, c, p, q, s, t, list[1] + 1
  return %s, %s
end]]

--- The path to a field in which two values differ; nil when they are the same.
local function difference(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a ~= b and "" or nil end
  for key, value in pairs(a) do
    local within = difference(value, b[key])
    if within then return "." .. tostring(key) .. within end
  end
  for key in pairs(b) do
    if a[key] == nil then return "." .. tostring(key) end
  end
end

--- An expression of a kind, at most so deep.
local function expression(take, span, kind, depth)
  local rows = grammar[kind]
  local row = rows[take(depth > 0 and #rows or math.min(#rows, 3))]
  if depth <= 0 and row:find "%u" then row = rows[1] end
  row = row:gsub("FIRST", span[1]):gsub("LAST", span[2])
  return (row:gsub("%u", function(inner) return "(" .. expression(take, span, inner, depth - 1) .. ")" end):gsub("'.'", string.upper))
end

--- The assignments of a move.
local function assignments(take, span, limits)
  local lines = {}
  for i = 1, take(4) do
    local target = ({ "a", "b", "c", "p", "q", "s", "t" })[take(7)]
    local range, kind = limits[target], target:find "[st]" and "B" or target:find "[pq]" and "F" or "I"
    local value = expression(take, span, kind, take(5))
    lines[i] = ("    %s = %s"):format(target, range and take(9) > 1 and ("max(%d, min(%d, %s))"):format(range[1], range[2], value) or value)
  end
  return table.concat(lines, "\n"):gsub("%-9223372036854775808", "math.mininteger")
end

--- A board of that many columns and rows with some cells.
local function some_board(take, width, height)
  local of = board.new(width, height)
  for _ = 1, take(4) do of = of:with(take(width), take(height)) end
  return take(5) == 1 and ~of or of
end

--- Tables with values at the indices of a span, of which one may be missing.
local function tables_of(take, span, width, height)
  local made = { board = some_board(take, width, height), numbers = {}, flags = {}, boards = {} }
  local scale, boards = ({ 1, 7919, -31, 1 << 50 })[take(4)], { some_board(take, width, height), some_board(take, width, height) }
  local missing = take(9) == 1 and span[1] + take(4) - 1
  for i = span[1], span[2] do
    made.numbers[i], made.flags[i], made.boards[i] = i * scale, i * i % 3 == 1, boards[i % 2 + 1]
    if i == missing then made.numbers[i] = nil end
  end
  return made
end

--- A search, and levels.
local function puzzle(take)
  local span, width, height = spans[take(#spans)], sides[take(#sides)], sides[take(#sides)]
  local limits, starts = {}, {}
  for _, name in ipairs { "a", "b", "c" } do
    limits[name] = name == "c" and span or ranges[take(#ranges)]
    starts[name] = limits[name][take(2)]
  end
  local own = tables_of(take, span, width, height)
  own.near = own.numbers
  local blocks = {}
  for i = 1, 3 do blocks[i] = assignments(take, span, limits) end
  local won, lost = expression(take, span, "F", take(3)), ({ "false", "nil", expression(take, span, "F", 2) })[take(3)]
  local text = text_of:format(blocks[1], blocks[2], blocks[3], take(3) == 1 and won or won .. " & eq(list[1], 6)", lost)
  local w = vocabulary.words
  local step = assert(load(text, "=step", "t"))(own, w.any, w.none, w.eq, w.ne, w.lt, w.le, w.gt, w.ge, w.where, w.lookup, w.min, w.max, w.abs, w.sgn, w.count)
  local s, t = some_board(take, width, height), some_board(take, width, height)
  local function state()
    return { a = kinds.integer(limits.a[1], limits.a[2]), b = kinds.integer(limits.b[1], limits.b[2]), c = kinds.integer(limits.c[1], limits.c[2]),
      p = kinds.flag, q = kinds.flag, s = kinds.board(width, height), t = kinds.board(width, height), list = kinds.array(1, kinds.integer(0, 200)) }
  end
  local function start() return { a = starts.a, b = starts.b, c = starts.c, p = false, q = true, s = s, t = t, list = { 0 } } end
  return { moves = { "one", "two", "three" }, state = state, start = start, step = step }, text,
    { tables_of(take, span, width, height), tables_of(take, span, width, height) }
end

--- What an engine says of a level, and why it was not searched in C.
local function solve(spec, level, engine, counts)
  local ok, found, _, untraced = pcall(engines.solve, spec, level, { count = counts, states = 150 }, engine)
  if ok then return found, untraced end
  return fault.is(found) and found.message or error(found, 0)
end

return function(bytes)
  local take = chooser(bytes)
  local spec, text, levels = puzzle(take)
  local counts = take(2) == 1
  for _, level in ipairs(levels) do
    local expected = solve(spec, level, "interpreted", counts)
    local found, untraced = solve(spec, level, "native", counts)
    local differs = difference(found, expected)
    assert(not differs and not (untraced and untraced:find "something else"),
      ("C and Lua differ in 'found%s'; %s\n%s"):format(differs or "", untraced or "traced", text))
  end
end
