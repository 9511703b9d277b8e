-- Tests of lua/crux/symbolic/parser.lua: trees that turn back into text of the same bytecode, places of nodes, variables, upvalues as
-- Lua's own closures have them, and what is refused where.
local long = require "long"
local luaunit = require "luaunit"
local parser = require "crux.symbolic.parser"
local print_tree = require "lua_printer"
local shell = require "shell"

local Parser = {}

--- The texts of all Lua files of the project that Lua can load, by path; in `make test` those of three folders.
local function files()
  local texts, folders = {}, long.choose("games lua/crux/fit", "lua games rules examples tests docs")
  for path in shell.run(("find %s -name '*.lua'"):format(folders)).out:gmatch "[^\n]+" do
    local file <close> = assert(io.open(path))
    local text = file:read "a"
    if load(text, "=", "t") then texts[path] = text end
  end
  return texts
end

local function code_of(text, chunk_name) return string.dump(assert(load(text, chunk_name, "t")), true) end

function Parser.test_trees_of_all_files_give_their_bytecode()
  local count = 0
  for path, text in pairs(files()) do
    count = count + 1
    luaunit.assertTrue(code_of(print_tree((parser.parse(text, path))), "=" .. path) == code_of(text, "=" .. path), path)
  end
  luaunit.assertTrue(count > long.choose(20, 600), count)
end

-- Each text of Lua's manual, chapter 3, that another file may not have.
local texts = {
  [==[return [[
first line is dropped]], [=[]]]=], "\a\b\f\n\r\t\v\\\"\'\65\065\x41\u{48}\u{7FFFFFFF}\z
     joined", 'a\
b']==],
  "return 3, 345, 0xff, 0xBEBADA, 3.0, 3.1416, 314.16e-2, 0.31416E1, 34e1, 0x0.1E, 0xA23p-4, 0X1.921FB54442D18P+1, .5, 3., 0xe+1",
  "return 9007199254740993, 0xffffffffffffffff, 9223372036854775808, 1e400, -9223372036854775808",
  "return 2^-3^2, -2^2, not 1 == 2, 1 .. 2 .. 3, 1 + 2 << 3 & 4 | 5 ~ 6, ~5, a < b == c, x or y and z, #t + 1",
  "a.b['c'].d = f{1, x = 2; [3] = 4}:g 'h' [[i]]",
  "local function f(...) local a <const>, b <close> = ... return (...), ... end return (f())",
  "do goto l; local a; ::l:: end",
  "::top:: local x = 1; if x then goto top end; do goto done end; ::done:: ; ::last::",
  "for i = 1, 2 do for j = 1, 2 do if j then goto continue end ::continue:: end goto continue ::continue:: end",
  "repeat local x = f() until x; while true do break end",
  "local a <const> = 5 local b <const> = a + 1 // 1 return function() return a, b end",
  "local x = 1; local x, y = x, x; return function() x = y; return function() return x, y, z end end",
  "function a.b.c:d(...) return self, ... end local function r() return r end",
  "--[==[ a comment\n]]--]==] return 1 --\n-- last",
  "return\r\n1,\n\r2,\r3,\n4",
  "local _ENV = {}; x = 1",
  "(f or g)(); (a).b = 1",
  "return;",
  "",
}

function Parser.test_trees_of_single_texts_give_their_bytecode()
  for _, text in ipairs(texts) do
    luaunit.assertTrue(code_of(print_tree((parser.parse(text, "text"))), "=text") == code_of(text, "=text"), text)
  end
end

--- Calls visit(node) for each node of a tree.
local function each_node(value, visit, seen)
  if type(value) ~= "table" or seen[value] then return end
  seen[value] = true
  if value.kind then visit(value) end
  for _, item in pairs(value) do each_node(item, visit, seen) end
end

local first_tokens = { table = "{", group = "(", varargs = "...", ["function"] = "function", ["do"] = "do", ["if"] = "if",
  ["while"] = "while", ["repeat"] = "repeat", count = "for", ["for"] = "for", ["return"] = "return", ["break"] = "break",
  ["goto"] = "goto", label = "::", ["local"] = "local", ["local function"] = "local" }

