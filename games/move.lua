-- Move: shift all balls at once until each rests on a goal of its colour.
local any, none, where, grid = crux.any, crux.none, crux.where, crux.grid

-- A ball is a small letter, and its goal the capital; a square may have a goal and a ball of another colour.
local letters, goal_of, colour_names = {}, {}, {}
for letter in ("abcdefghijklmnopqrstuvwxyz"):gmatch "." do
  table.insert(letters, letter)
  goal_of[letter] = letter:upper()
  table.insert(colour_names, letter .. letter:upper())
end

local tiles = { { "." }, { "#", "wall" }, separated = true,
  expected = "'.', '#', a ball such as 'a', a goal such as 'A', or both" }
for _, ball in ipairs(letters) do
  table.insert(tiles, { ball, ball })
  table.insert(tiles, { ball:upper(), ball:upper() })
  for _, goal in ipairs(letters) do table.insert(tiles, { ball .. goal:upper(), ball, goal:upper() }) end
end

-- The colours of a level, and by colour: `balls`, `goals`, and `within`, the squares that are no farther from a goal than 0, 1,
-- 2, ... and so on, as many as the board has distances.
local function add_colours(level)
  level.colours, level.balls, level.goals, level.within, level.count = {}, {}, {}, {}, 0
  for _, letter in ipairs(letters) do
    local balls, goals = level[letter], level[goal_of[letter]]
    if any(balls) or any(goals) then
      table.insert(level.colours, letter)
      table.insert(level.balls, balls)
      table.insert(level.goals, goals)
      table.insert(level.within, goals:rings(level.width + level.height - 1))
      level.count = level.count + #balls
    end
  end
end

