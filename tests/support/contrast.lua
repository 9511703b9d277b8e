--- The contrast of two colours, "#RRGGBB" (WCAG 2.1, contrast ratio and relative luminance): from 1 to 21.

local function luminance(colour)
  local sum = 0
  for place, weight in pairs { [2] = 0.2126, [4] = 0.7152, [6] = 0.0722 } do
    local share = tonumber(colour:sub(place, place + 1), 16) / 255
    sum = sum + weight * (share <= 0.04045 and share / 12.92 or ((share + 0.055) / 1.055) ^ 2.4)
  end
  return sum
end

return function(one, other)
  local a, b = luminance(one), luminance(other)
  return (math.max(a, b) + 0.05) / (math.min(a, b) + 0.05)
end
