--- JSON text from Lua values, with keys in a chosen order and numbers that read back exactly.
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plain = require "crux.base.plain"

local json = {}

--- Encoded as null, like NaN and infinities.
json.null = setmetatable({}, { __name = "json.null" })

local Object = {}

--- An object with its keys in the order given: json.object { { "n", 40 }, { "target", "difficulty" } }. A pair without a
--- value becomes null.
function json.object(pairs_in_order) return setmetatable(pairs_in_order, Object) end

--- An object of values by name, in the order of `names`, sorted unless given.
---@param values table<string, any>
---@param names string[]?
function json.by_name(values, names)
  local fields = lists.map(names or lists.keys(values), function(name) return { name, values[name] } end)
  return json.object(fields)
end

--- Rows as a list of objects, with the columns as keys.
function json.objects(columns, rows)
  local list = {}
  for i, row in ipairs(rows) do
    local fields = lists.map(columns, function(column) return { column.label or column.key, row[column.key] } end)
    list[i] = json.object(fields)
  end
  return list
end

--- Plain Lua as a value of json.encode: empty tables and those with a first item are lists, others objects of values by name.
---@param depth integer?   of tables within tables; 6 unless given
function json.of(value, depth)
  depth = depth or 6
  if type(value) ~= "table" then return value end
  if depth == 0 then error("tables within tables within tables", 0) end
  local function of(item) return json.of(item, depth - 1) end
  if value[1] ~= nil or next(value) == nil then return lists.map(value, of) end
  local names = lists.keys(value)
  return json.object(lists.map(names, function(name) return { tostring(name), of(value[name]) } end))
end

--- A value of json.encode as plain Lua: objects are tables by name, null is nil.
function json.plain(value)
  if type(value) ~= "table" then return type(value) ~= "userdata" and value or nil end
  if value == json.null then return nil end
  local copy, is_object = {}, getmetatable(value) == Object
  for i, item in ipairs(value) do
    if is_object then copy[item[1]] = json.plain(item[2]) else copy[i] = json.plain(item) end
  end
  return copy
end

local short = { [8] = "\\b", [9] = "\\t", [10] = "\\n", [12] = "\\f", [13] = "\\r" }

--- The escape of a character that plain.lua hides; U+FFFD for bytes that are not UTF-8.
local function escape(code) return not code and "\239\191\189" or short[code] or ("\\u%04x"):format(code) end

local function quote(text) return '"' .. plain.replace(text:gsub('["\\]', "\\%0"), escape) .. '"' end

--- The text of a value: nil, boolean, number, string, json.null, a list, or a json.object.
---@param indent string?   of the lines of this value
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
