--- Tests of lua/crux/order/pool.lua: levels of Move of 3 x 3 squares, made ahead.
local games = require "crux.game.game"
local library = require "crux.api.library"
local luaunit = require "luaunit"
local process = require "libcrux.process"
local rules = require "crux.rule.rule"
local symmetry = require "crux.order.symmetry"

local Pool = {}

local game, rule = games.load "move", rules.load "move"

local function pool_of(wanted)
  return library.pool(game, rule, { curve = wanted.curve or "2..3", count = 3, like = { size = "9" }, tries = wanted.tries })
end

--- A pool is filled, and again after a level was taken; no level is taken twice, and each has the rating that it says.
function Pool.test_fill_and_take()
  local pool, keys = pool_of {}, {}
  luaunit.assertNil(pool:take(2.5, 0))
  luaunit.assertEquals(pool:fill(0), 3)
  luaunit.assertEquals(pool:fill(math.huge), 0)
  for i, wanted in ipairs { 2, 2, 2.5, 3, 3 } do
    local level = pool:take(wanted, i % 2 == 0 and math.huge or 0)
    local content = library.level(game, level.text)
    luaunit.assertEquals(library.rating(rule, library.measure(game, content)), level.rating)
    luaunit.assertEquals(level.row.size, 9)
    if i % 2 == 0 then luaunit.assertTrue(math.abs(level.rating - wanted) <= 0.05) end
    local key = symmetry.key(game, level.text)
    luaunit.assertNil(keys[key])
    keys[key] = true
  end
  luaunit.assertEquals(pool:fill(math.huge), 0)
end

--- With a clock that goes on by a second whenever it is read, two trials of 64 are run in three seconds.
function Pool.test_time()
  local seconds, now, pool = process.seconds, 0, pool_of {}
  process.seconds = function()
    now = now + 1
    return now
  end
  local ok, missing = pcall(pool.fill, pool, 4)
  process.seconds = seconds
  luaunit.assertEquals({ ok, missing }, { true, 3 })
  luaunit.assertEquals(pool.run.trials, 2)
  luaunit.assertNotNil(pool:take(0, 0))
end

--- A pool stops to look for levels that cannot be found after a number of tries, and looks again after a level was taken.
function Pool.test_ends()
  local pool = pool_of { curve = "2..30", tries = 300 }
  luaunit.assertEquals(pool:fill(math.huge), 2)
  local tried = pool.run.tried
  luaunit.assertEquals({ pool:fill(math.huge), pool.run.tried }, { 2, tried })
  pool:take(2, 0)
  pool:fill(math.huge)
  luaunit.assertTrue(pool.run.tried >= tried + 300)
end

function Pool.test_refuses()
  local pool = pool_of {}
  luaunit.assertErrorMsgEquals("fill: argument 1: found -1, expected seconds, 0 or more", pool.fill, pool, -1)
  luaunit.assertErrorMsgEquals("fill: argument 1: found nil, expected seconds, 0 or more", pool.fill, pool)
  luaunit.assertErrorMsgEquals("take: argument 1: found 'hard', expected a number", pool.take, pool, "hard")
  luaunit.assertErrorMsgEquals("take: argument 1: found NaN, expected a number", pool.take, pool, 0 / 0)
  luaunit.assertErrorMsgEquals("take: argument 2: found NaN, expected seconds, 0 or more", pool.take, pool, 3, 0 / 0)
  luaunit.assertErrorMsgContains("curve: expected LEAST..GREATEST", pool_of, { curve = "3..3" })
  luaunit.assertErrorMsgContains("crux.pool: argument 3: found nil, expected a table", library.pool, game, rule)
end

return { Pool = Pool }
