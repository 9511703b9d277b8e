--- The task sort: levels in the order of their ratings, and those that come next for a player.
local content = require "crux.task.shared.content"
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local games = require "crux.game.game"
local inputs = require "crux.task.shared.inputs"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local rated_levels = require "crux.task.shared.rated_levels"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local most = 10 -- ties told, and levels named of each

--- Names levels with the same rating.
---@param names userdata     a column of texts, in the order of the ratings
---@param ratings userdata
local function report_ties(names, ratings, say)
  local first, ties = 1, 0
  for i = 2, #ratings + 1 do
    if ratings[i] ~= ratings[first] then
      local tied = i - first
      ties = ties + (tied > 1 and 1 or 0)
      if tied > 1 and ties <= most then
        local named = {}
        for k = first, math.min(i, first + most) - 1 do table.insert(named, names[k]) end
        say(("tied at %.4g: %s%s"):format(ratings[first], table.concat(named, ", "),
          tied > most and (" and %d more"):format(tied - most) or ""))
      end
      first = i
    end
  end
  if ties > most then say(number.count(ties - most, "more rating") .. " of several levels") end
end

--- The rows behind the level of a name.
local function after(names, name)
  for i, level in ipairs(names) do
    if level == name then
      local rows = {}
      for row = i + 1, #names do table.insert(rows, row) end
      return vector.of(rows)
    end
  end
  fault.raise("--after: " .. nearest.unknown("level", name, names))
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

--- The rows of levels that a player has not rated and whose expected rating is above the player's last one, and these expected
--- ratings. They are those of the rule, times a sign that makes them rise, plus the mean difference of the player's from these.
local function next_for(names, ratings, sign, args)
  local given, latest = ratings_of(args.plays, args.player, args)
  local sum, count, rows, expected = 0, 0, {}, {}
  for i, name in ipairs(names) do
    if given[name] then sum, count = sum + given[name] - sign * ratings[i], count + 1 end
  end
  if count == 0 then
    fault.at(args.plays, ("no rating of these levels by player '%s'"):format(args.player), "some")
  end
  for i, name in ipairs(names) do
    local value = sign * ratings[i] + sum / count
    if not given[name] and value > latest then
      table.insert(rows, i)
      table.insert(expected, value)
    end
  end
  return vector.of(rows), vector.of(expected)
end

--- The names and ratings of the levels of a dataset.
local function of_dataset(path, rule, args)
  local data, names, ratings, lacking = inputs.data(path, args), {}, {}, 0
  for block in rule:blocks(data, true) do
    local found = rule:rate(block)
    local rated = vector.complete { found }
    lacking = lacking + (rated and block.rows - #rated or 0)
    table.insert(names, rated and block.levels:gather(rated) or block.levels)
    table.insert(ratings, rated and found:gather(rated) or found)
  end
  if lacking > 0 then args.say(("%s: %s without a rating left out"):format(data.name, number.count(lacking, "level"))) end
  return text_column.concat(names), vector.concat(ratings)
end

--- The names and ratings of the levels of a command line, and a function to call when all is written.
local function rated(args)
  local rule, path = inputs.rule(args.rule, args), args.levels[1]
  local name = args.game or rule.game
  local measures = rule.formula and rule.formula.variables or {}
  local function reads() return name and games.load(name):reads(path) end
  if path and path ~= "-" and not args.levels[2] and content.is_dataset(path, args.delimiter, measures, reads) then
    local names, ratings = of_dataset(path, rule, args)
    return rule, names, ratings
  end
  local game = rated_levels.load(args)
  local list, finish = rated_levels.of(game, rule, args)
  return rule, text_column.of(lists.field(list, "name")), vector.of(lists.field(list, "rating")), finish
end

local function run(args)
  if not args.rule then fault.raise("expected --rule RULE", 2) end
  if (args.plays == nil) ~= (args.player == nil) then
    fault.raise(("found --%s alone, expected --plays and --player"):format(args.plays and "plays" or "player"), 2)
  end
  local rule, names, ratings, finish = rated(args)
  local sign, expected = rule.falls and -1 or 1, nil
  local function pick(rows) names, ratings = names:gather(rows), ratings:gather(rows) end
  pick((ratings * -sign):largest(#ratings))
  report_ties(names, ratings, args.say)
  local columns = formats.columns { "level", "rating" }
  if args.after then pick(after(names, args.after)) end
  if args.plays then
    local rows
    rows, expected = next_for(names, ratings, sign, args)
    pick(rows)
    columns[3] = { key = "expected" }
  end
  return { finish = finish, tables = { { columns = columns, rows = function(writer)
    writer:block({ level = names, rating = ratings, expected = expected }, #ratings)
  end } } }
end

return {
  summary = "Print levels in the order of their ratings.",
  details = "Prints levels with their ratings, the easiest first. Levels with the same rating keep the order of the files, and "
    .. "are named on standard error. With --plays and --player, the levels that come next for that player: those without a "
    .. "rating of the player, from the first that the player is expected to find harder than the last one rated.",
  arguments = { { name = "levels", args = "*",
    doc = "Level files, folders of them, - for standard input; or one CSV file with a column for each measure of the rule." } },
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
    "crux sort datasets/flow.csv --rule flow",
  },
  run = run,
}
