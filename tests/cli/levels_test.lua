-- End-to-end tests of measure, solve, generate and rate on level files.
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"

local crux = shell.crux

local folder = shell.folder

local function check(line, out, err, status)
  local result = crux(line)
  luaunit.assertEquals({ result.out, result.err, result.status }, { out, err or "", status or 0 }, line)
end

--- Counted by hand: a level with one solution, one with two (three rows or three columns one after the other), and one
--- that parity forbids.
local flow = { ["2.txt"] = "; two\nAB\n..\nAB\n", ["10.txt"] = "A..\n...\n..A\n\nA.\n.A\n" }

local Measure = {}

function Measure.test_flow()
  local path = folder("flow-files", flow)
  check("measure flow " .. path, "level,size,colours,distance,corners\ntwo,6,2,2,0\n10:1,9,1,4,4\n10:2,4,1,2,\n",
    path .. "/10.txt:5: level '10:2': no solution exists\n")
  check(("measure flow %s --measures solutions,size --format json"):format(path .. "/2.txt"),
    '[\n  {"level": "two", "solutions": 1, "size": 6}\n]\n')
end

function Measure.test_standard_input_and_list()
  local result = shell.run(("printf 'a . A\\n' | %s measure move - | tail -n 1"):format(shell.quote(shell.program)))
  luaunit.assertEquals(result.out, "<stdin>,3,1,1,0,2,0\n")
  local listed = crux "measure lazors --list --format csv".out
  luaunit.assertStrContains(listed, "courses,initial,yes,")
  luaunit.assertStrContains(listed, "size,initial,,")
end

--- What is wrong with one level does not keep the others from being measured; the order of what is said is the same for
--- any number of jobs.
function Measure.test_bad_levels_among_good_ones()
  local path = folder("mixed", { ["1.txt"] = "AB\n..\nAB\n", ["2.txt"] = "A.\n..\n", ["3.txt"] = "A.A\n..\n", ["4.txt"] = "A.A\n.A.\n",
    ["5.txt"] = "", ["6.txt"] = "A?A\n", ["7.txt"] = ("."):rep(10000) .. "\n", ["8.txt"] = "\1\2\255\n", ["9.txt"] = "A.\n.\0\n",
    ["10.txt"] = "..\n..\n" })
  for _, jobs in ipairs { 1, 2, 5 } do
    local result = crux(("measure flow %s --jobs %d"):format(path, jobs))
    luaunit.assertEquals(result.out, "level,size,colours,distance,corners\n1,6,2,2,0\n")
    luaunit.assertEquals(result.status, 1)
    luaunit.assertEquals((result.err:gsub(path:gsub("%p", "%%%0") .. "/", "")), table.concat {
      "2.txt:1: column 1: found 'A' once, expected it exactly twice\n",
      "3.txt:2: found 2 columns, expected 3 as in line 1\n",
      "4.txt:2: column 2: found 'A' a third time, expected it exactly twice\n",
      "5.txt:1: found an empty file, expected at least one level\n",
      "6.txt:1: column 2: found '?', expected a letter, a digit or '.'\n",
      "7.txt:1: found more than 64 columns, expected at most 64\n",
      "8.txt:1: column 1: found '\\x01', expected a letter, a digit or '.'\n",
      "9.txt:2: found a NUL byte, expected text\n",
      "10.txt:1: found no endpoints, expected some\n",
      "9 of 10 levels failed\n",
    })
  end
end

function Measure.test_limits()
  local path = folder("limit-files", { ["1.txt"] = "a . . . .\n. . # . .\n. . . . A\n" })
  check(("measure move %s --states 3"):format(path), "level,size,balls,colours,rocks,moves,counterintuitive\n1,15,1,1,1,,\n",
    path .. "/1.txt:1: level '1': not solved: the limit on states was met\n")
end

function Measure.test_usage()
  luaunit.assertEquals(crux "measure flow".status, 2)
  check("measure flw x", "", "found the unknown game 'flw'; did you mean 'flow'?\n", 1)
  local levels = folder("levels-alone", { ["levels.txt"] = "; one\nAB\n..\nAB\n" }) .. "/levels.txt"
  check("measure " .. levels, "", levels .. ": found a text without the sections of PuzzleScript, "
    .. "expected a game; it comes first, then the levels\n", 1)
  check("measure flow x.txt --measures sise", "", "game 'flow': found the unknown measure 'sise'; did you mean 'size'?\n", 1)
  check("measure flow none.txt", "level,size,colours,distance,corners\n",
    "none.txt: No such file or directory\n1 of 1 level failed\n", 1)
end

local Solve = {}

function Solve.test_drawings()
  local path = folder("flow-files", flow)
  local out = crux("solve flow --all " .. path .. "/2.txt").out
  luaunit.assertEquals(out, "two\nA B\n│ │\nA B\n1 solution\n")
  out = crux("solve lazors " .. shell.file("one.bff", "GRID START\no o o\no o x\nGRID STOP\nA 1\nL 1 0 1 1\nP 5 0\n")).out
  luaunit.assertEquals(out, "one\n  *       @\n  . \\ . / .\n      X\n  .   A\n")
