--- What random games in plain Lua consist of, for tests/support/plain_program.lua.
---
--- Capital letters stand for expressions of a kind, drawn from its rows: N a number, M a number or nil, C a truth value, T a
--- text, D a direction, B a board, R a record, I the variable of a loop around it, L the number of a loop around it; V, W, F, Q
--- and P for a variable that holds a number, a number or nil, a truth value, a text and a board. `@` is the number of a
--- statement's loop. A block of statements is {}, of a loop {loop}, of one made by goto {again}, of a function that returns a
--- number {function}, of one that may return nil {maybe}. A row that is there twice is drawn twice as often.
local grammar = {}

--- By kind: the rows without capital letters come first.
grammar.expressions = {
  N = { "x", "y", "z", "now.a", "now.b", "0", "1", "2", "5", "-1", "now.k[1]", "now.k[3]", "level.one", "own.three", "#now.k", "#level.list", "#stack",
    "I", "I", "I", "(N + N)", "(N - N)", "(N + 1)", "(- N)", "(N % 4)", "(N % -3)", "(N // 2)", "(N // -3)", "(N & 7)", "(N | 1)", "(N ~ N)", "~N", "(N << 1)",
    "((N & 15) >> 1)", "(N * 2)", "(N * N)", "(1 << (N & 7))", "(C and N or N)", "(C and N or N)", "(M or N)", "(M or N)", "math.max(N, N)",
    "math.min(N, N, N)", "math.abs(N)", "math.tointeger(N)", "math.floor(N)", "level.numbers[N & 7]", "own.numbers[N % 4 + 1]", "(level.gaps[N & 7] or N)",
    "now.k[N % 3 + 1]", "now.k[N % 3 + 1]", "(row[N % 4] or N)", "#T", "#B", "(R).dx", "(R).dx", "select(2, N, N)", "select(-1, M, N)", "select('#', N, M)",
    "(split(N))", "pick(N, N)", "fold(N, N, N)", "fall(N % 4)", "(C and inc or dec)(N)", "ops[C and 'inc' or 'dec'](N)", "fs[N % 3 + 1](N)", "obj.n", "obj:twice(N)",
    "obj(N)", "obj.missing", "where(C, N, N)", "crux.max(N, N)", "tonumber(N)",
    "(function(v) return v - N end)(N)" },
  M = { "m", "n", "nil", "row[1]", "row[2]", "o.opt", "stack[#stack]", "N", "N", "(C and N or nil)", "level.gaps[N & 7]", "level.gaps[N & 7]", "row[N % 4]", "(find(N))",
    "(find(N))", "(R).opt", "(select(2, N, M))", "(m and N)", "level.list[N]", "now.k[N & 3]", "table.remove(stack)", "rawget(row, N % 4)", "obj.opt" },
  C = { "f", "g", "now.f", "true", "false", "level.wide", "(N < N)", "(N <= N)", "(N > N)", "(N >= 3)", "(N == N)", "(N ~= N)", "(N == N)", "(N & 1 == 0)", "(N % 3 == 1)",
    "not C", "(C and C)", "(C or C)", "(C and C)", "(C or C)", "(M == nil)", "(M ~= nil)", "(M == N)", "(M ~= M)", "not M", "not not (M or C)", "(T == T)", "(T ~= T)",
    "(T < T)", "(T >= T)", "(B == B)", "(B ~= B)", "B:has(N % 4 + 1, N % 3 + 1)", "B:has(N, N)", "B:any()", "(B):none()", "(C == C)", "(C ~= C)",
    "(type(M) == 'number')", "(math.type(M) == 'integer')", "(R == R)", "rawequal(N, N)", "even(N)", "(obj == other)",
    "(#B > N)", "(ops[T] == nil)", "crux.any(B)" },
  T = { "t", "u", "move", "'abc'", "''", "level.names[1]", "level.names[N % 4 + 1]", "level.names[N % 4 + 1]", "own.words[N & 1]", "(C and T or T)", "(C and T or T)",
    "(R).name", "type(M)", "(R).name", "(level.names[N] or T)" },
  D = { "up", "left", "down", "right", "(C and D or D)", "level.sides[N % 4 + 1]", "level.sides[N % 4 + 1]" },
  B = { "p", "q", "now.s", "level.board", "(B & B)", "(B | B)", "(B - B)", "(B ~ B)", "(~B)", "B:shift(D)", "B:shift(D)", "B:shift(D, 2)", "B:shift(D, 1, true)",
    "B:with(N % 4 + 1, N % 3 + 1)", "B:without(N % 4 + 1, N % 3 + 1)", "B:with(2, 1)", "B:neighbours()", "B:flood(B)", "(C and B or B)", "(C and B or B)",
    "level.boards[N % 2 + 1]", "where(C, B, B)" },
  R = { "r", "o", "level.records[1]", "level.records[N % 3 + 1]", "level.records[N % 3 + 1]", "(C and R or R)", "{ dx = N, name = T, opt = M }" },
  V = { "x", "y", "z" }, W = { "m", "n" }, F = { "f", "g" }, Q = { "t", "u" }, P = { "p", "q" },
}

