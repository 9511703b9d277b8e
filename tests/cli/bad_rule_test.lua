--- Bad rules: scripts that fail, return the wrong thing or do not end, and formulas with mistakes; one line, exit status 1.
local failing = require "failing"
local long = require "long"
local shell = require "shell"

local data = "level,a,y\nA,1,2\nB,2,3\nC,3,5\nD,4,4\n"

local function check(command, said, more)
  local case = { command, said, files = { ["data.csv"] = data } }
  for key, value in pairs(more or {}) do
    if key == "rule" then case.files["rule.lua"] = value else case[key] = value end
  end
  failing.check(case)
end

local Script = {}

--- The text of rule.lua, and what `crux rate` says of it.
local scripts = {
  -- what is not Lua
  { 'return crux.rule { formula = "y ~ a"\n', "rule.lua:2: '}' expected (to close '{' at line 1) near <eof>" },
  { "-- mine\nreturn crux.rule { formula = 'y ~ a }\n", "rule.lua:2: unfinished string near ''y ~ a }'" },
  { "retrun crux.rule { formula = 'y ~ a' }\n", "rule.lua:1: syntax error near 'crux'" },
  { "level,size\nA,9\n", "rule.lua:", starts = true }, -- a dataset
  -- what is no rule
  { "", "rule.lua: found a script that returns nothing, expected return crux.rule { ... }" },
  { "crux.rule { formula = 'y ~ a' }\n",
    "rule.lua: found a script that returns nothing, expected return crux.rule { ... }" },
  { "return 3", "rule.lua: found a script that returns a number, expected return crux.rule { ... }" },
  { "return { formula = 'y ~ a' }", "rule.lua: found a script that returns a table, expected return crux.rule { ... }" },
  { "return crux.rule 'y ~ a'", "rule.lua: crux.rule: expected a table of fields" },
  { "return crux.rule {}", "rule.lua: found no formula, expected a field 'formula'" },
  -- fields
  { "return crux.rule { fromula = 'y ~ a' }", "rule.lua: found the unknown field 'fromula'; did you mean 'formula'?" },
  { "return crux.rule { formula = 'y ~ a', weight = 'w' }",
    "rule.lua: found the unknown field 'weight'; did you mean 'weights'?" },
  { "return crux.rule { formula = 5 }", "rule.lua: field 'formula': found a number, expected a string or a function" },
  { "return crux.rule { formula = 'y ~ a', name = {} }", "rule.lua: field 'name': found a table, expected a string" },
  { "return crux.rule { formula = 'y ~ a', predicts = 'z' }",
    "rule.lua: found the formula of 'y', expected one of 'z', which the rule predicts" },
  -- coefficients
  { "return crux.rule { formula = 'y ~ a' }",
    "rule.lua: found no coefficients, expected a fitted rule (crux fit RULE DATA -o FITTED.lua)" },
  { "return crux.rule { formula = 'y ~ a', coefficients = { a = 2 } }",
    "rule.lua: coefficients: found none for the term '(intercept)', expected a number" },
  { "return crux.rule { formula = 'y ~ a - 1', coefficients = { a = 2, b = 1 } }",
    "rule.lua: coefficients: found the unknown term 'b'; there are: a" },
  { "return crux.rule { formula = 'y ~ a - 1', coefficients = { a = 1/0 } }", "rule.lua: coefficient 'a': found ",
    starts = true },
  { "return crux.rule { formula = 'y ~ a - 1', coefficients = { a = 'two' } }", "rule.lua: coefficient 'a': found ",
    starts = true },
  { "return crux.rule { formula = function() return 1 end, coefficients = { a = 1 } }",
    "rule.lua: found coefficients, expected none, as the formula is a function" },
  -- formulas that are functions
  { "return crux.rule { formula = function(m) end }", "data.csv:2: level 'A': rule.lua: found nil, expected a number" },
  { "return crux.rule { formula = function(m) return m.a > 1 end }",
    "data.csv:2: level 'A': rule.lua: found false, expected a number" },
  { "return crux.rule { formula = function(m) return 'hard' end }",
    "data.csv:2: level 'A': rule.lua: found 'hard', expected a number" },
  { "return crux.rule { formula = function(m) return m.a == 3 and '3' or m.a end }",
    "data.csv:4: level 'C': rule.lua: found '3', expected a number" },
  { "return crux.rule { formula = function(m) return 0 / 0 end }", "data.csv:2: level 'A': rule.lua: found ", starts = true },
  { "return crux.rule { formula = function(m) return 1 / (m.a - 2) end }", "data.csv:3: level 'B': rule.lua: found ",
    starts = true },
  { "return crux.rule { formula = function(m)\n  error 'no idea'\nend }", "rule.lua:2: no idea" },
  { "return crux.rule { formula = function(m)\n  error('no idea', 0)\nend }", "rule.lua: no idea" },
  { "return crux.rule { formula = function(m) return m.a.size end }",
    "rule.lua:1: attempt to index a number value (field 'a')" },
  { "return crux.rule { formula = function(m) return m.aa end }",
    "data.csv:1: rule.lua needs the measure 'aa', which is not among the columns; did you mean 'a'?" },
  { "return crux.rule { formula = function(m) m.a = 2 return 1 end }",
    "rule.lua:1: found an assignment to a measure, expected none" },
  { "local function f(m) return 1 + f(m) end\nreturn crux.rule { formula = f }", "rule.lua:1: stack overflow" },
  { "local function f() return 1 + f() end\nf()", "rule.lua:1: stack overflow" },
  -- the engine's code that runs where the stack ends, and a fault of the script there
  { "return crux.rule { formula = function(m) local function f() return m.a + f() end return f() end }", "rule.lua:", starts = true },
  { "local t = {}\nfor _ = 1, 300000 do t = { t } end\nreturn crux.rule { formula = 'y ~ a', coefficients = t }",
    "rule.lua: stack overflow" },
  { "local depth = 0\nlocal function f(n) depth = depth + 1 if n == 0 then error 'at the end' end return 1 + f(n - 1) end\n"
    .. "pcall(f, -1)\nf(depth - 12)", "rule.lua:2: at the end" },
  -- what ratings are made of
  { "return crux.rule { formula = function(m) return 1, 'all' end }",
    "rule.lua: parts: found a string, expected a list of { \"name\", number }", explain = true },
  { "return crux.rule { formula = function(m) return 1, { { 'all' } } end }",
    "rule.lua: parts: found { 'all', nil }, expected a list of { \"name\", number }", explain = true },
  { "return crux.rule { formula = function(m) return 1, { all = 1, 2 } end }",
    "rule.lua: parts: found 2, expected a list of { \"name\", number }", explain = true },
  -- what the sandbox keeps out
  { "os.remove 'data.csv'", "rule.lua:1: ", starts = true },
  { "io.open 'data.csv'", "rule.lua:1: ", starts = true },
  { "require 'os'", "rule.lua:1: ", starts = true },
  { "load 'return 1'", "rule.lua:1: ", starts = true },
}

