-- Tests of crux generate flow: one solution, the options, given measures, and wishes that nothing can meet.
local game = require "crux.game"
local levels = require "crux.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local flow = game.load "flow"
local measures = flow:choose { "size", "colours", "distance", "corners", "solutions" }

--- Rows of measures by level, and the levels' solutions.
local function rows_of(text)
  local rows, solutions = {}, {}
  for _, entry in ipairs(levels.split(text, "made.txt", flow.files)) do
    rows[entry.name], solutions[entry.name] = flow:measure(flow:level(entry), measures, {})
  end
  return rows, solutions
end

local function generate(line) return shell.printed("generate flow " .. line) end

local GenerateFlow = {}

function GenerateFlow.test_one_solution_and_the_options()
  for _, case in ipairs { { "--side 5", 25, 25, 4, 5 }, { "--side 5..6 --colours 5", 25, 36, 5, 5 },
    { "--side 6 --colours 3..4", 36, 36, 3, 4 }, { "--side 7", 49, 49, 6, 7 } } do
    local rows, solutions = rows_of(generate(case[1] .. " --count 4 --seed 2"))
    for i = 1, 4 do
      local row = rows["flow-2-" .. i]
      luaunit.assertTrue(row.size >= case[2] and row.size <= case[3] and row.colours >= case[4] and row.colours <= case[5])
      luaunit.assertEquals(row.solutions, 1)
      for _, path in ipairs(solutions["flow-2-" .. i].paths) do luaunit.assertTrue(#path >= 3) end
    end
  end
end

function GenerateFlow.test_a_seed_gives_the_same_levels()
  luaunit.assertEquals(generate "--side 5 --colours 5 --seed 1", "; flow-1-1\nAB..C\n..C..\n..B..\n.DDEE\nA....\n")
  local text = generate "--side 6 --count 5 --seed 8 --jobs 1"
  luaunit.assertEquals(generate "--side 6 --count 5 --seed 8 --jobs 2", text)
  luaunit.assertNotEquals(generate "--side 6 --count 5 --seed 9":gsub("flow%-9", "flow-8"), text)
  luaunit.assertEquals(generate "--side 6 --count 2 --seed 8", text:match "^(.-\n)\n; flow%-8%-3\n")
end

function GenerateFlow.test_like()
  local rows = rows_of(generate "--like 'size=25,colours=5,distance=3.6,corners=7' --count 3")
  for i = 1, 3 do
    luaunit.assertEquals(rows["flow-1-" .. i], { size = 25, colours = 5, distance = 3.6, corners = 7, solutions = 1 })
  end
  local row = rows_of(generate "--side 6 --like corners=9,distance=3.7")["flow-1-1"]
  luaunit.assertEquals({ row.size, row.corners, row.solutions }, { 36, 9, 1 })
  luaunit.assertAlmostEquals(row.distance, 3.7, 0.05)
end

-- '5' is 5.000 because the column has numbers with three decimals.
function GenerateFlow.test_like_dataset()
  local folder = shell.path "like-flow"
  shell.run("rm -rf " .. folder)
  local path = shell.file("like-flow.csv", "level,size,colours,distance,corners,difficulty\nany,25,,,6,1\neven,25,5,3,7,2\n"
    .. "a/b,36,6,3.667,9,3\nfive,36,5,5,9,4\n")
  local result = shell.crux(("generate flow --like-dataset %s -o %s/"):format(path, folder))
  luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "", "level 'even' was not made: "
    .. "on 25 squares the distances of 5 colours add up to an even number, at most 20\n1 of 4 levels not made\n" })
  luaunit.assertFalse(shell.exists(folder .. "/even.txt"))
  local any = rows_of(shell.read(folder .. "/any.txt")).any
  luaunit.assertEquals({ any.size, any.corners, any.solutions }, { 25, 6, 1 })
  luaunit.assertEquals(rows_of(shell.read(folder .. "/five.txt")).five,
    { size = 36, colours = 5, distance = 5, corners = 9, solutions = 1 })
  luaunit.assertEquals(rows_of(shell.read(folder .. "/a_b.txt"))["a/b"],
    { size = 36, colours = 6, distance = 22 / 6, corners = 9, solutions = 1 })
end

function GenerateFlow.test_what_cannot_be()
  for _, case in ipairs {
    { "--like size=26", "a size of 26 is no square" },
    { "--like size=25,colours=5,distance=3.61", "on 25 squares the distances of 5 colours add up to an even number, at most 20" },
    { "--like size=36,colours=5,distance=30", "on 36 squares the distances of 5 colours add up to an odd number, at most 31" },
    { "--like size=25,colours=20", "20 paths of at least 3 cells do not fit on 5 x 5" },
    { "--side 5 --colours 9", "9 paths of at least 3 cells do not fit on 5 x 5" },
    { "--side 14 --colours 63", "63 colours are more than there are letters" },
    { "--side 4 --colours 2 --like corners=40 --attempts 50", "none of 50 attempts met the wishes; the nearest has corners = ", true },
    { "--like colours=4.5 --side 5 --attempts 50", "none of 50 attempts met the wishes; the nearest has colours = ", true },
  } do
    local result = shell.crux("generate flow " .. case[1])
    local line = "level 'flow-1-1' was not made: " .. case[2]
    luaunit.assertEquals({ result.status, result.out }, { 1, "" })
    luaunit.assertEquals(case[3] and result.err:sub(1, #line) or result.err, line .. (case[3] and "" or "\n1 of 1 level not made\n"))
  end
  local result = shell.crux "generate flow --side 5.5"
  luaunit.assertEquals(result.status, 2)
  luaunit.assertStrContains(result.err, "\n--side: found '5.5', expected an integer or LEAST..GREATEST\n")
end

return { GenerateFlow = GenerateFlow }
