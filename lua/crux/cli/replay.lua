--- crux replay: plays inputs from a file and prints the resulting level.
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local json = require "crux.base.json"
local listing = require "crux.puzzlescript.listing"
local loss = require "crux.search.loss"
local moves = require "crux.search.moves"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local states = require "crux.search.state"
local text_file = require "crux.base.text_file"

--- Inputs of PuzzleScript by their names.
local inputs = { ["0"] = 0, ["1"] = 1, ["2"] = 2, ["3"] = 3, ["4"] = 4, U = 0, L = 1, D = 2, R = 3, A = 4, undo = "undo",
  restart = "restart", tick = "tick" }

---@class Replay                 a level that takes inputs
---@field input fun(word: string)   takes an input; is_known(word) must be true
---@field is_known fun(word: string): boolean
---@field drawing fun(): string
---@field facts fun(): table[]      names and values of the JSON output
---@field listing nil|fun(): string

--- Replays a game of PuzzleScript; a win leads to the next level.
local function replay_session(self, args)
  local session = self.own.begin(args.level, args.seed)
  local replay = {}
  function replay.is_known(word) return inputs[word] ~= nil end
  function replay.input(word) session:input(inputs[word]) end
  function replay.drawing() return self.own.draw(session) end
  function replay.listing() return listing.of(session.game, session.level, session:cells()) end

  function replay.facts()
    local rows, cells = {}, session:cells()
    for y = 1, session.level.height do
      rows[y] = {}
      for x = 1, session.level.width do
        rows[y][x] = table.concat(listing.names(session.game, cells[(x - 1) * session.level.height + y]), " ")
      end
    end
    return { { "level", session.number }, { "won", session.won }, { "width", session.level.width },
      { "height", session.level.height }, { "rows", rows } }
  end

  return replay
end

--- Replays one level of a game with `search`.
local function replay_search(self, args)
  self:expect({ "search" }, "replay")
  local entry = self:expect_entries(args.levels)[args.level + 1]
  if not entry then fault.raise(("--level: found %d, expected the number of a level, from 0"):format(args.level)) end
  local level, spec, known = self:level(entry), self.search, {}
  for _, move in ipairs(moves.of(spec, level)) do known[move] = true end
  local position, won = fault.guard(self.path, spec.start, level)
  local lost, replay = false, {}
  function replay.is_known(word) return known[word] end

  function replay.input(word)
    position = states.copy(position)
    won, lost = fault.guard(self.path, spec.step, position, word, level)
    lost = loss.cause(lost)
  end

  function replay.drawing() return self:drawing(level, nil, position) end
  function replay.facts()
    local facts = { { "level", args.level }, { "won", won == true }, { "lost", not won and lost ~= false },
      { "drawing", replay.drawing() } }
    if not won and type(lost) == "string" then table.insert(facts, 4, { "lost_by", lost }) end
    return facts
  end
  return replay
end

--- Returns the words of a file, each with its line.
local function words_of(path)
  local words, number = {}, 0
  for line in text_file.read(path, sizes.level_file_bytes, "inputs"):gmatch "([^\n]*)\n?" do
    number = number + 1
    for word in line:gmatch "[^,%s]+" do table.insert(words, { text = word, line = number }) end
  end
  return words
end

local function run(args)
  local self = game.load(args.game)
  examination.warn(self, sinks.say)
  if not self.own and #args.levels == 0 then fault.raise("expected LEVELS: files or folders", 2) end
  local words = words_of(args.inputs)
  local replay = (self.own and #args.levels == 0 and replay_session or replay_search)(self, args)
  if args.format == "puzzlescript" and not replay.listing then
    fault.raise("--format puzzlescript is for games of PuzzleScript", 2)
  end
  for _, word in ipairs(words) do
    if not replay.is_known(word.text) then
      fault.at(("%s:%d"):format(args.inputs, word.line), fault.show(word.text), "an input")
    end
  end
  local sink <close> = sinks.open(args.output)
  local function show()
    if args.format == "puzzlescript" then sink:write(replay.listing())
    elseif args.format == "json" then sink:write(json.encode(json.object(replay.facts())), "\n")
    else sink:show(replay.drawing()) end
  end
  for _, word in ipairs(words) do
    if args.trace then
      show()
      sink:write("\n", word.text, "\n")
    end
    replay.input(word.text)
  end
  show()
  sink:commit()
end

return {
  summary = "Play inputs from a file, print the result.",
  details = "Plays the inputs in a file on a level and prints what the level then looks like. The inputs are the names of the "
    .. "game's moves, separated by blanks, commas or line ends; of a game of PuzzleScript also 0 to 4 for up, left, down, "
    .. "right and action, 'undo', 'restart', and 'tick' for time that passes. Without LEVELS such a game is played as its "
    .. "author had it: a level that is won leads to the next one.",
  arguments = { arguments.game, arguments.levels },
  options = {
    { flags = "--level", value = "N", convert = convert.integer(0), default = "0",
      doc = "The number of the level, from 0; of the levels in a game of PuzzleScript messages are counted, too" },
    { flags = "--inputs", value = "FILE", default = "-", doc = "The inputs, or - for standard input" },
    { flags = "--seed", value = "TEXT", default = "1", doc = "Seed of the chance in a game of PuzzleScript" },
    { flags = "--format", value = "FORMAT", choices = { "text", "json", "puzzlescript" }, default = "text",
      doc = "The form of the printed level; puzzlescript lists the objects of each cell, column by column" },
    { flags = "--trace", doc = "Print the level before each input, too." },
    "output",
  },
  examples = { "crux replay move --inputs moves.txt move-levels/",
    "crux replay examples/magnet.txt --level 1 --inputs moves.txt --trace" },
  run = run,
}
