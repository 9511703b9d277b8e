--- The fit `order`: predictions in the order of the ratings, whatever their distances (Mutser 2014, section 3.3).
local correlation = require "crux.correlation"
local fault = require "crux.fault"
local linear_fit = require "crux.linear_fit"
local number = require "crux.number"
local vector = require "libcrux.vector"

local order = {
  name = "order",
  doc = "order only: a score in which of two levels the one rated harder is ahead by 1, with the least sum of what is lacking, "
    .. "then a straight line from scores to ratings; needs (intercept), at most 1000 rows; intervals of the bootstrap",
  figures = { "pairs", "tau" },
}

--- Pairs grow with the square of the rows: 1000 make half a million.
order.most_rows = 1000

---@class Ordered: Fitted
---@field pairs integer   pairs of rows of different ratings
---@field tau number      Kendall's, of predictions and ratings

--- The numbers of the rows of all pairs of different ratings: of the higher, of the lower.
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

--- The sum over pairs of what the difference of their scores lacks to 1, a pair weighing the product of its rows' weights.
local function lacking(columns, higher, lower, weights)
  local n, differences = #higher, {}
  for j, column in ipairs(columns) do differences[j] = column:gather(higher) - column:gather(lower) end
  return { columns = differences, target = vector.fill(n, 1), below = vector.fill(n, 0),
    above = weights:gather(higher) * weights:gather(lower) }
end

--- The line of weighted least squares from scores to ratings; it does not fall.
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

local function check(problem)
  local frames = problem.frames
  if not problem.formula.intercept then
    fault.at(problem.where, "a formula without (intercept)", "one with it: the fit 'order' knows no zero of the ratings")
  elseif frames.rows > order.most_rows then
    fault.at(problem.where, number.count(frames.rows, "row"), ("at most %d for the fit 'order', which compares all pairs")
      :format(order.most_rows))
  end
end

---@return Ordered
function order.fit(problem)
  check(problem)
  local frames = problem.frames
  local kept, aliased = linear_fit.independent(problem)
  local higher, lower = all_pairs(frames.response)
  local weights, columns = frames.weights or vector.fill(frames.rows, 1), frames:pick(kept).columns
  local sum = lacking(table.move(columns, 2, #columns, 1, {}), higher, lower, weights) -- (intercept) is the first
  local found, value = linear_fit.least({ sum, linear_fit.sizes(sum.columns) }, problem.where)
  local scores, estimates = vector.fill(frames.rows, 0), {}
  for j = 1, #found do scores = scores + found[j] * columns[j + 1] end
  local intercept, slope = line(scores, frames.response, weights)
  estimates[1] = intercept
  for j = 1, #found do estimates[j + 1] = slope * found[j] end
  local fitted = linear_fit.fitted(problem, kept, estimates, aliased,
    { "sum over pairs of what the harder one's lead lacks to 1", value })
  fitted.pairs = #higher
  fitted.tau = correlation.kendall(problem.formula:combine(frames.columns, fitted.coefficients, frames.rows), frames.response)
  if #higher == 0 then fitted.converged, fitted.trouble = false, "ratings that are all equal" end
  return fitted
end

---@param fitted Ordered
function order.notes(fitted)
  local compared = number.count(fitted.pairs, "pair") .. " of different ratings"
  if fitted.tau == fitted.tau then
    return { ("%s, Kendall's tau of predictions and ratings: %.4f"):format(compared, fitted.tau) }
  end
  return { compared .. ", but no line that rises from scores to ratings: predictions are the ratings' mean" }
end

return order
