--- The summary of a study that `crux study summary` and `crux study watch` print.
local attempts = require "crux.data.attempts"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local summary = require "crux.data.summary"
local tables = require "crux.out.tables"

local study_summary = {}

local counted = { "plays", "solved", "skipped", "rated", "rating", "deviation", "time", "median_time" }
local by_level = formats.columns(lists.concat({ "level" }, counted))
local by_position = formats.columns(lists.concat({ "position" }, counted, { "last" }))

local function percent(part, whole) return ("%.1f%%"):format(100 * part / math.max(whole, 1)) end

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

local function spread_json(spread)
  return json.object(lists.map({ "least", "mean", "median", "greatest", "deviation" },
    function(name) return { name, spread[name] } end))
end

--- Prints the summary of a dataset of plays.
---@param args table   with `output` and `format`
function study_summary.print(data, args)
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

return study_summary
