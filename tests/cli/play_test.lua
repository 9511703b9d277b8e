--- End-to-end tests of crux play, on a pseudo-terminal: what is on the screen, and how the terminal is left.
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"

local program = shell.quote(shell.program)

local three = "; one\n@..O\n\n; two\n@#O\n\n; three\n.....\n.@.#.\n..^#O\n"

--- The command line that plays a game of playing.lua.
local function command(name, levels, options, changes)
  return ("%s play %s %s %s"):format(program, playing.game(name, changes), shell.file(name .. ".txt", levels), options or "")
end

--- Expects what a game with these steps prints; the screen is what `show` shows.
local function expect(line, steps, printed, environment)
  luaunit.assertEquals(playing.run(line, steps, environment), table.concat(printed, "\n") .. "\n")
end

local Screen = {}

function Screen.test_whole_screen()
  expect(command("walk", three), { "type n", "type n", "see three", "type d", "see moves 0", "type \27C", "see moves 1", "show",
    "type q", "end", "settings" }, {
    " walk  three  (3 of 3)                                       moves 1  time 0:00",
    "",
    "  .....",
    "  ..@#.",
    "  ..^#O",
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    "arrows move  w wait",
    "u undo  r restart  ? hint  n next  p previous  q quit",
    "exit 0",
    "same settings",
  })
end

function Screen.test_arrows_undo_hints_and_the_end()
  expect(command("walk", three), { "see one", "type \27C?", "see hint: right, then 1 more", "see  .@.O", "type rp",
    "see this is the first level", "type \27C\27C\27C", "see solved: 4 moves, 0:00; n goes on", "type nn", "see three", "type \27C\27B",
    "see lost: u undoes, r restarts", "type u", "see ..@#.", "type n", "see this is the last level", "type p?",
    "see no hint: it cannot be solved from here; u undoes", "type q", "end", "settings" }, { "exit 0", "same settings" })
end

function Screen.test_solved_levels_are_played_again()
  expect(command("walk", "@O"), { "type ?", "see hint: right", "see moves 0", "type \27C", "see solved: 1 move, 0:00", "type r", "see moves 0", "see @O", "type q", "end" },
    { "exit 0" })
end

--- The description of a game is shown before it is played; a cursor presses the square that it is on.
function Screen.test_a_game_with_a_cursor()
  local line = ("%s play examples/lights.lua %s"):format(program, shell.file("plus.txt", ".*.\n***\n.*.\n"))
  expect(line, { "see Enter begins.", "type \r", "see ***", "type \27C\27B\r", "see solved: 1 move, 0:00", "type q", "end" },
    { "exit 0" })
end

--- Without UTF-8 what lines are drawn with is ASCII; the cursor stands where the game has it.
function Screen.test_game_with_positions()
  expect(command("lights", "..*"), { "see ..*", "show", "type \27C x", "see .**", "type q", "end" }, {
    " lights  lights  (1 of 1)                                    moves 0  time 0:00",
    "",
    "  +---+",
    "   ..*",
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    "left right move  space switch  a all",
    "u undo  r restart  ? hint  q quit",
    "exit 0",
  })
  expect(command("lights", "..*"), { "written ┌───┐", "type q", "end" }, { "exit 0" }, "LC_ALL=C.UTF-8")
end

--- A picture of sprites alone, as those of PuzzleScript, is shown in half blocks where it fits, else the drawing: the target's
--- #E3C14A is 179 of xterm's colours, on the background's #20242B, 235. A square has five columns, and 2.5 rows.
function Screen.test_sprites()
  local line = program .. " play examples/magnet.txt"
  local function with(steps, environment) expect(line, steps, { "exit 0" }, environment) end
  local blocks = "\27[38;5;179m\27[48;5;235m▀"
  with({ "type \r", "written " .. blocks, "size 30 24", "written *", "type q", "end" }, "TERM=xterm-256color LC_ALL=C.UTF-8")
  for _, environment in ipairs { "TERM=xterm-256color", "TERM=xterm-256color LC_ALL=C.UTF-8 NO_COLOR=1", "TERM=xterm LC_ALL=C.UTF-8" } do
    with({ "type \r", "written *", "type q", "end" }, environment)
  end
  with({ "type \r", "see #p..*o#", "type q", "end" })
end

function Screen.test_colours()
  local line = command("walk", "@O")
  local yellow, green = "1m\27[33m@", "\27[32mO"
  expect(line, { "written " .. yellow, "written " .. green, "type q", "end", "settings" }, { "exit 0", "same settings" },
    "TERM=xterm-256color")
  for _, environment in ipairs { "TERM=xterm-256color NO_COLOR=1", "TERM=vt102" } do
    expect(line, { "written @O", "type q", "end", "settings" }, { "exit 0", "same settings" }, environment)
  end