function Script.test_table_of_cases()
  long.leave_out()
  for _, case in ipairs(long.some(20, scripts)) do
    local command = case.explain and "rate rule.lua data.csv --explain" or "rate rule.lua data.csv"
    check(command, case[2], { rule = case[1], starts = case.starts })
  end
end

--- What a script raises or returns is said in one line, once, without the addresses of tables.
function Script.test_odd_values()
  local function hand(body) return { rule = ("return crux.rule { formula = function(m) %s end }"):format(body),
    starts = true } end
  check("rate rule.lua data.csv", "data.csv:2: level 'A': rule.lua: found a table, expected a number", hand "return {}")
  check("rate rule.lua data.csv", "data.csv:2: level 'A': rule.lua: found a function, expected a number", hand "return error")
  check("rate rule.lua data.csv", "rule.lua: raised a table", hand "error {}")
  check("rate rule.lua data.csv", "rule.lua: ", hand "error('one\\ntwo', 0)")
  check("rate rule.lua data.csv", "data.csv:2: level 'A': rule.lua: found 'one", hand "return 'one\\ntwo'")
end

--- A script that is a compiled chunk is refused by name.
function Script.test_compiled_script()
  check("rate rule.lua data.csv", "rule.lua: ", { rule = "\27Lua", starts = true })
