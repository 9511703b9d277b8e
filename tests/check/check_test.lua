--- lua/crux/check/ and the command line of crux check: what is said of datasets, levels and scripts beside each other.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Check = {}

--- Expects what is said of files, in a folder that holds them.
local function expect(files, line, said, status)
  local folder = shell.folder("checked", files)
  local result = shell.crux("check " .. line, { folder = folder })
  luaunit.assertEquals(result.err, said, line)
  luaunit.assertEquals(result.status, status or 0, line)
  return result.out
end

--- What is said of a dataset d.csv.
local datasets = {
  { "level,a,b\n1,1,5\n2,2,5\n3,4,5\n4,3,5\n", "1: warning: column 'b': it is 5 in every row; no fit can use it" },
  { "level,a,b\n1,1,3\n2,2,5\n3,4,9\n4,3,7\n5,8,17\n",
    "1: warning: column 'b': it is a combination of 'a' in every row; no fit can tell them apart" },
  { "level,a,b,c\n1,1,3,4\n2,2,1,3\n3,4,9,13\n4,3,0,3\n5,8,1,9\n",
    "1: warning: column 'c': it is a combination of 'a' and 'b' in every row; no fit can tell them apart" },
  { "level,a\n1,1\n2,\n3,\n4,\n", "1: warning: column 'a': only 1 of 4 rows have a value" },
  { "level,a\n1,NA\n2,\n", "1: warning: column 'a': no value in any row" },
  { "level,a\nA\xDFe,4\nb,2\nStra\xDFe,7\n", "2: warning: column 'level': found 'A\\xdfe', expected UTF-8; Excel saves it as CSV UTF-8" },
  { "level,a\n1,4\n2,\n3,7\n4,NA\n5,6\n", "3: warning: column 'a': a missing value, the first of 2; commands leave out such rows" },
  { "level;a\n1;4\n", "1: the header is the single column 'level;a'; is --delimiter ';' meant?" },
  { "level,a\n1,4\n1,4\n2,5\n", "3: found the row of line 2 again, expected each level once" },
  { "player,level,rating\nann,1,2\nbob,1,4\nann,1,3\n", "4: column 'level': found '1' again, as on line 2, expected each level once" },
  { "player,level,attempt,time\nann,1,1,2\nann,1,2,4\nann,1,1,3\n",
    "4: column 'level': found '1' again, as on line 2, expected each level once" },
  { 'level,a\n1,"3,5"\n2,"4,25"\n3,"1,5"\n4,"7,5"\n',
    "2: column 'a': found '3,5', expected a number; write 3.5\nd.csv:3: column 'a': found '4,25', expected a number; write 4.25\n"
    .. "d.csv:4: column 'a': found '1,5', expected a number; write 1.5\nd.csv:5: column 'a': 1 more that are no numbers" },
  { "level,time\n1,80%\n2,70\n3,60\n", "2: column 'time': found '80%', expected a number; write 80: the unit '%' belongs into "
    .. "the column's name" },
  { "level,a\n1,1,2\n", "2: found 3 fields, expected 2 as in the header" },
}

function Check.test_datasets()
  long.leave_out()
  for _, case in ipairs(long.some(12, datasets)) do
    local errors = 0
    for line in ("d.csv:" .. case[2]):gmatch "[^\n]+" do errors = errors + (line:find ": warning: " and 0 or 1) end
    local count = errors > 0 and ("%d error%s\n"):format(errors, errors > 1 and "s" or "") or ""
    expect({ ["d.csv"] = case[1] }, "d.csv", ("d.csv:%s\n%s"):format(case[2], count), errors > 0 and 1 or 0)
  end
end

function Check.test_text_columns_and_several_datasets_are_silent()
  expect({ ["d.csv"] = "study,level,fold,a\nx,1,1,3\ny,1,all,4\nx,2,all,6\ny,2,2,7\n" }, "d.csv", "")
end

function Check.test_strict()
  expect({ ["d.csv"] = "level,a\n1,5\n2,5\n" }, "--strict d.csv",
    "d.csv:1: warning: column 'a': it is 5 in every row; no fit can use it\n0 errors, 1 warning\n", 1)
end

