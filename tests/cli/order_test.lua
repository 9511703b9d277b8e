--- Levels to order on the command line: `crux generate --rule`, `crux sample` and `crux sort`.
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local process = require "libcrux.process"
local shell = require "shell"

--- The ratings of levels that are read again: a list in the order of the text.
local function ratings_of(rule, path)
  local list = {}
  for rating in shell.crux(("rate %s %s --format csv"):format(rule, path)).out:gmatch ",([^\n,]+)\n" do
    table.insert(list, tonumber(rating))
  end
  return list
end

local Orders = {}

--- Games, rules, and ratings of which random levels have few, by tests/bench/order_bench.lua.
local cases = {
  { "move", "move", "4.3..5.5" }, { "sokoban", "sokoban", "5.7..7" }, { "sprinkfield", "sprinkfield-v2", "55..60" },
  { "flow", "flow", "3..3.5", "--side 5" }, { "lazors", "lazors", "7..8" },
  { "dungeongrams", "roguelike-difficulty", "4.6..5", "--tries 1000" },
}

function Orders.test_levels_are_in_the_range_when_they_are_read_again()
  long.only()
  for _, case in ipairs(cases) do
    local game, rule, rating, options = table.unpack(case)
    local path = shell.path(game == "lazors" and "made.bff" or "made.txt")
    shell.printed(("generate %s --rule %s --rating %s --count 6 %s -o %s"):format(game, rule, rating, options or "", path))
    local least, greatest = rating:match "^(.-)%.%.(.*)$"
    local ratings = ratings_of(rule, path)
    luaunit.assertEquals(#ratings, 6)
    for _, found in ipairs(ratings) do
      luaunit.assertTrue(found >= tonumber(least) and found <= tonumber(greatest), game .. " " .. found)
    end
  end
end

function Orders.test_curves_rise_evenly()
  long.only()
  local path = shell.path "curve.txt"
  shell.printed("generate sokoban --rule sokoban --curve 4..7 --count 4 --spread 0.3 -o " .. path)
  for i, rating in ipairs(ratings_of("sokoban", path)) do
    luaunit.assertTrue(math.abs(rating - 4 - (i - 1)) <= 0.25)
  end
  local csv = shell.file("curve.csv", shell.printed("rate sokoban " .. path))
  luaunit.assertStrContains(shell.printed("plot curve --format text " .. csv), "0 of 3 steps lead down.")
end

--- A list of ratings: a level for each, in the same order, though two slots want the same rating.
function Orders.test_lists_of_ratings()
  long.only()
  local path = shell.path "list.txt"
  shell.printed("generate move --side 3 --rule move --curve 3..3.5,1.5..2.5,3..3.5 --like 'moves<=6' -o " .. path)
  local found = ratings_of("move", path)
  luaunit.assertEquals(#found, 3)
  for i, ends in ipairs { { 3, 3.5 }, { 1.5, 2.5 }, { 3, 3.5 } } do
    luaunit.assertTrue(found[i] >= ends[1] and found[i] <= ends[2], found[i])
  end
end

--- The table tells what the files have in their notes.
function Orders.test_table_and_notes()
  long.leave_out()
  local path = shell.path "told.txt"
  local made = long.choose(1, 3)
  local out = shell.printed(("generate move --side 3 --rule move --rating 2..4 --like 'moves=3..8,rocks<=4' --count %d --format csv -o %s")
    :format(made, path))
  luaunit.assertStrContains(out, "level,rating,moves,size,balls,colours,rocks,counterintuitive,nearest\n")
  local text, count = shell.read(path), 0
  for name, rating, moves, rocks in out:gmatch "\n(move%-1%-%d),([^,]+),(%d+),9,%d,%d,(%d)," do
    count = count + 1
    luaunit.assertTrue(tonumber(moves) >= 3 and tonumber(moves) <= 8 and tonumber(rocks) <= 4)
    luaunit.assertStrContains(text, ("; %s\n; rating: %.4g (moves %s, size 9, "):format(name, rating, moves))
  end
  luaunit.assertEquals(count, made)
end

function Orders.test_levels_on_standard_output_come_before_their_table()
  long.leave_out()
  local text = shell.printed "generate move --side 3 --rule move --rating 2..8 --count 1 -o -"
  luaunit.assertTrue(text:find "; move%-1%-1\n" < text:find "\nlevel ")
end

local line = "generate move --side 3 --rule move --rating 2..3 --seed 3 --count " .. long.choose(2, 5)

function Orders.test_same_levels_for_any_number_of_workers()
  long.only()
  local expected = shell.printed(line .. " --jobs 1")
  luaunit.assertEquals(shell.printed(line .. " --jobs 2"), expected)
  luaunit.assertNotEquals(shell.printed((line:gsub("seed 3", "seed 4"))), expected)
  local mpi = shell.quote(shell.program .. "-mpi")
  if shell.run("command -v mpirun && test -x " .. mpi).status > 0 then return end
  local result = shell.run(("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
    .. "OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0 timeout 120 mpirun -n 2 %s %s"):format(mpi, line))
  luaunit.assertEquals(result.out, expected)
end

function Orders.test_killed_runs_resume_to_the_same_levels()
  long.only()
  local journal, start = shell.path "order.journal", process.seconds()
  local expected = shell.printed(line)
  local seconds, kills = process.seconds() - start, 0
  math.randomseed(5)
  while kills < 20 do
    local result = shell.run(("timeout -s KILL %.3f %s %s --resume %s"):format(0.001 + math.random() * seconds / 2,
      shell.quote(shell.program), line, journal))
    kills = kills + (result.status == 137 and 1 or 0)
    if result.status ~= 137 then -- done before: it begins anew, and is killed earlier
      luaunit.assertEquals({ result.status, result.out }, { 0, expected })
      os.remove(journal)
      seconds = seconds / 2
    end
  end
  luaunit.assertEquals(shell.printed(line .. " --jobs 2 --resume " .. journal), expected)
end

--- A journal belongs to the levels that are varied, too.
function Orders.test_varied_levels_change()
  local journal = shell.path "vary.journal"
  local level = shell.file("varied.xsb", "######\n#@$ .#\n#    #\n######\n")
  for _, order in ipairs { "", " --rule sokoban --rating 0..9 --tries 30" } do
    local words = ("generate sokoban --vary %s --resume %s%s"):format(level, journal, order)
    os.remove(journal)
    shell.file("varied.xsb", "######\n#@$ .#\n#    #\n######\n")
    shell.printed(words)
    shell.file("varied.xsb", "######\n# @$.#\n#    #\n######\n")
    luaunit.assertStrContains(shell.crux(words).err, "varied.xsb has changed since\n")
  end
end

function Orders.test_what_stands_in_the_way()
  long.leave_out()
  local path = shell.path "none.txt"
  local result = shell.crux("generate move --rule move --rating '>=6' --like 'moves<=5,size=9' --tries 100 --count 3 -o " .. path)
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrMatches(result.err, "1%d%d levels were tried; ratings from [%d.]+ to [%d.]+ were found; the nearest misses "
    .. "are [%d.]+, [%d.]+, [%d.]+\n.*%d+ of them were refused because of 'moves'\n.*3 of 3 levels not found\n")
  luaunit.assertNil(io.open(path))
end

--- The levels that were found are written, and the status is 1.
function Orders.test_some_levels_of_a_curve()
  long.only()
  local path = shell.path "some.txt"
  local result = shell.crux("generate sokoban --rule sokoban --curve 4..30 --tries 600 --count 3 -o " .. path)
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "2 of 3 levels not found\n")
  luaunit.assertEquals(#ratings_of("sokoban", path), 1)
end

--- Made levels are all different, also turned and mirrored: of 2 x 2 squares there are few.
function Orders.test_equal_levels_are_made_once()
  long.only()
  local script = shell.file("pair.lua", [[
return crux.grid {
  name = "pair", tiles = { { "." }, { "a", "a" }, { "A", "A" }, { "*", "a", "A" } },
  moves = { "U", "L", "D", "R" }, state = { "a" },
  step = function(now, move, level) now.a = now.a:shift(move) end,
  won = function(now, level) return crux.none(now.a - level.A) & crux.any(now.a) end,
  measures = { { "moves", moves = true, doc = "moves" } },
  generate = { options = {}, level = function(random)
    local all = ~crux.cells(2, 2)
    return { a = crux.cells(2, 2):with(all:pick(random)), A = crux.cells(2, 2):with(all:pick(random)) }
  end },
}]])
  local rule = shell.file("pair-rule.lua", "return crux.rule { predicts = 'x', formula = function(level) return level.moves end }")
  local result = shell.crux(("generate %s --rule %s --rating 0..2 --count 9 --tries 2000"):format(script, rule))
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "6 of 9 levels not found\n") -- both on a square, side by side, across
end

function Orders.test_bad_input()
  long.leave_out()
  local own = shell.file("nan.lua", "return crux.rule { predicts = 'x', formula = function(level) return level.moves - 1/0 + 1/0 end }")
  local unfitted = shell.file("unfitted.lua", "return crux.rule { game = 'move', formula = 'difficulty ~ moves' }")
  local bare = shell.file("bare.lua", "local game = crux.game 'bare'\nfunction game.parse() return {} end\n"
    .. "function game.solve() return { status = 'solved' } end\nreturn game")
  for words, said in pairs {
    ["move --rule move --rating 40..50"] = "rating: found 40..50, expected ratings on the scale of rule 'move', 1 to 10",
    ["move --rule move --rating 5..4"] = "--rating: found '5..4', expected a number, LEAST..GREATEST, '>=LEAST' or '<=GREATEST'",
    ["move --rule flow --rating 4"] = "rule 'flow': found a rule of the game 'flow', expected one of 'move'",
    ["move --rule move"] = "expected a rating or a curve",
    ["move --rating 4"] = "found --rating without --rule, expected both",
    ["move --rule move --rating 4 --count 0"] = "--count: found '0', expected an integer of at least 1",
    ["move --rule move --rating 4 --spread 1"] = "found spread without a curve, expected distinct",
    ["move --rule move --curve 1..9"] = "curve: expected LEAST..GREATEST of different numbers, a count of at least 2, and no pack",
    ["move --rule move --curve 3,x"] = "--curve: found 'x', expected a number, LEAST..GREATEST, '>=LEAST' or '<=GREATEST'",
    ["move --rule move --curve 3,50"] = "curve: found 50, expected ratings on the scale of rule 'move', 1 to 10",
    ["move --rule move --curve 3,4 --count 3"] = "found --count 3 and 2 ranges, expected one of them",
    ["move --rule move --rating 4 --unique"] = "unique: game 'move': found the unknown measure 'solutions'; there are: ",
    ["move --rule move --rating 4 --like moves=9..8"] = "--like: found 'moves=9..8', expected MEASURE=RANGE,...",
    ["move --rule move --rating 4 --like moves=9,moves=8"] = "--like: found 'moves' twice, expected it once",
    ["move --rating 4 --rule " .. own] = "nan.lua: found NaN, expected a number",
    ["move --rating 4 --rule " .. unfitted] = "found no coefficients, expected a fitted rule",
    [bare .. " --rating 4 --rule " .. own] = "bare.lua: found no generate, expected a function game.generate for crux generate",
  } do
    local result = shell.crux(("generate %s -o %s"):format(words, shell.path "none.txt"))
    luaunit.assertTrue(result.status > 0)
    luaunit.assertStrContains(result.err, said)
    luaunit.assertNil(io.open(shell.path "none.txt"), words)
  end
end

--- A game's `requires` names measures that are there.
function Orders.test_requires_unknown_measures()
  local text = shell.read("games/sokoban.lua"):gsub("  moves = { \"U\"", "  requires = { puhses = 3 },\n%0", 1)
  local result = shell.crux("generate " .. shell.file("other.lua", text))
  luaunit.assertStrContains(result.err, "field 'requires': found the unknown measure 'puhses'; did you mean 'pushes'?")
end

--- Levels that were read are varied by way of their solution.
function Orders.test_vary_of_read_levels()
  for _, name in ipairs { "flow", "lazors" } do
    local out = shell.printed(("generate %s --vary datasets/levels/%s --count 3 --seed 2"):format(name, name))
    luaunit.assertEquals(select(2, out:gsub(name .. "%-2%-%d", "")), 3)
  end
end

function Orders.test_ranges_of_like_and_select()
  long.leave_out()
  local path = shell.path "like.txt"
  shell.printed("generate flow --like 'size=25..36,colours=5' --count 4 -o " .. path)
  for size, colours in shell.printed("measure flow --measures size,colours " .. path):gmatch ",(%d+),(%d+)\n" do
    luaunit.assertTrue((size == "25" or size == "36") and colours == "5")
  end
  shell.printed("generate sokoban --select 'boxes=2..3 x 2' -o " .. path)
  luaunit.assertEquals(shell.printed("measure sokoban --measures boxes --format csv " .. path):gsub("sokoban%-1%-%d+,", ""),
    "level,boxes\n2\n2\n3\n3\n")
end

local Chosen = {}

function Chosen.test_sample()
  local line_of = "sample datasets/levels/flow --rule flow --count 8 --by 'size=25,36,49,64' --seed %d"
  local path = shell.file("sample.txt", shell.printed(line_of:format(1)))
  local sizes = {}
  for size in shell.printed("measure flow --measures size " .. path):gmatch ",(%d+)\n" do table.insert(sizes, size) end
  luaunit.assertEquals(sizes, { "25", "25", "36", "36", "49", "49", "64", "64" })
  luaunit.assertEquals(shell.printed(line_of:format(1)), shell.read(path))
  luaunit.assertNotEquals(shell.printed(line_of:format(2)), shell.read(path))
end

--- Measures of a dataset choose the levels that crux would choose by measuring them again; the dataset must have all of them.
function Chosen.test_sample_of_measured_levels()
  local path = shell.path "measured.csv"
  shell.printed("measure flow datasets/levels/flow -o " .. path)
  local words = "sample datasets/levels/flow --rule flow --count 4 --by 'size=25,36' --rating 2..6"
  luaunit.assertEquals(shell.printed(words .. " --measured " .. path), shell.printed(words))
  local text = shell.read(path)
  for wrong, message in pairs {
    [text:gsub("\n7,[^\n]*", "")] = "datasets/levels/flow/7.txt:2: found the level '7', which has no row in ",
    [text:gsub("(\n7,[^\n]*)", "%1%1")] = ": found the level '7' again, expected each level once",
    [text:gsub("colours", "colors")] = "sample needs the column 'colours'",
  } do
    luaunit.assertStrContains(shell.crux(words .. " --measured " .. shell.file("wrong.csv", wrong)).err, message)
  end
end

function Chosen.test_sample_keeps_notes()
  local level = shell.file("noted.txt", "; ann's\n; stamina: 12\n@-----\n-----O\n")
  luaunit.assertEquals(shell.printed("sample --game dungeongrams --count 1 " .. level), "; ann's\n; stamina: 12\n@-----\n-----O\n")
end

function Chosen.test_sort()
  local sorted = shell.crux("sort datasets/levels/flow --rule flow").out
  local last = -math.huge
  local count = 0
  for rating in sorted:gmatch ",([%d.-]+)\n" do
    luaunit.assertTrue(tonumber(rating) >= last)
    last, count = tonumber(rating), count + 1
  end
  luaunit.assertEquals(count, 38)
  luaunit.assertStrContains(shell.crux("sort datasets/levels/flow --rule flow").err, "tied at 1.804: 7, 9\n")
  luaunit.assertStrContains(sorted, shell.crux("sort datasets/levels/flow --rule flow --after 12").out:gsub("^[^\n]*\n", ""))
end

--- A dataset of 30 levels of three ratings, one level without a measure.
function Chosen.test_sort_a_dataset()
  local lines, wanted = { "level,size" }, { {}, {}, {} }
  for i = 1, 30 do
    table.insert(lines, ("l%d,%s"):format(i, i == 7 and "" or i % 3))
    if i ~= 7 then table.insert(wanted[i % 3 + 1], ("l%d,%g"):format(i, i % 3 / 2)) end
  end
  local data = shell.file("sizes.csv", table.concat(lines, "\n") .. "\n")
  local rule = shell.file("half.lua", "return crux.rule { formula = '~ 0 + size', coefficients = { size = 0.5 } }")
  local result = shell.crux(("sort --rule %s %s"):format(rule, data))
  luaunit.assertEquals(result.out, "level,rating\n" .. table.concat(lists.concat(table.unpack(wanted)), "\n") .. "\n")
  luaunit.assertEquals(result.err, data .. ": 1 level without a rating left out\n"
    .. "tied at 0: l3, l6, l9, l12, l15, l18, l21, l24, l27, l30\ntied at 0.5: l1, l4, l10, l13, l16, l19, l22, l25, l28\n"
    .. "tied at 1: l2, l5, l8, l11, l14, l17, l20, l23, l26, l29\n")
  luaunit.assertEquals(shell.crux(("sort --rule %s %s --after l25"):format(rule, data)).out, "level,rating\nl28,0.5\n"
    .. table.concat(wanted[3], "\n") .. "\n")
end

--- Of twelve ratings of several levels ten are told, and of twelve levels ten are named.
function Chosen.test_ties_that_are_told()
  local lines = { "level,size" }
  for i = 1, 22 do table.insert(lines, ("l%d,%d"):format(i, i % 11)) end
  for i = 23, 34 do table.insert(lines, ("l%d,-1"):format(i)) end
  local rule = shell.file("itself.lua", "return crux.rule { formula = '~ 0 + size', coefficients = { size = 1 } }")
  local told = shell.crux(("sort --rule %s %s"):format(rule, shell.file("tied.csv", table.concat(lines, "\n") .. "\n"))).err
  luaunit.assertEquals(select(2, told:gsub("tied at", "")), 10)
  luaunit.assertStrContains(told, "tied at -1: l23, l24, l25, l26, l27, l28, l29, l30, l31, l32 and 2 more\n")
  luaunit.assertStrContains(told, "2 more ratings of several levels\n")
end

--- Of a rule whose ratings fall with difficulty, 100 minus those of another, all comes in the order by the other one.
function Chosen.test_ratings_that_fall()
  long.only()
  local rising, falling = "formula = '~ size + colours', coefficients = { ['(intercept)'] = 0, size = 1, colours = 0.125 } }\n",
    "formula = '~ size + colours', coefficients = { ['(intercept)'] = 100, size = -1, colours = -0.125 } }\n"
  local up = shell.file("up.lua", "return crux.rule { game = 'flow', predicts = 'time', " .. rising)
  local down = shell.file("down.lua", "return crux.rule { game = 'flow', target = { 'rate', falls = true }, " .. falling)
  local plays = shell.file("by-ann.csv", "player,level,rating\nann,16,2.5\nbob,7,9\nann,27,3.25\n")
  for _, more in ipairs { "", " --player ann --plays " .. plays } do
    local function sorted(path)
      local names, ratings, expected = {}, {}, {}
      for name, rating, rest in shell.crux(("sort datasets/levels/flow --rule %s%s"):format(path, more)).out
        :gmatch "\n([^,\n]+),([^,\n]+),?([^\n]*)" do
        table.insert(names, name)
        table.insert(ratings, tonumber(rating))
        table.insert(expected, rest)
      end
      return { names, expected }, ratings
    end
    local of_up, ratings = sorted(up)
    local of_down, turned = sorted(down)
    luaunit.assertTrue(#ratings > 3)
    luaunit.assertEquals(of_down[1], of_up[1])
    for i, rating in ipairs(ratings) do
      luaunit.assertEquals(turned[i], 100 - rating)
      luaunit.assertAlmostEquals(tonumber(of_down[2][i]) or 0, tonumber(of_up[2][i]) or 0, 1e-12)
    end
  end
  local by_moves = shell.file("moves.lua", "return crux.rule { game = 'move', target = { 'rate', falls = true }, formula = '~ moves', "
    .. "coefficients = { ['(intercept)'] = 100, moves = -1 } }\n")
  for _, order in ipairs { "--rating 94..98", "--curve 94..98" } do
    local last, count = math.huge, 0
    for rating in shell.printed(("generate move --side 3 --rule %s %s --count 3 --format csv -o %s"):format(by_moves, order,
      shell.path "made.txt")):gmatch "\nmove[^,]+,([%d.]+)," do
      luaunit.assertTrue(tonumber(rating) <= last)
      last, count = tonumber(rating), count + 1
    end
    luaunit.assertEquals(count, 3)
  end
end

-- The rule rates 16, 27 and 22 as 1.6815, 1.5302 and 1.6039. Ann's ratings are 2.5 and 3.2 of the first two: 1.2441 more in the
-- mean. Level 22 is expected at 2.848, which is below 3.2, her last rating.
function Chosen.test_next_for_a_player()
  local plays = shell.file("plays.csv", "player,level,rating\nann,16,2.5\nbob,7,9\nann,27,3.2\n")
  local rows = shell.crux("sort datasets/levels/flow --rule flow --player ann --plays " .. plays).out
  for level, rating, expected in rows:gmatch "\n(%d+),([%d.]+),([%d.]+)" do
    luaunit.assertAlmostEquals(expected - rating, (2.5 - 1.6815029460048712 + 3.2 - 1.5301516476076853) / 2, 1e-12)
    luaunit.assertTrue(tonumber(expected) > 3.2 and level ~= "22" and level ~= "16")
  end
  luaunit.assertTrue(#rows > 100)
  local result = shell.crux("sort datasets/levels/flow --rule flow --player cat --plays " .. plays)
  luaunit.assertStrContains(result.err, "plays.csv: found no rating of these levels by player 'cat', expected some")
end

function Chosen.test_bad_input()
  for words, said in pairs {
    ["sample datasets/levels/flow"] = "expected --game GAME, or --rule with a rule that names its game",
    ["sample datasets/levels/flow --rule flow --by size"] = "--by: found 'size', expected MEASURE=RANGE,RANGE,...",
    ["sample datasets/levels/flow --rule flow --by sise=25"] = "--by: game 'flow': found the unknown measure 'sise'; did you mean",
    ["sample datasets/levels/flow --game flow --rating 2..3"] = "found --rating without --rule, expected both",
    ["sample datasets/levels/flow --rule flow --rating 9..9.1 --count 2"] = "2 of 2 levels not found",
    ["sort datasets/levels/flow"] = "expected --rule RULE",
    ["sort datasets/levels/flow --rule flow --player ann"] = "found --player alone, expected --plays and --player",
    ["sort datasets/levels/flow --rule flow --after 99"] = "--after: found the unknown level '99'",
  } do
    local result = shell.crux(words)
    luaunit.assertTrue(result.status > 0, words)
    luaunit.assertStrContains(result.err, said)
  end
end

return { Orders = Orders, Chosen = Chosen }