end

--- `scale` is the easiest and the hardest rating; anything else could not be written into the fitted rule.
function Script.test_scale()
  for _, scale in ipairs { "{ {1}, 10 }", "{ 'low', 'high' }", "{ low = 1, high = 10 }", "{ 1 }" } do
    local rule = ("return crux.rule { formula = 'y ~ a', scale = %s }"):format(scale)
    check("fit rule.lua data.csv -o new.lua", "rule.lua: field 'scale': found ", { rule = rule, starts = true })
  end
end

--- The other commands say the same of a script that cannot be loaded or run.
function Script.test_other_commands()
  for _, text in ipairs { "return 3", "error('no idea', 0)" } do
    local said = text == "return 3" and scripts[7][2] or "rule.lua: no idea"
    for _, command in ipairs { "fit rule.lua data.csv", "evaluate rule.lua data.csv", "compare flow rule.lua data.csv" } do
      check(command, said, { rule = text })
    end
  end
  local hand = "return crux.rule { predicts = 'y', formula = function(m) return nil end }"
  check("evaluate rule.lua data.csv --folds 2", "data.csv:2: level 'A': rule.lua: found nil, expected a number", { rule = hand })
  check("compare --formula y~a rule.lua data.csv --folds 2", "data.csv:2: level 'A': rule.lua: found nil, expected a number",
    { rule = hand })
  check("fit rule.lua data.csv",
    "rule.lua: found a Lua function without params as its formula, expected a formula string or params, which can be fitted",
    { rule = hand })
  check("evaluate rule.lua data.csv", "rule.lua: found no target", { starts = true,
    rule = "return crux.rule { formula = function(m) return m.a end }" })
  check("compare rule.lua --formula 'a ~ y' data.csv", "found rules with different ", { starts = true, rule = hand })
end

function Script.test_files()
  check("rate none.lua data.csv", "none.lua: ", { starts = true })
  check("rate flwo data.csv", "found the unknown rule 'flwo'; did you mean 'flow'?")
  check("rate 'y ~ a' data.csv", "found the formula 'y ~ a', expected a rule; crux fit 'y ~ a' DATA -o RULE.lua writes one")
  check("fit 'y = a' data.csv", "formula 'y = a': found '=', expected '~'")
  check("rate . data.csv", ".: found a folder, expected a Lua script")
  check("rate data.csv flow", "data.csv:", { starts = true })
  check("fit --formula y~a data.csv -o none/rule.lua", "none/rule.lua: No such file or directory")
end

local Formula = {}

--- Formula, column of the mistake, what was found.
local mistakes = {
  { "", 1, "the end of the formula" },
  { "y", 2, "the end of the formula" },
  { "y = a", 3, "'='" },
  { "y ~", 4, "the end of the formula" },
  { "y ~ a +", 8, "the end of the formula" },
  { "y ~ + + a", 7, "'+'" },
  { "y ~ a a", 7, "'a'" },
  { "y ~ (a", 7, "the end of the formula" },
  { "y ~ a)", 6, "')'" },
  { "y ~ 2 * a", 5, "'2'" },
  { "y ~ a / 2", 9, "'2'" },
  { "y ~ a %in% 2", 12, "'2'" },
  { "y ~ a %% b", 7, "'%'" },
  { "y ~ (a + log(a)", 16, "the end of the formula" },
  { "y ~ poly(a, 2", 14, "the end of the formula" },
  { "log(y ~ a", 7, "'~'" },
  { "y ~ a; b", 6, "';'" },
  { "y ~ I(a", 8, "the end of the formula" },
  { "y ~ I()", 7, "')'" },
  { "y ~ I(a ** 2)", 10, "'*'" },
  { "y ~ log(a, 2)", 5, "2 arguments of 'log'" },
  { "2 * y ~ a", 1, "'2'" },
  { "y ~ a ~ b", 7, "'~'" },
  { "y ~ `a", 5, "a backquote" },
  { 'y ~ "a"', 5, "'\"'" },
}

