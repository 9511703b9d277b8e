--- Which columns of a dataset are targets, and which are measures.
local roles = {}

local targets = { difficulty = true, scaled = true, time = true, moves_used = true, enjoyment = true }
local others = { level = true, solved = true, skipped = true, player = true }

function roles.is_target(column) return targets[column] == true end

--- Whether a column is a measure if it holds numbers.
function roles.may_be_measure(column) return not targets[column] and not others[column] end

--- Those of the columns that hold nothing but numbers. Takes a pass over the dataset.
---@param data Dataset
---@param columns string[]
---@return string[]
function roles.numeric(data, columns)
  local textual, numeric = {}, {}
  for block in data:blocks { guesses = columns } do
    for _, column in ipairs(columns) do textual[column] = textual[column] or not block.numbers[column] end
  end
  for _, column in ipairs(columns) do
    if not textual[column] then table.insert(numeric, column) end
  end
  return numeric
end

return roles