--- Levels that come twice or have no solution; the game is found by trying.
function Check.test_levels()
  local levels = "; one\na . A\n\n; two\na # A\n\n; three\na . A\n\n; two\nA . a\n"
  local out = expect({ ["l.txt"] = levels }, "l.txt", "l.txt:5: warning: level 'two': no solution exists\n"
    .. "l.txt:8: warning: level 'three' is the same as that of l.txt:2\n"
    .. "l.txt:11: warning: level 'two' has the name of that of l.txt:5\n")
  luaunit.assertEquals(out, "file   kind    errors  warnings  holds\nl.txt  levels       0         3  4 levels of 'move'\n")
  expect({ ["l.txt"] = "?\n\na b\n\na A\n" }, "--game move l.txt d.csv",
    "l.txt:1: column 1: found '?', expected '.', '#', a ball such as 'a', a goal such as 'A', or both\n"
    .. "l.txt:3: column 1: found 1 of ball 'a' and 0 of its goal, expected a goal for every ball\n"
    .. "d.csv:1: cannot be opened: No such file or directory\n3 errors\n", 1)
end

--- A game without a level that can be read, and the name of a game in place of a file.
function Check.test_no_level()
  local game = "local grid = crux.grid\nreturn grid { name = 'walk', tiles = { { '.' }, { '@', 'man' } }, check = { man = 1 },\n"
    .. "  moves = { 'L' }, state = { 'man' }, step = function(now, move) now.man = now.man:shift(move) end,\n"
    .. "  won = function(now) return now.man:none() end%s }"
  local files = { ["walk.lua"] = game:format "", ["l.txt"] = "..\n" }
  local out = expect(files, "walk.lua l.txt", "l.txt:1: found no man, expected '@'\n1 error\n", 1)
  luaunit.assertStrContains(out, "walk.lua  game         0         0  0 measures; no level beside it can be read\n")
  luaunit.assertStrContains(expect(files, "walk.lua", ""), "0 measures; no level to try it on: give some beside it\n")
  files["walk.lua"] = game:format ",\n  generate = { options = {}, level = function() return nil, 'no idea' end }"
  luaunit.assertStrContains(expect(files, "walk.lua", "walk.lua:5: generate: found no level in 3 tries (no idea), expected one\n1 error\n", 1),
    "0 measures; no level could be tried\n")
  expect(files, "move l.txt", "move: No such file or directory; --game move names crux's own game\n", 1)
end

--- Everything beside each other: the rule's game reads the levels, and the game's measures must be numbers in the dataset.
function Check.test_files_beside_each_other()
  local out = expect({ ["d.csv"] = "level,size,difficulty\n1,25,x\n2,49,3\n3,36,4\n",
    ["r.lua"] = "return crux.rule { game = 'flow', formula = 'difficulty ~ size', scale = { 1, 5 } }", ["l.txt"] = "AB\n..\nAB\n" },
    "r.lua d.csv l.txt", "d.csv:2: column 'difficulty': found 'x', expected a number\n1 error\n", 1)
  luaunit.assertEquals(out, "file   kind     errors  warnings  holds\n"
    .. "r.lua  rule          0         0  a formula to fit for the game 'flow'\n"
    .. "d.csv  dataset       1         0  3 rows, 3 columns\nl.txt  levels        0         0  1 level of 'flow'\n")
end

--- In a folder, a rule goes with the datasets that have the column that it predicts: the other has none of its measures.
function Check.test_folder()
  expect({ ["r.lua"] = "return crux.rule { formula = 'difficulty ~ size' }", ["a.csv"] = "level,size,difficulty\n1,25,x\n2,49,3\n3,36,4\n",
    ["b.csv"] = "level,rating\n1,2\n2,3\n" }, ".", "./a.csv:2: column 'difficulty': found 'x', expected a number\n1 error\n", 1)
end

function Check.test_a_measure_that_keeps_state()
  local script = [[
local game = crux.game "count"
local calls = 0
function game.parse(text) return { text = text } end
function game.solve() return { status = "solved" } end
game.measure { "calls", kind = "initial", doc = "calls so far", function()
  calls = calls + 1
  return calls
end }
return game
]]
  expect({ ["g.lua"] = script, ["l.txt"] = "x\n" }, "g.lua l.txt",
    "g.lua:5: measure 'calls': found 1 of level 'l', then 2, expected the same number each time\n1 error\n", 1)
end

