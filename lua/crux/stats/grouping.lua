--- Groups of rows, by their names.
local vector = require "libcrux.vector"

local grouping = {}

--- Numbers the groups of rows in the order of their first rows.
---@param names string[]   the group of each row
---@return userdata        the number of each row's group
---@return string[]        the groups
function grouping.number(names)
  local numbers, groups, rows = {}, {}, {}
  for row, name in ipairs(names) do
    if not numbers[name] then
      table.insert(groups, name)
      numbers[name] = #groups
    end
    rows[row] = numbers[name]
  end
  return vector.of(rows), groups
end

return grouping
