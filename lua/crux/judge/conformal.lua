--- Conformal prediction intervals: how far off fits were on levels that they had not seen.
local crossval = require "crux.judge.crossval"
local fault = require "crux.base.fault"

local conformal = {}

local most_errors = 200 -- that a rule keeps

--- Some of sorted numbers whose ranks, of one more, are the same shares, rounded up.
local function thinned(sorted)
  local n, list = #sorted, {}
  local count = math.min(n, most_errors)
  for i = 1, count do list[i] = sorted[count == n and i or math.ceil(i * (n + 1) / (count + 1))] end
  return list
end

--- What a rule keeps: the errors of levels, each predicted by a fit to the other folds (cross-conformal prediction: V. Vovk,
--- Annals of Mathematics and Artificial Intelligence 74, 2015, here with one size of errors for all levels).
---@param method Method
---@param problem Problem   its frames are Kept
---@param seed integer
---@return Intervals
function conformal.intervals(method, problem, seed)
  local frame = problem.frames
  local assigned = crossval.folds(frame.rows, math.min(10, frame.rows), seed, problem.where)
  local evaluation = crossval.evaluate(problem.formula, frame, assigned, { method = method, tolerance = problem.tolerance,
    where = problem.where, scale = problem.scale, unconverged = problem.unconverged, details = true, alone = true })
  local sorted = evaluation.sizes:sorted()
  if sorted:first_nonfinite() then fault.at(problem.where, "errors too large for intervals", "others") end
  return { errors = thinned(sorted) }
end

return conformal
