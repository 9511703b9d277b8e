--- The fit `ordinal`: proportional odds, for ratings that are categories in an order (McCullagh 1980).
local fault = require "crux.base.fault"
local likelihood = require "crux.fit.likelihood"
local linear_fit = require "crux.fit.linear_fit"
local number = require "crux.base.number"
local vector = require "libcrux.vector"

local ordinal = {
  name = "ordinal",
  doc = "proportional odds, as polr of R's MASS: the logit of a rating of at most k is a threshold minus the terms; for single "
    .. "ratings, integers, or their counts as weights; predicts the expected rating; needs (intercept); standard errors, z, p",
  options = { { name = "round", default = 0, least = 0, most = 1, integer = true,
    doc = "1 rounds ratings, as means, to the nearest integer, halves up" } },
  parameters = { "categories", "thresholds" },
  figures = { "log_likelihood", "aic", "bic" },
}

--- Usual scales have 5 to 10 categories. Each costs a column of twice the rows.
ordinal.max_categories = 100

--- Refuses a problem whose ratings cannot be categories.
function ordinal.check(problem)
  if not problem.formula.intercept then
    fault.at(problem.where, "a formula without (intercept)", "one with it: thresholds between categories take its place")
  elseif problem.formula.is_transformed then
    fault.at(problem.where, "a transformed target", "the target itself, whose values are categories")
  end
end

