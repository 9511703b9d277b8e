--- Player studies: makes a dataset of one row per level from one row per player and level.
local location = require "crux.stats.location"
local fault = require "crux.base.fault"
local csv = require "libcrux.csv"
local natural = require "crux.base.natural"

local study = {}

--- Columns of a study with a defined meaning; every other column belongs to the level.
local defined = { player = true, level = true, rating = true, time = true, moves_used = true, skipped = true, tutorial = true }

local truths = { ["1"] = true, ["true"] = true, yes = true, ["0"] = false, ["false"] = false, no = false, [""] = false }

--- Tells whether a row is marked in the column `skipped` or `tutorial`; false without the column.
function study.is_marked(block, row, column)
  local text = block.texts[column] and block.texts[column][row] or ""
  local truth = truths[text:lower()]
  if truth == nil then fault.at(("%s: column '%s'"):format(block:place(row), column), ("'%s'"):format(text), "0 or 1") end
  return truth
end

--- Reads all rows but those of tutorials: { player, level, skipped, rating, time, moves_used,
--- further = { column -> text }, place }; and counts those that are neither rated nor skipped.
local function read(data, target)
  data:expect({ "player", "level", "rating" }, "a player study needs the column")
  for _, made in ipairs { "solved", "scaled", target } do
    if data.has[made] then
      fault.at(("%s:1: column '%s'"):format(data.name, made), "a column that the result has of its own", "another name")
    end
  end
  local further, numbers, texts = {}, { "rating" }, { "player", "level" }
  for _, column in ipairs { "time", "moves_used" } do
    if data.has[column] then table.insert(numbers, column) end
  end
  for _, column in ipairs(data.columns) do
    if not defined[column] then
      table.insert(further, column)
      table.insert(texts, column)
    end
  end
  for _, column in ipairs { "skipped", "tutorial" } do
    if data.has[column] then table.insert(texts, column) end
  end
  local rows, seen, unrated = {}, {}, 0
  for block in data:blocks { numbers = numbers, texts = texts } do
    for i = 1, block.rows do
      local row = { place = block:place(i), skipped = study.is_marked(block, i, "skipped"), further = {} }
      for _, column in ipairs(numbers) do row[column] = block.numbers[column][i] end
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
      if not study.is_marked(block, i, "tutorial") then
        if not row.skipped and row.rating ~= row.rating then unrated = unrated + 1 end
        table.insert(rows, row)
      end
    end
  end
  return rows, further, numbers, unrated
end

--- Sets `scaled`: per player, linear, the lowest given rating -> 1, the highest -> 10; a player with a single distinct
--- rating keeps it (Mutser 2014, section 5.3).
local function scale(rows)
  local range = {}
  for _, row in ipairs(rows) do
    if not row.skipped and row.rating == row.rating then
      local known = range[row.player] or { row.rating, row.rating }
      range[row.player] = { math.min(known[1], row.rating), math.max(known[2], row.rating) }
    end
  end
  for _, row in ipairs(rows) do
    local lowest, highest = table.unpack(range[row.player] or { 0, 0 })
    row.scaled = row.rating
    if highest > lowest then row.scaled = 1 + 9 * (row.rating - lowest) / (highest - lowest) end
  end
end

--- The value of a further column for a level: the text that all its rows share, else the mean or median of the numbers of those
--- who solved it; nil for other texts. The second result is false for other texts.
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

--- How much larger the scaled ratings of levels are than the others: the ratio of their means, and that of their ranges.
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

--- Makes a dataset of a player study: a row per level with the counts of those who solved and skipped it, and means or medians
--- of the ratings, times and moves of those who solved it.
---@param data Dataset    columns player, level, rating; time, moves_used, skipped, tutorial; any further ones
---@param target string   name of the column of ratings
---@param middle string?  function of crux.stats.location: "mean", unless given, or "median"
---@return { columns: string[], rows: table[], dropped: string[], unrated: integer }  `dropped` are further columns of
--- text that differ within a level, `unrated` the number of rows that are neither rated nor skipped
function study.aggregate(data, target, middle)
  local new = location[middle or "mean"]
  if target == "" or defined[target] or target == "solved" or target == "scaled" then
    fault.at("the target", ("'%s'"):format(target), "a name that no other column of the result has")
  end
  local rows, further, numbers, unrated = read(data, target)
  scale(rows)
  local by_level, levels = {}, {}
  for _, row in ipairs(rows) do
    if not by_level[row.level] then
      by_level[row.level] = {}
      table.insert(levels, row.level)
    end
    table.insert(by_level[row.level], row)
  end
  natural.sort(levels)
  local result, dropped = { rows = {}, columns = { "level" }, dropped = {}, unrated = unrated }, {}
  for _, level in ipairs(levels) do
    local middles = { rating = new(), scaled = new(), time = new(), moves_used = new() }
    local row = { level = level, solved = 0, skipped = 0 }
    for _, play in ipairs(by_level[level]) do
      local outcome = play.skipped and "skipped" or "solved"
      row[outcome] = row[outcome] + 1
      for column, values in pairs(middles) do
        if outcome == "solved" and play[column] then values:add(play[column]) end
      end
    end
    for _, column in ipairs(further) do
      local value, fits = further_value(by_level[level], column, new)
      row[column] = value
      dropped[column] = dropped[column] or not fits
    end
    row[target], row.scaled = middles.rating:value(), middles.scaled:value()
    row.time, row.moves_used = middles.time:value(), middles.moves_used:value()
    table.insert(result.rows, row)
  end
  for _, column in ipairs(further) do table.insert(dropped[column] and result.dropped or result.columns, column) end
  for _, column in ipairs { "solved", "skipped", target, "scaled" } do table.insert(result.columns, column) end
  for i = 2, #numbers do table.insert(result.columns, numbers[i]) end
  return result
end

return study
