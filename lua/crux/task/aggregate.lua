--- The task aggregate: makes a dataset of a player study.
local arguments = require "crux.option.arguments"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local study_data = require "crux.task.shared.study_data"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plays = require "crux.rule.plays"
local study = require "crux.data.study"

local function scaling(text, flag)
  local named = { centred = study.centred, zscore = study.standardised }
  local range = convert.range(text, flag)
  if range then return study.onto(table.unpack(range)) end
  if named[text] then return named[text] end
  return convert.refuse(text, flag, "LOW..HIGH, two numbers, centred or zscore")
end

local function skipped_rating(text, flag)
  if text == "own" then return text end
  if tonumber(text) then return convert.number(text, flag) end
  return convert.refuse(text, flag, "a number, or own")
end

--- What the player in the middle would do on each level, by a model of players whose levels have fixed effects.
---@param response string   rating or skipped
local function adjusted(response, family, data, args)
  local own = study.plays(data, response == "rating", args.skipped_as)
  local rule = study_data.rule { formula = response .. " ~ 1 + (1 | player) + (1 | level)",
    fit = ("mixed(family = %s, fixed = level)"):format(family) }
  local values = {}
  local options = lists.merge(study_data.options(own, args), { errors = "conditional" }) -- none is printed
  for _, row in ipairs(plays.levels(rule, own, options)) do values[row.level] = row.adjusted end
  return values
end

--- Replaces the mean ratings by those that the player in the middle would give, and adds the probability that this player skips
--- a level, if some players skipped a level that others solved.
local function adjust(result, data, args)
  local ratings = adjusted("rating", "linear", data, args)
  local is_mixed = false
  for _, row in ipairs(result.rows) do
    row[args.as] = ratings[row.level]
    is_mixed = is_mixed or row.skipped > 0 and row.solved > 0
  end
  if not is_mixed then return end
  local ok, rates = fault.catch(adjusted, "skipped", "logistic", data, args)
  if not ok then -- too few skips: the ratings stand
    args.say(("%s; skip_rate left out"):format(rates.message))
    return
  end
  for _, row in ipairs(result.rows) do row.skip_rate = rates[row.level] end
  table.insert(result.columns, "skip_rate")
end

local function run(args)
  if args.adjust and args.plays then fault.raise("found --adjust and --plays, expected one of them", 2) end
  local data = study_data.plays(args.study, args)
  local result = study.aggregate(data, { target = args.as, middle = args.center, scaling = args.scaled,
    skipped_as = args.skipped_as, plays = args.plays })
  if args.adjust then adjust(result, data, args) end
  if result.unrated > 0 then
    args.say(("%s: %s neither rated nor skipped: counted as solved"):format(data.name, number.count(result.unrated, "row")))
  end
  if result.versions[2] and not args.plays then
    args.say(("%s: averages are over ratings of several versions of the study: %s"):format(data.name,
      table.concat(result.versions, ", ")))
  end
  for _, column in ipairs(result.dropped) do
    args.say(("%s: column '%s' left out: it is text that differs within a level"):format(data.name, column))
  end
  local is_range = args.scaled ~= study.centred and args.scaled ~= study.standardised
  local means, ranges = study.ratios(args.plays and {} or result.rows, args.as)
  if means and is_range then
    args.say(("scaled ratings of levels have %.2f times the mean and %.2f times the range of the others"):format(means,
      ranges))
  end
  return { value = result, tables = { { columns = formats.columns(result.columns), rows = result.rows } } }
end

return {
  summary = "Turn a player study into a dataset.",
  details = "Reads one row a player and level (columns player, level, rating, and if there are time, moves_used, skipped, "
    .. "tutorial), or, with columns attempt and solved, a row an attempt: then the times, moves and losses of a player's "
    .. "attempts at a level are added up, and the other columns are those of the last one. --rename reads tables with other "
    .. "names of columns. Prints one row a level: how many solved and skipped it, and means over those who solved it "
    .. "(--center: medians, means without the lowest and highest tenth, or the mean of these two and the mean). 'scaled' is "
    .. "that of ratings after each player's lowest "
    .. "became 1 and highest 10, or as --scaled says. Further columns are kept where they are the same for all rows of a "
    .. "level, else as means or medians. Rows of a tutorial and of levels that the player left (column abandoned is 1) do not "
    .. "count. With --skipped-as or --plays there is a column 'rated', the number of ratings in the mean: a column "
    .. "for --weights. Where --scaled is a range, how many times the mean and the range of scaled ratings are those of the "
    .. "others is said on standard error.",
  arguments = { arguments.study },
  options = {
    { flags = "--as", value = "TARGET", default = "difficulty", doc = "The name of the column of mean ratings" },
    { flags = "--adjust", doc = "Instead of the mean rating, what the player in the middle would rate: effects of levels are "
        .. "fixed, those of players random (BLUE). Adds skip_rate, the probability that this player skips the level." },
    { flags = "--center", value = "CENTER", choices = { "mean", "median", "trimmed", "combined" }, default = "mean",
      doc = "The average over the players of a level: mean, median, trimmed mean, or the mean of these three (combined)" },
    { flags = "--scaled", value = "SCALING", convert = scaling, default = "1..10",
      doc = "How 'scaled' is made of each player's ratings: LOW..HIGH for the lowest and highest, centred (minus the player's "
        .. "mean) or zscore (that in standard deviations)" },
    { flags = "--skipped-as", value = "RATING", convert = skipped_rating,
      doc = "Count a skipped level as rated with this number, or with own as the player rated it." },
    { flags = "--plays",
      doc = "Print one row a player and level: rating, scaled rating, and 1 or 0 for solved, skipped, rated." },
    "with", "delimiter", "rename", "output", "format",
  },
  format = "csv",
  examples = { "crux aggregate study.csv -o levels.csv", "crux aggregate study.csv --as enjoyment --center median",
    "crux aggregate study.csv --scaled 1..7 --skipped-as 8",
    "crux aggregate others.csv --rename rating=stars --rename time=seconds",
    "crux aggregate study.csv --plays --skipped-as 11 -o plays.csv" },
  run = run,
}
