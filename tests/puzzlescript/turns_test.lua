--- Plays levels of PuzzleScript in C. Expected results: by hand from the language's definition, and a slow Lua interpreter.
local board = require "crux.play.board"
local compiler = require "crux.puzzlescript.compiler"
local game_loader = require "crux.game.game"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local listing = require "crux.puzzlescript.listing"
local long = require "long"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local PlaySession = require "crux.play.session"
local random = require "libcrux.random"
local reference = require "puzzlescript_reference"
local Session = require "crux.puzzlescript.session"
local shell = require "shell"

local Turns = {}

local head = [[
title A test
%s
OBJECTS
Background .
black

Player P
white

Crate *
brown

Box B
orange

Wall #
gray

Target O
blue

Mark M
red

Ghost G
yellow

LEGEND
@ = Crate and Target
Q = Player and Target
Block = Crate or Box
Thing = Player or Block
Sign = Mark or Target

SOUNDS
COLLISIONLAYERS
Background
Target
Mark
Ghost
Player, Crate, Box, Wall

RULES
%s
WINCONDITIONS
%s
LEVELS
%s
]]

local function game_of(parts)
  return head:format(parts.prelude or "", parts.rules, parts.win or "", parts.levels)
end

--- Returns the rows of a level after inputs, by the first letters of objects on its upper layers.
local function played(parts, inputs)
  local game = compiler.compile(game_of(parts), "game.txt")
  local session = Session.new(game, parts.level or 0, "1")
  for _, input in ipairs(inputs) do session:input(input) end
  local rows, shown = {}, { player = "P", crate = "*", box = "B", wall = "#", target = "O", mark = "M", ghost = "G" }
  local cells = session:cells()
  for y = 1, session.level.height do
    local row = {}
    for x = 1, session.level.width do
      row[x] = "."
      for _, name in ipairs(listing.names(game, cells[(x - 1) * session.level.height + y])) do
        if name ~= "background" and (row[x] == "." or name ~= "target") then row[x] = shown[name] end
      end
    end
    rows[y] = table.concat(row)
  end
  return table.concat(rows, " "), session
end

local LEFT, DOWN, RIGHT, ACTION = 1, 2, 3, 4
local push = "[ > Player | Crate ] -> [ > Player | > Crate ]"

function Turns.test_a_crate_is_pushed_unless_something_is_behind_it()
  luaunit.assertEquals((played({ rules = push, levels = "P*..#" }, { RIGHT, RIGHT, RIGHT, RIGHT })), "..P*#")
  luaunit.assertEquals((played({ rules = push, levels = "P**." }, { RIGHT })), "P**.")
  luaunit.assertEquals((played({ rules = "[ > Thing | Block ] -> [ > Thing | > Block ]", levels = "P*B." }, { RIGHT })), ".P*B")
end

function Turns.test_rules_look_in_the_directions_that_they_name()
  luaunit.assertEquals(played({ rules = "down [ stationary Crate | no Wall ] -> [ > Crate | ]", levels = "P*\n..\n.#" }, { ACTION }),
    "P. .* .#")
  luaunit.assertEquals((played({ rules = "horizontal " .. push, levels = "P.\n*.\n.." }, { DOWN })), "P. *. ..")
end

function Turns.test_late_rules_run_behind_the_movements()
  luaunit.assertEquals((played({ rules = push .. "\nlate [ Crate Target ] -> [ Target ]", levels = "P*O." }, { RIGHT })), ".PO.")
end

function Turns.test_gaps_match_from_the_shortest_on()
  luaunit.assertEquals(played({ rules = "late right [ Player | ... | Crate ] -> [ Player | ... | Box ]", levels = "P..*.*" }, { LEFT }),
    "P..B.B")
  luaunit.assertEquals(played({ rules = "late right [ Player | ... | Crate | ... | Wall ] -> [ Player | ... | Box | ... | Wall ]",
    levels = "P.*.*.#*" }, { LEFT }), "P.B.B.#*")
end

