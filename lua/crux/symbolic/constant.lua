--- Which expressions Lua takes for constants when it compiles them: a variable <const> of such a value is no upvalue.

local arithmetic = {}
for sign in ("+ - * / // % ^ & | ~ << >>"):gmatch "%S+" do
  arithmetic[sign] = load(("local a, b = ... return a %s b"):format(sign))
end
local divides = { ["/"] = true, ["//"] = true, ["%"] = true }

local constant

--- True and the value of arithmetic on constants. Lua leaves 0.0, NaN and errors to be computed when the function runs.
local function computed(sign, a, b)
  if type(a) ~= "number" or type(b) ~= "number" or divides[sign] and b == 0 then return false end
  local ok, result = pcall(arithmetic[sign], a, b)
  return ok and result == result and not (math.type(result) == "float" and result == 0), result
end

--- True and the value of an expression that is a constant, else false.
---@param e table   node of parser.lua
---@return boolean
---@return any
function constant(e)
  local kind, sign = e.kind, e.sign
  if kind == "value" then return true, e.value end
  if kind == "group" then return constant(e[1]) end
  if not (kind == "unary" and sign ~= "#" or kind == "and" or kind == "or" or arithmetic[sign]) then return false end
  local is_known, a = constant(e[1])
  if not is_known then return false end
  if sign == "not" then return true, not a end
  if kind == "unary" then return computed(sign, sign == "-" and 0 or -1, a) end -- ~a is -1 ~ a
  if sign == "and" and not a or sign == "or" and a then return false end
  if sign == "and" or sign == "or" then return constant(e[2]) end
  local is_also, b = constant(e[2])
  if not is_also then return false end
  return computed(sign, a, b)
end

return constant
