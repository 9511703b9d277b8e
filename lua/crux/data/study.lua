--- Player studies: makes a dataset of one row per level from one row per player and level.
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local grouping = require "crux.stats.grouping"
local groups = require "libcrux.groups"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

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

--- The marks of the rows of a block in such a column, 1 or 0.
function study.marks(block, column)
  local numbers, names = grouping.number(block.texts[column])
  local found = vector.of(lists.map(names, function(text)
    local truth = truths[text:lower()]
    return truth == nil and 0 / 0 or truth and 1 or 0
  end)):gather(numbers)
  local wrong = found:first_nonfinite()
  if wrong then study.is_marked(block, wrong, column) end
  return found
end

--- Refuses a negative time or number of moves.
function study.check_counts(block)
  for _, column in ipairs { "time", "moves_used" } do
    if block.numbers[column] then block:check_not_negative(column, "a number") end
  end
end

--- The place of a row of a dataset, for messages. Makes a pass.
local function place_of(data, row) return dataset.place_in(data:blocks {}, row) end

---@class StudyRows         the rows but those of tutorials and of levels that the player left
---@field rows integer
---@field columns table<string, userdata>   player, level and further ones: the numbers of their texts; skipped: 1 or 0;
---                         rating: NaN without one, of skipped levels as asked; time, moves_used: NaN of skipped levels; scaled
---@field names table<string, userdata>   the texts of the columns player, level and further ones by number
---@field numbers string[]  those of rating, time and moves_used that the study has
---@field unrated integer   rows that are neither rated nor skipped
---@field versions string[] those of the study that ratings are of

local given = {} -- the key of a column of its own: ratings, also of skipped levels

