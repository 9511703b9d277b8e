--- A worker's trials of an order, for crux.run.jobs.
local trials = require "crux.order.trials"

---@param setup TrialSetup
---@return fun(trial: Trial): TrialResult
return function(setup) return trials.new(setup) end
