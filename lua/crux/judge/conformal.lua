--- Conformal prediction intervals, from the errors of fits on levels that they have not seen.
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"
local vector = require "libcrux.vector"

local conformal = {}

local max_errors = 200 -- of a rule script

--- At most max_errors of n sorted numbers, at evenly spaced ranks of n + 1, rounded up.
local function thinned(sorted)
  local n, list = #sorted, {}
  local count = math.min(n, max_errors)
  for i = 1, count do list[i] = sorted[count == n and i or math.ceil(i * (n + 1) / (count + 1))] end
  return list
end

--- The errors of levels that a rule keeps for its intervals, each predicted by a fit to the other folds (cross-conformal
--- prediction: V. Vovk, Annals of Mathematics and Artificial Intelligence 74, 2015, with one interval width for all levels).
---@param problem Problem   its frames are a StoredFrame
---@return Intervals
---@return integer          number of rows with a value of a factor that the other folds lack, predicted by the mean
function conformal.intervals(method, problem, seed)
  local frame = problem.frames
  local assigned = crossval.folds(frame.rows, math.min(10, frame.rows), seed, problem.where)
  local evaluation = crossval.evaluate(problem.formula, frame, assigned, { method = method, tolerance = problem.tolerance,
    where = problem.where, scale = problem.scale, unconverged = problem.unconverged, alone = true, predictions = true })
  local sizes = vector.abs(frame.target - evaluation.predictions)
  if sizes:first_nonfinite() then fault.at(problem.where, "errors too large for intervals", "others") end
  return { errors = thinned(sizes:sorted()) }, select(2, crossval.gaps(evaluation))
end

return conformal
