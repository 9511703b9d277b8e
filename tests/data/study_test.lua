-- Tests of lua/crux/data/study.lua: aggregating a small player study that was worked out by hand.
local dataset = require "crux.data.dataset"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"
local study = require "crux.data.study"
local tables = require "crux.out.tables"

local function aggregate(text, target, asked)
  asked = asked or {}
  asked.target = target or "difficulty"
  local result = study.aggregate(dataset.open(shell.file("study.csv", text)), asked)
  if type(result.rows) == "function" then result.rows = tables.rows(result.rows) end
  return result
end

--- The values of a row in the order of the columns, false for none and NaN.
local function values(result, i)
  return lists.map(result.columns, function(column)
    local value = result.rows[i][column]
    return value ~= nil and value == value and value
  end)
end

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

-- Ann's ratings run from 2 to 6, Cid's from 1 to 10; Bob rated 5 twice, as he skipped level 2.
local text = [[
player,level,rating,time,moves_used,skipped,size,luck,note
ann,10,6,30,4,0,25,1,nice
ann,1,2,10,,0,9,2,easy
ann,2,4,,3,no,16,3,ok
bob,1,5,20,2,,9,4,easy
bob,10,5,50,8,false,25,6,hard
bob,2,9,99,9,1,16,100,no
cid,1,1,30,4,0,9,NA,easy
cid,2,,40,5,0,16,5,ok
cid,10,10,NA,6,0,25,2,ok
cid,last,,,,Yes,4,7,gave up
]]

local Study = {}

--- "Only approximately 1.3 times as large on the average" for Flow, 1.1 for Lazors (Mutser 2014, sections 6.1 and 6.2): these are
--- the ratios of the means, 1.293 and 1.139; the ratios of the ranges of the published columns are 7.26 / 4.67 and 9 / 9.
function Study.test_ratios_of_the_published_ratings()
  for name, expected in pairs { flow = { "1.3", 7.26 / 4.67 }, lazors = { "1.1", 1 } } do
    local rows = {}
    for block in dataset.open(("datasets/%s.csv"):format(name)):blocks { numbers = { "difficulty", "scaled" } } do
      for i = 1, block.rows do
        table.insert(rows, { difficulty = block.numbers.difficulty[i], scaled = block.numbers.scaled[i] })
      end
    end
    local means, ranges = study.ratios(rows, "difficulty")
    luaunit.assertEquals(("%.1f"):format(means), expected[1])
    luaunit.assertAlmostEquals(ranges, expected[2], 1e-12)
  end
  luaunit.assertNil(study.ratios({ { difficulty = 3, scaled = 3 } }, "difficulty"))
  luaunit.assertNil(study.ratios({}, "difficulty"))
end

