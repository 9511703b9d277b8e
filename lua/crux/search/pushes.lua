--- The search for the fewest pushes, in games in which a man pushes boxes, one at a time, onto goals.
---
--- A move pushes the box on one square by one. A state has the boxes and all squares that the man can walk to, so that walks
--- are no states. It is lost when a box that can never be pushed again is not on a goal. A push is no move if it brings a box
--- to where the man, on the side from which he pushed, could not bring it to a goal even if it were alone. Where there is a
--- corral, only pushes of its boxes are moves, so one solution with the fewest pushes is found, but not all.
local assignment = require "crux.search.assignment"
local board = require "libcrux.board"
local directions = require "crux.base.directions"
local kinds = require("crux.search.state").kinds
local vocabulary = require "crux.symbolic.vocabulary"

local pushes = {}

-- Locals: a step that reaches all globals could not be compared with that of another level.
local any, none, max, where = vocabulary.words.any, vocabulary.words.none, vocabulary.words.max, vocabulary.words.where
local ipairs, tonumber, new_board = ipairs, tonumber, board.new

local steps <const>, opposites <const> = directions.steps, directions.opposites

--- More pushes than any way of a box takes: to a goal that it cannot come to.
local FAR <const> = 10000

--- By number of a square and a side: the board of all squares to which a man on that side of a box there can walk, if the box
--- is alone.
local function walks_on(floor)
  local walks, width, height = {}, floor:size()
  for x, y, square in floor:cells() do
    local free, by_side = floor:without(x, y), {}
    for side, by in pairs(steps) do
      local man_x, man_y = x + by[1], y + by[2]
      by_side[side] = free:has(man_x, man_y) and new_board(width, height, { { man_x, man_y } }):flood(free) or nil
    end
    walks[square] = by_side
  end
  return walks
end

--- By number of a square and the man's side: the pushes that bring a box that is alone from there to a goal; nothing where
--- none do.
local function pushes_to(goal_x, goal_y, walks, floor)
  local width = floor:size()
  local found, queue = { [goal_x + (goal_y - 1) * width] = { U = 0, L = 0, D = 0, R = 0 } }, {}
  for _, side in ipairs(directions.names) do table.insert(queue, { goal_x, goal_y, side }) end
  for _, last in ipairs(queue) do -- the man stood on this side after the last push
    local by = steps[last[3]]
    local x, y = last[1] + by[1], last[2] + by[2]
    local man_x, man_y = x + by[1], y + by[2]
    if floor:has(x, y) and floor:has(man_x, man_y) then
      local count, square = found[last[1] + (last[2] - 1) * width][last[3]] + 1, x + (y - 1) * width
      local by_side = found[square] or {}
      found[square] = by_side
      for side, walk in pairs(walks[square]) do
        if not by_side[side] and walk:has(man_x, man_y) then
          by_side[side] = count
          table.insert(queue, { x, y, side })
        end
      end
    end
  end
  return found
end

---@class PushCosts             estimates the pushes that are left, by the prices of goals for the start
---@field by_square table<integer, table<string, integer>>   of a box, by the man's side; nothing where it is lost
---@field of_start integer      of all boxes at the start
---@field of_goals integer      of all goals
---@field least integer         of all boxes together
---@field most integer

