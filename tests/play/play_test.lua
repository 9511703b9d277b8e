--- Tests of crux.play.play, session, record and plays: playing without a terminal.
local game = require "crux.game.game"
local hints = require "crux.play.hints"
local board = require "libcrux.board"
local board_of = require "crux.play.board"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local plays = require "crux.play.plays"
local record = require "crux.play.record"
local Session = require "crux.play.session"
local shell = require "shell"
local solving = require "solving"
local states = require "crux.search.state"
local file_system = require "libcrux.files"

local function begin(name, text, changes)
  local self = game.load(playing.game(name, changes))
  return Session.new(play.rules(self), self.parse(text, {}))
end

local function press(session, keys)
  for key in keys:gmatch "%S+" do session:press(key) end
end

--- What a player sees of it.
local function seen(session)
  return table.concat(session:draw(), "/"), session.moves, session.message
end

local function expect(session, keys, drawing, moves, message)
  press(session, keys)
  luaunit.assertEquals({ seen(session) }, { drawing, moves, message or "" }, keys)
end

local Search = {}

function Search.test_moves_count_and_are_taken_back()
  local session = begin("walk", "@..O\n.#..\n")
  expect(session, "", "@..O/.#..", 0)
  expect(session, "left up", "@..O/.#..", 0) -- nothing moves
  expect(session, "right", ".@.O/.#..", 1)
  expect(session, "down left", "@..O/.#..", 2)
  expect(session, "down", "...O/@#..", 3)
  expect(session, "right nonsense h j k l a s d", "...O/@#..", 3) -- keys that no row names
  expect(session, "u", "@..O/.#..", 3)
  expect(session, "u", ".@.O/.#..", 3)
  expect(session, "u", "@..O/.#..", 3)
  expect(session, "u", "@..O/.#..", 3, "nothing to undo")
  expect(session, "r", "@..O/.#..", 3)
  expect(session, "right right", "..@O/.#..", 5)
  expect(session, "r", "@..O/.#..", 5)
  expect(session, "u", "..@O/.#..", 5) -- a restart is taken back like a move
  luaunit.assertFalse(session:done())
  expect(session, "right", "...@/.#..", 6)
  luaunit.assertTrue(session:done())
  expect(session, "left u r ?", "...@/.#..", 6) -- the end
end

function Search.test_time_ends_with_the_solution()
  local session = begin("walk", "@O")
  session:pass(1.5)
  session:pass(0.25)
  press(session, "right")
  session:pass(7)
  luaunit.assertEquals(session.seconds, 1.75)
end

function Search.test_lost()
  local session = begin("walk", "@^O\n...\n")
  expect(session, "right", ".@O/...", 1, "lost: u undoes, r restarts")
  luaunit.assertTrue(session:lost())
  expect(session, "right", ".@O/...", 1, "lost: u undoes, r restarts")
  expect(session, "?", ".@O/...", 1, "lost: u undoes, r restarts")
  expect(session, "u", "@^O/...", 1)
  expect(session, "right r", "@^O/...", 2)
  luaunit.assertFalse(session:lost() or session:done())
end

--- Moves that lose count, not positions that are lost.
--- Nothing follows what is said first when nothing was said.
function Search.test_what_is_said_first()
  local session = begin("walk", "@..O\n")
  session:say_first "skipped"
  luaunit.assertEquals(session.message, "skipped")
  session:say_first "first"
  luaunit.assertEquals(session.message, "first; skipped")
end

function Search.test_losses()
  local session = begin("walk", "@^O\n...\n")
  press(session, "right right u right")
  luaunit.assertEquals(session.losses, 2)
  press(session, "r u")
  luaunit.assertTrue(session:lost())
  luaunit.assertEquals(session.losses, 2)
end

function Search.test_hints_solve_from_where_one_is()
  local session = begin("walk", ".@..O\n")
  expect(session, "left ?", "@...O", 1, "hint: right, then 3 more")
  expect(session, "right ?", ".@..O", 2, "hint: right, then 2 more")
  expect(session, "? right right ?", "...@O", 4, "hint: right") -- as the plan has it
  expect(session, "u", "..@.O", 4)
end

function Search.test_hint_where_there_is_none()
  expect(begin("walk", "@#O"), "?", "@#O", 0, "no hint: it cannot be solved from here; u undoes")
end

