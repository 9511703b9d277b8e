--- Reads XML that crux writes, and raises what is not well-formed: a strict subset, written apart from crux's own writer.
local luaunit = require "luaunit"

local entities = { amp = "&", lt = "<", gt = ">", quot = '"', ["#39"] = "'" }

local function decode(text)
  assert(utf8.len(text), "no UTF-8")
  assert(not text:find "[\0-\8\11\12\14-\31<]", "a character that XML has not: " .. text)
  return (text:gsub("&([^;]*);?", function(name) return assert(entities[name], "a raw &: " .. text) end))
end

local function attributes_of(text)
  local list, rest = {}, text
  while rest ~= "" do
    local before = rest
    rest = rest:gsub('^%s+([%w:-]+)="([^"<]*)"', function(name, value)
      assert(not list[name], "an attribute twice")
      list[name] = decode(value)
      return ""
    end)
    luaunit.assertNotEquals(rest, before, "attributes: " .. text)
  end
  return list
end

---@class XmlElement   its children are its items
---@field name string
---@field attributes table<string, string>
---@field text string   of its own, without that of its children

--- The root element of a text.
return function(text)
  local root, open, place = nil, {}, text:match '^<%?xml version="1%.0" encoding="UTF%-8"%?>()' or 1
  while place <= #text do
    local first, last, closing, name, attributes, empty = text:find("<(/?)([%w:-]+)([^<>]-)(/?)>", place)
    local between = decode(text:sub(place, (first or #text + 1) - 1))
    if open[1] then open[#open].text = open[#open].text .. between else assert(not between:find "%S", "text outside") end
    if not first then break end
    place = last + 1
    if closing == "/" then
      luaunit.assertEquals(table.remove(open).name, name)
    else
      local element = { name = name, attributes = attributes_of(attributes), text = "" }
      if open[1] then table.insert(open[#open], element) else assert(not root, "two roots") end
      root = root or element
      if empty == "" then table.insert(open, element) end
    end
  end
  luaunit.assertEquals(#open, 0)
  return assert(root, "no element")
end