function Turns.test_commands()
  luaunit.assertEquals((played({ rules = "[ > Player | Crate ] -> cancel", levels = "P.*" }, { RIGHT, RIGHT })), ".P*")
  luaunit.assertEquals((played({ rules = "[ > Player | Crate ] -> restart", levels = "P.*" }, { RIGHT, RIGHT })), "P.*")
  luaunit.assertEquals((played({ rules = "late [ Player Mark ] -> checkpoint", levels = "PM.." }, { RIGHT, RIGHT, "restart" })), ".P..")
  -- a crate falls turn after turn until nothing changes
  luaunit.assertEquals(played({ rules = "down [ stationary Crate | no Wall ] -> [ > Crate | ] again", levels = "P*\n..\n..\n.#" }, { ACTION }),
    "P. .. .* .#")
end

--- Pages show the turns of `again`: a crate falls from row 1 over rows 2 and 3 to row 4. A move without `again` has none, nor has undo.
function Turns.test_what_a_move_comes_through()
  local path = shell.file("falls.txt", game_of { prelude = "again_interval 0.2", win = "some Ghost",
    rules = "down [ stationary Crate | no Wall ] -> [ > Crate | ] again", levels = "P*\n..\n..\n.." })
  local game = game_loader.load(path)
  local level = game:level(game.own.levels[1])
  local session = PlaySession.new(play.rules(game), level)
  local function rows() return table.concat(session:draw(), " ") end
  session:press "a"
  local states, seconds = game.between(level, session.before.state, "A")
  luaunit.assertEquals({ lists.map(states, function(state) return (game.draw(level, nil, state):gsub("\n", " ")) end), seconds },
    { { "p. .* .. .. ", "p. .. .* .. " }, 0.2 })
  luaunit.assertEquals(rows(), "p. .. .. .*")
  local shown = json.plain(json.object(board.of(session, game, session.rules))).between
  luaunit.assertEquals({ shown.interval, #shown.pictures }, { 200, 2 })
  session:press "down"
  luaunit.assertEquals(rows(), ".. p. .. .*")
  luaunit.assertNil(json.plain(json.object(board.of(session, game, session.rules))).between)
  session:press "u"
  luaunit.assertNil(session.before)
end

function Turns.test_a_level_that_is_won_leads_to_the_next_one_but_not_over_a_message()
  local parts = { rules = push, win = "all Crate on Target", levels = "P*O\n\n*P..\nO...\n\nmessage done\n\nP" }
  local shown, session = played(parts, { RIGHT, RIGHT })
  luaunit.assertEquals({ shown, session.number }, { "*.P. O...", 1 })
  parts.levels = "P*O\n\nmessage done\n\nP*.O"
  luaunit.assertEquals((played(parts, { RIGHT, LEFT })), "P.*")
end

function Turns.test_the_player_must_move_if_the_prelude_says_so()
  local rules = "late [ Crate ] -> [ Box ]"
  luaunit.assertEquals((played({ rules = rules, levels = "P#*" }, { RIGHT })), "P#B")
  luaunit.assertEquals((played({ rules = rules, levels = "P#*", prelude = "require_player_movement" }, { RIGHT })), "P#*")
end

function Turns.test_undo_restart_and_time()
  local parts = { rules = push .. "\n[ stationary Player ] [ Crate ] -> [ Player ] [ Box ]", levels = "P*.." }
  luaunit.assertEquals((played(parts, { RIGHT, RIGHT, "undo" })), ".P*.")
  luaunit.assertEquals((played(parts, { RIGHT, "restart", "undo" })), ".P*.")
  luaunit.assertEquals((played(parts, { "tick" })), "PB..")
end

--- Example of PuzzleScript's documentation: two boxes form one body; one meets a wall, so neither moves.
function Turns.test_rigid_bodies()
  local rules = "%s [ > Player | Box ] -> [ > Player | > Box ]\n+ %s [ moving Box | Box ] -> [ moving Box | moving Box ]"
  local levels = "PB.\n.B#\n..."
  luaunit.assertEquals((played({ rules = rules:format("", ""), levels = levels }, { RIGHT })), ".PB .B# ...")
  luaunit.assertEquals((played({ rules = rules:format("rigid", "rigid"), levels = levels }, { RIGHT })), "PB. .B# ...")
end

function Turns.test_loops_repeat_all_their_groups()
  local rules = "%s\n[ > Box | Crate ] -> [ > Box | > Crate ]\n[ > Crate | Box ] -> [ > Crate | > Box ]\n%s"
  local first = "[ > Player | Block ] -> [ > Player | > Block ]\n"
  luaunit.assertEquals((played({ rules = first .. rules:format("", ""), levels = "P*B*." }, { RIGHT })), "P*B*.")
  luaunit.assertEquals((played({ rules = first .. rules:format("startloop", "endloop"), levels = "P*B*." }, { RIGHT })), ".P*B*")
end

function Turns.test_chance_is_that_of_its_seed()
  local parts = { rules = "random [ Mark ] -> [ Target ]", levels = "PMMMMMMMM" }
  local one, two = played(parts, { ACTION, ACTION }), played(parts, { ACTION, ACTION })
  luaunit.assertEquals(one, two)
  luaunit.assertEquals(select(2, one:gsub("O", "")), 2)
end

--- At this size the limit on work is met not while the matches of the group are counted, but while the drawn one is looked up.
function Turns.test_random_rules_have_a_limit_on_work()
  long.only()
  local rows = { "P" .. ("M"):rep(101) }
  for i = 2, 200 do rows[i] = ("M"):rep(102) end
  luaunit.assertErrorMsgContains("a turn takes too long", played, { levels = table.concat(rows, "\n"),
    rules = "random [ Mark ] -> [ Ghost ] again\n+ [ Ghost ] -> [ Mark ] again" }, { ACTION })
end

--- Features of the language, one a row: parts of a game, inputs, the level that results.
local features = {
  { { rules = "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]", levels = "P..*.*." }, { RIGHT }, ".P..*.*" },
  { { rules = "right [ > Player | ... | Crate | ... | Crate ] -> [ > Player | ... | > Crate | ... | Crate ]",
    levels = "P..*.*..*" }, { RIGHT }, ".P..*.*.*" },
  -- cancel takes back the turn whatever else it commands
  { { rules = "[ > Player | Crate ] -> cancel again", levels = "P*." }, { RIGHT }, "P*." },
  { { rules = "[ > Player | Crate ] -> cancel win", levels = "P*.\n\n..P" }, { RIGHT }, "P*." },
  { { rules = "late [ Player Target ] -> win", levels = "PO\n\n..P" }, { RIGHT }, "..P" },
  { { rules = "[ Mark | no Mark no Wall ] -> [ Mark | Mark ]", levels = "M..#P" }, { ACTION }, "MMM#P" },
  { { rules = "late right [ Mark | no Mark ] -> [ | Mark ] again", levels = "PM..." }, { ACTION }, "P...M" },
  { { rules = push .. "\nlate [ Player Mark ] -> checkpoint", levels = "PM*.." }, { RIGHT, RIGHT, "restart" }, ".P*.." },
  { { rules = push .. "\nlate [ Player Mark ] -> checkpoint",
    levels = "PM*.." }, { RIGHT, RIGHT, "restart", "undo" }, ".MP*." },
  { { rules = push .. "\nlate [ Crate Target ] -> restart", levels = "P*.O" }, { RIGHT, RIGHT }, "P*.O" },
  { { rules = push .. "\nlate [ Crate Target ] -> restart", levels = "P*.O" }, { RIGHT, RIGHT, "undo" }, ".P*O" },
  -- a late rule of an early group is late
  { { rules = "[ Player ] -> [ Player Mark ]\n+ late [ Mark ] -> [ Ghost ]", levels = "PM" }, { RIGHT }, "GP" },
  { { rules = "[ > Player | @ ] -> [ > Player | > @ ]", levels = "P@.." }, { RIGHT }, ".P*." },
  { { rules = "right [ action Player | Crate ] -> [ action Player | ^ Crate ]",
    levels = "...\nP*.\n..." }, { ACTION }, ".*. P.. ..." },
  { { rules = "left [ action Player | Crate ] -> [ action Player | v Crate ]",
    levels = "...\n.*P\n..." }, { ACTION }, ".*. ..P ..." },
  { { rules = "up [ action Player | Crate ] -> [ action Player | < Crate ]",
    levels = "..\n..\n*.\nP." }, { ACTION }, ".. .. *. P." },
  { { rules = "up [ action Player | Crate ] -> [ action Player | > Crate ]",
    levels = "..\n..\n*.\nP." }, { ACTION }, ".. *. .. P." },
  { { rules = "[ perpendicular Player | Crate ] -> [ perpendicular Player | perpendicular Crate ]",
    levels = "..\nP*" }, { 0 }, "P* .." },
  { { rules = "[ parallel Player | Crate ] -> [ parallel Player | parallel Crate ]", levels = ".P*." }, { LEFT }, "P*.." },
  { { rules = "[ parallel Player | Crate ] -> [ parallel Player | parallel Crate ]", levels = "P*\n.." }, { DOWN }, ".* P." },
  { { rules = "[ orthogonal Player ] [ Crate ] -> [ orthogonal Player ] [ orthogonal Crate ]",
    levels = "P.\n*." }, { RIGHT }, ".P .*" },
  { { rules = "[ horizontal Player ] [ Crate ] -> [ horizontal Player ] [ horizontal Crate ]", levels = ".P.\n..*\n..." },
    { LEFT, DOWN }, "... P*. ..." },
  { { rules = "right [ action Player | no Block ] -> [ action Player | Mark ]", levels = "PB.P.." }, { ACTION }, "PB.PM." },
  { { rules = "[ > Player | ] -> [ > Player | no Wall ]", levels = "P#" }, { RIGHT }, ".P" },
  { { rules = "[ > Player | Crate ] -> [ stationary Player | > Crate ]", levels = "P*." }, { RIGHT }, "P.*" },
  { { rules = "[ > Player | Block ] -> [ Block | Player ]", levels = "PB." }, { RIGHT }, "BP." },
  { { prelude = "run_rules_on_level_start", rules = "[ Crate ] -> [ Box ]", levels = "P*" }, {}, "PB" },
  { { prelude = "run_rules_on_level_start", rules = "right [ Mark | no Mark ] -> [ Mark | Mark ] again",
    levels = "PM.." }, {}, "PMMM" },
  { { prelude = "noundo", rules = push, levels = "P*.." }, { RIGHT, "undo" }, ".P*." },
  { { prelude = "norestart", rules = push, levels = "P*.." }, { RIGHT, "restart" }, ".P*." },
  { { prelude = "flickscreen 8x5\nzoomscreen 3x3\nverbose_logging\ndebug\nthrottle_movement", rules = push .. " sfx0 sfx10",
    levels = "P*." }, { RIGHT }, ".P*" },
  { { rules = push .. " message Hello (there", levels = "P*." }, { RIGHT }, ".P*" },
  { { rules = "(a) " .. push .. " (b (c) d)", levels = "P*." }, { RIGHT }, ".P*" },
  { { rules = "\t[ >   PLAYER|crAte ]   ->[ > player |> CRATE]  ", levels = "\tp*.  " }, { RIGHT }, ".P*" },
  { { rules = push .. "\n+[ > Crate | Box ] -> [ > Crate | > Box ]", levels = "P*B." }, { RIGHT }, ".P*B" },
  { { win = "no Crate on Target", rules = push, levels = "P@.\n\nP.." }, { RIGHT }, "P.." },
  { { win = "some Q", levels = "PO\n\nP..", rules = "" }, { RIGHT }, "P.." },
  { { win = "any Player on Target", levels = "PO\n\nP..", rules = "" }, { RIGHT }, "P.." },
}

function Turns.test_features()
  for _, row in ipairs(features) do
    luaunit.assertEquals((played(row[1], row[2])), row[3], row[1].rules)
  end
end

--- Lines may end as in Windows; characters beyond ASCII name objects and stand for them in levels.
function Turns.test_line_ends_and_characters()
  for character in ("é 😀"):gmatch "%S+" do
    local text = game_of { rules = push, levels = ("P%s."):format(character) }:gsub("Block =", character .. " = Crate\nBlock =")
    local session = Session.new(compiler.compile(text:gsub("\n", "\r\n"), "game.txt"), 0, "1")
    session:input(RIGHT)
    luaunit.assertEquals(listing.of(session.game, session.level, session:cells()),
      "background:0,background player:1,background crate:2,\n")
  end
end

--- Contents of cells for random rules.
local cells = { "> Player", "Player", "Crate", "Box", "Block", "stationary Block", "moving Block", "< Crate", "no Wall", "Mark", "no Mark Player",
  "> Crate Target", "Ghost", "no Block", "Thing", "> Thing", "action Player", "Target", "", "perpendicular Player", "Sign" }
local prefixes = { "", "", "", "", "+ ", "down ", "horizontal ", "rigid ", "late ", "late ", "late right " }
local commands = { "", "", "", "", "", " again", " cancel", " win", " checkpoint", " restart", " sfx0" }

local function row(generator, count, gap, is_late)
  local parts = {}
  for i = 1, count do
    local cell = generator:pick(cells)
    if is_late then cell = cell:gsub("[<>] ", ""):gsub("%l+ing ", ""):gsub("stationary ", ""):gsub("action "
      .. "", ""):gsub("perpendicular ", "") end
    parts[i] = cell
  end
  if gap then parts[2] = "..." end
  return "[ " .. table.concat(parts, " | ") .. " ]"
end

local function random_rule(generator)
  local prefix = generator:pick(prefixes)
  local is_late, count = prefix:find "late" ~= nil, generator:integer(1, 3)
  local gap = count == 3 and generator:chance(0.3)
  local left, right = row(generator, count, gap, is_late), row(generator, count, gap, is_late)
  if generator:chance(0.2) then
    left, right = left .. " " .. row(generator, 1, false, is_late), right .. " " .. row(generator, 1, false, is_late)
  end
  if generator:chance(0.3) then right = left end
  return ("%s%s -> %s%s"):format(prefix, left, right, generator:pick(commands))
end

local function random_level(generator)
  local rows = {}
  local glyphs = { ".", ".", ".", ".", "*", "B", "#", "O", "M", "G", "@", "P" }
  for y = 1, 4 do
    local list = {}
    for x = 1, 5 do list[x] = generator:pick(glyphs) end
    rows[y] = table.concat(list)
  end
  return table.concat(rows, "\n")
end

--- Returns a random game that compiles; draws again when a game does not compile, as most do not.
local function random_game(generator)
  while true do
    local list = { push }
    for i = 2, generator:integer(2, 5) do list[i] = random_rule(generator) end
    if generator:chance(0.2) then
      table.insert(list, 2, "startloop")
      table.insert(list, "endloop")
      list[3] = list[3]:gsub("^%+ ", "")
    end
    local text = game_of { rules = table.concat(list, "\n"), win = "all Crate on Target", levels = random_level(generator),
      prelude = generator:chance(0.2) and "require_player_movement" or "" }
    local ok, game = pcall(compiler.compile, text, "game.txt")
    if ok then return text, game end
    assert(type(game) == "table" and game.message:find "^game.txt:%d+: "
      .. "", tostring(type(game) == "table" and game.message or game))
  end
end

--- Rules of games as people write them.
local written = {
  { push, "[ < Player | Crate ] -> [ < Player | < Crate ]" }, -- crates stick
  { "[ > Player | Block ] -> [ > Player | > Block ]", "[ > Block | Block ] -> [ > Block | > Block ]" },
  { push, "[ > Crate | no Wall no Block no Player ] -> [ > Crate | Mark ]", "late [ Crate Mark ] -> [ Crate ] again" },
  { "[ > Player | Crate ] -> [ Player | > Crate ]", "late [ Crate no Target ] -> [ Crate Ghost ]",
    "[ Ghost stationary Crate ] -> [ Crate ]" },
  { "down [ stationary Block | no Thing no Wall ] -> [ > Block | ] again", "[ > Player | Crate ] -> [ > Player | > Crate ]" },
  { "rigid [ > Player | Box ] -> [ > Player | > Box ]", "+ rigid [ moving Box | Box ] -> [ moving Box | moving Box ]" },
  { "late [ Crate | Crate | Crate ] -> [ | | ]", push, "late [ Box | Box ] -> [ Box Mark | Box Mark ]" },
  { "[ action Player ] [ Mark ] -> [ Player ] [ Mark Target ]", "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]" },
  { "[ > Player | ... | Wall ] -> [ Player | ... | Wall ]", "late right [ Player | ... | Box | ... | Wall ] -> "
    .. "[ Player | ... | Crate | ... | Wall ]" },
  { push, "late [ Player Mark ] -> checkpoint", "late [ Player Ghost ] -> restart", "[ > Player | Box ] -> cancel" },
  { "startloop", "[ > Player | Block ] -> [ > Player | > Block ]", "[ > Crate | Box ] -> [ > Crate | > Box ]",
    "[ > Box | Crate ] -> [ > Box | > Crate ]", "endloop" },
  { "[ > Player | Mark ] -> [ > Player | Ghost ]", "late [ Ghost Player ] -> win",
    "[ stationary Ghost ] [ moving Player ] -> [ moving Ghost ] [ moving Player ]" },
  { "[ perpendicular Player | Block ] -> [ perpendicular Player | perpendicular Block ]",
    "[ moving Crate Sign ] -> [ Crate Sign ]" },
}

--- Words of rules that may stand in one place; a mutation replaces a word by another of its row.
local alike = {
  { "Player", "Crate", "Box", "Block", "Thing", "Mark", "Target", "Ghost", "Sign", "Wall" },
  { ">", "<", "^", "v", "moving", "stationary", "perpendicular", "parallel", "action", "up", "left", "no" },
  { "late", "right", "down", "horizontal", "rigid", "" },
  { "again", "cancel", "checkpoint", "restart", "win", "" },
  { "|", "| ... |", "| |" }, { "]", "] [ Mark ]", "no Ghost ]" },
}

--- Returns a line with a random word replaced; the line itself if no word has others in its place.
local function mutated(line, generator)
  local list, changes = {}, {}
  for word in line:gmatch "%S+" do
    table.insert(list, word)
    for _, words in ipairs(alike) do
      for _, other in ipairs(words) do
        if other == word then table.insert(changes, { #list, words }) end
      end
    end
  end
  if #changes == 0 then return line end
  local i, words = table.unpack(generator:pick(changes))
  list[i] = generator:pick(words)
  return table.concat(list, " ")
end

--- Returns a game of such rules with one to three mutations; draws again when a game does not compile.
local function mutated_game(generator)
  while true do
    local list = table.move(generator:pick(written), 1, 5, 1, {})
    for _ = 1, generator:integer(1, 3) do
      local i = generator:integer(1, #list)
      list[i] = mutated(list[i], generator)
    end
    local text = game_of { rules = table.concat(list, "\n"), levels = random_level(generator),
      win = generator:pick { "all Crate on Target", "some Box on Mark", "no Ghost" },
      prelude = generator:chance(0.1) and "require_player_movement" or "" }
    local ok, game = pcall(compiler.compile, text, "game.txt")
    if ok then return text, game end
  end
end

--- Compares both interpreters on random games. Returns the number of turns, and of turns that changed the level.
function Turns.compare(make, seed, games, inputs)
  local generator, turns, changes = random.new(seed), 0, 0
  for _ = 1, games do
    local text, game = make(generator)
    local plain, session = reference.play(text, game, 1), Session.new(game, 0, "1")
    local said = {}
    for _ = 1, inputs do
      local input = generator:integer(0, 4)
      local before = plain:text()
      table.insert(said, input)
      if not plain:input(input) then break end
      session:input(input)
      local names = {}
      for i, cell in ipairs(session:cells()) do names[i] = table.concat(listing.names(game, cell), " ") end
      turns, changes = turns + 1, changes + (plain:text() ~= before and 1 or 0)
      luaunit.assertEquals(table.concat(names, ","), plain:text(), text .. "\ninputs: " .. table.concat(said, " "))
      if session.won or plain.won then
        luaunit.assertEquals(session.won, plain.won, text)
        break
      end
    end
  end
  return turns, changes
end

for name, make in pairs { random = random_game, mutated = mutated_game } do
  Turns["test_" .. name .. "_games_go_as_in_a_slow_interpreter"] = function()
    local games = long.choose(6, 50)
    local turns, changes = Turns.compare(make, 20261122, games, 8)
    luaunit.assertTrue(turns > 5 * games and changes > turns / 4, ("%d turns, %d of them changed the level"):format(turns, changes))
  end
end

return { Turns = Turns }
