--- crux study: plans a player study, which 'crux play --plan' carries out, and summarises what was played.
local arguments = require "crux.cli.arguments"
local attempts = require "crux.data.attempts"
local convert = require "crux.cli.convert"
local dataset = require "crux.data.dataset"
local examination = require "crux.cli.examination"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local first_argument = require "crux.cli.first_argument"
local fit_report = require "crux.cli.fit_report"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local import = require "crux.serve.import"
local inputs = require "crux.cli.inputs"
local interview = require "crux.play.interview"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local options = require "crux.cli.options"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local random = require "libcrux.random"
local sinks = require "crux.out.sinks"
local store = require "crux.serve.store"
local studies = require "crux.serve.study"
local study = require "crux.data.study"
local summary = require "crux.data.summary"
local tables = require "crux.out.tables"
local tokens = package.preload["libcrux.token"] and require "libcrux.token" -- an optional part of the build
local watching = require "crux.cli.watching"

local function columns_of(keys) return lists.map(keys, function(key) return { key = key } end) end

local counted = { "plays", "solved", "skipped", "rated", "rating", "deviation", "time", "median_time" }
local columns, by_level, by_position = columns_of(plan.columns), columns_of(lists.concat({ "level" }, counted)),
  columns_of(lists.concat({ "position" }, counted, { "last" }))

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

--- Reads what players are asked about themselves.
local function item(text, flag)
  interview.parse(text, flag)
  return text
end

local function expect(args, names)
  for _, name in ipairs(names) do
    if not args[name] then fault.raise(("expected --%s"):format(name:gsub("_", "-")), 2) end
  end
end

--- What the rows of a plan share.
---@return Wanted
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
  tables.save(args.output, formats.choose(args.format, args.output, "csv"), columns, rows)
end