end

--- The beam crosses D from its left to its right side, a line in the picture; the block is fixed or in hand.
function Solve.test_blocks_that_refract()
  local function solved(tiles, hand)
    local level = shell.file("d.bff", ("GRID START\no o o\n%sGRID STOP\n%s 1\nL 0 3 1 1\nP 4 5\nP 3 6\n"):format(tiles, hand))
    crux(("solve lazors %s -o %s"):format(level, shell.path "d.svg"))
    luaunit.assertStrContains(shell.read(shell.path "d.svg"), '"M13.6 61.6L45.6 61.6"') -- from (0, 3) to (2, 3) in half tiles
    return crux("solve lazors --all " .. level).out
  end
  local expected = "d\n\n  .   .   .\n\n* D \\ .   .\n      \\\n  .   . @ A\n      @\n1 solution\n"
  luaunit.assertEquals(solved("D o o\no o o\n", "A"), expected)
  luaunit.assertEquals(solved("o o o\no o A\n", "D"), expected)
end

function Solve.test_rows()
  local path = folder("move-files", { ["1.txt"] = "a . A\n", ["2.txt"] = "a # A\n", ["3.txt"] = ". . .\n. a .\n. . A\n" })
  local expected = "level,solved,length,solution,solutions,expanded,generated\n1,true,2,RR,1,2,8\n2,false,,,,1,4\n"
  local result = crux(("solve move --all %s --format csv"):format(path))
  luaunit.assertEquals(result.out:sub(1, #expected), expected)
  luaunit.assertStrContains(result.out, "\n3,true,2,DR,2,")
  local rows = json.decode(crux(("solve move %s --format json"):format(path)).out)
  luaunit.assertEquals({ rows[1].solved, rows[2].solved, rows[3].solution }, { true, false, "DR" })
end

local Check = {}

function Check.test_levels()
  local path = folder("check-files", { ["1.txt"] = "a . A\n", ["2.txt"] = "a # A\n", ["3.txt"] = "a .\n" })
  check("check --game move --format csv " .. path, "level,status,states,engine,heuristic\n1,solved,2,native,admissible\n"
    .. "2,unsolvable,1,native,admissible\n", path .. "/3.txt:1: column 1: found 1 of ball 'a' and 0 of its goal, expected a goal "
    .. "for every ball\n1 of 3 levels failed\n", 1)
  check(("check --game move --format csv --states 2 %s"):format(shell.file("wide.txt", "a . . . A\n")),
    "level,status,states,engine,heuristic\nwide,unknown,2,native,unknown\n")
  check(("check --game flow --format csv %s/2.txt"):format(folder("flow-files", flow)),
    "level,status,states,engine,heuristic\ntwo,solved,,,\n")
  luaunit.assertEquals(crux("check " .. path).status, 2)
end

--- A walk to the right with lines of its own in step.
local function walk(line)
  return shell.file("walk.lua", ([[
local game = crux.game "walk"
function game.parse(text) return { size = #text - 1 } end
function game.format(level) return ("."):rep(level.size) end
local memory = 0
game.search = {
  moves = { "R", "L" },
  state = function(level) return { at = crux.integer(0, level.size) } end,
  start = function() return { at = 0 } end,
  step = function(state, move, level)
    state.at = crux.max(0, crux.min(level.size, state.at + (move == "R" and 1 or -1)))
    %s
    return crux.eq(state.at, level.size)
  end,
}
return game
]]):format(line))
end

--- A condition on a value of the state; and a step that counts its own calls, which only Lua can do.
function Check.test_scripts_in_plain_lua_and_one_that_remembers()
  local level = shell.file("dots.txt", ("."):rep(400) .. "\n")
  local script = walk "if state.at == 3 then state.at = 4 end"
  check(("check --game %s %s --format csv"):format(script, level), "level,status,states,engine,heuristic\n"
    .. "dots,solved,399,native,\n")
  script = walk "memory = memory + 1; if memory > 700 and memory % 7 == 0 then state.at = 0 end"
  local result = crux(("check --game %s %s"):format(script, level))
  luaunit.assertEquals({ result.out, result.status }, { "level  status  states  engine  heuristic\n", 1 })
  luaunit.assertStrContains(result.err, level .. ":1: " .. script .. ":9: step does something else when it is compiled: ")
end

local Rate = {}

--- From level files the same ratings as from the dataset of their measures.
function Rate.test_levels()
  local path = folder("flow-files", flow)
  crux(("measure flow %s -o %s"):format(path, shell.path "measured.csv"))
  local expected = crux("rate flow " .. shell.path "measured.csv").out
  luaunit.assertEquals(crux("rate flow " .. path).out, expected)
  luaunit.assertEquals(crux(("rate flow %s/2.txt %s/10.txt"):format(path, path)).out, expected)
  luaunit.assertStrContains(crux("rate flow --append " .. path).out, "level,size,colours,distance,corners,rating\n")
end

return { MeasureCommand = Measure, SolveCommand = Solve, CheckCommand = Check, RateLevels = Rate }
