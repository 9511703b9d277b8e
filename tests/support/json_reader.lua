--- Reads JSON strictly (RFC 8259) by recursive descent, so that the tests notice text that only looks like it.
local json = {}

--- Stands for null.
json.null = setmetatable({}, { __tostring = function() return "null" end })

--- The key under which an object has the list of its keys, in order.
json.keys = setmetatable({}, { __tostring = function() return "keys" end })

local words = { ["true"] = true, ["false"] = false, ["null"] = json.null }
local escapes = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function char(text, at) return text:sub(at, at) end

local function among(set, c) return c ~= "" and set:find(c, 1, true) ~= nil end

local function fail(text, at, expected)
  error(("JSON, byte %d: found '%s', expected %s"):format(at, text:sub(at, at + 15), expected), 0)
end

--- The place behind the characters of a set; with `least`, at least one of them.
local function past(set, text, at, least)
  if least and not among(set, char(text, at)) then fail(text, at, "one of " .. set) end
  while among(set, char(text, at)) do at = at + 1 end
  return at
end

local function blank(text, at) return past(" \t\r\n", text, at) end

local function token(text, at, wanted)
  if text:sub(at, at + #wanted - 1) ~= wanted then fail(text, at, wanted) end
  return at + #wanted
end

local function read_number(text, start)
  local digits, at = "0123456789", start
  if char(text, at) == "-" then at = at + 1 end
  at = char(text, at) == "0" and at + 1 or past(digits, text, at, true)
  if char(text, at) == "." then at = past(digits, text, at + 1, true) end
  if among("eE", char(text, at)) then
    at = at + (among("+-", char(text, at + 1)) and 2 or 1)
    at = past(digits, text, at, true)
  end
  return tonumber(text:sub(start, at - 1)), at
end

local function read_string(text, at)
  at = token(text, at, '"')
  local parts = {}
  while char(text, at) ~= '"' do
    local c = char(text, at)
    if c < " " then fail(text, at, "a character of a string") end
    if c == "\\" and char(text, at + 1) == "u" then
      if past("0123456789abcdefABCDEF", text, at + 2, true) < at + 6 then fail(text, at, "four digits") end
      c, at = utf8.char(tonumber(text:sub(at + 2, at + 5), 16)), at + 5
    elseif c == "\\" then
      c, at = escapes[char(text, at + 1)] or fail(text, at, "an escape"), at + 1
    end
    table.insert(parts, c)
    at = at + 1
  end
  return table.concat(parts), at + 1
end

--- What stands between brackets; `read_item` reads one item and returns the place behind it.
local function read_items(text, at, close, read_item)
  at = blank(text, at + 1)
  if char(text, at) == close then return at + 1 end
  while true do
    at = blank(text, read_item(at))
    if char(text, at) == close then return at + 1 end
    at = blank(text, token(text, at, ","))
  end
end

local read_value

local function read_array(text, start)
  local list = {}
  return list, read_items(text, start, "]", function(at)
    local value, past_value = read_value(text, at)
    table.insert(list, value)
    return past_value
  end)
end

local function read_object(text, start)
  local object = { [json.keys] = {} }
  return object, read_items(text, start, "}", function(at)
    local key, past_key = read_string(text, at)
    if object[key] ~= nil then fail(text, at, "a key that is new") end
    local value, past_value = read_value(text, blank(text, token(text, blank(text, past_key), ":")))
    object[key] = value
    table.insert(object[json.keys], key)
    return past_value
  end)
end

function read_value(text, at)
  local c = char(text, at)
  if c == "{" then return read_object(text, at) end
  if c == "[" then return read_array(text, at) end
  if c == '"' then return read_string(text, at) end
  for word, value in pairs(words) do
    if text:sub(at, at + #word - 1) == word then return value, at + #word end
  end
  return read_number(text, at)
end

--- The value of a whole text; an error says where it is not JSON.
function json.decode(text)
  if not utf8.len(text) then error("JSON: not UTF-8", 0) end
  local value, at = read_value(text, blank(text, 1))
  if blank(text, at) <= #text then fail(text, at, "the end") end
  return value
end

return json
