-- Tests of crux generate lazors: one solution, the options, given measures, and wishes that nothing can meet.
local game = require "crux.game"
local levels = require "crux.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local lazors = game.load "lazors"
local measures = lazors:choose { "size", "usable_tiles", "emitters", "receivers", "mirrors", "reflections", "intersections",
  "solutions" }

--- No two lasers and targets are at one point, and the grid does not give the solution away.
local function check_form(level, text)
  local seen = {}
  for _, list in ipairs { level.emitters, level.targets } do
    for _, item in ipairs(list) do
      local point = ("%d %d"):format(item[1], item[2])
      luaunit.assertNil(seen[point], text)
      seen[point] = true
    end
  end
  luaunit.assertStrMatches(level.tiles, "[ox%s]*")
end

--- Rows of measures by level.
local function rows_of(text)
  local rows = {}
  for _, entry in ipairs(levels.split(text, "made.bff", lazors.files)) do
    local level = lazors:level(entry)
    check_form(level, entry.text)
    rows[entry.name] = lazors:measure(level, measures, {})
  end
  return rows
end

local function generate(line) return shell.printed("generate lazors " .. line) end

local GenerateLazors = {}

function GenerateLazors.test_one_solution_and_the_options()
  for _, case in ipairs {
    { "", { size = { 9, 36 }, usable_tiles = { 8, 30 }, emitters = { 1, 2 }, receivers = { 1, 5 }, mirrors = { 2, 7 } } },
    { "--columns 4 --rows 3..4 --usable-tiles 10 --mirrors 3",
      { size = { 12, 16 }, usable_tiles = { 10, 10 }, emitters = { 1, 2 }, receivers = { 1, 5 }, mirrors = { 3, 3 } } },
    { "--columns 5 --rows 2 --usable-tiles 7..9 --emitters 3 --receivers 4 --mirrors 1..2",
      { size = { 10, 10 }, usable_tiles = { 7, 9 }, emitters = { 3, 3 }, receivers = { 4, 4 }, mirrors = { 1, 2 } } },
  } do
    local rows = rows_of(generate(case[1] .. " --count 5 --seed 2"))
    for i = 1, 5 do
      local row = rows["lazors-2-" .. i]
      for name, range in pairs(case[2]) do luaunit.assertTrue(row[name] >= range[1] and row[name] <= range[2], name) end
      luaunit.assertEquals(row.solutions, 1)
    end
  end
end

function GenerateLazors.test_a_seed_gives_the_same_levels()
  local text = generate "--count 4 --seed 8 --jobs 1"
  luaunit.assertEquals(generate "--count 4 --seed 8 --jobs 2", text)
  luaunit.assertNotEquals(generate "--count 4 --seed 9":gsub("lazors%-9", "lazors-8"), text)
  luaunit.assertEquals(generate "--count 2 --seed 8", text:match "^(.-\n)\n# name: lazors%-8%-3\n")
end

function GenerateLazors.test_like()
  for _, like in ipairs {
    { size = 9, usable_tiles = 9, emitters = 2, receivers = 2, mirrors = 3, reflections = 3, intersections = 2 },
    { size = 8, usable_tiles = 8, emitters = 1, receivers = 1, mirrors = 4, reflections = 0, intersections = 0 },
    { size = 20, usable_tiles = 20, emitters = 1, receivers = 3, mirrors = 4, reflections = 5, intersections = 0 },
  } do
    local wishes = {}
    for name, value in pairs(like) do table.insert(wishes, ("%s=%d"):format(name, value)) end
    table.sort(wishes)
    local rows = rows_of(generate(("--like %s --count 2"):format(table.concat(wishes, ","))))
    like.solutions = 1
    luaunit.assertEquals(rows, { ["lazors-1-1"] = like, ["lazors-1-2"] = like })
  end
  local row = rows_of(generate "--columns 4 --rows 4 --like reflections=4,intersections=1")["lazors-1-1"]
  luaunit.assertEquals({ row.size, row.reflections, row.intersections, row.solutions }, { 16, 4, 1, 1 })
end

function GenerateLazors.test_like_dataset()
  local folder = shell.path "like-lazors"
  shell.run("rm -rf " .. folder)
  local path = shell.file("like-lazors.csv", "level,size,usable_tiles,mirrors,reflections,difficulty\n"
    .. "small,9,9,2,2,1\nodd,37,20,2,2,2\nwide,14,10,,3,3\n")
  local result = shell.crux(("generate lazors --like-dataset %s -o %s/"):format(path, folder))
  luaunit.assertEquals({ result.status, result.out, result.err }, { 1, "",
    "level 'odd' was not made: no box of 37 tiles has sides of at most 32\n1 of 3 levels not made\n" })
  luaunit.assertFalse(shell.exists(folder .. "/odd.bff"))
  local small = rows_of(shell.read(folder .. "/small.bff")).small
  luaunit.assertEquals({ small.size, small.usable_tiles, small.mirrors, small.reflections, small.solutions }, { 9, 9, 2, 2, 1 })
  local wide = rows_of(shell.read(folder .. "/wide.bff")).wide
  luaunit.assertEquals({ wide.size, wide.usable_tiles, wide.reflections, wide.solutions }, { 14, 10, 3, 1 })
end

function GenerateLazors.test_what_cannot_be()
  for _, case in ipairs {
    { "--like size=24.5", "no box of 24.5 tiles has sides of at most 32" },
    { "--like size=0", "no box of 0 tiles has sides of at most 32" },
    { "--like size=25,usable_tiles=26", "found 26 usable tiles, expected 1 to 25" },
    { "--like size=25,usable_tiles=20,mirrors=21", "found 21 blocks, expected 0 to 20" },
    { "--columns 3 --rows 3 --usable-tiles 10", "found 10 usable tiles, expected 1 to 9" },
    { "--like emitters=0", "found 0 emitters, expected 1 to ", true },
    { "--columns 4 --rows 4 --usable-tiles 12 --like receivers=0 --attempts 50", "the generator made none" },
    { "--like mirrors=2,reflections=40 --attempts 50", "none of 50 attempts met the wishes; the nearest has reflections = ", true },
  } do
    local result = shell.crux("generate lazors " .. case[1])
    local line = "level 'lazors-1-1' was not made: " .. case[2]
    luaunit.assertEquals({ result.status, result.out }, { 1, "" })
    luaunit.assertEquals(case[3] and result.err:sub(1, #line) or result.err, line .. (case[3] and "" or "\n1 of 1 level not made\n"))
  end
end

return { GenerateLazors = GenerateLazors }
