--- The task sort: levels in the order of their ratings, and those that come next for a player.
local arguments = require "crux.option.arguments"
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local rated_levels = require "crux.task.shared.rated_levels"

local function report_ties(list, say)
  local first = 1
  for i = 2, #list + 1 do
    if not list[i] or list[i].rating ~= list[first].rating then
      if i - first > 1 then
        say(("tied at %.4g: %s"):format(list[first].rating,
          table.concat(lists.field(table.move(list, first, i - 1, 1, {})), ", ")))
      end
      first = i
    end
  end
end

local function after(list, name)
  for i, level in ipairs(list) do
    if level.name == name then return table.move(list, i + 1, #list, 1, {}) end
  end
  fault.raise("--after: " .. nearest.unknown("level", name, lists.field(list)))
end

--- The ratings of a player by level, and the latest of them.
---@return table<string, number>
---@return number?
local function ratings_of(path, player, args)
  local data, given, latest = dataset.open(path, { delimiter = args.delimiter }), {}, nil
  local columns = { "player", "level", "rating" }
  data:expect(columns, "--plays needs the column")
  for block in data:blocks { texts = columns } do
    for row = 1, block.rows do
      local rating, problem, expected = csv.number(block.texts.rating[row])
      if not rating then fault.at(block:place(row) .. ": column 'rating'", problem, expected) end
      if block.texts.player[row] == player and rating == rating then
        given[block.texts.level[row]], latest = rating, rating
      end
    end
  end
  return given, latest
end

--- The levels that a player has not rated and whose expected rating is above the player's last one. The expected rating is that
--- of the rule, times a sign that makes it rise, plus the mean difference of the player's ratings from these.
local function next_for(list, sign, args)
  local given, latest = ratings_of(args.plays, args.player, args)
  local sum, count = 0, 0
  for _, level in ipairs(list) do
    if given[level.name] then sum, count = sum + given[level.name] - sign * level.rating, count + 1 end
  end
  if count == 0 then
    fault.at(args.plays, ("no rating of these levels by player '%s'"):format(args.player), "some")
  end
  for _, level in ipairs(list) do level.expected = sign * level.rating + sum / count end
  return lists.select(list, function(level) return not given[level.name] and level.expected > latest end)
end

local function run(args)
  if not args.rule then fault.raise("expected --rule RULE", 2) end
  if (args.plays == nil) ~= (args.player == nil) then
    fault.raise(("found --%s alone, expected --plays and --player"):format(args.plays and "plays" or "player"), 2)
  end
  local game, rule = rated_levels.load(args)
  local list, finish = rated_levels.of(game, rule, args)
  local sign = rule.falls and -1 or 1
  lists.sort(list, function(level) return sign * level.rating end)
  report_ties(list, args.say)
  local columns = formats.columns { "level", "rating" }
  if args.after then list = after(list, args.after) end
  if args.plays then
    list = next_for(list, sign, args)
    columns[3] = { key = "expected" }
  end
  return { finish = finish, tables = { { columns = columns, rows = lists.map(list, function(level)
    return { level = level.name, rating = level.rating, expected = level.expected }
  end) } } }
end

return {
  summary = "Print levels in the order of their ratings.",
  details = "Prints levels with their ratings, the easiest first. Levels with the same rating keep the order of the files, and "
    .. "are named on standard error. With --plays and --player, the levels that come next for that player: those without a "
    .. "rating of the player, from the first that the player is expected to find harder than the last one rated.",
  arguments = { arguments.levels },
  options = examination.options {
    { flags = "--rule", value = "RULE", doc = "The rule that rates the levels." },
    { flags = "--after", value = "LEVEL", doc = "Only the levels that come after this one." },
    { flags = "--plays", value = "FILE.csv", doc = "Ratings of players, as crux play --record writes them." },
    { flags = "--player", value = "NAME", doc = "The player whose next levels are printed." },
    "game", "delimiter",
  },
  format = "csv",
  examples = {
    "crux sort datasets/levels/flow --rule flow",
    "crux sort datasets/levels/flow --rule flow --after 12",
  },
  run = run,
}
