-- Tests of games/trainyard.lua: runs of trains worked out by hand, and the fewest tracks against all tracks of small boards.
local game = require "crux.game.game"
local long = require "long"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local trainyard = game.load "games/trainyard.lua"

local Trainyard = {}

local function level_of(text) return trainyard.parse(text, {}) end

--- What is told of the tracks drawn in a level, which is the last line of its picture.
local function told(text) return trainyard.draw(level_of(text)):match "[^\n]*$" end

function Trainyard.test_runs()
  for _, case in ipairs {
    { ">R ew =R", "all trains arrive after 2 ticks" },
    { ">RB ew ew =BR", "all trains arrive after 4 ticks" }, -- one train a tick
    { ">R ew . =R", "tick 2: the red train has no track at column 3, row 1" },
    { ">R ns =R", "tick 1: the red train has no track at column 2, row 1" },
    { ">R ew #\n. . =R", "tick 2: the red train has no track at column 3, row 1" },
    { ">R ew =B", "tick 2: the red train is not taken at column 3, row 1" },
    { ">R ew =RR", "the station at column 3, row 1 lacks a red train" },
    { ">R ew =R:ns", "tick 2: the red train is not taken at column 3, row 1" },
    { ">R ew =R:w", "all trains arrive after 2 ticks" },
    { ">R ew <R\n. =R .", "tick 2: the red train has no track at column 3, row 1" }, -- into the other's station
    -- Two trains that leave by one side become one, in the colour of both.
    { ">R sw+se <B\n. =P .", "all trains arrive after 2 ticks" },
    { ">R sw+se <Y\n. =O .", "all trains arrive after 2 ticks" },
    { ">Y sw+se <B\n. =G .", "all trains arrive after 2 ticks" },
    { ">P sw+se <B\n. =N .", "all trains arrive after 2 ticks" },
    { ">R sw+se <R\n. =R .", "all trains arrive after 2 ticks" },
    -- A switch sends the first train on its first track and the second one on the other.
    { "# =R #\n>RB nw+sw #\n# =B #", "all trains arrive after 3 ticks" },
    { "# =R #\n>RB sw+nw #\n# =B #", "tick 2: the red train is not taken at column 2, row 3" },
    -- The red train turns the right switch, though it comes by a side of one track alone; so does the left one, which it leaves first.
    { "# # # =R vR\n>B ew ew ne+ew nw+sw\n# # # # =B", "all trains arrive after 5 ticks" },
    -- On a crossing two trains meet, on curves that do not touch they do not.
    { "# vB #\n>R ew+ns =P\n# =P #", "all trains arrive after 2 ticks" },
    { "# vB #\n>R ne+sw =B\n# =R #", "all trains arrive after 2 ticks" },
    { "# =P =P #\n>R ew+ne ew+nw <B", "all trains arrive after 3 ticks" }, -- they meet at a side, against each other
    { "se ew sw .\nns # ns .\nne >R nw+sw .\n. =B . .", "tick 8: the red train has no track at column 2, row 3" },
    -- Round by round of four squares: 38 is the first tick after the train's own and four for each square.
    { ">R ew+se sw\n# ne nw\n# # =R", "tick 38: the red train runs for ever at column 3, row 2" },
  } do
    luaunit.assertEquals(told(case[1]), case[2], case[1])
  end
end

function Trainyard.test_meeting_at_a_side_is_counted()
  local solution = trainyard.solve(level_of "# =P =P #\n>R ew+ne ew+nw <B", {})
  luaunit.assertEquals({ solution.status, solution.run.ticks, solution.run.met, solution.run.mixed }, { "solved", 3, 1, 2 })
end

--- A board of 2 x 3 or 3 x 2 with stations at random and free squares, or nil.
local function board(source)
  local words = { source:pick { ">", "v", "<", "^" } .. source:pick { "R", "RB" } }
  words[2] = source:chance(0.3) and source:pick { ">", "v", "<", "^" } .. "B" or "#"
  words[3], words[4], words[5], words[6] = words[1]:find "B" and "=RB" or source:pick { "=R", "=P", "=PP", "=RB" }, ".", ".", "#"
  source:shuffle(words)
  return words
end

