-- Tests of lua/crux/search/best_first.lua: searches by a priority in C find what those in Lua find, in the same order.
local engines = require "engines"
local fault = require "crux.base.fault"
local kinds = require("crux.search.state").kinds
local long = require "long"
local luaunit = require "luaunit"
local search = require "crux.search.search"
local vocabulary = require "crux.symbolic.vocabulary"

vocabulary.enable()
local SIDE <const> = 7

--- A player walks over a torus with two coins, a pit and an exit that opens when both are taken.
local spec = {
  moves = { "l", "r", "u", "d" },
  state = function() return { x = kinds.integer(0, SIDE - 1), y = kinds.integer(0, SIDE - 1), coin = kinds.array(2, kinds.flag) } end,
  start = function(level) return { x = level.x, y = level.y, coin = { true, true } } end,
  step = function(now, move, level)
    if move == "l" then now.x = (now.x - 1) % SIDE elseif move == "r" then now.x = (now.x + 1) % SIDE
    elseif move == "u" then now.y = (now.y - 1) % SIDE else now.y = (now.y + 1) % SIDE end
    local at = now.x * SIDE + now.y
    for i = 1, 2 do
      if at == level.coin[i] then now.coin[i] = false end
    end
    return at == level.exit and not now.coin[1] and not now.coin[2], at == level.pit
  end,
}

local function draw()
  local at = function() return math.random(0, SIDE * SIDE - 1) end
  return { x = math.random(0, SIDE - 1), y = math.random(0, SIDE - 1), coin = { at(), at() }, pit = at(), exit = at(),
    weight = math.random(-3, 3) / 2, distance = {} }
end

--- Both engines; returns why the search was not native.
local function compare(priority, level, states)
  local options = { best_first = { priority = priority }, states = states }
  local expected = engines.solve(spec, level, options, "interpreted")
  local found, program, untraced = engines.solve(spec, level, options, "native")
  luaunit.assertEquals(found, expected)
  return program, untraced
end

local priorities = {
  function(_, length) return { length } end,
  function(_, length) return { -length } end,
  function(now, length) return { length + 2 * now.x, now.y } end,
  function(now, length, level) return { length * level.weight + now.x / 3, -now.y } end,
  function(now, length)
    local dx, dy = now.x - 3, now.y - 3
    return { math.sqrt(dx ^ 2 + dy ^ 2) + length, math.abs(dx / 2), math.min(now.x, 2.5, dy), math.max(now.y / 7, 0.5) }
  end,
  function(now, length, level) -- a list that ends earlier in some states
    local list, nearest = {}, math.huge
    for i = 1, 2 do
      local x, y = level.coin[i] // SIDE, level.coin[i] % SIDE
      if now.coin[i] then
        nearest = math.min(nearest, math.sqrt((x - now.x) ^ 2 + (y - now.y) ^ 2))
        table.insert(list, now.x + i)
      end
    end
    if not now.coin[1] and not now.coin[2] then nearest = 0.25 end
    return { length / 8, nearest, table.unpack(list) }
  end,
  function(now) return now.coin[1] and { 2 ^ now.x, 1 } or { 2 ^ now.x } end,
  function(now) return { -(now.x / 2), now.y == 3 and 1.5 or now.x } end,
}

local BestFirst = {}

function BestFirst.test_native_as_in_lua()
  long.leave_out()
  math.randomseed(3)
  local native = 0
  for case = 1, long.choose(96, 4000) do
    local which = case % #priorities + 1
    local program, untraced = compare(priorities[which], draw(), math.random(4) == 1 and math.random(100) or nil)
    luaunit.assertNil(untraced, tostring(which))
    native = native + (program and 1 or 0)
  end
  luaunit.assertTrue(native > 90, native)
end

--- What cannot be computed for all states is told with its place, and the search is done in Lua.
function BestFirst.test_refusals()
  for expected, priority in pairs {
    ["a fraction of the state that is compared"] = function(now) return { now.x / 2 < 1 and 1 or 2 } end,
    ["compared or rounded"] = function(now) return { now.x / 2 == 1 and 1 or 2 } end,
    ["a write to a table that outlives the call"] = function(now, _, level)
      level.distance[1] = 1
      return { now.x }
    end,
  } do
    local program, untraced = compare(priority, draw())
    luaunit.assertNil(program)
    luaunit.assertStrContains(untraced, "best_first_test.lua:")
    luaunit.assertStrContains(untraced, expected)
  end
end

--- A priority that is wrong in some states raises there, as in Lua.
function BestFirst.test_wrong_priorities()
  local level = { x = 0, y = 0, coin = { 1, 2 }, pit = 48, exit = 10, distance = {} }
  for expected, priority in pairs {
    ["found NaN, expected a number"] = function(now) return { (now.x - 1) / (now.y - 1) * (now.y - 1) } end,
    ["found a table, expected a list of numbers"] = function(now) return now.x == 1 and {} or { 1 } end,
    ["attempt to perform arithmetic"] = function(now, _, given) return { now.x + given.distance[now.x] } end,
  } do
    for _, engine in ipairs { "native", "interpreted" } do
      local ok, problem = pcall(search.solve, spec, level, { best_first = { priority = priority }, engine = engine })
      luaunit.assertFalse(ok, expected)
      luaunit.assertTrue(fault.is(problem))
      luaunit.assertStrContains(problem.message, expected)
    end
  end
end

return { BestFirst = BestFirst }
