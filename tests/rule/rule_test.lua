-- Tests of lua/crux/rule/rule.lua and sandbox.lua: loading scripts, rating with them, writing them, keeping them in.
local dataset = require "crux.data.dataset"
local design = require "crux.data.design"
local long = require "long"
local luaunit = require "luaunit"
local rule = require "crux.rule.rule"
local shell = require "shell"

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

local path = shell.path "rule.lua"

local function load_text(text) return rule.load(shell.file("rule.lua", text)) end

local function load_fields(fields) return load_text("return crux.rule { " .. fields .. " }") end

--- The ratings of a CSV text; "NaN" for NaN.
local function rate(self, csv)
  local data = dataset.open(shell.file("levels.csv", csv))
  local ratings = {}
  for block in data:blocks { numbers = self:measures(data), texts = self:texts(data) } do
    local rated = self:rate(block)
    for i = 1, block.rows do table.insert(ratings, rated[i] == rated[i] and rated[i] or "NaN") end
  end
  return ratings
end

local Load = {}

function Load.test_fields()
  local loaded = load_fields [[ name = "mine", doc = "words", game = "flow", predicts = "fun", scale = { 1, 5 },
    weights = "n", formula = "fun ~ size + log(corners)", coefficients = { ["(intercept)"] = 1, size = 0.5 },
    aliased = { "log(corners)" } ]]
  luaunit.assertEquals({ loaded.name, loaded.doc, loaded.game, loaded.predicts, loaded.scale, loaded.weights, loaded.aliased,
    loaded.coefficients }, { "mine", "words", "flow", "fun", { 1, 5 }, "n", { "log(corners)" },
    { ["(intercept)"] = 1, size = 0.5 } })
  luaunit.assertEquals({ loaded.formula.response, #loaded.formula.terms, loaded.rating }, { "fun", 3 })
end

function Load.test_what_is_left_out()
  local loaded = load_fields 'formula = "fun ~ size"'
  luaunit.assertEquals({ loaded.name, loaded.predicts, loaded.coefficients, loaded:who() }, { "rule", "fun", nil, path })
  luaunit.assertNil(load_fields('formula = "~ size"').predicts)
  luaunit.assertEquals(load_fields('predicts = "fun", formula = "~ size"').formula.text, "fun ~ size")
end

function Load.test_other_ways_to_a_rule()
  luaunit.assertEquals({ rule.load("flow").name, rule.load("lazors-original").name }, { "flow", "lazors-original" })
  local made = rule.from_formula("fun ~ size", "n")
  luaunit.assertEquals({ made.predicts, made.weights, made:who() }, { "fun", "n", "formula 'fun ~ size'" })
end

--- Which way ratings and targets go: `falls`, `target_falls` and the scale of a rule, made for a target and another one.
function Load.test_directions()
  local function directions(made) return { made.predicts, made.falls, made.target_falls, made.scale or "none" } end
  local of_rate, hand = 'target = { "rate", falls = true }, ', "formula = function(m) return m.x end"
  for _, case in ipairs {
    { 'formula = "rate ~ x"', { "rate", false, false, "none" }, { "rate", true, true, "none" }, { "y", false, false, "none" } },
    { of_rate .. 'formula = "~ x"', { "rate", true, true, "none" }, { "rate", true, true, "none" }, { "y", false, false, "none" } },
    { 'formula = "rate ~ x", scale = { 0, 1 }', { "rate", false, false, { 0, 1 } }, { "rate", true, true, { 1, 0 } },
      { "y", false, false, "none" } },
    { 'formula = "rate ~ x", scale = { 1, 0 }', { "rate", true, true, { 1, 0 } }, { "rate", true, true, { 1, 0 } },
      { "y", false, false, "none" } },
    { of_rate .. hand, { "rate", true, true, "none" }, { "rate", true, true, "none" }, { "y", true, false, "none" } },
    { 'predicts = "rate", scale = { 0, 9 }, ' .. hand, { "rate", false, false, { 0, 9 } }, { "rate", false, true, { 0, 9 } },
      { "y", false, false, { 0, 9 } } },
    { 'predicts = "rate", ' .. hand, { "rate", false, false, "none" }, { "rate", true, true, "none" },
      { "y", false, false, "none" } },
  } do
    local made = load_fields(case[1])
    luaunit.assertEquals({ directions(made), directions(made:for_falling_target()), directions(made:for_target "y") },
      { case[2], case[3], case[4] })
    luaunit.assertIs(made:for_target "rate", made)
    local other = made:for_target("y"):for_falling_target()
    luaunit.assertEquals({ other.falls, other.target_falls }, { made.rating == nil or made.falls, true })
    if made.formula then luaunit.assertEquals(directions(load_text(made:script "")), directions(made)) end
  end
end

function Load.test_fields_that_are_refused()
  for fields, problem in pairs {
    ["formula = 'y ~ x', target = 'y'"] = "field 'target': found a string, expected a table",
    ["formula = 'y ~ x', target = { 'y', fals = true }"] =
      "field 'target': found something else, expected { \"COLUMN\", falls = true } and no field 'predicts'",
    ["formula = 'y ~ x', target = { 'y', falls = true }, predicts = 'y'"] = "field 'target': found also a field 'predicts'",
    ["formula = 'y ~ x', target = { 'z', falls = true }"] = "found the formula of 'y', expected one of 'z', which",
    ["formula = 'y ~ x', target = { 'y', falls = true }, scale = { 0, 1 }"] =
      "field 'scale': found another direction than that of the target, expected the rating of the easiest level first",
    ['formula = "y ~ x", weight = "n"'] = "found the unknown field 'weight'; did you mean 'weights'?",
    ['formula = "y ~ x", [1] = 2'] = "found the unknown field '1'; there are: name, doc, game,",
    ["name = 'x'"] = "found no formula, expected a field 'formula'",
    ["formula = 3"] = "field 'formula': found a number, expected a string or a function",
    ["formula = 'y ~ x', scale = 10"] = "field 'scale': found a number, expected a table",
    ["formula = 'y ~ x', scale = { 1, 1 }"] =
      "field 'scale': found something else, expected two different numbers, that of the easiest level first",
    ["formula = 'y ~ x', aliased = { {} }"] = "field 'aliased': found a table, expected the names of terms",
    ["formula = 'y ~ x', name = {}"] = "field 'name': found a table, expected a string",
    ["formula = 'y ~ x', coefficients = 'none'"] = "field 'coefficients': found a string, expected a table",
    ["formula = 'y ~ x', predicts = 'z'"] = "found the formula of 'y', expected one of 'z', which the rule predicts",
    ["formula = 'y ~ x', coefficients = { x = 1 }"] =
      "coefficients: found none for the term '(intercept)', expected a number",
    ["formula = 'y ~ size - 1', coefficients = { size = 1, sizes = 2 }"] =
      "coefficients: found the unknown term 'sizes'; did you mean 'size'?",
    ["formula = 'y ~ x - 1', coefficients = { x = '1' }"] = "coefficient 'x': found '1', expected a finite number",
    ["formula = 'y ~ x - 1', coefficients = { x = 0/0 }"] = "expected a finite number",
    ["formula = 'y ~ x - 1', coefficients = { x = -math.huge }"] = "coefficient 'x': found -Inf, expected a finite number",
    ["formula = function() end, coefficients = {}"] = "found coefficients, expected none, as the formula is a function",
  } do
    luaunit.assertStrContains(message(load_fields, fields), path .. ": ")
    luaunit.assertStrContains(message(load_fields, fields), problem)
  end
  luaunit.assertStrContains(message(load_fields, "formula = 'y ~ x +'"), "formula 'y ~ x +': column 8: found the end")
end

function Load.test_scripts_that_are_refused()
  long.leave_out()
  local expected = ", expected return crux.rule { ... }"
  for text, problem in pairs {
    ["local x = 1"] = path .. ": found a script that returns nothing" .. expected,
    ["return { formula = 'y ~ x' }"] = path .. ": found a script that returns a table" .. expected,
    ["return 'y ~ x'"] = path .. ": found a script that returns a string" .. expected,
    ["return crux.game 'mine'"] = path .. ": found a script that returns a game" .. expected,
    ["return setmetatable({}, {})"] = path .. ": found a script that returns a table" .. expected,
    ["\nlocal made = crux.rule 'y ~ x'"] = path .. ":2: crux.rule: expected a table of fields",
    ["\n\nerror 'no'"] = path .. ":3: no",
    ["error { 'no' }"] = path .. ": raised a table",
    ["error('no', 0)"] = path .. ": no",
    ["error()"] = path .. ": raised a nil",
    ["local function f() return 1 + f() end f()"] = path .. ":1: stack overflow",
    ["x ="] = path .. ":1: unexpected symbol near <eof>",
    ["\27Lua"] = path .. ": attempt to load a binary chunk (mode is 't')",
  } do
    luaunit.assertEquals(message(load_text, text):gsub("^attempt", path .. ": attempt"), problem)
  end
  luaunit.assertStrContains(message(rule.load, "no/such.lua"), "no/such.lua")
  luaunit.assertEquals(message(rule.load, "tests/"), "tests/: found a folder, expected a Lua script")
end

local Script = {}

-- The thousand doubles and the awkward strings must come back as they were, to the last bit.
function Script.test_what_was_written_is_read()
  math.randomseed(99)
  for _, awkward in ipairs { "plain", '" and \' and ]]', "two\nlines\r\n\ttab", "back\\slash\\\n", "\0\127\200", "%d -- }" } do
    local coefficients, terms = {}, {}
    for i = 1, 200 do
      coefficients["x" .. i] = (math.random() - 0.5) * 10.0 ^ math.random(-300, 300)
      terms[i] = "x" .. i
    end
    coefficients["`a b`:log(x1)"], coefficients.x7 = 5e-324, 3
    local made = rule.new { name = awkward, doc = awkward, game = "g", predicts = "end",
      scale = awkward == "plain" and { math.huge, 0 } or { 1, 10.5 }, weights = "n",
      formula = "`end` ~ 0 + `a b`:log(x1) + x0 + " .. table.concat(terms, " + "), coefficients = coefficients,
      aliased = { "x0" } }
    local read = load_text(made:script "Written by a test.")
    for _, field in ipairs { "name", "doc", "game", "predicts", "scale", "weights", "aliased" } do
      luaunit.assertEquals(read[field], made[field])
    end
    luaunit.assertEquals(read.formula.text, made.formula.text)
    luaunit.assertEquals(read.coefficients, coefficients)
    luaunit.assertEquals(read:script "Written by a test.", made:script "Written by a test.")
  end
end

function Script.test_text()
  local made = rule.new { name = "r", formula = "y ~ x + end + x.1", coefficients = { ["(intercept)"] = 1, x = 0.1, ["end"] = 2,
    ["x.1"] = -3 } }
  luaunit.assertEquals(made:script "By hand.", [[
-- By hand.
return crux.rule {
  name = "r",
  predicts = "y",
  formula = "y ~ x + end + x.1",
  coefficients = {
    ["(intercept)"] = 1,
    x = 0.1,
    ["end"] = 2,
    ["x.1"] = -3,
  },
}
]])
  luaunit.assertErrorMsgContains("expected a formula string", function()
    rule.new({ name = "f", formula = function() return 1 end }):script "By hand."
  end)
end

function Script.test_another_target()
  local flow = rule.load "flow"
  luaunit.assertIs(flow:for_target "difficulty", flow)
  local other = flow:for_target "time"
  luaunit.assertEquals({ other.predicts, other.formula.response, other.coefficients }, { "time", "time" })
  luaunit.assertEquals({ flow.predicts, flow.formula.response }, { "difficulty", "difficulty" })
  luaunit.assertIsNumber(flow.coefficients.size)
end

local function fitted(made, path_of_data)
  local frames = design.new(dataset.open(path_of_data), { response = made.predicts, formula = made.formula,
    weights = made.weights, who = "test" })
  return made.method:solve { formula = made.formula, frames = frames, where = path_of_data }
end

function Script.test_aliased_terms_are_written()
  local made = rule.from_formula "difficulty ~ size + I(2 * size)"
  local fresh = fitted(made, "datasets/flow.csv")
  local read = load_text(made:fitted(fresh):script "Written by a test.")
  luaunit.assertEquals({ read.aliased, read.coefficients }, { { "I(2 * size)" }, fresh.coefficients })
  luaunit.assertNil(made:fitted(fitted(rule.from_formula "difficulty ~ size", "datasets/flow.csv")).aliased)
end

local Rate = {}

function Rate.test_a_formula()
  local made = load_fields [[ formula = "y ~ a + I(a*b) + c", coefficients = { ["(intercept)"] = 1, a = 2, ["I(a * b)"] = 3 },
    aliased = { "c" } ]]
  luaunit.assertEquals(rate(made, "a,b,c\n,2,0\n1,2,0\n1,NA,1\n0.5,-1,9\n"), { "NaN", 9, "NaN", 0.5 })
  luaunit.assertEquals(rate(made, "a,b,c\n,1,1\n1,,1\n"), { "NaN", "NaN" })
  luaunit.assertEquals(message(rate, made, "a,b,d\n1,2,3\n"), shell.path "levels.csv"
    .. ":1: " .. path .. " needs the measure 'c', which is not among the columns; there are: a, b, d")
  luaunit.assertEquals(message(rate, load_fields "formula = 'y ~ a'", "a\n1\n"), path .. ": found no coefficients, "
    .. "expected a fitted rule (crux fit RULE DATA -o FITTED.lua)")
  local log = load_fields "formula = 'y ~ log(a) - 1', coefficients = { ['log(a)'] = 1 }"
  luaunit.assertEquals(message(rate, log, "a\n1\n0\n"),
    shell.path "levels.csv" .. ":3: term 'log(a)': found -Inf (a = 0), expected a finite number")
end

function Rate.test_a_function()
  local made = load_fields "formula = function(m) return m.a > 1 and m.a * m.b or 0 end"
  luaunit.assertEquals(rate(made, "b,a,level\n2,3,x\n,1,y\n5,,z\nNA,2,w\n"), { 6, 0, "NaN", "NaN" })
  luaunit.assertNil(made.formula)
  luaunit.assertErrorMsgContains("expected a formula string", made.fitting_formula, made)
  -- a missing measure cannot be caught
  local catching = load_fields [[ formula = function(m)
    local ok, value = pcall(function() return m.a end)
    return ok and value or 7
  end ]]
  luaunit.assertEquals(rate(catching, "a\n1\nNA\n2\n"), { 1, "NaN", 2 })
end

function Rate.test_functions_that_are_refused()
  local at = shell.path "levels.csv" .. ":2: "
  for body, problem in pairs {
    ["return nil"] = at .. path .. ": found nil, expected a number",
    ["return 'high'"] = at .. path .. ": found 'high', expected a number",
    ["return '5'"] = at .. path .. ": found '5', expected a number",
    ["return 0/0"] = at .. path .. ": found NaN, expected a number",
    ["return 1/0"] = at .. path .. ": found Inf, expected a number",
    ["return true"] = at .. path .. ": found true, expected a number",
    ["error 'broken'"] = path .. ":1: broken",
    ["return m.size + {}"] = path .. ":1: attempt to perform arithmetic on a table value",
    ["return m.sise"] = shell.path "levels.csv" .. ":1: " .. path .. " needs the measure 'sise', which is not among the columns; "
      .. "did you mean 'size'?",
    ["return m.name"] = at .. "column 'name': found 'one', expected a number",
    ["pcall(function() return m.name end) return 1"] = at .. "column 'name': found 'one', expected a number",
    ["m.size = 1 return 1"] = path .. ":1: found an assignment to a measure, expected none",
  } do
    local made = load_fields(("formula = function(m) %s end"):format(body))
    luaunit.assertEquals(message(rate, made, "size,name\n1,one\n"), problem)
  end
end

local Sandbox = {}

function Sandbox.test_what_cannot_be_reached()
  for _, name in ipairs { "os", "io", "load", "loadstring", "loadfile", "dofile", "debug", "package", "_G", "_ENV._G",
    "getmetatable", "collectgarbage", "print", "warn", "coroutine", "string.dump", "math.random", "math.randomseed", "arg",
    "lpeg", "crux.load", "crux.dataset" } do
    load_text(("assert(%s == nil, 'reached') return crux.rule { formula = 'y ~ x' }"):format(name))
  end
  luaunit.assertErrorMsgContains("attempt to call a nil value (global 'getmetatable')", load_text,
    "getmetatable('').__index.rep = nil")
end

function Sandbox.test_require_finds_what_is_beside_the_script()
  local folder = shell.folder("beside", {
    ["rule.lua"] = "local a, b = require 'helper', require 'helper' assert(a == b and a.n == 1 and not global)\n"
      .. "assert(require 'silent' == true)\nreturn crux.rule { formula = 'y ~ x', name = a.name }",
    ["helper.lua"] = "global = 1 return { n = (global or 0), name = require('deeper') }", ["deeper.lua"] = "return 'deep'",
    ["silent.lua"] = "", ["one.lua"] = "return require 'two'", ["two.lua"] = "\nreturn require 'one'",
  })
  luaunit.assertEquals(rule.load(folder .. "/rule.lua").name, "deep")
  luaunit.assertEquals(message(rule.load, folder .. "/one.lua"), folder .. "/one.lua: require: found two, which requires itself")
  shell.run(("ln -s ../beside/deeper.lua %s/same.lua; ln -s /etc/hosts %s/other.lua; mkdir %s/folder.lua"):format(folder, folder, folder))
  shell.file("beside/rule.lua", "return crux.rule { formula = 'y ~ x', name = require 'same' }")
  luaunit.assertEquals(rule.load(folder .. "/rule.lua").name, "deep")
  for _, name in ipairs { "other", "folder", "nothing" } do
    shell.file("beside/rule.lua", ("return (require '%s')"):format(name))
    luaunit.assertEquals(message(rule.load, folder .. "/rule.lua"),
      ("%s/rule.lua:1: require: found no file %s.lua beside the script"):format(folder, name))
  end
  for _, name in ipairs { "'crux.fault'", "'../rule'", "'/etc/hosts'", "''", "{}", "nil" } do
    shell.file("beside/rule.lua", ("return require(%s)"):format(name))
    luaunit.assertStrContains(message(rule.load, folder .. "/rule.lua"), "expected the plain name of a file beside the script")
  end
end

function Sandbox.test_one_script_does_not_see_another()
  for _, change in ipairs { "mine = 1", "math.mine = 1", "string.mine = 1", "crux.mine = 1", "table.insert = nil",
    "crux.rule = nil", "tostring = nil" } do
    local rest = change:find "crux.rule" and "return" or "return crux.rule { formula = 'y ~ x' }"
    pcall(load_text, change .. " " .. rest)
    load_text [[ assert(not (mine or math.mine or string.mine or crux.mine) and table.insert and tostring and crux.rule)
      return crux.rule { formula = "y ~ x" } ]]
  end
  luaunit.assertNil(rawget(_G, "mine"))
  luaunit.assertIsFunction(table.insert)
end

-- What a script catches is a message to it, not a handle to change how crux reports failures.
function Sandbox.test_a_caught_fault_is_harmless()
  local made = load_fields [[ formula = function(m)
    local _, caught = pcall(function() return m.nothing end)
    pcall(function() caught.__index.__tostring = function() return "changed" end end)
    pcall(function() caught.message, caught.status = "changed", 0 end)
    error(caught, 0)
  end ]]
  local _, raised = pcall(rate, made, "size\n1\n")
  luaunit.assertStrContains(tostring(raised), "needs the measure 'nothing'")
  luaunit.assertEquals(raised.status, 1)
end

return { RuleLoad = Load, RuleScript = Script, RuleRate = Rate, Sandbox = Sandbox }
