--- End-to-end tests of crux rate --expect, of JUnit's XML by rate and check, and of crux rate --levels.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local xml_reader = require "xml_reader"

--- Levels of Move in which a ball takes 1, 2 and 3 moves to its goal, and one without a solution.
local levels = "; one\na A\n\n; two\na . A\n\n; three\na . . A\n"
local unsolvable = "; none\na # A\n"

--- Fills the folder of the tests: `double` rates 2 moves of Move, `line` twice the column `a`.
local function prepare()
  return shell.folder("expected", {
    ["double.lua"] = 'return crux.rule { game = "move", formula = "y ~ moves - 1", coefficients = { moves = 2 } }\n',
    ["line.lua"] = 'return crux.rule { formula = "y ~ a - 1", coefficients = { a = 2 } }\n',
    ["l.txt"] = levels, ["u.txt"] = unsolvable, ["b.txt"] = "; broken\na .\n", ["d.csv"] = "level,a,b\nA,1,8\nB,,9\nC,3.50001,\n",
    ["more.csv"] = "level,c\ntwo,7\nthree,9\n",
  })
end

local folder
local Expect = { setUp = function() folder = prepare() end }

local function crux(line) return shell.crux(line, { folder = folder }) end

--- Command line, what is said of levels, and the count; nil where all is as expected.
local cases = {
  { "double.lua l.txt --expect rating=2..6", "" },
  { "double.lua l.txt --expect rating=2..6,moves=1..3 --expect 'size<=4'", "" },
  { "double.lua l.txt --expect rating=2..4", "l.txt:8: level 'three': found rating 6, expected 2..4\n", "1 of 3 levels is" },
  { "double.lua l.txt --expect 'rating>=4' --expect moves=1..2,balls=1", "l.txt:2: level 'one': found rating 2, expected >=4\n"
    .. "l.txt:8: level 'three': found moves 3, expected 1..2\n", "2 of 3 levels are" },
  { "double.lua l.txt --expect rating=5,rocks=9", "l.txt:2: level 'one': found rating 2, expected 5; found rocks 0, expected 9\n"
    .. "l.txt:5: level 'two': found rating 4, expected 5; found rocks 0, expected 9\n"
    .. "l.txt:8: level 'three': found rating 6, expected 5; found rocks 0, expected 9\n", "3 of 3 levels are" },
  { "double.lua u.txt l.txt --expect rating=2..6", "u.txt:2: level 'none': no solution exists\n"
    .. "u.txt:2: level 'none' has no rating: moves is missing\n", "1 of 4 levels is" },
  { "double.lua l.txt --states 2 --expect rating=2..6", "l.txt:8: level 'three': not solved: the limit on states was met\n"
    .. "l.txt:8: level 'three' has no rating: moves is missing\n", "1 of 3 levels is" },
  { "double.lua b.txt l.txt --expect rating=2..4", "b.txt:2: column 1: found 1 of ball 'a' and 0 of its goal, expected a goal for "
    .. "every ball\nl.txt:8: level 'three': found rating 6, expected 2..4\n", "2 of 4 levels are" },
  { "line.lua d.csv --expect rating=2..7,b=8", "d.csv:3: level 'B': found no rating, expected 2..7; found b 9, expected 8\n"
    .. "d.csv:3: level 'B' has no rating: a is missing\n"
    .. "d.csv:4: level 'C': found rating 7.00002, expected 2..7; found no b, expected 8\n", "2 of 3 levels are" },
  { "double.lua l.txt --with more.csv --expect rating=2..4", "l.txt:8: level 'three': found rating 6, expected 2..4\n"
    .. "l.txt: 1 row left out: no such level in more.csv\n", "1 of 2 levels is" },
}

