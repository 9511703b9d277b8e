--- Which columns of a dataset are targets, and which are measures.
local column_kinds = {}

local targets = { difficulty = true, scaled = true, time = true, moves_used = true, enjoyment = true }
local others = { level = true, solved = true, skipped = true, player = true }

function column_kinds.is_target(column) return targets[column] == true end

--- Whether a column is a measure if it holds numbers.
function column_kinds.may_be_measure(column) return not targets[column] and not others[column] end

--- The measures where none are named: all columns of numbers that are neither the target nor the weights, nor known to be
--- something else. Those whose names hold a backtick are left out: no formula can name them.
---@param data Dataset
---@param target string?
---@param weights string?
---@return string[]
function column_kinds.measures(data, target, weights)
  local candidates = {}
  for _, column in ipairs(data.columns) do
    local is_other = column == target or column == weights or column:find "`"
    if column_kinds.may_be_measure(column) and not is_other then table.insert(candidates, column) end
  end
  return data:numeric(candidates)
end

return column_kinds
