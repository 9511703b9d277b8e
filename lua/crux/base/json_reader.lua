--- Reading JSON: the value of a text, or a fault with the line and the column of what is wrong.
local fault = require "crux.base.fault"

local json_reader = {}

local most_depth <const> = 100 -- of lists and objects within each other

---@class JsonReader
---@field text string
---@field path string    in messages
---@field places table?
local Reader = {}
Reader.__index = Reader

--- Raises the fault of what is at a byte of the text.
function Reader:refuse(at, expected)
  local before = self.text:sub(1, at - 1)
  local _, lines = before:gsub("\n", "")
  local word = self.text:match("^[^%s,:{}%[%]]+", at) or self.text:sub(at, at)
  local found = at > #self.text and "the end of the file" or fault.show(word, 40)
  fault.at(("%s:%d: column %d"):format(self.path, lines + 1, at - (before:match ".*\n()" or 1) + 1), found, expected)
end

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }

--- The text of a string's inside, with escapes.
local function unescaped(inside)
  inside = inside:gsub("\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)", function(high, low)
    return utf8.char(0x10000 + ((tonumber(high, 16) & 0x3FF) << 10 | tonumber(low, 16) & 0x3FF))
  end)
  return (inside:gsub("\\(.)(%x?%x?%x?%x?)", function(kind, digits)
    if kind == "u" then return #digits == 4 and utf8.char(tonumber(digits, 16)) or nil end
    return escapes[kind] and escapes[kind] .. digits
  end))
end

function Reader:string(at)
  local stop = at + 1
  while true do
    local quote = self.text:find('["\\]', stop) or self:refuse(#self.text + 1, "the end of a text")
    if self.text:byte(quote) == 34 then
      local inside = self.text:sub(at + 1, quote - 1)
      return inside:find("\\", 1, true) and unescaped(inside) or inside, quote + 1
    end
    stop = quote + 2
  end
end

--- The place of the next byte that is no blank.
function Reader:skip(at) return self.text:find("[^ \t\r\n]", at) or #self.text + 1 end

function Reader:object(at, depth)
  local object, place, is_begun = {}, { at }, false
  at = self:skip(at + 1)
  while self.text:byte(at) ~= 125 do
    if is_begun then
      if self.text:byte(at) ~= 44 then self:refuse(at, "',' or '}'") end
      at = self:skip(at + 1)
    end
    if self.text:byte(at) ~= 34 then self:refuse(at, "a name in quotes") end
    local key, value, first
    key, at = self:string(at)
    at = self:skip(at)
    if self.text:byte(at) ~= 58 then self:refuse(at, "':'") end
    first = self:skip(at + 1)
    value, at = self:value(first, depth)
    object[key], place[key], is_begun = value, { first, at - 1 }, true
    at = self:skip(at)
  end
  place[2] = at
  if self.places then self.places[object] = place end
  return object, at + 1
end

--- A list of whole numbers without signs, as those of tiles are; nil for others.
local function whole_numbers(text, at)
  local behind = text:match("^%[[%d%s,]*%d%s*%]()", at)
  local list = behind and "return {" .. text:sub(at + 1, behind - 2) .. "}"
  local read = list and load(list, "=numbers", "t", {}) -- takes half of the time of gmatch
  return read and read(), behind
end

function Reader:list(at, depth)
  local list, behind = whole_numbers(self.text, at)
  if list then return list, behind end
  list = {}
  at = self:skip(at + 1)
  while self.text:byte(at) ~= 93 do
    if #list > 0 then
      if self.text:byte(at) ~= 44 then self:refuse(at, "',' or ']'") end
      at = self:skip(at + 1)
    end
    local value
    value, at = self:value(at, depth)
    if value == nil then value = false end -- no holes
    table.insert(list, value)
    at = self:skip(at)
  end
  return list, at + 1
end

local words = { ["true"] = true, ["false"] = false }

function Reader:value(at, depth)
  local first = self.text:sub(at, at)
  if first == '"' then return self:string(at) end
  if (first == "{" or first == "[") and depth == most_depth then
    self:refuse(at, ("at most %d lists and objects within each other"):format(most_depth))
  end
  if first == "{" then return self:object(at, depth + 1) end
  if first == "[" then return self:list(at, depth + 1) end
  local word, behind = self.text:match("^([%w.+-]+)()", at)
  if word == "null" or words[word] ~= nil then return words[word], behind end
  local is_number = word and word:find "^-?%d+%.?%d*[eE]?[+-]?%d*$"
  return is_number and tonumber(word) or self:refuse(at, "a value of JSON"), behind
end

--- The value of a text of JSON: objects are tables by name, null is nil, in lists false.
---@param path string      in messages
---@param places table?    gets of each object { its first, last byte, NAME = { first, last byte of the value } }
function json_reader.read(text, path, places)
  local self = setmetatable({ text = text, path = path, places = places }, Reader)
  local value, at = self:value(self:skip(1), 0)
  at = self:skip(at)
  if at <= #text then self:refuse(at, "the end of the file") end
  return value
end

return json_reader
