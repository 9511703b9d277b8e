--- Groups of rows, by their names.
local text_column = require "libcrux.texts"

local grouping = {}

--- Numbers the groups of rows in the order of their first rows.
---@param names string[]|userdata   the group of each row
---@return userdata                 the number of each row's group
---@return userdata                 the groups, a column of texts
function grouping.number(names)
  local known = text_column.names()
  local numbers = known:numbers(type(names) == "table" and text_column.of(names) or names)
  return numbers, known:texts()
end

return grouping
