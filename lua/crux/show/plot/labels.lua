--- Places names beside their points, inside the bounds, without overlaps, and over as few other points as possible.
local labels = {}

---@class Box   left, top, right, bottom
---@field [1] number
---@field [2] number
---@field [3] number
---@field [4] number

local function overlap(a, b) return a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4] end

--- The sides for a name, best first: right, left, above, below, and the corners.
local sides = { { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, -1 }, { -1, -1 }, { 1, 1 }, { -1, 1 } }

local function box_at(point, size, side, gap)
  local x = point[1] + side[1] * (gap[1] + size[1] / 2)
  local y = point[2] + side[2] * (gap[2] + size[2] / 2)
  return { x - size[1] / 2, y - size[2] / 2, x + size[1] / 2, y + size[2] / 2 }
end

--- A box for each name; none for a name without a free place.
---@param names { [1]: number, [2]: number, width: number }[]   points and widths of the names; the first ones are placed first
---@param options { height: number, gap: { [1]: number, [2]: number }, bounds: Box, points: { [1]: number, [2]: number }[] }
---  `gap` is between point and name; few of the `points` should be hidden
---@return table<integer, Box>
function labels.place(names, options)
  local placed, taken, obstacles, bounds, gap = {}, {}, {}, options.bounds, options.gap
  for i, point in ipairs(options.points) do
    obstacles[i] = { point[1] - gap[1] / 2, point[2] - gap[2] / 2, point[1] + gap[1] / 2, point[2] + gap[2] / 2 }
  end
  for i, name in ipairs(names) do
    local least
    for rank, side in ipairs(sides) do
      local box = box_at(name, { name.width, options.height }, side, gap)
      local free = box[1] >= bounds[1] and box[2] >= bounds[2] and box[3] <= bounds[3] and box[4] <= bounds[4]
      for _, other in ipairs(taken) do free = free and not overlap(box, other) end
      local hidden = rank / 10
      for _, obstacle in ipairs(free and obstacles or {}) do hidden = hidden + (overlap(box, obstacle) and 1 or 0) end
      if free and (not least or hidden < least) then
        placed[i], least = box, hidden
      end
    end
    table.insert(taken, placed[i])
  end
  return placed
end

local along = 40 -- points that represent a straight line
local point_limit = 10000 -- of a mark; of more points only every second, third ... is considered

--- The places of the points and lines of a figure that names should not hide.
---@param place fun(x: number, y: number): { [1]: number, [2]: number }
function labels.obstacles(marks, place)
  local points = {}
  for _, mark in ipairs(marks) do
    if mark.kind == "points" then
      for i = 1, #mark.x, #mark.x // point_limit + 1 do table.insert(points, place(mark.x[i], mark.y[i])) end
    end
    for i = 2, mark.kind == "line" and #mark.x or 0 do
      local steps = #mark.x == 2 and along or 1
      for k = 0, steps do
        local share = k / steps
        table.insert(points, place(mark.x[i - 1] + share * (mark.x[i] - mark.x[i - 1]),
          mark.y[i - 1] + share * (mark.y[i] - mark.y[i - 1])))
      end
    end
  end
  return points
end

return labels
