--- Colours "#RRGGBB" as people see them: red, green and blue light, and how far two colours are apart for those who see all colours,
--- and for those who lack one kind of cones.
local colour = {}

--- The shares of red, green and blue light, from 0 to 1 (sRGB).
function colour.light(text)
  local shares = {}
  for i = 1, 3 do
    local share = tonumber(text:sub(2 * i, 2 * i + 1), 16) / 255
    shares[i] = share <= 0.04045 and share / 12.92 or ((share + 0.055) / 1.055) ^ 2.4
  end
  return shares
end

local function times(matrix, values)
  local result = {}
  for i, row in ipairs(matrix) do result[i] = row[1] * values[1] + row[2] * values[2] + row[3] * values[3] end
  return result
end

--- What people see, as matrices of light. Source: G. Machado, M. Oliveira and L. Fernandes, A Physiologically-based Model for
--- Simulation of Color Vision Deficiency, IEEE TVCG 15 (2009), severity 1.0.
colour.visions = {
  all = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  protanopia = { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
  deuteranopia = { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
  tritanopia = { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
}

local to_xyz = { { 0.4124564, 0.3575761, 0.1804375 }, { 0.2126729, 0.7151522, 0.0721750 }, { 0.0193339, 0.1191920, 0.9503041 } }

--- The place of a colour in the space L*a*b* (CIE 1976, white D65).
local function place(text, vision)
  local seen = times(vision, colour.light(text))
  for i = 1, 3 do seen[i] = math.max(0, math.min(1, seen[i])) end
  local xyz, roots = times(to_xyz, seen), {}
  for i, white in ipairs { 0.95047, 1, 1.08883 } do
    local share = xyz[i] / white
    roots[i] = share > 0.008856 and share ^ (1 / 3) or 7.787 * share + 16 / 116
  end
  return { 116 * roots[2] - 16, 500 * (roots[1] - roots[2]), 200 * (roots[2] - roots[3]) }
end

--- How far two colours are apart for a vision; 2.3 is just seen (M. Mahy and others, Color Research and Application 19, 1994).
function colour.distance(one, other, vision)
  local a, b, sum = place(one, vision), place(other, vision), 0
  for i = 1, 3 do sum = sum + (a[i] - b[i]) ^ 2 end
  return sum ^ 0.5
end

return colour
