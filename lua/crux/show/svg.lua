--- Scalable vector graphics as text (W3C, SVG 2): elements, escaped text, and pictures for light and dark pages and for screen
--- readers. They have no scripts and no style attributes, which a page's Content-Security-Policy may forbid.
local xml = require "crux.base.xml"

local svg = { clean = xml.clean, escape = xml.escape, number = xml.number, element = xml.element }

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

--- An upper estimate of the width of a text; fonts differ.
---@param size number   of the font
function svg.width(text, size)
  local sum = 0
  for character in text:gmatch(utf8.charpattern) do
    sum = sum + (widths[character] or #character > 2 and 1 or 0.63)
  end
  return sum * size
end

--- The colours of M. Okabe and K. Ito (Color Universal Design, 2008), which colour-blind people can tell apart: on light
--- ground, on dark ground.
local colours = {
  { "#0072B2", "#56B4E9" }, { "#D55E00", "#E69F00" }, { "#009E73", "#00B886" }, { "#CC79A7", "#E0A0C4" },
  { "#9A6A00", "#F0E442" }, { "#3C8DBC", "#4C9BD0" },
}

--- The number of colours: classes `fill-1`, `stroke-1` and so on.
svg.colours = #colours

--- The rules of colours on light (1) or dark (2) ground.
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

--- The style sheet of pictures, which a page with several pictures has once: classes `text`, `muted`, `ground`, `grid`, `axis`,
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
---@field description string   for screen readers
---@field id string?           prefix of the ids in it, unique on the page; "picture" unless given
---@field bare boolean?        without the style sheet, which the page has
---@field class string?        beside crux-picture
---@field style string?        beside svg.style

--- A picture as an element, for a file or a page.
---@param ... string   content
function svg.picture(picture, ...)
  local id = picture.id or "picture"
  local head = svg.element("title", { id = id .. "-title" }, svg.escape(picture.title))
    .. svg.element("desc", { id = id .. "-description" }, svg.escape(picture.description))
  if not picture.bare then head = head .. "<style>\n" .. svg.style .. "\n" .. (picture.style or "") .. "</style>" end
  local class = "crux-picture" .. (picture.class and " " .. picture.class or "")
  return svg.element("svg", { xmlns = "http://www.w3.org/2000/svg", class = class, role = "img",
    viewBox = ("0 0 %s %s"):format(svg.number(picture.width), svg.number(picture.height)),
    ["aria-labelledby"] = ("%s-title %s-description"):format(id, id) },
    head, "\n", svg.element("rect", { class = "ground", width = picture.width, height = picture.height }), "\n", ...) .. "\n"
end

return svg
