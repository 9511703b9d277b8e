--- The search for the fewest pushes, in games in which a man pushes boxes, one at a time, onto goals.
---
--- A move pushes the box on one square by one. A state has the boxes and all squares that the man can walk to, so that walks
--- are no states. It is lost when a box that can never be pushed again is not on a goal.
local assignment = require "crux.search.assignment"
local board = require "libcrux.board"
local kinds = require("crux.search.state").kinds
local vocabulary = require "libcrux.vocabulary"

local pushes = {}

-- Locals: a step that reaches all globals could not be compared with that of another level.
local any, none, max, where = vocabulary.words.any, vocabulary.words.none, vocabulary.words.max, vocabulary.words.where
local ipairs, tonumber, new_board = ipairs, tonumber, board.new

local directions <const> = { "U", "L", "D", "R" }
local offsets <const> = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }
local opposites <const> = { U = "D", L = "R", D = "U", R = "L" }

--- More pushes than any way of a box takes: to a goal that it cannot come to.
local FAR <const> = 10000

--- By number of a square: the pushes that bring a box that is alone from there to a goal; nothing where none do.
local function pushes_to(goal, floor)
  local found, reached, ring, count = {}, goal, goal, 0
  while any(ring) do
    for _, _, square in ring:cells() do found[square] = count end
    local known = reached
    for _, move in ipairs(directions) do reached = reached | ring:shift(opposites[move]) & floor & floor:shift(move) end
    ring, count = reached - known, count + 1
  end
  return found
end

---@class PushCosts             estimates the pushes that are left, by the prices of goals for the start
---@field by_square integer[]   of a box there
---@field of_goals integer      of all goals
---@field least integer         of all boxes together
---@field most integer

--- The costs of a level: their sum is at most the pushes that bring each box, alone, to a goal of its own.
---@return PushCosts
local function costs_of(boxes, goals, floor, dead)
  local to_goals, rows = {}, {}
  local width, height = floor:size()
  for x, y in goals:cells() do table.insert(to_goals, pushes_to(new_board(width, height, { { x, y } }), floor)) end
  local function row_of(square)
    local row = {}
    for i, found in ipairs(to_goals) do row[i] = found[square] or FAR end
    return row
  end
  for _, _, square in boxes:cells() do table.insert(rows, row_of(square)) end
  local prices = assignment.prices(rows)
  local costs = { by_square = {}, of_goals = 0, least = 0, most = 0 }
  for _, price in ipairs(prices) do costs.of_goals = costs.of_goals + price end
  for _, _, square in (floor - dead):cells() do
    local cost = math.maxinteger
    for i, found in ipairs(row_of(square)) do cost = math.min(cost, found - prices[i]) end
    costs.by_square[square] = cost
    costs.least, costs.most = math.min(costs.least, cost * #rows), math.max(costs.most, cost * #rows)
  end
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

  --- "3 2 R": the box in column 3 of row 2 to the right. No box is pushed to or from a dead square.
  function spec.moves(level)
    local moves, alive = {}, level.floor - level.dead
    for x, y in alive:cells() do
      for _, direction in ipairs(directions) do
        local by = offsets[direction]
        if alive:has(x + by[1], y + by[2]) and level.floor:has(x - by[1], y - by[2]) then
          table.insert(moves, ("%d %d %s"):format(x, y, direction))
        end
      end
    end
    return #moves > 0 and moves or { "none" }
  end

  function spec.state(level)
    local costs = level.push_costs or costs_of(level[boxes_of], level[goals_of], level.floor, level.dead)
    local width, height = level.floor:size()
    level.push_costs = costs
    return { reach = kinds.board(width, height), boxes = kinds.board(width, height),
      cost = kinds.integer(costs.least, costs.most) }
  end

  function spec.start(level)
    local boxes, cost = level[boxes_of], 0
    for _, _, square in boxes:cells() do cost = cost + (level.push_costs.by_square[square] or 0) end
    return { reach = level[man_of]:flood(level.floor - boxes), boxes = boxes, cost = cost }, none(boxes - level[goals_of])
  end

  function spec.step(state, move, level)
    local x, y, direction = move:match "(%d+) (%d+) (%u)"
    if not x then return false end
    x, y = tonumber(x), tonumber(y)
    local by, boxes, floor, costs = offsets[direction], state.boxes, level.floor, level.push_costs.by_square
    local width, height = floor:size()
    local to_x, to_y = x + by[1], y + by[2]
    local can = boxes:has(x, y) & state.reach:has(x - by[1], y - by[2]) & ~boxes:has(to_x, to_y)
    local pushed = boxes:without(x, y):with(to_x, to_y)
    local saved = costs[x + (y - 1) * width] - costs[to_x + (to_y - 1) * width]
    state.reach = where(can, new_board(width, height, { { x, y } }):flood(floor - pushed), state.reach)
    state.boxes = where(can, pushed, boxes)
    state.cost = where(can, state.cost - saved, state.cost)
    return can & none(pushed - level[goals_of]), can & any(pushed:frozen(~floor, level.dead) - level[goals_of])
  end

  function spec.heuristic(state, level) return max(0, state.cost + level.push_costs.of_goals) end

  return spec
end

return pushes
