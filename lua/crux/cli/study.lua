--- crux study: plans a player study, which 'crux play --plan' carries out, and summarises what was played.
local arguments = require "crux.option.arguments"
local attempts = require "crux.data.attempts"
local convert = require "crux.option.convert"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local first_argument = require "crux.cli.first_argument"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local study_data = require "crux.task.shared.study_data"
local interview = require "crux.play.interview"
local lists = require "crux.base.lists"
local options = require "crux.option.options"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local random = require "libcrux.random"
local sinks = require "crux.out.sinks"
local store = require "crux.serve.store"
local study_summary = require "crux.cli.study_summary"
local tables = require "crux.out.tables"

--- Reads the scale of ratings: two integers.
local function scale(text, flag)
  local range = convert.range(text, flag)
  local low, high = math.tointeger(range and range[1]), math.tointeger(range and range[2])
  if low and high and low >= 0 then return { low, high } end
  return convert.refuse(text, flag, "LOW..HIGH, two integers from 0 on")
end

--- Reads the path of a text that players read.
local function readable(text, flag)
  if file_system.is_regular(text) then return text end
  return convert.refuse(text, flag, "a text file")
end

local function item(text, flag)
  interview.parse(text, flag)
  return text
end

--- The fields that all rows of a plan share.
---@return PlanFields
local function wanted_of(args)
  local items = table.concat(args.ask or {}, "; ")
  interview.parse(items, "--ask") -- refuses a name that is there twice
  return { game = args.game, scale = args.scale, consent = args.consent, instructions = args.instructions, interview = items,
    questions = { enjoyment = args.enjoyment, skipped = args.ask_skipped, tutorial = args.ask_tutorial } }
end

--- The game and levels of a study that can be played.
local function read_study(args)
  local game = games.load(args.game)
  play.rules(game) -- refuses a game that cannot be played
  local tutorial, list = plan.entries(game, args.tutorial or {}, args.inputs)
  for _, entry in ipairs(lists.concat(tutorial, list)) do game:level(entry) end -- refuses a wrong level
  return tutorial, list
end

local function save_plan(args, rows)
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), formats.columns(plan.columns), rows)
end

