--- Learning curves: how far predictions of levels that a fit has not seen are off, by the number of levels that it has.
local accuracy = require "crux.stats.accuracy"
local comparison = require "crux.judge.comparison"
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local fits = require "crux.fit.fits"
local number = require "crux.base.number"
local random = require "libcrux.random"
local vector = require "libcrux.vector"

local learning = {}

local points = 8 -- of a curve

---@class LearningPoint
---@field n integer           levels that a fit has seen
---@field mae number          mean absolute error, weighted by the case weights where there are some
---@field std_error number?   over all folds: comparison.error
---@field baseline number     the same error of the mean of these levels

--- The numbers of rows to fit to: from a few more than there are terms to all outside of a fold, the largest.
local function sizes_of(terms, most, where)
  local least, sizes = terms + 2, {}
  if most < least then
    fault.at(where, ("%d complete rows outside of a fold"):format(most), ("at least %d, two more than terms"):format(least))
  end
  for i = 1, points do
    local size = math.floor(least + (most - least) * (i - 1) / (points - 1) + 0.5)
    if size ~= sizes[#sizes] then table.insert(sizes, size) end
  end
  return sizes
end

--- The rows outside of a fold in random order.
local function shuffled(assigned, fold, seed, stream)
  local others, rows = assigned:others(fold), {}
  for i = 1, #others do rows[i] = others[i] end
  return random.new(seed, stream):shuffle(rows)
end

--- The mean absolute error of a fit to some rows in others, and what that counts.
local function error_of(method, problem, frame, rows, test)
  local fitted = method:solve(setmetatable({ frames = frame:select(rows) }, { __index = problem }))
  local part = frame:select(test)
  local found = accuracy.of_predictions(fits.predict(fitted, part.columns, part.rows, part.offset), part.target, part.weights)
  return frame.weights and found.weighted_mae or found.mae, frame.weights and part.weights:sum() or part.rows
end

--- The point of one size: fits to so many of the rows outside of each fold, in the order given.
---@param orders { order: integer[], test: userdata }[]
local function point_of(problem, method, frame, size, orders)
  local mean, means = crossval.baseline(frame)
  local average = setmetatable({ formula = mean }, { __index = problem })
  local point, errors, folds, whole = { n = size, mae = 0, baseline = 0 }, {}, {}, 0
  for i, one in ipairs(orders) do
    local rows = vector.of(table.move(one.order, 1, size, 1, {}))
    local found, weight = error_of(method, problem, frame, rows, one.test)
    errors[i], folds[i], whole = found, { n_train = size, n_test = #one.test }, whole + weight
    point.mae = point.mae + weight * found
    point.baseline = point.baseline + weight * error_of(fits.default(), average, means, rows, one.test)
  end
  point.mae, point.baseline = point.mae / whole, point.baseline / whole
  if not number.is_finite(point.mae) then fault.at(problem.where, "numbers too large to fit", "others") end
  local std_error = comparison.error(errors, folds)
  point.std_error = number.is_finite(std_error) and std_error or nil
  return point
end

--- The curve of a fit. Sizes at which it fails, for want of rows, have no point.
---@param problem Problem       with formula and where
---@param method Method
---@param frame Kept
---@param assignments userdata[]   of crossval.assignments: each fold is predicted by fits to the others
---@param seed integer          decides which of the others come first
---@return LearningPoint[]
function learning.curve(problem, method, frame, assignments, seed)
  local orders, most = {}, frame.rows
  for _, assigned in ipairs(assignments) do
    for fold = 1, assigned:count() do
      local order = shuffled(assigned, fold, seed, #orders)
      most = math.min(most, #order)
      table.insert(orders, { order = order, test = assigned:rows(fold) })
    end
  end
  local curve, failure = {}, nil
  for _, size in ipairs(sizes_of(#problem.formula.terms, most, problem.where)) do
    local ok, found = pcall(point_of, problem, method, frame, size, orders)
    if ok then
      table.insert(curve, found)
    elseif fault.is(found) then
      failure = found
    else
      error(found, 0)
    end
  end
  if #curve == 0 then error(failure, 0) end
  return curve
end

return learning