--- The categories that occur, ascending; the place of each row's category; and the number of ratings of each category.
---@return number[] categories, userdata places, userdata counts
function ordinal.categories(problem, weights)
  local ratings, scale = problem.frames.target, problem.scale
  if problem.options.round == 1 then
    local rounded = {}
    for i = 1, #ratings do rounded[i] = math.floor(ratings[i] + 0.5) end
    ratings = vector.of(rounded)
  end
  local counts, categories, place, places, counted = {}, {}, {}, {}, {}
  for i = 1, #ratings do
    local rating = ratings[i]
    if rating % 1 ~= 0 then
      fault.at(problem.frames:place(i) or problem.where, "the rating " .. number.exact(rating),
        "integers; means are rounded by ordinal(round = 1)")
    end
    likelihood.check_scale(problem, i, rating, scale)
    if not counts[rating] then table.insert(categories, rating) end
    counts[rating] = (counts[rating] or 0) + weights[i]
  end
  if #categories < 2 or #categories > ordinal.max_categories then
    fault.at(problem.where, #categories == 1 and "ratings that are all equal"
      or number.count(#categories, "different rating"), ("2 to %d different ones"):format(ordinal.max_categories))
  end
  table.sort(categories)
  for k, category in ipairs(categories) do place[category], counted[k] = k, counts[category] end
  for i = 1, #ratings do places[i] = place[ratings[i]] end
  return categories, vector.of(places), vector.of(counted)
end

--- The logits of the shares of ratings up to each category: the thresholds without terms.
function ordinal.logits(counts)
  local thresholds, up_to, total = {}, 0, counts:sum()
  for k = 1, #counts - 1 do
    up_to = up_to + counts[k]
    thresholds[k] = math.log(up_to / (total - up_to))
  end
  return thresholds
end

--- The log-likelihood as a sum of concave functions of linear predictors. With L(x) = 1 / (1 + exp(-x)), a rating of k at a
--- sum of terms s has the probability
---     L(t[k] - s) - L(t[k-1] - s) = L(t[k] - s) L(s - t[k-1]) (1 - exp(t[k-1] - t[k])),
--- the first factor being absent in the highest category, the second in the lowest, the third in both.
---@param terms userdata[]    columns
---@param offset userdata?
---@return fun(estimates: number[]): Point   of the coefficients and then the thresholds
local function likelihood_of(terms, offset, weights, places, counts)
  local count, columns, gaps, not_last, not_first = #counts, {}, {}, {}, {}
  for i = 1, #places do
    if places[i] < count then table.insert(not_last, i) end
    if places[i] > 1 then table.insert(not_first, i) end
  end
  not_last, not_first = vector.of(not_last), vector.of(not_first)
  local function facing(column) return vector.concat { -column:gather(not_last), column:gather(not_first) } end
  local upper, lower, between = places:gather(not_last), places:gather(not_first), {}
  for k = 2, count - 1 do between[k - 1] = k end
  between = vector.of(between)
  for j, column in ipairs(terms) do
    columns[j], gaps[j] = facing(column), vector.fill(#between, 0)
  end
  for k = 1, count - 1 do
    table.insert(columns, vector.concat { upper:equal(k), -lower:equal(k + 1) })
    table.insert(gaps, between:equal(k) - between:equal(k + 1))
  end
  local start, weights_of_rows = offset and facing(offset) or 0, vector.concat { weights:gather(not_last),
    weights:gather(not_first) }
  local counts_between = counts:gather(between)
  return function(estimates)
    local point = likelihood.logistic(columns, likelihood.combine(columns, estimates, start), weights_of_rows)
    local shrunk = vector.exp(-likelihood.combine(gaps, estimates, 0))
    local share, add = 1 - shrunk, point.add
    point.value = point.value + (counts_between * vector.log(share)):sum()
    function point.add(solver)
      add(solver)
      solver:add(gaps, share, counts_between * shrunk / share ^ 2)
    end
    return point
  end
end

---@return Fitted
function ordinal.fit(problem)
  ordinal.check(problem)
  local frames = problem.frames
  local weights = frames.weights or vector.fill(frames.rows, 1)
  local categories, places, counts = ordinal.categories(problem, weights)
  local kept, aliased = linear_fit.independent(problem)
  table.remove(kept, 1) -- (intercept)
  local columns, from = frames:pick(kept).columns, {}
  for j in ipairs(columns) do from[j] = 0 end
  table.move(ordinal.logits(counts), 1, #categories - 1, #from + 1, from)
  local greatest = likelihood.greatest(from, likelihood_of(columns, frames.offset, weights, places, counts))
  local fitted = linear_fit.fitted(problem, kept, greatest.estimates, aliased, { "minus the log-likelihood", -greatest.value })
  likelihood.add_tests(fitted, greatest, weights:sum())
  fitted.trouble = not greatest.converged and "no greatest likelihood, as where a term orders all ratings" or nil
  fitted.coefficients["(intercept)"] = 0
  fitted.parameters = { categories = categories, thresholds = table.move(greatest.estimates, #columns + 1, #from, 1, {}) }
  for k, threshold in ipairs(fitted.parameters.thresholds) do
    table.insert(fitted.terms, { term = ("%d|%d"):format(categories[k], categories[k + 1]), estimate = threshold,
      std_error = greatest.errors[#columns + k] or 0 / 0 })
  end
  return fitted
end

--- Expected ratings: the lowest category, plus each step to the next category times the probability of a rating beyond.
function ordinal.predict(linear, model)
  local categories, thresholds = model.parameters.categories, model.parameters.thresholds
  if #thresholds ~= #categories - 1 then
    fault.at("parameter 'thresholds'", number.count(#thresholds, "number"), "one less than in 'categories'")
  end
  local ratings = vector.fill(#linear, categories[1])
  for k, threshold in ipairs(thresholds) do
    ratings = ratings + (categories[k + 1] - categories[k]) / (1 + vector.exp(threshold - linear))
  end
  return ratings
end

--- The category of the greatest probability for each sum of terms, as predict(type = "class") of polr; NaN for NaN.
function ordinal.classes(linear, model)
  local categories, thresholds, classes = model.parameters.categories, model.parameters.thresholds, {}
  for row = 1, #linear do
    local class, greatest, below = nil, -1, 0
    for k, category in ipairs(categories) do
      local up_to = thresholds[k] and 1 / (1 + math.exp(linear[row] - thresholds[k])) or 1
      if up_to - below > greatest then class, greatest = category, up_to - below end
      below = up_to
    end
    classes[row] = class or 0 / 0
  end
  return vector.of(classes)
end

function ordinal.notes(fitted)
  local categories = fitted.parameters.categories
  return { ("Thresholds k|l between %d categories from %d to %d: logits of a rating of at most k where the terms sum to 0")
    :format(#categories, categories[1], categories[#categories]), likelihood.line(fitted) }
end

return ordinal