--- Statements, by where they may stand.
grammar.statements = {
  --- Anywhere.
  simple = { "V = N", "V = N", "W = M", "W = nil", "F = C", "Q = T", "P = B", "x, y = y, x", "y, z = z, N", "x, m = N, M", "m, x = M, N", "f, g = g, C", "t, u = u, T",
    "p, q = q, B", "local V = N", "local W = M", "local F = C", "local V, W = split(N)", "x, n = split(N)", "z, x, n = N, split(N)", "row[N % 4] = M", "row[N % 4] = M",
    "row[1], row[2] = row[2], row[1]", "row = { N, N, M }", "r = R", "o = { dx = N, name = T, opt = M }", "o.dx = N", "o.opt = M", "o.name = T", "r = (C and o or r)",
    "table.insert(stack, N)", "stack[#stack + 1] = N", "W = table.remove(stack)", "stack = { }", "bump(N)", "bump(N)", "obj.n = N", "obj:add(N)", "other = (C and obj or other)",
    "obj = setmetatable({ n = N }, class)", "obj.opt = M", "rawset(row, 3, N)", "V = fs[N % 3 + 1](N)", "for _, v in ipairs(stack) do V = V + v end",
    "for _, v in pairs(level.gaps) do V = V ~ v end", "local inc, dec = function(v) return v + x end, function(v) return v - x end",
    "fs[2], fs[3] = fs[3], function(v) return v + x end", "do local x = N bump(x) end", "do local v <const> = N V = v + v end",
    "do local v = N local function get() return v end v = v + 1 do local v = N V = v + get() end end", "do local list = { N, N, N } V = list[N % 3 + 1] + #list end",
    "do local v, w = table.unpack(now.k) V = v - w end" },
  --- In functions that may change the state.
  moving = { "now.a = N % 8", "now.a = N & 7", "now.a = math.max(0, math.min(7, N))", "now.b = N % 16 - 3", "now.k[N % 3 + 1] = N % 8", "now.k[N % 3 + 1] = N & 7", "now.f = C",
    "now.s = B", "now.s = B", "now.a, now.k[1] = now.k[1], now.a", "now.k = { now.k[2], now.k[3], now.k[1] }", "local k = now.k k[N % 3 + 1], k[1] = k[1], N % 8",
    "do local i, j = N % 3 + 1, N % 3 + 1 now.k[i], now.k[j] = now.k[j], now.k[i] end",
    "do local at for i = 1, 3 do if now.k[i] == N then at = i break end end if at then now.k[at], now.k[1] = now.k[1], now.k[at] end end",
    "now.s = now.s:with(now.a % 4 + 1, 2)", "now[C and 'a' or 'b'] = N & 7" },
  --- With blocks.
  branches = { "if C then {} end", "if C then {} end", "if C then {} else {} end", "if C then {} elseif C then {} else {} end", "if M then {} end",
    "if M then {} elseif C then {} elseif M then {} end", "do {} end", "if not (C and M) then {} end" },
  loops = { "for i@ = 1, 3 do {loop} ::continue@:: end", "for i@ = 1, 3 do {loop} ::continue@:: end", "for i@ = N % 3, N % 4 do {loop} ::continue@:: end",
    "for i@ = 3, 1, -1 do {loop} ::continue@:: end", "for i@ = now.a, 0, -2 do {loop} ::continue@:: end", "for i@, x in ipairs(now.k) do {loop} ::continue@:: end", "for i@, z in ipairs(level.list) do {loop} ::continue@:: end", "for _, i@ in pairs(level.gaps) do {loop} ::continue@:: end",
    "for i@, y in ipairs { N, M, N } do {loop} ::continue@:: end", "for i@ in steps(N % 4) do {loop} ::continue@:: end", "for i@, v in next, level.list do {loop} V = v ::continue@:: end",
    "local i@ = 0 while i@ < 3 and C do i@ = i@ + 1 {loop} ::continue@:: end", "local i@ = N % 4 while i@ < 3 do i@ = i@ + 1 {loop} ::continue@:: end",
    "local i@ = 0 while true do i@ = i@ + 1 if i@ > 3 or C then break end {loop} ::continue@:: end",
    "local i@ = 0 repeat i@ = i@ + 1 do {loop} ::continue@:: end local x = N until C or i@ + x % 2 > 2",
    "do local i@ = 0 ::again@:: i@ = i@ + 1 do {again} ::continue@:: end if i@ < 3 and C then goto again@ end end",
    "local i@, b@ = 0, B while b@:any() do b@ = b@:shift(up) i@ = i@ + 1 {loop} ::continue@:: end",
    "local i@, d@ = 0, D while true do local ahead = p:shift(d@) - level.board if ahead:none() then break end p = ahead i@ = i@ + 1 end",
    "for i@ = 1, 3 do fs[i@] = function(x) {function} return i@ + N end end", "for i@ = 1, 3 do fs[i@] = function(v) i@ = i@ + v return i@ end end", "for i@ = 1, 2 do local v = N fs[i@] = function() v = v + 1 return v end {loop} ::continue@:: end" },
  functions = { "local pick = function(x, y) {function} return N end", "local find = function(x) {maybe} end", "local bump = function(v) {maybe} y = y + v end",
    "local fold = function(...) local x, m = ... {function} return select('#', ...) + N end", "V = (function(...) {function} return N end)(N, N)" },
  --- In loops, which break leaves, and in those that have a number.
  breaks = { "if C then break end", "if C then break end", "if M then break end", "if C then {} break end", "break" },
  jumps = { "if C then goto continueL end", "if C then goto continueL end", "if C then {} goto continueL end", "goto continueL" },
  --- Ends of `step`, of functions that return a number, and of those that may return nil.
  step = { "if C then return C end", "if C then return false, C end", "if C then return false, { one = C, two = C } end", "if C and C then return C, C end",
    "do return C end" },
  number = { "if C then return N end", "if C then {} return N end", "do return N end" },
  maybe = { "if C then return M end", "if C then return end", "if C then return N, M end", "do return M end" },
  heuristic = { "if C then return N & 3 end" },
  --- What raises an error on some paths.
  errors = { "if C and C then return end", "if C and C then error('found ' .. 'it') end", "if C and C then error('no', 0) end", "if C then V = N + m end", "assert(C or C, 'nothing')", "if C and C then nothing() end",
    "if C and C then V = nothing.more end", "now.a = N", "now.k[1] = M", "if C and C then V = #m end", "if M and C then V = m < t end", "now.s = level.boards[N & 3]" },
  --- What may be refused.
  hard = { "V = N / 2 // 1 | 0", "Q = T .. T", "table.sort(stack)", "kept = (kept or 0) + N", "own.three = N", "V = #tostring(N)", "V = N // (N % 3 + 1)", "F = (N == 2.0)", "F = (N < 2.5)", "F = math.ult(N, N)", "F = (select('#', split(N)) == 2)", "do local list = table.pack(split(N)) V = list.n end", "F = (next(row) == nil)", "for _, v in pairs(row) do z = z + v end", "V = once(N) + again(N)",
    "for v = N % 4, N % 4, C and 1 or -1 do z = z + v end", "V = N << N", "Q = (T):sub(N & 3)",
    "table.insert(stack, 1, N)", "V = math.floor(N / 3)", "V = select('#', table.unpack(stack))", "F = pcall(bump, M)", "do local v <close> = closing V = N end", "V = N % N", "V = (setmetatable({ n = N }, counting) + N).n", "F = setmetatable({ n = N }, counting) < other",
    "for v, w in B:cells() do V = V + v * w end", "do local v, w = B:first() V = (v or 0) + (w or 0) end" },
}

