--- Player studies: makes a dataset of one row per level from one row per player and level.
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local location = require "crux.stats.location"
local natural = require "crux.base.natural"
local number = require "crux.base.number"

local study = {}

--- Columns of a study with a defined meaning; every other column belongs to the level.
local defined = { player = true, level = true, rating = true, time = true, moves_used = true, skipped = true, tutorial = true }

--- The columns of a study in browsers that are about a play and say nothing about its level.
function study.about_plays(data)
  return data.has.abandoned and lists.set { "abandoned", "version", "began", "ended", "input" } or {}
end

local truths = { ["1"] = true, ["true"] = true, yes = true, ["0"] = false, ["false"] = false, no = false, [""] = false }

--- Tells whether a row is marked in the column `skipped` or `tutorial`; false without the column.
function study.is_marked(block, row, column)
  local text = block.texts[column] and block.texts[column][row] or ""
  local truth = truths[text:lower()]
  if truth == nil then fault.at(("%s: column '%s'"):format(block:place(row), column), ("'%s'"):format(text), "0 or 1") end
  return truth
end

--- Reads all rows but those of tutorials: { player, level, skipped, rating, time, moves_used, further = { column -> text },
--- place }, without numbers of skipped levels; counts those that are neither rated nor skipped; and notes the versions of the
--- study that ratings are of.
---@param made string[]        columns of the result, which the study must not have
---@param skipped_as number|"own"|nil   the rating of a skipped level, "own" for the player's; it has none unless given
local function read(data, made, skipped_as)
  data:expect({ "player", "level", "rating" }, "a player study needs the column")
  for _, column in ipairs(made) do
    if data.has[column] and not defined[column] then
      fault.at(("%s:1: column '%s'"):format(data.name, column), "a column that the result has of its own", "another name")
    end
  end
  local further, numbers, texts, about_plays = {}, { "rating" }, { "player", "level" }, study.about_plays(data)
  for _, column in ipairs { "time", "moves_used" } do
    if data.has[column] then table.insert(numbers, column) end
  end
  for _, column in ipairs(data.columns) do
    if not defined[column] and not about_plays[column] then
      table.insert(further, column)
      table.insert(texts, column)
    end
  end
  for _, column in ipairs { "skipped", "tutorial", "abandoned" } do
    if data.has[column] then table.insert(texts, column) end
  end
  local has_versions = about_plays.version and data.has.version
  if has_versions then table.insert(texts, "version") end
  local rows, seen, unrated, versions = {}, {}, 0, {}
  for block in data:blocks { numbers = numbers, texts = texts } do
    for i = 1, block.rows do
      local row = { place = block:place(i), skipped = study.is_marked(block, i, "skipped"), further = {} }
      for _, column in ipairs(numbers) do row[column] = row.skipped and 0 / 0 or block.numbers[column][i] end
      for _, column in ipairs(further) do row.further[column] = block.texts[column][i] end
      for _, column in ipairs { "player", "level" } do
        row[column] = block.texts[column][i]
        if row[column] == "" then
          fault.at(("%s: column '%s'"):format(row.place, column), "an empty field", "the name of a " .. column)
        end
      end
      local key = row.player .. "\0" .. row.level
      if seen[key] then
        fault.at(row.place, ("player '%s' and level '%s' again, as in %s"):format(row.player, row.level, seen[key]),
          "one row for each")
      end
      seen[key] = row.place
      if row.skipped and skipped_as then row.rating = skipped_as == "own" and block.numbers.rating[i] or skipped_as end
      if not study.is_marked(block, i, "tutorial") and not study.is_marked(block, i, "abandoned") then
        if not row.skipped and row.rating ~= row.rating then unrated = unrated + 1 end
        if has_versions and row.rating == row.rating then versions[block.texts.version[i]] = true end
        table.insert(rows, row)
      end
    end
  end
  return rows, further, numbers, unrated, versions
end

--- The mean of a list of numbers.
local function mean_of(list)
  local mean = location.mean()
  for _, x in ipairs(list) do mean:add(x) end
  return mean:value()
end

--- Makes, of all ratings of a player, the function that scales each of them.
---@alias Scaling fun(ratings: number[]): fun(rating: number): number

--- Linear, the lowest rating -> low, the highest -> high; a player with a single distinct rating keeps it (Mutser 2014,
--- section 5.3).
---@return Scaling
function study.onto(low, high)
  return function(ratings)
    local lowest, highest = math.huge, -math.huge
    for _, rating in ipairs(ratings) do lowest, highest = math.min(lowest, rating), math.max(highest, rating) end
    return function(rating)
      return highest > lowest and low + (high - low) * (rating - lowest) / (highest - lowest) or rating
    end
  end
end

--- Differences from the player's mean.
---@type Scaling
function study.centred(ratings)
  local mean = mean_of(ratings)
  return function(rating) return rating - mean end
end

