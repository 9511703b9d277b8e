--- crux play: levels to be played on a terminal.
local arguments = require "crux.cli.arguments"
local fault = require "crux.fault"
local game = require "crux.game"
local number = require "crux.number"
local output = require "crux.output"
local play = require "crux.play"
local record = require "crux.record"
local screen = require "crux.cli.screen"
local Session = require "crux.session"
local system = require "libcrux.system"
local terminal = require "libcrux.terminal"

---@class Player                the one at the terminal, and what is in front of him
---@field game Game
---@field rules Rules
---@field levels { name: string, level: table }[]
---@field index integer         of the level that is played
---@field record Record?
---@field rating string?        what has been typed, while a rating is asked for
---@field visible boolean       the board fits on the screen
---@field view View
local Player = {}
Player.__index = Player

--- The levels of the inputs; what is wrong with any of them is a fault now, not in the middle of the game.
local function read_levels(self, inputs)
  local list = {}
  for entry in self:entries(inputs) do
    if entry.problem then fault.raise(entry.problem.message) end
    table.insert(list, { name = entry.name, level = self:level(entry), path = entry.path })
  end
  return list
end

--- A study knows levels by their names.
local function check_names(levels)
  local seen = {}
  for _, entry in ipairs(levels) do
    if seen[entry.name] then
      fault.at(entry.path, ("a level '%s', as in %s"):format(entry.name, seen[entry.name]), "different names, to record them")
    end
    seen[entry.name] = entry.path
  end
end

function Player:entry() return self.levels[self.index] end

--- Begins a level.
function Player:begin(index)
  self.index = index
  local entry = self:entry()
  self.view.session = Session.new(self.rules, entry.level)
  self.view.title = ("%s  %s  (%d of %d)"):format(self.game.name, entry.name, index, #self.levels)
  if self.record and self.record.known[entry.name] then self:say "recorded already: this is for fun" end
  if self.view.session:done() then self:solved() end
end

function Player:say(message) self.view.session.message = message end

--- Goes to another level.
function Player:go(step)
  if self.levels[self.index + step] then
    self:begin(self.index + step)
  else
    self:say(step > 0 and "this is the last level" or "this is the first level")
  end
end

--- Whether this level is to be recorded still.
function Player:is_recording() return self.record and not self.record.known[self:entry().name] end

--- Appends a row about the level.
function Player:append(skipped, rating)
  local session = self.view.session
  self.record:append { level = self:entry().name, rating = rating, time = session.seconds, moves_used = session.moves,
    skipped = skipped }
end

local function outcome(session)
  return ("solved: %s, %s"):format(number.count(session.moves, "move"), screen.time(session.seconds))
end

--- The level is solved: asks for a rating, if it is recorded.
function Player:solved()
  self.rating = self:is_recording() and "" or nil
  self:say(outcome(self.view.session) .. (self.index < #self.levels and "; n goes on" or ""))
end

--- A key while a rating is asked for. Returns false when the player quits.
function Player:rate(key)
  local typed = tonumber(self.rating .. key)
  if key == "backspace" then
    self.rating = self.rating:sub(1, -2)
  elseif key:find "^%d$" and typed >= 1 and typed <= 10 then
    self.rating = self.rating .. key
  elseif key == "enter" or key == "q" then
    self:append(false, math.tointeger(tonumber(self.rating)))
    self.rating = nil
    self:say("recorded" .. (self.index < #self.levels and "; n goes on" or "; this was the last level"))
  end
  return key ~= "q"
end

function Player:skip()
  local is_recording = self:is_recording()
  if is_recording then self:append(true) end
  self:go(1)
  if is_recording then self:say("skipped; " .. self.view.session.message) end
end

--- A key while a level is played.
function Player:press(key)
  local session = self.view.session
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

--- A key. Returns false when the player quits.
function Player:key(key)
  if key == "resize" then return true end
  if self.rating then return self:rate(key) end
  if key == "n" then
    self:go(1)
  elseif key == "p" then
    self:go(-1)
  elseif key == "x" and self.record then
    self:skip()
  else
    self:press(key)
  end
  return key ~= "q"
end

--- Plays until the player quits, or the input ends, which is the same. Time counts while a key is waited for: neither that
--- which a hint takes, nor that in which the program was stopped.
function Player:run()
  local tick = 1 -- s
  repeat
    local view = self.view
    view.question = self.rating
      and ("%s. How hard was it, 1 to 10 (Enter: no rating)? %s"):format(outcome(view.session), self.rating)
    self.visible = screen.draw(view)
    local before = system.seconds()
    local key = view.terminal:key(tick)
    view.session:pass(math.min(system.seconds() - before, tick))
    if key == nil then key = "q" end
  until key and not self:key(key)
end

--- The first level that is not recorded.
local function first_index(levels, known)
  for i, entry in ipairs(levels) do
    if not known[entry.name] then return i end
  end
  return 1
end

local function commands(self)
  local words = { "u undo", "r restart", "? hint" }
  if #self.levels > 1 then table.move({ "n next", "p previous" }, 1, 2, #words + 1, words) end
  if self.record then table.insert(words, "x skip") end
  table.insert(words, "q quit")
  return table.concat(words, "  ")
end

--- Opens the terminal and plays.
local function play_on_terminal(self)
  local found <close>, expected = terminal.open()
  if not found then fault.at("crux play", ("TERM=%s"):format(os.getenv "TERM" or ""), expected) end
  local has_colours = found:has_colours() and (os.getenv "NO_COLOR" or "") == ""
  self.view = { terminal = found, plain = not found:is_utf8(), colours = has_colours and self.game.colours or {},
    commands = commands(self) }
  self:begin(first_index(self.levels, self.record and self.record.known or {}))
  self:run()
end

local function run(args)
  if args.player and not args.record then fault.raise("found --player without --record, expected both", 2) end
  local self = setmetatable({ game = game.load(args.game) }, Player)
  self.rules = play.rules(self.game)
  self.levels = read_levels(self.game, args.levels)
  if not system.is_terminal(io.stdin) or not system.is_terminal(io.stdout) then
    fault.at("crux play", "no terminal", "one as standard input and output")
  end
  if args.record then
    local player = args.player or os.getenv "USER" or ""
    if player == "" then fault.raise("found no player, expected --player NAME with --record", 2) end
    check_names(self.levels)
    self.record = record.open(args.record, player)
  end
  play_on_terminal(self)
  if self.record and self.record.count > 0 then
    output.say(("%s: %s appended"):format(args.record, number.count(self.record.count, "row")))
  end
end

return {
  details = "Shows the levels one after the other, to be played with the keys that are named below the board; counts moves and "
    .. "time. A hint makes the next move of a solution. With --record, a row about each level that is solved or skipped is "
    .. "appended to a player study (see 'crux help aggregate'), and solved levels are rated; the game goes on with the first "
    .. "level that the player has no row for. Moves that are taken back count. Where a game leaves them free, h j k l and "
    .. "w a s d are arrows, too. Colours are off when NO_COLOR is set.",
  arguments = {
    arguments.game,
    { name = "levels", args = "+", doc = "Level files, or folders of them." },
  },
  options = {
    { flags = "--record", value = "FILE.csv", doc = "Append what was played to this player study, made unless it is there." },
    { flags = "--player", value = "NAME", doc = "The name of the player in it, $USER unless given." },
  },
  examples = { "crux play move move-levels/", "crux play flow flow-levels/ --record plays.csv --player ann" },
  run = run,
}
