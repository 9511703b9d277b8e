--- JSON: a value that is made of the bytes reads back from the text that crux.json writes, by the strict reader of the tests.
package.path = "tests/support/?.lua;tests/?.lua;" .. package.path
local json = require "crux.base.json"
local reader = require "json_reader"

--- A text in which each byte that is not UTF-8 is U+FFFD, byte by byte.
local function valid(text)
  local pieces, at = {}, 1
  while at <= #text do
    local size = 0
    for n = 4, 1, -1 do
      if size == 0 and at + n - 1 <= #text and utf8.len(text:sub(at, at + n - 1)) == 1 then size = n end
    end
    table.insert(pieces, size > 0 and text:sub(at, at + size - 1) or "\u{FFFD}")
    at = at + math.max(1, size)
  end
  return table.concat(pieces)
end

--- Takes a value off the bytes: what crux.json gets, and what the reader should find.
local function value_of(bytes, depth)
  local function take(n)
    local taken = bytes.text:sub(bytes.at, bytes.at + n - 1)
    bytes.at = bytes.at + n
    return taken
  end
  local kind = (take(1):byte() or 0) % 8
  if kind == 0 then return json.null, reader.null end
  if kind == 1 then return true, true end
  if kind == 2 then return false, false end
  if kind == 3 then
    local packed = take(8)
    local number = ("<d"):unpack(packed .. ("\0"):rep(8 - #packed))
    if number - number ~= 0 then return number, reader.null end
    return number, number
  end
  if kind == 4 then
    local packed = take(8)
    local number = ("<i8"):unpack(packed .. ("\0"):rep(8 - #packed))
    return number, number
  end
  if kind == 5 or depth > 40 then
    local text = take(take(1):byte() or 0)
    return text, valid(text)
  end
  local made, expected = {}, {}
  for i = 1, (take(1):byte() or 0) % 8 do
    local item, wanted = value_of(bytes, depth + 1)
    if kind == 6 then
      made[i], expected[i] = item, wanted
    else
      local key = i .. take(3)
      made[i], expected[valid(key)] = { key, item }, wanted
    end
  end
  if kind == 7 then json.object(made) end
  return made, expected
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" or a == reader.null then return a == b end
  for key, value in pairs(a) do
    if key ~= reader.keys and not same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

return function(text)
  local value, expected = value_of({ text = text, at = 1 }, 0)
  local encoded = json.encode(value)
  assert(same(reader.decode(encoded), expected), encoded)
  assert(not encoded:find "[\0-\9\11-\31\127]", encoded)
end
