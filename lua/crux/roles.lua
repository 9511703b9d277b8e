--- Which columns of a dataset are targets, and which are measures.
local roles = {}

local targets = { difficulty = true, scaled = true, time = true, moves_used = true, enjoyment = true }
local others = { level = true, solved = true, skipped = true, player = true }

function roles.is_target(column) return targets[column] == true end

--- Whether a column is a measure if it holds numbers.
function roles.may_be_measure(column) return not targets[column] and not others[column] end

return roles
