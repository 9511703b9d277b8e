--- Tests of crux.plan: that plans are balanced whatever their sizes, and what is refused of one.
local game = require "crux.game.game"
local long = require "long"
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
  for seed = 1, long.choose(60, 300) do
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

local Next = {}

local wanted = { game = "walk", scale = { 1, 10 }, questions = {} }

local function entries(first, last)
  local list = {}
  for i = first, last do table.insert(list, { name = "level " .. i, path = "levels.txt", text = "@", notes = {} }) end
  return list
end

--- 57 players rate 80 levels until 520 plays are complete; a fifth of the levels is skipped. Each level has 6 or 7 ratings. Where
--- a plan deals levels beforehand and players stop when they like, levels have 2 to 11.
function Next.test_ratings_are_equal()
  local list = entries(1, 80)
  for seed = 1, long.choose(1, 5) do
    local numbers, played, complete, ratings = random.new(seed), {}, 0, {}
    while complete < 520 do
      local player = "p" .. numbers:integer(1, 57)
      local row = plan.next({}, list, played, player, wanted, numbers)[1]
      local is_skipped = numbers:integer(1, 5) == 1
      table.insert(played, { player = player, level = row.level, solved = not is_skipped, skipped = is_skipped,
        rating = is_skipped and 0 / 0 or 5 })
      if not is_skipped then
        complete = complete + 1
        add(ratings, tonumber(row.level:match "%d+"))
      end
    end
    luaunit.assertEquals({ extremes(ratings, 80) }, { 6, 7 }, "seed " .. seed)
    local static, stopped, left = {}, plan.assign(80, 57, 20, numbers), 520
    for number, hand in ipairs(stopped) do -- 1 to 20 levels, the last player as many as are missing
      local levels = math.min(left, number == 57 and 20 or numbers:integer(1, 17))
      left = left - levels
      for i = 1, levels do add(static, hand[i]) end
    end
    local least, greatest = extremes(static, 80)
    luaunit.assertTrue(least <= 4 and greatest >= 9, ("seed %d: %d to %d"):format(seed, least, greatest))
  end
end

