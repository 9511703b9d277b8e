--- Several pictures of levels in rows and columns of one picture, each below its name.
local canvas = require "crux.show.canvas"
local number = require "crux.base.number"
local svg = require "crux.show.svg"

local columns = 4 -- at most
local width, gap, caption = 240, 16, 24 -- units
local letters = 14

--- A name cut to the width of a picture.
local function cut(name)
  name = svg.clean(name)
  while svg.width(name, letters) > width and #name > 0 do name = name:sub(1, utf8.offset(name, -1) - 1) end
  return name
end

local function part(picture, content, x, y, height)
  return svg.element("svg", { role = "img", ["aria-label"] = ("%s: %s"):format(picture.title, picture.description),
    viewBox = ("0 0 %s %s"):format(svg.number(picture.width), svg.number(picture.height)), x = x, y = y, width = width,
    height = height, class = picture.class, preserveAspectRatio = "xMidYMin" },
    svg.element("title", {}, svg.escape(picture.title)), content)
end

--- One picture of all pictures, or the only one.
---@param pictures LevelPicture[]
return function(title, pictures)
  if #pictures == 1 then
    return svg.picture(setmetatable({ style = canvas.style }, { __index = pictures[1].picture }), pictures[1].content)
  end
  local parts, y = {}, gap
  for first = 1, #pictures, columns do
    local tallest = 0
    for i = first, math.min(first + columns - 1, #pictures) do
      local picture, x = pictures[i].picture, gap + (i - first) * (width + gap)
      local height = width * picture.height / picture.width
      table.insert(parts, svg.text(cut(picture.title), { x = x, y = y + letters, class = "text", ["font-size"] = letters }))
      table.insert(parts, part(picture, pictures[i].content, x, y + caption, height))
      tallest = math.max(tallest, height)
    end
    y = y + caption + tallest + gap
  end
  return svg.picture({ width = gap + math.min(columns, #pictures) * (width + gap), height = math.max(y, 1), title = title,
    description = ("Pictures of %s."):format(number.count(#pictures, "level")), class = "crux-sheet",
    style = canvas.style }, table.concat(parts, "\n"))
end
