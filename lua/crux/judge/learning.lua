--- Learning curves: the error on levels that a fit has not seen, by the number of levels that it has seen.
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
---@field n integer           number of levels that a fit has seen
---@field mae number          mean absolute error, weighted by the case weights where there are some
---@field std_error number?   over all folds: comparison.error
---@field baseline number     error of the mean of these levels

--- Sizes of training sets, evenly spaced: from two rows more than terms to all rows outside of the largest fold.
local function sizes_of(terms, rows, where)
  local least, sizes = terms + 2, {}
  if rows < least then
    fault.at(where, ("%d complete rows outside of a fold"):format(rows), ("at least %d, two more than terms"):format(least))
  end
  for i = 1, points do
    local size = math.floor(least + (rows - least) * (i - 1) / (points - 1) + 0.5)
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

--- The mean absolute error in test rows of a fit to other rows, and the weight of the test rows.
local function error_of(method, problem, frame, rows, test)
  local fitted = method:solve_rows(setmetatable({ frames = frame }, { __index = problem }), rows)
  local part = frame:select(test)
  local found = accuracy.of_predictions((method:predict_rows(fitted, part)), part.target, part.weights)
  return frame.weights and found.weighted_mae or found.mae, frame.weights and part.weights:sum() or part.rows
end

--- The point of one size: fits to the first rows of each order, tested on the fold.
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
  point.std_error = comparison.error(errors, folds)
  return point
end

--- The curve of a fit. Sizes at which the fit fails have no point.
---@param problem Problem       with formula and where
---@param frame StoredFrame
---@param assignments userdata[]   of crossval.assignments: each fold is predicted by fits to the others
---@param seed integer          of the order of the rows outside of a fold
function learning.curve(problem, method, frame, assignments, seed)
  local orders, rows = {}, frame.rows
  for _, assigned in ipairs(assignments) do
    for fold = 1, assigned:count() do
      local order = shuffled(assigned, fold, seed, #orders)
      rows = math.min(rows, #order)
      table.insert(orders, { order = order, test = assigned:rows(fold) })
    end
  end
  local curve, failure = {}, nil
  for _, size in ipairs(sizes_of(#problem.formula.terms, rows, problem.where)) do
    local ok, found = fault.catch(point_of, problem, method, frame, size, orders)
    if ok then table.insert(curve, found) else failure = found end
  end
  if #curve == 0 then error(failure, 0) end
  return curve
end

return learning