end

function Screen.test_sizes()
  local wide = "@" .. ("."):rep(70) .. "O"
  expect(command("walk", wide), { "see @..", "size 60 24", "see too large for this window: it needs 72 columns and 6 rows",
    "type \27C?", "see moves 0", "size 72 6", "see @..", "size 90 30", "see @..", "size 20 3", "see walk", "size 5 1", "type q", "end",
    "settings" }, { "exit 0", "same settings" })
  expect(command("walk", "@" .. ("\n."):rep(19) .. "\nO"), { "see needs 1 columns and 26 rows", "size 80 26", "see @", "type q",
    "end" }, { "exit 0" })
end

--- Names come from files: they must not control the terminal.
function Screen.test_names_are_shown_safely()
  expect(command("walk", "; B\27[2Jad \195\188n\255ame\n@O\n"), { "see B?[2Jad", "type q", "end" }, { "exit 0" })
  expect(command("walk", "; \195\188ber\n@O\n"), { "written  \195\188ber", "type q", "end" }, { "exit 0" }, "LC_ALL=C.UTF-8")
  expect(command("walk", "; " .. ("long "):rep(30) .. "\n@O\n"), { "see long lon moves 0  time ", "type q", "end" },
    { "exit 0" })
end

local Exit = {}

--- Whatever ends the game, the terminal's settings are those of before.
function Exit.test_every_way_out()
  for _, case in ipairs {
    { { "type q" }, "exit 0" },
    { { "type \4" }, "exit 0" }, -- the end of the input
    { { "type \3" }, "signal 2" },
    { { "type \28" }, "signal 3" },
    { { "kill 1" }, "signal 1" },
    { { "kill 2" }, "signal 2" },
    { { "kill 15" }, "signal 15" },
  } do
    local steps = { "see q quit", "settings", table.unpack(case[1]) }
    table.move({ "end", "settings" }, 1, 2, #steps + 1, steps)
    expect("sh -c " .. shell.quote("ulimit -c 0; exec " .. command("walk", three)), steps,
      { "other settings", case[2], "same settings" })
  end
  expect(command("walk", three), { "see q quit", "hang up", "end" }, { "signal 1" })
end

--- Signals act while a script runs and never comes back.
function Exit.test_signal_in_an_endless_loop()
  local line = command("walk", "@..O", "", { ["local here = level"] = 'while move == "D" do end local here = level' })
  expect(line, { "see q quit", "type \27B", "type \3", "end", "settings" }, { "signal 2", "same settings" })
  expect(line, { "see q quit", "type ?", "see looking for a hint", "kill 15", "end", "settings" }, { "signal 15", "same settings" })
end

--- A script that goes on for ever is stopped, in Lua and in C.
function Exit.test_limit()
  long.only()
  for _, loop in ipairs { "while true do end", '("a"):rep(40):find((".-"):rep(40) .. "b")' } do
    local line = command("walk", "@..O", "--limit-time 0.2", { ["local here = level"] = ('if move == "D" then %s end local here = level'):format(loop) })
    expect(line, { "see q quit", "type \27B", "end", "settings", "see ran for more than 0.2 s" },
      { "exit 1", "same settings" })
  end
end

--- What goes wrong in a script is said when the terminal is itself again.
function Exit.test_fault_of_the_script()
  expect(command("walk", three, "", { ["local here = level"] = 'if move == "R" then error("oh") end local here = level' }),
    { "see q quit", "type \27C", "end", "settings", "see " .. shell.path "walk.lua" .. ":26: oh" }, { "exit 1", "same settings" })
end

--- Ctrl-Z gives the terminal back to the shell; fg goes on with the game.
function Exit.test_stop_and_go_on()
  expect("env PS1='$ ' ENV= sh -i", { "see $ ", "type " .. command("walk", three):gsub("'", "") .. "\r", "see q quit", "settings",
    "type \27C", "see moves 1", "type \26", "see Stopped", "settings",
    "type printf '\\033H\\033J\\162eady'\r", "see ready", -- on an empty screen
    "type fg\r", "see moves 1", "see .@.O", "settings",
    "type \27Cq", "see $ ", "type echo status $?\r", "see status 0", "settings", "type exit\r", "end" },
    { "other settings", "same settings", "other settings", "same settings", "exit 0" })
end

function Exit.test_ignored_signals_stay_ignored()
  expect("sh -c " .. shell.quote("trap '' HUP INT; exec " .. command("walk", three)),
    { "see q quit", "kill 1", "type \3", "type \27C", "see moves 1", "type q", "end", "settings" }, { "exit 0", "same settings" })
end

local Refused = {}

function Refused.test_without_a_terminal()
  local line = command("walk", three)
  local message = "crux play: found no terminal, expected one as standard input and output\n"
  luaunit.assertEquals(shell.run(line .. " < /dev/null"), { status = 1, out = "", err = message })
  for _, redirection in ipairs { "< /dev/null", "> /dev/null" } do
    expect("sh -c " .. shell.quote(line .. " " .. redirection), { "end", "settings", "see crux play: found no terminal" },
      { "exit 1", "same settings" })
  end
  for _, kind in ipairs { "dumb", "nonsense" } do
    expect(line, { "end", "settings", "see crux play: found TERM=" .. kind .. ", expected a terminal whose cursor can be moved" },
      { "exit 1", "same settings" }, "TERM=" .. kind)
  end
end

--- Before anything is shown: the levels, the study.
function Refused.test_what_is_wrong_with_files()
  local levels = shell.path "walk.txt"
  expect(command("walk", three .. "\n; four\n@+O\n"), { "end", "settings",
    "see " .. levels .. ":13: column 2: found '+', expected one of . # ^ O @" }, { "exit 1", "same settings" })
  local other = shell.file("other.csv", "level,size\n1,25\n")
  expect(command("walk", three, "--player ann --record " .. other), { "end",
    "see " .. other .. ":1: found 'level,size', expected the columns" }, { "exit 1" })
  local study = shell.path "names.csv"
  os.remove(study)
  expect(command("walk", "; one\n@O\n\n; one\n@.O\n", "--player ann --record " .. study), { "end",
    "see " .. levels .. ": found a level 'one', as in " }, { "exit 1" })
  luaunit.assertFalse(shell.exists(study))
end

function Refused.test_usage()
  local line = command("walk", three, "--player ann")
  local result = shell.run(line)
  luaunit.assertEquals(result.status, 2)
  luaunit.assertStrContains(result.err, "\nfound --player without --record, expected both\n")
  expect("env -u USER " .. command("walk", three, "--record " .. shell.path "none.csv"), { "end",
    "see found no player, expected --player NAME with --record" }, { "exit 2" })
end

local Record = {}

local function study(name)
  local path = shell.path(name)
  os.remove(path)
  return path
end

--- A file with the times of its rows, which differ from run to run, as zeros.
local function rows_of(path) return (shell.read(path):gsub("(\n%w+,%w+,%d+,%d+,%d*,)[%d.]+", "%10")) end

--- Solved with and without a rating, skipped, passed by: rows that crux aggregate takes.
function Record.test_study()
  local path = study "study.csv"
  local first = command("walk", three .. "\n; four\n@O\n", "--player ann --record " .. path)
  expect(first, { "see x skip", "type \27Cu\27C\27C\27C", "see 1 to 10 (Enter: no rating)?", "type a0109", "see rating)? 10",
    "type \127", "see rating)? 1", "type \127", "type 7\r", "see recorded; n goes on", "type n", "see two", "type x", "see three", "type n",
    "see four", "type \27C", "see no rating)?", "type \r", "see recorded; this was the last level", "type q", "end",
    "see " .. path .. ": 3 rows appended" }, { "exit 0" })
  local rows = "player,level,position,attempt,rating,time,moves_used,solved,skipped,losses,lost_by,tutorial\n"
    .. "ann,one,1,1,7,0,4,1,0,0,,0\nann,two,2,1,,0,0,0,1,0,,0\nann,four,3,1,,0,1,1,0,0,,0\n"
  luaunit.assertEquals(rows_of(path), rows)
  local again = command("walk", three, "--player ann --record " .. path)
  expect(again, { "see three  (3 of 3)", "type p", "type p", "see recorded already: this is for fun", "type \27C\27C\27C",
    "see solved: 3 moves", "type nn", "see three", "type x", "see skipped; this is the last level", "type q", "end", "settings" },
    { "exit 0", "same settings" })
  luaunit.assertEquals(rows_of(path), rows .. "ann,three,4,1,,0,0,0,1,0,,0\n")
  expect("env USER=bob " .. command("walk", three, "--record " .. path), { "see one", "type \27C\27C\27C", "see rating)?", "type 9",
    "type q", "end" }, { "exit 0" }) -- quitting keeps what has been typed
  luaunit.assertStrContains(rows_of(path), "\nbob,one,1,1,9,0,3,1,0,0,,0\n")
  local result = shell.crux("aggregate " .. path)
  luaunit.assertEquals(result.status, 0)
  luaunit.assertStrMatches(result.out, "level,position,losses,attempts,solved,skipped,difficulty,scaled,time,moves_used\n"
    .. "four,3,0,1,1,0,,,[%d.]+,1\none,1,0,1,2,0,8,8,[%d.]+,3.5\nthree,4,0,1,0,1,,,,\ntwo,2,0,1,0,1,,,,\n")
end

return { Screen = Screen, Exit = Exit, Refused = Refused, Record = Record }
