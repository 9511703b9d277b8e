--- XML as text: elements, and texts escaped for them.
local lists = require "crux.base.lists"

local xml = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
local unknown = "\239\191\189" -- U+FFFD

--- A text in one line, with U+FFFD for bytes that are no UTF-8 and for characters that XML does not have.
function xml.clean(text)
  if not utf8.len(text) then text = text:gsub("[\128-\255]", unknown) end
  return (text:gsub("\239\191[\190\191]", unknown):gsub("[\t\n\r]", " "):gsub("%c", unknown))
end

--- A clean text escaped for an element or attribute.
function xml.escape(text)
  if not text:find "[^%w %-.#]" then return text end -- most are such words, and there are many in a picture
  return (xml.clean(text):gsub("[&<>\"']", entities))
end

--- A number with at most two decimals.
function xml.number(x)
  if x % 1 == 0 then return ("%.0f"):format(x + 0.0) end
  local text = ("%.2f"):format(x):gsub("%.?0+$", "")
  return text == "-0" and "0" or text
end

local function value_of(value) return type(value) == "number" and xml.number(value) or xml.escape(value) end

--- An element.
---@param attributes table<string, number|string>   written in the order of their names
---@param ... string   content: elements, escaped text
function xml.element(name, attributes, ...)
  local words = { "<" .. name }
  for _, attribute in ipairs(lists.keys(attributes)) do
    table.insert(words, (' %s="%s"'):format(attribute, value_of(attributes[attribute])))
  end
  local content = table.concat { ... }
  table.insert(words, content == "" and "/>" or (">%s</%s>"):format(content, name))
  return table.concat(words)
end

return xml
