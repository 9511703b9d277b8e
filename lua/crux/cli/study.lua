--- crux study: a player study is planned; 'crux play --plan' carries it out.
local arguments = require "crux.cli.arguments"
local convert = require "crux.cli.convert"
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local output = require "crux.out.output"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local random = require "libcrux.random"
local record = require "crux.play.record"

local columns = {}
for i, column in ipairs(plan.columns) do columns[i] = { key = column } end

--- Two integers, as people rate.
local function scale(text)
  local range = convert.range "--scale"(text)
  local low, high = math.tointeger(range and range[1]), math.tointeger(range and range[2])
  if low and high and low >= 0 then return { low, high } end
  return nil, ("--scale: found '%s', expected LOW..HIGH, two integers from 0 on"):format(text)
end

--- The levels of the tutorial, and the others of the study, of which the tutorial's may be some; each is checked as if it were
--- played.
local function read_levels(self, args)
  local tutorial, list, taught = self:expect_entries(args.tutorial or {}), {}, {}
  for _, entry in ipairs(tutorial) do taught[entry.name] = plan.checksum(entry) end
  for _, entry in ipairs(self:expect_entries(args.levels)) do
    if taught[entry.name] ~= plan.checksum(entry) then table.insert(list, entry) end
  end
  local all = table.move(list, 1, #list, #tutorial + 1, table.move(tutorial, 1, #tutorial, 1, {}))
  for _, entry in ipairs(all) do
    if entry.path == "<stdin>" then fault.at("LEVELS", "standard input", "files, which players can read again") end
    self:level(entry)
  end
  record.check_names(all)
  return tutorial, list
end

local function run(args)
  for _, name in ipairs { "game", "players", "per_player" } do
    if not args[name] then fault.raise(("expected --%s"):format(name:gsub("_", "-")), 2) end
  end
  local self = game.load(args.game)
  play.rules(self) -- what keeps it from being played shows now
  local tutorial, list = read_levels(self, args)
  if args.per_player > #list then
    fault.at("--per-player", args.per_player, ("at most %d, the levels that are there beside the tutorial's"):format(#list))
  end
  local rows = plan.rows(tutorial, list, args, random.new(args.seed))
  output.table(args.output, output.format(args.format, args.output, "csv"), columns, rows)
end

return {
  details = "Writes a plan: the players p1, p2, ... (p01 if there are ten) and, for each, the levels of the tutorial in their "
    .. "order and then some of the others, in a random order. After every player, the numbers of ratings of any two levels "
    .. "differ by at most one; no player gets a level twice; and each level is equally often the first, the second, ... that "
    .. "is rated, up to one. The same seed gives the same plan everywhere.\n\n"
    .. "'crux play --plan PLAN --player p1 --record p1.csv' lets a player play, in the folder where the plan was made: the "
    .. "plan names the files as the command line does, with a checksum of each level. 'crux aggregate p*.csv' makes a dataset "
    .. "of the records. docs/study.md shows a study from the plan to a rule.",
  arguments = {
    { name = "action", choices = { "plan" }, doc = "What to do: plan" },
    { name = "levels", args = "+", doc = "Level files, or folders of them." },
  },
  options = {
    { flags = "--game", value = "GAME", doc = arguments.game.doc },
    { flags = "--players", value = "N", convert = convert.integer("--players", 1), doc = "How many players there are." },
    { flags = "--per-player", value = "K", convert = convert.integer("--per-player", 1),
      doc = "How many levels each of them rates." },
    { flags = "--tutorial", value = "LEVELS", repeated = true,
      doc = "Levels for everybody at the start, which are not rated: a file, or a folder of them. More than once adds more." },
    { flags = "--scale", value = "LOW..HIGH", convert = scale, default = "1..10", doc = "The lowest and highest rating" },
    { flags = "--enjoyment", doc = "Ask how enjoyable each level was, too." },
    { flags = "--seed", value = "N", convert = convert.integer("--seed", 0), default = "1", doc = "Seed of the random order" },
    "output", "format",
  },
  examples = { "crux study plan --game move datasets/levels/move --players 40 --per-player 12 -o plan.csv" },
  run = run,
}
