--- Natural order of names: numbers inside them count as numbers, so that level 2 comes before level 10.
local natural = {}

--- Runs of digits and of anything else.
local function parts(name)
  local list = {}
  for text, digits in name:gmatch "(%D*)(%d*)" do
    if text ~= "" then table.insert(list, text) end
    if digits ~= "" then table.insert(list, math.tointeger(digits) or tonumber(digits)) end
  end
  return list
end

local function less(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a[i], b[i]
    if type(x) ~= type(y) then return type(x) == "number" end
    if x ~= y then return x < y end
  end
  return #a < #b
end

function natural.sort(names)
  local keys = {}
  for _, name in ipairs(names) do keys[name] = parts(name) end
  table.sort(names, function(a, b)
    if less(keys[a], keys[b]) then return true end
    if less(keys[b], keys[a]) then return false end
    return a < b
  end)
end

return natural
