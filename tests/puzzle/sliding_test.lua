--- Tests of libcrux.sliding: distances from the exit by hand, and against a walk by the step of crux.kits.slide; searches against
--- those by that step.
local board = require "libcrux.board"
local game = require "crux.game.game"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local search = require "crux.search.search"
local shell = require "shell"
local sliding = require "libcrux.sliding"

local Sliding = {}

local function declared(fields)
  return game.load(shell.file("slide.lua", ('return crux.kits.slide { name = "slide", measures = {}, %s }'):format(fields)))
end

local function distances(self, text) return self:only_level(text).distances() end

--- By hand: A leaves by one slide from each of its other places, or by as many as there are squares between. With B below its row A
--- has four places, of which one is the exit; with B in its row three. A piece may enter squares that it has left.
function Sliding.test_by_hand()
  luaunit.assertEquals(distances(declared "single = false", "A..\n"), { 1, 2 })
  luaunit.assertEquals(distances(declared "single = true", "A..\n"), { 1, 1, 1 })
  luaunit.assertEquals(distances(declared "single = false", "A.A..\nAAA..\n"), { 1, 2 })
  luaunit.assertEquals(distances(declared "along = true", "AA..B\n....B\n.....\n"), { 1, 3, 3 })
  luaunit.assertNil(distances(declared "along = true", "AA..B\n....B\n"))
  luaunit.assertEquals(distances(declared "along = true", "AA......\n" .. ("........\n"):rep(7)), { 1, 6 })
  luaunit.assertNil(distances(declared "along = true", "AA.......\n" .. (".........\n"):rep(7)))
end

--- How many states are at each distance, by slides that the step makes, back and forth.
local function walked(self, level)
  local rules, keys, from_exit, counts = self.search, {}, {}, {}
  local queue = { (rules.start(level)) }
  local function key(now) return table.concat(now.at, " ") end
  local function after(now)
    return lists.map(level.moves, function(move)
      local next = { at = lists.copy(now.at) }
      rules.step(next, move, level)
      return next
    end)
  end
  keys[key(queue[1])] = true
  for _, now in ipairs(queue) do
    for _, next in ipairs(after(now)) do
      if not keys[key(next)] then keys[key(next)], queue[#queue + 1] = true, next end
    end
  end
  local won = lists.select(queue, function(now) return level.goal[now.at[level.target]] end)
  for _, now in ipairs(won) do from_exit[key(now)] = 0 end
  for _, now in ipairs(won) do
    local slides = from_exit[key(now)]
    counts[slides + 1] = (counts[slides + 1] or 0) + 1
    for _, next in ipairs(after(now)) do
      if not from_exit[key(next)] then from_exit[key(next)], won[#won + 1] = slides + 1, next end
    end
  end
  return #won > 0 and counts or nil
end

--- Calls a function with a game and each of some random levels of it, on boards of 4 x 3 squares. Returns their number.
local function each_level(call)
  local rng, count = random.new(1, 1), 0
  for _, fields in ipairs { "along = true", "along = true, single = true", "exit = 'D'" } do
    local self = declared(fields)
    for _ = 1, 8 do
      local rows = { "....", "....", "...." }
      for _, piece in ipairs { "AA", "B", "CC", "#" } do
        local x, y = rng:integer(1, 5 - #piece), rng:integer(1, 3)
        if rows[y]:sub(x, x + #piece - 1):match "^%.*$" then rows[y] = rows[y]:sub(1, x - 1) .. piece .. rows[y]:sub(x + #piece) end
      end
      local ok, level = pcall(self.only_level, self, table.concat(rows, "\n") .. "\n")
      if ok then
        call(self, level, table.concat(rows, "\n"))
        count = count + 1
      end
    end
  end
  return count
end

--- The distances by a walk, and, of games that explore, the solutions by the step in Lua.
function Sliding.test_against_a_walk()
  local found = 0
  each_level(function(self, level, text)
    luaunit.assertEquals(level.distances(), walked(self, level), text)
    level.explores = true
    local in_c = search.solve(self.search, level, { way = true, effort = false })
    local in_lua = search.solve(self.search, level, { way = true, engine = "interpreted" })
    luaunit.assertEquals(#in_c.frontiers, in_c.length == 0 and 1 or 0, "explored")
    luaunit.assertEquals({ in_c.status, in_c.moves, in_c.way }, { in_lua.status, in_lua.moves, in_lua.way }, text)
    found = found + (level.distances() and 1 or 0)
  end)
  luaunit.assertTrue(found > 8)
end

--- The same solutions and statistics, up to limits too, as by the step in Lua; and the same distances from what a search has found.
function Sliding.test_searches_as_in_lua()
  local fields = { "status", "limit", "least", "moves", "way", "states", "expanded", "generated", "duplicates", "frontiers" }
  local count = each_level(function(self, level, text)
    for _, most in ipairs { 1, 2, 3, 5, 8, 13, 1000 } do
      local in_c = search.solve(self.search, level, { way = true, states = most })
      local in_lua = search.solve(self.search, level, { way = true, states = most, engine = "interpreted" })
      luaunit.assertNil(in_c.program and in_c.program.operations, "a traced step")
      for _, field in ipairs(fields) do
        luaunit.assertEquals(in_c[field], in_lua[field], ("%s\n%d: %s"):format(text, most, field))
      end
    end
    luaunit.assertEquals(level.distances(), walked(self, level), text)
  end)
  luaunit.assertTrue(count > 8)
end

--- Levels of which the step is traced: with interchangeable pieces, of more than 64 squares or bits, and to count solutions.
function Sliding.test_traced_searches()
  local function operations(fields, text, options)
    local self = declared(fields)
    return search.solve(self.search, self:only_level(text), options).program.operations
  end
  luaunit.assertNil(operations("along = true", "AA..B\n....B\n.....\n", {}))
  luaunit.assertTrue(operations("along = true", "AA..B\n....B\n.....\n", { count = true }) > 0)
  luaunit.assertTrue(operations("twins = true", "A.BC\n....\n", {}) > 0)
  luaunit.assertTrue(operations("along = true", "AA.......\n" .. (".........\n"):rep(7), {}) > 0)
end

--- More states than 2^18: eight pieces of a square on a free board of 8 x 8.
function Sliding.test_too_many_states()
  luaunit.assertNil(distances(declared "exit = 'R'", "ABCDEFGH\n" .. ("........\n"):rep(7)))
end

function Sliding.test_wrong_levels()
  local square = board.new(1, 1, { { 1, 1 } })
  local function level(fields)
    return lists.merge({ wall = square - square, at = { 0 }, target = 1, goal = { [0] = true },
      pieces = { { columns = 1, rows = 1, covers = { [0] = square } } } }, fields)
  end
  luaunit.assertEquals(sliding.new(level {}, false):distances(), { 1 })
  for _, case in ipairs {
    { { at = { 1 } }, "positions of the pieces" }, { { at = {} }, "as many positions as pieces" }, { { target = 2 }, "target" },
    { { wall = board.new(9, 9) }, "at most 64 squares" }, { { goal = 1 }, "goals" }, { { pieces = { 1 } }, "pieces" },
    { { pieces = { { columns = 9, rows = 9, covers = {} } } }, "64 positions" },
    { { pieces = { { columns = 1, rows = 1, covers = {} } } }, "board" },
  } do
    luaunit.assertErrorMsgContains(case[2], sliding.new, level(case[1]), false)
  end
end

return Sliding
