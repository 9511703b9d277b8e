-- Tests of crux.arrangements: what comes out at random, what a change leaves as it is, and where targets are put.
local arrangements = require "crux.puzzle.arrangements"
local luaunit = require "luaunit"
local random = require "libcrux.random"

local Arrangements = {}

--- Whether a beam enters one of the tiles from its start.
local function enters(emitter, tiles)
  local x, y, dx, dy = table.unpack(emitter)
  local column, row = x // 2 + 1, y // 2 + 1
  if x % 2 == 0 and dx < 0 then column = column - 1 end
  if y % 2 == 0 and dy < 0 then row = row - 1 end
  return (x + y) % 2 == 1 and tiles:has(column, row)
end

local function check(arrangement, width, height, usable, blocks, emitters)
  luaunit.assertEquals({ arrangement.usable:size() }, { width, height })
  luaunit.assertEquals({ arrangement.usable:bounds() }, { 1, 1, width, height })
  luaunit.assertEquals({ #arrangement.usable, #arrangement.blocks, #arrangement.emitters }, { usable, blocks, emitters })
  luaunit.assertTrue((arrangement.blocks - arrangement.usable):none())
  for _, emitter in ipairs(arrangement.emitters) do
    luaunit.assertTrue(enters(emitter, arrangement.usable | ~arrangement.usable))
  end
end

function Arrangements.test_random()
  local rng, made = random.new(1), 0
  for _ = 1, 200 do
    local width, height = rng:integer(1, 6), rng:integer(1, 6)
    local usable, emitters = rng:integer(1, width * height), rng:integer(1, 4)
    local blocks = rng:integer(0, usable)
    local arrangement, problem = arrangements.random(width, height,
      { usable = usable, blocks = blocks, emitters = emitters }, rng)
    luaunit.assertNil(problem)
    if arrangement then
      made = made + 1
      check(arrangement, width, height, usable, blocks, emitters)
      for _, emitter in ipairs(arrangement.emitters) do luaunit.assertTrue(enters(emitter, arrangement.usable)) end
    end
  end
  luaunit.assertTrue(made > 100 and made < 200) -- in the others the usable tiles did not reach all edges
end

function Arrangements.test_what_does_not_fit()
  for _, case in ipairs {
    { 33, 2, 4, 1, 1, "found 33 columns, expected 1 to 32" },
    { 2, 0, 4, 1, 1, "found 0 rows, expected 1 to 32" },
    { 3, 2, 7, 1, 1, "found 7 usable tiles, expected 1 to 6" },
    { 3, 2, 0, 0, 1, "found 0 usable tiles, expected 1 to 6" },
    { 3, 2, 5, 6, 1, "found 6 blocks, expected 0 to 5" },
    { 3, 2, 5, 5, 0, "found 0 emitters, expected 1 to 17" },
    { 3, 2, 5, 5, 18, "found 18 emitters, expected 1 to 17" },
  } do
    local count = { usable = case[3], blocks = case[4], emitters = case[5] }
    luaunit.assertEquals({ arrangements.random(case[1], case[2], count, random.new(1)) }, { nil, case[6] })
  end
end

function Arrangements.test_vary()
  local rng, moved = random.new(2), { blocks = 0, tiles = 0, emitters = 0, failed = 0 }
  local now
  repeat now = arrangements.random(5, 4, { usable = 13, blocks = 4, emitters = 3 }, rng) until now
  for _ = 1, 600 do
    local changed = arrangements.vary(now, rng)
    if changed then
      check(changed, 5, 4, 13, 4, 3)
      local blocks, tiles, emitters = #(changed.blocks - now.blocks), #(changed.usable - now.usable), 0
      for i, emitter in ipairs(changed.emitters) do
        if emitter ~= now.emitters[i] then emitters = emitters + 1 end
      end
      luaunit.assertTrue(blocks + tiles + emitters == 1)
      moved.blocks, moved.tiles, moved.emitters = moved.blocks + blocks, moved.tiles + tiles, moved.emitters + emitters
      now = changed
    else
      moved.failed = moved.failed + 1
    end
  end
  luaunit.assertTrue(moved.blocks > 150 and moved.tiles > 100 and moved.emitters > 150 and moved.failed > 0)
end

function Arrangements.test_vary_where_nothing_can_move()
  local rng = random.new(3)
  local full = arrangements.random(2, 2, { usable = 4, blocks = 4, emitters = 1 }, rng)
  for _ = 1, 20 do
    local changed = arrangements.vary(full, rng)
    luaunit.assertEquals({ changed.usable, changed.blocks }, { full.usable, full.blocks })
  end
end

--- A problem whose one block turns the beam on tile 5. Of five placements the points of that solution are passed by: (2, 1)
--- four, (3, 2) three, (4, 1) and (5, 0) one; (1, 0), where the beam starts, by all.
local function problem(emitters)
  return { width = 3, height = 2, tiles = "oooooo", emitters = emitters or { { 1, 0, 1, 1 } }, blocks = { A = 1 } }
end

local function targets(count, rng, emitters, limits)
  local level = problem(emitters)
  local solution = arrangements.set_targets(level, "ooooAo", count, rng, limits)
  if not solution then return nil end
  luaunit.assertEquals({ solution.status, solution.tiles, solution.solutions }, { "solved", "ooooAo", 1 })
  luaunit.assertEquals(solution.trace.reflections, 1)
  local points = {}
  for i, target in ipairs(level.targets) do points[i] = ("%d %d"):format(target[1], target[2]) end
  return points
end

function Arrangements.test_set_targets()
  local rng, first = random.new(4), {}
  for _ = 1, 20 do first[targets(1, rng)[1]] = true end
  luaunit.assertEquals(first, { ["4 1"] = true, ["5 0"] = true })
  for _ = 1, 10 do
    local all = targets(4, rng)
    table.sort(all)
    luaunit.assertEquals(all, { "2 1", "3 2", "4 1", "5 0" })
  end
  luaunit.assertNil(targets(5, rng))
  luaunit.assertNil(targets(0, rng))
  luaunit.assertNil(targets(1, rng, { { 1, 0, 1, 1 }, { 1, 0, -1, 1 } })) -- two emitters at one point
  luaunit.assertNil(targets(1, rng, nil, { nodes = 1 }))
end

-- With A on tiles 2 and 6 the beam passes (2, 1), (1, 2) and (0, 3); the last with A on 2 and one of 3, 5 and 6 only.
function Arrangements.test_set_targets_counts_solutions()
  local level = problem()
  level.blocks.A = 2
  luaunit.assertEquals(arrangements.set_targets(level, "oAoooA", 1, random.new(5)).solutions, 3)
  luaunit.assertEquals(level.targets, { { 0, 3 } })
  luaunit.assertNil(arrangements.set_targets(level, "AooooA", 1, random.new(5))) -- the beam turns at its start
end

return { Arrangements = Arrangements }