local function run_plan(args)
  expect(args, { "game", "players", "per_player" })
  local wanted, tutorial, list = wanted_of(args), read_study(args)
  if args.per_player > #list then
    fault.at("--per-player", args.per_player, ("at most %d, the levels that are there beside the tutorial's"):format(#list))
  end
  save_plan(args, plan.rows(tutorial, list, args.players, args.per_player, wanted, random.new(args.seed)))
end

local function run_next(args)
  expect(args, { "game", "player" })
  local wanted, tutorial, list = wanted_of(args), read_study(args)
  local known = lists.select(args.record or {}, function(path) return file_system.is_regular(path) ~= nil end)
  local played = known[1] and attempts.plays(inputs.attempts(known, args)) or {}
  local rows = plan.next(tutorial, list, played, args.player, wanted, random.new(args.seed))
  if #rows == 0 then fault.at(args.player, "a player who has played all levels", "one with a level left") end
  save_plan(args, rows)
end

local function percent(part, whole) return ("%.1f%%"):format(100 * part / math.max(whole, 1)) end

--- A line about the spread of counts.
local function spread_line(name, spread)
  return ("%s: %d to %d, mean %.2f, median %g, standard deviation %.2f"):format(name, spread.least, spread.greatest,
    spread.mean, spread.median, spread.deviation or 0)
end

--- Lines about a study.
---@param found StudySummary
local function notes_of(found)
  local lines = {
    ("%s of %s by %s: %d solved, %d skipped (%s%s), %d neither"):format(number.count(found.plays, "play"),
      number.count(#found.levels, "level"), number.count(found.players, "player"), found.solved, found.skipped,
      percent(found.skipped, found.plays), found.skip_time and (", after %.1f s on average"):format(found.skip_time) or "",
      found.plays - found.solved - found.skipped),
    ("%s, %s solve the level%s"):format(number.count(found.attempts, "attempt"), percent(found.solved, found.attempts),
      found.losses and (", %d losses"):format(found.losses) or ""),
    spread_line("Plays of a level", found.per_level), spread_line("Levels of a player", found.per_player),
  }
  local total = 0
  for _, row in ipairs(found.causes) do total = total + row.attempts end
  local causes = lists.map(found.causes, function(row) return ("%s %s"):format(row.cause, percent(row.attempts, total)) end)
  if causes[1] then table.insert(lines, "Lost by: " .. table.concat(causes, ", ")) end
  if found.rating_slope then
    table.insert(lines, ("From one position to the next, plays of the same level change by %+.3f in rating%s"):format(
      found.rating_slope, found.time_slope and (", %+.2f s in time"):format(found.time_slope) or ""))
  end
  return lines
end

--- A spread in JSON.
local function spread_json(spread)
  return json.object(lists.map({ "least", "mean", "median", "greatest", "deviation" },
    function(name) return { name, spread[name] } end))
end

--- Prints a summary of a dataset of plays.
local function print_summary(data, args)
  local found = summary.of(attempts.plays(data))
  if found.plays == 0 then fault.at(data.name, "no play", "at least one beside those of a tutorial") end
  local shown = { { columns = by_level, rows = found.levels } }
  if found.positions[1] then
    shown[2] = { title = "By position in the player's order", columns = by_position, rows = found.positions }
  end
  tables.report(args.output, formats.choose(args.format, args.output, "table"), {
    json = json.object { { "players", found.players }, { "plays", found.plays }, { "solved", found.solved },
      { "skipped", found.skipped }, { "skip_time", found.skip_time }, { "attempts", found.attempts },
      { "losses", found.losses },
      { "causes", json.objects({ { key = "cause" }, { key = "attempts" } }, found.causes) },
      { "plays_of_a_level", spread_json(found.per_level) }, { "levels_of_a_player", spread_json(found.per_player) },
      { "rating_slope", found.rating_slope }, { "time_slope", found.time_slope },
      { "levels", json.objects(by_level, found.levels) },
      { "positions", json.objects(by_position, found.positions) } },
    tables = shown, notes = notes_of(found),
  })
end

--- Summarises files of records, or one database.
local function run_summary(args)
  if not args.prepared then return print_summary(inputs.attempts(args.inputs, args), args) end
  local open <close> = args.prepared
  print_summary(export.dataset(open), args)
end

--- The database that the command line names.
---@return Store
local function database_of(args)
  return args.prepared or fault.at(args.inputs[1], "no database", "the one of crux serve")
end

--- The study of a database, and the measures of its levels that its rule needs; nothing without a script or a rule.
---@return Study?
---@return Dataset? measures
local function study_of(args)
  local path = args.study or args.inputs[1]:gsub("%.%w+$", "") .. ".lua"
  if not args.study and not file_system.is_regular(path) then return nil end
  local found = studies.load(path)
  if not found.rule then return nil end
  local measured, finish = examination.dataset(found.game, args, found.inputs, found.game:needed_by(found.rule))
  finish()
  return found, measured
end

--- Fits the rule of a study to the mean ratings of its levels, and prints the fit.
---@param rule Rule
---@param data Dataset       of attempts
---@param measured Dataset
local function refit(rule, data, measured)
  local result = study.aggregate(attempts.merged(data), { target = "difficulty" })
  local ratings = dataset.of_texts(data.name, result.columns, lists.map(result.rows, function(row)
    local texts = {}
    for _, column in ipairs(result.columns) do
      texts[column] = math.type(row[column]) and number.exact(row[column]) or row[column] or ""
    end
    return { place = ("%s: level '%s'"):format(data.name, row.level), texts = texts }
  end))
  local fitted = rule:estimate(dataset.join(ratings, measured), {})
  tables.report(nil, "table", fit_report.of(fitted, rule))
end

--- Seconds between two looks at a database.
local PAUSE <const> = 1

--- Prints the summary of a database, and the refitted rule of its study, again when attempts have ended.
local function run_watch(args)
  local open <close> = database_of(args)
  local found, measured = study_of(args)
  local function report()
    local data = export.dataset(open)
    print_summary(data, args)
    if not found then return end
    io.stdout:write(("\n%s, refitted to the mean ratings of levels\n\n"):format(found.rule:who()))
    refit(found.rule, data, measured)
  end
  local count
  local function attempts_now() return open:first("SELECT count(*) AS n FROM attempt").n end
  watching.forever(function()
    count = attempts_now()
    local ok, problem = fault.catch(report)
    if not ok then sinks.say(problem.message) end
    return open.path
  end, function()
    watching.until_true(PAUSE, function() return attempts_now() ~= count end)
    return open.path .. " has changed"
  end)
end

--- Adds the plays of files to a database.
local function run_import(args)
  local open <close> = database_of(args)
  local files = lists.select(args.inputs, function(path) return path ~= args.inputs[1] end)
  if not files[1] then fault.raise("expected DB PLAYS.csv", 2) end
  local added, known = open:atomically(import.plays, open, inputs.attempts(files, args), 1000 * os.time())
  sinks.say(("%s: %s added, %d there before"):format(open.path, number.count(added, "attempt"), known))
end

--- Makes personal links and prints them.
local function run_links(args)
  expect(args, { "count" })
  local open <close> = database_of(args)
  local lines = {}
  open:atomically(function()
    for i = 1, args.count do
      local token = fault.check(tokens.new())
      open:run("INSERT INTO link VALUES (?)", tokens.digest(token))
      lines[i] = ("%s#%s\n"):format(args.url, token)
    end
    sinks.save(args.output, table.concat(lines))
  end)
end

--- Writes the plays of a database, and to --players-file what players said about themselves.
local function run_export(args)
  local open <close> = database_of(args)
  local function save(path, names, rows)
    tables.save(path, formats.choose(args.format, path, "csv"), columns_of(names), rows)
  end
  save(args.output, export.plays(open))
  if args.players_file then save(args.players_file, export.players(open)) end
end

local function run_jsonl(args)
  local open <close> = database_of(args)
  sinks.save(args.output, export.acts(open))
end

local function run_forget(args)
  expect(args, { "older_than" })
  local open <close> = database_of(args)
  local count = open:forget_before(math.floor(1000 * (os.time() + 1 - 86400 * args.older_than))) -- this second counts
  open:clean()
  sinks.say(("%s: %s deleted"):format(open.path, number.count(count, "player")))
end

local by_name = {} ---@type table<string, StudyAction>

--- Opens the outputs, and the database, for which the wall of system calls leaves no way later.
---@return Store?
local function prepare(args)
  sinks.reserve(args.output)
  if args.players_file then sinks.reserve(args.players_file) end
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
---@field takes_database boolean?   of crux serve
---@field takes_files boolean?      behind the database
---@field run fun(args: table)

---@type StudyAction[]
local actions = {
  { name = "plan", doc = "LEVELS: which player plays which levels, in which order", run = run_plan, options = lists.concat({
    { flags = "--players", value = "N", convert = convert.integer(1), doc = "How many players there are." },
    { flags = "--per-player", value = "K", convert = convert.integer(1), doc = "How many levels each of them rates." },
  }, of_plans) },
  { name = "next", doc = "LEVELS: a plan of one level for a player, of those with the fewest ratings", run = run_next,
    options = lists.concat({
      { flags = "--player", value = "NAME", doc = "The player." },
      { flags = "--record", value = "FILE.csv", repeated = true,
        doc = "What was played so far, if the file is there. More than once adds more." },
      "delimiter",
    }, of_plans) },
  { name = "summary", takes_database = true, run = run_summary,
    doc = "STUDY or DB: how often levels were played, how plays ended, how ratings change with practice",
    options = { "delimiter", "rename", "output", "format" } },
  { name = "watch", takes_database = true, run = run_watch,
    doc = "DB: the summary, and the study's rule fitted to the mean ratings, again as attempts end",
    options = {
      { flags = "--study", value = "STUDY.lua",
        doc = "The study script, whose field rule is fitted; the one beside the database, with its name, unless given." },
      "memory",
    } },
  { name = "links", takes_database = true, run = run_links, doc = "DB: personal links, one for each player",
    options = {
      { flags = "--count", value = "N", convert = convert.integer(1), doc = "How many links." },
      { flags = "--url", value = "URL", default = "http://127.0.0.1:8080/", doc = "The link of the study" },
      "output",
    } },
  { name = "import", takes_database = true, takes_files = true, run = run_import,
    doc = "DB PLAYS.csv...: adds what 'crux play --record' wrote; plays that are there already stay once",
    options = { "delimiter", "rename" } },
  { name = "export", takes_database = true, run = run_export,
    doc = "DB: the plays in a database of 'crux serve', as 'crux aggregate' takes them",
    options = {
      { flags = "--players-file", value = "FILE.csv", doc = "Write what players said about themselves to this file, too." },
      "output", "format",
    } },
  { name = "jsonl", takes_database = true, run = run_jsonl, doc = "DB: all that players did, a line of JSON for each act",
    options = { "output" } },
  { name = "forget", takes_database = true, run = run_forget, doc = "DB: delete players who have done nothing for some days",
    options = { { flags = "--older-than", value = "DAYS", convert = convert.limit, doc = "The days." } } },
}

local listed, all_options, known = {}, {}, {}
for i, action in ipairs(actions) do
  by_name[action.name], listed[i] = action, ("   %-8s %s"):format(action.name, action.doc)
  for _, row in ipairs(action.options) do
    local flags = row.flags or options[row].flags
    if not known[flags] then table.insert(all_options, row) end
    known[flags] = true
  end
end

return {
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
      doc = "What to do: " .. table.concat(lists.field(actions), ", "):gsub("(.*), ", "%1 or ") },
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
  run = function(args) by_name[args.action].run(args) end,
}
