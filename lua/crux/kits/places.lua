--- Squares as numbers, for scripts whose `step` looks up tables of numbers. number, place, ahead and has may be used in a
--- `step` that C runs.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.grid.
local boards = require "libcrux.board"
local directions = require "crux.base.directions"
local lists = require "crux.base.lists"

local places = {}

--- The number of a square; no number is that of a square and of one beyond the edge.
function places.number(level, x, y) return y << level.shift | x end

function places.place(level, number) return number & (1 << level.shift) - 1, number >> level.shift end

--- The number of the square beside another one; for a move that is no direction, the same number.
function places.ahead(level, number, move)
  local step = directions.steps[move] or { 0, 0 }
  return number + (step[2] << level.shift) + step[1]
end

--- Tells whether a number is one of a list.
function places.has(numbers, number)
  local found = false
  for i = 1, #numbers do found = found | (numbers[i] == number) end
  return found
end

--- A table of an integer for the number of each square, and for those around the board.
function places.numbers(level, outside, of, most)
  local values = {}
  for number = 0, places.number(level, level.width, level.height + 1) do values[number] = outside end
  for y = 1, level.height do
    local row = places.number(level, 0, y)
    for x = 1, level.width do values[row + x] = of(x, y) or outside end
  end
  values[0] = most -- no square, and none beside one
  return values
end

--- The numbers of the squares of a board, in reading order; of those alone whose bits are set, if given.
function places.list(level, of, bits)
  local found = {}
  for x, y in of:cells() do
    if not bits or bits & 1 == 1 then table.insert(found, places.number(level, x, y)) end
    bits = bits and bits >> 1
  end
  return found
end

function places.board(level, numbers)
  return boards.new(level.width, level.height, lists.map(numbers, function(number) return { places.place(level, number) } end))
end

local far <const> = 2000 -- moves to where no way leads; in place of larger distances, too

--- A table of the moves from each square to the nearest square of a board within some free ones, and of `onward` moves more.
function places.distances(level, to, free, onward)
  local distances = to:distances(free)
  return places.numbers(level, far, function(x, y)
    local distance = distances[(y - 1) * level.width + x]
    return distance >= 0 and math.min(far, distance + (onward or 0)) or far
  end, far)
end

--- A table of bits that say what is on each square: one for each thing, and for a thing whose field of the state is bits one
--- for each of its squares, behind each other in the order of the names. Around the board is the first thing.
function places.things(level, names)
  local first, of_square = 0, {}
  for _, name in ipairs(names) do
    local bits = level.bits[name]
    for i, number in ipairs(places.list(level, level[name])) do
      of_square[number] = (of_square[number] or 0) | 1 << first + (bits and i - 1 or 0)
    end
    first = first + (bits or 1)
  end
  return places.numbers(level, 1, function(x, y) return of_square[places.number(level, x, y)] or 0 end, (1 << first) - 1)
end

--- The columns and rows of a thing in the states of a solution.
function places.way(solution, thing)
  return lists.map(solution.way, function(now)
    local at = now[thing]
    return math.type(at) and { places.place(solution.level, at) } or { at:first() }
  end)
end

--- The share of the squares that a thing is on in one of two solutions on which it is in both.
function places.overlap(solution, other, thing)
  local level = solution.level
  local a = boards.new(level.width, level.height, places.way(solution, thing))
  local b = boards.new(level.width, level.height, places.way(other, thing))
  return #(a & b) / #(a | b)
end

return places