function Study.test_by_hand()
  for _, target in ipairs { "difficulty", "enjoyment" } do
    local result = aggregate(text, target)
    luaunit.assertEquals(result.columns, { "level", "size", "luck", "solved", "skipped", target, "scaled", "time",
      "moves_used" })
    luaunit.assertEquals(result.dropped, { "note" })
    for i, expected in ipairs {
      { "1", 9, 3, 3, 0, 8 / 3, 7 / 3, 20, 3 }, -- (2 + 5 + 1) / 3; scaled 1, 5, 1; luck of Ann and Bob
      { "2", 16, 4, 2, 1, 4, 5.5, 40, 4 }, -- Ann's 4 is 1 + 9 (4 - 2) / (6 - 2); Cid solved it, but gave no rating
      { "10", 25, 3, 3, 0, 7, 25 / 3, 40, 6 }, -- scaled 10, 5, 10
      { "last", 4, 7, 0, 1 },
    } do
      for j, column in ipairs(result.columns) do
        local value = result.rows[i][column]
        if j == 1 or expected[j] == nil then
          luaunit.assertEquals(value, expected[j])
        else
          luaunit.assertAlmostEquals(tonumber(value), expected[j], 1e-14, ("level %s: %s"):format(expected[1], column))
        end
      end
    end
    luaunit.assertEquals(#result.rows, 4)
  end
end

--- As above: ratings 2, 5, 1, scaled 1, 5, 1; 4 and none; 6, 5, 10.
function Study.test_medians()
  local rows = aggregate(text, "difficulty", { middle = "median" }).rows
  luaunit.assertEquals({ rows[1].difficulty, rows[1].scaled, rows[1].time, rows[1].luck }, { 2, 1, 20, 3 })
  luaunit.assertEquals({ rows[2].difficulty, rows[2].time, rows[2].solved }, { 4, 40, 2 })
  luaunit.assertEquals({ rows[3].difficulty, rows[3].scaled, rows[3].moves_used }, { 6, 10, 6 })
  luaunit.assertNil(rows[4].difficulty)
end

--- The mean of 1 to 9 and 100 is 14.5, the trimmed mean and the median are 5.5.
function Study.test_combined_averages()
  local lines = { "player,level,rating" }
  for i = 1, 10 do table.insert(lines, ("p%d,a,%d"):format(i, i == 10 and 100 or i)) end
  local row = aggregate(table.concat(lines, "\n"), nil, { middle = "combined" }).rows[1]
  luaunit.assertAlmostEquals(row.difficulty, (14.5 + 5.5 + 5.5) / 3, 1e-14)
end

--- Ten numbers lose one at either end, nine lose none: R's mean(c(1:9, 100), trim = 0.1) is 5.5, mean(c(1:8, 100)) 136 / 9.
function Study.test_trimmed_means()
  for n, expected in pairs { [10] = 5.5, [9] = 136 / 9 } do
    local lines = { "player,level,rating" }
    for i = 1, n do table.insert(lines, ("p%d,a,%d"):format(i, i == n and 100 or i)) end
    local row = aggregate(table.concat(lines, "\n"), nil, { middle = "trimmed" }).rows[1]
    luaunit.assertAlmostEquals(row.difficulty, expected, 1e-14)
  end
end

--- Ann's ratings 6, 2, 4 have the mean 4 and the standard deviation 2; Bob's are both 5; Cid's 1 and 10 have the mean 5.5 and
--- the standard deviation 4.5 sqrt(2).
function Study.test_scalings()
  local third = 1 / (3 * 2 ^ 0.5)
  for _, case in ipairs {
    { study.onto(1, 7), (1 + 5 + 1) / 3, 4, (7 + 5 + 7) / 3 },
    { study.onto(0, 100), 5 / 3, 50, 205 / 3 },
    { study.centred, (-2 + 0 - 4.5) / 3, 0, (2 + 0 + 4.5) / 3 },
    { study.standardised, -1 / 3 - third, 0, 1 / 3 + third },
  } do
    local result = aggregate(text, nil, { scaling = case[1] })
    for i = 1, 3 do luaunit.assertAlmostEquals(result.rows[i].scaled, case[i + 1], 1e-14) end
    luaunit.assertNil(result.rows[4].scaled)
    luaunit.assertEquals(result.rows[1].difficulty, 8 / 3)
  end
end

--- Level 2 has Ann's 4 and Bob's skip, rated 11 instead of 9; Bob's scaled ratings are 1, 1 and 10, Cid's 1, 9.1, 10 (of 11).
function Study.test_skipped_levels_as_ratings()
  local result = aggregate(text, nil, { skipped_as = 11 })
  luaunit.assertEquals(result.columns, { "level", "size", "luck", "solved", "skipped", "rated", "difficulty", "scaled", "time",
    "moves_used" })
  luaunit.assertEquals(values(result, 2), { "2", "16", 4, 2, 1, 2, 7.5, (5.5 + 10) / 2, 40, 4 })
  luaunit.assertEquals(values(result, 4), { "last", "4", "7", 0, 1, 1, 11, 10, false, false })
  luaunit.assertAlmostEquals(result.rows[3].scaled, (10 + 1 + 9.1) / 3, 1e-14)
end

--- Bob's rating of the level that he skipped counts, Cid's of the last, which is missing, does not: means of Ann's 4 and Bob's 9.
function Study.test_own_ratings_of_skipped_levels()
  local result = aggregate(text, nil, { skipped_as = "own" })
  luaunit.assertEquals(values(result, 2), { "2", "16", 4, 2, 1, 2, 6.5, (5.5 + 10) / 2, 40, 4 })
  luaunit.assertEquals(values(result, 4), { "last", "4", "7", 0, 1, 0, false, false, false, false })
end

--- A row of each play, by level: here those of level 2.
function Study.test_plays()
  local result = aggregate(text, nil, { plays = true })
  luaunit.assertEquals(result.columns, { "level", "player", "size", "luck", "note", "solved", "skipped", "rated", "difficulty",
    "scaled", "time", "moves_used" })
  luaunit.assertEquals({ #result.rows, result.dropped }, { 10, {} })
  for i, expected in ipairs {
    { "2", "ann", "16", "3", "ok", 1, 0, 1, 4, 5.5, false, 3 }, { "2", "bob", "16", "100", "no", 0, 1, 0, false, false, false, false },
    { "2", "cid", "16", "5", "ok", 1, 0, 0, false, false, 40, 5 },
  } do
    luaunit.assertEquals(values(result, 3 + i), expected)
  end
  luaunit.assertEquals(values(aggregate(text, nil, { plays = true, skipped_as = 11 }), 5),
    { "2", "bob", "16", "100", "no", 0, 1, 1, 11, 10, false, false })
end

function Study.test_only_the_columns_that_are_there()
  local result = aggregate "rating,level,player\n7,a,x\n"
  luaunit.assertEquals(result.columns, { "level", "solved", "skipped", "difficulty", "scaled" })
  luaunit.assertEquals(values(result, 1), { "a", 1, 0, 7, 7 })
end

function Study.test_levels_in_natural_order()
  local lines = { "player,level,rating" }
  for _, level in ipairs { 10, 9, 3, 1, 7, 2, 8, 5, 4, 6 } do table.insert(lines, ("p,%d,%d"):format(level, level)) end
  local result = aggregate(table.concat(lines, "\n"))
  for i, row in ipairs(result.rows) do luaunit.assertEquals({ row.level, row.scaled }, { tostring(i), i }) end
  luaunit.assertEquals(#result.rows, 10)
end

-- Sums of 0.1 are not multiples of it; their mean is 0.1 all the same.
function Study.test_the_mean_of_equal_numbers_is_that_number()
  local lines = { "player,level,rating,depth" }
  for i = 1, 10 do table.insert(lines, ("%d,a,0.1,%s"):format(i, i == 1 and "0.10" or "0.1")) end
  local row = aggregate(table.concat(lines, "\n")).rows[1]
  luaunit.assertEquals({ row.difficulty, row.scaled, row.depth }, { 0.1, 0.1, 0.1 })
end

-- A further column is kept as it is where it is the same in all rows, else as the mean of those who solved the level.
function Study.test_further_columns()
  for _, case in ipairs {
    { { "x", "x" }, "x" }, { { "2", "2" }, 2 }, { { "2", "3" }, 2.5 }, { { "2", "" }, 2 }, { { "", "NA" }, nil },
    { { "", "" }, nil }, { { "2", "x" }, nil, dropped = true }, { { "", "x" }, nil, dropped = true },
  } do
    local result = aggregate(("player,level,rating,extra\np,a,1,%s\nq,a,2,%s\n"):format(table.unpack(case[1])))
    local what = table.concat(case[1], "|")
    local value = result.rows[1].extra
    luaunit.assertEquals(result.dropped, case.dropped and { "extra" } or {}, what)
    if not case.dropped then
      luaunit.assertEquals(tonumber(value) or value ~= "" and value or nil, case[2], what)
      luaunit.assertEquals(result.columns[2], "extra", what)
    end
  end
  for word, count in pairs { ["1"] = 1, TRUE = 1, yes = 1, ["0"] = 0, False = 0, NO = 0, [""] = 0 } do
    local row = aggregate(("player,level,rating,skipped\np,a,1,%s\n"):format(word)).rows[1]
    luaunit.assertEquals({ row.skipped, row.solved }, { count, 1 - count }, word)
  end
  local skipped = aggregate "player,level,rating,skipped,extra\np,a,1,1,4\nq,a,2,1,5\n"
  luaunit.assertEquals({ skipped.rows[1].extra, skipped.rows[1].skipped, skipped.dropped }, { nil, 2, {} })
end

function Study.test_what_is_refused()
  local path = shell.path "study.csv"
  for input, problem in pairs {
    ["player,level,rating\nann,1,2\nbob,1,2\n\nann,1,3\n"] =
      (":5: found player 'ann' and level '1' again, as in %s:2, expected one row for each"):format(path),
    ["player,level,rating,skipped\nann,1,2,0\nann,2,2,maybe\n"] =
      ":3: column 'skipped': found 'maybe', expected 0 or 1",
    ["player,level,rating,skipped\nann,1,2,2\n"] = ":2: column 'skipped': found '2', expected 0 or 1",
    ["player,level,rating\nann,,2\n"] = ":2: column 'level': found an empty field, expected the name of a level",
    ["player,level,rating\n,1,2\n"] = ":2: column 'player': found an empty field, expected the name of a player",
    ["player,level,rating\nann,1,good\n"] = ":2: column 'rating': found 'good', expected a number",
    ["player,level,rating,time\nann,1,1,late\n"] = ":2: column 'time': found 'late', expected a number",
    ["player,level,rating,time\nann,1,1,0\nbob,1,1,-400\n"] =
      ":3: column 'time': found -400, expected a number that is not negative",
    ["player,level,rating,moves_used,skipped\nann,1,1,,0\nbob,1,,-0.5,1\n"] =
      ":3: column 'moves_used': found -0.5, expected a number that is not negative",
  } do
    luaunit.assertEquals(message(aggregate, input), path .. problem)
  end
  for _, column in ipairs { "player", "level", "rating" } do
    local header = ("player,level,rating"):gsub(column, "other")
    luaunit.assertStrContains(message(aggregate, header .. "\na,b,1\n"),
      ("%s:1: a player study needs the column '%s', which is not among the columns"):format(path, column))
  end
end

-- No column of the result may stand for two things.
function Study.test_names_that_the_result_needs_itself()
  for column, target in pairs { solved = "difficulty", scaled = "difficulty", difficulty = "difficulty", fun = "fun" } do
    local input = ("player,level,rating,%s\nann,1,2,5\n"):format(column)
    luaunit.assertStrContains(message(aggregate, input, target), ("'%s'"):format(column))
  end
  for _, target in ipairs { "level", "solved", "skipped", "scaled", "time", "moves_used" } do
    luaunit.assertStrContains(message(aggregate, "player,level,rating,time\nann,1,2,5\n", target), ("'%s'"):format(target))
  end
end

return { Study = Study }
