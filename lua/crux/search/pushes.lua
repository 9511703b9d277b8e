--- The search for the fewest pushes, in games in which a man pushes boxes, one at a time, onto goals.
---
--- A move pushes the box on one square by one. A state has the boxes and all squares that the man can walk to, so that walks
--- are no states. It is lost when a box that can never be pushed again is not on a goal. C searches it by estimates
--- (crux.search.pushing), unless solutions are counted.
local board = require "libcrux.board"
local directions = require "crux.base.directions"
local kinds = require("crux.search.state").kinds
local pushing = require "crux.search.pushing"
local vocabulary = require "crux.symbolic.vocabulary"

local pushes = {}

-- Locals: a step that reaches all globals could not be compared with that of another level.
local any, none, where = vocabulary.words.any, vocabulary.words.none, vocabulary.words.where
local ipairs, tonumber, new_board = ipairs, tonumber, board.new

local steps <const> = directions.steps

--- The search of levels with these fields: boards of the man, of as many boxes as goals, and of the goals. A level also has the
--- boards `floor`, where the man could go without boxes, and `dead`, from where no box comes to a goal.
---@param names { man: string, boxes: string, goals: string }
---@return SearchSpec
function pushes.search(names)
  local man_of, boxes_of, goals_of = names.man, names.boxes, names.goals
  local spec = {}

  --- "3 2 R": the box in column 3 of row 2 to the right.
  function spec.moves(level)
    local moves, floor, alive = {}, level.floor, level.floor - level.dead
    for x, y in floor:cells() do
      for _, direction in ipairs(directions.names) do
        local by = steps[direction]
        if floor:has(x - by[1], y - by[2]) and alive:has(x + by[1], y + by[2]) then
          table.insert(moves, ("%d %d %s"):format(x, y, direction))
        end
      end
    end
    return #moves > 0 and moves or { "none" }
  end

  function spec.state(level)
    local width, height = level.floor:size()
    return { reach = kinds.board(width, height), boxes = kinds.board(width, height) }
  end

  function spec.start(level)
    local boxes = level[boxes_of]
    return { reach = level[man_of]:flood(level.floor - boxes), boxes = boxes }, none(boxes - level[goals_of])
  end

  function spec.step(state, move, level)
    local x, y, direction = move:match "(%d+) (%d+) (%u)"
    if not x then return false end
    x, y = tonumber(x), tonumber(y)
    local by, boxes, floor = steps[direction], state.boxes, level.floor
    local width, height = floor:size()
    local to_x, to_y = x + by[1], y + by[2]
    local can = boxes:has(x, y) & state.reach:has(x - by[1], y - by[2]) & ~boxes:has(to_x, to_y)
    local pushed = boxes:without(x, y):with(to_x, to_y)
    state.reach = where(can, new_board(width, height, { { x, y } }):flood(floor - pushed), state.reach)
    state.boxes = where(can, pushed, boxes)
    return can & none(pushed - level[goals_of]), can & any(pushed:frozen(~floor, level.dead) - level[goals_of])
  end

  pushing.register(spec, { man = "reach", boxes = "boxes", goals = goals_of, by_moves = false })
  return spec
end

return pushes