function Formula.test_mistakes_are_placed()
  for _, case in ipairs(long.some(8, mistakes)) do
    local text, column, found = table.unpack(case)
    local said = ("formula '%s': column %d: found %s, expected "):format(text, column, found)
    for i, command in ipairs { "fit --formula %s data.csv", "evaluate --formula %s data.csv",
      "compare --formula %s data.csv" } do
      check(command:format(shell.quote(text)), said, { starts = true, once = i > 1 })
    end
  end
end

--- Formula, what is said behind its name.
local unfit = {
  { "y ~ 0", "found no terms, expected at least one" },
  { "y ~ a - a - 1", "found no terms, expected at least one" },
  { "y ~ lgo(a)", "column 5: found the unknown function 'lgo'; did you mean 'log'?" },
  { "y ~ I(Poly(a))", "column 7: found the unknown function 'Poly'; did you mean 'poly'?" },
  { "y ~ I(poly(a))", "column 7: found 'poly' inside a function, expected it as a term: poly(x, k)" },
  { "y ~ tan(a)", "column 5: found the unknown function 'tan'; there are: I, log, log10, log2, log1p, sqrt, exp, abs, min, pmin, max, pmax, ..." },
  { "abs(y) ~ a", "column 1: found 'abs' on the left side, expected log, log10, log2, log1p, sqrt or exp" },
  { "~ a", "found no target, expected ", starts = true },
}

function Formula.test_what_cannot_be_fitted()
  for _, case in ipairs(unfit) do
    local said = ("formula '%s': %s"):format(case[1], case[2])
    check(("fit --formula %s data.csv"):format(shell.quote(case[1])), said, { starts = case.starts })
  end
end

--- Formulas that the data do not fit: file with a negative number in row 3, a text column, and a rule fitted to other texts.
local levels = "level,a,t,y\nA,1,cave,2\nB,-2,sea,3\nC,3,cave,5\nD,4,sea,0\n"
local kept = [[return crux.rule { formula = "y ~ factor(t) + factor(a)",
  bases = { ["factor(t)"] = { values = { "cave", "moor" } }, ["factor(a)"] = { values = { 1, 3, 4 } } },
  coefficients = { ["(intercept)"] = 1, ["factor(t)moor"] = 1, ["factor(a)3"] = 2, ["factor(a)4"] = 3 } }]]
local misfits = {
  { "fit --formula 'y ~ log(a)' levels.csv",
    "levels.csv:3: level 'B': term 'log(a)': found NaN (a = -2), expected a finite number" },
  { "fit --formula 'y ~ factor(t):log(a)' levels.csv",
    "levels.csv:3: level 'B': term 'factor(t)cave:log(a)': found NaN (t = 'sea', a = -2), expected a finite number" },
  { "fit --formula 'y ~ I(0/0)' levels.csv", -- found by fuzzing: a constant that is no number
    "levels.csv:2: level 'A': term 'I(0/0)': found NaN, expected a finite number" },
  { "evaluate --formula 'y ~ t:sqrt(a)' levels.csv", "levels.csv:2: column 't': found 'cave', expected a number, or factor(t) in the formula" },
  { "fit --formula 'y ~ t*factor(t)' levels.csv", "levels.csv:2: column 't': found 'cave', expected a number, or factor(t) in the formula" },
  { "fit --formula 'y ~ poly(log(a), 2)' levels.csv",
    "levels.csv:3: level 'B': term 'poly(log(a), 2)': found NaN (a = -2), expected a finite number" },
  { "fit --formula 'y ~ offset(sqrt(a))' levels.csv",
    "levels.csv:3: level 'B': term 'offset(sqrt(a))': found NaN (a = -2), expected a finite number" },
  { "compare --formula 'log(y) ~ a' levels.csv",
    "levels.csv:5: level 'D': term 'log(y)': found -Inf (y = 0), expected a finite number" },
  { "fit --formula 'y ~ poly(a, 4)' levels.csv",
    "levels.csv: term 'poly(a, 4)': found 4 different values, expected at least 5" },
  { "fit --formula 'y ~ factor(level)' one.csv",
    "one.csv: term 'factor(level)': found 'A' in all rows, expected 2 to 1,000 different values" },
  { "fit --formula 'y ~ factor(x)' levels.csv",
    "levels.csv:1: formula 'y ~ factor(x)' needs the measure 'x', which is not among the columns; there are: level, a, t, y" },
  { "fit --formula 'y ~ .:b' levels.csv", -- found by fuzzing: a measure that stands only with a dot
    "levels.csv:1: formula 'y ~ .:b' needs the measure 'b', which is not among the columns; there are: level, a, t, y" },
  { "fit --formula 'y ~ .' one.csv", "one.csv: found no measure for '.', expected a column of numbers that is no target and no weights" },
  { "rate rule.lua levels.csv", "levels.csv:3: level 'B': term 'factor(t)moor': found 'sea', expected one of the values that it was "
    .. "fitted to: 'cave', 'moor'" },
  { "compare --as-is rule.lua levels.csv", "levels.csv:3: level 'B': term 'factor(t)moor': found 'sea', expected one of the values "
    .. "that it was fitted to: 'cave', 'moor'" },
  { "rate rule.lua cave.csv", "cave.csv:2: level 'E': term 'factor(a)3': found '2', expected one of the values that it was "
    .. "fitted to: '1', '3', '4'" },
}