--- Reads the columns of a study into memory, each as one vector.
---@param numbers string[]
---@param named string[]   columns of text
---@param marked string[]
---@param keeps_given boolean   keeps the ratings of skipped levels, too
---@return table<string, userdata> columns   of texts their numbers; numbers are NaN of skipped levels
---@return table<string, userdata> names     by number
local function columns_of(data, numbers, named, marked, keeps_given)
  local parts, columns, names = {}, {}, {}
  for _, column in ipairs(lists.concat(numbers, named, marked, keeps_given and { given } or {})) do parts[column] = {} end
  for _, column in ipairs(named) do names[column] = text_column.names() end
  local count, collect_at = 0, 16
  for block in data:blocks { numbers = numbers, texts = lists.concat(named, marked) } do
    study.check_counts(block)
    for _, column in ipairs(named) do table.insert(parts[column], names[column]:numbers(block.texts[column])) end
    for _, column in ipairs(marked) do table.insert(parts[column], study.marks(block, column)) end
    local skipped = parts.skipped and parts.skipped[#parts.skipped]
    for _, column in ipairs(numbers) do
      local values = block.numbers[column]
      table.insert(parts[column], skipped and vector.choose(skipped, 0 / 0, values) or values)
    end
    if keeps_given then table.insert(parts[given], block.numbers.rating) end
    count = count + 1
    if count >= collect_at then -- at Lua's pace memory would double
      collectgarbage()
      collect_at = count + math.max(16, count // 8)
    end
  end
  for column, list in pairs(parts) do
    columns[column], parts[column] = vector.concat(list), nil
    collectgarbage()
  end
  for column, known in pairs(names) do names[column] = known:texts() end
  return columns, names
end

--- Refuses empty names, and a player and level again.
---@param columns table<string, userdata>?   of columns_of, with names; a pass reads them unless given
---@param names table<string, userdata>?
function study.check_names(data, columns, names)
  if not columns then columns, names = columns_of(data, {}, { "player", "level" }, {}, false) end
  for _, column in ipairs { "player", "level" } do
    for number, name in ipairs(names[column]) do
      if name == "" then
        local rows = columns[column]:equal(number):positive()
        fault.at(("%s: column '%s'"):format(place_of(data, rows and rows[1] // 1 | 0 or 1), column), "an empty field",
          "the name of a " .. column)
      end
    end
  end
  local row, earlier = groups.again(columns.player, #names.player, columns.level, #names.level)
  if row then
    local player = names.player[columns.player[row] // 1 | 0]
    local level = names.level[columns.level[row] // 1 | 0]
    fault.at(place_of(data, row), ("player '%s' and level '%s' again, as in %s"):format(player, level, place_of(data, earlier)),
      "one row for each")
  end
end

--- Reads a study.
---@param made string[]        columns of the result, which the study must not have
---@param skipped_as number|"own"|nil   the rating of a skipped level, "own" for the player's; it has none unless given
---@return StudyRows
---@return string[] further
local function read(data, made, skipped_as)
  data:expect({ "player", "level", "rating" }, "a player study needs the column")
  for _, column in ipairs(made) do
    if data.has[column] and not defined[column] then
      fault.at(("%s:1: column '%s'"):format(data.name, column), "a column that the result has of its own", "another name")
    end
  end
  local about_plays = study.about_plays(data)
  local numbers = lists.select({ "rating", "time", "moves_used" }, function(column) return data.has[column] end)
  local further = lists.select(data.columns, function(column) return not defined[column] and not about_plays[column] end)
  local version = about_plays.version and data.has.version and { "version" } or {}
  local marked = lists.select({ "skipped", "tutorial", "abandoned" }, function(column) return data.has[column] end)
  local columns, names = columns_of(data, numbers, lists.concat({ "player", "level" }, further, version), marked,
    skipped_as == "own")
  local own = { columns = columns, names = names, numbers = numbers, versions = {} }
  study.check_names(data, columns, names)
  for _, column in ipairs { "tutorial", "abandoned" } do
    local kept = columns[column] and (1 - columns[column]):positive()
    for other, values in pairs(kept and columns or {}) do columns[other] = values:gather(kept) end
    columns[column] = nil
  end
  own.rows = #columns.level
  columns.skipped = columns.skipped or vector.fill(own.rows, 0)
  local ratings = groups.counts_and_sums(columns.rating, columns.level, #names.level):sum() -- how many are not missing
  own.unrated = own.rows - (columns.skipped:sum() // 1 | 0) - (ratings // 1 | 0)
  if skipped_as then columns.rating = vector.choose(columns.skipped, columns[given] or skipped_as, columns.rating) end
  if version[1] then
    local rated = groups.counts_and_sums(columns.rating, columns.version, #names.version)
    for number, name in ipairs(names.version) do
      if rated[number] > 0 then table.insert(own.versions, name) end
    end
    table.sort(own.versions)
  end
  return own, further
end

--- Makes scaled ratings of the ratings of players.
---@alias Scaling fun(rating: userdata, player: userdata, players: integer): userdata

--- Linear, the lowest rating -> low, the highest -> high; a player with a single distinct rating keeps it (Mutser 2014,
--- section 5.3).
---@return Scaling
function study.onto(low, high)
  return function(rating, player, players) return groups.scaled(rating, player, players, low, high) end
end

--- Differences from the player's mean.
---@type Scaling
function study.centred(rating, player, players)
  return rating - groups.middles(rating, player, players, "mean"):gather(player)
end

--- Differences from the player's mean in standard deviations of n - 1, as R's `scale`; 0 for a single distinct rating.
---@type Scaling
function study.standardised(rating, player, players)
  local means = groups.middles(rating, player, players, "mean")
  local squares, counts = groups.squares(rating, player, players, means), groups.counts_and_sums(rating, player, players)
  local deviations = vector.choose(vector.less(0, squares), vector.sqrt(squares / (counts - 1)), 1)
  return (rating - means:gather(player)) / deviations:gather(player)
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

--- The levels of a study that have rows, in natural order: their numbers.
---@param own StudyRows
local function ordered_levels(own)
  local count = #own.names.level
  local rows, names, numbers = groups.counts_and_sums(own.columns.skipped, own.columns.level, count), {}, {}
  for number, name in ipairs(own.names.level) do
    if rows[number] > 0 then
      table.insert(names, name)
      numbers[name] = number
    end
  end
  natural.sort(names)
  return lists.pick(numbers, names)
end

--- The values of a further column by level: the text that all rows of a level share, else the middle of the numbers of those
--- who solved it, none for other texts.
---@param own StudyRows
---@param levels integer[]
---@return table<integer, string|number>   by level
---@return boolean fits                    false if a level has other texts
local function further_values(own, column, levels, middle)
  local names, count, values, wrong = own.names[column], #own.names.level, {}, {}
  local lows, highs = groups.ranges(own.columns[column], own.columns.level, count)
  for number, text in ipairs(names) do
    local value = csv.number(text)
    values[number], wrong[number] = value or 0 / 0, value and 0 or 1
  end
  local _, some_wrong = groups.ranges(vector.of(wrong):gather(own.columns[column]), own.columns.level, count)
  local solved = vector.choose(own.columns.skipped, 0 / 0, vector.of(values):gather(own.columns[column]))
  local middles = groups.middles(solved, own.columns.level, count, middle)
  local found, fits = {}, true
  for _, level in ipairs(levels) do
    if lows[level] == highs[level] then
      found[level] = names[lows[level] // 1 | 0]
    elseif some_wrong[level] == 0 then
      found[level] = middles[level] == middles[level] and middles[level] or nil
    else
      fits = false
    end
  end
  return found, fits
end

--- A row for each level.
---@param own StudyRows
---@param asked Aggregation
---@param further string[]
---@return table[]
---@return table<string, boolean>   which further columns are left out
local function rows_by_level(own, asked, further)
  local levels, count, middle = ordered_levels(own), #own.names.level, asked.middle or "mean"
  local values, dropped, middles = {}, {}, {}
  for _, column in ipairs(further) do
    local found, fits = further_values(own, column, levels, middle)
    values[column], dropped[column] = found, not fits
  end
  for _, column in ipairs { "rating", "scaled", "time", "moves_used" } do
    middles[column] = own.columns[column] and groups.middles(own.columns[column], own.columns.level, count, middle)
  end
  local plays, skipped = groups.counts_and_sums(own.columns.skipped, own.columns.level, count)
  local rated = groups.counts_and_sums(own.columns.rating, own.columns.level, count)
  return lists.map(levels, function(level)
    local row = { level = own.names.level[level], skipped = skipped[level] // 1 | 0, rated = rated[level] // 1 | 0 }
    row.solved = (plays[level] // 1 | 0) - row.skipped
    for column, found in pairs(values) do row[column] = found[level] end
    for column, found in pairs(middles) do
      row[column == "rating" and asked.target or column] = found[level] == found[level] and found[level] or nil
    end
    return row
  end), dropped
end

local rows_together = 4096 -- plays that are written together

--- Writes a row for each play, by level.
---@param own StudyRows
---@param asked Aggregation
---@param further string[]
---@return fun(writer: Writer)
local function plays_by_level(own, asked, further)
  local places = {}
  for number = 1, #own.names.level do places[number] = 1 end
  for place, level in ipairs(ordered_levels(own)) do places[level] = place end
  local order = groups.order(vector.of(places):gather(own.columns.level), #places)
  return function(writer)
    for first = 1, own.rows, rows_together do
      local count = math.min(rows_together, own.rows - first + 1)
      local each = vector.of(lists.order(count, function(i) return i end))
      local rows = order:gather(each + (first - 1))
      local rating, skipped = own.columns.rating:gather(rows), own.columns.skipped:gather(rows)
      local values = { solved = 1 - skipped, skipped = skipped, rated = (groups.counts_and_sums(rating, each, count)),
        [asked.target] = rating }
      for _, column in ipairs { "scaled", "time", "moves_used" } do
        values[column] = own.columns[column] and own.columns[column]:gather(rows)
      end
      for _, column in ipairs(lists.concat({ "player", "level" }, further)) do
        values[column] = own.names[column]:gather(own.columns[column]:gather(rows))
      end
      writer:block(values, count)
    end
  end
end

--- The rated plays of a study, or all of them: a row a player and level, with columns of numbers `rating` and `skipped`.
---@param is_rated boolean     only the rated ones
---@param skipped_as number|"own"|nil   as of Aggregation
---@return Dataset
function study.plays(data, is_rated, skipped_as)
  local own = read(data, {}, skipped_as)
  local rows = is_rated and vector.complete { own.columns.rating }
  local function chosen(values) return rows and values:gather(rows) or values end
  local rating = chosen(own.columns.rating)
  local texts = { player = own.names.player:gather(chosen(own.columns.player)),
    level = own.names.level:gather(chosen(own.columns.level)) }
  local numbers = { rating = rating, skipped = chosen(own.columns.skipped) }
  return dataset.of_columns(data.name, { "player", "level", "rating", "skipped" }, numbers, texts, #rating)
end

---@class Aggregation
---@field target string        name of the column of ratings
---@field middle string?       "mean" unless given, "median", "trimmed" or "combined"
---@field scaling Scaling?     onto 1 to 10 unless given
---@field skipped_as number|"own"|nil   a skipped level is rated with this number, or as the player rated it
---@field plays boolean?       a row per player and level

--- Makes a dataset of a player study: a row per level with the counts of those who solved and skipped it, and means or other
--- middles of the ratings, and of the times and moves of those who solved it.
---@param data Dataset    columns player, level, rating; time, moves_used, skipped, tutorial; any further ones
---@param asked Aggregation
---@return { columns: string[], rows: table[]|fun(writer: Writer), dropped: string[], unrated: integer, versions: string[] }
--- `rows` is a function for plays; `dropped` are further columns of text that differ within a level, `unrated` the number of
--- rows that are neither rated nor skipped, `versions` those of the study that ratings are of
function study.aggregate(data, asked)
  local target = asked.target
  local made = { "solved", "skipped", target, "scaled" }
  if target == "" or defined[target] or target == "solved" or target == "scaled" or target == "rated" then
    fault.at("the target", ("'%s'"):format(target), "a name that no other column of the result has")
  end
  if asked.plays or asked.skipped_as then table.insert(made, 3, "rated") end
  local own, further = read(data, made, asked.skipped_as)
  collectgarbage()
  own.columns.scaled = (asked.scaling or study.onto(1, 10))(own.columns.rating, own.columns.player, #own.names.player)
  local result = { columns = { "level" }, dropped = {}, unrated = own.unrated, versions = own.versions }
  local dropped = {}
  if asked.plays then
    result.rows = plays_by_level(own, asked, further)
    table.insert(result.columns, "player")
  else
    result.rows, dropped = rows_by_level(own, asked, further)
  end
  for _, column in ipairs(further) do table.insert(dropped[column] and result.dropped or result.columns, column) end
  table.move(made, 1, #made, #result.columns + 1, result.columns)
  table.move(own.numbers, 2, #own.numbers, #result.columns + 1, result.columns)
  return result
end

return study
