--- The fit `order`: predictions in the order of the ratings, regardless of their distances (Mutser 2014, section 3.3).
local correlation = require "crux.stats.correlation"
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local order = {
  name = "order",
  doc = "order only: a score in which of two levels the one rated harder is ahead by 1, with the least sum of what is lacking, "
    .. "then a straight line from scores to ratings; needs (intercept), at most 1000 rows; intervals of the bootstrap",
  items = "logistic: the score of the greatest likelihood, that of a pair's order being 1 / (1 + exp(-lead)); or drop: a score "
    .. "that orders all pairs but those of the smallest differences of ratings, as few as can be",
  figures = { "pairs", "dropped", "tau" },
}

--- The number of pairs grows with the square of the rows: 1000 rows have half a million.
order.max_rows = 1000

---@class Ordered: Fitted
---@field pairs integer   number of pairs of rows of different ratings
---@field dropped integer?   of order(drop): number of pairs left out
---@field least number?      of order(drop): the least difference of the ratings of a pair that is kept
---@field tau number      Kendall's, of predictions and ratings

--- The numbers of the rows of all pairs of different ratings: the higher and the lower rows.
---@return userdata higher, userdata lower
local function all_pairs(response)
  local higher, lower, values = {}, {}, {}
  for i = 1, #response do values[i] = response[i] end
  for i, value in ipairs(values) do
    for j = 1, i - 1 do
      if value ~= values[j] then
        table.insert(higher, value > values[j] and i or j)
        table.insert(lower, value > values[j] and j or i)
      end
    end
  end
  return vector.of(higher), vector.of(lower)
end

--- The coefficients of the least sum over pairs of max(0, 1 - lead of the harder one).
local function by_margin(differences, weights, where)
  local n = #weights
  local sum = { columns = differences, target = vector.fill(n, 1), below = vector.fill(n, 0), above = weights }
  local coefficients, value = linear_fit.least({ sum, linear_fit.sizes(differences) }, where)
  return coefficients, { "sum over pairs of what the harder one's lead lacks to 1", value }
end

--- The greatest number from 0 to `count` for which a condition holds, which holds up to there only.
---@param holds fun(number: integer): boolean
local function greatest_of(count, holds)
  local low, step = 0, 1
  while low + step <= count and holds(low + step) do low, step = low + step, 2 * step end
  local high = math.min(low + step, count + 1)
  while high - low > 1 do
    local middle = (low + high) // 2
    if holds(middle) then low = middle else high = middle end
  end
  return low
end

