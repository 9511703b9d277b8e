-- Tests of libcrux.random: the numbers of a seed and stream, fair choices, and what is refused.
local luaunit = require "luaunit"
local random = require "libcrux.random"

--- The generator once more, from its papers.
local function reference(seed, stream)
  local golden = 0x9e3779b97f4a7c15
  local function mix(z)
    z = (z ~ z >> 30) * 0xbf58476d1ce4e5b9
    z = (z ~ z >> 27) * 0x94d049bb133111eb
    return z ~ z >> 31
  end
  local function rotate(x, by) return x << by | x >> (64 - by) end
  local first, s = mix(seed + golden), {}
  for i = 1, 4 do s[i] = mix(first + (4 * stream + i) * golden) end
  return function()
    local result, t = rotate(s[2] * 5, 7) * 9, s[2] << 17
    s[3], s[4] = s[3] ~ s[1], s[4] ~ s[2]
    s[2], s[1] = s[2] ~ s[3], s[1] ~ s[4]
    s[3], s[4] = s[3] ~ t, rotate(s[4], 45)
    return result
  end
end

local function bits(r) return r:integer(math.mininteger, math.maxinteger) + math.mininteger end

--- Whether counts are even within six standard deviations of chi-square.
local function even(counts, n, draws)
  local chi = 0
  for i = 1, n do chi = chi + ((counts[i] or 0) - draws / n) ^ 2 / (draws / n) end
  return math.abs(chi - (n - 1)) <= 6 * math.sqrt(2 * (n - 1))
end

local Random = {}

function Random.test_the_numbers_of_a_seed_and_stream()
  for _, case in ipairs { { 0, 0 }, { 1, 0 }, { 42, 7 }, { -1, 5000000 }, { math.mininteger, -3 } } do
    local r, expected = random.new(case[1], case[2]), reference(case[1], case[2])
    for _ = 1, 100 do luaunit.assertEquals(bits(r), expected()) end
    luaunit.assertEquals(r:real(), (expected() >> 11) * 0x1p-53)
  end
  luaunit.assertEquals(bits(random.new(9)), bits(random.new(9, 0)))
end

function Random.test_generators_share_nothing()
  local alone, a, b = {}, random.new(3, 1), random.new(3, 2)
  local r = random.new(3, 1)
  for i = 1, 50 do alone[i] = bits(r) end
  for i = 1, 50 do
    luaunit.assertEquals(bits(a), alone[i])
    luaunit.assertNotEquals(bits(b), alone[i])
  end
end

function Random.test_integer()
  local r, counts = random.new(1), {}
  for _ = 1, 6000 do
    local drawn = r:integer(-2, 3)
    luaunit.assertEquals(math.type(drawn), "integer")
    counts[drawn + 3] = (counts[drawn + 3] or 0) + 1
  end
  luaunit.assertEquals(#counts, 6)
  luaunit.assertNil(counts[0] or counts[7])
  luaunit.assertTrue(even(counts, 6, 6000))
  luaunit.assertEquals({ r:integer(5, 5), r:integer(math.maxinteger, math.maxinteger) }, { 5, math.maxinteger })
end

function Random.test_real()
  local r, counts = random.new(2), {}
  for _ = 1, 10000 do
    local x = r:real()
    luaunit.assertTrue(x >= 0 and x < 1)
    local tenth = math.floor(x * 10) + 1
    counts[tenth] = (counts[tenth] or 0) + 1
  end
  luaunit.assertTrue(even(counts, 10, 10000))
end

function Random.test_chance()
  local r = random.new(4)
  for _, p in ipairs { 0, 0.1, 0.5, 0.9, 1 } do
    local hits = 0
    for _ = 1, 10000 do if r:chance(p) then hits = hits + 1 end end
    luaunit.assertTrue(math.abs(hits - 10000 * p) <= 6 * math.sqrt(10000 * p * (1 - p)))
  end
end

function Random.test_shuffle()
  local r, counts, n = random.new(6), {}, 0
  for _ = 1, 24000 do
    local list = { "a", "b", "c", "d" }
    luaunit.assertTrue(rawequal(r:shuffle(list), list))
    local order = table.concat(list)
    if not counts[order] then n = n + 1 end
    counts[order] = (counts[order] or 0) + 1
  end
  luaunit.assertEquals(n, 24)
  local shares = {}
  for _, count in pairs(counts) do table.insert(shares, count) end
  luaunit.assertTrue(even(shares, 24, 24000))
  luaunit.assertEquals({ r:shuffle {}, r:shuffle { 1 } }, { {}, { 1 } })
  luaunit.assertEquals(random.new(1):shuffle { 1, 2, 3, 4, 5 }, random.new(1):shuffle { 1, 2, 3, 4, 5 })
end

function Random.test_pick()
  local r, counts = random.new(7), {}
  for _ = 1, 9000 do
    local picked = r:pick { "a", "b", "c" }
    counts[picked] = (counts[picked] or 0) + 1
  end
  luaunit.assertTrue(even({ counts.a, counts.b, counts.c }, 3, 9000))
  luaunit.assertEquals(counts.a + counts.b + counts.c, 9000)
end

function Random.test_a_generator_says_what_it_is()
  luaunit.assertEquals(tostring(random.new(-5, 12)), "xoshiro256** of seed -5, stream 12")
end

function Random.test_what_is_refused()
  local r = random.new(1)
  for _, case in ipairs {
    { "number expected", random.new },
    { "no integer representation", random.new, 1.5 },
    { "number expected", random.new, 1, "x" },
    { "the range is empty", r.integer, r, 2, 1 },
    { "number expected", r.integer, r, 2 },
    { "a probability lies between 0 and 1", r.chance, r, 1.01 },
    { "a probability lies between 0 and 1", r.chance, r, -0.01 },
    { "a probability lies between 0 and 1", r.chance, r, 0 / 0 },
    { "the list is empty", r.pick, r, {} },
    { "table expected", r.pick, r, "abc" },
    { "table expected", r.shuffle, r, "abc" },
    { "crux.random expected", r.real, {} },
  } do
    luaunit.assertErrorMsgContains(case[1], table.unpack(case, 2, 5))
  end
end

return { Random = Random }
