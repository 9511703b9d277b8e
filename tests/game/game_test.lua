-- Tests of crux.game: what a game script may say, and what is told when it says something else.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Game = {}

--- A game whose levels are lines of letters; `changes` come last.
local function script(changes)
  return [[
local game = crux.game "letters"
function game.parse(text) return { n = #text - 1, text = text } end
function game.solve(level) return { status = "solved", length = level.n, solutions = 1 } end
game.measure { "letters", kind = "initial", doc = "letters", function(level) return level.n end }
game.measure { "count", kind = "dynamic", optional = true, doc = "solutions", function(_, solution) return solution.solutions end }
function game.format(level) return level.text end
]] .. (changes or "") .. "\nreturn game\n"
end

local function measure(changes, options)
  local path = shell.file("letters.lua", script(changes))
  return shell.crux(("measure %s %s %s"):format(path, shell.file("letters.txt", "; one\nabc\n\n; two\nabcd\n"), options or ""))
end

function Game.test_a_small_game()
  luaunit.assertEquals(measure().out, "level,letters\none,3\ntwo,4\n")
  luaunit.assertEquals(measure("", "--measures count,letters").out, "level,count,letters\none,1,3\ntwo,1,4\n")
  local solved = shell.crux(("solve %s %s"):format(shell.path "letters.lua", shell.path "letters.txt"))
  luaunit.assertEquals(solved.out, "one\nabc\n3 moves; 1 shortest solution\n\ntwo\nabcd\n4 moves; 1 shortest solution\n")
end

--- Variants are solved within the same limits when a measure asks for them, once; those that are not are told.
function Game.test_variants()
  local changes = [[
local calls = 0
function game.parse(text, notes) return { n = #text - 1, text = text, last = tonumber(notes.last) } end
function game.solve(level, options)
  calls = calls + 1
  if level.n > 5 then return { status = "unsolvable" } end
  if level.n == 5 then return { status = "unknown", limit = "states" } end
  return { status = "solved", length = level.n * (options.states or 1), calls = calls }
end
game.variants = { longer = function(level) return { n = level.n + 1 } end, doubled = function(level) return { n = 2 * level.n } end }
for _, name in ipairs { "longer", "doubled" } do
  game.measure { name, kind = "solution", doc = "length", function(_, solution) return solution.variants[name].length end }
end
game.measure { "twice", kind = "solution", doc = "whether it is the same solution",
  function(level, solution) return solution.variants.longer == solution.variants.longer and solution.variants.longer.level.n end }
game.measure { "last", kind = "initial", optional = true, doc = "a note", function(level) return level.last end }
game.measure { "calls", kind = "solution", optional = true, doc = "calls", function() return calls end }
]]
  local result = measure(changes, "--states 7 --measures letters,longer,twice,doubled")
  luaunit.assertEquals(result.out, "level,letters,longer,twice,doubled\none,3,28,4,\ntwo,4,,5,\n")
  luaunit.assertEquals(result.err, ([[
letters.txt:2: level 'one': variant 'doubled': no solution exists
letters.txt:5: level 'two': variant 'doubled': no solution exists
letters.txt:5: level 'two': variant 'longer': not solved: the limit on states was met
]]):gsub("letters.txt", (shell.path "letters.txt":gsub("%%", "%%%%"))))
  luaunit.assertEquals(measure(changes, "--measures letters,calls --jobs 1").out, "level,letters,calls\none,3,1\ntwo,4,2\n")
  luaunit.assertEquals(measure(changes, "--measures longer,twice,calls --jobs 1").out, "level,longer,twice,calls\none,4,4,2\ntwo,,5,4\n")
  local noted = shell.crux(("measure %s %s --measures last"):format(shell.path "letters.lua", shell.file("noted.txt", "; last: 8\nab\n")))
  luaunit.assertEquals(noted.out, "level,last\nnoted,8\n")
end

--- What is wrong with a script is told with its path, and nothing else is said or written.
function Game.test_wrong_scripts()
  local path = shell.path "letters.lua"
  for changes, message in pairs {
    ["game.parze = 1"] = "found the unknown field 'parze'; did you mean 'parse'?",
    ["game.variants = { other = 3 }"] = "variant 'other': found 3, expected a function",
    ["game.parse = nil"] = "found no parse, expected a function game.parse(text, notes)",
    ["game.solve = nil"] = "found neither search nor solve, expected one of them",
    ["game.extensions = 'txt'"] = "field 'extensions': found a string, expected a table",
    ["game.measure { 'm', kind = 'odd', doc = 'x', function() end }"] =
      "measure 'm': found kind = 'odd', expected kind = 'initial', 'solution' or 'dynamic'",
    ["game.measure { 'm', kind = 'initial', function() end }"] = "measure 'm': found no doc, expected a line that says what it measures",
    ["game.search = { moves = function() end, state = tostring, start = tostring, step = tostring }"] =
      "search.moves: found a function, expected a list, or pick, by which players choose moves",
    ["game.search = { moves = function() end, state = tostring, start = tostring, step = tostring }; "
      .. "game.walk = { moves = 1, back = tostring, finish = tostring }"] = "search.moves: found a function, expected a list, in a game with walk",
    ["game.search = { moves = { 'U', nil, 'D' } }"] = "search.moves[2]: found nil, expected a name",
    ["game.search = { moves = {} }"] = "search.moves: found an empty list, expected a list of names",
  } do
    local result = measure(changes)
    luaunit.assertEquals(result.err, path .. ": " .. message .. "\n")
    luaunit.assertEquals({ result.out, result.status }, { "", 1 })
  end
end

--- What goes wrong for a level is that level's failure.
function Game.test_wrong_results()
  local path, levels = shell.path "letters.lua", shell.path "letters.txt"
  local function twice(message) return ("%s:2: %s%s:5: %s"):format(levels, message, levels, message) end
  for changes, message in pairs {
    ["function game.parse() error 'line 1, column 3: no' end"] = levels .. ":2: column 3: no\n" .. levels .. ":5: column 3: no\n",
    ["function game.parse() return 1 end"] = twice(path .. ": parse: found 1, expected a table that describes the level\n"),
    ["function game.solve() return 1 end"] =
      twice(path .. ": solve: found no solution, expected a table with status = 'solved', 'unsolvable' or 'unknown'\n"),
    ["game.measure { 'm', kind = 'initial', doc = 'x', function() return 'many' end }"] =
      twice(path .. ": measure 'm': found 'many', expected a number or nil\n"),
  } do
    local result = measure(changes, changes:find "solve" and "--measures count" or "")
    luaunit.assertEquals(result.err, message .. "2 of 2 levels failed\n")
    luaunit.assertEquals(result.status, 1)
  end
end

--- Three steps to the right; the heuristic says four.
function Game.test_inadmissible_heuristic()
  local path = shell.file("walk.lua", [[
local game = crux.game "walk"
function game.parse(text) return { text = text } end
function game.format(level) return level.text end
game.search = {
  moves = { "R" },
  state = function() return { at = crux.integer(0, 3) } end,
  start = function() return { at = 0 } end,
  step = function(state) state.at = state.at + 1; return crux.eq(state.at, 3) end,
  heuristic = function(state) return 4 - state.at end,
}
return game
]])
  local level = shell.file("walk.txt", "x\n")
  luaunit.assertEquals(shell.crux(("solve %s %s"):format(path, level)).out, "walk\nx\n3 moves: RRR\n")
  local checked = shell.crux(("check --game %s %s"):format(path, level))
  luaunit.assertEquals(checked.err, level .. ":1: " .. path .. ":9: heuristic: found 4 at the start, expected at most 3, the number of moves to a win\n"
    .. "1 of 1 level failed\n")
end

--- Steps of one or two to the end of a text. From 0 to 3: "12" and "21" are shortest; from 0 to 4 "22" is, but the path `late`,
--- of the states with the most steps the least, finds "121".
local stairs = [[
local game = crux.game "stairs"
function game.parse(text) return { last = #text - 1 } end
game.search = {
  moves = { "1", "2" },
  state = function(level) return { at = crux.integer(0, level.last + 2) } end,
  start = function() return { at = 0 } end,
  step = function(state, move, level)
    state.at = state.at + (move == "1" and 1 or 2)
    return crux.eq(state.at, level.last), { beyond = crux.gt(state.at, level.last), far = crux.gt(state.at, level.last + 9) }
  end,
}
game.paths = { late = { priority = function(state, length) return { -length, state.at } end },
  longer = { level = function(level) return { last = level.last + 1 } end, priority = function(_, length) return { length } end } }
game.measure { "moves", kind = "dynamic", doc = "moves", function(_, solution) return solution.length end }
game.measure { "ones", kind = "solution", doc = "steps of one",
  each = function(_, state, before) return before and state.at - before.at == 1 and 1 or 0 end }
game.measure { "heights", kind = "solution", doc = "mean height of the ends of steps, and twice that",
  each = function(_, state) return state.at end, function(_, solution, _, sum) return 2 * sum / solution.length end }
game.measure { "first", kind = "solution", doc = "the first step", function(_, solution) return tonumber(solution.moves[1]) end }
]]

function Game.test_paths()
  long.leave_out()
  local path = shell.file("stairs.lua", stairs .. "return game\n")
  local levels = shell.file("stairs.txt", "; three\nxxx\n\n; four\nxxxx\n")
  local function run(line) return shell.crux(("%s %s"):format(line:gsub("STAIRS", path), levels)) end
  for line, out in pairs {
    ["measure STAIRS"] = "three,2,1,4,1\nfour,2,0,6,2\n",
    ["measure STAIRS --path shortest"] = "three,2,1,4,1\nfour,2,0,6,2\n",
    ["measure STAIRS --path mean"] = "three,2,1,4.5,1.5\nfour,2,0,6,2\n",
    ["measure STAIRS --path late"] = "three,2,1,4,1\nfour,3,2,5.333333333333333,1\n",
    ["measure STAIRS --path longer"] = "three,2,0,6,2\nfour,3,1,6,1\n",
  } do
    luaunit.assertEquals({ run(line).out, run(line).err }, { "level,moves,ones,heights,first\n" .. out, "" }, line)
  end
  luaunit.assertEquals(run("solve STAIRS --path late --format csv").out,
    "level,solved,length,solution,solutions,expanded,generated\nthree,true,2,12,,2,4\nfour,true,3,121,,3,6\n")
  for line, message in pairs {
    ["solve STAIRS --path mean"] = "found --path mean, expected the name of one solution\n",
    ["measure STAIRS --path lat"] = "game 'stairs': found the unknown path 'lat'; did you mean 'late'?\n",
    ["measure STAIRS --path late --trace three"] = "--path is for measures, not for --trace\n",
    ["measure flow --path mean"] = "game 'flow': found the unknown path 'mean'; there are: shortest\n",
    ["measure STAIRS --path late --states 2"] = levels .. ":2: level 'three': not solved: the limit on states was met\n"
      .. levels .. ":5: level 'four': not solved: the limit on states was met\n",
  } do
    local said = run(line).err
    luaunit.assertEquals(said:sub(-#message), message, line)
  end
end

--- A rule names the path that its measures are of; --path takes another one.
function Game.test_paths_of_rules()
  local path, levels = shell.file("stairs.lua", stairs .. "return game\n"), shell.file("four.txt", "xxxx\n")
  local rule = shell.file("ones.lua", ('return crux.rule { game = %q, path = "late", formula = "y ~ ones", coefficients = '
    .. '{ ["(intercept)"] = 1, ones = 10 } }\n'):format(path))
  for option, rating in pairs { [""] = 21, ["--path shortest"] = 1, ["--path mean"] = 1 } do
    luaunit.assertEquals(shell.crux(("rate %s %s %s"):format(rule, option, levels)).out, "level,rating\nfour," .. rating .. "\n")
  end
  local new = shell.path "new.lua"
  shell.crux(("fit %s %s -o %s"):format(rule, shell.file("ones.csv", "ones,y\n1,1\n2,4\n3,6\n"), new))
  luaunit.assertStrContains(shell.read(new), ('  game = %q,\n  path = "late",\n'):format(path))
  shell.file("ones.lua", ('return crux.rule {\n  game = %q,\n  path = "lat",\n  formula = "y ~ ones" }\n'):format(path))
  luaunit.assertEquals(shell.crux("check " .. rule).err,
    rule .. ":3: game 'stairs': found the unknown path 'lat'; did you mean 'late'?\n1 error\n")
end

function Game.test_wrong_paths()
  local levels = shell.file("three.txt", "xxx\n")
  for changes, message in pairs {
    ["game.paths.mean = game.paths.late"] = "path 'mean': found something else, expected another name, as every search has this path",
    ["game.paths.late = { priority = 3 }"] =
      "path 'late': found something else, expected { priority = function(state, length, level) ... end }, and if need be a function level",
    ["game.search, game.solve = nil, function() end"] = " without search: found something else, expected game.search, whose moves it takes",
    ["game.paths.late.level = function() end"] = "path 'late': level: found nil, expected a table that describes the level",
    ["game.paths.late.priority = function() return 3 end"] = ":20: priority: found 3, expected a list of numbers",
    ["game.paths.late.priority = function() return { 'x' } end"] = ":20: priority: found 'x', expected a number",
    ["game.measure { 'm', kind = 'solution', doc = 'x', each = function() end }"] = "measure 'm': each: found nil, expected a number",
    ["game.search.step = function(state) return false, { far = 1 } end"] =
      ":20: step with move '1': second result (lost): found 1, expected true or false",
  } do
    local path = shell.file("wrong.lua", stairs .. changes .. "\nreturn game\n")
    luaunit.assertStrContains(shell.crux(("measure %s --path late %s"):format(path, levels)).err, message)
  end
end

--- A script that cannot be traced is searched in Lua, which is said once; --trace-report says what searches took.
function Game.test_what_runs_a_search()
  local text = [[
local game = crux.game "count"
function game.parse(text) return { last = #text } end
game.search = {
  moves = { "on" },
  state = function() return { at = crux.integer(0, 99) } end,
  start = function() return { at = 0 } end,
  step = function(state, _, level) state.at = state.at + 1; return %s end,
}
game.measure { "moves", kind = "dynamic", doc = "moves", function(_, solution) return solution.length + solution.expanded end }
return game
]]
  local levels = shell.file("count.txt", "xx\n\nxx\n\nxxxx\n")
  local path = shell.file("count.lua", text:format "state.at >= level.last")
  local result = shell.crux(("measure %s %s --jobs 1"):format(path, levels))
  luaunit.assertEquals(result.out, "level,moves\ncount:1,6\ncount:2,6\ncount:3,10\n")
  luaunit.assertEquals(result.err, "")
  shell.file("count.lua", text:format "tostring(state.at * 3) == tostring(level.last * 3)")
  result = shell.crux(("measure %s %s --jobs 1"):format(path, levels))
  luaunit.assertEquals(result.err, ("%s:1: level 'count:1': searched in Lua: %s:7: column 68: found a value from 3 to 300 "
    .. "where each value needs a path of its own, expected at most 256 values\n"):format(levels, path))
  shell.file("count.lua", text:format "state.at >= level.last")
  result = shell.crux(("measure %s %s --jobs 1 --trace-report"):format(path, levels))
  luaunit.assertEquals(result.out, "level,moves\ncount:1,6\ncount:2,6\ncount:3,10\n")
  luaunit.assertStrMatches(result.err, "fields +levels +states +step +operations +lanes +bits +bytes +step s +set s +rest s +because\n"
    .. "at 0..99 +3 +11 +shared +4 +16 +7 [^\n]*\n")
  shell.file("count.lua", (text:gsub("#text", "crux.cells(#text, 1, { { 1, 1 } })"):format "state.at >= level.last:size() + #level.last:components() - 1"))
  result = shell.crux(("measure %s %s --jobs 1"):format(path, levels))
  luaunit.assertEquals(result.out, "level,moves\ncount:1,6\ncount:2,6\ncount:3,10\n")
  luaunit.assertEquals(result.err, ("%s:1: level 'count:1': a program for this level alone: %s:7: column 101: found "
    .. "'components' of a board of the state, expected boards as sets: any, has, count, shift, flood, &, |, - and ~\n"):format(levels, path))
end

--- Levels that differ in a number which step reads take a program each; the line that reads it is told once. As lookup reads it,
--- it is a parameter of one program.
function Game.test_levels_that_differ_in_numbers()
  local text = [[
local game = crux.game "home"
function game.parse(text) return { home = #text, homes = { 16 + #text } } end
function game.format(level) return ("x"):rep(level.home) end
game.search = {
  moves = { "on" },
  state = function() return { at = crux.integer(0, 99) } end,
  start = function() return { at = 0 } end,
  step = function(state, _, level) state.at = crux.min(state.at + 1, 99); return crux.eq(state.at, %s) end,
}
game.measure { "moves", kind = "dynamic", doc = "moves", function(_, solution) return solution.length end }
game.options = {}
function game.generate(random) return game.parse(("x"):rep(random:integer(1, 60))) end
function game.vary(_, random) return game.generate(random) end
return game
]]
  local levels, expected = {}, { "level,moves" }
  for i = 1, 12 do levels[i], expected[i + 1] = ("x"):rep(i + 1), ("home:%d,%d"):format(i, i + 18) end
  local file = shell.file("home.txt", table.concat(levels, "\n\n") .. "\n")
  local path = shell.file("home.lua", text:format "level.home + 16")
  local message = path .. ":8: column 105: found levels that differ in 'home', expected only boards and tables for lookup to differ\n"
  local result = shell.crux(("measure %s %s --jobs 1"):format(path, file))
  luaunit.assertEquals(result.out, table.concat(expected, "\n") .. "\n")
  luaunit.assertEquals(result.err, ("%s:17: level 'home:9': a program for this level alone: %s"):format(file, message))
  result = shell.crux(("generate %s --histogram --count 20 --jobs 1"):format(path))
  luaunit.assertStrMatches(result.err, "level 'home%-1%-%d+': a program for this level alone: [^\n]*\n")
  luaunit.assertStrContains(result.err, message)
  local rule = shell.file("rule.lua", ("return crux.rule { game = %q, predicts = 'd', formula = 'd ~ moves', "):format(path)
    .. "coefficients = { ['(intercept)'] = 0, moves = 1 } }")
  result = shell.crux(("generate %s --rule %s --curve 20..60 --count 6 --jobs 1"):format(path, rule))
  luaunit.assertEquals(result.err, "a level that was tried: a program for this level alone: " .. message)
  shell.file("home.lua", text:format "crux.lookup(level.homes, 1)")
  result = shell.crux(("measure %s %s --jobs 1 --trace-report"):format(path, file))
  luaunit.assertEquals(result.out, table.concat(expected, "\n") .. "\n")
  luaunit.assertStrMatches(result.err, "fields[^\n]*\nat 0..99 +12 +%d+ +shared [^\n]*\n")
end

-- One step may read many tables of a level.
function Game.test_many_tables()
  local text = [[
local game = crux.game "rows"
function game.parse(text)
  local rows = {}
  for i = 1, 500 do rows[i] = { by = { #text } } end
  return { rows = rows }
end
game.search = {
  moves = { "on" },
  state = function() return { at = crux.integer(0, 9999) } end,
  start = function() return { at = 0 } end,
  step = function(state, _, level)
    for i = 1, #level.rows do state.at = crux.min(state.at + crux.lookup(level.rows[i].by, 1), 9999) end
    return crux.ge(state.at, 1000)
  end,
}
game.measure { "moves", kind = "dynamic", doc = "moves", function(_, solution) return solution.length end }
return game
]]
  local levels, path = shell.file("rows.txt", "xx\n\nxx\n\nxx\n"), shell.file("rows.lua", text)
  local result = shell.crux(("measure %s %s --jobs 1 --trace-report"):format(path, levels))
  luaunit.assertEquals(result.out, "level,moves\nrows:1,1\nrows:2,1\nrows:3,1\n")
  luaunit.assertStrMatches(result.err, "fields [^\n]*\n" .. "at 0..9999 +3 +3 +shared [^\n]*\n")
end

return { Game = Game }
