--- The task track: ratings of players and levels that learn with each play.
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local file_system = require "libcrux.files"
local formats = require "crux.out.formats"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local tracker = require "crux.rule.tracker"

--- What is said about plays that are not taken as they stand.
local remarks = {
  { "missing", "left out: a value is missing" },
  { "again", "left out: the clock is that of the player's last play" },
  { "earlier", "left out: the clock is before the player's last play" },
  { "late", "came so long after the player's last that the player counts as new" },
}

local function report_plays(data, tracked, args, notes)
  for _, remark in ipairs(remarks) do
    local name, text = table.unpack(remark)
    local count, first = tracked.counts[name], tracked.first[name]
    if count > 0 then
      local place = first and ", the first at " .. first or ""
      args.say(("%s: %s %s%s"):format(data.name, number.count(count, "play"), text, place))
    end
  end
  local taken = tracked.counts.taken + tracked.counts.late
  if taken == 0 then return end
  table.insert(notes, ("%s; mean log loss of what was expected before each: %.4f"):format(number.count(taken, "play"),
    tracked.surprise / taken))
end

local over_time = formats.columns { "player", "level", "expected", "ability", "ability_error", "difficulty",
  "difficulty_error" }
local at_the_end = formats.columns { "side", "name", "plays", "rating", "error" }

local function run(args)
  local rule = args.rule and inputs.rule(args.rule, args)
  local tracked = tracker.new(rule, { model = args.model or rule and "kalman" or "glicko2", clock = args.clock,
    drift = args.drift, period = args.period })
  if args.state and file_system.is_regular(args.state) then tracked:restore(args.state) end
  local data = inputs.data(args.data, args)
  local hides_errors, notes = args.model == "elo", {}
  local function rows(writer)
    tracked:play(data, function(block, values)
      if not args.over_time then return end
      if hides_errors then values.ability_error, values.difficulty_error = nil, nil end
      writer:block(lists.merge(values, { player = block.texts.player, level = block.texts.level }), block.rows)
    end)
    for side, name in ipairs(args.over_time and {} or tracker.sides) do
      local values = tracked:ratings(side)
      if hides_errors then values.error = nil end
      values.side = {}
      for i = 1, #values.plays do values.side[i] = name end
      writer:block(values, #values.plays)
    end
    inputs.report_unmatched(data, args)
    report_plays(data, tracked, args, notes)
  end
  return { notes = notes, tables = { { columns = args.over_time and over_time or at_the_end, rows = rows } },
    state = { columns = formats.columns(tracker.state_columns), rows = function(writer) tracked:save(writer) end } }
end

return {
  summary = "Rate players and levels, play by play.",
  details = "Takes the plays of a CSV file in their order, and changes the ratings of player and level by each. Prints the "
    .. "ratings at the end with their standard errors; with --over-time a row a play: what was expected before it, and "
    .. "the ratings after it. A player succeeds at a level more often than not if the ability is above the "
    .. "difficulty.\n\nWithout a rule plays are outcomes, 1 or 0 in the column solved, and the model is Glicko-2, in "
    .. "logits: 400 / ln 10 times that are points. A rule fitted by mixed gives the response, the variances, and where "
    .. "a new level starts: a Kalman filter of its model follows the plays, of outcomes, of ratings, or of times with "
    .. "lower bounds.\n\nWith --clock a player's plays are taken as the clock rises: a play at or before the clock of "
    .. "the player's last one is left out. docs/tracking.md tells more.",
  arguments = { arguments.plays,
    { name = "rule", args = "?", doc = "A rule that crux fit has fitted by mixed, with (1 | player) and (1 | level)." } },
  options = {
    { flags = "--model", value = "MODEL", choices = { "elo", "glicko2", "kalman" },
      doc = "The model: kalman with a rule, unless given, and glicko2 without." },
    { flags = "--over-time", doc = "Print a row a play instead of the ratings at the end." },
    { flags = "--clock", value = "COLUMN", doc = "The column that tells when a play was, in any unit." },
    { flags = "--period", value = "N", convert = convert.positive, default = "1",
      doc = "A period, in units of the clock; without a clock each play is a period after the one before" },
    { flags = "--drift", value = "SD", convert = convert.limit, default = "0",
      doc = "Kalman: the standard deviation of a player's change in a period" },
    { flags = "--state", value = "FILE.csv", in_journal = false,
      doc = "Go on from the state in this file, if it is there, and write the new one to it." },
    "with", "delimiter", "rename", "output", "format",
  },
  format = "csv",
  writes = function(args) return args.state and { [args.state] = true } or {} end,
  examples = { "crux track datasets/rushhour-plays.csv", "crux track plays.csv fitted.lua --clock day --drift 0.1",
    "crux track monday.csv --state ratings.csv -o ratings-now.csv" },
  run = run,
}
