-- Tests of games/dungeongrams.lua against tests/support/plain_dungeon.lua.
local dungeon = require "plain_dungeon"
local engines = require "engines"
local game = require "crux.game.game"
local long = require "long"
local loss = require "crux.search.loss"
local luaunit = require "luaunit"
local means = require "crux.game.mean"
local random = require "libcrux.random"
local search = require "crux.search.search"
local shell = require "shell"

local dungeongrams = game.load "games/dungeongrams.lua"

local spec = dungeongrams.search
local blind = { moves = spec.moves, state = spec.state, start = spec.start, step = spec.step }

local DungeonGrams = {}

--- The level of a text, as the script has it and plainly.
local function levels_of(text, notes)
  local plain, lines = dungeon.read(text, notes), {}
  for i in ipairs(plain.rows) do lines[i] = i end
  return dungeongrams:level { name = "level", path = "level.txt", text = text, lines = lines, notes = notes or {} }, plain
end

--- The measures of the script, without those that crux adds to every search.
local function all_measures()
  local names = {}
  for _, measure in ipairs(dungeongrams.measures) do
    if not measure.is_added then table.insert(names, measure.name) end
  end
  return dungeongrams:choose(names)
end

local function assert_measured(level, plain, text)
  local expected, found = dungeon.measures(plain)
  local row, solution = dungeongrams:measure(level, all_measures(), {})
  luaunit.assertEquals(solution.text, found.actions, text)
  luaunit.assertEquals(solution.status, found.actions and "solved" or "unsolvable", text)
  for name, value in pairs(expected) do luaunit.assertAlmostEquals(row[name], value, 1e-12, name .. "\n" .. text) end
  for name in pairs(row) do luaunit.assertNotNil(expected[name], name) end
  luaunit.assertEquals(search.solve(blind, level).states, found.states, text)
  luaunit.assertEquals({ solution.untraced, solution.program.lane_bits }, { nil, 16 }, text)
  return found.actions, row
end

--- The same for a text. Returns the actions and the measures.
local function assert_measured_of(text, notes)
  local level, plain = levels_of(text, notes)
  return assert_measured(level, plain, text)
end

--- A random level as text and notes.
local function draw(rng, most_side, most_enemies)
  local width, height = rng:integer(2, most_side), rng:integer(2, most_side)
  local cells = {}
  for i = 1, width * height do cells[i] = rng:chance(0.15) and rng:pick { "X", "/", "\\", "^" } or "-" end
  local order = {}
  for i = 1, #cells do order[i] = i end
  rng:shuffle(order)
  local things = { "@", "O" }
  for _ = 1, rng:integer(0, most_enemies) do table.insert(things, "#") end
  for _ = 1, rng:integer(0, 2) do table.insert(things, "*") end
  for _ = 1, rng:integer(0, 2) do table.insert(things, "&") end
  for i, thing in ipairs(things) do
    if order[i] then cells[order[i]] = thing end
  end
  local rows = {}
  for y = 1, height do rows[y] = table.concat(cells, "", (y - 1) * width + 1, y * width) end
  local most = rng:integer(4, 14)
  return table.concat(rows, "\n") .. "\n",
    { stamina = tostring(rng:integer(3, most)), ["most-stamina"] = tostring(most), food = tostring(rng:integer(1, 9)) }
end

