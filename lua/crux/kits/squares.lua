--- Squares of boards for scripts: moves of things, and boards that are derived from others. All but reach, window, room
--- and some may be used in a `step` that C runs.
---
--- docs/lua-api.md has the types of the functions that scripts see as fields of crux.grid.
local board = require "libcrux.board"
local directions = require "crux.base.directions"

local squares = {}

--- The opposite of each direction.
squares.back = directions.opposites

local back = squares.back

--- All squares of a list of boards.
function squares.union(list)
  local all = list[1]
  for i = 2, #list do all = all | list[i] end
  return all
end

--- Tells whether all squares of a board are in another one; of two lists, those of each board in the other's one.
function squares.within(a, b)
  if type(b) ~= "table" then return (a - b):none() end
  local off = a[1] - b[1]
  for i = 2, #b do off = off | a[i] - b[i] end
  return off:none()
end

--- Moves a man: to the next square in a direction if that is free, or pushing the thing on it if the square beyond is free and
--- has no other thing. Returns the man and the things after the move.
function squares.push(man, things, direction, free)
  local ahead = man:shift(direction) & free
  local thing = ahead & things
  local pushed = thing:shift(direction) & free - things
  return (ahead - thing | pushed):any() and ahead or man, pushed:any() and things - thing | pushed or things
end

--- Takes a push or a step in a direction back: the man goes back by a square, and the thing ahead of him comes along. Returns
--- the man, on no square if the one behind him is not free, and the things.
function squares.pull(man, things, direction, free)
  local behind, ahead = man:shift(back[direction]) & free - things, man:shift(direction) & things
  return behind, behind:any() and ahead:any() and things - ahead | man or things
end

--- The squares to which a man who pulls can bring a thing from some squares, these included: from all others no push brings a
--- thing there. Source: the dead squares of A. Junghanns and J. Schaeffer, Sokoban, Artificial Intelligence 129 (2001).
function squares.pullable(from, free)
  local reached = from & free
  repeat
    local known = reached
    for direction, opposite in pairs(back) do
      reached = reached | reached:shift(opposite) & free & free:shift(direction)
    end
  until reached == known
  return reached
end

--- The things that no push can move any more, whatever else moves: each is blocked in both directions by walls, dead squares or
--- other frozen things.
function squares.frozen(things, walls, dead) return things:frozen(walls, dead) end

--- The squares at the edge of a board's size.
function squares.edge(of)
  local all = of | ~of
  return all - (all:shift "U" & all:shift "L" & all:shift "D" & all:shift "R")
end

--- The squares around some squares, corners included.
function squares.around(some)
  local wide = some | some:shift "L" | some:shift "R"
  return (wide | wide:shift "U" | wide:shift "D") - some
end

--- The squares that a thing could reach if nothing but the plane `wall` stood in its way.
function squares.reach(planes, kind) return planes[kind]:flood(~planes.wall) end

--- Some squares, and those that a number of steps lead to from them through free ones.
function squares.grown(from, steps, free)
  for _ = 1, steps do from = from | from:neighbours() & free end
  return from
end

--- The part of a board within a rectangle, as a board of its size. The rectangle may go beyond the board.
function squares.window(of, left, top, width, height)
  local cells = {}
  for x, y in of:cells() do
    local column, row = x - left + 1, y - top + 1
    if column >= 1 and row >= 1 and column <= width and row <= height then table.insert(cells, { column, row }) end
  end
  return board.new(width, height, cells)
end

--- A connected room at random inside a margin of one square, without each of its squares with a probability; and the walls
--- around it.
function squares.room(random, width, height, walls)
  local nothing = board.new(width + 2, height + 2)
  local free = (~nothing - squares.edge(nothing)):sample(random, 1 - walls)
  local x, y = free:pick(random)
  local room = x and nothing:with(x, y):flood(free) or free
  return room, squares.around(room)
end

--- The runs of a board's squares in rows, then in columns, as far as they go: lists of { column, row }, with `across` in rows.
function squares.runs(of)
  local width, height = of:size()
  local runs, run = {}, {}
  local function go(x, y, across)
    if of:has(x, y) then table.insert(run, { x, y }) end
    if run[1] and not of:has(x, y) then
      run.across = across
      table.insert(runs, run)
      run = {}
    end
  end
  for y = 1, height do
    for x = 1, width + 1 do go(x, y, true) end
  end
  for x = 1, width do
    for y = 1, height + 1 do go(x, y) end
  end
  return runs
end

--- A connected area at random without holes, of about a share of the board if it can be, whose outline is one loop.
---@param is_thin boolean?   it has no 2 x 2 squares
function squares.blob(random, width, height, share, is_thin)
  local nothing = board.new(width + 2, height + 2)
  local inside = ~nothing - squares.edge(nothing)
  local area, tried = nothing:with(random:integer(2, width + 1), random:integer(2, height + 1)), nothing
  while #area < share * width * height do
    local x, y = (area:neighbours() & inside - area - tried):pick(random)
    if not x then break end
    local larger = area:with(x, y)
    tried = tried:with(x, y)
    local blocks = larger & larger:shift "L" & larger:shift "U" & larger:shift "L":shift "U"
    if #(~larger):components() == 1 and not (is_thin and blocks:any()) then area, tried = larger, nothing end
  end
  return squares.window(area, 2, 2, width, height)
end

--- Squares at random that do not touch, at most a number of them, without which the others are connected.
function squares.scattered(random, width, height, count)
  local chosen = board.new(width, height)
  local free = ~chosen
  while #chosen < count and free:any() do
    local x, y = free:pick(random)
    local more = chosen:with(x, y)
    local is_whole = #(~more):components() == 1
    free = free - more - (is_whole and more:neighbours() or chosen)
    chosen = is_whole and more or chosen
  end
  return chosen
end

--- A number of squares of a board at random; nil if it has fewer.
function squares.some(random, from, count)
  local chosen = from - from
  for _ = 1, count do
    local x, y = (from - chosen):pick(random)
    if not x then return nil end
    chosen = chosen:with(x, y)
  end
  return chosen
end

return squares
