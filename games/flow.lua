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
function game.parse(text)
  local planes, width, height = assert(legend:parse(text))
  local level = { width = width, height = height, cells = {}, letters = {}, endpoints = {} }
  for cell = 1, width * height do level.cells[cell] = 0 end
  for letter in letters:gmatch "." do
    local found = {}
    for x, y, cell in planes[letter]:cells() do
      table.insert(found, cell)
      if #found > 2 then
        error(("line %d, column %d: found '%s' a third time, expected it exactly twice"):format(y, x, letter), 0)
      end
    end
    if #found == 1 then
      local x, y = planes[letter]:first()
      error(("line %d, column %d: found '%s' once, expected it exactly twice"):format(y, x, letter), 0)
    end
    if #found == 2 then
      table.insert(level.letters, letter)
      table.insert(level.endpoints, found)
      for _, cell in ipairs(found) do level.cells[cell] = #level.letters end
    end
  end
  if #level.letters == 0 then error("line 1: found no endpoints, expected some", 0) end
  return level
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

function game.draw(level, solution) return path_cover.draw(level, solution and solution.paths or {}) end

game.play = path_cover.play

game.colours = {}
local tints = { "red", "green", "yellow", "blue", "magenta", "cyan" }
for i = 1, #letters do
  game.colours[letters:sub(i, i)] = ((i - 1) % 12 < 6 and "" or "bright ") .. tints[(i - 1) % 6 + 1]
end

return game