--- The script: levels, and the search of a game. Names between % are filled in.
grammar.script = [[
local where, lookup = crux.where, crux.lookup
local up, left, down, right = "U", "L", "D", "R"
local own = { three = 3, numbers = { 4, 0, -2, 9 }, words = { [0] = "abc", "b" } }
local function inc(v) return v + 1 end
local function dec(v) return v - 1 end
local function once(v) return v end local function again(v) return v * 2 end
local ops = { inc = inc, dec = function(v) return v - 2 end }
local function even(v) return v % 2 == 0 end
local function pick(v, w)
  if v > w then return v - w end
  for i = 1, 2 do
    if (v + i) & 1 == 1 then return i end
  end
  return w
end
local function find(v)
  for i, w in ipairs(own.numbers) do
    if w == v then return i end
  end
end
local function split(v)
  if v > 3 then return v - 3, 3 end
  return v
end
local function fold(...)
  local sum = 0
  for i = 1, select("#", ...) do sum = sum * 2 + ((select(i, ...)) or 1) end
  return sum
end
local function steps(n)
  local i = 0
  return function()
    if i < n then
      i = i + 1
      return i
    end
  end
end
local function fall(v)
  if v <= 0 then return 0 end
  return v + fall(v - 1)
end
local class = { size = 3 }
class.__index = function(object, key) return key == "missing" and object.n - 1 or class[key] end
class.__call = function(self, v) return self.n * 2 + v end
local counting = { __add = function(a, b) return { n = a.n + b } end, __lt = function(a, b) return a.n < b.n end }
function class:twice(v) return self.n + v * 2 end
function class:add(v) self.n = self.n + v end
local closing = setmetatable({ }, { __close = function() end })
local function level_of(numbers, one, wide)
  local level = { numbers = numbers, one = one, wide = wide, gaps = { [1] = 5, [4] = one, [6] = 7 }, list = { 2, one + 5, 1 },
    names = { "abc", "b", wide and "" or "abd", "c" }, sides = { "L", "U", "R", "D" } }
  level.board = crux.cells(4, 3, { { 2, 2 }, { wide and 4 or 1, 3 } })
  level.boards = { level.board:shift "L", ~level.board }
  level.records = { { dx = 1, name = "b" }, { dx = -one, name = "abc", opt = 4 }, { dx = 0, name = "" } }
  return level
end
return {
  levels = { level_of({ [0] = 3, 1, 4, 1, 5, 2, 6, 0 }, 1, false), level_of({ [0] = 0, 7, -1, 2, 2, 5, 3, 1 }, 2, true) }, search = {
  moves = { "one", "two", "three" },
  state = function()
    return { a = crux.integer(0, 7), b = crux.integer(-3, 12), f = crux.flag, k = crux.array(3, crux.integer(0, 7)), s = crux.board(4, 3) }
  end,
  start = function() return { a = %START%, b = 1, f = false, k = { 1, 2, 3 }, s = crux.cells(4, 3, { { 2, 1 }, { 3, 3 } }) } end,
  heuristic = %HEURISTIC%,
  step = function(now, move, level)
%BEGIN%
    if move == "one" then now.a = (now.a + 1) & 7 elseif move == "two" then now.b = (now.b + now.a) % 12 else now.k[1] = (now.k[1] + 3) & 7 end
%STEP%
    now.a, now.b = (now.a + x) & 7, (now.b + y) % 12
    return now.a == 7 and now.b == 6 and %WON%, %LOST%
  end,
} }
]]