local function run_plan(args)
  local wanted, tutorial, list = wanted_of(args), read_study(args)
  if args.per_player > #list then
    fault.at("--per-player", args.per_player, ("at most %d, the levels that are there beside the tutorial's"):format(#list))
  end
  save_plan(args, plan.rows(tutorial, list, args.players, args.per_player, wanted, random.new(args.seed)))
end

local function run_next(args)
  local wanted, tutorial, list = wanted_of(args), read_study(args)
  local known = lists.select(args.record or {}, function(path) return file_system.is_regular(path) ~= nil end)
  local played = known[1] and attempts.plays(study_data.attempts(known, args)) or {}
  wanted.order, wanted.success = args.order, args.success
  local rows = plan.next(tutorial, list, played, args.player, wanted, random.new(args.seed))
  if #rows == 0 then fault.at(args.player, "a player who has played all levels", "one with a level left") end
  save_plan(args, rows)
end

--- Summarises files of records, or one database.
local function run_summary(args)
  if not args.prepared then return study_summary.print(study_data.attempts(args.inputs, args), args) end
  local open <close> = args.prepared
  study_summary.print(export.dataset(open), args)
end

local by_name = {} ---@type table<string, StudyAction>

--- Opens the outputs and the database, which the wall of system calls forbids later.
---@return Store?
local function prepare(args)
  sinks.reserve(args.output)
  if args.players_file then sinks.reserve(args.players_file) end
  if args.identifiers then sinks.reserve(args.identifiers) end
  if args.codebook then sinks.reserve(args.codebook) end
  local action = by_name[args.action]
  if not action.takes_database or not export.is_database(args.inputs[1]) then return nil end
  if args.inputs[2] and not action.takes_files then fault.at(args.inputs[2], "another input", "one database alone") end
  return store.open(args.inputs[1], false)
end

local of_plans = {
  { flags = "--game", value = "GAME", doc = arguments.game.doc },
  { flags = "--tutorial", value = "LEVELS", repeated = true,
    doc = "Levels for everybody at the start: a file, or a folder of them. More than once adds more." },
  { flags = "--scale", value = "LOW..HIGH", convert = scale, default = "1..10", doc = "The lowest and highest rating" },
  { flags = "--enjoyment", doc = "Ask how enjoyable each level was, too." },
  { flags = "--ask-skipped", doc = "Ask about levels that were skipped, too." },
  { flags = "--ask-tutorial", doc = "Ask about the levels of the tutorial, too." },
  { flags = "--consent", value = "FILE", convert = readable, doc = "A text that players agree to before they begin." },
  { flags = "--instructions", value = "FILE", convert = readable, doc = "A text that players read before they begin." },
  { flags = "--ask", value = "ITEM", convert = item, repeated = true,
    doc = "Ask players about themselves: NAME, NAME: LOW..HIGH or NAME: CHOICE, CHOICE. More than once asks more." },
  { flags = "--seed", value = "N", convert = convert.integer(0), default = "1", doc = "Seed of the random order" },
  "output", "format",
}

---@class StudyAction
---@field name string
---@field doc string
---@field options (string|table)[]
---@field needed string[]?          names of options
---@field takes_database boolean?   of crux serve
---@field takes_files boolean?      behind the database
---@field run fun(args: table)

---@type StudyAction[]
local actions = lists.concat({
  { name = "plan", doc = "LEVELS: which player plays which levels, in which order", run = run_plan,
    needed = { "game", "players", "per_player" }, options = lists.concat({
    { flags = "--players", value = "N", convert = convert.integer(1), doc = "The number of players." },
    { flags = "--per-player", value = "K", convert = convert.integer(1), doc = "The number of levels for each player." },
  }, of_plans) },
  { name = "next", doc = "LEVELS: a plan of one level for a player, chosen by the plays so far", run = run_next,
    needed = { "game", "player" }, options = lists.concat({
      { flags = "--player", value = "NAME", doc = "The player." },
      { flags = "--record", value = "FILE.csv", repeated = true,
        doc = "The plays so far; a missing file counts as empty. More than once adds more." },
      { flags = "--order", value = "ORDER", choices = { "fewest", "variance", "ability" }, default = "fewest",
        doc = "The level with the fewest ratings, that of whose difficulty a play tells most, or of this player's ability" },
      { flags = "--success", value = "P", convert = convert.tolerance, default = "0.7",
        doc = "The chance of success that --order ability wants" },
      "delimiter",
    }, of_plans) },
  { name = "summary", takes_database = true, run = run_summary,
    doc = "STUDY or DB: how often levels were played, how plays ended, how ratings change with practice",
    options = { "delimiter", "rename", "output", "format" } },
}, require "crux.cli.study_database")

local listed, all_options = {}, options.together(lists.field(actions, "options"))
for i, action in ipairs(actions) do
  by_name[action.name], listed[i] = action, ("   %-8s %s"):format(action.name, action.doc)
end

return {
  summary = "Plan a study; export what players did.",
  details = "Does one of these; 'crux study ACTION --help' lists the options of an action:\n\n" .. table.concat(listed, "\n")
    .. "\n\nA plan has players p1, p2, ... (p01 if there are ten) and, for each, the levels of the tutorial in their "
    .. "order and then some of the others, in a random order. After every player, the numbers of ratings of any two levels "
    .. "differ by at most one; no player gets a level twice; and each level is equally often the first, the second, ... that "
    .. "is rated, up to one. The same seed gives the same plan everywhere.\n\n"
    .. "'crux play --plan PLAN --player p1 --record p1.csv' lets a player play, in the folder where the plan was made: the "
    .. "plan names the files as the command line does, with a checksum of each level. 'crux aggregate p*.csv' makes a dataset "
    .. "of the records. docs/study.md shows a study from the plan to a rule.",
  arguments = {
    { name = "action", choices = lists.field(actions),
      doc = "The action: " .. table.concat(lists.field(actions), ", "):gsub("(.*), ", "%1 or ") },
    { name = "inputs", args = "+", doc = "Level files, or folders of them; for summary, CSV files of plays, or a database of "
      .. "'crux serve'; for watch and the actions behind it, a database." },
  },
  options = function(words)
    local action = by_name[first_argument(words, all_options)]
    return action and action.options or all_options
  end,
  examples = { "crux study plan --game move datasets/levels/move --players 40 --per-player 12 -o plan.csv",
    "crux study next --game move datasets/levels/move --player ann --record study.csv -o next.csv",
    "crux study summary study.csv", "crux study export study.db -o plays.csv",
    "crux study links study.db --count 100 --url https://study.example.org/ -o links.txt",
    "crux study import study.db ann.csv bob.csv", "crux study forget study.db --older-than 365" },
  prepare = prepare,
  run = function(args)
    local action = by_name[args.action]
    for _, name in ipairs(action.needed or {}) do
      if not args[name] then fault.raise(("expected --%s"):format(name:gsub("_", "-")), 2) end
    end
    action.run(args)
  end,
}
