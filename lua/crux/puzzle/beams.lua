--- Beams and blocks for game scripts: libcrux.beams, arrangements, and functions that solve, draw and play a level, which is a
--- problem of libcrux.beams.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.beams.
local arrangements = require "crux.puzzle.arrangements"
local fault = require "crux.base.fault"
local lines = require "crux.puzzle.lines"
local listing = require "crux.puzzle.listing"
local lists = require "crux.base.lists"
local primitive = require "libcrux.beams"

local beams = lists.merge(primitive, arrangements)

--- The kinds of blocks: A reflects, B absorbs, C passes and reflects, D refracts.
beams.kinds = { "A", "B", "C", "D" }

--- The first placement: its tiles, also in one line as `text`, and their `trace`.
function beams.solve(level, options)
  local limits = { count = options.count, nodes = options.states, seconds = options.seconds }
  local solution = fault.check(primitive.place(level, limits))
  if solution.limit == "nodes" then solution.limit = "states" end
  if solution.tiles then
    solution.trace = fault.check(primitive.trace(level, solution.tiles))
    solution.text = solution.tiles:gsub(("."):rep(level.width), "%0 "):sub(1, -2)
  end
  return solution
end

--- The problem with the first tile 'o' decided: a block of a kind, or 'x' for none.
local function decided(problem, kind)
  local blocks = lists.merge(problem.blocks)
  if kind ~= "x" then blocks[kind] = blocks[kind] - 1 end
  return lists.merge(problem, { tiles = problem.tiles:gsub("o", kind, 1), blocks = blocks })
end

--- All placements of a level, each with its `tiles` and `trace`; nil if there are too many, or a limit is met.
function beams.list(level, options)
  local limits, tiles = { nodes = options.states, seconds = options.seconds }, level.tiles:gsub("%s", "")
  local nodes = listing.run(lists.merge(level, { tiles = tiles }), function(problem)
    return fault.check(primitive.place(problem, limits)).status
  end, function(problem)
    local kinds = {}
    for kind, count in pairs(problem.blocks or {}) do
      if count > 0 then table.insert(kinds, kind) end
    end
    if #kinds == 0 then return nil end
    if not problem.tiles:find "o" then return {} end
    table.insert(kinds, "x")
    return lists.map(kinds, function(kind) return decided(problem, kind) end)
  end)
  return nodes and lists.map(nodes, function(problem)
    local placed = problem.tiles:gsub("()x", function(i) return tiles:sub(i, i) end)
    return { tiles = placed, trace = fault.check(primitive.trace(level, placed)) }
  end)
end

--- Draws a problem with some tiles, a character for each half tile: tiles A to D, '.' (usable) and ' '; beams \ / X; lasers *;
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
  local rows = {}
  for y = 0, 2 * level.height do
    for x = 0, 2 * level.width do put(x, y, (picture[y] or {})[x] or " ") end
    rows[y + 1] = table.concat(picture[y], " ", 0, 2 * level.width):gsub(" +$", "")
  end
  return table.concat(rows, "\n") .. "\n"
end

local function with_tile(tiles, tile, kind) return tiles:sub(1, tile) .. kind .. tiles:sub(tile + 2) end

--- The tiles of a level without white space.
local function tiles_of(level) return (level.tiles:gsub("%s", "")) end

--- The number of blocks of a kind that are not yet placed on tiles.
function beams.left(level, tiles, kind)
  local _, placed = tiles:gsub(kind, "")
  local _, fixed = level.tiles:gsub(kind, "")
  return (level.blocks[kind] or 0) + fixed - placed
end

--- Rules of play. A position has the tiles, and the column and row of the cursor's tile, from 0.
beams.play = {
  keys = { { "up left down right", "move the cursor" }, { "a b c d", "place a block A, B, C or D, or take it up again" } },
  start = function(level) return { x = 0, y = 0, tiles = tiles_of(level) } end,
  step = function(position, key, level)
    local x, y, tile, kind = position.x, position.y, position.y * level.width + position.x, key:upper()
    if lines.steps[key] then
      x, y = x + lines.steps[key][1], y + lines.steps[key][2]
      if x < 0 or y < 0 or x >= level.width or y >= level.height then return nil end
      return { x = x, y = y, tiles = position.tiles }, false
    end
    local placed = position.tiles:sub(tile + 1, tile + 1)
    if tiles_of(level):sub(tile + 1, tile + 1) ~= "o" then return nil end
    if placed ~= kind and beams.left(level, position.tiles, kind) == 0 then return nil end
    return { x = x, y = y, tiles = with_tile(position.tiles, tile, placed == kind and "o" or kind) }
  end,
  done = function(position, level)
    for _, kind in ipairs(beams.kinds) do
      if beams.left(level, position.tiles, kind) > 0 then return false end
    end
    return primitive.trace(level, position.tiles).solved
  end,
  draw = function(position, level)
    local hand = {}
    for _, kind in ipairs(beams.kinds) do
      if level.blocks[kind] then table.insert(hand, ("%s %d"):format(kind, beams.left(level, position.tiles, kind))) end
    end
    return beams.draw(level, position.tiles) .. "\nin hand: " .. table.concat(hand, ", ")
  end,
  cursor = function(position) return 4 * position.x + 3, 2 * position.y + 2 end,
  square = function(position) return position.x + 1, position.y + 1 end,
  -- Takes up the first wrong block, else places the first missing one.
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