--- Statements before anything but variables has changed: loops that moves may have in common.
grammar.first = { "", "V = now.b", "for i = 1, 3 do V = V + level.numbers[i] end",
  "for i, v in ipairs(now.k) do if v > V then V = v elseif F then break end end", "for _, v in ipairs(level.list) do V = V ~ v & now.a end",
  "for i = 1, 3 do V = V + (level.gaps[now.k[i] ] or now.b) end", "for i = 1, now.a do V = z + i end", "repeat y = y + 1 until y > now.b",
  "for i = 1, 3 do if now.k[i] == V then goto next end V, z = z, now.k[i] ::next:: end", "while x < 3 do x = x + 1 + pick(now.a, 2) % 2 end",
  "for i = -1, 0 do V = V + level.numbers[now.a + i] end", "for i = 1, 2 do P = P | level.boards[now.a % 3 + i - 1] end",
  "for _, r in ipairs(level.records) do if r.dx == z then V = V + #r.name end end", "for i = 1, 2 do W = level.gaps[now.a + i] or W end" }

--- The variables of a step and of a heuristic, and functions with upvalues.
grammar.begin = [[
    local x, y, z, m, n, f, g, t, u, p, q = now.a, now.b, 0, nil, 1, now.f, true, "b", level.names[2], now.s, level.board
    %FIRST%
    local row, stack, r, o = { 1, nil, 3 }, { 2 }, level.records[1], { dx = 1, name = "abc" }
    local obj, other = setmetatable({ n = x }, class), setmetatable({ n = 2 }, class)
    local fs = { inc, dec, even and inc }
    local function bump(v)
      y = y + v
      if v > 3 then m = v end
    end
]]

--- A heuristic, when there is one.
grammar.heuristic = [[
function(now, level)
    local move = "one"
%BEGIN%
%STEP%
    return %ESTIMATE%
  end]]

return grammar