function Search.test_hint_takes_no_more_than_its_time()
  local given = hints.seconds
  hints.seconds = 1e-9
  local session = begin("walk", "@" .. ("."):rep(90) .. "#O")
  press(session, "?")
  hints.seconds = given
  luaunit.assertEquals(session.message, "no hint: not solved within 1e-09 seconds")
  luaunit.assertEquals(session.moves, 0)
end

function Search.test_solved_as_it_stands()
  local session = begin("walk", "@O", { ["tired = false }"] = "tired = false }, true" })
  luaunit.assertTrue(session:done())
  expect(session, "right u ?", "@O", 0)
end

function Search.test_truth_values_have_operators()
  local session = begin("walk", "@.O", { ['return here == "O"'] = 'return (here == "O") & ~(here == "^")' })
  expect(session, "right right", "..@", 2)
  luaunit.assertTrue(session:done())
end

--- Moves without an arrow take the first letter that is free and not crux's own (q u r n p x ?), else a digit.
function Search.test_keys_of_moves()
  local function rows(moves)
    local session = begin("walk", "@O", { ['{ "U", "L", "D", "R", "wait" }'] = moves })
    local list = lists.map(session.rules.keys, function(row) return row[1] .. ": " .. row[2] end)
    return list
  end
  luaunit.assertEquals(rows '{ "U", "L", "D", "R", "wait" }', { "up left down right: move", "w: wait" })
  luaunit.assertEquals(rows '{ "R", "L" }', { "left right: move" })
  luaunit.assertEquals(rows '{ ".", "left", "wait", "walk", "wa", "w", "Q", "up" }',
    { "up left: move", ".: move .", "w: wait", "a: walk", "1: wa", "2: move w", "3: move Q" })
end

--- Where no key is left for a move, moves are chosen from a list.
function Search.test_moves_from_a_list()
  local moves = { "'R'", "'L'" }
  for i = 1, 10 do moves[i + 2] = ("'%s'"):format(("q"):rep(i)) end
  local session = begin("walk", ".@O", { ['{ "U", "L", "D", "R", "wait" }'] = ("{ %s }"):format(table.concat(moves, ", ")) })
  luaunit.assertEquals(session.rules.keys, { { "left right", "choose a move" }, { "enter", "make it" } })
  expect(session, "left", ".@O/qqqqqqqqqq: move 12 of 12", 0)
  expect(session, "right right", ".@O/L: move 2 of 12", 0)
  expect(session, "enter", "@.O/L: move 2 of 12", 1)
  expect(session, "u left enter enter", "..@/R: move 1 of 12", 2)
end

--- A game may give keys to moves itself; the others are free.
function Search.test_keys_of_the_game()
  local function with(keys) return begin("walk", ".@O", { ["return game"] = ("game.keys = %s\nreturn game"):format(keys) }) end
  luaunit.assertEquals(with '{ wait = "space", U = "w" }'.rules.keys,
    { { "left down right", "move" }, { "w", "move U" }, { "space", "wait" } })
  local where = shell.path "walk.lua" .. ": keys['%s']: "
  for _, case in ipairs {
    { '{ jump = "j" }', "jump", "found no such move, expected a move of search" },
    { '{ wait = 1 }', "wait", "found 1, expected the name of a key" },
    { '{ wait = "u" }', "wait", "found 'u', expected a key that is not crux's own" },
    { '{ L = "a", wait = "a" }', "wait", "found 'a', the key of 'L', too, expected a key for each move" },
  } do
    luaunit.assertErrorMsgEquals(where:format(case[2]) .. case[3], with, case[1])
  end
end

