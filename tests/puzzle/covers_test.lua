-- Tests of crux.covers: covers at random and their changes are covers, and changes lead to every cover.
local luaunit = require "luaunit"
local covers = require "crux.puzzle.covers"
local random = require "libcrux.random"

local function are_neighbours(a, b, width)
  local row, column = (a - 1) // width - (b - 1) // width, (a - 1) % width - (b - 1) % width
  return math.abs(row) + math.abs(column) == 1
end

local function assert_is_cover(paths, width, height, count, least)
  luaunit.assertEquals(#paths, count)
  local covered, cells = {}, 0
  for _, path in ipairs(paths) do
    luaunit.assertTrue(#path >= least)
    for i, cell in ipairs(path) do
      luaunit.assertTrue(cell >= 1 and cell <= width * height and not covered[cell])
      luaunit.assertTrue(i == 1 or are_neighbours(cell, path[i - 1], width))
      covered[cell], cells = true, cells + 1
    end
  end
  luaunit.assertEquals(cells, width * height)
end

--- The same text for covers with the same paths, whatever their order and direction.
local function key_of(paths)
  local texts = {}
  for i, path in ipairs(paths) do
    local cells = table.move(path, 1, #path, 1, {})
    if cells[1] > cells[#cells] then
      for j, cell in ipairs(path) do cells[#path + 1 - j] = cell end
    end
    texts[i] = table.concat(cells, " ")
  end
  table.sort(texts)
  return table.concat(texts, ";")
end

--- The keys of all covers, by trying every path from the first cell that is not covered yet, as its first end or not.
local function all_covers(width, height, count, least)
  local keys, paths, covered = {}, {}, {}
  local function next_path()
    local first = 1
    while covered[first] do first = first + 1 end
    if #paths == count then
      if first > width * height then keys[key_of(paths)] = true end
      return
    end
    local path = {}
    local function grow()
      local holds_first = false
      for _, cell in ipairs(path) do holds_first = holds_first or cell == first end
      if holds_first and #path >= least then
        table.insert(paths, table.move(path, 1, #path, 1, {}))
        next_path()
        table.remove(paths)
      end
      for cell = 1, width * height do
        if not covered[cell] and (#path == 0 or are_neighbours(cell, path[#path], width)) then
          path[#path + 1], covered[cell] = cell, true
          grow()
          path[#path], covered[cell] = nil, nil
        end
      end
    end
    if first <= width * height then grow() end
  end
  next_path()
  return keys
end

local function count(set)
  local n = 0
  for _ in pairs(set) do n = n + 1 end
  return n
end

local Covers = {}

function Covers.test_random_covers_and_their_changes()
  local rng = random.new(1)
  for _, case in ipairs { { 5, 5, 5, 3 }, { 9, 9, 6, 3 }, { 4, 7, 9, 3 }, { 7, 4, 1, 3 }, { 6, 1, 2, 3 }, { 1, 1, 1, 1 }, { 2, 2, 2, 1 } } do
    local width, height, n, least = table.unpack(case)
    for _ = 1, 5 do
      local paths = covers.random(width, height, n, least, rng)
      assert_is_cover(paths, width, height, n, least)
      for _ = 1, 50 do
        local before = key_of(paths)
        local changed = covers.vary(paths, width, height, least, rng)
        luaunit.assertEquals(key_of(paths), before)
        if changed then
          assert_is_cover(changed, width, height, n, least)
          luaunit.assertNotEquals(key_of(changed), before)
          paths = changed
        end
      end
    end
  end
end

function Covers.test_changes_lead_to_every_cover()
  for _, case in ipairs { { 3, 3, 1, 3, 20 }, { 3, 3, 2, 3, 72 }, { 4, 3, 2, 3, 418 }, { 2, 3, 2, 1, 25 } } do
    local width, height, n, least, number = table.unpack(case)
    local expected, found, rng = all_covers(width, height, n, least), {}, random.new(2)
    local paths = covers.random(width, height, n, least, rng)
    for _ = 1, 40 * number do
      paths = covers.vary(paths, width, height, least, rng) or paths
      found[key_of(paths)] = true
    end
    for key in pairs(found) do luaunit.assertTrue(expected[key]) end
    luaunit.assertEquals({ count(expected), count(found) }, { number, number })
  end
end

function Covers.test_a_seed_gives_the_same_cover()
  local a, b = covers.random(8, 8, 7, 3, random.new(4)), covers.random(8, 8, 7, 3, random.new(4))
  luaunit.assertEquals(a, b)
  luaunit.assertNotEquals(covers.random(8, 8, 7, 3, random.new(5)), a)
end

function Covers.test_what_does_not_fit()
  for _, case in ipairs { { 5, 5, 9, 3 }, { 0, 5, 1, 3 }, { -5, -5, 2, 3 }, { 5, 5, 0, 3 } } do
    local paths, problem = covers.random(case[1], case[2], case[3], case[4], random.new(1))
    luaunit.assertNil(paths)
    luaunit.assertEquals(problem, ("%d paths of at least %d cells do not fit on %d x %d"):format(case[3], case[4], case[1], case[2]))
  end
end

return { Covers = Covers }
