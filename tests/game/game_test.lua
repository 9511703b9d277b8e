-- Tests of crux.game: what a game script may say, and what is told when it says something else.
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
  luaunit.assertEquals(result.err, ("%s:1: level 'count:1': searched in Lua: %s:7: found a value of the state, which differs from "
    .. "state to state: write crux.le(a, b) or crux.ge(a, b)\n"):format(levels, path))
  shell.file("count.lua", text:format "crux.ge(state.at, level.last)")
  result = shell.crux(("measure %s %s --jobs 1 --trace-report"):format(path, levels))
  luaunit.assertEquals(result.out, "level,moves\ncount:1,6\ncount:2,6\ncount:3,10\n")
  luaunit.assertStrMatches(result.err, "fields +levels +states +step +operations +lanes +bits +bytes +step s +set s +rest s +because\n"
    .. "at 0..99 +3 +11 +shared +4 +16 +7 [^\n]*\n")
end

return { Game = Game }
