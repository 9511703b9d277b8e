--- The fields of study scripts, of their blocks, pages and questions: checks of what a script gives.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local fields = {}

---@class Field   a row: name, check of a value, what is expected, and the value unless one is given
---@field [1] string
---@field [2] fun(value: any): boolean
---@field [3] string
---@field [4] any

function fields.is_any_text(value) return type(value) == "string" end
function fields.is_text(value) return type(value) == "string" and value ~= "" end
function fields.is_flag(value) return type(value) == "boolean" end
function fields.is_number(value) return math.type(value) and value >= 0 and value < math.huge end
function fields.is_count(value) return math.type(value) == "integer" and value >= 1 end
function fields.is_table(value) return type(value) == "table" end
function fields.is_identifier(value) return fields.is_text(value) and #value <= 40 and value:find "^[%w_-]+$" ~= nil end

--- A check of lists: `is_right` of each item.
function fields.list_of(is_right)
  return function(value)
    if type(value) ~= "table" then return false end
    for key, item in pairs(value) do
      if math.type(key) ~= "integer" or key < 1 or key > #value or not is_right(item) then return false end
    end
    return true
  end
end

--- A check of tables by name: `is_right` of each value and its name.
function fields.named(is_right)
  return function(value)
    if type(value) ~= "table" then return false end
    for name, item in pairs(value) do
      if type(name) ~= "string" or not is_right(item, name) then return false end
    end
    return true
  end
end

--- A field with one of some words; none unless a default is given.
---@return Field
function fields.choice(name, words, default)
  return { name, function(value) return lists.contains(words, value) end, "one of " .. table.concat(words, ", "), default }
end

--- A new table of the checked fields, with the defaults of those that are not given. Raises a fault if one is wrong or unknown.
---@param given table
---@param known Field[]
---@param where string    begins messages
function fields.checked(given, known, where)
  local names, result = lists.field(known, 1), {}
  for name in pairs(given) do
    if not lists.contains(names, name) then fault.unknown(where, "field", tostring(name), names) end
  end
  for _, field in ipairs(known) do
    local name, is_right, expected, default = table.unpack(field)
    result[name] = given[name]
    if given[name] == nil then
      result[name] = default
    elseif not is_right(given[name]) then
      fault.at(("%s: field '%s'"):format(where, name), fault.show(given[name]), expected)
    end
  end
  return result
end

return fields
