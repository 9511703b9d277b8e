--- crux.kits.beams: games in which blocks are placed so that the beams of lasers pass all targets, such as Lazors. A
--- declaration has `name`, `doc`, `measures`, and what crux.kits.declaration allows; all else follows.
---
--- A level is a problem as libcrux.beams takes it (`width`, `height`, `tiles`, `emitters`, `targets`, `blocks`), and has
--- `planes`, the boards of its tiles by kind. A solution has `tiles`, the blocks placed among them, and `trace`, its beams.
local beams = require "crux.puzzle.beams"
local images = require "crux.puzzle.beam_images"
local declaration = require "crux.kits.declaration"
local hand = require "crux.puzzle.hand"
local legend = require "libcrux.legend"
local lists = require "crux.base.lists"

local kit = {}

local squares = { separated = true, { "o", "o", told = "free" }, { "x", "x", told = "gap" }, { "A", "A", told = "reflects" },
  { "B", "B", told = "stops" }, { "C", "C", told = "passes, reflects" }, { "D", "D", told = "shifts" } }
local reader = legend.new(squares)

local MOST_BLOCKS <const> = 1024 -- of a kind, in hand

--- The lines after the grid: a word, then integers; and what is expected of them.
local expected = {
  A = "A and a number of blocks, at most 1024", B = "B and a number of blocks, at most 1024",
  C = "C and a number of blocks, at most 1024", D = "D and a number of blocks, at most 1024",
  L = "L x y vx vy: a laser on or beside the grid, in half tiles, x + y odd, and its direction, 1 or -1",
  P = "P x y: a target on or beside the grid, in half tiles, x + y odd",
}

local function entry(level, word, n, number)
  local function inside(x, y)
    return x >= 0 and y >= 0 and x <= 2 * level.width and y <= 2 * level.height and (x + y) % 2 == 1
  end
  if word == "L" and n == 4 and inside(number[1], number[2]) and number[3] ^ 2 == 1 and number[4] ^ 2 == 1 then
    table.insert(level.emitters, number)
  elseif word == "P" and n == 2 and inside(number[1], number[2]) then
    table.insert(level.targets, number)
  elseif #word == 1 and word:find "[ABCD]" and n == 1 and number[1] >= 0 and number[1] <= MOST_BLOCKS then
    level.blocks[word] = (level.blocks[word] or 0) + number[1]
  else
    return false
  end
  return true
end

