--- Agreement of players on each level: the share of ratings on the same side of a neutral one (Biemer and Cooper, section 4.1).
local location = require "crux.stats.location"
local fault = require "crux.base.fault"
local natural = require "crux.base.natural"
local number = require "crux.base.number"
local study = require "crux.data.study"

local agreement = {}

local function check_scale(block, row, column, rating, scale)
  if rating < scale[1] or rating > scale[2] then
    fault.at(("%s: column '%s'"):format(block:place(row), column), fault.show(rating),
      ("a rating from %s to %s (see --scale)"):format(number.exact(scale[1]), number.exact(scale[2])))
  end
end

---@class Agreement
---@field agreement number   the mean of the levels' agreements
---@field n integer          number of levels with a rating that is not neutral
---@field ratings Ratings    those that count
---@field levels { level: string, disagree: integer, neutral: integer, agree: integer, agreement: number? }[]

--- Counts each level's ratings below, at and above the threshold. Its agreement is the larger outer count over their sum.
---@param data Dataset       a player study; ratings of skipped levels and missing ones do not count
---@param column string      the ratings
---@param threshold number   the neutral rating
---@param scale number[]     the lowest and the highest rating
---@return Agreement
function agreement.of(data, column, threshold, scale)
  data:expect({ "level", column }, "agreement needs the column")
  local texts, rows, by_level = { "level" }, {}, {}
  for _, also in ipairs { "player", "skipped" } do
    if data.has[also] then table.insert(texts, also) end
  end
  local ratings = { name = data.name, column = column, ratings = {}, levels = {}, players = data.has.player and {} or nil }
  for block in data:blocks { numbers = { column }, texts = texts } do
    for i, level in ipairs(block.texts.level) do
      local rating = block.numbers[column][i]
      if rating == rating and not study.is_marked(block, i, "skipped") then
        check_scale(block, i, column, rating, scale)
        if not by_level[level] then
          by_level[level] = { level = level, disagree = 0, neutral = 0, agree = 0 }
          table.insert(rows, level)
        end
        table.insert(ratings.ratings, rating)
        table.insert(ratings.levels, level)
        if ratings.players then table.insert(ratings.players, block.texts.player[i]) end
        local side = rating < threshold and "disagree" or rating > threshold and "agree" or "neutral"
        by_level[level][side] = by_level[level][side] + 1
      end
    end
  end
  natural.sort(rows)
  local mean = location.mean()
  for i, level in ipairs(rows) do
    local row = by_level[level]
    rows[i] = row
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
