--- Round numbers: steps, ticks and widths of bins, derived by hand.
local luaunit = require "luaunit"
local nice = require "crux.base.nice"

local Nice = {}

--- Expects ticks of these texts, each at the number that its text is.
local function expect(found, texts)
  local list = {}
  for i, tick in ipairs(found) do
    list[i] = tick.text
    luaunit.assertAlmostEquals(tick.at, tonumber(tick.text), 1e-12 * math.max(1, math.abs(tick.at)))
  end
  luaunit.assertEquals(list, texts)
end

function Nice.test_steps()
  for _, case in ipairs { { 1, 1 }, { 1.01, 2 }, { 2, 2 }, { 2.1, 5 }, { 5, 5 }, { 5.01, 10 }, { 0.03, 0.05 }, { 700, 1000 },
    { 3e-7, 5e-7 } } do
    luaunit.assertAlmostEquals(nice.step(case[1]), case[2], 1e-15 * math.max(1, case[2]))
  end
end

function Nice.test_as_many_ticks_as_fit()
  expect(nice.ticks(0, 10, 6), { "0", "2", "4", "6", "8", "10" })
  expect(nice.ticks(0, 10, 5), { "0", "5", "10" })
  expect(nice.ticks(2.4, 10.6, 8), { "3", "4", "5", "6", "7", "8", "9", "10" }) -- steps of 1 though 8.2 / 8 is above it
  expect(nice.ticks(-0.37, 0.42, 4), { "-0.2", "0.0", "0.2", "0.4" })
  expect(nice.ticks(0.42, -0.37, 4), { "-0.2", "0.0", "0.2", "0.4" })
  expect(nice.ticks(0, 100, 3), { "0", "50", "100" })
  expect(nice.ticks(1150, 1710, 4), { "1200", "1400", "1600" })
end

function Nice.test_both_ends_count()
  expect(nice.ticks(0.1, 0.3, 3), { "0.1", "0.2", "0.3" }) -- 0.3 is not 3 times 0.1 in doubles
end

function Nice.test_whole_numbers()
  expect(nice.ticks(0, 3, 7, true), { "0", "1", "2", "3" })
  expect(nice.ticks(0, 3, 7), { "0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0" })
end

function Nice.test_sizes_of_all_kinds()
  expect(nice.ticks(0, 3e12, 4), { "0", "1e+12", "2e+12", "3e+12" })
  expect(nice.ticks(0, 3e-9, 4), { "0", "1e-09", "2e-09", "3e-09" })
  expect(nice.ticks(-1.7e308, 1.7e308, 4), { "-1e+308", "0", "1e+308" })
  luaunit.assertTrue(#nice.ticks(1e15, 1e15 + 0.25, 5) <= 5) -- finer than doubles
  luaunit.assertTrue(#nice.ticks(5e-324, 1e-323, 5) <= 5)
end

function Nice.test_never_too_many()
  math.randomseed(7, 0)
  for _ = 1, 2000 do
    local low = (math.random() - 0.5) * 10 ^ math.random(-6, 6)
    local high = low + math.random() * 10 ^ math.random(-6, 6) + 1e-9
    local most = math.random(2, 10)
    local ticks = nice.ticks(low, high, most)
    local step = #ticks > 1 and ticks[2].at - ticks[1].at or 0
    luaunit.assertTrue(#ticks <= most)
    for _, tick in ipairs(ticks) do luaunit.assertTrue(tick.at >= low - 1e-8 * step and tick.at <= high + 1e-8 * step) end
  end
end

function Nice.test_widths()
  luaunit.assertEquals(nice.width(1.5, 9), 1.0) -- 0.75
  luaunit.assertEquals(nice.width(0, 40), 5.0)
  luaunit.assertEquals(nice.width(3, 3), 1.0)
  luaunit.assertTrue(nice.width(1e300, 1e300) >= 1e287) -- else there would be no end of bins
end

return { Nice = Nice }
