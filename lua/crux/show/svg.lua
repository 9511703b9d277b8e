--- Scalable vector graphics as text: elements, what users wrote in them, and pictures for light and dark pages and for
--- screen readers (W3C, SVG 2). No scripts, no style attributes: a page's Content-Security-Policy may forbid both.
local svg = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
local unknown = "\239\191\189" -- U+FFFD

--- A text in one line, in which what is no UTF-8, or no character of XML, is U+FFFD.
---@param text string
function svg.clean(text)
  if not utf8.len(text) then text = text:gsub("[\128-\255]", unknown) end
  return (text:gsub("\239\191[\190\191]", unknown):gsub("[\t\n\r]", " "):gsub("%c", unknown))
end

--- A text as it may stand in an element or attribute, clean.
---@param text string
function svg.escape(text) return (svg.clean(text):gsub("[&<>\"']", entities)) end

--- A number with at most two decimals, a hundredth of a pixel.
---@param x number
function svg.number(x)
  local text = ("%.2f"):format(x):gsub("%.?0+$", "")
  return text == "-0" and "0" or text
end

local function value_of(value) return type(value) == "number" and svg.number(value) or svg.escape(value) end

--- An element.
---@param name string
---@param attributes table<string, number|string>   written in the order of their names
---@param ... string   its content: elements, escaped text
---@return string
function svg.element(name, attributes, ...)
  local names, words = {}, { "<" .. name }
  for attribute in pairs(attributes) do table.insert(names, attribute) end
  table.sort(names)
  for _, attribute in ipairs(names) do
    table.insert(words, (' %s="%s"'):format(attribute, value_of(attributes[attribute])))
  end
  local content = table.concat { ... }
  table.insert(words, content == "" and "/>" or (">%s</%s>"):format(content, name))
  return table.concat(words)
end

--- A line of text; its attributes are as those of an element.
function svg.text(text, attributes) return svg.element("text", attributes, svg.escape(text)) end

--- The data of a path through points.
---@param points { [1]: number, [2]: number }[]
function svg.path(points)
  local words = {}
  for i, point in ipairs(points) do
    words[i] = ("%s%s %s"):format(i == 1 and "M" or "L", svg.number(point[1]), svg.number(point[2]))
  end
  return table.concat(words)
end

--- Widths of characters of the usual sans-serif fonts, in shares of the size of the font.
local widths = {}
for width, characters in pairs {
  [0.37] = "iljtfrI.,:;'|!()[]/ -", [0.96] = "mwMW@%", [0.72] = "ABCDEFGHKLNOPQRSTUVXYZ&~+=<>",
} do
  for character in characters:gmatch "." do widths[character] = width end
end

--- About how wide a text is, rather too wide: fonts differ.
---@param text string
---@param size number   of the font
function svg.width(text, size)
  local sum = 0
  for character in text:gmatch(utf8.charpattern) do
    sum = sum + (widths[character] or #character > 2 and 1 or 0.63)
  end
  return sum * size
end

--- The colours of M. Okabe and K. Ito (Color Universal Design, 2008), which eyes of all kinds tell apart: on light ground, on
--- dark.
local colours = {
  { "#0072B2", "#56B4E9" }, { "#D55E00", "#E69F00" }, { "#009E73", "#00B886" }, { "#CC79A7", "#E0A0C4" },
  { "#9A6A00", "#F0E442" }, { "#3C8DBC", "#4C9BD0" },
}

--- How many colours there are: classes `fill-1` and `stroke-1` and so on.
svg.colours = #colours

--- The rules that differ between light and dark, which is the second colour.
local function rules(shade)
  local shades = { text = { "#1F2328", "#E6EDF3" }, muted = { "#57606A", "#A0AAB5" }, ground = { "#FFFFFF", "#14181D" },
    grid = { "#DDE2E7", "#2B323A" }, axis = { "#57606A", "#A0AAB5" } }
  local lines = {}
  local function add(class, property, colour)
    table.insert(lines, (".crux-picture .%s{%s:%s}"):format(class, property, colour[shade]))
  end
  for _, class in ipairs { "text", "muted", "ground" } do add(class, "fill", shades[class]) end
  for _, class in ipairs { "grid", "axis" } do add(class, "stroke", shades[class]) end
  for i, colour in ipairs(colours) do
    add("fill-" .. i, "fill", colour)
    add("stroke-" .. i, "stroke", colour)
  end
  return table.concat(lines, "\n")
end

--- The style sheet of pictures, for a page that shows several of them: classes `text`, `muted`, `ground`, `grid`, `axis`,
--- `fill-1`, `stroke-1` ...
svg.style = table.concat({
  ".crux-picture{display:block;width:100%;max-width:40rem;height:auto;font-family:system-ui,'DejaVu Sans',sans-serif;"
    .. "font-size:13px}",
  rules(1), "@media (prefers-color-scheme:dark){", rules(2), "}",
}, "\n")

---@class Picture
---@field width number
---@field height number
---@field title string
---@field description string   what it shows, in words
---@field id string?           begins the ids in it, which must differ from others of the page; "picture" unless given
---@field bare boolean?        without its style sheet: the page has it
---@field class string?        beside crux-picture
---@field style string?        beside svg.style

--- A picture as an element that is a file or part of a page.
---@param self Picture
---@param ... string   its content
---@return string
function svg.picture(self, ...)
  local id = self.id or "picture"
  local head = svg.element("title", { id = id .. "-title" }, svg.escape(self.title))
    .. svg.element("desc", { id = id .. "-description" }, svg.escape(self.description))
  if not self.bare then head = head .. "<style>\n" .. svg.style .. "\n" .. (self.style or "") .. "</style>" end
  local class = "crux-picture" .. (self.class and " " .. self.class or "")
  return svg.element("svg", { xmlns = "http://www.w3.org/2000/svg", class = class, role = "img",
    viewBox = ("0 0 %s %s"):format(svg.number(self.width), svg.number(self.height)),
    ["aria-labelledby"] = ("%s-title %s-description"):format(id, id) },
    head, "\n", svg.element("rect", { class = "ground", width = self.width, height = self.height }), "\n", ...) .. "\n"
end

return svg