--- The tutorial comes first, then a level with the fewest ratings that the player has not played; levels of the tutorial and
--- unfinished ones count for the position as they are finished.
function Next.test_by_hand()
  local function row(player, level, rating) return { player = player, level = "level " .. level, rating = rating or 0 / 0,
    solved = rating ~= nil, skipped = rating == nil, tutorial = level <= 2 } end
  local played = { row("ann", 1, 3), row("ann", 4, 5), row("bob", 3, 2), row("bob", 5, 2), row("bob", 4), row("ann", 3) }
  local function next_of(player)
    local list = {}
    for i, one in ipairs(plan.next(entries(1, 2), entries(3, 5), played, player, wanted, random.new(1))) do
      list[i] = { one.position, one.level, one.tutorial }
    end
    return list
  end
  luaunit.assertEquals(next_of "ann", { { 4, "level 2", 1 }, { 5, "level 5", 0 } })
  luaunit.assertEquals({ next_of "cyd"[1], next_of "cyd"[2], #next_of "cyd" }, { { 1, "level 1", 1 }, { 2, "level 2", 1 }, 3 })
  luaunit.assertEquals(next_of "bob", {})
  played[4].solved, played[4].rating = false, 0 / 0 -- has only restarted it
  luaunit.assertEquals(next_of "bob", { { 3, "level 1", 1 }, { 4, "level 2", 1 }, { 5, "level 5", 0 } })
end

--- The level that nobody has played tells more; the one that was solved is easier, and nearer to a chance of 0.7.
function Next.test_by_outcomes()
  local function play(level, is_solved) return { player = "ann", level = "level " .. level, solved = is_solved, skipped = not is_solved,
    rating = 0 / 0 } end
  for order, record in pairs { variance = { play(1, true) }, ability = { play(2, true), play(1, false) } } do
    local asked = { game = "walk", scale = { 1, 10 }, questions = {}, order = order, success = 0.7 }
    luaunit.assertEquals(plan.next({}, entries(1, 2), record, "bob", asked, random.new(1))[1].level, "level 2")
  end
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

local good = "ann,1,one,walk.txt,sum,0,walk,1..7,difficulty+enjoyment,consent.txt,,age: 1..120; school"

local function message(text, player)
  local path = shell.file("plan.csv", text)
  local ok, problem = pcall(plan.read, path, player or "ann")
  luaunit.assertFalse(ok)
  return (tostring(problem):gsub(path:gsub("%p", "%%%0"), "PLAN"))
end

function Read.test_rows_of_a_player()
  local path = shell.file("plan.csv", rows("bob,1,two,a.txt,s,1,walk,1..10,difficulty,,,", (good:gsub(",0,", ",1,")),
    (good:gsub("1,one,walk.txt,sum", "2,two,other.txt,sum2"))))
  luaunit.assertEquals(plan.read(path, "ann"), { game = "walk", low = 1, high = 7, before = 0, consent = "consent.txt",
    instructions = "", questions = { enjoyment = true, skipped = false, tutorial = false }, steps = {
    { level = "one", file = "walk.txt", checksum = "sum", tutorial = true, place = path .. ":3" },
    { level = "two", file = "other.txt", checksum = "sum2", tutorial = false, place = path .. ":4" },
  }, interview = { { name = "age", hint = "1..120", low = 1, high = 120 }, { name = "school", hint = "" } } })
end

--- A plan of an earlier version has no consent, instructions and questions about the player.
function Read.test_earlier_plan()
  local path = shell.file("plan.csv", (header:gsub(",consent.*", "\n")) .. good:gsub(",consent.*", "") .. "\n")
  local planned = plan.read(path, "ann")
  luaunit.assertEquals({ planned.consent, planned.instructions, planned.interview, planned.questions.enjoyment }, { "", "", {}, true })
end

--- A plan for a player who has played before; all that may be asked.
function Read.test_position_and_questions()
  local text = good:gsub("ann,1", "ann,8"):gsub("%+enjoyment", "+enjoyment+skipped+tutorial")
  local planned = plan.read(shell.file("plan.csv", rows(text)), "ann")
  luaunit.assertEquals({ planned.before, planned.questions }, { 7, { enjoyment = true, skipped = true, tutorial = true } })
end

function Read.test_faults()
  for _, case in ipairs {
    { "player,level\nann,one\n", "PLAN:1: a plan needs the column 'position', which is not among the columns; there are: player, level" },
    { rows(good), "PLAN: found the unknown player 'eve'; there are: ann", "eve" },
    { rows(good), "PLAN: found the unknown player 'anne'; did you mean 'ann'?", "anne" },
    { rows((good:gsub("1%.%.7", "7..1"))), "PLAN:2: column 'scale': found '7..1', expected LOW..HIGH, two numbers" },
    { rows((good:gsub("difficulty%+enjoyment", "fun"))), "PLAN:2: column 'questions': found 'fun', expected 'difficulty', "
      .. "then '+enjoyment', '+skipped' and '+tutorial' if they are asked" },
    { rows((good:gsub("school", "age"))), "PLAN:2: column 'interview': found 'age', expected a new NAME, NAME: LOW..HIGH or NAME: CHOICE, CHOICE" },
    { rows((good:gsub("ann,1", "ann,first"))), "PLAN:2: column 'position': found 'first', expected '1'" },
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
  luaunit.assertErrorMsgEquals(path .. ": level 'two': found a changed level, expected that of checksum "
    .. steps[2].checksum .. ", as in plan.csv:3", plan.levels, steps, self)
  shell.file("levels.txt", "; one\n@O\n")
  luaunit.assertErrorMsgEquals(path .. ": found no level 'two', expected the level of plan.csv:3", plan.levels, steps, self)
  os.remove(path)
  luaunit.assertErrorMsgEquals(("plan.csv:2: found no file '%s', expected the file of the plan, seen from this folder"):format(
    path), plan.levels, steps, self)
end

return { Assign = Assign, Next = Next, Checksum = Checksum, Read = Read, Levels = Levels }