function Expect.test_table_of_cases()
  long.leave_out()
  for _, case in ipairs(long.some(15, cases)) do
    local line, said, count = table.unpack(case)
    local result = crux("rate " .. line)
    luaunit.assertEquals(result.err, said .. (count and count .. " not as expected\n" or ""), line)
    luaunit.assertEquals(result.status, count and 1 or 0, line)
    luaunit.assertStrContains(result.out, "level,rating\n", line)
  end
end

--- The order of lines is that of the levels; with any number of workers.
function Expect.test_result_does_not_depend_on_workers()
  local one, four = crux "rate double.lua l.txt --expect rating=3 --jobs 1", crux "rate double.lua l.txt --expect rating=3 --jobs 4"
  luaunit.assertEquals(one, four)
  luaunit.assertEquals(one.status, 1)
end

function Expect.test_wrong_command_lines()
  for line, said in pairs {
    ["rate double.lua l.txt --expect rating"] = "--expect: found 'rating', expected MEASURE=RANGE,... where a range is",
    ["rate double.lua l.txt --expect rating=7..3"] = "--expect: found 'rating=7..3', expected MEASURE=RANGE",
    ["rate double.lua l.txt --expect rating=1 --expect rating=2"] = "--expect: found 'rating' twice, expected it once",
    ["rate double.lua l.txt --format junit"] = "found --format junit, expected it with --expect and without --explain",
    ["rate double.lua l.txt --explain --expect rating=1 --format junit"] = "found --format junit, expected it with",
    ["rate double.lua l.txt --levels"] = "found --levels and the format csv, expected json",
    ["rate double.lua l.txt --levels --append"] = "found --levels and --append, expected one of them",
    ["rate double.lua l.txt --levels --explain"] = "found --levels and --explain, expected one of them",
    ["check --game move l.txt --format junit"] = "--format junit is not for --sandbox, nor for --game and levels alone",
    ["check --sandbox --format junit"] = "--format junit is not for --sandbox",
  } do
    local result = crux(line)
    luaunit.assertStrContains(result.err, said, false, line)
    luaunit.assertEquals({ result.status, result.out }, { 2, "" }, line)
  end
  for line, said in pairs {
    ["rate double.lua l.txt --expect movs=1"] = "game 'move': found the unknown measure 'movs'; did you mean 'moves'?\n",
    ["rate line.lua d.csv --expect bb=1"] = "d.csv:1: --expect needs the measure 'bb', which is not among the columns; did you mean 'b'?\n",
    ["rate line.lua d.csv --levels --format json"] = "d.csv: found a dataset, expected level files, as --levels prints their text\n",
  } do
    luaunit.assertEquals(crux(line), { status = 1, out = "", err = said }, line)
  end
end

--- The number of cases, failures and errors that the package junitparser reads in a file, if it is installed.
local function parsed(path)
  local program = "import junitparser, sys; x = junitparser.JUnitXml.fromfile(sys.argv[1]); "
    .. "cases = [c for s in x for c in s]; kinds = [type(r).__name__ for c in cases for r in c.result]; "
    .. "print(x.tests, x.failures, x.errors, len(cases), kinds.count('Failure'), kinds.count('Error'), cases[0].classname)"
  if shell.run("/usr/bin/python3 -c 'import junitparser'").status ~= 0 then luaunit.skip "python3-junitparser is missing" end
  return shell.output(("/usr/bin/python3 -c %s %s"):format(shell.quote(program), path))
end

local Junit = { setUp = Expect.setUp }

--- A test case for each level: as expected, outside, without solution, and last those that cannot be read.
function Junit.test_rate()
  local result = crux "rate double.lua b.txt l.txt u.txt gone.txt --expect rating=2..4 --format junit"
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "\n4 of 6 levels are not as expected\n")
  local suite, found = xml_reader(result.out)[1], {}
  for i, case in ipairs(suite) do
    found[i] = { case.attributes.classname, case.attributes.name, case[1].name, case[1].attributes.message }
  end
  luaunit.assertEquals(found, {
    { "l.txt", "one", "system-out" },
    { "l.txt", "two", "system-out" },
    { "l.txt", "three", "failure", "l.txt:8: level 'three': found rating 6, expected 2..4" },
    { "u.txt", "none", "failure", "u.txt:2: level 'none': no solution exists" },
    { "b.txt", "broken", "error", "b.txt:2: column 1: found 1 of ball 'a' and 0 of its goal, expected a goal for every ball" },
    { "gone.txt", "gone.txt", "error", "gone.txt: No such file or directory" },
  })
  luaunit.assertEquals(suite[1][1].text, "level: one\nrating: 2")