function Parser.test_nodes_stand_where_their_text_does()
  local count = 0
  for path, text in pairs(files()) do
    local lines = {}
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do table.insert(lines, line) end
    local main = parser.parse(text, path)
    each_node(main, function(node)
      local expected = first_tokens[node.kind] or node.sign or node.variable and node.variable.name
      if expected and node ~= main and not (node.kind == "variable" and expected == "_ENV") then
        count = count + 1
        local line = lines[node.line]
        local at = utf8.offset(line, node.column)
        if line:sub(at, at + #expected - 1) ~= expected then
          luaunit.fail(("%s:%d:%d: not at '%s'"):format(path, node.line, node.column, expected))
        end
      end
    end, {})
  end
  luaunit.assertTrue(count > long.choose(5000, 100000), count)
end

--- The functions of a text in the order of their beginnings, each as one line.
local function described(text)
  local _, functions = parser.parse(text, "text")
  local list = {}
  for i, fn in ipairs(functions) do
    local names = {}
    for j, variable in ipairs(fn.free) do names[j] = variable.name end
    list[i] = ("%d-%d %d%s: %s"):format(fn.line, fn.last_line, #fn.parameters, fn.is_vararg and "+" or "", table.concat(names, " "))
  end
  return list
end

-- The lists are those that `luac -l -l` prints of these texts.
function Parser.test_functions_know_their_upvalues()
  for text, expected in pairs {
    ["local a, b, c\nfunction f(x)\n return function() return b, x end, a, c\nend"] =
      { "0-0 0+: _ENV", "2-4 1: b a c", "3-3 0: b x" },
    ["local x local function f() x = 1 end local x return function(...) return x end"] =
      { "0-0 0+: _ENV", "1-1 0: x", "1-1 0+: x" },
    ["local k <const>, n <const> = 1, 2 * 3 return function() return n, k end"] = { "0-0 0+: _ENV", "1-1 0: k" },
    ["local k <const> = 0.0 * 1 return function() return k end"] = { "0-0 0+: _ENV", "1-1 0: k" },
    ["local k <const> = not (nil and 1) return function() return k end"] = { "0-0 0+: _ENV", "1-1 0: k" },
    ["local k <const> = true and -(1 << 3) return function() return k end"] = { "0-0 0+: _ENV", "1-1 0: " },
    ["local k <const> = 7 // 0 return function() return k end"] = { "0-0 0+: _ENV", "1-1 0: k" },
    ["return function\n(a) return function()\n print(a) end end"] = { "0-0 0+: _ENV", "2-3 1: _ENV", "2-3 0: _ENV a" },
  } do
    luaunit.assertEquals(described(text), expected, text)
  end
  local main = parser.parse("local k <const> = 2 * (7 - 1) ~ 1 return k", "text")
  luaunit.assertEquals(main.body[2].list[1].value, 2 * (7 - 1) ~ 1)
end

--- Compares functions of the engine, reached from loaded modules, with what debug tells of them.
function Parser.test_upvalues_are_those_of_closures()
  local known, count = {}, 0
  local function functions_of(path)
    if known[path] == nil then
      local file <close> = io.open(path)
      known[path] = file and select(2, parser.parse(file:read "a", path)) or false
    end
    return known[path]
  end
  local function is_of(fn, info, names)
    if fn.line ~= info.linedefined or fn.last_line ~= info.lastlinedefined or #fn.parameters ~= info.nparams
      or fn.is_vararg ~= info.isvararg or #fn.free ~= #names then return false end
    for i, variable in ipairs(fn.free) do if variable.name ~= names[i] then return false end end
    return true
  end
  local seen = {}
  local function visit(value)
    if type(value) == "table" and not seen[value] then
      seen[value] = true
      for _, item in next, value do visit(item) end
    elseif type(value) == "function" and not seen[value] then
      seen[value] = true
      local info, names = debug.getinfo(value, "Su"), {}
      for i = 1, info.nups do
        local name, content = debug.getupvalue(value, i)
        names[i] = name
        visit(content)
      end
      local path = info.source:match "(lua/crux/.*%.lua)$" -- bytecode in the program names no files
      local functions = path and info.linedefined > 0 and functions_of(path)
      if functions and names[1] ~= "(no name)" then
        local found = false
        for _, fn in ipairs(functions) do found = found or is_of(fn, info, names) end
        luaunit.assertTrue(found, ("%s:%d"):format(path, info.linedefined))
        count = count + 1
      end
    end
  end
  visit(dofile "lua/crux/base/nearest.lua")
  visit(dofile "lua/crux/formula/formula.lua")
  visit(dofile "lua/crux/symbolic/parser.lua")
  luaunit.assertTrue(count > 15, count)
end

function Parser.test_variables_tell_whether_they_are_captured_and_assigned()
  local main = parser.parse("local a, b, c, d = 1 b = 2 c = function() return c, d end function d() end for i = 1, 2 do i = 1 end", "text")
  local told = {}
  for _, variable in ipairs(main.body[1].variables) do
    told[variable.name] = (variable.is_captured and "captured " or "") .. (variable.is_assigned and "assigned" or "")
  end
  luaunit.assertEquals(told, { a = "", b = "assigned", c = "captured assigned", d = "captured assigned" })
  luaunit.assertTrue(main.body[5].variables[1].is_assigned)
end

function Parser.test_gotos_know_their_labels()
  local main = parser.parse("do goto a; do ::a:: end end ::a:: do ::b:: goto b end", "text")
  luaunit.assertIs(main.body[1].block[1].target, main.body[2])
  luaunit.assertIs(main.body[3].block[2].target, main.body[3].block[1])
end

-- Lua refuses each of these texts, too.
local mistakes = {
  { "x = ", "1: column 5: found the end of the file, expected an expression" },
  { "x = 1\ny = = 2", "2: column 5: found '=', expected an expression" },
  { "local x = 'é' + )", "1: column 17: found ')', expected an expression" },
  { "if x do end", "1: column 6: found 'do', expected 'then'" },
  { "for i = 1 do end", "1: column 1: found a numeric loop of 1 values, expected its first, its last and perhaps its step" },
  { "for i, j = 1, 2 do end", "1: column 10: found '=', expected 'in'" },
  { "while x do", "1: column 11: found the end of the file, expected 'end'" },
  { "f(1, 2", "1: column 7: found the end of the file, expected ')'" },
  { "local t = { 1, 2 ]", "1: column 18: found ']', expected '}'" },
  { "x\n", "2: column 1: found the end of the file, expected '='" },
  { "f() = 1", "1: column 5: found '=', expected an expression" },
  { "f().x, g() = 1", "1: column 8: found an expression alone, expected a call or an assignment" },
  { "(x) = 1", "1: column 1: found an expression alone, expected a call or an assignment" },
  { "x:y = 1", "1: column 5: found '=', expected the arguments of a call" },
  { "return 1 x = 2", "1: column 10: found 'x', expected the end of the block after return" },
  { "end", "1: column 1: found 'end', expected a statement" },
  { "break", "1: column 1: found a break outside of loops, expected one in a loop" },
  { "while x do\n local function f() break end\nend", "2: column 21: found a break outside of loops, expected one in a loop" },
  { "do\n  goto there\nend", "2: column 3: found a goto to 'there', expected a label of that name around it" },
  { "do ::there:: end goto there", "1: column 18: found a goto to 'there', expected a label of that name around it" },
  { "goto there local x ::there:: x = 1",
    "1: column 1: found a goto to 'there', expected none into the scope of the variable 'x'" },
  { "repeat if y then goto c end local x ::c:: until x",
    "1: column 18: found a goto to 'c', expected none into the scope of the variable 'x'" },
  { "::a::\ndo ::a:: end", "2: column 4: found a second label 'a', expected one, in line 1" },
  { "local x <const> = 1 x = 2", "1: column 21: found an assignment to the constant 'x', expected a variable" },
  { "local x <close> = y function f() x = 2 end", "1: column 34: found an assignment to the constant 'x', expected a variable" },
  { "local x <constant> = 1", "1: column 10: found 'constant', expected the attribute 'const' or 'close'" },
  { "local x <close>, y <close> = 1, 2", "1: column 18: found a second variable to be closed, expected one in a statement" },
  { "function f() return ... end", "1: column 21: found '...' in a function without varargs, expected '...' among its parameters" },
  { "function f(..., x) end", "1: column 15: found ',', expected ')'" },
  { "function f(if) end", "1: column 12: found 'if', expected a name" },
  { "x = 3x", "1: column 5: found '3x', expected a number" },
  { "x = 0x", "1: column 5: found '0x', expected a number" },
  { "x = 'abc", "1: column 5: found a text without an end, expected its end" },
  { "x = 'abc\ny'", "1: column 5: found a text without an end, expected its end" },
  { "x = [==[ abc ]=]", "1: column 5: found a text without an end, expected its end" },
  { "x = 1 --[[ abc", "1: column 7: found a comment without an end, expected its end" },
  { [[x = "\q"]], [[1: column 5: found '"\q"', expected a text with escapes that Lua has]] },
  { [[x = "\300"]], [[1: column 5: found '"\300"', expected a text with escapes that Lua has]] },
  { "x = 1 ! 2", "1: column 7: found '!', expected a token of Lua" },
  { "x = é", "1: column 5: found 'é', expected a token of Lua" },
}

function Parser.test_mistakes_are_refused_at_their_places()
  for _, case in ipairs(mistakes) do
    luaunit.assertNil((load(case[1], "=text", "t")), case[1])
    local ok, message = pcall(parser.parse, case[1], "game.lua")
    luaunit.assertFalse(ok, case[1])
    luaunit.assertEquals(tostring(message), "game.lua:" .. case[2], case[1])
  end
end

return { Parser = Parser }
