--- Tests of crux.plan: that plans are balanced whatever their sizes, and what is refused of one.
local game = require "crux.game.game"
local luaunit = require "luaunit"
local plan = require "crux.play.plan"
local playing = require "playing"
local random = require "libcrux.random"
local shell = require "shell"

local Assign = {}

--- The least and the greatest number of each of the keys 1 to `count`.
local function extremes(numbers, count)
  local least, greatest = math.huge, 0
  for i = 1, count do
    least, greatest = math.min(least, numbers[i] or 0), math.max(greatest, numbers[i] or 0)
  end
  return least, greatest
end

local function add(numbers, key) numbers[key] = (numbers[key] or 0) + 1 end

local function check_spread(numbers, count, what)
  local least, greatest = extremes(numbers, count)
  luaunit.assertTrue(greatest - least <= 1, ("%s: %d to %d"):format(what, least, greatest))
end

--- Checks all that crux.plan promises, counting anew after every player.
local function check(count, players, per_player, seed)
  local what = ("%d levels, %d players, %d for each, seed %d"):format(count, players, per_player, seed)
  local hands = plan.assign(count, players, per_player, random.new(seed))
  local ratings, positions, lately = {}, {}, {} -- `lately` since a level's last full set of ratings
  for level = 1, count do positions[level], lately[level] = {}, {} end
  luaunit.assertEquals(#hands, players, what)
  for _, hand in ipairs(hands) do
    luaunit.assertEquals(#hand, per_player, what)
    local held = {}
    for position, level in ipairs(hand) do
      luaunit.assertNil(held[level], what)
      held[level] = true
      add(ratings, level)
      add(positions[level], position)
      add(lately[level], position)
      if ratings[level] % per_player == 0 then
        luaunit.assertEquals({ extremes(lately[level], per_player) }, { 1, 1 }, what)
        lately[level] = {}
      end
    end
    check_spread(ratings, count, what)
  end
  for level = 1, count do check_spread(positions[level], per_player, what .. ", positions") end
  return hands, ratings
end

--- Must hold 5 of issue 12: 480 ratings, 6 for each level.
function Assign.test_forty_players_with_twelve_of_eighty_levels()
  local _, ratings = check(80, 40, 12, 1)
  luaunit.assertEquals({ extremes(ratings, 80) }, { 6, 6 })
end

function Assign.test_random_sizes()
  local sizes = random.new(12)
  for seed = 1, 300 do
    local count = sizes:integer(1, 25)
    check(count, sizes:integer(1, 40), sizes:integer(1, count), seed)
  end
end

--- By hand: whoever gets all levels gets each once, at positions that follow a Latin square.
function Assign.test_everybody_gets_all()
  for _, hand in ipairs((check(5, 10, 5, 3))) do
    table.sort(hand)
    luaunit.assertEquals(hand, { 1, 2, 3, 4, 5 })
  end
end

function Assign.test_seed_decides()
  local function orders(seed) return plan.assign(9, 8, 4, random.new(seed)) end
  luaunit.assertEquals(orders(7), orders(7))
  luaunit.assertNotEquals(orders(7), orders(8))
end

--- Any of 3 levels may be the only player's first, one as well as another: 300 of 900 seeds each, with a standard deviation of
--- 14; and any of the 6 orders follows, 150 of 900 each, with one of 11.
function Assign.test_order_is_random()
  local firsts, orders, count = {}, {}, 0
  for seed = 1, 900 do
    local hand = plan.assign(3, 1, 3, random.new(seed))[1]
    add(firsts, hand[1])
    add(orders, table.concat(hand))
  end
  for level = 1, 3 do luaunit.assertAlmostEquals(firsts[level], 300, 56) end
  for _, times in pairs(orders) do
    count = count + 1
    luaunit.assertAlmostEquals(times, 150, 44)
  end
  luaunit.assertEquals(count, 6)
end

local Checksum = {}

--- Test vectors of the algorithm's authors (RFC 9923).
function Checksum.test_published_values()
  for text, expected in pairs {
    [""] = "fnv1a-cbf29ce484222325", a = "fnv1a-af63dc4c8601ec8c", foobar = "fnv1a-85944171f73967e8",
  } do
    luaunit.assertEquals(plan.checksum { text = text, notes = {} }, expected)
  end
end

function Checksum.test_notes_count()
  local function of(notes) return plan.checksum { text = "x", notes = notes } end
  luaunit.assertEquals(of { a = "1", b = "2" }, of { b = "2", a = "1" })
  luaunit.assertNotEquals(of { a = "1" }, of { a = "2" })
end

local Read = {}

local header = table.concat(plan.columns, ",") .. "\n"

local function rows(...) return header .. table.concat({ ... }, "\n") .. "\n" end

local good = "ann,1,one,walk.txt,sum,0,walk,1..7,difficulty+enjoyment"

local function message(text, player)
  local path = shell.file("plan.csv", text)
  local ok, problem = pcall(plan.read, path, player or "ann")
  luaunit.assertFalse(ok)
  return (tostring(problem):gsub(path:gsub("%p", "%%%0"), "PLAN"))
end

function Read.test_rows_of_a_player()
  local path = shell.file("plan.csv", rows("bob,1,two,a.txt,s,1,walk,1..10,difficulty", (good:gsub(",0,", ",1,")),
    "ann,2,two,other.txt,sum2,0,walk,1..7,difficulty+enjoyment"))
  luaunit.assertEquals(plan.read(path, "ann"), { game = "walk", low = 1, high = 7, enjoyment = true, steps = {
    { level = "one", file = "walk.txt", checksum = "sum", tutorial = true, place = path .. ":3" },
    { level = "two", file = "other.txt", checksum = "sum2", tutorial = false, place = path .. ":4" },
  } })
end

function Read.test_faults()
  for _, case in ipairs {
    { "player,level\nann,one\n", "PLAN:1: a plan needs the column 'position', which is not among the columns; there are: player, level" },
    { rows(good), "PLAN: found no player 'eve'; there are: ann", "eve" },
    { rows(good), "PLAN: found no player 'anne'; did you mean 'ann'?", "anne" },
    { rows((good:gsub("1%.%.7", "7..1"))), "PLAN:2: column 'scale': found '7..1', expected LOW..HIGH, two numbers" },
    { rows((good:gsub("difficulty.*", "fun"))),
      "PLAN:2: column 'questions': found 'fun', expected 'difficulty' or 'difficulty+enjoyment'" },
    { rows(good, good), "PLAN:3: column 'position': found '1', expected '2'" },
    { rows(good, (good:gsub("1,one", "2,one"):gsub("1%.%.7", "1..10"))), "PLAN:3: column 'scale': found '1..10', expected '1..7'" },
    { rows((good:gsub(",0,", ",maybe,"))), "PLAN:2: column 'tutorial': found 'maybe', expected '0'" },
  } do
    luaunit.assertEquals(message(case[1], case[3]), case[2])
  end
end

local Levels = {}

--- What is said when a level file is another than when the plan was made.
function Levels.test_changed_and_missing_levels()
  local self = game.load(playing.game "walk")
  local path = shell.file("levels.txt", "; one\n@O\n\n; two\n@.O\n")
  local steps = {}
  for i, entry in ipairs(self:expect_entries { path }) do
    steps[i] = { level = entry.name, file = path, checksum = plan.checksum(entry), tutorial = i == 1, place = "plan.csv:" .. i + 1 }
  end
  local found = plan.levels(steps, self)
  luaunit.assertEquals({ found[1].name, found[1].tutorial, found[2].name, found[2].place }, { "one", true, "two", "plan.csv:3" })
  shell.file("levels.txt", "; one\n@O\n\n; two\n@..O\n")
  luaunit.assertErrorMsgEquals(path .. ": level 'two': found another level than was planned, expected that of checksum "
    .. steps[2].checksum .. ", as in plan.csv:3", plan.levels, steps, self)
  shell.file("levels.txt", "; one\n@O\n")
  luaunit.assertErrorMsgEquals(path .. ": found no level 'two', expected it to be there, as in plan.csv:3", plan.levels, steps, self)
  os.remove(path)
  luaunit.assertErrorMsgEquals(("plan.csv:2: found no file '%s', expected it to be where the plan says, seen from this folder"):format(
    path), plan.levels, steps, self)
end

return { Assign = Assign, Checksum = Checksum, Read = Read, Levels = Levels }