function Trainyard.test_fewest_tracks_against_all_tracks()
  long.leave_out()
  local pieces, squares = { "ns", "ew", "ne", "nw", "se", "sw" }, { "#" }
  for _, a in ipairs(pieces) do
    table.insert(squares, a)
    for _, b in ipairs(pieces) do
      if a ~= b then table.insert(squares, a .. "+" .. b) end
    end
  end
  local source, solved = random.new(os.getenv "CRUX_TEST_SEED" or 1), 0
  while solved < long.choose(3, 100) do
    local words, width = board(source), source:integer(2, 3)
    local function text()
      local rows = {}
      for y = 1, 6 // width do rows[y] = table.concat(words, " ", (y - 1) * width + 1, y * width) end
      return table.concat(rows, "\n")
    end
    local first, second
    for i, word in ipairs(words) do
      if word == "." then first, second = first or i, first and i end
    end
    local found, least = trainyard.solve(level_of(text()), {}), nil
    for _, a in ipairs(squares) do
      for _, b in ipairs(squares) do
        words[first], words[second] = a, b
        local count = (a == "#" and 0 or (#a + 1) // 3) + (b == "#" and 0 or (#b + 1) // 3)
        if (not least or count < least) and trainyard.solve(level_of(text()), {}).length then least = count end
      end
    end
    luaunit.assertEquals(found.length, least, text())
    luaunit.assertEquals(found.status, least and "solved" or "unsolvable")
    solved = solved + (least and 1 or 0)
  end
end

--- A variation has tracks as long as wanted, the same trains, and another text; wishes are met by variations.
function Trainyard.test_varied()
  local source, level, kinds = random.new(3), level_of ">R . .\n# . =R\n. . .\n", {}
  for _ = 1, 60 do
    local changed = trainyard.vary(level, source, { tracks = 2 })
    if changed then
      luaunit.assertEquals({ #changed.order, changed.trains, #changed.stations }, { 9, 1, 1 })
      luaunit.assertTrue(trainyard.solve(changed, {}).length >= 2)
      kinds[changed.stations[1].side .. changed.counts.rocks] = true
      level = changed
    end
  end
  local sides, rocks = {}, {}
  for kind in pairs(kinds) do sides[kind:sub(1, 1)], rocks[kind:sub(2)] = true, true end
  luaunit.assertTrue(next(sides, (next(sides))) ~= nil and next(rocks, (next(rocks))) ~= nil)
end

function Trainyard.test_what_cannot_be_found_is_said()
  local solution = trainyard.solve(level_of ">R . . <B\n. . . .\n. . . .\n=B . . =R", { states = 20 })
  luaunit.assertEquals({ solution.status, solution.limit, solution.generated }, { "unknown", "states", 20 })
end

function Trainyard.test_played()
  local level, play = level_of ">R . #\n. . .\n. . =R", trainyard.play
  local position = play.start(level)
  local function press(keys)
    local moves = 0
    for key in keys:gmatch "%S+" do
      local following, moved = play.step(position, key, level)
      position, moves = following or position, moves + (following and moved ~= false and 1 or 0)
    end
    return moves
  end
  luaunit.assertEquals(press "space right down down right", 3)
  luaunit.assertEquals({ play.cursor(position, level) }, { 7, 3 })
  luaunit.assertTrue(play.done(position, level))
  luaunit.assertStrContains(play.draw(position, level), ">R ┐  #\n.  │  .\n.  └──=R\nall trains arrive after 4 ticks\npencil")
  luaunit.assertEquals(press "space left c", 1)
  luaunit.assertFalse(play.done(position, level))
  luaunit.assertStrContains(play.draw(position, level), "tick 3: the red train has no track at column 2, row 3")
  position = play.hint(position, level, trainyard.solve(level, {}))
  luaunit.assertTrue(play.done(position, level))
  luaunit.assertNil(play.step(position, "down", level)) -- off the board
end

function Trainyard.test_wrong_levels()
  for text, message in pairs {
    [">R x\n. ."] = "1: column 4: found \"x\", expected '.', '#', a station ('>RB' or '=RB:ns') or tracks ('ns' or 'ne+ew')",
    [">R . =R\n. ."] = "2: column 1: found 2 squares, expected 3 as in the first row",
    [". =R"] = "found no station that sends trains, expected at least one, such as '>R'",
    [">R ."] = "found no station that takes trains, expected at least one, such as '=R'",
    [">R ns+ns =R"] = 'found "ns+ns"', [">R =R: ."] = 'found "=R:"', [">R nse =R"] = 'found "nse"', [">R ew+ =R"] = 'found "ew+"',
    [">R" .. (" ."):rep(20)] = "found more than 20 squares along a side, expected at most 20",
  } do
    local result = shell.crux("measure trainyard " .. shell.file("wrong.txt", text .. "\n"))
    luaunit.assertStrContains(result.err, message)
  end
end

function Trainyard.test_shipped()
  long.leave_out()
  local printed = shell.printed "measure trainyard datasets/levels/trainyard"
  luaunit.assertEquals(select(2, printed:gsub("\n[^\n]*,%d+,%d+,%d+,%d+,%d+,%d+", "")), 20)
end

return { Trainyard = Trainyard }
