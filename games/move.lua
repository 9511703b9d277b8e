-- Move: shift all balls at once until each rests on a goal of its colour.
local any, none, where = crux.any, crux.none, crux.where

local game = crux.game "move"

game.doc = "Shift all balls at once until each rests on a goal of its colour."

-- By colour, the letters of balls and of goals.
local ball_letters, goal_letters = {}, {}
for letter in ("abcdefghijklmnopqrstuvwxyz"):gmatch "." do
  table.insert(ball_letters, letter)
  table.insert(goal_letters, letter:upper())
end

local tokens = { { "." }, { "#", "rocks" }, separated = true,
  expected = "'.', '#', a ball such as 'a', a goal such as 'A', or both" }
for i, ball in ipairs(ball_letters) do
  table.insert(tokens, { ball, ball })
  table.insert(tokens, { goal_letters[i], goal_letters[i] })
  for _, goal in ipairs(goal_letters) do table.insert(tokens, { ball .. goal, ball, goal }) end
end
local legend = crux.legend(tokens)

-- A level from the boards of rocks, of balls (by small letter) and of goals (by capital). Its lists go by colour;
-- `within` has the squares that are no farther from a goal than 0, 1, 2, ... and so on, as many as the board has distances.
local function level_of(planes, width, height)
  local level = { width = width, height = height, rocks = planes.rocks, floor = ~planes.rocks, count = 0,
    colours = {}, balls = {}, goals = {}, within = {} }
  for colour, letter in ipairs(ball_letters) do
    local balls, goals = planes[letter], planes[goal_letters[colour]]
    if goals and any(balls | goals) then
      local i = #level.colours + 1
      level.colours[i], level.balls[i], level.goals[i] = letter, balls, goals
      level.within[i], level.count = goals:rings(width + height - 1), level.count + #balls
    end
  end
  return level
end