--- The coefficients of a score that orders the pairs of the largest differences of ratings, as many as one score orders;
--- differences that agree in 12 digits are equal, and their pairs are kept or left out together (after Vendrig 2013).
local function by_dropping(differences, weights, where, gaps)
  local sizes, ends = {}, {}
  for i = 1, #gaps do sizes[i] = tonumber(("%.12g"):format(gaps[i])) end
  local ranked = lists.order(#sizes, function(i) return -sizes[i] end)
  for i, pair in ipairs(ranked) do
    if sizes[pair] ~= sizes[ranked[i + 1]] then table.insert(ends, i) end
  end
  local function of_first(count)
    local rows = vector.of(lists.copy(ranked, count))
    return lists.map(differences, function(column) return column:gather(rows) end), weights:gather(rows)
  end
  local kept = ends[greatest_of(#ends, function(groups)
    local columns = of_first(ends[groups])
    local _, objective = by_margin(columns, vector.fill(ends[groups], 1), where)
    return objective[2] < 0.5 -- by duality the least sum is 0, or at least 1
  end)] or 0
  local some, their_weights = of_first(kept)
  local coefficients = by_margin(some, their_weights, where)
  local dropped = #sizes - kept
  return coefficients, { "number of pairs left out", dropped }, nil, { dropped = dropped, least = sizes[ranked[kept]] }
end

--- The coefficients of the greatest likelihood; there is none if a score orders all pairs.
---@return number[] coefficients, table objective, string? trouble
local function by_likelihood(differences, weights)
  local from = {}
  for j = 1, #differences do from[j] = 0 end
  local none = vector.fill(#weights, 0)
  local greatest = likelihood.greatest(from, function(coefficients)
    return likelihood.logistic(differences, likelihood.combine(differences, coefficients, none), weights)
  end)
  return greatest.estimates, { "minus the log-likelihood of the pairs' order", -greatest.value },
    not greatest.converged and "no greatest likelihood, as where a score orders all pairs" or nil
end

--- The line of weighted least squares from scores to ratings, of a slope not below 0.
---@return number intercept
---@return number slope
local function line(scores, response, weights)
  local total, mean_score, mean_rating, product, square = 0, 0, 0, 0, 0
  for i = 1, #scores do
    total = total + weights[i]
    mean_score = mean_score + (scores[i] - mean_score) * weights[i] / total
    mean_rating = mean_rating + (response[i] - mean_rating) * weights[i] / total
  end
  for i = 1, #scores do
    local weighted = weights[i] * (scores[i] - mean_score)
    product, square = product + weighted * (response[i] - mean_rating), square + weighted * (scores[i] - mean_score)
  end
  local slope = product > 0 and product / square or 0
  return mean_rating - slope * mean_score, slope
end

--- Ways to find the coefficients, by the option that names them: functions of the differences of pairs, their weights, the name
--- of the data and the differences of ratings.
local ways = { logistic = by_likelihood, drop = by_dropping }

local function check(problem)
  local frames, kind = problem.frames, problem.options[1]
  if kind and not ways[kind] or problem.options[2] then
    fault.at(("%s: fit 'order'"):format(problem.where), fault.show(problem.options[2] or kind), "logistic, drop or no option")
  elseif not problem.formula.intercept then
    fault.at(problem.where, "a formula without (intercept)", "one with it: the fit 'order' knows no zero of the ratings")
  elseif #problem.formula.offsets > 0 then
    fault.at(problem.where, "an offset", "none: the fit 'order' knows no unit of the ratings")
  elseif frames.rows > order.max_rows then
    fault.at(problem.where, number.count(frames.rows, "row"), ("at most %d for the fit 'order', which compares all pairs")
      :format(order.max_rows))
  end
end

---@return Ordered
function order.fit(problem)
  check(problem)
  local frames = problem.frames
  local kept, aliased = linear_fit.independent(problem)
  local columns, differences = frames:pick(kept).columns, {}
  table.remove(columns, 1) -- (intercept), by which no two levels differ
  local higher, lower = all_pairs(frames.response)
  for j, column in ipairs(columns) do differences[j] = column:gather(higher) - column:gather(lower) end
  local weights = frames.weights or vector.fill(frames.rows, 1)
  local found, objective, trouble, more = (ways[problem.options[1]] or by_margin)(differences,
    weights:gather(higher) * weights:gather(lower), problem.where,
    frames.response:gather(higher) - frames.response:gather(lower))
  local intercept, slope = line(likelihood.combine(columns, found, vector.fill(frames.rows, 0)), frames.response, weights)
  local estimates = { intercept }
  for j = 1, #found do estimates[j + 1] = slope * found[j] end
  local fitted = linear_fit.fitted(problem, kept, estimates, aliased, objective)
  fitted.pairs = #higher
  for key, value in pairs(more or {}) do fitted[key] = value end
  fitted.tau = correlation.kendall(problem.formula:combine(frames.columns, fitted.coefficients, frames.rows), frames.response)
  fitted.trouble = #higher == 0 and "ratings that are all equal" or trouble
  fitted.converged = not fitted.trouble
  return fitted
end

---@param fitted Ordered
function order.notes(fitted)
  local compared = number.count(fitted.pairs, "pair") .. " of different ratings"
  if fitted.dropped then
    compared = ("%s, %s left out%s"):format(compared, number.count(fitted.dropped), fitted.dropped > 0 and fitted.least
      and (", as their ratings differ by less than %g"):format(fitted.least) or "")
  end
  if fitted.tau == fitted.tau then
    return { ("%s, Kendall's tau of predictions and ratings: %.4f"):format(compared, fitted.tau) }
  end
  return { compared .. ", but no line that rises from scores to ratings: predictions are the ratings' mean" }
end

return order
