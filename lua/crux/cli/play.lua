--- crux play: plays levels on a terminal.
local sinks = require "crux.out.sinks"
local arguments = require "crux.option.arguments"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local interview = require "crux.play.interview"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local plays = require "crux.play.plays"
local Question = require "crux.play.question"
local record = require "crux.play.record"
local screen = require "crux.cli.screen"
local Session = require "crux.play.session"
local Participation = require "crux.play.participation"
local terminal = require "libcrux.terminal"
local process = require "libcrux.process"

---@class Player                plays levels in any order; crux.play.participation follows a plan
---@field game Game
---@field rules Rules
---@field levels { name: string, level: table }[]
---@field index integer         of the current level
---@field session Session
---@field plays Plays?
---@field question Question?    while the player gives a rating
---@field visible boolean       the board fits on the screen
---@field view View?
local Player = {}
Player.__index = Player

--- The levels of the inputs. A level that is wrong raises a fault here, before the game begins.
local function read_levels(game, inputs)
  local list = game:expect_entries(inputs)
  for i, entry in ipairs(list) do list[i] = { name = entry.name, level = game:level(entry), path = entry.path } end
  return list
end

function Player:entry() return self.levels[self.index] end

function Player:begin(index)
  self.index = index
  local entry = self:entry()
  self.session = Session.new(self.rules, entry.level, function()
    if self:is_recording() then self.plays:add(self.session, { level = entry.name }) end
  end)
  if self.plays and self.plays.finished[entry.name] then self:say "recorded already: this is for fun" end
  if self.session:done() then self:solved() end
end

function Player:say(message) self.session.message = message end

