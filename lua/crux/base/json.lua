--- JSON text from Lua values, with keys in a chosen order and numbers that read back exactly.
local number = require "crux.base.number"
local plain = require "crux.base.plain"

local json = {}

--- Stands for null; so do NaN and infinities.
json.null = setmetatable({}, { __name = "json.null" })

local Object = {}

--- An object with its keys in the order given: json.object { { "n", 40 }, { "target", "difficulty" } }. A pair without a
--- value becomes null.
function json.object(pairs_in_order) return setmetatable(pairs_in_order, Object) end

--- An object of values by name, in the order of the names; of their bytes unless it is given.
---@param values table<string, any>
---@param names string[]?
function json.by_name(values, names)
  local fields = {}
  for _, name in ipairs(names or {}) do table.insert(fields, { name, values[name] }) end
  if not names then
    for name, value in pairs(values) do table.insert(fields, { name, value }) end
    table.sort(fields, function(a, b) return a[1] < b[1] end)
  end
  return json.object(fields)
end

local short = { [8] = "\\b", [9] = "\\t", [10] = "\\n", [12] = "\\f", [13] = "\\r" }

--- What stands for a character that does not show as it is; bytes that are not UTF-8 become U+FFFD.
local function escape(code) return not code and "\239\191\189" or short[code] or ("\\u%04x"):format(code) end

local function quote(text) return '"' .. plain.replace(text:gsub('["\\]', "\\%0"), escape) .. '"' end

--- The text of a value: nil, boolean, number, string, json.null, a list, or a json.object.
---@param indent string?   what stands before the lines of this value
function json.encode(value, indent)
  indent = indent or ""
  local kind = type(value)
  if kind == "string" then return quote(value) end
  if number.is_finite(value) then return number.exact(value) end
  if kind == "boolean" then return tostring(value) end
  if kind ~= "table" or value == json.null then return "null" end
  local is_object = getmetatable(value) == Object
  local inner, items, flat = indent .. "  ", {}, true
  for i, item in ipairs(value) do
    local content = item
    if is_object then content = item[2] end
    flat = flat and (type(content) ~= "table" or content == json.null)
    items[i] = (is_object and quote(item[1]) .. ": " or "") .. json.encode(content, inner)
  end
  local open, close = "[", "]"
  if is_object then open, close = "{", "}" end
  if flat then return open .. table.concat(items, ", ") .. close end
  return ("%s\n%s%s\n%s%s"):format(open, inner, table.concat(items, ",\n" .. inner), indent, close)
end

return json