function DungeonGrams.test_random_levels_by_brute_force()
  long.leave_out()
  local solved, count, longest = 0, long.choose(16, 250), 0
  for stream = 1, count do
    local text, notes = draw(random.new(5, stream), 6, 3)
    local level, plain = levels_of(text, notes)
    local actions = assert_measured(level, plain, text)
    solved, longest = solved + (actions and 1 or 0), math.max(longest, #(actions or ""))
    local again = dungeongrams:text(level)
    luaunit.assertStrContains(again, text)
  end
  luaunit.assertTrue(solved > count / 3 and solved < count and longest > long.choose(4, 8), ("%d, %d"):format(solved, longest))
end

--- The mean of a function of two solutions over all pairs, or of one over all.
local function mean(of, list, others)
  local sum, count = 0, 0
  for _, one in ipairs(list) do
    for _, other in ipairs(others or { one }) do sum, count = sum + of(one, other), count + 1 end
  end
  return sum / count
end

--- Compares means with those of all shortest solutions. Returns the number of pairs with solutions of the variant 'nothing',
--- over all of which the means are taken, unless there are more than 10,000.
local function compare_means(text, notes)
  local level, plain = levels_of(text, notes)
  local bare = dungeon.without(plain, "#^*")
  local first, first_bare = dungeon.shortest(plain), dungeon.shortest(bare)
  if not first.actions then return 0 end
  local all, others = dungeon.all_shortest(plain, #first.actions), dungeon.all_shortest(bare, #first_bare.actions)
  local expected = { length = #first.actions, path_nothing = #first.actions - #first_bare.actions,
    jaccard_nothing = mean(dungeon.jaccard, all, others),
    stamina_percent_nothing = mean(function(a, b) return dungeon.percent(a.stamina, b.stamina) end, all, others),
    proximity_to_enemies = mean(function(one) return dungeon.proximity(plain, one.tiles, "#") end, all),
    proximity_to_food = mean(function(one) return dungeon.proximity(plain, one.tiles, "&") end, all) }
  local names = {}
  for name in pairs(expected) do table.insert(names, name) end
  local row, solution = dungeongrams:measure(level, dungeongrams:choose(names), { path = "mean" })
  luaunit.assertEquals(means.graph(solution).count, #all, text)
  for name, value in pairs(expected) do
    local is_drawn = #all * #others > 10000 and (name:find "jaccard" or name:find "stamina")
    luaunit.assertAlmostEquals(row[name], value, is_drawn and 0.01 or 1e-9, name .. "\n" .. text)
  end
  return #all * #others
end

function DungeonGrams.test_means_over_all_shortest_solutions()
  local several, streams = 0, long.choose(3, 200)
  for stream = 1, streams do
    several = several + (compare_means(draw(random.new(8, stream), 5, 2)) > 1 and 1 or 0)
  end
  luaunit.assertTrue(several >= long.choose(1, 51), several)
  if long.choose(true, false) then return end
  luaunit.assertTrue(compare_means "@-----\n------\n--#---\n-----&\n------\n-----O\n" > 10000)
end

function DungeonGrams.test_paths_of_the_authors()
  long.leave_out()
  local longer, count, names = 0, 0, dungeongrams:choose { "length", "solvable" }
  for stream = 1, long.choose(20, 300) do
    local text, notes = draw(random.new(9, stream), 6, 2)
    local level, plain = levels_of(text, notes)
    local expected = dungeon.authors_path(plain)
    local row, solution = dungeongrams:measure(level, names, { path = "authors", way = true })
    luaunit.assertNil(solution.untraced, text)
    luaunit.assertEquals(solution.text, expected and expected.actions, text)
    luaunit.assertEquals(row.length, expected and #expected.actions, text)
    if expected then
      luaunit.assertEquals(solution.way[#solution.way].stamina, expected.state.stamina, text)
      local shortest = dungeon.shortest(plain).actions
      count, longer = count + 1, longer + (shortest and #expected.actions > #shortest and 1 or 0)
    end
  end
  luaunit.assertTrue(count > 10 and longer > 0, ("%d, %d"):format(count, longer))
end

--- Causes of losses, the first in order of names where there are two.
function DungeonGrams.test_causes_of_losses()
  for _, case in ipairs {
    { "@^O\n", "R", "spike" }, { "@#O\n", "R", "enemy" }, { "@--O\n", "RR", "stamina", { stamina = "2" } },
    { "@^O\n", "R", "spike", { stamina = "1" } }, { "@#O\n", "R", "enemy", { stamina = "1" } },
    { "@-#O\n", "....", "enemy" }, { "@-O\n", "R" },
  } do
    local level = levels_of(case[1], case[4])
    local state, lost = dungeongrams.search.start(level), nil
    for move in case[2]:gmatch "." do lost = select(2, dungeongrams.search.step(state, move, level)) end
    luaunit.assertEquals(loss.cause(lost), case[3] or false, case[1])
  end
end

--- Both ways of running the script tell the same, statistics included.
function DungeonGrams.test_native_as_interpreted()
  for stream = 1, long.choose(20, 300) do
    local level = levels_of(draw(random.new(6, stream), 5, 3))
    local options = { count = stream % 2 == 0 }
    local traced, program, untraced = engines.solve(dungeongrams.search, level, options, "native")
    luaunit.assertEquals({ untraced, program ~= nil }, { nil, true })
    luaunit.assertEquals(traced, (engines.solve(dungeongrams.search, level, options, "interpreted")))
  end
end

function DungeonGrams.test_twelve_enemies()
  long.only()
  local text = "@---------\n----------\n-*--X---&-\n----^-----\n----------\n##-#-#-#--\n#-#-#-#-#-\nO--------#\n"
  local actions = assert_measured_of(text)
  luaunit.assertEquals(actions, ".DDRDRUL.LDRDDDDL")
end

function DungeonGrams.test_sixteen_rows_and_columns()
  long.only()
  local rows = {}
  for y = 1, 16 do rows[y] = y <= 2 and ("-"):rep(16) or ("X"):rep(14) .. "--" end
  rows[1] = "@------#------*-"
  rows[9] = ("X"):rep(14) .. "#-"
  rows[16] = ("X"):rep(14) .. "-O"
  luaunit.assertTrue(#assert_measured_of(table.concat(rows, "\n") .. "\n") >= 30)
end

-- Forty tiles from the start: the last of the stamina pays the step that wins, and with one less there is no way.
function DungeonGrams.test_a_win_stands()
  local rows = { "@" .. ("-"):rep(20), ("X"):rep(20) .. "-", ("-"):rep(21), "XXXO" .. ("X"):rep(17) }
  local text = table.concat(rows, "\n") .. "\n"
  local actions, row = assert_measured_of(text)
  luaunit.assertEquals({ actions, row.stamina_percent_enemies }, { ("R"):rep(20) .. "DD" .. ("L"):rep(17) .. "D", 0 })
  luaunit.assertNil(assert_measured_of(text, { stamina = "39" }))
end

function DungeonGrams.test_hand_made_levels()
  for _, case in ipairs {
    { "@O\n", "R" },
    { "@-O\n", "RR" },
    { "@*O\n", "RR" },
    { "@O*\n", nil }, -- the exit is closed and in the way
    { "@^O\n", nil },
    { "@^O\n---\n", "DRRU" },
    { "@-O\n", nil, { stamina = "1" } },
    { "@-O\n", "RR", { stamina = "2" } },
    { "@-&-O\n", "RRRR", { stamina = "3", food = "1" } },
    { "@-&--O\n", "RRRRR", { stamina = "3", food = "9" } },
    { "@-&--O\n", nil, { stamina = "3", ["most-stamina"] = "3", food = "9" } },
    { "@-#\nO--\n", "D" },
    -- The enemy comes in the second turn, to the left as it must; waiting does not help.
    { "@--#\nXXX-\nXXXO\n", nil },
    { "-@--#O\n", nil },
    -- It goes back home once the player is far, so that the way is free again.
    { "@-------\nXXXXXXX-\n#------O\n", "RRRRRRRDD" },
  } do
    local actions = assert_measured_of(case[1], case[3])
    luaunit.assertEquals(actions, case[2], case[1])
  end
end

local function problem_of(text, notes)
  local ok, problem = pcall(levels_of, text, notes)
  luaunit.assertFalse(ok, text)
  return problem.message
end

function DungeonGrams.test_bad_levels()
  local many = ("*"):rep(29) .. "-\n@" .. ("&"):rep(29) .. "\n&O" .. ("-"):rep(28) .. "\n"
  local crowd = (("#"):rep(32) .. "\n"):rep(2) .. "@O" .. ("-"):rep(30) .. "\n"
  for _, case in ipairs {
    { "@-\n-O\n-@\n", "level.txt:3: column 2: found a second player, expected one" },
    { "@O\nO-\n", "level.txt:2: column 1: found a second exit, expected one" },
    { "-O\n", "level.txt:1: found no player, expected '@'" },
    { "-@\n", "level.txt:1: found no exit, expected 'O'" },
    { "@O\n-?\n", "level.txt:2: column 2: found '?', expected one of - X / \\ ^ # * & @ O" },
    { "@-O\n--\n", "level.txt:2: found 2 columns, expected 3 as in line 1" },
    { many, "level.txt:3: column 1: found 30 foods, expected 0 to 29" },
    { many:gsub("[&*]", { ["&"] = "*", ["*"] = "-" }), "level.txt:3: column 1: found 30 switches, expected 0 to 29" },
    { crowd, "level.txt:2: column 31: found 64 enemies, expected 0 to 62" },
    { ("-"):rep(65) .. "\n", "level.txt:1: found more than 64 columns, expected at most 64" },
    { "@O\n", "level.txt:1: stamina: found 'x', expected an integer from 1 to 40", { stamina = "x" } },
    { "@O\n", "level.txt:1: food: found '0', expected an integer from 1 to 999", { food = "0" } },
    { "@O\n", "level.txt:1: stamina: found '41', expected an integer from 1 to 40", { stamina = "41" } },
    { "@O\n", "level.txt:1: stamina: found 40, expected an integer from 1 to 30", { ["most-stamina"] = "30" } },
  } do
    luaunit.assertEquals(problem_of(case[1], case[3]), case[2])
  end
end

-- As many things and enemies as there are bits: lanes are wider then, the result is not.
function DungeonGrams.test_at_the_limits()
  long.only()
  local rows = { "@**O" .. ("-"):rep(28), ("X"):rep(32), ("*"):rep(27) .. "-----", ("&"):rep(29) .. "---" }
  for y = 5, 10 do rows[y] = ("-#"):rep(y < 10 and 11 or 7):sub(1, 32) .. ("-"):rep(y < 10 and 10 or 18) end
  local level = levels_of(table.concat(rows, "\n") .. "\n")
  luaunit.assertEquals({ #level.switch, #level.food, #level.aims }, { 29, 29, 62 })
  local solution = dungeongrams:solution(level, { states = 2000 })
  luaunit.assertEquals({ solution.text, solution.untraced, solution.program.lane_bits }, { nil, nil, 64 })
end

function DungeonGrams.test_notes_and_text()
  local text = "; stamina: 7\n; food: 3\n; most-stamina: 9\n@-&\n\\X/\n#^O\n*--\n"
  local result = shell.crux("solve dungeongrams " .. shell.file("notes.txt", "; one\n" .. text))
  luaunit.assertStrContains(result.out, "one\n; food: 3\n; most-stamina: 9\n; stamina: 7\n@-&\n\\X/\n#^O\n*--\nno solution")
end

function DungeonGrams.test_drawing_states()
  local level = levels_of "@*&O\n-^-#\n"
  local state = dungeongrams.search.start(level)
  luaunit.assertEquals(dungeongrams:drawing(level), "@*&O\n-^-#\n")
  local drawings = {}
  for i, move in ipairs { "R", "R", "." } do
    dungeongrams.search.step(state, move, level)
    drawings[i] = dungeongrams:drawing(level, nil, state)
  end
  luaunit.assertEquals(drawings, { "-@&O\n-^-#\nstamina 39\n", "--@O\n-^#-\nstamina 39\n", "--@O\n-^#-\nstamina 38\n" })
  dungeongrams.search.step(state, "D", level)
  luaunit.assertEquals(dungeongrams:drawing(level, nil, state), "---O\n-^#-\nstamina 37\n")
end

-- Solved levels of all kinds in one file, measured on one thread and on two.
function DungeonGrams.test_jobs()
  local texts = {}
  for stream = 1, 12 do texts[stream] = ("; %d\n%s"):format(stream, (draw(random.new(7, stream), 6, 3))) end
  local path = shell.file("jobs.txt", table.concat(texts, "\n"))
  local one, two = shell.crux(("measure dungeongrams %s --jobs 1"):format(path)), shell.crux(("measure dungeongrams %s --jobs 2"):format(path))
  luaunit.assertEquals(two, one)
  luaunit.assertStrMatches(one.out, "level,length,path_no_enemies,path_nothing,jaccard_no_enemies,jaccard_nothing,"
    .. "proximity_to_enemies,proximity_to_food,stamina_percent_enemies,stamina_percent_nothing,density,leniency,food_density\n.*")
  luaunit.assertStrContains(one.err, ": no solution exists\n")
end

function DungeonGrams.test_rule()
  local rated = shell.crux("rate roguelike-difficulty " .. shell.file("rated.txt", "; one\n@--O\n"))
  luaunit.assertEquals(rated.out, "level,rating\none,3.4536071553491157\n") -- 3.7837425663543365 - 0.33013541100522065
end

return { DungeonGrams = DungeonGrams }
