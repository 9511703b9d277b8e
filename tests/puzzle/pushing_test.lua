-- Tests of libcrux.pushing against breadth-first searches of every step and push, which know no estimates and no deadlocks.
local board = require "libcrux.board"
local long = require "long"
local luaunit = require "luaunit"
local pushing = require "libcrux.pushing"
local random = require "libcrux.random"

local names = { "U", "L", "D", "R" }
local steps = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }

--- The boards of a level that is drawn.
local function boards_of(text)
  local rows, cells = {}, { floor = {}, man = {}, boxes = {}, goals = {} }
  local is = { floor = "[^#]", man = "[@+]", boxes = "[$*]", goals = "[.*+]" }
  for row in text:gmatch "[^\n]+" do table.insert(rows, row) end
  for y, row in ipairs(rows) do
    for x = 1, #row do
      for name, pattern in pairs(is) do
        if row:sub(x, x):find(pattern) then table.insert(cells[name], { x, y }) end
      end
    end
  end
  for name, list in pairs(cells) do cells[name] = board.new(#rows[1], #rows, list) end
  return cells
end

--- Searches in C; returns the moves as a text, or how the search ended.
local function found(level, by_moves, limit, few)
  local search <close> = pushing.new(level.floor, level.man, level.boxes, level.goals, by_moves, 1 << 26, few or 1 << 20)
  local ending
  repeat ending = search:expand(7, limit or 1000000) until ending ~= "paused"
  if ending ~= "won" then return ending, search:statistics() end
  local solution, statistics = search:solution(), search:statistics()
  luaunit.assertEquals(#solution, statistics.least)
  return table.concat(solution, " "), statistics
end

--- The state after a step of the man; nil if he cannot make it. Tells whether he pushes.
local function stepped(level, state, name)
  local x, y = state.man:first()
  local by = steps[name]
  local to_x, to_y = x + by[1], y + by[2]
  local is_push = state.boxes:has(to_x, to_y)
  local boxes = state.boxes
  if is_push then
    local box_x, box_y = to_x + by[1], to_y + by[2]
    if not level.floor:has(box_x, box_y) or boxes:has(box_x, box_y) then return nil end
    boxes = boxes:without(to_x, to_y):with(box_x, box_y)
  end
  if not level.floor:has(to_x, to_y) then return nil end
  return { man = state.man:without(x, y):with(to_x, to_y), boxes = boxes, way = state.way .. name }, is_push
end

--- By breadth-first search, the first of the solutions with the fewest moves, and the fewest pushes of any; nil if there is none.
local function brute_force(level)
  local layer, seen, shortest, fewest = { { man = level.man, boxes = level.boxes, way = "", pushes = 0 } }, {}, nil, nil
  while #layer > 0 do -- a state is tried again if it is reached by fewer pushes
    local deeper = {}
    for _, state in ipairs(layer) do
      if state.boxes == level.goals then
        shortest, fewest = shortest or state.way, math.min(fewest or math.huge, state.pushes)
      else
        for _, name in ipairs(names) do
          local after, is_push = stepped(level, state, name)
          local pushes = state.pushes + (is_push and 1 or 0)
          local key = after and tostring(after.man) .. tostring(after.boxes)
          if after and pushes < (seen[key] or math.huge) then
            seen[key], after.pushes = pushes, pushes
            table.insert(deeper, after)
          end
        end
      end
    end
    layer = deeper
  end
  return shortest, fewest
end

--- Adds boxes, on squares with at least three free ones beside them, and the man at random; nil where there is no room.
local function furnish(numbers, floor, free, goals)
  local width, height = floor:size()
  local open = {}
  for x, y in floor:cells() do
    if #(board.new(width, height, { { x, y } }):neighbours() & floor) > 2 then table.insert(open, { x, y }) end
  end
  if #open < #goals or #free < #goals + 2 then return nil end
  numbers:shuffle(free)
  numbers:shuffle(open)
  local level = { floor = floor, goals = goals, boxes = board.new(width, height, table.move(open, 1, #goals, 1, {})) }
  for _, square in ipairs(free) do
    if not level.boxes:has(square[1], square[2]) then level.man = board.new(width, height, { square }) end
  end
  return level
end

--- A level at random: up to 3 boxes and goals in a room with walls.
local function draw(numbers)
  local width, height, boxes = numbers:integer(3, 6), numbers:integer(3, 4), numbers:integer(1, 3)
  local free = {}
  for y = 1, height do
    for x = 1, width do
      if not numbers:chance(0.1) then table.insert(free, { x, y }) end
    end
  end
  numbers:shuffle(free)
  local goals = board.new(width, height, table.move(free, 1, math.min(boxes, #free), 1, {}))
  return furnish(numbers, board.new(width, height, free), free, goals)
end

local SIDE <const> = 4
local mirrors <const> = {
  function(x, y) return SIDE + 1 - x, y end,
  function(x, y) return x, SIDE + 1 - y end,
  function(x, y) return y, x end,
}

--- The squares that these mirrors make of one.
local function images_of(square, chosen)
  local images, board_of_images = { square }, board.new(SIDE, SIDE, { square })
  for _, image in ipairs(images) do
    for _, mirror in ipairs(chosen) do
      local x, y = mirror(image[1], image[2])
      if not board_of_images:has(x, y) then
        table.insert(images, { x, y })
        board_of_images = board_of_images:with(x, y)
      end
    end
  end
  return images, board_of_images
end

--- A level at random of which one or more mirrors change neither the floor nor the up to 4 goals.
local function draw_symmetrical(numbers)
  local all, chosen, free = table.move(mirrors, 1, #mirrors, 1, {}), {}, {}
  local none = board.new(SIDE, SIDE, {})
  local floor, goals, walls = none, none, none
  numbers:shuffle(all)
  table.move(all, 1, numbers:integer(1, 3), 1, chosen)
  for x, y in (~none):cells() do
    local images, squares = images_of({ x, y }, chosen)
    if not (floor | walls):has(x, y) then
      local is_wall = numbers:chance(0.05)
      floor, walls = is_wall and floor or floor | squares, is_wall and walls | squares or walls
      if not is_wall and #goals + #images <= 4 and numbers:chance(0.3) then goals = goals | squares end
    end
    if floor:has(x, y) then table.insert(free, { x, y }) end
  end
  return goals:any() and furnish(numbers, floor, free, goals)
end

local function drawing(level)
  return ("floor\n%s\nman\n%s\nboxes\n%s\ngoals\n%s"):format(level.floor, level.man, level.boxes, level.goals)
end

--- Replays a solution by pushes of brute force's rules; returns whether it wins.
local function replays(level, text)
  local boxes, man = level.boxes, level.man
  for x, y, name in text:gmatch "(%d+) (%d+) (%u)" do
    x, y = tonumber(x), tonumber(y)
    local by, reach = steps[name], man:flood(level.floor - boxes)
    if not boxes:has(x, y) or not reach:has(x - by[1], y - by[2]) then return false end
    local width, height = level.floor:size()
    local after = stepped(level, { man = board.new(width, height, { { x - by[1], y - by[2] } }), boxes = boxes, way = "" }, name)
    if not after then return false end
    boxes, man = after.boxes, after.man
  end
  return boxes == level.goals
end

local Pushing = {}

--- Compares both searches, of that many levels at random, with brute force.
local function compare(draw_level, count)
  local solved, unsolvable = 0, 0
  for stream = 1, count do
    local level = draw_level(random.new(11, stream))
    if level and level.boxes ~= level.goals then
      local shortest, fewest = brute_force(level)
      local few = stream % 2 == 0 and 1 << 20 or stream % 41
      luaunit.assertEquals((found(level, true, nil, few):gsub(" ", "")), shortest or "through", drawing(level))
      local pushes, statistics = found(level, false, nil, few)
      if shortest then
        luaunit.assertEquals(statistics.least, fewest, drawing(level))
        luaunit.assertTrue(replays(level, pushes), drawing(level) .. pushes)
        solved = solved + 1
      else
        luaunit.assertEquals(pushes, "through", drawing(level))
        unsolvable = unsolvable + 1
      end
    end
  end
  luaunit.assertTrue(solved > count / 10 and unsolvable > count / 5, solved .. " " .. unsolvable)
end

function Pushing.test_random_levels_by_brute_force() compare(draw, long.choose(300, 4000)) end

function Pushing.test_random_symmetrical_levels_by_brute_force() compare(draw_symmetrical, long.choose(100, 1000)) end

--- By hand: the man goes round the box; walks cost moves, not pushes.
function Pushing.test_by_hand()
  local level = boards_of "####\n#@ #\n#$ #\n#.##\n####\n"
  luaunit.assertEquals({ (found(level, true)), (found(level, false)) }, { "D", "2 3 D" })
  level = boards_of "#####\n#   #\n#.$@#\n#   #\n#####\n"
  luaunit.assertEquals((found(level, true)), "L")
  level = boards_of "######\n#    #\n#@$. #\n# $. #\n#    #\n######\n"
  luaunit.assertEquals({ (found(level, true):gsub(" ", "")) }, { "RLDR" })
  luaunit.assertEquals({ (found(level, false)) }, { "3 3 R 3 4 R" })
end

--- The man cannot walk past the upper box, so it is pushed to its goal before the lower one is tried; by hand.
function Pushing.test_pushes_into_a_corral_come_first()
  local pushes, statistics = found(boards_of "########\n#@ $ . #\n#   ####\n# $.####\n########\n", false)
  luaunit.assertEquals({ pushes, statistics.states }, { "4 2 R 5 2 R 3 4 R", 4 })
end

--- In a corridor the man stays on his side of the box, which he cannot pull back to the goal; by hand.
function Pushing.test_the_side_of_the_man()
  local ending, statistics = found(boards_of "##########\n#  . @$  #\n##########\n", false)
  luaunit.assertEquals({ ending, statistics.states }, { "through", 0 })
end

--- A start that is lost is known without a search: a box in a corner, and one at a wall without a goal.
function Pushing.test_lost_starts()
  for _, text in ipairs { "#####\n#$  #\n# @.#\n#####\n", "#######\n#@    #\n#   $ #\n#..  $#\n#######\n" } do
    local ending, statistics = found(boards_of(text), false)
    luaunit.assertEquals(ending, "through")
    luaunit.assertEquals(statistics.states, 0)
  end
end

--- By hand: the first box in the corridor only comes next to the second, so both are never pushed to goals. Before pairs are known, the
--- boxes in the room are pushed to all squares, too; the numbers of states are those of the search.
function Pushing.test_pairs_that_are_lost()
  local level = boards_of "##############\n#    #########\n# $ .@ $ $ ..#\n# $ .#########\n#    #########\n##############\n"
  for few, states in pairs { [16] = 8, [1 << 20] = 39 } do
    local ending, statistics = found(level, true, nil, few)
    luaunit.assertEquals({ ending, statistics.states }, { "through", states })
  end
end

function Pushing.test_limits()
  local level = boards_of "########\n#      #\n# $ $  #\n#@ .. ##\n########\n"
  for by_moves, states in pairs { [false] = { 10, 9 }, [true] = { 15, 12 } } do -- of the whole search, and of a limit
    local _, statistics = found(level, by_moves)
    local ending, cut = found(level, by_moves, states[2])
    luaunit.assertEquals({ statistics.states, ending, cut.states }, { states[1], "states", states[2] })
    luaunit.assertTrue(cut.least <= statistics.least)
  end
  level = boards_of "##########\n#        #\n# $ $ $  #\n#@   ... #\n#        #\n##########\n"
  local search <close> = pushing.new(level.floor, level.man, level.boxes, level.goals, true, 22000, 1 << 20)
  luaunit.assertEquals(search:expand(100000, 100000), "bytes")
end

function Pushing.test_arguments()
  local level = boards_of "#####\n#@$.#\n#####\n"
  local function new(changed)
    local with = setmetatable(changed, { __index = level })
    return pushing.new(with.floor, with.man, with.boxes, with.goals, false, with.bytes or 100000, with.few or 10)
  end
  local none, other = level.man - level.man, board.new(2, 2, {})
  for _, case in ipairs {
    { { man = none }, "#2 to 'new' (a square of the floor without a box)" },
    { { man = level.boxes }, "#2 to 'new' (a square of the floor without a box)" },
    { { man = ~level.floor }, "#2 to 'new' (a square of the floor without a box)" },
    { { boxes = none }, "#3 to 'new' (boxes on the floor)" },
    { { boxes = ~level.floor }, "#3 to 'new' (boxes on the floor)" },
    { { goals = level.goals | level.man }, "#4 to 'new' (as many goals on the floor)" },
    { { goals = other }, "#4 to 'new' (a board of the size of the floor)" },
    { { few = -1 }, "#7 to 'new' (a number of states)" },
    { { bytes = 0 }, "#6 to 'new' (a number of bytes)" },
  } do
    luaunit.assertErrorMsgContains("bad argument " .. case[2], new, case[1])
  end
  local search = new {}
  luaunit.assertErrorMsgContains("a search that has won", search.solution, search)
  luaunit.assertErrorMsgContains("a number of states", search.expand, search, 0, 1)
  luaunit.assertErrorMsgContains("a number of states", search.expand, search, 1, 0)
  luaunit.assertEquals(search:expand(10, 10), "won")
  luaunit.assertEquals(search:solution(), { "3 2 R" })
  search:close()
  luaunit.assertErrorMsgContains("the search is closed", search.expand, search, 1, 1)
end

return { Pushing = Pushing }
