--- The task agreement: how far the players of a study agree on levels, and how reliable the means of their ratings are.
local agreement = require "crux.data.agreement"
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local study_data = require "crux.task.shared.study_data"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local reliability = require "crux.judge.reliability"

local columns = { { key = "level" }, { key = "disagree" }, { key = "neutral" }, { key = "agree" }, { key = "agreement" } }

local most_shown = 10 -- levels in formats for people, unless --all is given

--- The levels of a table for people: those of least agreement.
local function least(levels)
  return lists.copy(lists.sort(lists.copy(levels), function(row) return row.agreement or math.huge end), most_shown)
end

--- Two lines about the reliability of ratings.
---@param found Reliability
---@param players integer?   that a level needs
local function notes_of(found, players, wanted)
  local function show(value) return value and ("%.3f"):format(value) or "undefined" end
  return ("ICC(1): %s, ICC(2,1): %s, ICC(2,k): %s for k = %.3g ratings a level; Krippendorff's alpha: %s interval, %s ordinal")
    :format(show(found.icc_1), show(found.icc_2), show(found.icc_2_k), found.k, show(found.alpha_interval),
      show(found.alpha_ordinal)),
    players and ("Means of reliability %g need %s a level (Spearman-Brown)"):format(wanted, number.count(players, "player"))
      or ("No number of players makes means of reliability %g"):format(wanted)
end

local function run(args)
  local scale = args.scale or { 1, 2 * args.threshold - 1 }
  if args.threshold <= scale[1] or args.threshold >= scale[2] then
    fault.raise(("--threshold: found %s, expected a number inside the scale, which is %s..%s"):format(
      number.exact(args.threshold), number.exact(scale[1]), number.exact(scale[2])), 2)
  end
  local data = study_data.plays(args.study, args)
  local found = agreement.of(data, args.column, args.threshold, scale)
  local left_out = #found.levels - found.n
  local reliable = reliability.of(found.ratings)
  local single = reliable.icc_2 or reliable.icc_1
  local players = single and reliability.players(single, args.reliability)
  local figures, need = notes_of(reliable, players, args.reliability)
  local notes = { ("Agreement on %s: %.1f%%, the mean of %s%s"):format(args.column, 100 * found.agreement,
    number.count(found.n, "level"), left_out > 0 and ("; %s left out: neutral ratings alone"):format(
      number.count(left_out, "level")) or ""), figures, single and need }
  local shows_all = args.all or args.details or #found.levels <= most_shown
  if not shows_all then table.insert(notes, 1, ("The %d levels of least agreement; --all prints all"):format(most_shown)) end
  return { value = found,
    json = json.object { { "column", args.column }, { "threshold", args.threshold }, { "n", found.n },
      { "agreement", found.agreement }, { "left_out", left_out },
      { "icc_1", reliable.icc_1 }, { "icc_2_1", reliable.icc_2 }, { "icc_2_k", reliable.icc_2_k }, { "k", reliable.k },
      { "alpha_interval", reliable.alpha_interval }, { "alpha_ordinal", reliable.alpha_ordinal },
      { "reliability", args.reliability }, { "players_needed", players },
      { "levels", json.objects(columns, found.levels) } },
    tables = { { columns = columns, rows = shows_all and found.levels or least(found.levels) } }, notes = notes }
end

return {
  summary = "Tell how far players agree.",
  details = "Counts the ratings of each level that lie below, at and above a neutral one. A level's agreement is the larger of "
    .. "those below and above over their sum; a level with neutral ratings alone has none. Tables for people "
    .. "have the ten levels of least agreement (--all: all). The mean of all levels is the agreement of the study.\n\n"
    .. "Below stands how reliable ratings are. ICC(1) and ICC(2,1) of Shrout and Fleiss (1979) are the share of "
    .. "levels in the variance of one rating, ICC(2,k) that in the variance of a mean of k, the mean number of "
    .. "ratings a level; ICC(2) knows the players, by a mixed model, so that not every player must rate every level. "
    .. "Krippendorff's alpha (2004) is 1 for full agreement and 0 for that of chance. How many players must rate each level "
    .. "for means of a wanted reliability follows from ICC(2,1), without a column player from ICC(1).",
  arguments = { arguments.study },
  options = {
    { flags = "--all", doc = "Print all levels; CSV and JSON have all without it." },
    { flags = "--column", value = "COLUMN", default = "rating", doc = "The ratings" },
    { flags = "--threshold", value = "RATING", convert = convert.number, default = "4",
      doc = "The neutral rating" },
    { flags = "--scale", value = "LOW..HIGH", convert = convert.range,
      doc = "The lowest and highest rating, others are refused; unless given, 1 and as far above the neutral one." },
    { flags = "--reliability", value = "SHARE", convert = convert.tolerance, default = "0.9",
      doc = "The wanted reliability of a level's mean rating" },
    "delimiter", "rename", "output", "format",
  },
  examples = { "crux agreement study.csv", "crux agreement study.csv --column rating --threshold 5.5 --scale 1..10" },
  run = run,
}