--- Differences from the player's mean in standard deviations of n - 1, as R's `scale`; 0 for a single distinct rating.
---@type Scaling
function study.standardised(ratings)
  local mean, squares = mean_of(ratings), 0
  for _, rating in ipairs(ratings) do squares = squares + (rating - mean) ^ 2 end
  local deviation = squares > 0 and math.sqrt(squares / (#ratings - 1)) or 1
  return function(rating) return (rating - mean) / deviation end
end

--- Sets `scaled` of all rated rows.
---@param scaling Scaling
local function scale(rows, scaling)
  local ratings, scaled = {}, {}
  for _, row in ipairs(rows) do
    if row.rating == row.rating then
      ratings[row.player] = ratings[row.player] or {}
      table.insert(ratings[row.player], row.rating)
    end
  end
  for player, list in pairs(ratings) do scaled[player] = scaling(list) end
  for _, row in ipairs(rows) do row.scaled = row.rating == row.rating and scaled[row.player](row.rating) or nil end
end

--- The value of a further column for a level: the text that all its rows share, else the mean or other middle of the numbers of
--- those who solved it; nil for other texts. The second result is false for other texts.
local function further_value(rows, column, new)
  local text, same, middle, numeric = rows[1].further[column], true, new(), true
  for _, row in ipairs(rows) do
    same = same and row.further[column] == text
    local value = csv.number(row.further[column])
    numeric = numeric and value ~= nil
    if value and not row.skipped then middle:add(value) end
  end
  if same then return text, true end
  return numeric and middle:value() or nil, numeric
end

--- Compares the scaled ratings of levels with the others: returns the ratio of their means, and that of their ranges.
---@param rows table[]    with scaled and the target
---@return number? means   nil if the ratios are not defined
---@return number? ranges
function study.ratios(rows, target)
  local sums, lows, highs = {}, {}, {}
  for _, key in ipairs { target, "scaled" } do
    sums[key], lows[key], highs[key] = 0, math.huge, -math.huge
    for _, row in ipairs(rows) do
      if row[target] then
        sums[key], lows[key], highs[key] = sums[key] + row[key], math.min(lows[key], row[key]), math.max(highs[key], row[key])
      end
    end
  end
  if not (sums[target] > 0 and highs[target] > lows[target]) then return nil end
  return sums.scaled / sums[target], (highs.scaled - lows.scaled) / (highs[target] - lows[target])
end

--- The rows of each level in natural order, or each row alone in the order of its level.
---@param alone boolean?
local function groups_of(rows, alone)
  local by_level, levels, groups = {}, {}, {}
  for _, row in ipairs(rows) do
    if not by_level[row.level] then
      by_level[row.level] = {}
      table.insert(levels, row.level)
    end
    table.insert(by_level[row.level], row)
  end
  natural.sort(levels)
  for _, level in ipairs(levels) do
    for _, group in ipairs(alone and lists.map(by_level[level], function(row) return { row } end) or { by_level[level] }) do
      table.insert(groups, group)
    end
  end
  return groups
end

--- The rated plays of a study, or all of them: a row a player and level, with columns of numbers `rating` and `skipped`.
---@param data Dataset
---@param is_rated boolean     only the rated ones
---@param skipped_as number|"own"|nil   as of Aggregation
---@return Dataset
function study.plays(data, is_rated, skipped_as)
  local rows = lists.select((read(data, {}, skipped_as)), function(row) return not is_rated or row.rating == row.rating end)
  return dataset.of_texts(data.name, { "player", "level", "rating", "skipped" }, lists.map(rows, function(row)
    return { place = row.place, texts = { player = row.player, level = row.level, skipped = row.skipped and "1" or "0",
      rating = row.rating == row.rating and number.exact(row.rating) or "" } }
  end))
end

---@class Aggregation
---@field target string        name of the column of ratings
---@field middle string?       function of crux.stats.location: "mean" unless given
---@field scaling Scaling?     onto 1 to 10 unless given
---@field skipped_as number|"own"|nil   a skipped level is rated with this number, or as the player rated it
---@field plays boolean?       a row per player and level

--- Makes a dataset of a player study: a row per level with the counts of those who solved and skipped it, and means or other
--- middles of the ratings, and of the times and moves of those who solved it.
---@param data Dataset    columns player, level, rating; time, moves_used, skipped, tutorial; any further ones
---@param asked Aggregation
---@return { columns: string[], rows: table[], dropped: string[], unrated: integer, versions: string[] }  `dropped` are
--- further columns of text that differ within a level, `unrated` the number of rows that are neither rated nor skipped,
--- `versions` those of the study that ratings are of
function study.aggregate(data, asked)
  local new, target = location[asked.middle or "mean"], asked.target
  local made = { "solved", "skipped", target, "scaled" }
  if target == "" or defined[target] or target == "solved" or target == "scaled" or target == "rated" then
    fault.at("the target", ("'%s'"):format(target), "a name that no other column of the result has")
  end
  if asked.plays or asked.skipped_as then table.insert(made, 3, "rated") end
  local rows, further, numbers, unrated, versions = read(data, made, asked.skipped_as)
  scale(rows, asked.scaling or study.onto(1, 10))
  local result = { rows = {}, columns = { "level" }, dropped = {}, unrated = unrated, versions = lists.keys(versions) }
  local dropped = {}
  for _, group in ipairs(groups_of(rows, asked.plays)) do
    local middles = { rating = new(), scaled = new(), time = new(), moves_used = new() }
    local row = { level = group[1].level, player = group[1].player, solved = 0, skipped = 0, rated = 0 }
    for _, play in ipairs(group) do
      local outcome = play.skipped and "skipped" or "solved"
      row[outcome] = row[outcome] + 1
      row.rated = row.rated + (play.rating == play.rating and 1 or 0)
      for column, values in pairs(middles) do
        if play[column] then values:add(play[column]) end
      end
    end
    for _, column in ipairs(further) do
      local value, fits = further_value(group, column, new)
      row[column] = value
      dropped[column] = dropped[column] or not fits
    end
    row[target], row.scaled = middles.rating:value(), middles.scaled:value()
    row.time, row.moves_used = middles.time:value(), middles.moves_used:value()
    table.insert(result.rows, row)
  end
  if asked.plays then table.insert(result.columns, "player") end
  for _, column in ipairs(further) do table.insert(dropped[column] and result.dropped or result.columns, column) end
  table.move(made, 1, #made, #result.columns + 1, result.columns)
  for i = 2, #numbers do table.insert(result.columns, numbers[i]) end
  return result
end

return study
