--- Arrangements of tiles, blocks and emitters, for generators of levels that are solved by placing blocks: at random, with
--- small changes, and with targets.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.beams.
local beams = require "libcrux.beams"
local board = require "libcrux.board"
local fault = require "crux.base.fault"

local arrangements = {}

local sides = { -1, 1 }

--- An emitter whose beam enters one of the tiles.
local function emitter(tiles, random)
  local column, row = tiles:pick(random)
  local x, y, side, along = 2 * column - 1, 2 * row - 1, random:pick(sides), random:pick(sides)
  if random:chance(0.5) then return { x + side, y, -side, along } end
  return { x, y + side, along, -side }
end

--- `count` of the cells at random.
local function some(cells, count, random)
  local chosen = cells - cells
  for _ = 1, count do chosen = chosen:with((cells - chosen):pick(random)) end
  return chosen
end

--- The cells with one of them replaced by a free one; unchanged if there is none to replace or no free one.
local function one_moved(cells, free, random)
  local x, y = cells:pick(random)
  return x and #free > 0 and cells:without(x, y):with(free:pick(random)) or cells
end

--- The arrangement if its usable tiles reach all four edges.
local function checked(usable, blocks, emitters)
  local width, height = usable:size()
  local left, top, right, bottom = usable:bounds()
  if right - left + 1 < width or bottom - top + 1 < height then return nil end
  return { usable = usable, blocks = blocks, emitters = emitters }
end

function arrangements.random(width, height, count, random)
  for _, limit in ipairs { { "columns", width, 1, 32 }, { "rows", height, 1, 32 },
    { "usable tiles", count.usable, 1, width * height }, { "blocks", count.blocks, 0, count.usable },
    { "emitters", count.emitters, 1, 2 * width * height + width + height } } do
    local name, found, low, high = table.unpack(limit)
    if found < low or found > high then return nil, ("found %d %s, expected %d to %d"):format(found, name, low, high) end
  end
  local usable, emitters = some(~board.new(width, height), count.usable, random), {}
  for i = 1, count.emitters do emitters[i] = emitter(usable, random) end
  return checked(usable, some(usable, count.blocks, random), emitters)
end

--- An arrangement that differs in the place of a block, an unusable tile or an emitter.
function arrangements.vary(arrangement, random)
  local usable, blocks, emitters = arrangement.usable, arrangement.blocks, { table.unpack(arrangement.emitters) }
  local detail = random:integer(1, 3)
  if detail == 1 then
    blocks = one_moved(blocks, usable - blocks, random)
  elseif detail == 2 then
    usable = blocks | one_moved(usable - blocks, ~usable, random)
  else
    emitters[random:integer(1, #emitters)] = emitter(usable, random)
  end
  return checked(usable, blocks, emitters)
end

--- Adds targets to a problem one by one, at points that beams of the solution pass: each at the point that the fewest of the
--- placements that hit all earlier targets hit, too. Targets and emitters are at different points.
function arrangements.set_targets(problem, tiles, count, random, limits)
  local trace, taken, solutions = fault.check(beams.trace(problem, tiles)), {}, nil
  local function number_of(x, y) return y * (2 * problem.width + 1) + x + 1 end
  for _, from in ipairs(problem.emitters) do
    local number = number_of(from[1], from[2])
    if taken[number] then return nil end
    taken[number] = true
  end
  problem.targets = {}
  for i = 1, count do
    local passes, fewest, best = beams.passes(problem, limits), math.huge, {}
    for _, point in ipairs(passes and trace.points or {}) do
      local number = number_of(point.x, point.y)
      if not taken[number] and passes[number] <= fewest then
        if passes[number] < fewest then fewest, best = passes[number], {} end
        table.insert(best, point)
      end
    end
    if #best == 0 then return nil end
    local point = random:pick(best)
    taken[number_of(point.x, point.y)], problem.targets[i], solutions = true, { point.x, point.y }, fewest
  end
  return solutions and { status = "solved", tiles = tiles, trace = trace, solutions = solutions }
end

return arrangements
