-- Sokoban: push every box onto a goal.
local grid = crux.grid

return grid {
  name = "sokoban", doc = "Push every box onto a goal. Boxes cannot be pulled, and only one can be pushed at a time.",
  translations = {
    de = { "Schieben Sie jede Kiste auf ein Ziel. Kisten kann man nicht ziehen, und nur eine auf einmal schieben.",
      man = "Mann" },
    es = { "Empuje cada caja hasta una meta. No se puede tirar de las cajas, y solo se empuja una a la vez.",
      man = "hombre" },
    fr = { "Poussez chaque caisse sur un but. On ne peut pas tirer les caisses, ni en pousser plusieurs à la fois.",
      man = "homme" },
    ja = { "すべての箱をゴールに押してください。箱は引けず、一度に一つしか押せません。",
      man = "人" },
    zh = { "把每个箱子推到目标上。箱子不能拉，一次只能推一个。",
      man = "人" },
  },
  files = { "xsb", "sok", "txt", runs = true, rows = "^[%s%d_@+$*.|-]*#" },
  tiles = { { " " }, { "-" }, { "_" }, { "#", "wall" }, { "@", "man" }, { "+", "man", "goal" }, { "$", "box" },
    { "*", "box", "goal", colour = "bright yellow" }, { ".", "goal" },
    -- The letters of XSB collections that are written by hand.
    { "p", "man" }, { "P", "man", "goal" }, { "b", "box" }, { "B", "box", "goal", colour = "bright yellow" }, { "o", "goal" } },
  look = { { "wall", "wall" }, { "box", "yellow square" }, { "goal", "red ring" }, { "man", "bright green disc" },
    path = "man" }, -- bottom to top
  check = { man = 1, box = "goal", closed = "man" }, -- one man, as many boxes as goals, walls around

  board = function(level) level.dead = level.floor - grid.pullable(level.goal, level.floor) end,

  moves = { "U", "L", "D", "R" },
  state = { "man", "box" }, -- the things that move
  step = function(now, move, level) now.man, now.box = grid.push(now.man, now.box, move, level.floor) end,
  won = function(now, level) return grid.within(now.box, level.goal) end,
  lost = function(now, level)
    return (now.box & level.dead | grid.frozen(now.box, ~level.floor, level.dead) - level.goal):any()
  end,
  pushing = { man = "man", boxes = "box", goals = "goal" }, -- so there is a faster search than by step
  capitals = "box", -- moves that change it are written ULDR, others uldr

  measures = {
    { "boxes", count = "box", doc = "boxes" },
    { "walls", count = "wall", doc = "squares of wall" },
    { "floor", count = "floor", doc = "squares inside the walls" },
    { "deadlock_squares", count = "dead", doc = "squares of the floor from which no box can be pushed to a goal" },
    { "moves", moves = true, doc = "steps and pushes of a solution with the fewest" },
    { "pushes", kind = "dynamic", search = crux.pushes { man = "man", boxes = "box", goals = "goal" },
      doc = "pushes of a solution with the fewest", function(_, solution) return solution.length end },
    { "box_changes", kind = "solution",
      doc = "pushes, in the first solution with the fewest moves, of another box than the one pushed before",
      function(_, solution)
        local changes, last, way = 0, nil, solution.way
        for i = 2, #way do
          local from, to = way[i - 1].box - way[i].box, way[i].box - way[i - 1].box
          if from:any() then changes, last = changes + (last and last ~= from and 1 or 0), to end
        end
        return changes
      end },
  },

  generate = {
    options = {
      { "width", { 4, 7 }, doc = "squares across, inside the walls" },
      { "height", { 4, 6 }, doc = "squares down, inside the walls" },
      { "boxes", { 2, 3 }, doc = "boxes" },
      { "walls", 0.15, doc = "probability of a wall on a square inside" },
    },
    solved = function(random, options)
      local room, wall = grid.room(random, options.width, options.height, options.walls)
      local goal = grid.some(random, room, options.boxes)
      local man = goal and grid.some(random, room - goal, 1)
      if not man then return nil, "no room for the boxes" end
      return { wall = wall, goal = goal, box = goal, man = man }
    end,
    moves = 1000,
    back = function(now, move, level)
      now.man, now.box = grid.pull(now.man, now.box, move, level.floor)
      return now.man:any()
    end,
  },
}
