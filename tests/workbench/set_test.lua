--- Tests of the view Set's messages: ratings, twins, choices, made levels and saved orders, with files in memory.
local engines = require "crux.workbench.engine"
local fault = require "crux.base.fault"
local levels = require "crux.game.levels"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"

local Set = {}

-- The second level is the first one mirrored, with other names.
local texts = { ["a.txt"] = "; one\nA . a\n\n\n; two\r\nb . B\n; below\n\n; three\nA . . . a", ["b.txt"] = "a . . A\n", ["c.txt"] = "no level\n" }

local function ask(message, files)
  files = files or texts
  local function read(path)
    if not files[path] then fault.at(path, "no such file", "a file") end
    return files[path], "version of " .. files[path]
  end
  local engine = engines.new { named = {}, list = function() return lists.keys(files) end, read = read }
  return engine:answer(lists.merge({ game = "move", rule = "move" }, message))
end

function Set.test_all_levels_with_ratings_and_twins()
  local answer = ask { kind = "set" }
  local found = {}
  for i, level in ipairs(answer.levels) do found[i] = { level.name, level.path, level.place, level.twin or false } end
  luaunit.assertEquals(found, { { "one", "a.txt", 1, false }, { "two", "a.txt", 2, 1 }, { "three", "a.txt", 3, false },
    { "b", "b.txt", 1, false } })
  luaunit.assertEquals(#answer.problems, 1)
  luaunit.assertStrContains(answer.problems[1], "c.txt:1")
  luaunit.assertEquals(answer.levels[1].rating, answer.levels[2].rating)
  luaunit.assertEquals(answer.levels[3].rating,
    ask({ kind = "level", text = "A . . . a\n" }).rating) -- the view Level says the same
  luaunit.assertStrContains(answer.levels[1].picture, "<svg")
  luaunit.assertEquals(answer.versions["b.txt"], "version of a . . A\n")
end

--- Answers with some of the levels, one after another, have the same levels as the answer with all: also where an engine has told
--- none of those before.
function Set.test_levels_some_at_a_time()
  local all, found, first, answers = ask { kind = "set" }, {}, 1, 0
  while first do
    local answer = ask { kind = "set", first = first }
    luaunit.assertEquals({ answer.count, answer.versions, answer.problems }, { 4, all.versions, all.problems })
    luaunit.assertEquals(answer.next or 5, first + #answer.levels)
    luaunit.assertTrue(#answer.levels > 0)
    table.move(answer.levels, 1, #answer.levels, #found + 1, found)
    first, answers = answer.next, answers + 1
  end
  luaunit.assertEquals(found, all.levels)
  luaunit.assertEquals(ask({ kind = "set", first = 2 }).levels[1], all.levels[2]) -- the twin of the level before
end

--- An answer ends after a level whose search takes long; its limit is told. A wish for an answer ends it, too, but not before its
--- first level. The board of 8 x 8 has 8,125,896 states, for which no machine needs only 0.07 s.
function Set.test_an_answer_with_some_levels_is_short()
  local hard = "a b . . A . . .\n. # . . . . . .\n. . c . B . . .\n. . . # . . . .\nC . . . d . . .\n. . . . . D . .\n"
    .. (". . . . . . . .\n"):rep(2)
  local text = "A a\n\n" .. hard .. "\nA . a\n"
  local function answered(tell, more)
    local engine = engines.new { named = {}, list = function() return { "a.txt" } end, read = function() return text, "1" end, tell = tell }
    return engine:answer(lists.merge({ kind = "set", game = "move", rule = "move", first = 1 }, more))
  end
  luaunit.assertEquals(answered(function() return true end).next, 2)
  local answer = answered(nil, { first = 2, seconds = 0.07 })
  luaunit.assertEquals({ answer.next, answer.levels[1].limit, answer.levels[1].rating }, { 3, "seconds" })
end

function Set.test_a_level_with_a_mistake_has_its_place()
  local answer = ask({ kind = "set", paths = { "a.txt" } }, { ["a.txt"] = "A a\n\n; x\nA . ?\n" })
  luaunit.assertEquals({ #answer.levels, answer.levels[2].rating }, { 2 })
  luaunit.assertStrContains(answer.levels[2].problem, "a.txt:4: column 5: found '?'")
end

--- Ratings rise with the length: one < b < three; the twin of one is no candidate.
function Set.test_levels_for_a_curve()
  local rated = ask({ kind = "set" }).levels
  local function around(i) return ("%.3f..%.3f"):format(rated[i].rating - 0.01, rated[i].rating + 0.01) end
  luaunit.assertEquals(ask({ kind = "choose", wanted = { around(3), "9..10", around(1), around(2) } }).places, { 3, 0, 1, 0 })
  luaunit.assertStrContains(ask({ kind = "choose", wanted = { "x" } }).fault.message, "wanted: found 'x'")
end

function Set.test_levels_are_made_for_gaps()
  long.only()
  local answer = ask { kind = "make", wanted = { "3..4", "2..2.5" }, like = "moves<=9", seed = 3, seconds = 60 }
  luaunit.assertEquals({ #answer.levels, #answer.remarks }, { 2, 0 })
  for i, least in ipairs { 3, 2 } do
    local made = answer.levels[i]
    luaunit.assertEquals(made.slot, i)
    luaunit.assertTrue(made.rating >= least and made.rating <= least + 1)
    luaunit.assertAlmostEquals(made.rating, ask({ kind = "level", text = made.text }).rating, 1e-12)
  end
end

function Set.test_ratings_that_no_level_has()
  luaunit.assertStrContains(ask({ kind = "make", wanted = { "40" } }).fault.message, "on the scale of rule 'move'")
end

local function arranged(path, numbers, versions, files)
  return ask({ kind = "arrange", path = path, versions = versions or {}, levels = lists.map(numbers, function(number)
    return math.type(number) and { number = number } or number
  end) }, files)
end

--- Levels exchange their places with their comments; blank lines between them stay.
function Set.test_an_order_in_the_same_file()
  local write = arranged("a.txt", { 3, 1, 2 }).write
  luaunit.assertEquals(write.text, "; three\nA . . . a\n\n\n; one\nA . a\n\n; two\r\nb . B\n; below\n")
  luaunit.assertEquals(write.version, "version of " .. texts["a.txt"])
end

--- In another file a level keeps the name that it had by its file; made levels come along.
function Set.test_an_order_in_a_new_file()
  local write = arranged("new.txt", { 4, { name = "made", text = "; rating: 2\nA a\n" }, 1 }).write
  luaunit.assertNil(write.version)
  luaunit.assertEquals(write.text, "; b\na . . A\n\n; made\n; rating: 2\nA a\n\n; one\nA . a\n")
  local game = games.load "move"
  luaunit.assertEquals(lists.field(levels.split(write.text, "new.txt", game.files), "name"), { "b", "made", "one" })
end

function Set.test_files_that_changed_are_not_written()
  luaunit.assertStrContains(arranged("a.txt", { 1 }, { ["a.txt"] = "version of another text" }).fault.message,
    "a.txt: found a file that changed meanwhile")
end

return Set
