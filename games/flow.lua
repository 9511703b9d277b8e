-- Flow: join the two endpoints of each colour by paths that cover the whole board.
local path_cover = crux.path_cover

local game = crux.game "flow"

game.doc = "Join the two endpoints of each colour by paths that cover the whole board."

local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

local legend = { { "." }, expected = "a letter, a digit or '.'" }
for letter in letters:gmatch "." do table.insert(legend, { letter, letter }) end
legend = crux.legend(legend)

-- A level is a grid as crux.path_cover takes it, and the letters and endpoints (cells' numbers in reading order) of its
-- colours.
local function level_of(width, height, names, endpoints)
  local level = { width = width, height = height, cells = {}, letters = names, endpoints = endpoints }
  for cell = 1, width * height do level.cells[cell] = 0 end
  for colour, ends in ipairs(endpoints) do level.cells[ends[1]], level.cells[ends[2]] = colour, colour end
  return level
end

function game.parse(text)
  local planes, width, height = assert(legend:parse(text))
  local names, endpoints = {}, {}
  for letter in letters:gmatch "." do
    local ends, found = planes[letter], {}
    if #ends > 2 then crux.refuse(("'%s' a third time"):format(letter), "it exactly twice", ends:nth(3)) end
    if #ends == 1 then crux.refuse(("'%s' once"):format(letter), "it exactly twice", ends:first()) end
    for _, _, cell in ends:cells() do table.insert(found, cell) end
    if #found > 0 then
      table.insert(names, letter)
      table.insert(endpoints, found)
    end
  end
  if #names == 0 then crux.refuse("no endpoints", "some") end
  return level_of(width, height, names, endpoints)
end

-- The letter of the path on each cell.
local function colouring(level, paths)
  local colours = {}
  for colour, path in ipairs(paths) do
    for _, cell in ipairs(path) do colours[cell] = level.letters[colour] end
  end
  return path_cover.rows(level, function(cell) return colours[cell] or "." end)
end

function game.solve(level, options)
  local solution = assert(path_cover.solve(level, { paths = true, seconds = options.seconds, bytes = options.bytes }))
  if solution.paths then solution.text = (colouring(level, solution.paths):gsub("\n", " ")) end
  return solution
end

game.list = path_cover.list

game.measure { "size", kind = "initial", doc = "squares on the board", function(level) return level.width * level.height end }

game.measure { "colours", kind = "initial", doc = "pairs of endpoints", function(level) return #level.letters end }

game.measure { "distance", kind = "initial", doc = "mean city-block distance between the endpoints of a colour", function(level)
  local sum = 0
  for _, ends in ipairs(level.endpoints) do
    local a, b = ends[1] - 1, ends[2] - 1
    sum = sum + math.abs(a % level.width - b % level.width) + b // level.width - a // level.width
  end
  return sum / #level.endpoints
end }

game.measure { "corners", kind = "solution", doc = "turns of the paths; the fewest if there are several solutions",
  function(_, solution) return solution.turns end }

game.measure { "solutions", kind = "dynamic", optional = true, doc = "number of solutions",
  function(_, solution) return solution.solutions end }

function game.format(level)
  return path_cover.rows(level, function(cell) return level.letters[level.cells[cell]] or "." end)
end

local shortest = 3 -- cells of a generated path: two would be joined at sight

-- A generated level also has the paths that it was made from.
local function level_with(paths, side)
  local names, endpoints = {}, {}
  for i, path in ipairs(paths) do
    names[i], endpoints[i] = letters:sub(i, i), { path[1], path[#path] }
    table.sort(endpoints[i])
  end
  table.sort(endpoints, function(a, b) return a[1] < b[1] end)
  local level = level_of(side, side, names, endpoints)
  level.paths = paths
  return level
end

game.options = {
  { "side", { 5, 9 }, doc = "squares along a side" },
  { "colours", 0, doc = "pairs of endpoints; 0: as many as squares along a side, or one less" },
}
game.requires = { solutions = 1 }

function game.generate(random, options)
  local side, colours = options.side, options.colours
  if colours == 0 then colours = random:integer(side - 1, side) end
  if colours > #letters then return nil, ("%d colours are more than there are letters"):format(colours) end
  local paths, problem = path_cover.random(side, side, colours, shortest, random)
  return paths and level_with(paths, side), problem
end

function game.vary(level, random)
  local paths = path_cover.vary(level.paths, level.width, level.height, shortest, random)
  return paths and level_with(paths, level.width)
end

-- A path of n squares joins endpoints at a distance that is n - 1, or less by an even number.
function game.options_for(wanted, meets)
  local size, colours = wanted.size, wanted.colours
  local options = { side = size and math.tointeger(size ^ 0.5), colours = colours and math.tointeger(colours) }
  if size and not options.side then return nil, ("a size of %g is no square"):format(size) end
  if not (size and options.colours and wanted.distance) then return options end
  for sum = colours + size % 2, size - colours, 2 do
    if meets("distance", sum / colours) then return options end
  end
  return nil, ("on %d squares the distances of %d colours add up to an %s number, at most %d"):format(size, colours,
    (size - colours) % 2 == 0 and "even" or "odd", size - colours)
end

function game.draw(level, solution) return path_cover.draw(level, solution and solution.paths or {}) end

function game.paint(level, solution, canvas)
  canvas:size(level.width, level.height)
  canvas:grid()
  local function place(cell) return (cell - 1) % level.width + 1, (cell - 1) // level.width + 1 end
  for colour, letter in ipairs(level.letters) do
    local path = {}
    for i, cell in ipairs(solution and solution.paths[colour] or {}) do path[i] = { place(cell) } end
    if #path > 0 then canvas:line(path, game.colours[letter], 0.3) end
    for _, cell in ipairs(level.endpoints[colour]) do
      local x, y = place(cell)
      canvas:disc(x, y, game.colours[letter], 0.75)
      canvas:label(x, y, letter, "ground", 0.45)
    end
  end
end

game.play = path_cover.play

game.colours = {}
local tints = { "red", "green", "yellow", "blue", "magenta", "cyan" }
for i = 1, #letters do
  game.colours[letters:sub(i, i)] = ((i - 1) % 12 < 6 and "" or "bright ") .. tints[(i - 1) % 6 + 1]
end

return game
