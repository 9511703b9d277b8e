--- Summaries of player studies: how often levels were played, how plays ended, and how ratings and times change with practice.
local location = require "crux.stats.location"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"

local summary = {}

---@class Spread                of numbers; NaN is a missing number and is not counted
---@field n integer
---@field mean number?
---@field median number?
---@field deviation number?     standard deviation, of n - 1
---@field least number?
---@field greatest number?

--- The mean, spread and range of numbers.
local function spread_of(values)
  local mean, median, squares, present = location.mean(), location.median(), 0, {}
  for _, x in ipairs(values) do
    if x == x then table.insert(present, x) end
  end
  for _, x in ipairs(present) do
    mean:add(x)
    median:add(x)
  end
  local average, n = mean:value(), #present
  for _, x in ipairs(present) do squares = squares + (x - average) ^ 2 end
  table.sort(present)
  return { n = n, mean = average, median = median:value(), deviation = n > 1 and math.sqrt(squares / (n - 1)) or nil,
    least = present[1], greatest = present[n] }
end

--- The values of a field of some plays, without those that are missing.
local function values_of(plays, field) return lists.map(plays, function(play) return play[field] or 0 / 0 end) end

--- Lists of plays by the value of a field, and the values in natural order.
local function groups_of(plays, field)
  local groups, keys = {}, {}
  for _, play in ipairs(plays) do
    local key = play[field]
    if key and key == key then
      if not groups[key] then
        groups[key] = {}
        table.insert(keys, key)
      end
      table.insert(groups[key], play)
    end
  end
  if type(keys[1]) == "number" then table.sort(keys) else natural.sort(keys) end
  return groups, keys
end

--- The change of a field from one position to the next, among plays of the same level: the least squares slope with an
--- intercept for each level. nil where no level has plays at different positions.
local function slope_of(plays, field)
  local products, squares = 0, 0
  for _, group in pairs((groups_of(plays, "level"))) do
    local complete = lists.select(group, function(play)
      return play.position and play.position == play.position and play[field] and play[field] == play[field]
    end)
    local x, y = spread_of(values_of(complete, "position")).mean, spread_of(values_of(complete, field)).mean
    for _, play in ipairs(complete) do
      products = products + (play.position - x) * (play[field] - y)
      squares = squares + (play.position - x) ^ 2
    end
  end
  return squares > 0 and products / squares or nil
end

---@class StudySummary
---@field players integer
---@field plays integer          of levels that are no tutorial's
---@field solved integer
---@field skipped integer
---@field skip_time number?     mean time until a level was skipped, seconds
---@field attempts integer
---@field losses number?         nil if they were not recorded
---@field causes { cause: string, attempts: integer }[]   of losses, the most frequent first
---@field per_level Spread       plays of a level
---@field per_player Spread      levels that a player solved or skipped
---@field rating_slope number?   change of the rating from one position to the next
---@field time_slope number?     seconds
---@field levels { level: string, plays: integer, solved: integer, skipped: integer, rated: integer, rating: number?,
--- deviation: number?, time: number?, median_time: number? }[]   mean ratings, and times of those who solved the level
---@field positions { position: number, plays: integer, last: integer, rating: number?, time: number? }[]   as above; `last`
--- counts the players who played no level behind

local function is_solved(play) return play.solved end
local function is_skipped(play) return play.skipped end

--- A table's row about a group of plays.
local function row_of(group)
  local solved, ratings = lists.select(group, is_solved), spread_of(values_of(group, "rating"))
  local times = spread_of(values_of(solved, "time"))
  return { plays = #group, solved = #solved, skipped = #lists.select(group, is_skipped), rated = ratings.n,
    rating = ratings.mean, deviation = ratings.deviation, time = times.mean, median_time = times.median }
end

local function rows_by(plays, field)
  local groups, keys = groups_of(plays, field)
  return lists.map(keys, function(key) return lists.merge(row_of(groups[key]), { [field] = key }) end)
end

--- The rows of the positions in players' orders.
local function rows_by_position(plays)
  local rows, counts = rows_by(plays, "position"), {}
  for _, group in pairs((groups_of(plays, "player"))) do
    local last = spread_of(values_of(group, "position")).greatest
    if last then counts[last] = (counts[last] or 0) + 1 end
  end
  for _, row in ipairs(rows) do row.last = counts[row.position] or 0 end
  return rows
end

--- Adds up a field of plays; nil if it is not known of any.
local function sum_of(plays, field)
  local sum
  for _, play in ipairs(plays) do
    if play[field] and play[field] == play[field] then sum = (sum or 0) + play[field] end
  end
  return sum
end

--- Summarises a study, without its tutorials.
---@return StudySummary
function summary.of(plays)
  plays = lists.select(plays, function(play) return not play.tutorial end)
  local solved, skipped, causes = lists.select(plays, is_solved), lists.select(plays, is_skipped), {}
  local levels, by_player = rows_by(plays, "level"), rows_by(plays, "player")
  for _, play in ipairs(plays) do
    for cause, count in pairs(play.causes) do causes[cause] = (causes[cause] or 0) + count end
  end
  local listed = lists.map(lists.keys(causes), function(cause) return { cause = cause, attempts = causes[cause] } end)
  lists.sort(listed, function(row) return -row.attempts end)
  return { players = #by_player, plays = #plays, solved = #solved, skipped = #skipped,
    skip_time = spread_of(values_of(skipped, "time")).mean,
    attempts = sum_of(plays, "attempts") or 0, losses = sum_of(plays, "losses"), causes = listed,
    per_level = spread_of(lists.field(levels, "plays")),
    per_player = spread_of(lists.map(by_player, function(row) return row.solved + row.skipped end)),
    rating_slope = slope_of(plays, "rating"), time_slope = slope_of(solved, "time"), levels = levels,
    positions = rows_by_position(plays) }
end

return summary
