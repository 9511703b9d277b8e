-- Lazors: place the blocks in hand so that the lasers' beams pass all targets.
local beams = crux.beams

local game = crux.game "lazors"

game.doc = "Place the blocks in hand so that the lasers' beams pass all targets."
game.extensions, game.comment, game.starts = { "bff" }, "#", "^%s*GRID START%s*$"

local legend = crux.legend { separated = true, { "o", "o" }, { "x", "x" }, { "A", "A" }, { "B", "B" }, { "C", "C" },
  { "D", "D" } }

-- The lines after the grid: a word, then integers; and what is expected of them.
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
  elseif #word == 1 and word:find "[ABCD]" and n == 1 and number[1] >= 0 and number[1] <= 1024 then
    level.blocks[word] = (level.blocks[word] or 0) + number[1]
  else
    return false
  end
  return true
end

-- A level is a problem as crux.beams takes it, and `planes`, the boards of its tiles by kind.
function game.parse(text)
  local grid, rest = text:match "^[^\n]*\n(.-\n)[ \t]*GRID STOP[ \t]*\n(.*)"
  if not grid then crux.refuse("no GRID STOP", "one after the grid", 1, 1) end
  local planes, width, height = legend:parse(grid, 2)
  assert(planes, width)
  local level = { width = width, height = height, planes = planes, tiles = legend:format(planes), emitters = {}, targets = {},
    blocks = {} }
  local _, number = (text:sub(1, #text - #rest)):gsub("\n", "")
  for line in rest:gmatch "([^\n]*)\n" do
    number = number + 1
    local at, word = line:match "()(%S+)"
    if word then
      local numbers, words = {}, line:sub(at + #word)
      for item in words:gmatch "%S+" do numbers[#numbers + 1] = math.tointeger(tonumber(item)) or 1 / 0 end
      if not entry(level, word, #numbers, numbers) then
        crux.refuse(("'%s'"):format(line:sub(at)), expected[word] or "A, B, C, D, L or P", at, number)
      end
    end
  end
  if #level.emitters == 0 then crux.refuse("no laser", "a line L x y vx vy", 1, 1) end
  if #level.targets == 0 then crux.refuse("no target", "a line P x y", 1, 1) end
  return level
end

function game.solve(level, options) return level.solution or beams.solve(level, options) end

game.list = beams.list

game.measure { "size", kind = "initial", doc = "tiles in the smallest box around the usable tiles", function(level)
  local left, top, right, bottom = level.planes.o:bounds()
  return left and (right - left + 1) * (bottom - top + 1) or 0
end }

game.measure { "usable_tiles", kind = "initial", doc = "tiles on which a block may be placed",
  function(level) return #level.planes.o end }

game.measure { "emitters", kind = "initial", doc = "lasers", function(level) return #level.emitters end }

game.measure { "receivers", kind = "initial", doc = "targets", function(level) return #level.targets end }

game.measure { "mirrors", kind = "initial", doc = "blocks in hand that reflect: A and C",
  function(level) return (level.blocks.A or 0) + (level.blocks.C or 0) end }

game.measure { "reflections", kind = "solution", doc = "reflections of beams in the solution; a split counts as one",
  function(_, solution) return solution.trace.reflections end }

game.measure { "intersections", kind = "solution",
  doc = "points that beams pass in both diagonals in the solution and where none is reflected or split",
  function(_, solution) return solution.trace.intersections end }

game.measure { "courses", kind = "initial", optional = true,
  doc = "different courses that the beams can take with at most the blocks in hand",
  function(level, _, options) return beams.courses(level, { nodes = options.states, seconds = options.seconds }) end }

game.measure { "solutions", kind = "dynamic", optional = true, count = true,
  doc = "number of solutions; blocks of a kind are interchangeable",
  function(_, solution) return solution.solutions end }

function game.format(level)
  local lines = { "GRID START", (legend:format(level.planes):gsub("\n$", "")), "GRID STOP" }
  for _, kind in ipairs(beams.kinds) do
    if level.blocks[kind] then table.insert(lines, kind .. " " .. level.blocks[kind]) end
  end
  for _, laser in ipairs(level.emitters) do table.insert(lines, "L " .. table.concat(laser, " ")) end
  for _, target in ipairs(level.targets) do table.insert(lines, "P " .. table.concat(target, " ")) end
  return table.concat(lines, "\n") .. "\n"
end

game.options = {
  { "columns", { 3, 6 }, doc = "tiles in a row of the box around the usable tiles" },
  { "rows", { 3, 6 }, doc = "tiles in a column of that box" },
  { "usable_tiles", { 8, 30 }, doc = "tiles on which a block may be placed" },
  { "emitters", { 1, 2 }, doc = "lasers" },
  { "receivers", { 1, 5 }, doc = "targets" },
  { "mirrors", { 2, 7 }, doc = "blocks A in hand" },
}
game.requires = { solutions = 1 }

local patience = { nodes = 100000 } -- where counting the solutions takes more branches, the attempt has failed

-- A generated level also has the arrangement that it was made from, and so its solution.
local function level_with(arrangement, receivers, random)
  local usable, blocks = arrangement.usable, arrangement.blocks
  local width, height = usable:size()
  local planes = { o = usable, x = ~usable }
  local level = { width = width, height = height, planes = planes, tiles = legend:format(planes), arrangement = arrangement,
    emitters = arrangement.emitters, blocks = { A = #blocks } }
  local solved = legend:format { o = usable - blocks, x = ~usable, A = blocks }
  level.solution = beams.set_targets(level, solved, receivers, random, patience)
  return level.solution and level
end

function game.generate(random, options)
  local count = { usable = options.usable_tiles, blocks = options.mirrors, emitters = options.emitters }
  local arrangement, problem = beams.random(options.columns, options.rows, count, random)
  return arrangement and level_with(arrangement, options.receivers, random), problem
end

function game.vary(level, random)
  local arrangement = beams.vary(level.arrangement, random)
  return arrangement and level_with(arrangement, #level.targets, random)
end

-- The box of a size that is nearest to a square.
function game.options_for(wanted)
  local size, options = wanted.size, {}
  for _, name in ipairs { "usable_tiles", "emitters", "receivers", "mirrors" } do options[name] = wanted[name] end
  for rows = 1, size and 32 or 0 do
    if rows ^ 2 <= size and size % rows == 0 and size // rows <= 32 then
      options.rows, options.columns = rows, size // rows | 0
    end
  end
  if size and not options.rows then return nil, ("no box of %g tiles has sides of at most 32"):format(size) end
  return options
end

function game.draw(level, solution) return beams.draw(level, solution and solution.tiles or level.tiles) end

local inks = { o = "floor", A = "cyan", B = "white", C = "bright cyan", D = "magenta" }

-- Beams from half tile to half tile: where both points are on the same diagonal and no block that stops it is between; straight
-- across a block that refracts, from side to side.
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

-- Blocks in hand are below the board.
function game.paint(level, solution, canvas)
  local tiles, hand = solution and solution.tiles or level.tiles, {}
  for _, kind in ipairs(beams.kinds) do
    for _ = 1, solution and 0 or level.blocks[kind] or 0 do table.insert(hand, kind) end
  end
  canvas:size(level.width + 2 * edge, level.height + 2 * edge + (#hand + level.width - 1) // level.width)
  local function tile(column, row, kind)
    local x, y = column + edge, row + edge
    if kind ~= "x" then canvas:cell(x, y, inks[kind], 0.94) end
    if kind:find "[ABCD]" then canvas:label(x, y, kind, "ground") end
  end
  local cell = 0
  for kind in tiles:gmatch "%S" do
    tile(cell % level.width + 1, cell // level.width + 1, kind)
    cell = cell + 1
  end
  for i, kind in ipairs(hand) do tile((i - 1) % level.width + 1, level.height + 1 + edge + (i - 1) // level.width, kind) end
  local function place(x, y) return x / 2 + 0.5 + edge, y / 2 + 0.5 + edge end
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

game.play = beams.play

game.colours = { ["*"] = "bright red", ["/"] = "red", ["\\"] = "red", X = "red", o = "yellow", ["@"] = "bright green",
  A = "cyan", B = "cyan", C = "cyan", D = "cyan" }

return game
