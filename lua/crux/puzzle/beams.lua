--- Beams and blocks for game scripts: libcrux.beams, arrangements, and how a problem is solved, drawn and played.
---
--- A level is a problem as libcrux.beams takes it.
local arrangements = require "crux.puzzle.arrangements"
local fault = require "crux.base.fault"
local primitive = require "libcrux.beams"

local beams = {}

for name, value in pairs(primitive) do beams[name] = value end
for name, value in pairs(arrangements) do beams[name] = value end

--- The first placement: its tiles, in one line of `text`, and their `trace`.
---@param options SolveOptions
---@return Solution
function beams.solve(level, options)
  local limits = { count = options.count, nodes = options.states, seconds = options.seconds }
  local solution = fault.check(primitive.place(level, limits))
  if solution.status == "unknown" then
    solution.limit = solution.generated == options.states and "states" or "seconds"
  end
  if solution.tiles then
    solution.trace = fault.check(primitive.trace(level, solution.tiles))
    solution.text = solution.tiles:gsub(("."):rep(level.width), "%0 "):sub(1, -2)
  end
  return solution
end

--- A problem with these tiles, half tiles as characters: tiles are A, B, C, '.' (usable) and ' '; beams \ / X; lasers *;
--- targets o, and @ when hit.
function beams.draw(level, tiles)
  local picture, trace = {}, fault.check(primitive.trace(level, tiles))
  local function put(x, y, character) picture[y] = picture[y] or {}; picture[y][x] = character end
  local cell = 0
  for tile in tiles:gmatch "%S" do
    put(cell % level.width * 2 + 1, cell // level.width * 2 + 1, tile == "o" and "." or tile == "x" and " " or tile)
    cell = cell + 1
  end
  for _, point in ipairs(trace.points) do put(point.x, point.y, point.mark) end
  for i, target in ipairs(level.targets) do put(target[1], target[2], trace.hit[i] and "@" or "o") end
  for _, laser in ipairs(level.emitters) do put(laser[1], laser[2], "*") end
  local lines = {}
  for y = 0, 2 * level.height do
    for x = 0, 2 * level.width do put(x, y, (picture[y] or {})[x] or " ") end
    lines[#lines + 1] = table.concat(picture[y], " ", 0, 2 * level.width):gsub(" +$", "")
  end
  return table.concat(lines, "\n") .. "\n"
end

local function with_tile(tiles, tile, kind) return tiles:sub(1, tile) .. kind .. tiles:sub(tile + 2) end

--- The level's own tiles, without white space.
local function own_tiles(level) return (level.tiles:gsub("%s", "")) end

--- How many blocks of a kind are left in hand.
local function left(position, kind, level)
  local _, placed = position.tiles:gsub(kind, "")
  local _, fixed = level.tiles:gsub(kind, "")
  return (level.blocks[kind] or 0) + fixed - placed
end

local directions = { up = { 0, -1 }, left = { -1, 0 }, down = { 0, 1 }, right = { 1, 0 } }

--- A position: the tiles, and the cursor's tile, by column and row from 0.
beams.play = {
  keys = { { "up left down right", "move the cursor" }, { "a b c", "place a block A, B or C, or take it up again" } },
  start = function(level) return { x = 0, y = 0, tiles = own_tiles(level) } end,
  step = function(position, key, level)
    local x, y, tile, kind = position.x, position.y, position.y * level.width + position.x, key:upper()
    if directions[key] then
      x, y = x + directions[key][1], y + directions[key][2]
      if x < 0 or y < 0 or x >= level.width or y >= level.height then return nil end
      return { x = x, y = y, tiles = position.tiles }, false
    end
    local placed = position.tiles:sub(tile + 1, tile + 1)
    if own_tiles(level):sub(tile + 1, tile + 1) ~= "o" then return nil end
    if placed ~= kind and left(position, kind, level) == 0 then return nil end
    return { x = x, y = y, tiles = with_tile(position.tiles, tile, placed == kind and "o" or kind) }
  end,
  done = function(position, level)
    for _, kind in ipairs { "A", "B", "C" } do
      if left(position, kind, level) > 0 then return false end
    end
    return primitive.trace(level, position.tiles).solved
  end,
  draw = function(position, level)
    local hand = {}
    for _, kind in ipairs { "A", "B", "C" } do
      if level.blocks[kind] then table.insert(hand, ("%s %d"):format(kind, left(position, kind, level))) end
    end
    return beams.draw(level, position.tiles) .. "\nin hand: " .. table.concat(hand, ", ")
  end,
  cursor = function(position) return 4 * position.x + 3, 2 * position.y + 2 end,
  -- Takes up the first block that is wrong, else places the first that is missing.
  hint = function(position, _, solution)
    for _, wrong in ipairs { true, false } do
      for tile = 0, #position.tiles - 1 do
        local placed, wanted = position.tiles:sub(tile + 1, tile + 1), solution.tiles:sub(tile + 1, tile + 1)
        if placed ~= wanted and (placed ~= "o") == wrong then
          return { x = position.x, y = position.y, tiles = with_tile(position.tiles, tile, wrong and "o" or wanted) }
        end
      end
    end
  end,
}

return beams
