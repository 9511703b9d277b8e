-- Sokoban: push every box onto a goal.
local any, none, where = crux.any, crux.none, crux.where

local game = crux.game "sokoban"

game.doc = "Push every box onto a goal. Boxes cannot be pulled, and only one can be pushed at a time."
game.extensions = { "xsb", "sok", "txt" }
game.rows = "^[%s%d_@+$*.|-]*#" -- up to a wall only what can be in a row; other lines are titles, authors and remarks

local legend = crux.legend {
  { " " }, { "-" }, { "_" }, { "#", "walls" }, { "@", "man" }, { "+", "man", "goals" }, { "$", "boxes" },
  { "*", "boxes", "goals" }, { ".", "goals" }, pad = " ",
}

local enough = 65 -- columns, and rows: one more than a board has

-- The rows with their runs spelled out ("3#" is "###", "|" ends a row), and in which column and line of the text each of
-- their cells is.
local function spell_out(text)
  local rows, places, number = { "" }, { {} }, 0
  for line in text:gmatch "([^\n]*)\n" do
    number = number + 1
    for column, count, cell in (line .. "|"):gmatch "()(%d*)(%D[\128-\191]*)" do
      local place = { column, number }
      if cell == "|" and count == "" then
        places[#rows].behind = place
        if #rows <= enough then
          table.insert(rows, "")
          table.insert(places, {})
        end
      elseif not (" -_#@+$*."):find(cell, 1, true) then
        crux.refuse(("'%s'"):format(count .. cell), "'#', '@', '+', '$', '*', '.', or floor: ' ', '-' or '_'", column, number)
      else
        for _ = 1, #rows[#rows] < enough and math.min(tonumber(count) or 1, enough) or 0 do
          rows[#rows] = rows[#rows] .. cell
          table.insert(places[#rows], place)
        end
      end
    end
  end
  return table.concat(rows, "\n"), places
end

-- Those of the squares that are at the edge of the board.
local function at_edge(board)
  local all = board | ~board
  return board - (all:shift "U" & all:shift "L" & all:shift "D" & all:shift "R")
end

-- What is wrong with a level: what was found and expected, and where; nothing if it is right.
local function find_fault(man, boxes, goals, floor)
  if none(man) then return "no player", "'@' or '+'" end
  if #man > 1 then return "a second player", "one", man:nth(2) end
  if none(boxes) then return "no box", "'$' or '*'" end
  if #boxes ~= #goals then
    local more, less = "boxes", "goals"
    if #goals > #boxes then more, less, boxes = less, more, goals end
    return ("more %s than %s"):format(more, less), "as many", boxes:first()
  end
  if any(at_edge(floor)) then return "an opening", "walls all around the player", at_edge(floor):first() end
  local out = (boxes ~ goals) - floor
  if any(out) then return (any(out & boxes) and "a box" or "a goal") .. " out of reach", "it inside the walls", out:first() end
end

local back = { U = "D", L = "R", D = "U", R = "L" }

-- The squares from which a box can come to a goal: those that it can be pulled to from one.
local function alive_squares(goals, floor)
  local alive = goals
  repeat
    local known = alive
    for move, opposite in pairs(back) do alive = alive | alive:shift(opposite) & floor & floor:shift(move) end
  until alive == known
  return alive
end

-- The same squares on a board of another size.
local function moved(board, width, height, right, down)
  local result = crux.cells(width, height)
  for x, y in board:cells() do result = result:with(x + right, y + down) end
  return result
end

-- A level from the boards that a file draws, or nil and what find_fault says. It is searched on boards without the walls
-- around it: `floor` is where the man could go without boxes.
local function level_of(planes)
  local floor = planes.man:flood(~planes.walls)
  local found, expected, x, y = find_fault(planes.man, planes.boxes, planes.goals, floor)
  if found then return nil, found, expected, x, y end
  local left, top, right, bottom = floor:bounds()
  local function inside(board) return moved(board & floor, right - left + 1, bottom - top + 1, 1 - left, 1 - top) end
  local level = { planes = planes, left = left, top = top, width = right - left + 1, height = bottom - top + 1,
    floor = inside(floor), man = inside(planes.man), boxes = inside(planes.boxes), goals = inside(planes.goals) }
  level.dead = level.floor - alive_squares(level.goals, level.floor)
  return level
end

function game.parse(text)
  local rows, places = spell_out(text)
  local level, found, expected, x, y = level_of(assert(legend:parse(rows)))
  if not level then crux.refuse(found, expected, table.unpack(x and (places[y][x] or places[y].behind) or {})) end
  return level
end

game.search = {
  moves = { "U", "L", "D", "R" },
  state = function(level)
    return { man = crux.board(level.width, level.height), boxes = crux.board(level.width, level.height) }
  end,
  start = function(level) return { man = level.man, boxes = level.boxes }, none(level.boxes - level.goals) end,
  -- The man walks, or pushes the box before him when the square beyond it is free.
  step = function(state, move, level)
    local ahead, boxes = state.man:shift(move) & level.floor, state.boxes
    local box = ahead & boxes
    local pushed = box:shift(move) & level.floor - boxes
    state.man = where(any(ahead - box | pushed), ahead, state.man)
    state.boxes = where(any(pushed), boxes - box | pushed, boxes)
    return none(state.boxes - level.goals), any(state.boxes & level.dead)
  end,
}

-- The usual letters, small for a step and capital for a push.
function game.notation(_, solution)
  local letters, way = {}, solution.way
  for i, move in ipairs(solution.moves) do letters[i] = way[i].boxes == way[i + 1].boxes and move:lower() or move end
  return table.concat(letters)
end

game.measure { "boxes", kind = "initial", doc = "boxes", function(level) return #level.planes.boxes end }
game.measure { "walls", kind = "initial", doc = "squares of wall", function(level) return #level.planes.walls end }
game.measure { "floor", kind = "initial", doc = "squares inside the walls", function(level) return #level.floor end }
game.measure { "deadlock_squares", kind = "initial", doc = "squares of the floor from which no box can be pushed to a goal",
  function(level) return #level.dead end }
game.measure { "moves", kind = "dynamic", doc = "steps and pushes of a solution with the fewest",
  function(_, solution) return solution.length end }
game.measure { "pushes", kind = "dynamic", search = crux.pushes { man = "man", boxes = "boxes", goals = "goals" },
  doc = "pushes of a solution with the fewest", function(_, solution) return solution.length end }
game.measure { "box_changes", kind = "solution",
  doc = "pushes, in the first solution with the fewest moves, of another box than the one pushed before", function(_, solution)
    local changes, last, before = 0, nil, solution.way[1].boxes
    for _, state in ipairs(solution.way) do
      local pushed = before - state.boxes
      if any(pushed) then
        if last and last ~= pushed then changes = changes + 1 end
        last, before = state.boxes - before, state.boxes
      end
    end
    return changes
  end }

-- As in a level file, with man and boxes where the state has them.
function game.format(level, _, state)
  local planes, shown = level.planes, { walls = level.planes.walls, goals = level.planes.goals }
  local width, height = planes.walls:size()
  local function outside(board) return moved(board, width, height, level.left - 1, level.top - 1) end
  shown.man = state and outside(state.man) or planes.man
  shown.boxes = state and outside(state.boxes) | planes.boxes - outside(level.floor) or planes.boxes
  return (legend:format(shown):gsub(" +%f[\n\0]", ""))
end

game.options = {
  { "width", { 4, 7 }, doc = "squares across, inside the walls" },
  { "height", { 4, 6 }, doc = "squares down, inside the walls" },
  { "boxes", { 2, 3 }, doc = "boxes" },
  { "walls", 0.15, doc = "probability of a wall on a square inside" },
}

-- The squares around a room.
local function walls_around(room)
  local wide = room | room:shift "L" | room:shift "R"
  return (wide | wide:shift "U" | wide:shift "D") - room
end

-- A room at random, with the boxes on its goals; then the man walks about and pulls whatever he leaves behind him.
function game.generate(random, options)
  local empty = crux.cells(options.width + 2, options.height + 2)
  local free = (~empty - at_edge(~empty)):sample(random, 1 - options.walls)
  local room = any(free) and empty:with(free:pick(random)):flood(free) or free
  if #room < options.boxes + 2 then return nil, "no room for the boxes" end
  local goals = empty
  for _ = 1, options.boxes do goals = goals:with((room - goals):pick(random)) end
  local boxes, man = goals, empty:with((room - goals):pick(random))
  for _ = 1, 1000 do
    local move = random:pick(game.search.moves)
    local behind, box = man:shift(back[move]) & room - boxes, man:shift(move) & boxes
    if any(behind) then
      if any(box) then boxes = boxes - box | man end
      man = behind
    end
  end
  return level_of { walls = walls_around(room), goals = goals, boxes = boxes, man = man }
end

-- The generator's options for a level with these measures.
function game.options_for(wanted) return { boxes = wanted.boxes } end

-- Another level: the man, a box or a goal on another square, or a square of wall more or less.
function game.vary(level, random)
  local old, name = level.planes, random:pick { "man", "boxes", "goals", "walls" }
  local all = old.walls | ~old.walls
  local inside = all - at_edge(all)
  local planes = { walls = old.walls, goals = old.goals, boxes = old.boxes, man = old.man }
  local free = inside - (name == "goals" and old.goals or old.man | old.boxes) - (name == "walls" and old.goals or old.walls)
  if none(free) then return nil end
  local x, y = free:pick(random)
  if name ~= "walls" then planes[name] = planes[name]:without(planes[name]:pick(random)) end
  planes[name] = planes[name]:has(x, y) and planes[name]:without(x, y) or planes[name]:with(x, y)
  planes.walls = walls_around(planes.man:flood(inside - planes.walls))
  return level_of(planes)
end

game.colours = { ["@"] = "bright green", ["+"] = "bright green", ["$"] = "yellow", ["*"] = "bright yellow", ["."] = "red",
  ["#"] = "blue" }

-- With the way of the man.
function game.paint(level, solution, canvas)
  local planes, path = level.planes, {}
  canvas:size(planes.walls:size())
  for x, y in planes.walls:cells() do canvas:cell(x, y, "wall") end
  for x, y in level.floor:cells() do canvas:cell(x + level.left - 1, y + level.top - 1, "floor") end
  for x, y in planes.boxes:cells() do canvas:cell(x, y, "yellow", 0.8) end
  for x, y in planes.goals:cells() do canvas:disc(x, y, planes.boxes:has(x, y) and "ground" or "red", 0.3) end
  for i, state in ipairs(solution and solution.way or {}) do
    local x, y = state.man:first()
    path[i] = { x + level.left - 1, y + level.top - 1 }
  end
  if #path > 1 then canvas:arrow(path, "bright blue", 0.08) end
  local x, y = planes.man:first()
  canvas:disc(x, y, "bright green", 0.6)
end

return game