function game.parse(text)
  local planes, width, height = assert(legend:parse(text))
  local level = level_of(planes, width, height)
  for i, balls in ipairs(level.balls) do
    if #balls > #level.goals[i] then
      crux.refuse(("%d of ball '%s' and %d of its goal"):format(#balls, level.colours[i], #level.goals[i]),
        "a goal for every ball", balls:first())
    end
  end
  if level.count == 0 then crux.refuse("no ball", "some") end
  return level
end

local back = { U = "D", L = "R", D = "U", R = "L" }

local function union(boards)
  local all = boards[1]
  for i = 2, #boards do all = all | boards[i] end
  return all
end

-- Whether each ball rests on a goal of its colour.
local function at_rest(balls, goals)
  local off = balls[1] - goals[1]
  for i = 2, #goals do off = off | balls[i] - goals[i] end
  return none(off)
end

game.search = {
  moves = { "U", "L", "D", "R" },
  state = function(level) return { balls = crux.array(#level.colours, crux.board(level.width, level.height)) } end,
  start = function(level) return { balls = { table.unpack(level.balls) } }, at_rest(level.balls, level.goals) end,
  -- A ball stays before a rock, the edge, or a ball that stays.
  step = function(state, move, level)
    local balls = state.balls
    local all = union(balls)
    local moving = all & level.floor:shift(back[move])
    for _ = 2, level.count do moving = moving & (level.floor - (all - moving)):shift(back[move]) end
    for i = 1, #level.colours do balls[i] = balls[i] - moving | (balls[i] & moving):shift(move) end
    return at_rest(balls, level.goals)
  end,
  informed = false, -- the native search is slower with the heuristic: it saves half the states, but each takes thrice the time
  -- Equation (2) of the thesis: the largest of the balls' distances to their nearest goals.
  heuristic = function(state, level)
    local farthest = 0
    for i = 1, #level.colours do
      for distance, near in ipairs(level.within[i]) do
        farthest = crux.max(farthest, where(any(state.balls[i] - near), distance, 0))
      end
    end
    return farthest
  end,
}

-- Sum over the balls of the distance to the nearest goal of the colour.
local function distance(balls, level)
  local sum = 0
  for i, board in ipairs(balls) do
    for _, near in ipairs(level.within[i]) do sum = sum + #(board - near) end
  end
  return sum
end

game.measure { "size", kind = "initial", doc = "squares on the board", function(level) return level.width * level.height end }
game.measure { "balls", kind = "initial", doc = "balls on the board", function(level) return level.count end }
game.measure { "colours", kind = "initial", doc = "different colours of balls and goals",
  function(level) return #level.colours end }
game.measure { "rocks", kind = "initial", doc = "rocks on the board", function(level) return #level.rocks end }
game.measure { "moves", kind = "dynamic", doc = "length of a shortest solution",
  function(_, solution) return solution.length end }
game.measure { "counterintuitive", kind = "solution",
  doc = "moves of the solution that take the balls, in the mean, farther from the nearest goals of their colours",
  each = function(level, state, before)
    return before and distance(state.balls, level) > distance(before.balls, level) and 1 or 0
  end }
game.measure { "directions", kind = "solution", optional = true, doc = "different directions in the solution",
  function(_, solution)
    local count, seen = 0, {}
    for _, move in ipairs(solution.moves) do
      count, seen[move] = count + (seen[move] and 0 or 1), true
    end
    return count
  end }

local function planes_of(level, state)
  local planes = { rocks = level.rocks }
  for i, letter in ipairs(level.colours) do
    planes[letter], planes[letter:upper()] = (state or level).balls[i], level.goals[i]
  end
  return planes
end

-- As in a level file, with the balls where the state has them.
function game.format(level, _, state) return legend:format(planes_of(level, state)) end

game.colours = {}
local tints = { "red", "green", "yellow", "blue", "magenta", "cyan" }
for i, letter in ipairs(ball_letters) do
  local tint = tints[(i - 1) % 6 + 1]
  game.colours[letter], game.colours[goal_letters[i]] = "bright " .. tint, tint
end

local ways = { U = { 0, -0.3 }, L = { -0.3, 0 }, D = { 0, 0.3 }, R = { 0.3, 0 } }

-- A goal's letter is in the corner where a ball is on it; the moves are arrows below the board, in lines as wide as it.
function game.paint(level, solution, canvas)
  local moves, balls = solution and solution.moves or {}, union(level.balls)
  local in_line = math.max(6, level.width)
  local pitch = level.width / in_line
  canvas:size(level.width, level.height + (#moves > 0 and 0.3 or 0) + (#moves + in_line - 1) // in_line * pitch)
  canvas:grid(level.width, level.height)
  for x, y in level.rocks:cells() do canvas:cell(x, y, "wall") end
  for i, letter in ipairs(level.colours) do
    for x, y in level.goals[i]:cells() do
      canvas:ring(x, y, game.colours[letter])
      local shift, size = balls:has(x, y) and 0.38 or 0, balls:has(x, y) and 0.3 or 0.4
      canvas:label(x + shift, y - shift, letter:upper(), game.colours[letter], size)
    end
    for x, y in level.balls[i]:cells() do
      canvas:disc(x, y, game.colours[letter], 0.62)
      canvas:label(x, y, letter, "ground", 0.4)
    end
  end
  for i, move in ipairs(moves) do
    local x, y = 0.5 + pitch * ((i - 1) % in_line + 0.5), level.height + 0.8 + pitch * ((i - 1) // in_line + 0.5)
    local right, down = ways[move][1] * pitch, ways[move][2] * pitch
    canvas:arrow({ { x - right, y - down }, { x + right, y + down } }, "bright white", 0.08 * pitch)
  end
end

game.options = {
  { "side", { 3, 5 }, doc = "squares along a side" },
  { "balls", { 3, 5 }, doc = "balls" },
  { "colours", 0, doc = "different colours; 0 for any number of them" },
  { "rocks", 0.3, doc = "probability of a rock on a square without a goal" },
}

-- Section 4.3.1 of the thesis: goals and rocks at random, then the balls from their goals backwards.
game.walk = {
  moves = 10000,
  -- A ball that may have moved and may have stayed, stayed with probability 0.3; none came from where one stayed.
  back = function(state, move, level, coin)
    local balls = state.balls
    local all = union(balls)
    local may_move, may_stay = all & level.floor:shift(move), all - (level.floor - all):shift(back[move])
    local stay = may_stay - may_move | coin:sample(may_move & may_stay, 0.3)
    local came_from = (all - stay):shift(back[move])
    for i = 1, #level.colours do balls[i] = balls[i] & stay | (balls[i] - stay):shift(back[move]) end
    return none(all - may_move - may_stay | came_from & stay)
  end,
  finish = function(level, state)
    level.balls = { table.unpack(state.balls) }
    return level
  end,
}

function game.generate(random, options)
  local side, count = options.side, math.min(options.balls, options.side ^ 2 // 1 | 0)
  local most = math.min(count, #ball_letters)
  local colours = options.colours == 0 and random:integer(1, most) or math.min(options.colours, most)
  local planes = { rocks = crux.cells(side, side) }
  local free = ~planes.rocks
  for i = 1, count do
    local colour = i <= colours and i or random:integer(1, colours)
    local goal, x, y = goal_letters[colour], free:pick(random)
    planes[goal], free = (planes[goal] or crux.cells(side, side)):with(x, y), free:without(x, y)
  end
  planes.rocks = free:sample(random, options.rocks)
  for i = 1, colours do planes[ball_letters[i]] = planes[goal_letters[i]] end
  return level_of(planes, side, side)
end

-- The generator's options for a level with these measures.
function game.options_for(wanted)
  local side = wanted.size and math.sqrt(wanted.size) // 1 | 0
  if side and side ^ 2 ~= wanted.size then return nil, ("a size of %g is no square"):format(wanted.size) end
  return { side = side, balls = wanted.balls, colours = wanted.colours,
    rocks = wanted.rocks and wanted.size and wanted.balls and math.min(1, wanted.rocks / (wanted.size - wanted.balls)) }
end

-- Another level: a ball, goal or rock on another square, or one rock more or less.
function game.vary(level, random)
  local planes, names = planes_of(level), { "rocks" }
  for _, letter in ipairs(level.colours) do table.move({ letter, letter:upper() }, 1, 2, #names + 1, names) end
  local name = random:pick(names)
  local balls, goals = level.rocks | union(level.balls), level.rocks | union(level.goals)
  local taken = name == "rocks" and balls | goals or name:find "%u" and goals or balls
  local how = name == "rocks" and random:pick { "add", "remove", "move" } or "move"
  local plane = planes[name]
  local from_x, from_y = plane:pick(random)
  local to_x, to_y = (~taken):pick(random)
  if how ~= "add" and not from_x or how ~= "remove" and not to_x then return nil end
  if how ~= "add" then plane = plane:without(from_x, from_y) end
  planes[name] = how == "remove" and plane or plane:with(to_x, to_y)
  return level_of(planes, level.width, level.height)
end

return game