function Player:title() return ("%s  %s  (%d of %d)"):format(self.game.name, self:entry().name, self.index, #self.levels) end

function Player:pass(seconds) self.session:pass(seconds) end

function Player:go(step)
  if self.levels[self.index + step] then
    self:begin(self.index + step)
  else
    self:say(step > 0 and "this is the last level" or "this is the first level")
  end
end

--- Returns true if this level is recorded and not finished yet.
function Player:is_recording() return self.plays and not self.plays.finished[self:entry().name] end

local function outcome(session)
  return ("solved: %s, %s"):format(number.count(session.moves, "move"), screen.time(session.seconds))
end

--- Ends a solved level: asks for a rating, if it is recorded.
function Player:solved()
  local said = outcome(self.session)
  self.question = self:is_recording() and Question.new(said .. ". How hard was it, 1 to 10 (Enter: no rating)?", 1, 10) or nil
  self:say(said .. (self.index < #self.levels and "; n goes on" or ""))
end

--- Handles a key while the player gives a rating. Returns false when the player quits.
function Player:rate(key)
  self.question:press(key)
  if key == "enter" or key == "q" then
    self.plays:add(self.session, { level = self:entry().name, solved = true, rating = self.question:answer() })
    self.question = nil
    self:say("recorded" .. (self.index < #self.levels and "; n goes on" or "; this was the last level"))
  end
  return key ~= "q"
end

function Player:skip()
  local is_recording = self:is_recording()
  if is_recording then self.plays:add(self.session, { level = self:entry().name, skipped = true }) end
  self:go(1)
  if is_recording then self.session:say_first "skipped" end
end

--- Handles a key while a level is played.
function Player:press(key)
  local session = self.session
  if session:done() then
    if key == "r" then self:begin(self.index) end
    return
  end
  if not self.visible then return end
  if key == "?" then
    self:say "looking for a hint ..."
    screen.draw(self.view)
  end
  session:press(key)
  if session:done() then self:solved() end
end

--- Handles a key. Returns false when the player quits.
function Player:key(key)
  if self.question then return self:rate(key) end
  if key == "n" then
    self:go(1)
  elseif key == "p" then
    self:go(-1)
  elseif key == "x" and self.plays then
    self:skip()
  else
    self:press(key)
  end
  return key ~= "q"
end

--- The keys of commands, beside those of the game.
function Player:commands()
  local words = { "u undo", "r restart", "? hint" }
  if #self.levels > 1 then table.move({ "n next", "p previous" }, 1, 2, #words + 1, words) end
  if self.plays then table.insert(words, "x skip") end
  table.insert(words, "q quit")
  return table.concat(words, "  ")
end

--- The first level that is not finished.
local function first_index(levels, finished)
  for i, entry in ipairs(levels) do
    if not finished[entry.name] then return i end
  end
  return 1
end

--- Shows a game until the player quits or the input ends. Time counts while the program waits for a key, not while it
--- computes a hint or is stopped.
---@param player Player|Participation
local function show(player, view)
  local tick = 1 -- s
  repeat
    view.session, view.title, view.commands = player.session, player:title(), player:commands()
    view.question = player.question and tostring(player.question)
    if player.farewell then view.terminal:farewell(player:farewell() .. "\n") end -- printed if the program ends
    player.visible = screen.draw(view)
    local before = process.seconds()
    local key = view.terminal:key(tick)
    player:pass(math.min(process.seconds() - before, tick))
    if key == nil then key = "q" end
  until key and key ~= "resize" and not player:key(key)
end

--- Opens the terminal and plays.
---@param player Player|Participation
local function play_on_terminal(player, game)
  local found <close>, expected = require("libcrux.screen").open()
  if not found then fault.at("crux play", ("TERM=%s"):format(os.getenv "TERM" or ""), expected) end
  local colours, is_utf8 = (os.getenv "NO_COLOR" or "") == "" and found:colours() or 0, terminal.is_utf8()
  player.view = { terminal = found, plain = not is_utf8, colours = colours > 0 and game.colours or {},
    pixels = is_utf8 and colours >= 256 and game:paints_positions() }
  show(player, player.view)
end

local function check_usage(args)
  if args.plan and not (args.player and args.record) then
    fault.raise("found --plan without --player or --record, expected --plan PLAN --player NAME --record FILE.csv", 2)
  end
  if args.plan and args.game then fault.raise(("found '%s' and --plan, expected one of them"):format(args.game), 2) end
  if not args.plan and not args.levels[1] and not games.has_levels(args.game or "") then
    fault.raise("expected GAME and LEVELS, or --plan PLAN", 2)
  end
  if args.player and not args.record then fault.raise("found --player without --record, expected both", 2) end
end

--- Says that an incomplete last line was removed.
local function report_dropped(rows)
  if rows.dropped then
    sinks.say(("%s: dropped the last line, which was incomplete: %s"):format(rows.path, fault.show(rows.dropped)))
  end
end

--- Prints a text and returns the line that is typed.
local function ask(text)
  io.stdout:write(text)
  io.stdout:flush()
  return io.read "l" or fault.at("<stdin>", "the end of the input", "an answer")
end

--- The text of a file that a plan names.
local function text_of(path)
  local file <close> = fault.check(io.open(path, "rb"))
  return file:read("a"):gsub("%s*$", "\n\n")
end

--- The answers to the questions of a plan about the player, by column, asked again until they are as expected.
local function answers(planned)
  local row = { consent = planned.consent ~= "" and 1 or 0 }
  if planned.consent ~= "" and not ask(text_of(planned.consent) .. "Do you agree? (yes or no) "):lower():find "^%s*y" then
    fault.raise "no consent, so nothing is recorded"
  end
  for _, item in ipairs(planned.interview) do
    repeat row[item.name] = interview.value(item, ask(interview.prompt(item))) until row[item.name]
  end
  return row
end

--- Asks a player who is not in the table of players, adds a row to it, and shows the instructions.
local function welcome(planned, path, player)
  local columns = lists.concat({ "player" }, lists.field(planned.interview), { "consent" })
  if planned.consent ~= "" or planned.interview[1] then
    local rows <close> = record.open(path, player, { columns })
    report_dropped(rows)
    if not lists.contains(lists.field(rows.rows, "player"), player) then rows:append(answers(planned)) end
  end
  if planned.instructions ~= "" then ask(text_of(planned.instructions) .. "Enter begins. ") end
end

--- Checks the terminal, reads the plan, asks the player and opens the record, before a script runs.
---@return { plays: Plays, planned: Planned? }?
local function prepare(args)
  check_usage(args)
  if not terminal.is_terminal(io.stdin) or not terminal.is_terminal(io.stdout) then
    fault.at("crux play", "no terminal", "one as standard input and output")
  end
  if not args.record then return nil end
  local planned = args.plan and plan.read(args.plan, args.player)
  local player = args.player or os.getenv "USER" or ""
  if player == "" then fault.raise("found no player, expected --player NAME with --record", 2) end
  local rows = plays.open(args.record, player, planned)
  report_dropped(rows.record)
  if planned then welcome(planned, args.players, player) end
  return { plays = rows, planned = planned }
end

--- Plays the levels of a plan, in its order.
local function play_plan(planned, rows)
  local game = games.load(planned.game)
  examination.warn(game, sinks.say)
  local participation = Participation.new(play.rules(game), planned, plan.levels(planned.steps, game), rows)
  if not participation:is_over() then play_on_terminal(participation, game) end
  sinks.say(participation:farewell())
end

local function play_levels(args, rows)
  local player = setmetatable({ game = games.load(args.game), plays = rows }, Player)
  examination.warn(player.game, sinks.say)
  player.rules = play.rules(player.game)
  player.levels = read_levels(player.game, player.game:inputs(args.levels))
  if rows then plays.check_names(player.levels) end
  if player.game.doc then ask(player.game.doc .. "\nEnter begins. ") end
  player:begin(first_index(player.levels, rows and rows.finished or {}))
  play_on_terminal(player, player.game)
  local count = rows and rows.record.count or 0
  if count > 0 then sinks.say(("%s: %s appended"):format(args.record, number.count(count, "row"))) end
end

local function run(args)
  local rows <close> = args.prepared and args.prepared.plays
  if args.plan then
    play_plan(args.prepared.planned, rows)
  else
    play_levels(args, rows)
  end
end

return {
  summary = "Play levels in the terminal.",
  details = "Shows the levels one after the other, to be played with the keys that are named below the board; counts moves and "
    .. "time. A hint names the next move of a solution, or shows the board after it, and does not play it. With --record, a "
    .. "row about each attempt, which ends when the level is solved, skipped or restarted, is appended to a player study (see "
    .. "'crux help aggregate'), and solved levels are rated; the game goes on with the first level that the player has neither "
    .. "solved nor skipped. Moves that are taken back count. Colours are off when NO_COLOR is set.\n\n"
    .. "With --plan (see 'crux help study') the levels are those of the plan, in its order and without hints. When one is "
    .. "solved, the questions of the plan are asked; it can be skipped after a minute, or when it was lost twice, one of the "
    .. "tutorial at once. The plan's questions to players about themselves come first, once, and the answers go to --players. "
    .. "Each row is on the disk at once: if the program is ended, the same command goes on with the level that was played.",
  arguments = {
    { name = "game", args = "?", doc = arguments.game.doc },
    { name = "levels", args = "*", doc = "Level files, or folders of them." },
  },
  options = {
    { flags = "--record", value = "FILE.csv", doc = "Append a row for each attempt to this file, created if missing." },
    { flags = "--player", value = "NAME", doc = "The name of the player in it, $USER unless given." },
    { flags = "--plan", value = "PLAN.csv", doc = "The plan with that player's levels, in place of GAME and LEVELS." },
    { flags = "--players", value = "FILE.csv", default = "players.csv",
      doc = "Append the player's answers about themselves to this file" },
  },
  examples = { "crux play move move-levels/", "crux play flow flow-levels/ --record plays.csv --player ann",
    "crux play --plan plan.csv --player p01 --record p01.csv" },
  prepare = prepare,
  run = run,
}