--- The costs of a level: their sum is at most the pushes that bring each box, alone, to a goal of its own. Other boxes only
--- keep the man from squares, so until a box is pushed he reaches only sides of it that he would reach if it were alone.
local function costs_of(man, boxes, goals, floor)
  local walks, to_goals, rows = walks_on(floor), {}, {}
  for x, y in goals:cells() do table.insert(to_goals, pushes_to(x, y, walks, floor)) end
  local function row_of(square, side)
    local row = {}
    for i, found in ipairs(to_goals) do row[i] = found[square] and found[square][side] or FAR end
    return row
  end
  for _, _, square in boxes:cells() do
    local man_side = "U"
    for side, walk in pairs(walks[square] or {}) do man_side = any(walk & man) and side or man_side end
    table.insert(rows, row_of(square, man_side))
  end
  local prices = assignment.prices(rows)
  local costs = { by_square = {}, of_start = 0, of_goals = 0, least = 0, most = 0 }
  local function cost_of(row)
    local cost
    for i, found in ipairs(row) do
      if found < FAR then cost = math.min(cost or math.maxinteger, found - prices[i]) end
    end
    costs.least, costs.most = math.min(costs.least, (cost or 0) * #rows), math.max(costs.most, (cost or 0) * #rows)
    return cost
  end
  for _, price in ipairs(prices) do costs.of_goals = costs.of_goals + price end
  for _, row in ipairs(rows) do costs.of_start = costs.of_start + (cost_of(row) or 0) end
  for square, by_side in pairs(walks) do
    costs.by_square[square] = {}
    for side in pairs(by_side) do costs.by_square[square][side] = cost_of(row_of(square, side)) end
  end
  return costs
end

--- The costs of a level, which keeps them.
local function costs_for(level, names)
  local costs = level.push_costs or costs_of(level[names.man], level[names.boxes], level[names.goals], level.floor)
  level.push_costs = costs
  return costs
end

--- The search of levels with these fields: boards of the man, of as many boxes as goals, and of the goals. A level also has the
--- boards `floor`, where the man could go without boxes, and `dead`, from where no box comes to a goal; its field `push_costs`
--- is added.
---@param names { man: string, boxes: string, goals: string }
---@return SearchSpec
function pushes.search(names)
  local man_of, boxes_of, goals_of = names.man, names.boxes, names.goals
  local spec = {}

  --- "3 2 R": the box in column 3 of row 2 to the right.
  function spec.moves(level)
    local moves, costs, width = {}, costs_for(level, names).by_square, level.floor:size()
    for x, y, square in level.floor:cells() do
      for _, direction in ipairs(directions.names) do
        local by, side = steps[direction], opposites[direction]
        local after = costs[square + by[1] + by[2] * width]
        if costs[square][side] and after and after[side] then table.insert(moves, ("%d %d %s"):format(x, y, direction)) end
      end
    end
    return #moves > 0 and moves or { "none" }
  end

  function spec.state(level)
    local costs = costs_for(level, names)
    local width, height = level.floor:size()
    return { reach = kinds.board(width, height), boxes = kinds.board(width, height),
      cost = kinds.integer(costs.least, costs.most) }
  end

  function spec.start(level)
    local boxes = level[boxes_of]
    return { reach = level[man_of]:flood(level.floor - boxes), boxes = boxes, cost = level.push_costs.of_start },
      none(boxes - level[goals_of])
  end

  function spec.step(state, move, level)
    local x, y, direction = move:match "(%d+) (%d+) (%u)"
    if not x then return false end
    x, y = tonumber(x), tonumber(y)
    local by, boxes, floor, costs = steps[direction], state.boxes, level.floor, level.push_costs.by_square
    local width, height = floor:size()
    local to_x, to_y = x + by[1], y + by[2]
    local first = boxes:corral(state.reach, ~floor, level.dead, level[goals_of])
    local can = first:has(x, y) & state.reach:has(x - by[1], y - by[2]) & ~boxes:has(to_x, to_y)
    local pushed = boxes:without(x, y):with(to_x, to_y)
    local side = opposites[direction]
    local saved = costs[x + (y - 1) * width][side] - costs[to_x + (to_y - 1) * width][side]
    state.reach = where(can, new_board(width, height, { { x, y } }):flood(floor - pushed), state.reach)
    state.boxes = where(can, pushed, boxes)
    state.cost = where(can, state.cost - saved, state.cost)
    return can & none(pushed - level[goals_of]), can & any(pushed:frozen(~floor, level.dead) - level[goals_of])
  end

  function spec.heuristic(state, level) return max(0, state.cost + level.push_costs.of_goals) end

  return spec
end

return pushes
