-- Tests of crux generate, game by game: levels have what options and wishes ask for, seeds repeat, and what cannot be is said.
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- The levels of generated text: entries with `level` and `row`, the measures of those names.
local function made(self, text, names)
  local list = levels.split(text, "made", self.files)
  for _, entry in ipairs(list) do
    entry.level = self:level(entry)
    entry.row, entry.solution = self:measure(entry.level, self:choose(names), {})
  end
  return list
end

--- Measures have these values, or lie from the first to the second of two; what is not a measure is a function of the entry.
local function check_entry(self, entry, expected)
  for name, range in pairs(expected) do
    if type(range) == "function" then
      range(entry)
    else
      local least, most = range, range
      if type(range) == "table" then least, most = table.unpack(range) end
      local value = entry.row[name]
      luaunit.assertTrue(value ~= nil and value >= least and value <= most, ("%s: %s: %s"):format(self.name, name, value))
    end
  end
end

--- The measures among what is expected.
local function names_of(expected)
  local names = {}
  for name in pairs(expected) do
    if type(name) == "string" then table.insert(names, name) end
  end
  return names
end

--- Paths are not joined at sight.
local function has_long_paths(entry)
  for _, path in ipairs(entry.solution.paths) do luaunit.assertTrue(#path >= 3) end
end

--- No two lasers and targets are at one point, and the grid does not give the solution away.
local function hides_its_solution(entry)
  local seen = {}
  for _, list in ipairs { entry.level.emitters, entry.level.targets } do
    for _, item in ipairs(list) do
      local point = ("%d %d"):format(item[1], item[2])
      luaunit.assertNil(seen[point], entry.text)
      seen[point] = true
    end
  end
  luaunit.assertStrMatches(entry.level.tiles, "[ox%s]*")
end

local function has_planes(entry)
  local planes = entry.level
  luaunit.assertEquals({ #planes.wall, #planes.enemy, #planes.food }, { 3, 2, 1 })
  for _, kind in ipairs { "spike", "switch" } do luaunit.assertTrue(#planes[kind] == 1 or #planes[kind] == 2, kind) end
  luaunit.assertEquals({ planes.player:first(), planes.exit:first() }, { 1, 6, 5, 30 })
end

local none_met = "none of 10 changes met the wishes; the nearest has "

--- By game: `made`, options and what levels then have; `seed`, options of which a seed makes different levels; `failures`,
--- options and why they make none, exactly or (with `starts`) how that begins.
local games = {
  flow = {
    made = {
      { "--side 5 --count 4 --seed 2", { size = 25, colours = { 4, 5 }, solutions = 1, has_long_paths } },
      { "--side 5..6 --colours 5 --count 4 --seed 2", { size = { 25, 36 }, colours = 5, solutions = 1, has_long_paths } },
      { "--side 6 --colours 3..4 --count 4 --seed 2", { size = 36, colours = { 3, 4 }, solutions = 1, has_long_paths } },
      { "--side 7 --count 4 --seed 2", { size = 49, colours = { 6, 7 }, solutions = 1, has_long_paths } },
      { "--like 'size=25,colours=5,distance=3.6,corners=7' --count 3",
        { size = 25, colours = 5, distance = 3.6, corners = 7, solutions = 1 } },
      { "--side 6 --like corners=9,distance=3.7", { size = 36, corners = 9, distance = { 3.65, 3.75 }, solutions = 1 } },
    },
    seed = "--side 6",
    failures = {
      { "--like size=26", "a size of 26 is no square" },
      { "--like size=25,colours=5,distance=3.61", "on 25 squares the distances of 5 colours add up to an even number, at most 20" },
      { "--like size=36,colours=5,distance=30", "on 36 squares the distances of 5 colours add up to an odd number, at most 31" },
      { "--like size=25,colours=20", "20 paths of at least 3 cells do not fit on 5 x 5" },
      { "--side 5 --colours 9", "9 paths of at least 3 cells do not fit on 5 x 5" },
      { "--side 14 --colours 63", "63 colours are more than there are letters" },
      { "--side 4 --colours 2 --like corners=40", none_met .. "corners = ", starts = true },
      { "--like colours=4.5 --side 5", none_met .. "colours = ", starts = true },
    },
  },
  lazors = {
    made = {
      { "--count 5 --seed 2", { size = { 9, 36 }, usable_tiles = { 8, 30 }, emitters = { 1, 2 }, receivers = { 1, 5 },
        mirrors = { 2, 7 }, solutions = 1, hides_its_solution } },
      { "--columns 4 --rows 3..4 --usable-tiles 10 --mirrors 3 --count 5 --seed 2", { size = { 12, 16 }, usable_tiles = 10,
        emitters = { 1, 2 }, receivers = { 1, 5 }, mirrors = 3, solutions = 1, hides_its_solution } },
      { "--columns 5 --rows 2 --usable-tiles 7..9 --emitters 3 --receivers 4 --mirrors 1..2 --count 5 --seed 2", { size = 10,
        usable_tiles = { 7, 9 }, emitters = 3, receivers = 4, mirrors = { 1, 2 }, solutions = 1, hides_its_solution } },
      { "--count 2 --like size=9,usable_tiles=9,emitters=2,receivers=2,mirrors=3,reflections=3,intersections=2",
        { size = 9, usable_tiles = 9, emitters = 2, receivers = 2, mirrors = 3, reflections = 3, intersections = 2, solutions = 1 } },
      { "--count 2 --like size=8,usable_tiles=8,emitters=1,receivers=1,mirrors=4,reflections=0,intersections=0",
        { size = 8, usable_tiles = 8, emitters = 1, receivers = 1, mirrors = 4, reflections = 0, intersections = 0, solutions = 1 } },
      { "--count 2 --like size=20,usable_tiles=20,emitters=1,receivers=3,mirrors=4,reflections=5,intersections=0",
        { size = 20, usable_tiles = 20, emitters = 1, receivers = 3, mirrors = 4, reflections = 5, intersections = 0, solutions = 1 } },
      { "--columns 4 --rows 4 --like reflections=4,intersections=1", { size = 16, reflections = 4, intersections = 1, solutions = 1 } },
    },
    seed = "",
    failures = {
      { "--like size=24.5", "no box of 24.5 tiles has sides of at most 32" },
      { "--like size=0", "no box of 0 tiles has sides of at most 32" },
      { "--like size=25,usable_tiles=26", "found 26 usable tiles, expected 1 to 25" },
      { "--like size=25,usable_tiles=20,mirrors=21", "found 21 blocks, expected 0 to 20" },
      { "--columns 3 --rows 3 --usable-tiles 10", "found 10 usable tiles, expected 1 to 9" },
      { "--like emitters=0", "found 0 emitters, expected 1 to ", starts = true },
      { "--columns 4 --rows 4 --usable-tiles 12 --like receivers=0", "the generator made none" },
      { "--like mirrors=2,reflections=40", none_met .. "reflections = ", starts = true },
    },
  },
  move = {
    made = {
      { "--count 5 --side 4 --balls 3..4 --colours 2 --rocks 0", { size = 16, balls = { 3, 4 }, colours = 2, rocks = 0 } },
      { "--seed 3 --like size=16,balls=3,colours=2,rocks=4,moves=5,counterintuitive=1",
        { size = 16, balls = 3, colours = 2, rocks = 4, moves = 5, counterintuitive = 1 } },
    },
    seed = "--side 3",
    failures = {
      { "--like size=17", "a size of 17 is no square" },
      { "--like balls=2.5 --attempts 3", "none of 3 changes met the wishes; the nearest has balls = ", starts = true },
    },
  },
  sokoban = {
    made = {
      { "--like boxes=2,floor=15 --count 2", { boxes = 2, floor = 15 } },
      { "--like moves=25,boxes=3,box_changes=4,floor=20 --count 3", { boxes = 3, moves = 25, box_changes = 4, floor = 20 } },
    },
    seed = "",
    failures = {
      { "--width 2 --height 1 --attempts 30", "no room for the boxes" },
      { "--boxes 0 --attempts 30", "found no box, expected '$' or '*' or 'b' or 'B'" },
      { "--width 3 --height 3 --like moves=500", none_met .. "moves = ", starts = true },
    },
  },
  nurikabe = {
    made = { { "--width 5 --height 4 --largest 3 --count 3 --seed 2", { size = 20, unique = 1 } } },
    seed = "--width 4",
    failures = {},
  },
  sudoku = {
    made = {
      { "--hardest 4 --count 3", { unique = 1, hardest = 4 } },
      { "--hardest 60 --seed 2", { unique = 1, hardest = 60 } },
      { "--like hardest=40,givens=25", { unique = 1, hardest = 40, givens = 25 } },
    },
    seed = "--hardest 4",
    failures = { { "--hardest 50 --attempts 3", "no technique has the grade 50" } },
  },
  sprinkfield = {
    made = {
      { "--side 6 --rocks 5 --dry 4 --fertilised 3 --water 2 --scarecrows 1 --pigs 2 --seed 5",
        { size = 36, rocks = 5, dry_area = 4, fertilised = 3, pig_free_water = 2, scarecrows = 1, pigs = 2 } },
      { "--like size=25,solutions=1,solution_length=5,rocks=4,scarecrows=2,corner_scarecrows=1 --count 2",
        { size = 25, solutions = 1, solution_length = 5, rocks = 4, scarecrows = 2, corner_scarecrows = 1 } },
    },
    seed = "--side 5",
    failures = {
      { "--side 4 --rocks 20 --dry 0 --fertilised 0 --water 0 --scarecrows 0 --pigs 0", "20 objects are more than there are fields" },
      { "--like size=24", "a size of 24 is no square" },
    },
  },
  dungeongrams = {
    made = {
      { "--columns 6 --rows 5 --walls 3 --spikes 1..2 --enemies 2 --switches 1..2 --food 1 --count 6 --seed 3",
        { solvable = 1, has_planes } },
      { "--columns 6 --rows 5 --walls 4 --spikes 1 --switches 1..2 --enemies 2..3 --food 1 --seed 2 "
        .. "--like length=13,path_no_enemies=2,jaccard_nothing=0.4", { length = 13, path_no_enemies = 2, jaccard_nothing = { 0.35, 0.45 } } },
      { "--like density=0.1,leniency=0.02,food_density=0.01 --seed 2",
        { density = 21 / 209, leniency = 4 / 209, food_density = 2 / 209 } },
    },
    seed = "--columns 6 --rows 5 --walls 3 --spikes 1..2 --enemies 2",
    failures = {
      { "--rows 1 --columns 1", "1 x 1 is no size of a level" },
      { "--rows 65", "19 x 65 is no size of a level" },
      { "--rows 2 --columns 2 --walls 0 --spikes 0 --enemies 3", "2 x 2 tiles are too few" },
      { "--enemies 63", "found 63 enemies, expected 0 to 62" },
      { "--like density=0.0001", "no number of tiles of 19 x 11 is a share of 0.0001" },
    },
  },
}

local function generate(name, options) return shell.printed(("generate %s %s"):format(name, options)) end

local function check_made(name, cases)
  local self = game.load(name)
  for _, case in ipairs(long.some(1, cases)) do
    local options, expected = case[1], case[2]
    local list = made(self, generate(name, options), names_of(expected))
    luaunit.assertEquals(#list, tonumber(options:match "%-%-count (%d+)" or 1), options)
    for i, entry in ipairs(list) do
      luaunit.assertEquals(entry.name, ("%s-%s-%d"):format(name, options:match "%-%-seed (%d+)" or 1, i))
      check_entry(self, entry, expected)
    end
  end
end

--- A seed gives the same levels on any number of threads, the first of them when fewer are asked for, and another seed others.
local function check_seed(name, options)
  local text = generate(name, options .. " --count 4 --seed 8 --jobs 1")
  luaunit.assertEquals(generate(name, options .. " --count 4 --seed 8 --jobs 2"), text)
  luaunit.assertNotEquals(generate(name, options .. " --count 4 --seed 9"):gsub(name .. "%-9", name .. "-8"), text)
  local few = generate(name, options .. " --count 2 --seed 8")
  luaunit.assertEquals(text:sub(1, #few), few)
end

local function check_failures(name, cases)
  for _, case in ipairs(long.some(2, cases)) do
    local result = shell.crux(("generate %s --attempts 10 %s"):format(name, case[1]))
    local said = ("level '%s-1-1' was not made: %s"):format(name, case[2])
    luaunit.assertEquals({ result.status, result.out, result.err:sub(1, #said) }, { 1, "", said })
    luaunit.assertStrMatches(result.err:sub(#said + 1), (case.starts and "[^\n]+" or "") .. "\n1 of 1 level not made\n")
  end
end

local Generate = {}

for name, of in pairs(games) do
  Generate[("test_%s_has_what_is_asked_for"):format(name)] = function() check_made(name, of.made) end
  Generate[("test_%s_by_a_seed"):format(name)] = function()
    if name ~= "move" then long.only() end
    check_seed(name, of.seed)
  end
  Generate[("test_what_%s_cannot_be"):format(name)] = function() check_failures(name, of.failures) end
end

function Generate.test_the_same_on_every_machine()
  luaunit.assertEquals(generate("flow", "--side 5 --colours 5 --seed 1"), "; flow-1-1\nAB..C\n..C..\n..B..\n.DDEE\nA....\n")
end

function Generate.test_a_game_that_does_not_vary_levels()
  long.leave_out()
  local size = " --width 4 --height 4 --seed 2 "
  for _, entry in ipairs(made(game.load "akari", generate("akari", size .. "--like hardest=4 --count 2"), { "hardest" })) do
    luaunit.assertEquals(entry.row.hardest, 4)
  end
  local said = "level 'akari-2-1' was not made: none of 5 changes met the wishes; the nearest has size = "
  luaunit.assertStrContains(shell.crux("generate akari" .. size .. "--like size=20 --changes 5").err, said)
  local rule = shell.file("rule.lua", [[return crux.rule { name = "steps", game = "akari",
    formula = function(level) return level.steps end }]])
  local text = generate("akari", size .. ("--rule %s --rating 6 --count 2 --tries 500"):format(rule))
  for _, entry in ipairs(made(game.load "akari", text, { "steps" })) do luaunit.assertEquals(entry.row.steps, 6) end
end

--- Game; rows; what is said; and by file the measures of its level, false where there is none. In Flow '5' is 5.000 because
--- the column has numbers with three decimals.
function Generate.test_like_dataset()
  long.leave_out()
  for _, case in ipairs {
    { "flow", "level,size,colours,distance,corners,difficulty\nany,25,,,6,1\neven,25,5,3,7,2\na/b,36,6,3.667,9,3\nfive,36,5,5,9,4\n",
      "level 'even' was not made: on 25 squares the distances of 5 colours add up to an even number, at most 20\n"
        .. "1 of 4 levels not made\n",
      { ["any.txt"] = { size = 25, corners = 6, solutions = 1 }, ["even.txt"] = false,
        ["five.txt"] = { size = 36, colours = 5, distance = 5, corners = 9, solutions = 1 },
        ["a_b.txt"] = { size = 36, colours = 6, distance = 22 / 6, corners = 9, solutions = 1 } } },
    { "lazors", "level,size,usable_tiles,mirrors,reflections,difficulty\nsmall,9,9,2,2,1\nodd,37,20,2,2,2\nwide,14,10,,3,3\n",
      "level 'odd' was not made: no box of 37 tiles has sides of at most 32\n1 of 3 levels not made\n",
      { ["small.bff"] = { size = 9, usable_tiles = 9, mirrors = 2, reflections = 2, solutions = 1, hides_its_solution },
        ["odd.bff"] = false, ["wide.bff"] = { size = 14, usable_tiles = 10, reflections = 3, solutions = 1 } } },
    { "move", "level,size,balls,moves,time\neasy,9,3,3,1.5\nhard,9,,4,\n", "",
      { ["easy.txt"] = { size = 9, balls = 3, moves = 3 }, ["hard.txt"] = { size = 9, moves = 4 } } },
  } do
    local name, folder = case[1], shell.folder "like-dataset"
    local self = game.load(name)
    local result = shell.crux(("generate %s --like-dataset %s -o %s/"):format(name, shell.file("like.csv", case[2]), folder))
    luaunit.assertEquals({ result.status, result.out, result.err }, { case[3] == "" and 0 or 1, "", case[3] })
    for file, expected in pairs(case[4]) do
      luaunit.assertEquals(shell.exists(folder .. "/" .. file), expected ~= false, file)
      if expected then
        check_entry(self, made(self, shell.read(folder .. "/" .. file), names_of(expected))[1], expected)
      end
    end
  end
end

function Generate.test_wrong_options()
  for line, said in pairs {
    ["flow --side 5.5"] = "--side: found '5.5', expected an integer or LEAST..GREATEST\n",
    ["move --like siz=9"] = "--like: game 'move': found the unknown measure 'siz'; did you mean 'size'?\n",
    ["move --select 3..1"] = "--select: found '3..1', expected LEAST..GREATEST x COUNT in quotes, such as '3..10 x 10' or 'size=9..16 x 10'\n",
  } do
    local result = shell.crux("generate " .. line)
    luaunit.assertEquals({ result.status, result.err:sub(-#said) }, { line:find "siz=" and 1 or 2, said })
  end
end

--- The game is the first argument, wherever options stand.
function Generate.test_options_before_the_game()
  local text = generate("flow", "--side 3 --count 2")
  for _, line in ipairs { "--count 2 flow --side 3", "--side 3 --count=2 flow", "--debug --side=3 flow --count 2" } do
    luaunit.assertEquals(shell.printed("generate " .. line), text)
  end
end

--- The collector is as it was, for those that make levels beside other work.
function Generate.test_the_collector_is_left_alone()
  local before = collectgarbage("setpause", 140)
  package.loaded["crux.worker.make"] = nil
  local make = require "crux.run.worker.make" { game = "flow", options = { side = 3, colours = 0 }, seed = 1, changes = 1, measures = {},
    limits = {} }
  luaunit.assertNotNil(make({ { name = "one", stream = 0 } })[1].text)
  pcall(make, { false })
  luaunit.assertEquals(collectgarbage("setpause", before), 140)
end

--- Levels of one name get a file each; a name with a line break is refused where it stands.
function Generate.test_names_of_a_dataset()
  local data, folder = shell.file("names.csv", "level,size\nx,4\nx,4\na/b,4\na_b,4\n"), shell.path "names"
  shell.printed(("generate flow --like-dataset %s --side 2 -o %s/"):format(data, folder))
  luaunit.assertEquals(shell.output("ls " .. folder), "a_b-2.txt\na_b.txt\nx-2.txt\nx.txt\n")
  local broken = shell.file("names.csv", "level,size\n\"x\ny\",4\n")
  luaunit.assertEquals(shell.crux(("generate flow --like-dataset %s -o %s.txt"):format(broken, folder)).err,
    broken .. ":2: found the name 'x\\x0ay', expected one line of at most 1000 bytes without blanks around it\n")
end

function Generate.test_select_and_histogram()
  long.leave_out()
  local text, moves = generate("move", "--select '1..3 x 1' --side 3 --seed 5"), {}
  for i, entry in ipairs(made(game.load "move", text, { "moves" })) do moves[i] = entry.row.moves end
  luaunit.assertEquals(moves, { 1, 2, 3 })
  local total = 0
  local histogram = generate("move", "--histogram --count 10 --side 3 --format table")
  for count, share, bar in histogram:gmatch "\n *%d+ +(%d+) +([%d.]+) *(#*)" do
    luaunit.assertEquals({ tonumber(share), #bar > 0 }, { count / 10, count ~= "0" })
    total = total + count
  end
  luaunit.assertEquals(total, 10)
end

return { Generate = Generate }
