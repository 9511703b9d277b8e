--- The reliability of the ratings of levels: intraclass correlations, Krippendorff's alpha, and how many players a level needs.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local grammar = require "crux.formula.grammar"
local grouping = require "crux.stats.grouping"
local groups = require "libcrux.groups"
local rank = require "libcrux.rank"
local rules = require "crux.rule.rule"
local vector = require "libcrux.vector"

local reliability = {}

local function sum(numbers)
  local total = 0
  for i = 1, #numbers do total = total + numbers[i] end
  return total
end

--- The number of ratings in each group, and the sums of squares around their means.
---@param groups_of userdata   the group of each rating, from 1 to `count`
---@return userdata counts
---@return userdata squares   NaN without ratings
local function spread(ratings, groups_of, count)
  local counts, sums = groups.counts_and_sums(ratings, groups_of, count)
  return counts, groups.squares(ratings, groups_of, count, sums / counts)
end

--- The sum of squares of all ratings around their mean.
local function squares(ratings) return select(2, spread(ratings, vector.fill(#ratings, 1), 1))[1] end

--- ICC(1) of Shrout and Fleiss (1979), by a one-way analysis of variance: the share of levels in the variance of a rating.
--- Levels may have different numbers of ratings (Donner 1986). nil where it is not defined.
---@param levels userdata   the number of each rating's level, to `count`
---@return number?
local function one_way(ratings, levels, count)
  local n = #ratings
  if count < 2 or n == count then return nil end
  local counts, within = spread(ratings, levels, count)
  local error = sum(within)
  local size = (n - sum(counts * counts) / n) / (count - 1)
  local between = (squares(ratings) - error) / (count - 1)
  error = error / (n - count)
  local all = between + (size - 1) * error
  return all > 0 and (between - error) / all or nil
end

--- Krippendorff's alpha (2004) of distances (a - b)^2. nil where it is not defined.
---@param ratings userdata   of levels with several ratings
local function alpha(ratings, levels, count)
  local all = #ratings > 0 and squares(ratings) or 0
  local counts, within = spread(ratings, levels, count)
  within = sum(vector.choose(counts, counts / (counts - 1) * within, 0))
  return all > 0 and 1 - (#ratings - 1) * within / (#ratings * all) or nil
end

--- Krippendorff's alpha of ratings on an interval scale, and on an ordinal one: of distances between mean ranks, which the
--- numbers of ratings between two make.
local function alphas(ratings, levels, count)
  local paired = (groups.counts_and_sums(ratings, levels, count):gather(levels) - 1):positive()
  if paired then ratings, levels = ratings:gather(paired), levels:gather(paired) end
  return alpha(ratings, levels, count), alpha(fault.check(rank.ranks(ratings)), levels, count)
end

--- The variances of levels, players and what remains, by the mixed model of crossed groups; for complete tables those of a
--- two-way analysis of variance, unless one is below 0. nil where they cannot be told.
---@param found Ratings
---@return { level: number, player: number, ["(residual)"]: number }?
local function two_way(found)
  local texts = { level = found.levels, player = found.players }
  local data = dataset.of_columns(found.name, { found.column, "level", "player" }, { [found.column] = found.ratings }, texts,
    #found.ratings)
  local rule = rules.from_formula(("%s ~ 1 + (1 | player) + (1 | level)"):format(grammar.name(found.column)))
  local ok, fitted = fault.catch(rule.estimate, rule, data, {})
  if not ok then return nil end
  local variances = {}
  for _, row in ipairs(fitted.components) do variances[row.group] = row.variance end
  return variances
end

---@class Ratings
---@field name string        of the data
---@field column string      of the ratings
---@field ratings userdata
---@field levels userdata    a column of texts, the level of each rating
---@field players userdata?  such a column

---@class Reliability
---@field icc_1 number?           ICC(1)
---@field icc_2 number?           ICC(2,1): the share of levels in the variance of a rating, players and errors being the rest
---@field icc_2_k number?         ICC(2,k): the same in the variance of a mean of k ratings
---@field k number                the mean number of ratings of a level
---@field alpha_interval number?
---@field alpha_ordinal number?

--- What is known without players.
---@param found Ratings
local function of_levels(found)
  local levels, names = grouping.number(found.levels)
  local result = { k = #found.ratings / #names, icc_1 = one_way(found.ratings, levels, #names) }
  result.alpha_interval, result.alpha_ordinal = alphas(found.ratings, levels, #names)
  return result
end

--- The reliability of ratings. Values that are not defined are absent, those of players also without players.
---@param found Ratings
function reliability.of(found)
  local result = of_levels(found)
  collectgarbage() -- else as many columns that nobody needs lie beside those of the mixed model
  local variances = found.players and two_way(found)
  if variances then
    local level, rest = variances.level, variances.player + variances["(residual)"]
    result.icc_2, result.icc_2_k = level / (level + rest), level / (level + rest / result.k)
  end
  return result
end

--- Returns the number of players that each level needs for means of a wanted reliability (Spearman and Brown 1910).
---@param single number   reliability of one rating
---@param wanted number   above 0 and below 1
---@return integer?       nil if no number is enough
function reliability.players(single, wanted)
  if single <= 0 then return nil end
  return math.max(1, math.ceil(wanted * (1 - single) / (single * (1 - wanted)) - 1e-9))
end

return reliability