function Formula.test_misfits()
  local files = { ["levels.csv"] = levels, ["one.csv"] = "level,y\nA,1\nA,2\n", ["cave.csv"] = "level,a,t\nE,2,cave\n",
    ["rule.lua"] = kept }
  for _, case in ipairs(misfits) do check(case[1], case[2], { files = files }) end
end

--- What a rule script keeps is checked as it is read: bases, what is said.
local spoilt = {
  { "", "found no bases, expected a field 'bases' with what 'poly(a, 2)' has learned, as crux fit -o writes it" },
  { "bases = 3,", "field 'bases': found a number, expected a table" },
  { "bases = {},", "bases: 'poly(a, 2)': found nil, expected what crux fit -o writes" },
  { "bases = { ['poly(a, 2)'] = { alpha = { 1, 2 }, norm2 = { 1, 2, 0, 1 } } },",
    "bases: 'poly(a, 2)': found something else, expected alpha of 2 numbers and norm2 of 4 numbers above 0" },
  { "bases = { ['poly(a, 2)'] = { alpha = { 1, '2' }, norm2 = { 1, 2, 3, 1 } } },",
    "bases: 'poly(a, 2)': found something else, expected alpha of 2 numbers and norm2 of 4 numbers above 0" },
  { "bases = { ['poly(a, 2)'] = { alpha = { 1, 2 }, norm2 = { 1, 2, 3, 1 } }, ['factor(t)'] = { values = { 'x' } } },",
    "bases: 'factor(t)': found something else, expected values of at least two different numbers or texts" },
  { "bases = { ['poly(a, 2)'] = { alpha = { 1, 2 }, norm2 = { 1, 2, 3, 1 } }, ['factor(t)'] = { values = { 'x', 1 } } },",
    "bases: 'factor(t)': found something else, expected values of at least two different numbers or texts" },
  { "bases = { ['poly(a, 2)'] = { alpha = { 1, 2 }, norm2 = { 1, 2, 3, 1 } }, ['factor(t)'] = { values = { 'x', 'y' } }, "
    .. "['poly(a,2)'] = {} },", "bases: found the unknown poly or factor 'poly(a,2)'; did you mean 'poly(a, 2)'?" },
}

function Formula.test_bases_of_a_script()
  for _, case in ipairs(spoilt) do
    check("rate rule.lua data.csv", "rule.lua: " .. case[2],
      { rule = ("return crux.rule { formula = 'y ~ poly(a, 2) + factor(t)', %s coefficients = {} }"):format(case[1]) })
  end
  check("rate rule.lua data.csv", "rule.lua: coefficients: found '.' in the formula, expected the measures by name, as "
    .. "coefficients belong to them", { rule = "return crux.rule { formula = 'y ~ .', coefficients = {} }" })
end

--- A fault in the formula of a script names the script, too.
function Formula.test_in_a_script()
  check("fit rule.lua data.csv", "rule.lua: formula 'y ~ a +': column 8: found the end of the formula, expected ",
    { rule = "return crux.rule { formula = 'y ~ a +' }", starts = true })
end

return { BadScript = Script, BadFormula = Formula }
