--- Agreement of players on each level: the share of ratings on the same side of a neutral one (Biemer and Cooper, section 4.1).
local grouping = require "crux.stats.grouping"
local groups = require "libcrux.groups"
local lists = require "crux.base.lists"
local location = require "crux.stats.location"
local fault = require "crux.base.fault"
local natural = require "crux.base.natural"
local number = require "crux.base.number"
local study = require "crux.data.study"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local agreement = {}

local function check_scale(block, column, ratings, scale)
  local row = vector.outside({ ratings }, vector.of { scale[1] }, vector.of { scale[2] })[1]
  if row then
    row = row // 1 | 0
    fault.at(("%s: column '%s'"):format(block:place(row), column), fault.show(ratings[row]),
      ("a rating from %s to %s (see --scale)"):format(number.exact(scale[1]), number.exact(scale[2])))
  end
end

--- How many ratings of each level are below, at and above the threshold, in the natural order of levels.
local function sides(found, threshold)
  local of, levels = grouping.number(found.levels)
  local names, rows = lists.copy(levels), {}
  local counts = groups.counts_and_sums(found.ratings, of, #levels)
  local _, below = groups.counts_and_sums(vector.less(found.ratings, threshold), of, #levels)
  local _, above = groups.counts_and_sums(vector.less(threshold, found.ratings), of, #levels)
  for i, level in ipairs(levels) do
    local disagree, agree = below[i] // 1 | 0, above[i] // 1 | 0
    rows[level] = { level = level, disagree = disagree, neutral = (counts[i] // 1 | 0) - disagree - agree, agree = agree }
  end
  natural.sort(names)
  return lists.pick(rows, names)
end

---@class Agreement
---@field agreement number   the mean of the levels' agreements
---@field n integer          number of levels with a rating that is not neutral
---@field ratings Ratings    those that count
---@field levels { level: string, disagree: integer, neutral: integer, agree: integer, agreement: number? }[]

--- Counts each level's ratings below, at and above the threshold. Its agreement is the larger outer count over their sum.
---@param data Dataset       a player study; ratings of skipped and abandoned levels and of tutorials, and missing ones, do not
---                          count
---@param column string      the ratings
---@param threshold number   the neutral rating
---@param scale number[]     the lowest and the highest rating
function agreement.of(data, column, threshold, scale)
  data:expect({ "level", column }, "agreement needs the column")
  if data.has.player then study.check_names(data) end
  local function is_there(name) return data.has[name] end
  local marks = lists.select({ "skipped", "tutorial", "abandoned" }, is_there)
  local texts = lists.concat(lists.select({ "level", "player" }, is_there), marks)
  local parts = { ratings = {}, level = {}, player = {} }
  for block in data:blocks { numbers = { column }, texts = texts } do
    local ratings = block.numbers[column]
    for _, mark in ipairs(marks) do ratings = vector.choose(study.marks(block, mark), 0 / 0, ratings) end
    check_scale(block, column, ratings, scale)
    local rated = vector.complete { ratings }
    local function kept(values) return values and rated and values:gather(rated) or values end
    table.insert(parts.ratings, kept(ratings))
    table.insert(parts.level, kept(block.texts.level))
    table.insert(parts.player, kept(block.texts.player))
  end
  local ratings = { name = data.name, column = column, ratings = vector.concat(parts.ratings),
    levels = text_column.concat(parts.level), players = data.has.player and text_column.concat(parts.player) or nil }
  local rows = sides(ratings, threshold)
  local mean = location.mean()
  for _, row in ipairs(rows) do
    if row.agree + row.disagree > 0 then
      row.agreement = math.max(row.agree, row.disagree) / (row.agree + row.disagree)
      mean:add(row.agreement)
    end
  end
  if mean.n == 0 then
    fault.at(("%s: column '%s'"):format(data.name, column), "no rating but " .. number.exact(threshold), "at least one other")
  end
  return { agreement = mean:value(), n = mean.n, levels = rows, ratings = ratings }
end

return agreement
