-- Measures of a level of a platformer, which crux does not play.
local legend = crux.legend { { "." }, { "#", "ground" }, { "E", "enemies" }, { "^", "spikes" }, expected = "one of . # E ^" }

local game = crux.game "platformer"
game.doc = "Run and jump to the right. crux measures levels and does not play them."

-- The heights of the ground, by columns that have some; and the gaps, runs of columns without ground.
local function heights_of(ground)
  local width, height = ground:size()
  local heights, gaps, was_ground = {}, 0, true
  for x = 1, width do
    local top
    for y = height, 1, -1 do top = ground:has(x, y) and height + 1 - y or top end
    if top then table.insert(heights, { x, top }) end
    gaps, was_ground = gaps + (was_ground and not top and 1 or 0), top ~= nil
  end
  return heights, gaps
end

function game.parse(text)
  local planes = assert(legend:parse(text))
  local heights, gaps = heights_of(planes.ground)
  if #heights < 2 then crux.refuse(#heights .. " columns with ground", "at least two") end
  return { planes = planes, heights = heights, gaps = gaps }
end

function game.format(level) return legend:format(level.planes) end
function game.solve() return { status = "unknown", expanded = 0, generated = 0 } end

game.measure { "gaps", kind = "initial", doc = "runs of columns without ground", function(level) return level.gaps end }

game.measure { "linearity", kind = "initial", doc = "1 - mean distance of the ground from its least-squares line / rows",
  function(level)
    local n, mean_x, mean_y, across, square, distance = #level.heights, 0, 0, 0, 0, 0
    for _, point in ipairs(level.heights) do mean_x, mean_y = mean_x + point[1] / n, mean_y + point[2] / n end
    for _, point in ipairs(level.heights) do
      across, square = across + (point[1] - mean_x) * (point[2] - mean_y), square + (point[1] - mean_x) ^ 2
    end
    for _, point in ipairs(level.heights) do
      distance = distance + math.abs(point[2] - mean_y - across / square * (point[1] - mean_x))
    end
    return 1 - distance / n / select(2, level.planes.ground:size())
  end }

game.measure { "leniency", kind = "initial", doc = "minus the enemies, spikes and half the gaps, by columns", function(level)
  return 0 - (#level.planes.enemies + #level.planes.spikes + level.gaps / 2) / level.planes.ground:size()
end }

return game
