--- Forms as browsers send them: application/x-www-form-urlencoded.
local forms = {}

local function decoded(text)
  return (text:gsub("%+", " "):gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

---@return table<string, string>
function forms.read(text)
  local fields = {}
  for name, value in text:gmatch "([^&=]+)=([^&]*)" do fields[decoded(name)] = decoded(value) end
  return fields
end

return forms
