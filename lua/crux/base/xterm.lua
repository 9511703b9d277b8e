--- The colours of terminals: those with names, and the 256 of xterm.
local xterm = {}

--- The colours with names, as xterm has them. Black and white are left out: one of them is the ground.
local named = {
  red = "#CD0000", green = "#00CD00", yellow = "#CDCD00", blue = "#0000EE", magenta = "#CD00CD", cyan = "#00CDCD",
  ["bright red"] = "#FF0000", ["bright green"] = "#00FF00", ["bright yellow"] = "#FFFF00", ["bright blue"] = "#5C5CFF",
  ["bright magenta"] = "#FF00FF", ["bright cyan"] = "#00FFFF",
}

--- Returns red, green and blue from 0 to 255 of a colour "#RGB" or "#RRGGBB".
local function components(colour)
  local digits = #colour == 4 and colour:gsub("%x", "%0%0") or colour
  local red, green, blue = digits:match "^#(%x%x)(%x%x)(%x%x)"
  return tonumber(red, 16), tonumber(green, 16), tonumber(blue, 16)
end

--- Returns the square of the distance of two colours.
local function distance(colour, r, g, b)
  local red, green, blue = components(colour)
  return (red - r) ^ 2 + (green - g) ^ 2 + (blue - b) ^ 2
end

--- Returns the name of the nearest colour; nil for greys.
---@param colour string   "#RGB" or "#RRGGBB"
---@return string?
function xterm.name(colour)
  local red, green, blue = components(colour)
  if math.max(red, green, blue) - math.min(red, green, blue) < 32 then return nil end
  local best, least
  for name, other in pairs(named) do
    local far = distance(colour, components(other))
    if not best or far < least or far == least and name < best then best, least = name, far end
  end
  return best
end

local steps <const> = { [0] = 0, 95, 135, 175, 215, 255 } -- of red, green and blue of the colours 16 to 231

--- The number of the nearest of the steps.
local function nearest_step(value)
  local best = 0
  for i = 1, 5 do
    if math.abs(steps[i] - value) < math.abs(steps[best] - value) then best = i end
  end
  return best
end

--- The numbers of colours that were looked for.
local numbers = setmetatable({}, { __index = function(found, colour)
  local red, green, blue = components(colour)
  local r, g, b = nearest_step(red), nearest_step(green), nearest_step(blue)
  local grey = math.min(23, math.max(0, ((red + green + blue) / 3 - 3) // 10 | 0)) -- of the 24 from 232 on: 8, 18 ... 238
  local level = 8 + 10 * grey
  local is_grey = distance(colour, level, level, level) < distance(colour, steps[r], steps[g], steps[b])
  found[colour] = is_grey and 232 + grey or 16 + 36 * r + 6 * g + b
  return found[colour]
end })

--- Returns the number of the nearest of the 256 colours, without the first 16, which differ between terminals.
---@param colour string   "#RGB" or "#RRGGBB"
function xterm.number(colour) return numbers[colour] end

return xterm