local function parse(text, refuse)
  local grid, rest = text:match "^[^\n]*\n(.-\n)[ \t]*GRID STOP[ \t]*\n(.*)"
  if not grid then refuse("no GRID STOP", "one after the grid", 1, 1) end
  local planes, width, height = reader:parse(grid, 2)
  assert(planes, width)
  local level = { width = width, height = height, planes = planes, tiles = reader:format(planes), emitters = {}, targets = {},
    blocks = {} }
  local _, number = (text:sub(1, #text - #rest)):gsub("\n", "")
  for line in rest:gmatch "([^\n]*)\n" do
    number = number + 1
    local at, word = line:match "()(%S+)"
    if word then
      local numbers, words = {}, line:sub(at + #word)
      for item in words:gmatch "%S+" do numbers[#numbers + 1] = math.tointeger(tonumber(item)) or 1 / 0 end
      if not entry(level, word, #numbers, numbers) then
        refuse(("'%s'"):format(line:sub(at)), expected[word] or "A, B, C, D, L or P", at, number)
      end
    end
  end
  if #level.emitters == 0 then refuse("no laser", "a line L x y vx vy", 1, 1) end
  if #level.targets == 0 then refuse("no target", "a line P x y", 1, 1) end
  return level
end

local function format(level)
  local lines = { "GRID START", (reader:format(level.planes):gsub("\n$", "")), "GRID STOP" }
  for _, kind in ipairs(beams.kinds) do
    if level.blocks[kind] then table.insert(lines, kind .. " " .. level.blocks[kind]) end
  end
  for _, laser in ipairs(level.emitters) do table.insert(lines, "L " .. table.concat(laser, " ")) end
  for _, target in ipairs(level.targets) do table.insert(lines, "P " .. table.concat(target, " ")) end
  return table.concat(lines, "\n") .. "\n"
end

local patience = { nodes = 100000 } -- where counting the solutions takes more branches, the generator has failed

--- A generated level also has the arrangement that it was made from, and so its solution.
local function level_with(arrangement, receivers, random)
  local usable, blocks = arrangement.usable, arrangement.blocks
  local width, height = usable:size()
  local planes = { o = usable, x = ~usable }
  local level = { width = width, height = height, planes = planes, tiles = reader:format(planes), arrangement = arrangement,
    emitters = arrangement.emitters, blocks = { A = #blocks } }
  local solved = reader:format { o = usable - blocks, x = ~usable, A = blocks }
  level.solution = beams.set_targets(level, solved, receivers, random, patience)
  return level.solution and level
end

--- The arrangement of a level that was read, by its solution; nil if it has none, or blocks other than A.
---@return crux.Arrangement?
local function arrangement_of(level)
  local tiles = level.tiles:find "[ABCD]" == nil and not (level.blocks.B or level.blocks.C or level.blocks.D)
    and beams.solve(level, {}).tiles
  if not tiles then return nil end
  local planes = assert(reader:parse((tiles:gsub(".", "%0 "):gsub(("."):rep(2 * level.width), "%0\n"))))
  return { usable = level.planes.o, blocks = planes.A, emitters = level.emitters }
end

local function add_generator(game)
  game.options = {
    { "columns", { 3, 6 }, doc = "tiles in a row of the box around the usable tiles" },
    { "rows", { 3, 6 }, doc = "tiles in a column of that box" },
    { "usable_tiles", { 8, 30 }, doc = "tiles on which a block may be placed" },
    { "emitters", { 1, 2 }, doc = "lasers" },
    { "receivers", { 1, 5 }, doc = "targets" },
    { "mirrors", { 2, 7 }, doc = "blocks A in hand" },
  }

  function game.generate(random, options)
    local count = { usable = options.usable_tiles, blocks = options.mirrors, emitters = options.emitters }
    local arrangement, problem = beams.random(options.columns, options.rows, count, random)
    return arrangement and level_with(arrangement, options.receivers, random), problem
  end

  function game.vary(level, random)
    level.arrangement = level.arrangement or arrangement_of(level)
    local arrangement = level.arrangement and beams.vary(level.arrangement, random)
    return arrangement and level_with(arrangement, #level.targets, random)
  end
end

--- The middle of the side of a tile that is nearest to a place, in half tiles.
local function side_at(level, x, y)
  local column, row = math.floor(x + 0.5), math.floor(y + 0.5)
  column, row = math.max(1, math.min(level.width, column)), math.max(1, math.min(level.height, row))
  local right, down = x - column, y - row
  if math.abs(right) > math.abs(down) then return 2 * column - (right > 0 and 0 or 2), 2 * row - 1 end
  return 2 * column - 1, 2 * row - (down > 0 and 0 or 2)
end

--- A pen for what is at sides of tiles: it replaces what is at its place, and takes away what it would draw; one is left.
---@param list string   a field of the level
---@param ... integer   what a thing has behind its place
local function pen_at_sides(sign, doc, list, ...)
  local more = { ... }
  return { sign, doc = doc, function(level, x, y)
    local thing, is_same = { side_at(level, x, y) }, false
    table.move(more, 1, #more, 3, thing)
    local others = lists.select(level[list], function(other)
      local is_there = other[1] == thing[1] and other[2] == thing[2]
      is_same = is_same or is_there and other[3] == thing[3] and other[4] == thing[4]
      return not is_there
    end)
    if not is_same then table.insert(others, thing) end
    if others[1] then level[list] = others end
  end }
end

--- A pen that changes how many blocks of a kind are in hand.
local function pen_in_hand(sign, kind, change)
  local doc = ("one block %s %s in hand"):format(kind, change > 0 and "more" or "less")
  return { ("%s %s"):format(sign, kind), doc = doc, at_once = true, function(level)
    local count = (level.blocks[kind] or 0) + change
    level.blocks[kind] = count > 0 and math.min(count, MOST_BLOCKS) or nil
  end }
end

--- Turns the tiles, lasers and targets clockwise.
local function turn(level)
  local turned = images.turned(level)
  local rows = lists.map(turned.rows, function(row) return (row:gsub(".", "%0 ")) end)
  level.planes = assert(reader:parse(table.concat(rows, "\n") .. "\n"))
  level.emitters, level.targets = turned.lasers, turned.targets
end

local pens = {
  { "turn", doc = "the level turned clockwise", at_once = true, turn },
  pen_at_sides("laser ↖", "a laser to the upper left", "emitters", -1, -1),
  pen_at_sides("laser ↗", "a laser to the upper right", "emitters", 1, -1),
  pen_at_sides("laser ↘", "a laser to the lower right", "emitters", 1, 1),
  pen_at_sides("laser ↙", "a laser to the lower left", "emitters", -1, 1),
  pen_at_sides("target", "a target", "targets"),
}
for _, kind in ipairs(beams.kinds) do
  table.insert(pens, pen_in_hand("+", kind, 1))
  table.insert(pens, pen_in_hand("−", kind, -1))
end

local inks = { o = "floor", A = "cyan", B = "white", C = "bright cyan", D = "magenta" }

--- Beams from half tile to half tile: where both points are on the same diagonal and no block that stops it is between;
--- straight across a block that refracts, from side to side.
local function paint_beams(level, solution, line)
  local marks, kinds = {}, {}
  for kind in solution.tiles:gmatch "%S" do table.insert(kinds, kind) end
  for _, point in ipairs(solution.trace.points) do marks[point.y << 8 | point.x] = point.mark end
  local function passes(x, y, mark) return (marks[y << 8 | x] or ""):find("[X" .. mark .. "]") end
  local function segment(x, y, mark, left, right)
    local kind = kinds[y // 2 * level.width + x // 2 + 1]
    if passes(left, y, mark) and passes(right, y + 1, mark) and not kind:find "[ABD]" then line(left, y, right, y + 1) end
  end
  local function crossing(x, y, to_x, to_y)
    for mark in ("\\/"):gmatch "." do
      if passes(x, y, mark) and passes(to_x, to_y, mark) then line(x, y, to_x, to_y) end
    end
  end
  for i, kind in ipairs(kinds) do
    local x, y = 2 * ((i - 1) % level.width) + 1, 2 * ((i - 1) // level.width) + 1
    if kind == "D" then
      crossing(x - 1, y, x + 1, y)
      crossing(x, y - 1, x, y + 1)
    end
  end
  for y = 0, 2 * level.height - 1 do
    for x = 0, 2 * level.width - 1 do
      segment(x, y, "\\", x, x + 1)
      segment(x, y, "/", x + 1, x)
    end
  end
end

local edge = 0.3 -- tiles around the board, for lasers and targets

--- The blocks that can be moved: their kinds, and their places on the board or, in hand, below it.
---@return { name: string, kind: string, x: number, y: number }[]
local function movable(level, tiles)
  local list, hold = {}, {}
  for cell = 1, #tiles do
    local kind, x, y = tiles:sub(cell, cell), (cell - 1) % level.width + 1, (cell - 1) // level.width + 1
    if kind:find "[ABCD]" and level.planes.o:has(x, y) then
      table.insert(list, { name = "on" .. cell, kind = kind, x = x, y = y })
    end
  end
  for _, kind in ipairs(beams.kinds) do
    for _ = 1, beams.left(level, tiles, kind) do table.insert(hold, kind) end
  end
  for i, kind in ipairs(hold) do
    local x, y = (i - 1) % level.width + 1, level.height + 1 + edge + (i - 1) // level.width
    table.insert(list, { name = "in" .. i, kind = kind, x = x, y = y })
  end
  return list
end

--- Draws a level, a solution or a position; blocks in hand are below the board.
local function paint(level, solution, canvas, now)
  local blocks = 0
  for _, kind in ipairs(beams.kinds) do blocks = blocks + (not (solution and not now) and level.blocks[kind] or 0) end
  if now then solution = { tiles = now.tiles, trace = beams.trace(level, now.tiles) } end
  local tiles = solution and solution.tiles or level.tiles
  canvas:size(level.width, level.height + (blocks + level.width - 1) // level.width, edge)
  local function tile(x, y, kind)
    if kind ~= "x" then canvas:cell(x, y, inks[kind], 0.94) end
    if kind:find "[ABCD]" then canvas:label(x, y, kind, "ground") end
  end
  local cell = 0
  for kind in (now and level or { tiles = tiles }).tiles:gmatch "%S" do
    tile(cell % level.width + 1, cell // level.width + 1, kind)
    cell = cell + 1
  end
  for _, block in ipairs(blocks > 0 and movable(level, tiles:gsub("%s", "")) or {}) do
    if now then canvas:thing(block.name) end
    tile(block.x, block.y, block.kind)
  end
  if now then canvas:thing() end
  local function place(x, y) return x / 2 + 0.5, y / 2 + 0.5 end
  if solution then
    paint_beams(level, solution, function(x, y, to_x, to_y)
      canvas:line({ { place(x, y) }, { place(to_x, to_y) } }, "red", 0.07)
    end)
  end
  for _, laser in ipairs(level.emitters) do
    local x, y = place(laser[1], laser[2])
    canvas:disc(x, y, "red", 0.3)
    if not solution then canvas:arrow({ { x, y }, { x + laser[3] * 0.4, y + laser[4] * 0.4 } }, "red", 0.07) end
  end
  for i, target in ipairs(level.targets) do
    local x, y = place(target[1], target[2])
    canvas:disc(x, y, "ground", 0.3)
    canvas:ring(x, y, "bright white", 0.3)
    if solution and solution.trace.hit[i] then canvas:disc(x, y, "red", 0.16) end
  end
end

--- By kind of block, what it does to a beam: in words, and as lines to draw in a square. The beam enters at the upper left.
local effects = {
  A = { "reflects beams", { { 0.6, 0.6 }, { 1, 1.2 }, { 1.4, 0.6 } } },
  B = { "stops beams", { { 0.6, 0.6 }, { 1, 1.2 } }, { { 0.7, 1.25 }, { 1.3, 1.25 } } },
  C = { "lets beams pass and reflects them", { { 0.6, 0.6 }, { 1.4, 1.4 } }, { { 1, 1 }, { 1.4, 0.6 } } },
  D = { "shifts beams", { { 0.6, 0.6 }, { 0.8, 1 }, { 1.2, 1 }, { 1.4, 1.4 } } },
}

--- The buttons of the kinds of blocks that a level has, each with a picture of what they do.
local function pad(level)
  return lists.map(lists.keys(level.blocks), function(kind)
    return { key = kind:lower(), doc = ("block %s %s"):format(kind, effects[kind][1]), paint = function(canvas)
      canvas:size(1, 1)
      canvas:cell(1, 1, inks[kind], 0.94)
      for i = 2, #effects[kind] do canvas[kind == "B" and "line" or "arrow"](canvas, effects[kind][i], "ground", 0.07) end
    end }
  end)
end

--- Blocks are carried from square to square, out of the hand and back to it.
local function hand_of(position, level)
  local things = lists.map(movable(level, position.tiles), function(block)
    return { name = block.name, key = block.kind:lower(), x = block.x, y = block.y }
  end)
  return { kind = "carry", free = hand.squares(level.planes.o), things = things }
end

local sides = { { "above", 1, 0 }, { "below", 1, 2 }, { "left", 0, 1 }, { "right", 2, 1 } } -- half tiles from a tile's corner

--- Words for each tile of a position, by row and column: its block, and the lasers and targets at its sides.
local function told(position, level)
  local rows, points, trace = {}, {}, beams.trace(level, position.tiles)
  for _, laser in ipairs(level.emitters) do points[laser[2] << 8 | laser[1]] = "laser: " end
  for i, target in ipairs(level.targets) do
    points[target[2] << 8 | target[1]] = trace.hit[i] and "hit target: " or "target: "
  end
  for y = 1, level.height do
    rows[y] = {}
    for x = 1, level.width do
      local kind, parts = position.tiles:sub((y - 1) * level.width + x):sub(1, 1), {}
      if kind ~= "o" then parts[1] = kind == "x" and "no place" or level.planes.o:has(x, y) and kind or "fixed: " .. kind end
      for _, side in ipairs(sides) do
        local point = points[2 * y - 2 + side[3] << 8 | 2 * x - 2 + side[2]]
        if point then table.insert(parts, point .. side[1]) end
      end
      rows[y][x] = table.concat(parts, ", ")
    end
  end
  return rows
end

--- Colours of the characters of drawings.
local colours = { ["*"] = "bright red", ["/"] = "red", ["\\"] = "red", X = "red", o = "yellow", ["@"] = "bright green",
  A = "cyan", B = "cyan", C = "cyan", D = "cyan" }

function kit.new(spec, new, refuse)
  declaration.check("crux.kits.beams", spec, declaration.fields, { "name" })
  local game = declaration.game(spec, new)
  game.comment, game.starts = "#", "^%s*GRID START%s*$"
  function game.parse(text) return parse(text, refuse) end
  function game.solve(level, options) return level.solution or beams.solve(level, options) end
  function game.draw(level, solution) return beams.draw(level, solution and solution.tiles or level.tiles) end
  game.list, game.format, game.paint, game.colours, game.tiles = beams.list, format, paint, colours, squares
  game.play = lists.merge(beams.play, { hand = hand_of, pad = pad, told = told })
  game.images, game.pens = images.texts, pens
  add_generator(game)
  return declaration.override(game, spec)
end

return kit
