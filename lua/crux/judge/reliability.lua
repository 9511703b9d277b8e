--- The reliability of the ratings of levels: intraclass correlations, Krippendorff's alpha, and how many players a level needs.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local grammar = require "crux.formula.grammar"
local grouping = require "crux.stats.grouping"
local lists = require "crux.base.lists"
local rank = require "libcrux.rank"
local rules = require "crux.rule.rule"
local vector = require "libcrux.vector"

local reliability = {}

local function sum(numbers)
  local total = 0
  for i = 1, #numbers do total = total + numbers[i] end
  return total
end

--- The sum of squares around the mean.
local function squares(numbers)
  local mean, total = sum(numbers) / #numbers, 0
  for i = 1, #numbers do total = total + (numbers[i] - mean) ^ 2 end
  return total
end

--- The ratings of each level, as lists.
---@param ratings number[]|userdata
---@param levels string[]
---@return number[][]
local function by_level(ratings, levels)
  local index, names = grouping.number(levels)
  local groups = lists.map(names, function() return {} end)
  for i = 1, #ratings do table.insert(groups[index[i] // 1 | 0], ratings[i]) end
  return groups
end

--- ICC(1) of Shrout and Fleiss (1979), by a one-way analysis of variance: the share of levels in the variance of a rating.
--- Levels may have different numbers of ratings (Donner 1986). nil where it is not defined.
---@return number?
local function one_way(ratings, levels)
  local groups, n = by_level(ratings, levels), #ratings
  if #groups < 2 or n == #groups then return nil end
  local error = sum(lists.map(groups, squares))
  local size = (n - sum(lists.map(groups, function(group) return #group * #group end)) / n) / (#groups - 1)
  local between = (squares(ratings) - error) / (#groups - 1)
  error = error / (n - #groups)
  local all = between + (size - 1) * error
  return all > 0 and (between - error) / all or nil
end

--- Krippendorff's alpha (2004) of distances (a - b)^2. nil where it is not defined.
---@param ratings number[]|userdata   of levels with several ratings
local function alpha(ratings, levels)
  local all = #ratings > 0 and squares(ratings) or 0
  local within = sum(lists.map(by_level(ratings, levels), function(group) return #group / (#group - 1) * squares(group) end))
  return all > 0 and 1 - (#ratings - 1) * within / (#ratings * all) or nil
end

--- Krippendorff's alpha of ratings on an interval scale, and on an ordinal one: of distances between mean ranks, which the
--- numbers of ratings between two make.
local function alphas(ratings, levels)
  local index, names = grouping.number(levels)
  local groups, paired, of = by_level(ratings, levels), {}, {}
  for i, rating in ipairs(ratings) do
    local level = index[i] // 1 | 0
    if #groups[level] > 1 then
      table.insert(paired, rating)
      table.insert(of, names[level])
    end
  end
  return alpha(paired, of), alpha(fault.check(rank.ranks(vector.of(paired))), of)
end

--- The variances of levels, players and what remains, by the mixed model of crossed groups; for complete tables those of a
--- two-way analysis of variance, unless one is below 0. nil where they cannot be told.
---@param found Ratings
---@return { level: number, player: number, ["(residual)"]: number }?
local function two_way(found)
  local columns = { level = grouping.number(found.levels), player = grouping.number(found.players),
    [found.column] = vector.of(found.ratings) }
  local data = dataset.of_vectors(found.name, lists.keys(columns), columns, #found.ratings, found.levels)
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
---@field ratings number[]
---@field levels string[]    of each rating
---@field players string[]?  of each rating

---@class Reliability
---@field icc_1 number?           ICC(1)
---@field icc_2 number?           ICC(2,1): the share of levels in the variance of a rating, players and errors being the rest
---@field icc_2_k number?         ICC(2,k): the same in the variance of a mean of k ratings
---@field k number                the mean number of ratings of a level
---@field alpha_interval number?
---@field alpha_ordinal number?

--- The reliability of ratings. Values that are not defined are absent, those of players also without players.
---@param found Ratings
---@return Reliability
function reliability.of(found)
  local result = { k = #found.ratings / #by_level(found.ratings, found.levels), icc_1 = one_way(found.ratings, found.levels) }
  result.alpha_interval, result.alpha_ordinal = alphas(found.ratings, found.levels)
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