local function check_goals(level)
  for i, balls in ipairs(level.balls) do
    if #balls > #level.goals[i] then
      return ("%d of ball '%s' and %d of its goal"):format(#balls, level.colours[i], #level.goals[i]), "a goal for every ball",
        balls:first()
    end
  end
  if level.count == 0 then return "no ball", "some" end
end

local function union(boards)
  local all = boards[1]
  for i = 2, #boards do all = all | boards[i] end
  return all
end

-- Sum over the balls of the distance to the nearest goal of the colour.
local function distance(balls, level)
  local sum = 0
  for i, board in ipairs(balls) do
    for _, near in ipairs(level.within[i]) do sum = sum + #(board - near) end
  end
  return sum
end

local colours, tints = {}, { "red", "green", "yellow", "blue", "magenta", "cyan" }
for i, letter in ipairs(letters) do
  local tint = tints[(i - 1) % 6 + 1]
  colours[letter], colours[letter:upper()] = "bright " .. tint, tint
end

local ways = { U = { 0, -0.3 }, L = { -0.3, 0 }, D = { 0, 0.3 }, R = { 0.3, 0 } }

return grid {
  name = "move", doc = "Shift all balls at once until each rests on a goal of its colour.",
  tiles = tiles, alike = colour_names,
  board = add_colours,
  check = { check_goals },

  moves = { "U", "L", "D", "R" },
  state = { balls = function(level) return crux.array(#level.colours, crux.board(level.width, level.height)) end },
  -- A ball stays before a rock, the edge, or a ball that stays.
  step = function(now, move, level)
    local balls = now.balls
    local all = union(balls)
    local moving = all & level.floor:shift(grid.back[move])
    for _ = 2, level.count do moving = moving & (level.floor - (all - moving)):shift(grid.back[move]) end
    for i = 1, #level.colours do balls[i] = balls[i] - moving | (balls[i] & moving):shift(move) end
  end,
  won = function(now, level)
    local off = now.balls[1] - level.goals[1]
    for i = 2, #level.goals do off = off | now.balls[i] - level.goals[i] end
    return none(off)
  end,
  informed = false, -- the native search is slower with the heuristic: it saves half the states, but each takes thrice the time
  -- Equation (2) of the thesis: the largest of the balls' distances to their nearest goals.
  heuristic = function(now, level)
    local farthest = 0
    for i = 1, #level.colours do
      for steps, near in ipairs(level.within[i]) do
        farthest = crux.max(farthest, where(any(now.balls[i] - near), steps, 0))
      end
    end
    return farthest
  end,
  shown = function(now, level)
    local planes = {}
    for i, letter in ipairs(level.colours) do planes[letter] = now.balls[i] end
    return planes
  end,

  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "balls", kind = "initial", doc = "balls on the board", function(level) return level.count end },
    { "colours", kind = "initial", doc = "different colours of balls and goals", function(level) return #level.colours end },
    { "rocks", count = "wall", doc = "rocks on the board" },
    { "moves", moves = true, doc = "length of a shortest solution" },
    { "counterintuitive", kind = "solution",
      doc = "moves of the solution that take the balls, in the mean, farther from the nearest goals of their colours",
      each = function(level, now, before)
        return before and distance(now.balls, level) > distance(before.balls, level) and 1 or 0
      end },
    { "directions", kind = "solution", optional = true, doc = "different directions in the solution",
      function(_, solution)
        local count, seen = 0, {}
        for _, move in ipairs(solution.moves) do
          count, seen[move] = count + (seen[move] and 0 or 1), true
        end
        return count
      end },
  },

  colours = colours,
  -- A goal's letter is in the corner where a ball is on it; the moves are arrows below the board, in lines as wide as it.
  paint = function(level, solution, canvas, now)
    local by_colour = (now or level).balls
    local moves, balls = solution and solution.moves or {}, union(by_colour)
    local in_line = math.max(6, level.width)
    local pitch = level.width / in_line
    canvas:size(level.width, level.height + (#moves > 0 and 0.3 or 0) + (#moves + in_line - 1) // in_line * pitch)
    canvas:grid(level.width, level.height)
    for x, y in level.wall:cells() do canvas:cell(x, y, "wall") end
    for i, letter in ipairs(level.colours) do
      for x, y in level.goals[i]:cells() do
        canvas:ring(x, y, colours[letter])
        local shift, size = balls:has(x, y) and 0.38 or 0, balls:has(x, y) and 0.3 or 0.4
        canvas:label(x + shift, y - shift, letter:upper(), colours[letter], size)
      end
      for x, y in by_colour[i]:cells() do
        canvas:disc(x, y, colours[letter], 0.62)
        canvas:label(x, y, letter, "ground", 0.4)
      end
    end
    for i, move in ipairs(moves) do
      local x, y = 0.5 + pitch * ((i - 1) % in_line + 0.5), level.height + 0.8 + pitch * ((i - 1) // in_line + 0.5)
      local right, down = ways[move][1] * pitch, ways[move][2] * pitch
      canvas:arrow({ { x - right, y - down }, { x + right, y + down } }, "bright white", 0.08 * pitch)
    end
  end,

  generate = {
    options = {
      { "side", { 3, 5 }, square = "size", doc = "squares along a side" },
      { "balls", { 3, 5 }, doc = "balls" },
      { "colours", 0, doc = "different colours; 0 for any number of them" },
      { "rocks", 0.3, doc = "probability of a rock on a square without a goal" },
    },
    -- Section 4.3.1 of the thesis: goals and rocks at random, then the balls from their goals backwards.
    solved = function(random, options)
      local side, count = options.side, math.min(options.balls, options.side ^ 2 // 1 | 0)
      local most = math.min(count, #letters)
      local number = options.colours == 0 and random:integer(1, most) or math.min(options.colours, most)
      local planes, free = {}, ~crux.cells(side, side)
      for i = 1, count do
        local ball = letters[i <= number and i or random:integer(1, number)]
        local x, y = free:pick(random)
        planes[ball], free = (planes[ball] or crux.cells(side, side)):with(x, y), free:without(x, y)
        planes[ball:upper()] = planes[ball]
      end
      planes.wall = free:sample(random, options.rocks)
      return planes
    end,
    moves = 10000,
    -- A ball that may have moved and may have stayed, stayed with probability 0.3; none came from where one stayed.
    back = function(now, move, level, coin)
      local balls = now.balls
      local all = union(balls)
      local may_move, may_stay = all & level.floor:shift(move), all - (level.floor - all):shift(grid.back[move])
      local stay = may_stay - may_move | coin:sample(may_move & may_stay, 0.3)
      local came_from = (all - stay):shift(grid.back[move])
      for i = 1, #level.colours do balls[i] = balls[i] & stay | (balls[i] - stay):shift(grid.back[move]) end
      return none(all - may_move - may_stay | came_from & stay)
    end,
  },
  options_for = function(wanted, _, options)
    local rocks, size, balls = wanted.rocks, wanted.size, wanted.balls
    options.rocks = rocks and size and balls and math.min(1, rocks / (size - balls))
    return options
  end,
}
