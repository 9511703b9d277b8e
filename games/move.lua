-- Move: shift all balls at once until each rests on a goal of its colour.
local grid = crux.grid

-- Sum over the balls of the distance to the nearest goal of the colour.
local function distance(balls, level)
  local sum = 0
  for i, board in ipairs(balls) do
    for _, near in ipairs(level.within[i]) do sum = sum + #(board - near) end
  end
  return sum
end

return grid {
  name = "move", doc = "Shift all balls at once until each rests on a goal of its colour.",
  translations = {
    de = { "Verschieben Sie alle Bälle zugleich, bis jeder auf einem Ziel seiner Farbe liegt.",
      ball = "Ball" },
    es = { "Desplace todas las bolas a la vez hasta que cada una esté en una meta de su color.",
      ball = "bola" },
    fr = { "Déplacez toutes les billes à la fois jusqu'à ce que chacune repose sur un but de sa couleur.",
      ball = "bille" },
    ja = { "すべての玉を同時に動かし、それぞれを同じ色のゴールに載せてください。",
      ball = "玉" },
    zh = { "同时移动所有的球，直到每个球都停在自己颜色的目标上。",
      ball = "球" },
  },
  -- A ball is a small letter, and its goal the capital; a square may have a goal and a ball of another colour.
  tiles = { { "." }, { "#", "wall" }, { "a", "ball" }, { "A", "goal" }, { "aA", "ball", "goal" }, separated = true,
    expected = "'.', '#', a ball such as 'a', a goal such as 'A', or both" },
  coloured = { "ball", "goal" },
  look = { { "wall", "wall" }, { "goal", "colour ring", sign = true }, { "ball", "bright colour disc", sign = true },
    lines = true, moves = true },
  check = { function(level)
    for i, balls in ipairs(level.ball) do
      if #balls > #level.goal[i] then
        local letter = string.char(("a"):byte() + level.colours[i] - 1)
        return ("%d of ball '%s' and %d of its goal"):format(#balls, letter, #level.goal[i]), "a goal for every ball",
          balls:first()
      end
    end
    if level.count == 0 then return "no ball", "some" end
  end },
  -- By colour, the squares that are no farther from a goal than 0, 1, 2, ... and so on, as many as the board has distances.
  board = function(level)
    level.count, level.within = #level.drawn.ball, {}
    for i, goals in ipairs(level.goal) do level.within[i] = goals:rings(level.width + level.height - 1) end
  end,

  moves = { "U", "L", "D", "R" },
  state = { "ball" },
  -- A ball stays before a rock, the edge, or a ball that stays.
  step = function(now, move, level)
    local balls = now.ball
    local all = grid.union(balls)
    local moving = all & level.floor:shift(grid.back[move])
    for _ = 2, level.count do moving = moving & (level.floor - (all - moving)):shift(grid.back[move]) end
    for i = 1, #level.colours do balls[i] = balls[i] - moving | (balls[i] & moving):shift(move) end
  end,
  won = function(now, level) return grid.within(now.ball, level.goal) end,
  informed = false, -- the native search is slower with the heuristic: it saves half the states, but each takes thrice the time
  -- Equation (2) of the thesis: the largest of the balls' distances to their nearest goals.
  heuristic = function(now, level)
    local farthest = 0
    for i = 1, #level.colours do
      for steps, near in ipairs(level.within[i]) do
        if (now.ball[i] - near):any() then farthest = math.max(farthest, steps) end
      end
    end
    return farthest
  end,
  measures = {
    { "size", size = true, doc = "squares on the board" },
    { "balls", count = "ball", doc = "balls on the board" },
    { "colours", kind = "initial", doc = "different colours of balls and goals", function(level) return #level.colours end },
    { "rocks", count = "wall", doc = "rocks on the board" },
    { "moves", moves = true, doc = "length of a shortest solution" },
    { "counterintuitive", kind = "solution",
      doc = "moves of the solution that take the balls, in the mean, farther from the nearest goals of their colours",
      each = function(level, now, before)
        return before and distance(now.ball, level) > distance(before.ball, level) and 1 or 0
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

  generate = {
    options = {
      { "side", { 3, 5 }, square = "size", doc = "squares along a side" },
      { "balls", { 3, 5 }, doc = "balls" },
      { "colours", 0, doc = "different colours; 0 for any number of them" },
      { "rocks", 0.3, doc = "probability of a rock on a square without a goal" },
    },
    -- Section 4.3.1 of the thesis: goals and rocks at random, then the balls from their goals backwards.
    solved = function(random, options, nothing)
      local count = math.min(options.balls, #~nothing)
      local most = math.min(count, 26)
      local number = options.colours == 0 and random:integer(1, most) or math.min(options.colours, most)
      local goal, free = {}, ~nothing
      for i = 1, count do
        local colour = i <= number and i or random:integer(1, number)
        local x, y = free:pick(random)
        goal[colour], free = (goal[colour] or nothing):with(x, y), free:without(x, y)
      end
      return { ball = goal, goal = goal, wall = free:sample(random, options.rocks) }
    end,
    moves = 10000,
    -- A ball that may have moved and may have stayed, stayed with probability 0.3; none came from where one stayed.
    back = function(now, move, level, coin)
      local balls = now.ball
      local all = grid.union(balls)
      local may_move, may_stay = all & level.floor:shift(move), all - (level.floor - all):shift(grid.back[move])
      local stay = may_stay - may_move | coin:sample(may_move & may_stay, 0.3)
      local came_from = (all - stay):shift(grid.back[move])
      for i = 1, #level.colours do balls[i] = balls[i] & stay | (balls[i] - stay):shift(grid.back[move]) end
      return (all - may_move - may_stay | came_from & stay):none()
    end,
  },
  options_for = function(wanted, _, options)
    local rocks, size, balls = wanted.rocks, wanted.size, wanted.balls
    options.rocks = rocks and size and balls and math.min(1, rocks / (size - balls))
    return options
  end,
}
