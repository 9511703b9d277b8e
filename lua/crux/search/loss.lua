--- The second result of a step, which tells whether a move loses: true, false or nothing, or a table of conditions by name.
local lists = require "crux.base.lists"

local loss = {}

--- All conditions in one.
---@param lost any      the second result of a step
---@return any          the same unless it is a table; else true if a condition is, or a wrong value among the conditions
function loss.any(lost)
  if type(lost) ~= "table" then return lost end
  local found = false
  for _, condition in pairs(lost) do
    if type(condition) ~= "boolean" then return condition end
    found = found or condition
  end
  return found
end

--- Why a move loses: the first name, in order of names, whose condition is true; true if there are no names.
---@return boolean|string
function loss.cause(lost)
  if type(lost) ~= "table" then return lost == true end
  for _, name in ipairs(lists.keys(lost)) do
    if lost[name] == true then return name end
  end
  return false
end

return loss