--- A game of functions without format and draw is drawn as in its file; pick is called for every square.
function Check.test_a_game_without_format()
  local script = [[
local game = crux.game "river"
function game.parse(text) return { width = 2, height = #text // 3 } end
game.search = { moves = { "go", "back" }, state = function() return { at = crux.integer(0, 20) } end,
  start = function() return { at = 0 } end, step = function(state, move)
    state.at = crux.max(state.at + crux.where(move == "go", 1, -1), 0)
    return crux.eq(state.at, 3)
  end }
game.measure { "rows", kind = "initial", doc = "Rows.", function(level) return level.height end }
]]
  local picks = "function game.pick(level, state, x, y) return x == 2 and y == 2 and state.at.x or 'go' end\n"
  expect({ ["g.lua"] = script .. "return game\n", ["l.txt"] = "ab\ncd\n" }, "g.lua l.txt", "")
  luaunit.assertEquals(shell.printed("solve g.lua l.txt", { folder = shell.path "checked" }), "l\nab\ncd\n3 moves: gogogo\n")
  expect({ ["g.lua"] = script .. picks .. "return game\n", ["l.txt"] = "ab\ncd\n" }, "g.lua l.txt",
    "g.lua:9: attempt to index a number value (field 'at')\n1 error\n", 1)
end

--- More moves than there are keys are a warning, and the levels are looked at.
function Check.test_more_moves_than_keys()
  long.leave_out()
  local script = [[
local game, moves, steps = crux.game "many", {}, {}
for i = 1, 80 do moves[i], steps["m" .. i] = "m" .. i, i end
function game.parse() return {} end
function game.draw() return "x\n" end
game.search = { moves = moves, state = function() return { at = crux.integer(0, 1000000) } end,
  start = function() return { at = 0 } end, step = function(state, move)
    state.at = crux.min(state.at + steps[move], 1000000)
    return crux.ge(state.at, 900000)
  end }
return game
]]
  local out = expect({ ["g.lua"] = script, ["l.txt"] = "x\n" }, "g.lua l.txt --states 1000", "g.lua:5: warning: search.moves: no key "
    .. "is left for 'm11': players choose from a list, unless the game has keys or pick\n")
  luaunit.assertStrContains(out, "l.txt  levels       0         0  1 level of 'many', 1 not solved within the limits: 'l'\n")
  luaunit.assertStrContains(shell.run(("cd %s && %s check g.lua l.txt --states 1000"):format(shell.path "checked", shell.quote(shell.program))).out,
    "g.lua  game         0         1  ")
end

--- A script that a limit stopped is told once, in its row, and the next script runs.
function Check.test_limits()
  shell.folder("endless", { ["a.lua"] = "while true do end\n", ["b.lua"] = "local game = crux.game 'b'\nfunction game.parse() return {} end\n"
    .. "function game.solve() return {} end\nfunction game.format() return 'x' end\nfunction game.generate() while true do end end\nreturn game\n",
    ["c.lua"] = "return crux.rule { formula = 'y ~ x' }\n" })
  local result = shell.run(("cd %s && %s check --limit-instructions 1 a.lua b.lua c.lua"):format(shell.path "endless", shell.quote(shell.program)))
  luaunit.assertEquals({ result.status, result.err }, { 1, "a.lua:1: the script took more than 1 million instructions; --limit-instructions MILLIONS allows more\n"
    .. "b.lua:5: the script took more than 1 million instructions; --limit-instructions MILLIONS allows more\n2 errors\n" })
  luaunit.assertStrContains(result.out, "c.lua  rule         0         0  a formula to fit")
end

--- A fault of a measure names the level by its line, and the script, whose line is shown.
function Check.test_faults_of_later_levels()
  local script = [[
local game = crux.game "g"
function game.parse(text) return { size = #text } end
function game.solve() return { status = "solved" } end
game.measure { "size", kind = "initial", doc = "size", function(level) return level.size > 2 and "large" or level.size end }
return game
]]
  shell.folder("measured", { ["g.lua"] = script, ["l.txt"] = "x\n\nxx\n\n; third\nxx\n" })
  local result = shell.run(("cd %s && %s measure g.lua l.txt"):format(shell.path "measured", shell.quote(shell.program)))
  luaunit.assertEquals(result.err, "l.txt:3: g.lua: measure 'size': found 'large', expected a number or nil\n"
    .. "l.txt:6: g.lua: measure 'size': found 'large', expected a number or nil\n2 of 3 levels failed\n")
  luaunit.assertStrContains(result.context, "> 4 | game.measure { ")
end

return { Check = Check }
