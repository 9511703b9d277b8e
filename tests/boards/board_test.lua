-- Tests of libcrux.board: sets of cells as values, their operators and methods beside a reference cell by cell, and what is refused.
local long = require "long"
local luaunit = require "luaunit"
local board = require "libcrux.board"
local random = require "libcrux.random"
local squares = require "crux.kits.squares"

--- The board that tostring shows as these rows.
local function of(...)
  local rows, cells = { ... }, {}
  for y, row in ipairs(rows) do
    for x = 1, #row do
      if row:sub(x, x) == "#" then table.insert(cells, { x, y }) end
    end
  end
  return board.new(#rows[1], #rows, cells)
end

local function draw(rng, width, height, chance)
  local cells = {}
  for y = 1, height do
    for x = 1, width do
      if rng:chance(chance) then table.insert(cells, { x, y }) end
    end
  end
  return board.new(width, height, cells)
end

local function same(found, expected) luaunit.assertEquals(tostring(found), tostring(expected)) end

local Board = {}

function Board.test_new()
  same(board.new(3, 2), "...\n...")
  same(board.new(3, 2, {}), "...\n...")
  same(board.new(3, 2, { { 1, 1 }, { 3, 2 }, { 3, 2 } }), "#..\n..#")
  same(board.new(1, 1, { { 1, 1 } }), "#")
  luaunit.assertEquals({ board.new(32, 7):size() }, { 32, 7 })
  luaunit.assertEquals(#~board.new(32, 32), 1024)
end

function Board.test_operands_stay_as_they_are()
  local a, b = of("##.", ".#."), of("#..", ".##")
  same(a & b, "#..\n.#.")
  same(a, "##.\n.#.")
  same(b, "#..\n.##")
end

function Board.test_equality()
  luaunit.assertTrue(of "#." == of "#.")
  luaunit.assertFalse(of "#." == of ".#")
  luaunit.assertFalse(board.new(2, 3) == board.new(3, 2) or board.new(2, 3) == board.new(2, 2) or board.new(2, 3) == board.new(3, 3))
  luaunit.assertFalse(board.new(2, 3) == random.new(1))
  luaunit.assertFalse(random.new(1) == board.new(2, 3))
  luaunit.assertFalse(board.new(2, 3) == 0)
end

function Board.test_key()
  local seen, rng = {}, random.new(8)
  for _, size in ipairs { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 2, 2 }, { 8, 8 }, { 9, 9 } } do
    for _ = 1, 20 do
      local b = draw(rng, size[1], size[2], 0.5)
      local before = seen[b:key()]
      luaunit.assertTrue(before == nil or before == b)
      seen[b:key()] = b
      luaunit.assertEquals((b | b):key(), b:key())
    end
  end
end

function Board.test_any_and_none()
  for _, size in ipairs { 1, 8, 9, 32 } do
    local b = board.new(size, size)
    luaunit.assertEquals({ b:any(), b:none() }, { false, true })
    b = b:with(size, size)
    luaunit.assertEquals({ b:any(), b:none() }, { true, false })
  end
end

function Board.test_cells_one_by_one()
  local b = of("#..", "..#")
  luaunit.assertEquals({ b:has(1, 1), b:has(2, 1), b:has(3, 2) }, { true, false, true })
  for _, outside in ipairs { { 0, 1 }, { 1, 0 }, { 4, 1 }, { 1, 3 }, { -1, 1 }, { math.maxinteger, math.mininteger } } do
    luaunit.assertFalse((~b):has(outside[1], outside[2]) or b:has(outside[1], outside[2]))
  end
  same(b:with(2, 2), "#..\n.##")
  same(b:with(1, 1), b)
  same(b:without(1, 1), "...\n..#")
  same(b:without(2, 1), b)
  same(b, "#..\n..#")
end

function Board.test_iteration()
  local rng = random.new(5)
  for _, size in ipairs { { 1, 1 }, { 8, 8 }, { 9, 9 }, { 31, 7 }, { 32, 32 } } do
    local b = draw(rng, size[1], size[2], 0.4) | board.new(size[1], size[2], { { size[1], size[2] } })
    local expected, found = {}, {}
    for y = 1, size[2] do
      for x = 1, size[1] do
        if b:has(x, y) then table.insert(expected, { x, y, (y - 1) * size[1] + x }) end
      end
    end
    for x, y, i in b:cells() do table.insert(found, { x, y, i }) end
    luaunit.assertEquals(found, expected)
    luaunit.assertEquals({ b:first() }, expected[1])
    for n, cell in ipairs(expected) do luaunit.assertEquals({ b:nth(n) }, cell) end
    luaunit.assertEquals(#expected, #b)
  end
  local empty = board.new(4, 4)
  for _ in empty:cells() do luaunit.fail "an empty board has no cells" end
  luaunit.assertNil(empty:first())
  local step = of("#.", ".."):cells()
  luaunit.assertEquals({ step() }, { 1, 1, 1 })
  luaunit.assertEquals({ step(), step() }, { nil, nil }) -- the end stays the end
end

function Board.test_rings()
  local rings = of("#...", "...."):rings()
  luaunit.assertEquals({ #rings, #rings[1], #rings[2], #rings[3], #rings[5] }, { 5, 1, 3, 5, 8 })
  same(rings[3], "###.\n##..")
  luaunit.assertEquals(#of("##", "##"):rings(), 1)
  local filled = of("#...", "...."):rings(7)
  luaunit.assertEquals({ #filled, #filled[4], #filled[5], #filled[7] }, { 7, 7, 8, 8 })
  luaunit.assertEquals(board.new(3, 3):rings(), {})
end

function Board.test_random_cells()
  local rng, b, seen, kept = random.new(4), of("#.#", ".##"), {}, 0
  for _ = 1, 1000 do
    local x, y, i = b:pick(rng)
    luaunit.assertTrue(b:has(x, y) and i == (y - 1) * 3 + x)
    seen[i] = (seen[i] or 0) + 1
    local some = b:sample(rng, 0.25)
    same(some - b, "...\n...")
    kept = kept + #some
  end
  for _, i in ipairs { 1, 3, 5, 6 } do luaunit.assertAlmostEquals(seen[i], 250, 60) end
  luaunit.assertAlmostEquals(kept, 1000, 110) -- 4 standard deviations, as above
  luaunit.assertNil(board.new(2, 2):pick(rng))
  same(b:sample(rng, 1), tostring(b))
  same(b:sample(rng, 0), "...\n...")
end

function Board.test_bounds()
  luaunit.assertEquals({ of("....", ".#..", "..#.", "...."):bounds() }, { 2, 2, 3, 3 })
  luaunit.assertEquals({ (~board.new(32, 31)):bounds() }, { 1, 1, 32, 31 })
  luaunit.assertEquals({ of("..#", "#.."):bounds() }, { 1, 1, 3, 2 })
  luaunit.assertNil(board.new(3, 3):bounds())
end

function Board.test_shift()
  local b = of("##.", "..#")
  for _, case in ipairs {
    { { "U" }, "..#\n..." }, { { "L" }, "#..\n.#." }, { { "D" }, "...\n##." }, { { "R" }, ".##\n..." },
    { { "R", 2 }, "..#\n..." }, { { "R", 3 }, "...\n..." }, { { "R", 0 }, "##.\n..#" }, { { "R", -1 }, "#..\n.#." },
    { { "D", -1 }, "..#\n..." }, { { "D", math.maxinteger }, "...\n..." }, { { "D", math.mininteger }, "...\n..." },
    { { "U", 1, true }, "..#\n##." }, { { "L", 1, true }, "#.#\n.#." }, { { "R", 1, true }, ".##\n#.." },
    { { "R", 4, true }, ".##\n#.." }, { { "L", -4, true }, ".##\n#.." }, { { "D", 2, true }, "##.\n..#" },
    { { "R", nil, true }, ".##\n#.." }, { { "R", 1, false }, ".##\n..." },
  } do
    same(b:shift(table.unpack(case[1], 1, 3)), case[2])
  end
end

--- The board of the cells for which holds(x, y, i) is true, and these as a set of the numbers i, from 1 in reading order.
local function build(width, height, holds)
  local cells, set = {}, {}
  for i = 1, width * height do
    local x, y = (i - 1) % width + 1, (i - 1) // width + 1
    if holds(x, y, i) then
      table.insert(cells, { x, y })
      set[i] = true
    end
  end
  return board.new(width, height, cells), set
end

local ways = { U = { 0, -1 }, L = { -1, 0 }, D = { 0, 1 }, R = { 1, 0 } }

--- The steps from a set to each cell within a mask, -1 where there is no way, by relaxing all cells until nothing changes.
local function distances(width, height, from, mask)
  local steps, is_changed = {}, true
  for i = 1, width * height do steps[i] = from[i] and mask[i] and 0 or -1 end
  while is_changed do
    is_changed = false
    for i = 1, width * height do
      for _, way in pairs(ways) do
        local x, y = (i - 1) % width + 1 + way[1], (i - 1) // width + 1 + way[2]
        local step = x >= 1 and x <= width and y >= 1 and y <= height and steps[(y - 1) * width + x] or -1
        if mask[i] and step >= 0 and (steps[i] < 0 or steps[i] > step + 1) then steps[i], is_changed = step + 1, true end
      end
    end
  end
  return steps
end

--- Compares all operations on two random boards with those on the sets of their cells.
local function compare(rng, width, height)
  local a_chance, b_chance = rng:integer(0, 10) / 10, rng:integer(0, 10) / 10
  local a, of_a = build(width, height, function() return rng:chance(a_chance) end)
  local b, of_b = build(width, height, function() return rng:chance(b_chance) end)
  local function is(found, holds) luaunit.assertTrue(found == build(width, height, holds), tostring(found)) end
  local function at(x, y) return x >= 1 and x <= width and y >= 1 and y <= height and of_a[(y - 1) * width + x] end
  is(a & b, function(_, _, i) return of_a[i] and of_b[i] end)
  is(a | b, function(_, _, i) return of_a[i] or of_b[i] end)
  is(a ~ b, function(_, _, i) return of_a[i] ~= of_b[i] end)
  is(a - b, function(_, _, i) return of_a[i] and not of_b[i] end)
  is(~a, function(_, _, i) return not of_a[i] end)
  is(a:neighbours(), function(x, y) return at(x, y - 1) or at(x, y + 1) or at(x - 1, y) or at(x + 1, y) end)
  for direction, way in pairs(ways) do
    for _, n in ipairs { -1, 1, rng:integer(-width - height, width + height), math.maxinteger, math.mininteger } do
      local dx, dy = way[1] * (n % width), way[2] * (n % height)
      is(a:shift(direction, n, true), function(x, y) return at((x - 1 - dx) % width + 1, (y - 1 - dy) % height + 1) end)
      local is_far = math.abs(n // 2) > 64 -- its product with a way may overflow
      is(a:shift(direction, n), function(x, y) return not is_far and at(x - way[1] * n, y - way[2] * n) end)
    end
  end
  local steps, rest = distances(width, height, of_b, of_a), {}
  luaunit.assertEquals(b:distances(a), steps)
  is(b:flood(a), function(_, _, i) return steps[i] >= 0 end)
  for i in pairs(of_a) do rest[i] = true end
  for _, part in ipairs(a:components()) do
    local first = 1
    while not rest[first] do first = first + 1 end
    local reached = distances(width, height, { [first] = true }, of_a)
    is(part, function(_, _, i) return reached[i] >= 0 end)
    for i, step in ipairs(reached) do rest[i] = step < 0 and rest[i] or nil end
  end
  luaunit.assertNil(next(rest))
end

function Board.test_beside_sets()
  local rng = random.new(20)
  for _, shape in ipairs { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 32 }, { 32, 1 }, { 2, 32 }, { 32, 2 }, { 3, 5 }, { 7, 9 }, { 8, 8 }, { 16, 4 },
    { 5, 13 }, { 9, 9 }, { 12, 11 }, { 31, 7 }, { 7, 31 }, { 16, 16 }, { 21, 21 }, { 64, 1 }, { 64, 3 }, { 1, 64 }, { 63, 5 } } do
    for _ = 1, long.choose(1, 12) do compare(rng, shape[1], shape[2]) end
  end
  for _, shape in ipairs(long.choose({ { 33, 32 } }, { { 31, 31 }, { 32, 31 }, { 31, 32 }, { 32, 32 }, { 33, 64 }, { 64, 64 } })) do
    compare(rng, shape[1], shape[2])
  end
end

--- Two steps around a blocked middle; the square at the start need not be free.
function Board.test_grown()
  local from, free = board.new(3, 3, { { 1, 1 } }), board.new(3, 3, { { 2, 1 }, { 3, 1 }, { 1, 2 }, { 1, 3 }, { 2, 3 }, { 3, 3 } })
  luaunit.assertEquals(squares.grown(from, 0, free), from)
  luaunit.assertEquals(squares.grown(from, 2, free), board.new(3, 3, { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }, { 1, 3 } }))
end

--- A way of many turns, the longest that a board of full size has room for: 32 rows, joined at alternating ends.
function Board.test_longest_way()
  local way = build(64, 64, function(x, y) return y % 2 == 1 or x == (y % 4 == 2 and 64 or 1) end)
  local start = board.new(64, 64, { { 1, 1 } })
  local steps = start:distances(way)
  luaunit.assertEquals({ steps[64], steps[2 * 64 + 1], steps[62 * 64 + 1], steps[63 * 64 + 1] }, { 63, 128, 32 * 65 - 2, 32 * 65 - 1 })
  luaunit.assertTrue(start:flood(way) == way)
end

function Board.test_components_of_none() luaunit.assertEquals(board.new(3, 3):components(), {}) end

function Board.test_distances_without_a_mask()
  luaunit.assertEquals(of("#..", "...", "..#"):distances(), { 0, 1, 2, 1, 2, 1, 2, 1, 0 })
  luaunit.assertEquals(board.new(2, 1):distances(), { -1, -1 })
end

-- The symbolic values of a traced rule stand where a board stands: they say what an operator means.
function Board.test_operators_of_other_values()
  local other = {}
  for _, event in ipairs { "__band", "__bor", "__bxor", "__sub" } do
    other[event] = function(a, b) return { event, a, b } end
  end
  local b, s = of "#.", setmetatable({}, other)
  for event, pair in pairs {
    __band = { b & s, s & b }, __bor = { b | s, s | b }, __bxor = { b ~ s, s ~ b }, __sub = { b - s, s - b },
  } do
    for i, operands in ipairs { { b, s }, { s, b } } do
      luaunit.assertEquals(pair[i][1], event)
      luaunit.assertTrue(rawequal(pair[i][2], operands[1]) and rawequal(pair[i][3], operands[2]))
    end
  end
end

function Board.test_boards_are_cheap()
  local b, list = board.new(8, 8, { { 3, 3 } }), {}
  for i = 1, 10000 do list[i] = false end
  collectgarbage()
  local before = collectgarbage "count"
  for i = 1, 10000 do list[i] = ~b end
  luaunit.assertTrue((collectgarbage "count" - before) * 1024 <= 10000 * 48)
  luaunit.assertEquals(#list, 10000)
end

function Board.test_what_is_refused()
  local b = board.new(3, 2)
  for _, case in ipairs {
    { "a board has 1 to 64 columns", board.new, 0, 3 },
    { "a board has 1 to 64 columns", board.new, 65, 3 },
    { "a board has 1 to 64 rows", board.new, 3, -1 },
    { "a board has 1 to 64 rows", board.new, 3, math.maxinteger },
    { "number expected", board.new, 3 },
    { "no integer representation", board.new, 3, 1.5 },
    { "table expected", board.new, 3, 3, "cells" },
    { "cell 2 of the list is no pair", board.new, 3, 3, { { 1, 1 }, 5 } },
    { "cell 1 of the list is no pair", board.new, 3, 3, { { 1, "1" } } },
    { "column 1, row 4 is outside a board of 3x3", board.new, 3, 3, { { 1, 4 } } },
    { "column 0, row 1 is outside a board of 3x2", b.with, b, 0, 1 },
    { "column 4, row 1 is outside a board of 3x2", b.without, b, 4, 1 },
    { "number expected", b.has, b, 1 },
    { "found 'X', expected 'U', 'L', 'D' or 'R'", b.shift, b, "X" },
    { "found 'up', expected 'U', 'L', 'D' or 'R'", b.shift, b, "up" },
    { "number expected", b.shift, b, "U", "far" },
    { "crux.board expected", b.has, {}, 1, 1 },
    { "crux.board expected", b.flood, b },
    { "crux.board expected", b.flood, b, random.new(1) },
    { "boards of different sizes: 3x2 and 2x3", b.flood, b, board.new(2, 3) },
    { "boards of different sizes: 3x2 and 2x3", b.distances, b, board.new(2, 3) },
    { "boards of different sizes: 3x2 and 3x3", b.flood, b, board.new(3, 3) },
    { "boards of different sizes: 3x2 and 2x2", b.flood, b, board.new(2, 2) },
    { "boards of different sizes: 3x2 and 3x1", function() return b | board.new(3, 1) end },
    { "boards of different sizes: 3x2 and 4x2", function() return b | board.new(4, 2) end },
    { "boards of different sizes: 3x2 and 2x3", function() return b & board.new(2, 3) end },
    { "crux.board expected", function() return b & 1 end },
    { "crux.board expected", function() return 1 | b end },
    { "crux.board expected", function() return b ~ true end },
    { "crux.board expected", function() return b - {} end },
    { "crux.board expected", function() return "1" - b end },
    { "crux.board expected", function() return b & random.new(1) end },
    { "attempt to", function() return b << 1 end },
    { "attempt to", function() return b < b end },
    { "attempt to", function() b.x = 1 end },
    { "the board has no such cell", b.nth, b, 1 },
    { "the board has no such cell", b.nth, b:with(1, 1), 2 },
    { "the board has no such cell", b.nth, b:with(1, 1), 0 },
  } do
    luaunit.assertErrorMsgContains(case[1], table.unpack(case, 2, 6))
  end
  luaunit.assertNil(b.nothing)
  luaunit.assertNil(b.__index) -- a script does not get at what all boards share
end

--- The union of all sets of boxes that hold each other, by trying every subset: across and down, each box has a wall, the edge or
--- a box of the set beside it, or dead cells on both sides.
local function frozen_by_subsets(boxes, walls, dead)
  local width, height = boxes:size()
  local cells, all = {}, board.new(width, height)
  for x, y in boxes:cells() do table.insert(cells, { x, y }) end
  local function is_held(set, x, y, dx, dy)
    local function blocks(at_x, at_y)
      return at_x < 1 or at_x > width or at_y < 1 or at_y > height or walls:has(at_x, at_y) or set:has(at_x, at_y)
    end
    return blocks(x - dx, y - dy) or blocks(x + dx, y + dy) or dead:has(x - dx, y - dy) and dead:has(x + dx, y + dy)
  end
  for subset = 1, (1 << #cells) - 1 do
    local set, holds = board.new(width, height), true
    for i, cell in ipairs(cells) do
      if subset >> i - 1 & 1 == 1 then set = set:with(cell[1], cell[2]) end
    end
    for x, y in set:cells() do holds = holds and is_held(set, x, y, 1, 0) and is_held(set, x, y, 0, 1) end
    if holds then all = all | set end
  end
  return all
end

function Board.test_frozen()
  local numbers = random.new(22)
  local frozen, free = 0, 0
  for _ = 1, 200 do
    local width, height = numbers:integer(1, 7), numbers:integer(1, 5)
    local everywhere = ~board.new(width, height)
    local walls = everywhere:sample(numbers, 0.15)
    local dead, boxes = (everywhere - walls):sample(numbers, 0.2), board.new(width, height)
    for _ = 1, math.min(7, #(everywhere - walls)) do boxes = boxes:with((everywhere - walls):pick(numbers)) end
    local expected = frozen_by_subsets(boxes, walls, dead)
    luaunit.assertEquals(tostring(boxes:frozen(walls, dead)), tostring(expected))
    luaunit.assertTrue(boxes:frozen(walls) == frozen_by_subsets(boxes, walls, board.new(width, height)))
    frozen, free = frozen + #expected, free + #(boxes - expected)
  end
  luaunit.assertTrue(frozen > 200 and free > 100, frozen .. " " .. free)
end

--- The pushes from a state of boxes and the squares that the man can walk to: lists of the box's column and row and the state.
local function pushes_of(state, floor)
  local found, width, height = {}, floor:size()
  for x, y in state.boxes:cells() do
    for _, by in ipairs { { 0, -1 }, { -1, 0 }, { 0, 1 }, { 1, 0 } } do
      local to_x, to_y = x + by[1], y + by[2]
      if state.reach:has(x - by[1], y - by[2]) and (floor - state.boxes):has(to_x, to_y) then
        local boxes = state.boxes:without(x, y):with(to_x, to_y)
        local reach = board.new(width, height, { { x, y } }):flood(floor - boxes)
        table.insert(found, { x, y, { boxes = boxes, reach = reach, key = tostring(boxes) .. tostring(reach) } })
      end
    end
  end
  return found
end

--- All states that a start leads to, each with its pushes and `left`, the fewest pushes from it to a win; none if it is lost.
local function solved_states(start, floor, goals)
  local states, by_key, before = { start }, { [start.key] = start }, { [start] = {} }
  for _, state in ipairs(states) do
    state.pushes = pushes_of(state, floor)
    for _, push in ipairs(state.pushes) do
      if not by_key[push[3].key] then
        by_key[push[3].key], before[push[3]] = push[3], {}
        table.insert(states, push[3])
      end
      push[3] = by_key[push[3].key]
      table.insert(before[push[3]], state)
    end
  end
  local queue = {}
  for _, state in ipairs(states) do
    if state.boxes == goals then
      state.left = 0
      table.insert(queue, state)
    end
  end
  for _, state in ipairs(queue) do
    for _, earlier in ipairs(before[state]) do
      if not earlier.left then
        earlier.left = state.left + 1
        table.insert(queue, earlier)
      end
    end
  end
  return states
end

--- Expects that one of the corral's boxes can be the next in a solution with the fewest pushes, in all states of small levels.
function Board.test_corral()
  local numbers, rounds, corrals, solvable = random.new(7), long.choose(20, 60), 0, 0
  for round = 1, rounds do
    local floor
    repeat floor = squares.room(numbers, 6, 4, 0.15) until #floor >= 12
    local goals = squares.some(numbers, floor, 3)
    local man, boxes = squares.some(numbers, floor - goals, 1), goals
    for _ = 1, 100 do
      local direction = numbers:pick { "U", "L", "D", "R" }
      local behind, ahead = man:shift(direction, -1) & floor - boxes, man:shift(direction) & boxes
      if behind:any() then man, boxes = behind, ahead:any() and boxes - ahead | man or boxes end
    end
    local reach = man:flood(floor - boxes)
    local dead = round % 2 == 0 and floor - squares.pullable(goals, floor) or floor - floor
    local start = { boxes = boxes, reach = reach, key = tostring(boxes) .. tostring(reach) }
    for _, state in ipairs(solved_states(start, floor, goals)) do
      local first, is_kept = state.boxes:corral(state.reach, ~floor, dead, goals), state.left == 0
      for _, push in ipairs(state.left and state.pushes or {}) do
        is_kept = is_kept or push[3].left == state.left - 1 and first:has(push[1], push[2])
      end
      luaunit.assertTrue(is_kept or not state.left, state.key)
      solvable, corrals = solvable + (state.left and 1 or 0), corrals + (state.left and first ~= state.boxes and 1 or 0)
    end
  end
  luaunit.assertTrue(solvable > rounds * 50 / 3 and corrals > rounds * 5 / 3, solvable .. " " .. corrals)
end

--- The man can push the upper box into the corridor only, and the lower one anywhere; by hand.
function Board.test_corral_by_hand()
  local boxes, walls, reach = of("..#...", "......", ".#...."), of("......", "...###", "...###"), of("##....", "###...", "#.#...")
  local nothing, both = walls - walls, boxes
  same(boxes:corral(reach, walls, nothing, of("....#.", "......", "......")), of("..#...", "......", "......"))
  same(boxes:corral(reach, walls, nothing, of("..#...", "......", "......")), both) -- nothing in the corridor needs a push
  same(boxes:corral(reach - of(".#....", "......", "......"), walls, nothing, of("....#.", "......", "......")), both) -- he cannot push yet
  same(boxes:corral(reach, walls, of("...#..", "......", "......"), nothing), of("..#...", "......", "......")) -- no push at all: lost
end

return { Board = Board }
