--- Advice on cells of datasets that are no numbers.
local cell = {}

--- Words for a missing value.
local nothing = { ["n/a"] = true, ["na."] = true, none = true, null = true, missing = true, unknown = true }

--- Advice on writing a cell as a number; nil if none is known.
---@return string?
function cell.mend(text)
  local whole, decimals = text:match "^%s*([+-]?%d+),(%d+)%s*$"
  if whole and #decimals ~= 3 then return ("write %s.%s"):format(whole, decimals) end
  if whole then return ("write %s%s, or %s.%s"):format(whole, decimals, whole, decimals) end
  local value, unit = text:match "^%s*([+-]?[%d.]+)%s*(%a+%.?)%s*$"
  if not value then value, unit = text:match "^%s*([+-]?[%d.]+)%s*(%%)%s*$" end
  if value and unit:lower() ~= "e" and tonumber(value) then
    return ("write %s: the unit '%s' belongs into the column's name"):format(value, unit)
  end
  if text:find "^[%-?.]+$" or nothing[text:lower()] then return "write nothing, or NA, where a value is missing" end
end

--- The advice as the end of a message; without advice `otherwise`.
---@param otherwise string?
function cell.advice(text, otherwise)
  local how = cell.mend(text)
  return how and "; " .. how or otherwise or ""
end

return cell