--- Cars A and B slide left and right; the cursor picks one, and the arrows move it.
function Search.test_pieces_picked_by_a_cursor()
  local path = shell.file("cars.lua", [[
local game = crux.game "cars"
function game.parse(text) return { text = text:gsub("\n", ""), width = #text - 1, height = 1 } end
function game.draw(level, _, now)
  local row = {}
  for x = 1, level.width do row[x] = now and (now.A == x and "A" or now.B == x and "B") or "." end
  return table.concat(row, " ") .. "\n"
end
function game.pick(level, now, x)
  return now.A == x and { L = "A-", R = "A+" } or now.B == x and { L = "B-", R = "B+" } or x == level.width and "A+" or nil
end
game.search = { moves = { "A-", "A+", "B-", "B+" },
  state = function(level) return { A = crux.integer(1, level.width), B = crux.integer(1, level.width) } end,
  start = function(level) return { A = level.text:find "A", B = level.text:find "B" } end,
  step = function(now, move, level)
    local car = move:sub(1, 1)
    local other, to = now[car == "A" and "B" or "A"], now[car] + (move:find "-" and -1 or 1)
    now[car] = crux.where(crux.ne(to, other) & crux.ge(to, 1) & crux.le(to, level.width), to, now[car])
    return crux.eq(now.A, level.width)
  end }
return game
]])
  local session = Session.new(play.rules(game.load(path)), game.load(path).parse("A..B\n"))
  luaunit.assertEquals(session.rules.keys[2], { "enter", "pick, or put down" })
  luaunit.assertEquals({ session:cursor() }, { 1, 1 })
  expect(session, "enter right", ". A . B/held: arrows move it, Enter puts it down", 1)
  luaunit.assertEquals({ session:cursor() }, { 3, 1 })
  expect(session, "right right", ". . A B/held: arrows move it, Enter puts it down", 2) -- B is in the way
  expect(session, "enter right", ". . A B", 2)
  luaunit.assertEquals({ session:cursor() }, { 7, 1 })
  expect(session, "enter left", ". . A B/held: arrows move it, Enter puts it down", 2)
  expect(session, "enter u enter", ". A . B", 2) -- undo leads to where the cursor was
end

--- Without a drawing of the state, its fields are shown: below the level if there is a text of it, sorted by name.
function Search.test_fields_without_a_drawing()
  local format = { ["game.draw(level, _, state)"] = "game.format(level, state)" }
  expect(begin("walk", "@.O", format), "right", "@.O/at: 2/tired: false", 1)
  expect(begin("walk", "@.O", { ["game.draw(level, _, state)"] = "game.draw(level, state)" }), "right", "@.O/at: 2/tired: false", 1)
  local session = begin("walk", "@.O", { ["game.draw"] = "game.vary" })
  expect(session, "", "at: 1/tired: false", 0)
  luaunit.assertEquals({ session:cursor() }, {})
  expect(session, "right", "at: 2/tired: false", 1)
  luaunit.assertEquals(states.text { b = { true, false }, a = -3, c = board.new(2, 2, { { 1, 2 } }), d = { board.new(2, 1) } },
    "a: -3\nb: true false\nc:\n..\n#.\nd:\n..\n")
end

local Play = {}

function Play.test_cursor_moves_do_not_count()
  local session = begin("lights", "..*")
  luaunit.assertEquals({ session:cursor() }, { 2, 2 })
  expect(session, "right", "┌───┐/ ..*", 0)
  luaunit.assertEquals({ session:cursor() }, { 3, 2 })
  expect(session, "right right right", "┌───┐/ ..*", 0) -- the last at the edge, where nothing happens
  luaunit.assertEquals({ session:cursor() }, { 4, 2 })
  expect(session, "left space", "┌───┐/ .**", 1)
  expect(session, "left u", "┌───┐/ ..*", 1)
  luaunit.assertEquals({ session:cursor() }, { 3, 2 }) -- where it was before the move
  expect(session, "a", "┌───┐/ **.", 2) -- the game's own key, not an arrow
  expect(session, "r left left space right space", "┌───┐/ ***", 4)
  luaunit.assertTrue(session:done())
end

function Play.test_hints()
  local session = begin("lights", "*..")
  local said = "hint: the board after the next step; any key shows yours again"
  expect(session, "?", "┌───┐/ **.", 0, said)
  expect(session, "?", "┌───┐/ **.", 0, said)
  expect(session, "right", "┌───┐/ *..", 0)
  expect(session, "space ?", "┌───┐/ ***", 1, said)
  expect(session, "u", "┌───┐/ *..", 1)
  expect(begin("lights", "........."), "?", "┌─────────┐/ .........", 0, "no hint: this level has no solution")
  expect(begin("lights", ".", { ['{ status = "solved"'] = '{ status = "unknown", limit = "states"' }), "?", "┌─┐/ .", 0,
    "no hint: not solved within the limit on states")
  expect(begin("lights", ".", { ["if solution.lights ~= position.lights then"] = "if false then" }), "?", "┌─┐/ .", 0,
    "no hint here")
  expect(begin("lights", ".", { ["hint = function"] = "hint = nil, other = function" }), "?", "┌─┐/ .", 0,
    "this game has no hints")
end

--- crux's own games: a level of each, played by hand and by hints.
local Games = {}

local function own(name, text)
  local self = game.load(name)
  return Session.new(play.rules(self), self.parse(text, {}))
end

local function expect_solved(session, keys, moves, drawing)
  press(session, keys)
  luaunit.assertTrue(session:done(), keys)
  luaunit.assertEquals({ seen(session) }, { drawing, moves, session.message })
end

function Games.test_move()
  expect_solved(own("move", "a . A\n. b B\n"), "right right", 2, ".  .  aA/.  .  bB")
end

--- A move is to take up a path; one that is crossed ends there, and one that reaches its end is put down.
function Games.test_flow()
  local text = "A.B\n..B\nA..\n"
  local session = own("flow", text)
  expect(session, "space down", "A · B/╵ · B/A · ·/holding A", 1)
  luaunit.assertEquals({ session:cursor() }, { 1, 2 })
  expect(session, "right up right", "A ╷ B/└─┘ B/A · ·/holding A", 1) -- not on into B's end
  expect(session, "u", "A · B/· · B/A · ·", 1)
  expect_solved(session, "space down down up up right right space left down down right up", 3, "A ┌─B/│ │ B/A └─┘")
  expect(own("flow", text), "?", "A · B/│ · B/A · ·", 0, "hint: the board after the next step; any key shows yours again")
end

--- Waiting changes the stamina, and what the enemy does next.
function Games.test_dungeongrams()
  local session = own("dungeongrams", "@*O\n---\n#--\n")
  luaunit.assertEquals(session.rules.keys, { { "up left down right", "move" }, { ".", "move ." } })
  expect(session, ".", "@*O/---/#--/stamina 39", 1)
  expect(session, ".", "@*O/#--/---/stamina 38", 2)
  expect(session, ". .", "#*O/---/---/stamina 36", 4, "lost (enemy): u undoes, r restarts")
end

--- The beam passes the target as it is; the block has to be placed all the same.
function Games.test_lazors()
  local text = "GRID START\no o\nGRID STOP\nA 1\nL 0 1 1 1\nP 1 2\n"
  expect_solved(own("lazors", text), "a a right a", 3, "/* .   A/  @//in hand: A 0")
  expect(own("lazors", text), "?", "/* .   A/  @//in hand: A 0", 0, "hint: the board after the next step; any key shows yours again")
end

--- A level that is solved in the fewest moves takes as many as `crux solve` prints and the measure of moves says, whatever keys
--- or drags each takes; in games that are solved at once, as many as there are paths, rectangles, blocks or cells.
function Games.test_moves_are_those_of_solve()
  for _, solved in ipairs(lists.concat(solving.games(), solving.templates())) do
    for number, level in ipairs(solved.levels) do
      local session = solving.session(solved, number)
      for _, deed in ipairs(level.deeds) do solving.by_keyboard(deed, session, function(key) session:press(key) end) end
      luaunit.assertEquals({ session:done(), session.moves }, { true, #level.deeds }, solved.script)
      if solved.game.search then luaunit.assertEquals(solved.game:solution(level.level, {}).length, session.moves) end
    end
  end
end

--- What those hear who cannot see the board: the first row of a level, after keys.
function Games.test_what_is_told()
  for name, case in pairs {
    slitherlink = { "3.\n..\n", "right -", { "corner", "edge, line", "corner", "edge", "corner" } },
    masyu = { "o.\n.*\n", "right +", { "cell, white", "edge, gap", "cell" } },
    kakuro = { "# 3\\ 4\\\n\\3 . .\n\\4 . .\n", "", { "wall", "below: 3, wall", "below: 4, wall" } },
    heyawake = { "a1 a\nb b\n", "right #", { "number: 1, region: a", "shaded, region: a" } },
    lazors = { "GRID START\no A o\nGRID STOP\nA 1\nL 1 0 1 1\nP 5 2\n", "a", { "A, laser: above", "fixed: A", "target: below" } },
    move = { "a A b\n. . B\n", "", { "ball: a", "goal: A", "ball: b" } },
    flow = { "A.A\nB.B\n", "space right", { "A", "path: A", "A" } },
  } do
    local session, found = own(name, case[1]), nil
    press(session, case[2])
    for _, row in ipairs(board_of.of(session, game.load(name), session.rules)) do found = row[1] == "told" and row[2][1] or found end
    luaunit.assertEquals(found, case[3], name)
  end
end

--- Slides of a piece in one direction are one move, which is taken back at once, as long as no other is between. Slides by one
--- square (`single`) are moves of their own, as its searches count.
function Games.test_slides()
  local text = "....BB\n......\nAA....\n......\n......\n......\n"
  local session = own("rushhour", text)
  local held = "held: arrows move it, Enter puts it down"
  expect(session, "down down enter right right", "....BB/....../..AA../....../....../....../" .. held, 1)
  expect(session, "left", "....BB/....../.AA.../....../....../....../" .. held, 2)
  expect(session, "u", "....BB/....../..AA../....../....../....../" .. held, 2)
  expect(session, "enter enter right", "....BB/....../...AA./....../....../....../" .. held, 2) -- one slide goes on
  expect(session, "u", "....BB/....../AA..../....../....../....../" .. held, 2)
  local path = shell.file("single.lua", 'return crux.kits.slide { name = "single", along = true, single = true, measures = {} }')
  expect(own(path, text), "down down enter right right", "....BB/....../..AA../....../....../....../" .. held, 2)
end

local Faults = {}

local function refuse(name, changes, message, keys)
  local where = shell.path(name .. ".lua") .. ": "
  luaunit.assertErrorMsgEquals(where .. message, function()
    local session = begin(name, name == "walk" and "@.O" or "...", changes)
    session:draw()
    session:cursor()
    press(session, keys or "")
    session:draw()
  end)
end

function Faults.test_scripts()
  for _, case in ipairs {
    { "walk", { ["return { at = { level.at }, tired = false }"] = "return 5" },
      "start: found 5, expected a table of the state's fields" },
    { "walk", { ["bright yellow"] = "pink" }, "colours['@']: found 'pink', expected one of black, red, green, yellow, blue, "
      .. "magenta, cyan, white, or bright and one of them" },
    { "walk", { ['["@"] = '] = "ab = " }, "colours: found 'ab', expected a single character" },
    { "walk", { ['return table.concat(lines, "\\n") .. "\\n"'] = "return lines" }, "draw: found a table, expected text" },
    { "lights", { ["game.play ="] = "local _ =" }, "found neither search nor play, expected one of them, to play it" },
    { "lights", { ["done ="] = "over =" }, "play.done: found nothing, expected a function" },
    { "lights", { ["hint = function"] = "hint = 5, other = function" }, "play.hint: found a number, expected a function" },
    { "lights", { ["keys ="] = "buttons =" }, "play.keys: found no list, expected { { \"space\", \"what it does\" }, ... }" },
    { "lights", { ['{ "a", "all" }'] = '"a"' }, "play.keys: found 'a', expected rows { \"space\", \"what it does\" }" },
    { "lights", { ['{ "a", "all" }'] = '{ "a u", "all" }' }, "play.keys: found 'u', expected keys that are not crux's own" },
    { "lights", { ["return position.at + 1, 2"] = "return position.at / 2, 2" },
      "play.cursor: found 0.5 and 2, expected two integers, or nil" },
    { "lights", { ["draw = function(position)"] = "draw = function() end, drawing = function(position)" },
      "play.draw: found nil, expected text" },
  } do
    refuse(case[1], case[2], case[3])
  end
end

--- What a hook raises names the script and its line.
function Faults.test_hooks_that_raise()
  local walk, lights = shell.path "walk.lua", shell.path "lights.lua"
  local function message(name, changes, keys)
    local ok, problem = pcall(function() press(begin(name, name == "walk" and "@.O" or "...", changes), keys) end)
    luaunit.assertFalse(ok)
    return tostring(problem)
  end
  luaunit.assertEquals(message("walk", { ["local here = level"] = "local here = level.walls" }, "right"),
    walk .. ":26: attempt to index a nil value (field 'walls')")
  luaunit.assertEquals(message("walk", { ["local here = level"] = "error({}) local here = level" }, "right"),
    walk .. ": raised a table")
  luaunit.assertEquals(message("lights", { ["if key == \"space\" then"] = "if key == \"space\" then error('no', 0)" }, "space"),
    lights .. ": play.step: no")
end

local Record = {}

local layout = { "player", "level", "rating", "time", "moves_used", "skipped" }
local header = table.concat(layout, ",") .. "\n"

local function fresh(name)
  os.remove(shell.path(name))
  return shell.path(name)
end

local function open(path, player, is_alone) return record.open(path, player, { layout }, is_alone) end

function Record.test_file_is_made_with_its_first_row()
  local path = fresh "record.csv"
  local rows = open(path, "ann")
  luaunit.assertFalse(shell.exists(path))
  rows:append { level = "one, two", rating = 10, time = 53, moves_used = 7, skipped = 0 }
  rows:append { level = "3", time = 0.1, moves_used = 0, skipped = 1 }
  luaunit.assertEquals(shell.read(path), header .. 'ann,"one, two",10,53,7,0\nann,3,,0.1,0,1\n')
  luaunit.assertEquals(rows.count, 2)
end

function Record.test_goes_on_with_a_file()
  local path = fresh "record.csv"
  open(path, "ann"):append { level = "1", rating = 2, time = 3, moves_used = 4, skipped = 0 }
  local ann, bob = open(path, "ann"), open(path, "bob")
  luaunit.assertEquals(ann.rows, { { player = "ann", level = "1", rating = "2", time = "3", moves_used = "4", skipped = "0",
    place = path .. ":2" } })
  bob:append { level = "1", rating = 5, time = 6, moves_used = 7, skipped = 0 }
  ann:append { level = "2", time = 8, moves_used = 9, skipped = 1 } -- beside what bob appended since
  luaunit.assertEquals(shell.read(path), header .. "ann,1,2,3,4,0\nbob,1,5,6,7,0\nann,2,,8,9,1\n")
end

function Record.test_files_without_rows_or_a_last_line_end()
  for text, before in pairs {
    [header .. "ann,1,2,3,4,0"] = header .. "ann,1,2,3,4,0\n", [header:gsub("\n", "")] = header, [""] = header,
    [header] = header, [header:gsub("\n", "\r\n")] = header:gsub("\n", "\r\n"),
  } do
    local path = shell.file("record.csv", text)
    open(path, "bob"):append { level = "1", time = 1, moves_used = 1, skipped = 1 }
    luaunit.assertEquals(shell.read(path), before .. "bob,1,,1,1,1\n")
  end
end

--- A killed program leaves any beginning of a row. A row that lacks only its end is whole.
function Record.test_torn_last_line()
  local first, second = "ann,1,2,3,4,0\n", 'ann,"one, 1",7,5.5,16,0'
  for length = 1, #second do
    local path = shell.file("record.csv", header .. first .. second:sub(1, length))
    local rows = open(path, "ann")
    local is_whole = length == #second
    luaunit.assertEquals(#rows.rows, is_whole and 2 or 1)
    luaunit.assertEquals(rows.dropped, not is_whole and second:sub(1, length) or nil)
    rows:append { level = "2", time = 1, moves_used = 1, skipped = 1 }
    luaunit.assertEquals(shell.read(path), header .. first .. (is_whole and second .. "\n" or "") .. "ann,2,,1,1,1\n")
  end
  for length = 0, #header - 2 do
    local path = shell.file("record.csv", header:sub(1, length))
    open(path, "ann"):append { level = "2", time = 1, moves_used = 1, skipped = 1 }
    luaunit.assertEquals(shell.read(path), header .. "ann,2,,1,1,1\n")
  end
end

--- A file keeps the layout of its header, the first of the layouts or another.
function Record.test_layouts()
  local layouts = { { "player", "age", "consent" }, { "player", "consent" } }
  local path = shell.file("record.csv", "player,consent\nann,1\n")
  record.open(path, "bob", layouts):append { age = 30, consent = 0 }
  luaunit.assertEquals(shell.read(path), "player,consent\nann,1\nbob,0\n")
  path = fresh "record.csv"
  record.open(path, "bob", layouts):append { age = 30, consent = 0 }
  luaunit.assertEquals(shell.read(path), "player,age,consent\nbob,30,0\n")
end

--- Two programs with the record of one player: the second to append would do so twice for a level.
function Record.test_a_record_for_one_program()
  local path = fresh "record.csv"
  local row = { level = "1", rating = 4, time = 3, moves_used = 4, skipped = 0 }
  local one, other = open(path, "ann", true), open(path, "ann", true)
  one:append(row)
  local before = shell.read(path)
  luaunit.assertErrorMsgEquals(path .. ": found changes by another program, expected an unchanged file", other.append, other, row)
  luaunit.assertEquals(shell.read(path), before)
end

--- A pipe is on no disk.
function Record.test_sync_says_why_not()
  local pipe <close> = assert(io.popen "true")
  luaunit.assertEquals({ file_system.sync(pipe) }, { nil, "Invalid argument", 22 }) -- EINVAL
end

function Record.test_other_files_are_refused_and_stay_as_they_are()
  for _, text in ipairs { "level,size\n1,25\n", "player,level,rating\n", header:gsub("\n", ",size\n"), "level;size\n" } do
    local path = shell.file("record.csv", text)
    luaunit.assertErrorMsgEquals(("%s:1: found '%s', expected the columns player,level,rating,time,moves_used,skipped"):format(path,
      text:match "[^\n]*"), open, path, "ann")
    luaunit.assertEquals(shell.read(path), text)
  end
  for _, path in ipairs { shell.path "", "-", "/dev/null" } do
    luaunit.assertErrorMsgEquals(path .. ": found no plain file, expected the name of one, or of none yet", open, path,
      "ann")
  end
  luaunit.assertErrorMsgEquals("/nowhere/study.csv: No such file or directory", open, "/nowhere/study.csv", "ann")
end

local Plays = {}

local columns = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"

--- A session of `walk` after some keys; ^ loses, by "spike" if causes are named.
local function played(keys, cause)
  local session = begin("walk", "@.^O", cause and { ['here == "^"'] = ('{ %s = here == "^" }'):format(cause) })
  for key in keys:gmatch "%S+" do session:press(key) end
  return session
end

--- A row an attempt: numbered by level, also after the file is opened again; positions are those of the levels.
function Plays.test_attempts()
  local path = fresh "plays.csv"
  local rows = plays.open(path, "ann")
  local session = played("right right", "spike")
  session:pass(2.04)
  rows:add(session, { level = "a" })
  rows:add(played "right", { level = "b", skipped = true, tutorial = true })
  rows = plays.open(path, "ann")
  luaunit.assertEquals(rows.finished, { b = true })
  luaunit.assertEquals({ rows.rows[1].finished, rows.rows[2].finished }, { false, true })
  session:press "u"
  session:press "left"
  session:pass(3)
  rows:add(session, { level = "a", solved = true, rating = 4 })
  plays.open(path, "bob"):add(played "", { level = "a", skipped = true })
  luaunit.assertEquals(shell.read(path), columns .. "ann,a,1,1,,2,2,0,0,1,spike,0\nann,b,2,1,,0,1,0,1,0,,1\n"
    .. "ann,a,1,2,4,3,1,1,0,0,,0\nbob,a,1,1,,0,0,0,1,0,,0\n")
end

--- The player restarts: the attempt ends if a move was made in it. A cause is told with the loss.
function Plays.test_restarts()
  local ended = {}
  local session = played("", "spike")
  session = Session.new(session.rules, session.level, function()
    table.insert(ended, session:counts())
    session:end_attempt()
  end)
  session:pass(1.5)
  for key in ("r right right"):gmatch "%S+" do session:press(key) end
  luaunit.assertEquals(session.message, "lost (spike): u undoes, r restarts")
  for key in ("r r u right"):gmatch "%S+" do session:press(key) end
  luaunit.assertEquals(ended, { { moves = 2, losses = 1, seconds = 1.5, lost_by = "spike" } })
  luaunit.assertEquals({ session.moves, session.losses, session.lost_by }, { 3, 1 })
  luaunit.assertEquals(played("right right").message, "lost: u undoes, r restarts")
end

--- A file of an earlier version, a row a level, goes on as it is: with sums of all attempts.
function Plays.test_earlier_files()
  local path = shell.file("plays.csv", header .. "ann,1,2,3,4,0\n")
  local rows, session = plays.open(path, "ann"), played "right right"
  luaunit.assertEquals(rows.finished, { ["1"] = true })
  rows:add(session, { level = "a" })
  session:press "u"
  session:press "left"
  rows:add(session, { level = "a", solved = true, rating = 4 })
  luaunit.assertEquals(shell.read(path), header .. "ann,1,2,3,4,0\nann,a,4,0,3,0\n")
end

function Plays.test_rating_of_a_file()
  local path = shell.file("plays.csv", header .. "ann,1,good,3,4,0\n")
  luaunit.assertErrorMsgEquals(path .. ":2: column 'rating': found 'good', expected a number", plays.open, path, "ann")
end

return { Search = Search, Play = Play, Games = Games, Faults = Faults, Record = Record, Plays = Plays }