end

--- A test case for each file; warnings fail it with --strict alone.
function Junit.test_check()
  for option, failures in pairs { [""] = "1", ["--strict"] = "2" } do
    local suite = xml_reader(crux("check double.lua l.txt u.txt b.txt --format junit " .. option).out)[1]
    luaunit.assertEquals({ suite.attributes.tests, suite.attributes.failures, suite.attributes.errors }, { "4", failures, "0" })
    luaunit.assertEquals(suite[4].attributes, { classname = "b.txt", name = "b.txt" })
    luaunit.assertStrContains(suite[4][1].attributes.message, "b.txt:2: column 1: found 1 of ball 'a'")
    luaunit.assertEquals(suite[3][1].name, option == "" and "system-out" or "failure")
  end
end

function Junit.test_an_independent_reader_accepts_it()
  long.leave_out()
  local path = shell.path "results.xml"
  crux("rate double.lua b.txt l.txt u.txt --expect rating=2..4 --format junit -o " .. path)
  luaunit.assertEquals(parsed(path), "5 2 1 5 2 1 l.txt\n")
  crux("check double.lua b.txt l.txt --format junit -o " .. path)
  luaunit.assertEquals(parsed(path), "3 1 0 3 1 0 double.lua\n")
end

local Levels = { setUp = Expect.setUp }

--- The text of a level reads back as that level, with the measures that were used and the notes.
function Levels.test_json()
  long.leave_out()
  local result = crux "rate double.lua l.txt u.txt --levels --format json"
  luaunit.assertEquals(result.status, 0)
  local list = json.decode(result.out)
  luaunit.assertEquals(#list, 4)
  luaunit.assertEquals(list[2], { level = "two", file = "l.txt", notes = { [json.keys] = {} }, rows = { "a . A" },
    measures = { moves = 2, [json.keys] = { "moves" } }, rating = 4,
    missing = json.null, [json.keys] = { "level", "file", "notes", "rows", "measures", "rating", "missing" } })
  luaunit.assertEquals({ list[4].rating, list[4].measures.moves }, { json.null, json.null })
  for _, level in ipairs(list) do
    shell.file("again.txt", table.concat(level.rows, "\n") .. "\n")
    local again = json.decode(shell.crux(("rate %s/double.lua %s --levels --format json"):format(folder, shell.path "again.txt")).out)
    luaunit.assertEquals({ again[1].rows, again[1].rating }, { level.rows, level.rating })
  end
end

--- Notes, measures on request, intervals of a fitted rule, and the ending of the output.
function Levels.test_notes_and_measures()
  shell.file("expected/n.txt", "; name: first\n; stamina: 40\n" .. "a A\n")
  crux "rate double.lua n.txt --levels --measures moves,size --expect balls=1 -o out.json"
  local list = json.decode(shell.read(shell.path "expected/out.json"))
  luaunit.assertEquals({ list[1].level, list[1].notes.stamina, list[1].measures[json.keys] },
    { "first", "40", { "moves", "size", "balls" } })
  local rated = json.decode(shell.printed "rate flow datasets/levels/flow/2.txt --levels --interval 0.9 --format json")[1]
  luaunit.assertTrue(rated.low < rated.rating and rated.rating < rated.high)
  luaunit.assertEquals(#rated.rows, 7)
end

return { Expect = Expect, Junit = Junit, LevelsAsJson = Levels }
