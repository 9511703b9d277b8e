--- Calibration: brings the ratings of a rule that is not refitted onto the scale of the target, by a fit of the target to them.
local Method = require "crux.fit.method"
local fits = require "crux.fit.fits"
local formula = require "crux.formula.formula"
local lists = require "crux.base.lists"
local vector = require "libcrux.vector"

local calibration = {}

--- Least squares by a function of the rating that never falls: neighbours in the wrong order are pooled into their mean
--- (Barlow, Bartholomew, Bremner and Brunk 1972). Between pools it is linear, beyond them constant, as in scikit-learn.
local monotone = {}

--- The ranges of ratings of one value, in order: first, last, value, weight.
local function pooled(ratings, targets, weights)
  local pools = {}
  local rows = lists.order(#ratings, function(i) return -targets[i] end) -- so that equal ratings get one value
  for _, row in ipairs(lists.sort(rows, function(i) return ratings[i] end)) do
    local pool = { first = ratings[row], last = ratings[row], value = targets[row], weight = weights and weights[row] or 1 }
    local below = pools[#pools]
    while below and below.value >= pool.value do
      local weight = below.weight + pool.weight
      pool = { first = below.first, last = pool.last, weight = weight,
        value = below.value + (pool.value - below.value) * pool.weight / weight }
      pools[#pools] = nil
      below = pools[#pools]
    end
    table.insert(pools, pool)
  end
  return pools
end

---@return Fitted
function monotone.fit(problem)
  local frames = problem.frames
  return { formula = problem.formula, coefficients = { rating = 1 },
    parameters = pooled(frames.columns[2], frames.response, frames.weights) }
end

function monotone.predict(ratings, model)
  local pools, values = model.parameters, {}
  for row = 1, #ratings do
    local rating, low, high = ratings[row], 0, #pools -- low: the last pool that begins at or below the rating
    while low < high do
      local middle = (low + high + 1) // 2
      if pools[middle].first <= rating then low = middle else high = middle - 1 end
    end
    local below, above = pools[math.max(low, 1)], pools[low + 1]
    local share = low > 0 and above and math.max(0, (rating - below.last) / (above.first - below.last)) or 0
    values[row] = below.value + share * ((above or below).value - below.value)
  end
  return vector.of(values)
end

--- The ways to calibrate, each with its method of fitting.
calibration.kinds = {
  line = { doc = "a line", method = fits.default() },
  monotone = { doc = "a monotone function",
    method = setmetatable({ fit = monotone, options = {}, text = "monotone" }, Method) },
}

--- The words of --calibrate.
calibration.names = { "line", "monotone", "none" }

local by_rating = formula.parse "~ rating"

--- Tells whether a rule that is not refitted needs calibration: it was not made for the target, or its scale goes the other way
--- or leaves out some of the targets.
---@param frame StoredFrame
function calibration.is_needed(rule, frame)
  local ends = rule.scale or { -math.huge, math.huge }
  local least, greatest = frame.target:range()
  return rule.is_retargeted or rule:is_opposed()
    or not (math.min(table.unpack(ends)) <= least and greatest <= math.max(table.unpack(ends)))
end

--- Returns the calibration of the rules that are not refitted: the wanted one, or else a line if one of them needs it.
---@param frames StoredFrame[]   of the rules
---@param wanted string?         of calibration.names
---@return string?               nil for not at all
function calibration.kind(rules, frames, wanted)
  if wanted then return calibration.kinds[wanted] and wanted end
  for i, rule in ipairs(rules) do
    if not frames[i].formula and calibration.is_needed(rule, frames[i]) then return "line" end
  end
end

--- The sign of the slope from the ratings of a rule to its target.
function calibration.sign(rule) return rule:is_opposed() and -1 or 1 end

--- A sentence about the calibration of a rule.
function calibration.sentence(kind, rule, evaluation)
  local sign, against, count = calibration.sign(rule), 0, 0
  for _, fold in ipairs(evaluation.folds) do
    local slope = fold.coefficients and fold.coefficients.rating or 0
    count = count + 1
    if kind == "line" and sign * slope < 0 then against = against + 1 end
  end
  return ("%s is calibrated by %s in each fold; the %s its rating, the harder the level%s."):format(rule.name,
    calibration.kinds[kind].doc, rule.falls and "smaller" or "greater",
    against > 0 and (", but the line says the opposite in %d of %d folds"):format(against, count) or "")
end

--- The formula, frame and method that crossval.evaluate takes for a rule: its own where it is refitted; for calibration those
--- of a fit of the targets to its ratings. A line may rise or fall; a monotone function goes the way of the scale and target.
---@param kind string?        of calibration.kinds; nil for no calibration
---@param frame StoredFrame   with a formula, which is refitted, or with ratings
---@return Formula?, StoredFrame, Method?
function calibration.problem(kind, rule, frame)
  if frame.formula or not kind then return frame.formula or nil, frame, rule.method end
  local sign = kind == "monotone" and calibration.sign(rule) or 1
  return by_rating, frame:with(function(part) return { vector.fill(part.rows, 1), part.ratings * sign }, part.target end),
    calibration.kinds[kind].method
end

return calibration
