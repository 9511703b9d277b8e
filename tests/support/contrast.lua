--- The contrast of two colours, "#RRGGBB" (WCAG 2.1, contrast ratio and relative luminance): from 1 to 21.
local light = require("colour").light

local function luminance(colour)
  local shares = light(colour)
  return 0.2126 * shares[1] + 0.7152 * shares[2] + 0.0722 * shares[3]
end

return function(one, other)
  local a, b = luminance(one), luminance(other)
  return (math.max(a, b) + 0.05) / (math.min(a, b) + 0.05)
end
